-- From the usage view of a bill to its invoice view, straight from the lines.
-- meaning: used says that the charge begins in the months asked for, billed that its billing period
--   does; a cost that is unknown counts as billed. Summed by dim first: there are few dims.
-- grain: used, billed
-- units: lines; money as (units, atto): billed, effective, list, contracted
WITH sums AS (
  SELECT
    file,
    dim,
    charge_start >= ${start_ns} AND charge_start < ${end_ns} AS used,
    billing_period_start_ns >= ${start_ns} AND billing_period_start_ns < ${end_ns} AS billed,
    count(*) AS lines,
    sum(billed_units) AS billed_units, sum(billed_atto) AS billed_atto,
    sum(coalesce(effective_units, billed_units)) AS effective_units,
    sum(coalesce(effective_atto, billed_atto)) AS effective_atto,
    sum(coalesce(list_units, billed_units)) AS list_units,
    sum(coalesce(list_atto, billed_atto)) AS list_atto,
    sum(coalesce(contracted_units, billed_units)) AS contracted_units,
    sum(coalesce(contracted_atto, billed_atto)) AS contracted_atto
  FROM store_line
  WHERE used OR billed
  GROUP BY file, dim, used, billed
)
SELECT
  used, billed, sum(lines),
  sum(billed_units), sum(billed_atto),
  sum(effective_units), sum(effective_atto),
  sum(list_units), sum(list_atto),
  sum(contracted_units), sum(contracted_atto)
FROM sums
JOIN store_dim AS dim ON dim.file = sums.file AND dim.id = sums.dim
WHERE dim.billing_currency = ${currency}
GROUP BY used, billed
ORDER BY used, billed;
