-- The sides of the audit from what sources and ledger summed while they wrote.
-- grain: side and a row of a summary
-- units: money as (units, atto)
-- $line_sums, $month_costs, $conversions, $used_rates: relations; the last two with a `file`
-- What was converted leaves the sums of its own currency and stands in those of its postings'.
SELECT
  source, billing_period_start_ns,
  invoice_issuer_name AS issuer, invoice_id, billing_currency AS currency,
  'line' AS side, lines,
  billed_units AS billed_u, billed_atto AS billed_a,
  effective_units AS effective_u, effective_atto AS effective_a,
  list_units AS list_u, list_atto AS list_a,
  contracted_units AS contracted_u, contracted_atto AS contracted_a,
  effective_unknown, list_unknown, contracted_unknown
FROM $line_sums
UNION ALL
SELECT
  conversion.source, conversion.billing_period_start_ns,
  conversion.issuer, conversion.invoice_id, rate.from_currency,
  'line', -conversion.lines,
  -own_billed_units, -own_billed_atto,
  -own_effective_units, -own_effective_atto,
  -own_list_units, -own_list_atto,
  -own_contracted_units, -own_contracted_atto,
  -effective_unknown, -list_unknown, -contracted_unknown
FROM $conversions AS conversion
JOIN $used_rates AS rate ON rate.file = conversion.file AND rate.id = conversion.rate
UNION ALL
SELECT
  conversion.source, conversion.billing_period_start_ns,
  conversion.issuer, conversion.invoice_id, rate.to_currency,
  'line', conversion.lines,
  billed_units, billed_atto,
  effective_units, effective_atto,
  list_units, list_atto,
  contracted_units, contracted_atto,
  effective_unknown, list_unknown, contracted_unknown
FROM $conversions AS conversion
JOIN $used_rates AS rate ON rate.file = conversion.file AND rate.id = conversion.rate
UNION ALL
SELECT
  source, billing_period_start_ns,
  issuer, invoice_id, currency,
  'posting', 0,
  billed_units, billed_atto,
  effective_units, effective_atto,
  list_units, list_atto,
  contracted_units, contracted_atto,
  0, 0, 0
FROM $month_costs
