-- The report's cube: all money and device time of some months, by what the page's tables are made of.
-- grain: month, currency, kind of account, model, stage, pool, device class, state, busy
-- units: billed_ns of device time; money as (units, atto): on the basis, then the four costs with
--   their fallback to billed, then the part of the basis's cost that is such a fallback
SELECT
  month, currency, kind, model, stage, pool, device_class, state, busy,
  sum(billed_ns),
  sum(cost_units), sum(cost_atto),
  sum(billed_units), sum(billed_atto),
  sum(effective_units), sum(effective_atto),
  sum(list_units), sum(list_atto),
  sum(contracted_units), sum(contracted_atto),
  sum(missing_units), sum(missing_atto)
FROM measure_month
WHERE month BETWEEN ${first_month} AND ${last_month}
GROUP BY month, currency, kind, model, stage, pool, device_class, state, busy
ORDER BY month, currency, kind, model, stage, pool, device_class, state, busy;
