-- Examples of the rows that a finding counts.
-- grain: an example; units: cost as the decimal text of the row
SELECT DISTINCT
  coalesce(source, ''), coalesce(subject, ''), coalesce(place, ''), coalesce(text, ''),
  coalesce(cost, '')
FROM store_finding_example
WHERE code = ${code}
-- By length first: line 9 of a file stands before its line 10.
ORDER BY 1, 2, length(coalesce(place, '')), 3, 4, 5;
