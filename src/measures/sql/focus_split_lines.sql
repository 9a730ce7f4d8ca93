-- What is left to split of the lines that several postings share: quantities, a cost that only the
-- further columns have, and the line's own costs, which postings may have in another currency. The
-- postings' costs say how.
-- grain: a posting of a line that has others, a line's postings one after the other
-- units: cost parts and line's quantities as (units, atto), device-time in ns, numbers of `x` as text
SELECT
  entry.file,
  entry.row,
  entry.line,
  entry.billed_ns,
  entry.billed_units, entry.billed_atto,
  entry.effective_units, entry.effective_atto,
  entry.list_units, entry.list_atto,
  entry.contracted_units, entry.contracted_atto,
  line.consumed_units, line.consumed_atto,
  -- Of unknown quantity, and FOCUS demands one: the charge itself, of which each posting is a part.
  CASE
    WHEN line.pricing_units IS NULL AND focus_demands_quantity(dim.charge_category, dim.charge_class)
    THEN 1 ELSE line.pricing_units
  END,
  coalesce(line.pricing_atto, 0),
  json_extract_string(line.x, '$.CommitmentDiscountQuantity'),
  json_extract_string(line.x, '$.PricingCurrencyEffectiveCost'),
  line.billed_units, line.billed_atto,
  line.effective_units, line.effective_atto,
  line.list_units, line.list_atto,
  line.contracted_units, line.contracted_atto
FROM store_posting AS entry
JOIN (
  SELECT file, line
  FROM store_posting
  WHERE ${periods}
  GROUP BY file, line
  HAVING count(*) > 1) AS shared USING (file, line)
JOIN store_line AS line ON line.file = entry.file AND line.row = entry.line
LEFT JOIN store_dim AS dim ON dim.file = line.file AND dim.id = line.dim
WHERE entry.${periods}
ORDER BY entry.file, entry.line, entry.row;
