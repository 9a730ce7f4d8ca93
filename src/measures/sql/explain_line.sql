-- One bill line as it stands in the store.
-- grain: a bill line; units: instants in ns; money as (units, atto), null where unknown; the consumed
--   quantity is a decimal in such a pair too
SELECT
  line.source, line.period, line.charge_start, line.charge_end,
  coalesce(dim.charge_category, ''), coalesce(dim.service_name, ''), coalesce(dim.resource_id, ''),
  coalesce(dim.sku_id, ''), coalesce(dim.billing_currency, ''), coalesce(dim.invoice_id, ''),
  coalesce(dim.tags, ''),
  line.billed_units, line.billed_atto,
  line.effective_units, line.effective_atto,
  line.list_units, line.list_atto,
  line.contracted_units, line.contracted_atto,
  line.consumed_units, line.consumed_atto, coalesce(dim.consumed_unit, '')
FROM store_line AS line
JOIN store_dim AS dim ON dim.file = line.file AND dim.id = line.dim
WHERE line.id = CAST(${line} AS UUID);
