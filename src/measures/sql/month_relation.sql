-- measure_month: the ledger's summary by month, with words and a cost on one basis.
-- meaning: rows sum to the postings, so to the bill; cost falls back to billed where the basis's own
--   cost is unknown, and missing is that part; busy says whether a trustworthy sign saw the device
--   work. The four costs have their fallback too.
-- grain: bill file, currency, issuer, invoice, kind, model, stage, pool, device class, month, state,
--   busy_known
-- units: billed_ns of device time; money as (units, atto)
CREATE OR REPLACE TEMP VIEW measure_month AS
SELECT
  entry.month,
  entry.currency,
  entry.kind,
  measure_model(entry.kind, entry.model) AS model,
  measure_word(entry.stage) AS stage,
  measure_word(entry.pool) AS pool,
  entry.device_class,
  entry.state,
  ${busy} AS busy,
  entry.billed_ns,
  ${cost_units} AS cost_units,
  ${cost_atto} AS cost_atto,
  ${missing_units} AS missing_units,
  ${missing_atto} AS missing_atto,
  entry.billed_units,
  entry.billed_atto,
  entry.effective_units + entry.effective_missing_units AS effective_units,
  entry.effective_atto + entry.effective_missing_atto AS effective_atto,
  entry.list_units + entry.list_missing_units AS list_units,
  entry.list_atto + entry.list_missing_atto AS list_atto,
  entry.contracted_units + entry.contracted_missing_units AS contracted_units,
  entry.contracted_atto + entry.contracted_missing_atto AS contracted_atto
FROM store_month_cost AS entry;
