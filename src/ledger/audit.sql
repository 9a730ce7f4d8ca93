-- audit: lines against postings
-- meaning: the second proof of conservation; it re-adds what is stored and knows nothing of how it was
--   posted. *_unknown counts lines that have no cost in that column.
-- grain: source, billing period, issuer, invoice, currency
-- units: money as (units, atto)
-- The sides come from audit_rows.sql or audit_summaries.sql.
WITH
  sides AS (
    $sides
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
-- A currency of which all lines were converted has nothing left; one with money left would show.
HAVING sum(lines) <> 0 OR bool_or(side = 'posting')
  OR sum(billed_u) * 1000000000000000000::HUGEINT + sum(billed_a) <> 0
  OR sum(effective_u) * 1000000000000000000::HUGEINT + sum(effective_a) <> 0
  OR sum(list_u) * 1000000000000000000::HUGEINT + sum(list_a) <> 0
  OR sum(contracted_u) * 1000000000000000000::HUGEINT + sum(contracted_a) <> 0
ORDER BY source, billing_period_start_ns, issuer, invoice_id, currency
