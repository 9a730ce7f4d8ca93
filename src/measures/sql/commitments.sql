-- Each commitment with what it covered.
-- meaning: fees are its purchases, covered the usage that it paid for, unused what nobody used; a cost
--   that is unknown counts as billed.
-- grain: currency, commitment
-- units: lines; money as (units, atto)
SELECT
  coalesce(billing_currency, ''),
  commitment_discount_id,
  count(*),
  sum(billed_units) FILTER (WHERE fee), sum(billed_atto) FILTER (WHERE fee),
  sum(effective_units) FILTER (WHERE covered), sum(effective_atto) FILTER (WHERE covered),
  sum(effective_units) FILTER (WHERE unused), sum(effective_atto) FILTER (WHERE unused),
  sum(billed_units), sum(billed_atto),
  sum(effective_units), sum(effective_atto)
FROM (
  SELECT
    dim.billing_currency,
    dim.commitment_discount_id,
    coalesce(dim.charge_category = 'Purchase', false) AS fee,
    coalesce(dim.commitment_discount_status = 'Used', false) AS covered,
    coalesce(dim.commitment_discount_status = 'Unused', false) AS unused,
    line.billed_units,
    line.billed_atto,
    coalesce(line.effective_units, line.billed_units) AS effective_units,
    coalesce(line.effective_atto, line.billed_atto) AS effective_atto
  FROM (SELECT * FROM store_line WHERE ${periods}) AS line
  JOIN store_dim AS dim ON dim.file = line.file AND dim.id = line.dim
  WHERE dim.commitment_discount_id IS NOT NULL
)
GROUP BY ALL
ORDER BY ALL;
