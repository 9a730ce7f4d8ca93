-- Postings of a selection by account and why they stand there; the largest first, with what all
-- groups come to.
-- grain: account, evidence, rule
-- units: ns of device time; money as (units, atto)
WITH groups AS (
  SELECT account, evidence, rule,
    count(*) AS postings,
    sum(held_ns) AS held_ns,
    sum(billed_ns) AS billed_ns,
    sum(cost_units) AS cost_units,
    sum(cost_atto) AS cost_atto
  FROM measure_posting
  WHERE ${selection}
  GROUP BY account, evidence, rule
)
SELECT account, evidence, rule, postings, held_ns, billed_ns, cost_units, cost_atto,
  count(*) OVER (), sum(postings) OVER (), sum(held_ns) OVER (), sum(billed_ns) OVER (),
  sum(cost_units) OVER (), sum(cost_atto) OVER ()
FROM groups
ORDER BY abs(cost_units * CAST(1000000000000000000 AS HUGEINT) + cost_atto) DESC, account, evidence,
  rule
LIMIT ${shown};
