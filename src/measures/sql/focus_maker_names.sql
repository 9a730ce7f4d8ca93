-- Names of further columns that a bill's maker added, as FOCUS wants them written.
-- grain: a name
SELECT DISTINCT name
FROM (SELECT unnest(json_keys(x)) AS name FROM store_line WHERE ${periods} AND x IS NOT NULL)
WHERE regexp_full_match(name, 'x_[A-Za-z0-9_]+')
ORDER BY name;
