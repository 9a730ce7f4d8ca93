-- From the usage view of a bill to its invoice view.
-- meaning: used says that the charge begins in the months asked for, billed that its billing period
--   does; a cost that is unknown counts as billed.
-- grain: used, billed
-- units: lines; money as (units, atto): billed, effective, list, contracted
SELECT
  month BETWEEN ${first_month} AND ${last_month} AS used,
  billing_period_start_ns >= ${start_ns} AND billing_period_start_ns < ${end_ns} AS billed,
  sum(lines),
  sum(billed_units), sum(billed_atto),
  sum(effective_units), sum(effective_atto),
  sum(list_units), sum(list_atto),
  sum(contracted_units), sum(contracted_atto)
FROM measure_bill
WHERE (used OR billed) AND currency = ${currency}
GROUP BY used, billed
ORDER BY used, billed;
