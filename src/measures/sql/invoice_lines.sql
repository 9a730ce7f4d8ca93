-- What the bill's lines say of each invoice.
-- grain: currency, issuer, invoice, billing period; an empty invoice is not invoiced
-- units: lines; money as (units, atto); period in ns
SELECT
  coalesce(dim.billing_currency, ''),
  coalesce(dim.invoice_issuer_name, ''),
  coalesce(dim.invoice_id, ''),
  line.billing_period_start_ns,
  count(*),
  sum(line.billed_units), sum(line.billed_atto)
FROM (SELECT * FROM store_line WHERE ${periods}) AS line
JOIN store_dim AS dim ON dim.file = line.file AND dim.id = line.dim
GROUP BY ALL
ORDER BY ALL;
