-- The sides of the audit from what sources and ledger summed while they wrote.
-- grain: side and a row of a summary
-- units: money as (units, atto)
-- $line_sums, $month_costs: relations
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
  source, billing_period_start_ns,
  issuer, invoice_id, currency,
  'posting', 0,
  billed_units, billed_atto,
  effective_units, effective_atto,
  list_units, list_atto,
  contracted_units, contracted_atto,
  0, 0, 0
FROM $month_costs
