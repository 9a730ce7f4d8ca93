-- What each run cost, and the device time that it held.
-- meaning: runs that a posting of the months names; `devices` money is that of device time, the rest
--   follows the resource or has no device time. wall_ns is what the run's attempts lasted within the
--   months, from their records.
--   The costliest runs, with how many there are.
-- grain: kind of account, model, stage, run
-- units: ns; money as (units, atto)
WITH
  costs AS (
    SELECT
      kind,
      model,
      stage,
      run_id,
      sum(cost_units) AS cost_units, sum(cost_atto) AS cost_atto,
      sum(cost_units) FILTER (WHERE state <> ${other_charges}) AS devices_units,
      sum(cost_atto) FILTER (WHERE state <> ${other_charges}) AS devices_atto,
      sum(billed_ns) FILTER (WHERE state <> ${other_charges}) AS device_ns,
      sum(billed_ns) FILTER (WHERE busy) AS busy_ns,
      sum(billed_ns) FILTER (WHERE state = ${unknown}) AS unknown_ns
    FROM measure_state
    WHERE ${months} AND ${currency} AND run_id <> '-'
    GROUP BY kind, model, stage, run_id
  ),
  walls AS (
    SELECT run_id, sum(least(end_ns, ${end_ns}) - greatest(start_ns, ${start_ns})) AS wall_ns
    FROM store_run
    WHERE start_ns < ${end_ns} AND end_ns > ${start_ns}
    GROUP BY run_id
  )
SELECT
  costs.kind, costs.model, costs.stage, costs.run_id,
  costs.cost_units, costs.cost_atto,
  costs.devices_units, costs.devices_atto,
  coalesce(costs.device_ns, 0), coalesce(costs.busy_ns, 0), coalesce(costs.unknown_ns, 0),
  coalesce(walls.wall_ns, 0),
  costs.runs
FROM (
  SELECT *,
    cost_units * CAST(1000000000000000000 AS HUGEINT) + cost_atto AS size,
    count(*) OVER () AS runs
  FROM costs
  ORDER BY size DESC, kind, model, stage, run_id
  LIMIT ${shown}
) AS costs
LEFT JOIN walls ON walls.run_id = costs.run_id
ORDER BY costs.size DESC, costs.kind, costs.model, costs.stage, costs.run_id;
