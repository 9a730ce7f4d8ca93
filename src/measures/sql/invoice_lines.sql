-- What the bill's lines say of each invoice.
-- meaning: nobody invoices what a rate card says.
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
WHERE ${periods} AND source NOT IN (SELECT source FROM store_input WHERE kind = 'rate_cards')
GROUP BY ALL
ORDER BY ALL;
