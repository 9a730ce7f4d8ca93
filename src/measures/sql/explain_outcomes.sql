-- Counts of one outcome of a model by day.
-- grain: day, source; units: day in ns; counts as decimals in pairs (units, atto)
SELECT day_ns, source, count_units, count_atto, count_low_units, count_low_atto, count_high_units,
  count_high_atto
FROM store_outcome
WHERE model = ${model} AND outcome = ${outcome} AND day_ns >= ${start_ns} AND day_ns < ${end_ns}
ORDER BY ALL;
