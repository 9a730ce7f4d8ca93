-- The sides of the audit from every line and every posting, by dim first: there are few dims.
-- grain: side, source, billing period, dim
-- units: money as (units, atto)
-- $lines, $dims, $postings, $posting_dims, $converted: relations with a `file` that pairs a bill with its
--   ledger; lines have their `row`
-- A line that was converted leaves the sums of its own currency and stands in those of its postings'.
SELECT
  line.source, line.billing_period_start_ns,
  dim.invoice_issuer_name AS issuer, dim.invoice_id, dim.billing_currency AS currency,
  'line' AS side, line.lines,
  billed_u, billed_a, effective_u, effective_a, list_u, list_a, contracted_u, contracted_a,
  effective_unknown, list_unknown, contracted_unknown
FROM (
  SELECT file, source, billing_period_start_ns, dim, count(*) AS lines,
    sum(billed_units) AS billed_u, sum(billed_atto) AS billed_a,
    sum(effective_units) AS effective_u, sum(effective_atto) AS effective_a,
    sum(list_units) AS list_u, sum(list_atto) AS list_a,
    sum(contracted_units) AS contracted_u, sum(contracted_atto) AS contracted_a,
    count(*) - count(effective_units) AS effective_unknown,
    count(*) - count(list_units) AS list_unknown,
    count(*) - count(contracted_units) AS contracted_unknown
  FROM $lines
  GROUP BY ALL
) AS line
JOIN $dims AS dim ON dim.file = line.file AND dim.id = line.dim
UNION ALL
SELECT
  own.source, own.billing_period_start_ns,
  dim.invoice_issuer_name, dim.invoice_id, dim.billing_currency,
  'line', -own.lines,
  -billed_u, -billed_a, -effective_u, -effective_a, -list_u, -list_a, -contracted_u, -contracted_a,
  -effective_unknown, -list_unknown, -contracted_unknown
FROM (
  SELECT line.file, line.source, line.billing_period_start_ns, line.dim, count(*) AS lines,
    sum(line.billed_units) AS billed_u, sum(line.billed_atto) AS billed_a,
    sum(line.effective_units) AS effective_u, sum(line.effective_atto) AS effective_a,
    sum(line.list_units) AS list_u, sum(line.list_atto) AS list_a,
    sum(line.contracted_units) AS contracted_u, sum(line.contracted_atto) AS contracted_a,
    count(*) - count(line.effective_units) AS effective_unknown,
    count(*) - count(line.list_units) AS list_unknown,
    count(*) - count(line.contracted_units) AS contracted_unknown
  FROM $converted AS converted
  JOIN $lines AS line ON line.file = converted.file AND line.row = converted.line
  GROUP BY ALL
) AS own
JOIN $dims AS dim ON dim.file = own.file AND dim.id = own.dim
UNION ALL
SELECT
  converted.source, converted.billing_period_start_ns,
  dim.issuer, dim.invoice_id, dim.currency,
  'line', converted.lines,
  billed_u, billed_a, effective_u, effective_a, list_u, list_a, contracted_u, contracted_a,
  effective_unknown, list_unknown, contracted_unknown
FROM (
  SELECT file, source, billing_period_start_ns, dim, count(*) AS lines,
    sum(billed_units) AS billed_u, sum(billed_atto) AS billed_a,
    sum(effective_units) AS effective_u, sum(effective_atto) AS effective_a,
    sum(list_units) AS list_u, sum(list_atto) AS list_a,
    sum(contracted_units) AS contracted_u, sum(contracted_atto) AS contracted_a,
    count(*) - count(effective_units) AS effective_unknown,
    count(*) - count(list_units) AS list_unknown,
    count(*) - count(contracted_units) AS contracted_unknown
  FROM $converted
  GROUP BY ALL
) AS converted
JOIN $posting_dims AS dim ON dim.file = converted.file AND dim.id = converted.dim
UNION ALL
SELECT
  posting.source, posting.billing_period_start_ns,
  dim.issuer, dim.invoice_id, dim.currency,
  'posting', 0,
  billed_u, billed_a, effective_u, effective_a, list_u, list_a, contracted_u, contracted_a,
  0, 0, 0
FROM (
  SELECT file, source, billing_period_start_ns, dim,
    sum(billed_units) AS billed_u, sum(billed_atto) AS billed_a,
    sum(effective_units) AS effective_u, sum(effective_atto) AS effective_a,
    sum(list_units) AS list_u, sum(list_atto) AS list_a,
    sum(contracted_units) AS contracted_u, sum(contracted_atto) AS contracted_a
  FROM $postings
  GROUP BY ALL
) AS posting
JOIN $posting_dims AS dim ON dim.file = posting.file AND dim.id = posting.dim
