-- measure_posting: every posting, with words and a cost on one basis. Only `tare explain` reads it.
-- meaning: own_currency is the bill's; rate_* are of the rate that the line was converted at, else null.
-- grain: a share of a bill line
-- units: at_ns is the charge period's start; held_ns and billed_ns of device time; money as
--   (units, atto)
CREATE OR REPLACE TEMP VIEW measure_posting AS
SELECT
  entry.file,
  line.id AS line,
  entry.source,
  entry.billing_period_start_ns,
  account.account,
  account.kind,
  account.model,
  account.stage,
  account.team,
  account.pool,
  account.run_id,
  account.attempt,
  dim.currency,
  own.billing_currency AS own_currency,
  rate.day_ns AS rate_day,
  rate.rate_units,
  rate.rate_atto,
  rate.inverse AS rate_inverse,
  dim.invoice_id,
  dim.issuer,
  coalesce(dim.service_name, '-') AS service_name,
  coalesce(dim.region_id, '-') AS region_id,
  coalesce(dim.resource_id, '-') AS resource_id,
  line.charge_start // 86400000000000 * 86400000000000 AS day,
  line.charge_start AS at_ns,
  strftime(make_timestamp_ns(line.charge_start), '%Y-%m') AS month_text,
  store_evidence_text(entry.rule) AS evidence,
  entry.rule,
  entry.held_ns,
  entry.billed_ns,
  entry.billed_units,
  entry.billed_atto,
  ${cost_units} AS cost_units,
  ${cost_atto} AS cost_atto
FROM store_posting AS entry
JOIN store_line AS line ON line.file = entry.file AND line.row = entry.line
JOIN measure_account AS account ON account.file = entry.file AND account.id = entry.account
JOIN store_posting_dim AS dim ON dim.file = entry.file AND dim.id = entry.dim
JOIN store_dim AS own ON own.file = line.file AND own.id = line.dim
LEFT JOIN store_converted AS converted ON converted.file = entry.file AND converted.line = entry.line
LEFT JOIN store_used_rate AS rate ON rate.file = converted.file AND rate.id = converted.rate;
