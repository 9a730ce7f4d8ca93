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
  sum(effective_units + effective_missing_units), sum(effective_atto + effective_missing_atto),
  sum(list_units + list_missing_units), sum(list_atto + list_missing_atto),
  sum(contracted_units + contracted_missing_units), sum(contracted_atto + contracted_missing_atto)
FROM store_line_sum
WHERE (used OR billed) AND billing_currency = ${currency}
GROUP BY used, billed
ORDER BY used, billed;
