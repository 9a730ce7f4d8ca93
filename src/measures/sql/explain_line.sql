-- One bill line as it stands in the store.
-- grain: a bill line; units: instants in ns; money as (units, atto), null where unknown; the consumed
--   quantity and the rate that it was converted at are decimals in such a pair too
SELECT
  line.source, line.period, line.charge_start, line.charge_end,
  coalesce(dim.charge_category, ''), coalesce(dim.service_name, ''), coalesce(dim.resource_id, ''),
  coalesce(dim.sku_id, ''), coalesce(dim.billing_currency, ''), coalesce(dim.invoice_id, ''),
  coalesce(dim.tags, ''),
  line.billed_units, line.billed_atto,
  line.effective_units, line.effective_atto,
  line.list_units, line.list_atto,
  line.contracted_units, line.contracted_atto,
  line.consumed_units, line.consumed_atto, coalesce(dim.consumed_unit, ''),
  coalesce(rate.to_currency, ''), rate.day_ns, rate.rate_units, rate.rate_atto,
  CAST(rate.inverse AS INTEGER),
  converted.billed_units, converted.billed_atto,
  converted.effective_units, converted.effective_atto,
  converted.list_units, converted.list_atto,
  converted.contracted_units, converted.contracted_atto,
  coalesce(line.x, '')
FROM store_line AS line
JOIN store_dim AS dim ON dim.file = line.file AND dim.id = line.dim
LEFT JOIN store_converted AS converted ON converted.file = line.file AND converted.line = line.row
LEFT JOIN store_used_rate AS rate ON rate.file = converted.file AND rate.id = converted.rate
WHERE line.id = CAST(${line} AS UUID);
