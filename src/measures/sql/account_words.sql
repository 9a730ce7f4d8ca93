-- measure_account: the ledger's accounts with the words that questions group by.
-- meaning: kind is the first part of the account's name; a word that an account lacks is '-'.
-- grain: an account of a ledger file
CREATE OR REPLACE TEMP MACRO measure_word(word) AS coalesce(nullif(word, ''), '-');
CREATE OR REPLACE TEMP MACRO measure_model(kind, model) AS
  coalesce(nullif(model, ''), CASE WHEN kind = 'model' THEN 'unnamed' END, '-');

CREATE OR REPLACE TEMP VIEW measure_account AS
SELECT
  file,
  id,
  account,
  kind,
  measure_model(kind, model) AS model,
  measure_word(stage) AS stage,
  measure_word(team) AS team,
  measure_word(pool) AS pool,
  measure_word(run_id) AS run_id,
  attempt
FROM store_account;
