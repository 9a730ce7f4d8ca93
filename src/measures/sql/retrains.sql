-- Retrains that ended in a span of time.
-- meaning: finished training runs that are no child of another training run. Spans are half-open, so
--   a run's last instant lies just before its end: an end on the span's own end counts.
-- grain: model; units: runs
SELECT coalesce(nullif(run.model, ''), 'unnamed') AS model, count(DISTINCT run.run_id)
FROM store_run AS run
WHERE run.stage = 'training'
  AND run.state = 'finished'
  AND run.end_ns > ${start_ns}
  AND run.end_ns <= ${end_ns}
  AND NOT EXISTS (
    SELECT 1 FROM store_run AS parent
    WHERE parent.run_id = run.parent_run_id AND parent.stage = 'training')
GROUP BY 1
ORDER BY 1;
