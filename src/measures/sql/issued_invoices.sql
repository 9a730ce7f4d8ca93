-- Issued totals, as the invoices sources give them; a row given twice counts once.
-- grain: currency, issuer ('' any), invoice, billing period (null any), total
-- units: money as (units, atto); period in ns
SELECT DISTINCT
  currency,
  coalesce(issuer, ''),
  invoice_id,
  billing_period_start_ns,
  total_units, total_atto
FROM store_invoice
WHERE billing_period_start_ns IS NULL OR (${periods})
ORDER BY ALL;
