-- measure_state: the ledger's summary by day, with words, a cost on one basis and whether a trustworthy
--   sign saw the device work.
-- meaning: rows sum to the postings, so to the bill; the cost falls back to billed where the basis's own
--   is unknown.
-- grain: bill file, dim, account, rule, state, busy_known, day
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
  ${busy} AS busy,
  entry.billed_ns,
  ${cost_units} AS cost_units,
  ${cost_atto} AS cost_atto
FROM store_day_cost AS entry
JOIN measure_account AS account ON account.file = entry.file AND account.id = entry.account
JOIN store_posting_dim AS dim ON dim.file = entry.file AND dim.id = entry.dim;
