-- Every name that `tare explain` takes, for a suggestion.
-- grain: a name; units: none
SELECT account FROM measure_account
UNION SELECT run_id FROM measure_account WHERE run_id <> '-'
UNION SELECT model FROM measure_account WHERE kind = 'model'
ORDER BY 1
LIMIT 20000;
