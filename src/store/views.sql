-- The promised views of a store (docs: tare sql), over the store_* views that views.cc makes from the
-- attached files. Instants are TIMESTAMP_NS in UTC, durations BIGINT ns, money DECIMAL(38,18).

-- Exact money of a stored pair, or of the sums of both columns. The fraction is below 1e18 after the
-- carry, so its product with 1e-18 is exact at scale 18; a double is nowhere.
CREATE MACRO store_money(units, atto) AS
  CAST(units + atto // 1000000000000000000 AS DECIMAL(38, 18))
  + CAST(atto % 1000000000000000000 AS DECIMAL(18, 0)) * CAST('0.000000000000000001' AS DECIMAL(18, 18));

-- Null stays null; so does the end of what has no known end.
CREATE MACRO store_instant(ns) AS make_timestamp_ns(nullif(ns, 9223372036854775807));

-- grain: a line of the newest delivery of its scope
CREATE VIEW bill_line AS
SELECT
  CAST(line.id AS VARCHAR) AS bill_line_id,
  line.source,
  store_money(line.billed_units, line.billed_atto) AS billed_cost,
  store_money(line.effective_units, line.effective_atto) AS effective_cost,
  store_money(line.list_units, line.list_atto) AS list_cost,
  store_money(line.contracted_units, line.contracted_atto) AS contracted_cost,
  dim.billing_currency,
  dim.billing_account_id,
  dim.sub_account_id,
  dim.invoice_id,
  dim.invoice_issuer_name,
  store_instant(line.billing_period_start_ns) AS billing_period_start,
  CAST(store_instant(line.billing_period_start_ns) + INTERVAL 1 MONTH AS TIMESTAMP_NS)
    AS billing_period_end,
  store_instant(line.charge_start) AS charge_period_start,
  store_instant(line.charge_end) AS charge_period_end,
  dim.charge_category,
  dim.charge_class,
  dim.service_name,
  dim.service_category,
  dim.resource_id,
  dim.resource_type,
  dim.region_id,
  dim.provider_name,
  dim.sku_id,
  dim.sku_price_id,
  dim.sku_price_details,
  dim.pricing_category,
  dim.commitment_discount_id,
  dim.commitment_discount_status,
  dim.capacity_reservation_status,
  store_money(line.consumed_units, line.consumed_atto) AS consumed_quantity,
  dim.consumed_unit,
  store_money(line.pricing_units, line.pricing_atto) AS pricing_quantity,
  dim.pricing_unit,
  dim.tags,
  -- All further columns: those that the dimension keeps join those of the line itself.
  nullif(CAST(json_merge_patch(
    coalesce(line.x, '{}'),
    json_object(
      'CapacityReservationId', dim.capacity_reservation_id,
      'ChargeDescription', dim.charge_description,
      'ChargeFrequency', dim.charge_frequency,
      'run_id', dim.run_id)) AS VARCHAR), '{}') AS x
FROM store_line AS line
LEFT JOIN store_dim AS dim ON dim.file = line.file AND dim.id = line.dim;

-- grain: a share of a bill line
CREATE VIEW posting AS
SELECT
  CAST(line.id AS VARCHAR) AS bill_line_id,
  account.account,
  account.model,
  account.stage,
  account.team,
  account.pool,
  account.run_id,
  account.attempt,
  store_evidence_text(posting.rule) AS evidence,
  store_rule_text(posting.rule) AS rule,
  store_money(posting.billed_units, posting.billed_atto) AS billed_cost,
  store_money(posting.effective_units, posting.effective_atto) AS effective_cost,
  store_money(posting.list_units, posting.list_atto) AS list_cost,
  store_money(posting.contracted_units, posting.contracted_atto) AS contracted_cost,
  dim.currency,
  posting.held_ns,
  posting.billed_ns,
  store_instant(line.charge_start) AS charge_period_start,
  store_instant(line.charge_end) AS charge_period_end,
  store_instant(posting.billing_period_start_ns) AS billing_period_start,
  dim.invoice_id,
  dim.issuer
FROM store_posting AS posting
JOIN store_line AS line ON line.file = posting.file AND line.row = posting.line
LEFT JOIN store_account AS account ON account.file = posting.file AND account.id = posting.account
LEFT JOIN store_posting_dim AS dim ON dim.file = posting.file AND dim.id = posting.dim;

-- grain: an attempt of a run
CREATE VIEW run AS
SELECT
  run_id,
  attempt,
  nullif(parent_run_id, '') AS parent_run_id,
  nullif(model, '') AS model,
  nullif(stage, '') AS stage,
  nullif(team, '') AS team,
  state,
  store_instant(start_ns) AS start_time,
  store_instant(end_ns) AS end_time,
  nullif(end_known_by, '') AS end_known_by,
  source
FROM store_run;

-- grain: a hold of an attempt on a device; weight: a fraction of a device as text, 'n/d'
CREATE VIEW hold AS
SELECT
  run_id,
  attempt,
  resource_id,
  nullif(device, '') AS device,
  store_instant(start_ns) AS start_time,
  store_instant(end_ns) AS end_time,
  weight
FROM store_hold;

-- grain: a machine
CREATE VIEW resource AS
SELECT
  resource_id,
  nullif(pool, '') AS pool,
  nullif(team, '') AS team,
  devices,
  store_device_class_text(device_class) AS device_class,
  nullif(device_model, '') AS device_model,
  cpus,
  store_instant(tracked_from_ns) AS tracked_from
FROM store_resource;

-- grain: a span of a device's time in one state
CREATE VIEW device_state AS
SELECT
  resource_id,
  nullif(device, '') AS device,
  store_instant(start_ns) AS start_time,
  store_instant(end_ns) AS end_time,
  nullif(run_id, '') AS run_id,
  attempt,
  store_state_text(state) AS state,
  state_ns,
  store_sign_source_text(source) AS source
FROM store_device_state;

-- grain: a count of an outcome of a model on a day
CREATE VIEW outcome AS
SELECT
  model,
  outcome,
  CAST(store_instant(day_ns) AS DATE) AS day,
  store_money(count_units, count_atto) AS count,
  store_money(count_low_units, count_low_atto) AS count_low,
  store_money(count_high_units, count_high_atto) AS count_high,
  store_instant(labelled_until_ns) AS labelled_until,
  source
FROM store_outcome;

-- grain: a code, source, subject and currency. Rows stand in the first currency's row only, so that
-- both columns may be summed.
CREATE VIEW finding AS
WITH
  counted AS (
    SELECT code, source, subject, CAST(sum(rows) AS BIGINT) AS rows
    FROM store_finding
    GROUP BY code, source, subject
  ),
  priced AS (
    SELECT code, source, subject, currency,
      store_money(sum(cost_units), sum(cost_atto)) AS cost
    FROM store_finding
    WHERE currency IS NOT NULL
    GROUP BY code, source, subject, currency
  ),
  placed AS (
    -- By length first: line 9 of a file stands before its line 10.
    SELECT code, source, subject, first(place ORDER BY length(place), place) AS place
    FROM store_finding_example
    GROUP BY code, source, subject
  ),
  ranked AS (
    SELECT counted.code, counted.source, counted.subject, counted.rows, priced.currency, priced.cost,
      row_number() OVER (
        PARTITION BY counted.code, counted.source, counted.subject ORDER BY priced.currency) AS rank
    FROM counted
    LEFT JOIN priced USING (code, source, subject)
  )
SELECT
  ranked.code,
  kind.severity,
  nullif(ranked.source, '') AS source,
  nullif(placed.place, '') AS place,
  CASE WHEN ranked.rank = 1 THEN ranked.rows ELSE 0 END AS rows,
  ranked.cost,
  kind.title || CASE WHEN ranked.subject = '' THEN '' ELSE ': ' || ranked.subject END
    || CASE WHEN ranked.currency IS NULL THEN '' ELSE ' (' || ranked.currency || ')' END AS message,
  kind.hint
FROM ranked
LEFT JOIN placed USING (code, source, subject)
LEFT JOIN store_finding_kind AS kind ON kind.code = ranked.code
ORDER BY ranked.code, ranked.source, ranked.subject, ranked.rank;

-- grain: an input file
CREATE VIEW lineage AS
SELECT source, file, sha256 AS bytes_sha256, rows_in, rows_used, rows_netted, rows_quarantined,
  lines_out
FROM store_input
ORDER BY source, file;
