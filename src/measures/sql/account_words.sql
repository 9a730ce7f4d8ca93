-- measure_account: the ledger's accounts with the words that questions group by.
-- meaning: kind is the first part of the account's name; a word that an account lacks is '-'.
-- grain: an account of a ledger file
CREATE OR REPLACE TEMP VIEW measure_account AS
SELECT
  file,
  id,
  account,
  split_part(account, '/', 1) AS kind,
  coalesce(nullif(model, ''), CASE WHEN account LIKE 'model/%' THEN 'unnamed' END, '-') AS model,
  coalesce(
    nullif(stage, ''),
    CASE WHEN account LIKE 'model/%' THEN split_part(account, '/', 3) END,
    '-') AS stage,
  coalesce(nullif(team, ''), '-') AS team,
  coalesce(nullif(pool, ''), CASE WHEN account LIKE 'idle/%' THEN substr(account, 6) END, '-')
    AS pool,
  coalesce(nullif(run_id, ''), '-') AS run_id,
  attempt
FROM store_account;
