-- measure_day: the ledger's summary by day, with words and a cost on one basis.
-- meaning: rows sum to the postings, so to the bill; the day is that of the charge period's start.
-- grain: bill file, dim, account, rule, state, busy_known, day
-- units: day in ns of its midnight; held_ns and billed_ns of device time; money as (units, atto)
CREATE OR REPLACE TEMP VIEW measure_day AS
SELECT
  entry.source,
  entry.billing_period_start_ns,
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
  entry.day,
  entry.day AS at_ns,
  strftime(make_timestamp_ns(entry.day), '%Y-%m') AS month_text,
  store_evidence_text(entry.rule) AS evidence,
  entry.postings,
  entry.billed_ns,
  ${cost_units} AS cost_units,
  ${cost_atto} AS cost_atto,
  ${missing_units} AS missing_units,
  ${missing_atto} AS missing_atto
FROM store_day_cost AS entry
JOIN measure_account AS account ON account.file = entry.file AND account.id = entry.account
JOIN store_posting_dim AS dim ON dim.file = entry.file AND dim.id = entry.dim;
