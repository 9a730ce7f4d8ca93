-- Device time and money of a selection by account and state; the largest first, with what all groups
-- come to.
-- grain: account, state
-- units: ns of device time; money as (units, atto)
WITH groups AS (
  SELECT account, state_text,
    sum(billed_ns) AS billed_ns,
    sum(cost_units) AS cost_units,
    sum(cost_atto) AS cost_atto
  FROM measure_state
  WHERE ${selection}
  GROUP BY account, state_text
)
SELECT account, state_text, billed_ns, cost_units, cost_atto,
  count(*) OVER (), sum(billed_ns) OVER (), sum(cost_units) OVER (), sum(cost_atto) OVER ()
FROM groups
ORDER BY abs(cost_units * CAST(1000000000000000000 AS HUGEINT) + cost_atto) DESC, billed_ns DESC,
  account, state_text
LIMIT ${shown};
