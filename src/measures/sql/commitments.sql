-- Each commitment with what it covered.
-- meaning: fees are its purchases, covered the usage that it paid for, unused what nobody used; a cost
--   that is unknown counts as billed.
-- grain: currency, commitment
-- units: lines; money as (units, atto)
SELECT
  currency,
  commitment,
  sum(lines),
  sum(billed_units) FILTER (WHERE fee), sum(billed_atto) FILTER (WHERE fee),
  sum(effective_units) FILTER (WHERE covered), sum(effective_atto) FILTER (WHERE covered),
  sum(effective_units) FILTER (WHERE unused), sum(effective_atto) FILTER (WHERE unused),
  sum(billed_units), sum(billed_atto),
  sum(effective_units), sum(effective_atto)
FROM (
  SELECT
    coalesce(billing_currency, '') AS currency,
    commitment_discount_id AS commitment,
    coalesce(charge_category = 'Purchase', false) AS fee,
    coalesce(commitment_discount_status = 'Used', false) AS covered,
    coalesce(commitment_discount_status = 'Unused', false) AS unused,
    lines,
    billed_units,
    billed_atto,
    effective_units + effective_missing_units AS effective_units,
    effective_atto + effective_missing_atto AS effective_atto
  FROM store_line_sum
  WHERE ${periods} AND commitment_discount_id IS NOT NULL
)
GROUP BY currency, commitment
ORDER BY currency, commitment;
