-- Each converted line, with what its own costs and its rate make of it.
-- meaning: the proof that what postings sum to is the bill at a rate that may be used: from the line's
--   currency to the postings', of the charge's day or at most $oldest_ns before the day's end.
-- grain: a converted line
-- units: money as (units, atto); the rate too
-- $lines, $dims, $posting_dims, $converted, $used_rates: relations as in audit_rows.sql
SELECT
  CAST(coalesce(
    rate.from_currency = own.billing_currency AND rate.to_currency = dim.currency
      AND line.charge_start >= rate.day_ns AND line.charge_start - rate.day_ns < $oldest_ns,
    false) AS UTINYINT),
  rate.rate_units, rate.rate_atto, CAST(coalesce(rate.inverse, false) AS UTINYINT),
  line.billed_units, line.billed_atto, converted.billed_units, converted.billed_atto,
  line.effective_units, line.effective_atto, converted.effective_units, converted.effective_atto,
  line.list_units, line.list_atto, converted.list_units, converted.list_atto,
  line.contracted_units, line.contracted_atto, converted.contracted_units, converted.contracted_atto
FROM $converted AS converted
LEFT JOIN $lines AS line ON line.file = converted.file AND line.row = converted.line
LEFT JOIN $dims AS own ON own.file = line.file AND own.id = line.dim
LEFT JOIN $posting_dims AS dim ON dim.file = converted.file AND dim.id = converted.dim
LEFT JOIN $used_rates AS rate ON rate.file = converted.file AND rate.id = converted.rate
