-- What a word given to `tare explain` is: each kind of thing that has it as its name.
-- grain: a kind; units: none
SELECT 'account' WHERE EXISTS (SELECT 1 FROM measure_account WHERE account = ${subject})
UNION ALL
SELECT 'run' WHERE EXISTS (SELECT 1 FROM measure_account WHERE run_id = ${subject})
  OR EXISTS (SELECT 1 FROM store_run WHERE run_id = ${subject})
UNION ALL
SELECT 'model' WHERE EXISTS (
  SELECT 1 FROM measure_account WHERE kind = 'model' AND model = ${subject});
