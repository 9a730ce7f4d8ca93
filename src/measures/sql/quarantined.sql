-- Rows of the bill that could not be used, the largest readable money first.
-- grain: a row; units: cost DECIMAL, null where it can't be read
SELECT source, coalesce(place, ''), coalesce(code, ''), coalesce(text, ''), cost,
  coalesce(currency, '')
FROM store_quarantine
WHERE source IN (SELECT source FROM store_input WHERE kind = 'bill')
-- By length first: line 9 of a file stands before its line 10.
ORDER BY abs(cost) DESC NULLS LAST, source, length(coalesce(place, '')), 2, 3, 4, 6;
