-- Retrains that ended in some months.
-- meaning: finished training runs that are no child of another training run. Spans are half-open, so
--   a run's last instant lies just before its end: an end at a month's end counts in that month. A run
--   that finished more than once counts once.
-- grain: model; units: runs
SELECT
  model,
  coalesce(sum(runs) FILTER (WHERE run_id IS NULL), 0) + count(DISTINCT run_id)
FROM store_retrain
WHERE month BETWEEN ${first_month} AND ${last_month}
GROUP BY model
ORDER BY model;
