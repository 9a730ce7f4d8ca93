-- audit: lines against postings  grain: source, billing period, issuer, invoice, currency
-- meaning: the second proof of conservation; it re-adds what is stored and knows nothing of how it was
-- posted. Sums are of atto (1e-18 units); *_unknown counts lines that have no cost in that column.
-- $lines, $dims, $postings, $posting_dims: relations with a `file` that pairs a bill with its ledger
WITH
  line_sums AS (
    SELECT file, source, billing_period_start_ns, dim, count(*) AS lines,
           sum(billed_units) AS billed_u, sum(billed_atto) AS billed_a,
           sum(effective_units) AS effective_u, sum(effective_atto) AS effective_a,
           sum(list_units) AS list_u, sum(list_atto) AS list_a,
           sum(contracted_units) AS contracted_u, sum(contracted_atto) AS contracted_a,
           count(*) - count(effective_units) AS effective_unknown,
           count(*) - count(list_units) AS list_unknown,
           count(*) - count(contracted_units) AS contracted_unknown
    FROM $lines GROUP BY ALL
  ),
  posting_sums AS (
    SELECT file, source, billing_period_start_ns, dim,
           sum(billed_units) AS billed_u, sum(billed_atto) AS billed_a,
           sum(effective_units) AS effective_u, sum(effective_atto) AS effective_a,
           sum(list_units) AS list_u, sum(list_atto) AS list_a,
           sum(contracted_units) AS contracted_u, sum(contracted_atto) AS contracted_a
    FROM $postings GROUP BY ALL
  ),
  sides AS (
    SELECT line.source, line.billing_period_start_ns, dim.invoice_issuer_name AS issuer, dim.invoice_id,
           dim.billing_currency AS currency, 'line' AS side, line.lines, billed_u, billed_a, effective_u,
           effective_a, list_u, list_a, contracted_u, contracted_a, effective_unknown, list_unknown,
           contracted_unknown
    FROM line_sums AS line JOIN $dims AS dim ON dim.file = line.file AND dim.id = line.dim
    UNION ALL
    SELECT posting.source, posting.billing_period_start_ns, dim.issuer, dim.invoice_id, dim.currency,
           'posting', 0, billed_u, billed_a, effective_u, effective_a, list_u, list_a, contracted_u,
           contracted_a, 0, 0, 0
    FROM posting_sums AS posting
    JOIN $posting_dims AS dim ON dim.file = posting.file AND dim.id = posting.dim
  )
SELECT source, billing_period_start_ns, coalesce(issuer, ''), coalesce(invoice_id, ''),
       coalesce(currency, ''), sum(lines)::BIGINT,
       coalesce(sum(billed_u) FILTER (side = 'line'), 0)::HUGEINT,
       coalesce(sum(billed_a) FILTER (side = 'line'), 0)::HUGEINT,
       coalesce(sum(billed_u) FILTER (side = 'posting'), 0)::HUGEINT,
       coalesce(sum(billed_a) FILTER (side = 'posting'), 0)::HUGEINT,
       0::BIGINT,
       coalesce(sum(effective_u) FILTER (side = 'line'), 0)::HUGEINT,
       coalesce(sum(effective_a) FILTER (side = 'line'), 0)::HUGEINT,
       coalesce(sum(effective_u) FILTER (side = 'posting'), 0)::HUGEINT,
       coalesce(sum(effective_a) FILTER (side = 'posting'), 0)::HUGEINT,
       sum(effective_unknown)::BIGINT,
       coalesce(sum(list_u) FILTER (side = 'line'), 0)::HUGEINT,
       coalesce(sum(list_a) FILTER (side = 'line'), 0)::HUGEINT,
       coalesce(sum(list_u) FILTER (side = 'posting'), 0)::HUGEINT,
       coalesce(sum(list_a) FILTER (side = 'posting'), 0)::HUGEINT,
       sum(list_unknown)::BIGINT,
       coalesce(sum(contracted_u) FILTER (side = 'line'), 0)::HUGEINT,
       coalesce(sum(contracted_a) FILTER (side = 'line'), 0)::HUGEINT,
       coalesce(sum(contracted_u) FILTER (side = 'posting'), 0)::HUGEINT,
       coalesce(sum(contracted_a) FILTER (side = 'posting'), 0)::HUGEINT,
       sum(contracted_unknown)::BIGINT
FROM sides
GROUP BY source, billing_period_start_ns, issuer, invoice_id, currency
ORDER BY source, billing_period_start_ns, issuer, invoice_id, currency
