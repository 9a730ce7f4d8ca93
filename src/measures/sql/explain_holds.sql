-- What runs held: the longest device time first.
-- grain: run, attempt, resource
-- units: instants and device time in ns
SELECT run_id, attempt, resource_id,
  count(DISTINCT coalesce(device, '')),
  min(start_ns), max(end_ns),
  sum(end_ns - start_ns),
  count(*) OVER ()
FROM store_hold
WHERE run_id IN (${runs})
GROUP BY run_id, attempt, resource_id
ORDER BY 7 DESC, run_id, attempt, resource_id
LIMIT ${shown};
