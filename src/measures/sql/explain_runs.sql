-- The runs behind a selection of postings; the largest first, with what all runs come to. Postings
-- without a run are one group, run '-'.
-- grain: run, attempt
-- units: instants in ns; money as (units, atto)
WITH
  groups AS (
    SELECT run_id, attempt, sum(cost_units) AS cost_units, sum(cost_atto) AS cost_atto
    FROM measure_posting
    WHERE ${selection}
    GROUP BY run_id, attempt
  ),
  ranked AS (
    SELECT *,
      abs(cost_units * CAST(1000000000000000000 AS HUGEINT) + cost_atto) AS size,
      count(*) OVER () AS runs,
      sum(cost_units) OVER () AS all_units,
      sum(cost_atto) OVER () AS all_atto
    FROM groups
    ORDER BY size DESC, run_id, attempt
    LIMIT ${shown}
  )
SELECT
  ranked.run_id, ranked.attempt, coalesce(run.state, ''), run.start_ns, run.end_ns,
  coalesce(run.end_known_by, ''),
  ranked.cost_units, ranked.cost_atto, ranked.runs, ranked.all_units, ranked.all_atto
FROM ranked
LEFT JOIN store_run AS run ON run.run_id = ranked.run_id AND run.attempt = ranked.attempt
ORDER BY ranked.size DESC, ranked.run_id, ranked.attempt;
