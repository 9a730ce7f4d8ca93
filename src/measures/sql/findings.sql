-- What was wrong in the data.
-- grain: code (or code, source and subject), currency; no currency: no money is known to be touched
-- units: rows; money as (units, atto)
SELECT
  ${columns},
  coalesce(currency, ''),
  sum(rows),
  sum(cost_units), sum(cost_atto)
FROM store_finding
WHERE ${condition}
GROUP BY ALL
ORDER BY ALL;
