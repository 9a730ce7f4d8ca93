-- From the usage view of a bill to its invoice view, straight from the lines.
-- meaning: used says that the charge begins in the months asked for, billed that its billing period
--   does; a cost that is unknown counts as billed.
-- grain: currency, used, billed
-- units: lines; money as (units, atto): billed, effective, list, contracted
SELECT
  dim.billing_currency,
  line.charge_start >= ${start_ns} AND line.charge_start < ${end_ns} AS used,
  line.billing_period_start_ns >= ${start_ns} AND line.billing_period_start_ns < ${end_ns} AS billed,
  count(*),
  sum(line.billed_units), sum(line.billed_atto),
  sum(coalesce(line.effective_units, line.billed_units)),
  sum(coalesce(line.effective_atto, line.billed_atto)),
  sum(coalesce(line.list_units, line.billed_units)),
  sum(coalesce(line.list_atto, line.billed_atto)),
  sum(coalesce(line.contracted_units, line.billed_units)),
  sum(coalesce(line.contracted_atto, line.billed_atto))
FROM store_line AS line
JOIN store_dim AS dim ON dim.file = line.file AND dim.id = line.dim
WHERE dim.billing_currency = ${currency} AND (used OR billed)
GROUP BY ALL
ORDER BY ALL;
