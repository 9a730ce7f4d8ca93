-- Money and device time by any words that the summary by state has.
-- meaning: devices are accelerators, nodes all other machines; their money is that of device time,
--   and the rest of the cost is other charges.
-- grain: currency and the words asked for
-- units: ns of device time; money as (units, atto)
SELECT
  currency,
  ${labels}
  sum(cost_units), sum(cost_atto),
  sum(billed_ns) FILTER (WHERE timed AND on_device),
  sum(billed_ns) FILTER (WHERE busy AND on_device),
  sum(billed_ns) FILTER (WHERE useful AND on_device),
  sum(billed_ns) FILTER (WHERE unknown AND on_device),
  sum(cost_units) FILTER (WHERE timed AND on_device),
  sum(cost_atto) FILTER (WHERE timed AND on_device),
  sum(cost_units) FILTER (WHERE busy AND on_device),
  sum(cost_atto) FILTER (WHERE busy AND on_device),
  sum(cost_units) FILTER (WHERE unknown AND on_device),
  sum(cost_atto) FILTER (WHERE unknown AND on_device),
  sum(billed_ns) FILTER (WHERE timed AND NOT on_device),
  sum(billed_ns) FILTER (WHERE busy AND NOT on_device),
  sum(billed_ns) FILTER (WHERE useful AND NOT on_device),
  sum(billed_ns) FILTER (WHERE unknown AND NOT on_device),
  sum(cost_units) FILTER (WHERE timed AND NOT on_device),
  sum(cost_atto) FILTER (WHERE timed AND NOT on_device),
  sum(cost_units) FILTER (WHERE busy AND NOT on_device),
  sum(cost_atto) FILTER (WHERE busy AND NOT on_device),
  sum(cost_units) FILTER (WHERE unknown AND NOT on_device),
  sum(cost_atto) FILTER (WHERE unknown AND NOT on_device)
FROM (
  SELECT
    *,
    state <> ${other_charges} AS timed,
    state IN (${useful_states}) AS useful,
    state = ${unknown} AS unknown,
    device_class = ${accelerator} AS on_device
  FROM measure_state
  WHERE ${months} AND ${condition}
)
GROUP BY ALL
ORDER BY ALL;
