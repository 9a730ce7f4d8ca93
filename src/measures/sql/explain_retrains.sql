-- The runs that count as a model's retrains in a span of time (see retrains.sql), the newest last.
-- grain: run; units: instants in ns
SELECT run.run_id, min(run.start_ns), max(run.end_ns), count(*) OVER ()
FROM store_run AS run
WHERE coalesce(nullif(run.model, ''), 'unnamed') = ${model}
  AND run.stage = 'training'
  AND run.state = 'finished'
  AND run.end_ns > ${start_ns}
  AND run.end_ns <= ${end_ns}
  AND NOT EXISTS (
    SELECT 1 FROM store_run AS parent
    WHERE parent.run_id = run.parent_run_id AND parent.stage = 'training')
GROUP BY run.run_id
ORDER BY 3, 1
LIMIT ${shown};
