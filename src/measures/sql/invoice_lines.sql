-- What the bill's lines say of each invoice.
-- grain: currency, issuer, invoice, billing period; an empty invoice is not invoiced
-- units: lines; money as (units, atto); period in ns
SELECT
  coalesce(billing_currency, ''),
  coalesce(invoice_issuer_name, ''),
  coalesce(invoice_id, ''),
  billing_period_start_ns,
  sum(lines),
  sum(billed_units), sum(billed_atto)
FROM store_line_sum
WHERE ${periods}
GROUP BY ALL
ORDER BY ALL;
