-- measure_state: the ledger's summary by state of device time, with words and a cost on one basis.
-- meaning: rows sum to the postings, so to the bill; cost falls back to billed where the basis's own
--   cost is unknown; busy says whether a trustworthy sign saw the device work.
-- grain: bill file, dim, account, month, state, busy_known
-- units: billed_ns of device time; money as (units, atto)
CREATE OR REPLACE TEMP VIEW measure_state AS
SELECT
  entry.source,
  account.account,
  account.kind,
  account.model,
  account.stage,
  account.team,
  account.pool,
  account.run_id,
  dim.currency,
  coalesce(dim.service_name, '-') AS service_name,
  coalesce(dim.region_id, '-') AS region_id,
  coalesce(dim.resource_id, '-') AS resource_id,
  dim.device_class,
  entry.month,
  printf('%04d-%02d', 1970 + entry.month // 12, entry.month % 12 + 1) AS month_text,
  entry.state,
  store_state_text(entry.state) AS state_text,
  entry.state IN (${busy_states}) OR (entry.state = ${lost_state} AND entry.busy_known) AS busy,
  entry.billed_ns,
  ${cost_units} AS cost_units,
  ${cost_atto} AS cost_atto,
  entry.billed_units,
  entry.billed_atto,
  entry.effective_units + entry.effective_missing_units AS effective_units,
  entry.effective_atto + entry.effective_missing_atto AS effective_atto,
  entry.list_units + entry.list_missing_units AS list_units,
  entry.list_atto + entry.list_missing_atto AS list_atto,
  entry.contracted_units + entry.contracted_missing_units AS contracted_units,
  entry.contracted_atto + entry.contracted_missing_atto AS contracted_atto,
  ${missing_units} AS missing_units,
  ${missing_atto} AS missing_atto
FROM store_state_cost AS entry
JOIN measure_account AS account ON account.file = entry.file AND account.id = entry.account
JOIN store_posting_dim AS dim ON dim.file = entry.file AND dim.id = entry.dim;
