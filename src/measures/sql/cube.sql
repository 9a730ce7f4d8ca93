-- The report's cube: all money and device time of some months, by what the page's tables are made of.
-- meaning: accounts are grouped by small numbers that stand for their words, because there are as many
--   accounts as runs and few combinations of words.
-- grain: month, currency, kind of account, model, stage, pool, device class, state, busy
-- units: billed_ns of device time; money as (units, atto): on the basis, then the four costs with
--   their fallback to billed, then the part of the basis's cost that is such a fallback
WITH
  accounts AS MATERIALIZED (SELECT file, id, kind, model, stage, pool FROM measure_account),
  words AS MATERIALIZED (
    SELECT kind, model, stage, pool, CAST(row_number() OVER () AS INTEGER) AS word
    FROM (SELECT DISTINCT kind, model, stage, pool FROM accounts)
  ),
  coded AS (
    SELECT accounts.file, accounts.id, words.word
    FROM accounts
    JOIN words USING (kind, model, stage, pool)
  ),
  sums AS (
    SELECT
      entry.month,
      dim.currency,
      coded.word,
      dim.device_class,
      entry.state,
      entry.busy,
      sum(entry.billed_ns) AS billed_ns,
      sum(entry.cost_units) AS cost_units, sum(entry.cost_atto) AS cost_atto,
      sum(entry.billed_units) AS billed_units, sum(entry.billed_atto) AS billed_atto,
      sum(entry.effective_units) AS effective_units, sum(entry.effective_atto) AS effective_atto,
      sum(entry.list_units) AS list_units, sum(entry.list_atto) AS list_atto,
      sum(entry.contracted_units) AS contracted_units, sum(entry.contracted_atto) AS contracted_atto,
      sum(entry.missing_units) AS missing_units, sum(entry.missing_atto) AS missing_atto
    FROM measure_state_cost AS entry
    JOIN coded ON coded.file = entry.file AND coded.id = entry.account
    JOIN store_posting_dim AS dim ON dim.file = entry.file AND dim.id = entry.dim
    WHERE entry.month BETWEEN ${first_month} AND ${last_month}
    GROUP BY entry.month, dim.currency, coded.word, dim.device_class, entry.state, entry.busy
  )
SELECT
  sums.month, sums.currency, words.kind, words.model, words.stage, words.pool,
  sums.device_class, sums.state, sums.busy, sums.billed_ns,
  sums.cost_units, sums.cost_atto,
  sums.billed_units, sums.billed_atto,
  sums.effective_units, sums.effective_atto,
  sums.list_units, sums.list_atto,
  sums.contracted_units, sums.contracted_atto,
  sums.missing_units, sums.missing_atto
FROM sums
JOIN words ON words.word = sums.word
ORDER BY ALL;
