-- Counts of outcomes in a span of days.
-- meaning: counts, and the limits that the source gave for them; `without_limits` is the part of the
--   count that came without. `youngest_ns` is how old the youngest day's labels were when they were
--   last looked at: by labelled_until, else at the data's horizon.
-- grain: model, outcome
-- units: counts as decimals in pairs (units, atto); youngest_ns from the end of the day
SELECT
  model,
  outcome,
  sum(count_units), sum(count_atto),
  sum(count_units) FILTER (WHERE limited), sum(count_atto) FILTER (WHERE limited),
  sum(count_low_units) FILTER (WHERE limited), sum(count_low_atto) FILTER (WHERE limited),
  sum(count_high_units) FILTER (WHERE limited), sum(count_high_atto) FILTER (WHERE limited),
  bool_and(limited OR count_atto = 0) AS others_are_whole,
  min(coalesce(labelled_until_ns, ${horizon_ns}) - (day_ns + 86400000000000)) AS youngest_ns
FROM (
  SELECT *, count_low_units IS NOT NULL AND count_high_units IS NOT NULL AS limited
  FROM store_outcome
)
WHERE day_ns >= ${start_ns} AND day_ns < ${end_ns}
GROUP BY model, outcome
ORDER BY model, outcome;
