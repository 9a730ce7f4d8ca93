-- The rates at which the bill lines behind a selection of postings were converted; the most money first,
-- with what all of them come to.
-- grain: own_currency, the day of the rate, the rate
-- units: lines; day in ns; money and the rate as (units, atto)
WITH groups AS (
  SELECT own_currency, rate_day, rate_units, rate_atto, CAST(rate_inverse AS INTEGER) AS inverse,
    count(DISTINCT line) AS lines,
    sum(cost_units) AS cost_units,
    sum(cost_atto) AS cost_atto
  FROM measure_posting
  WHERE rate_day IS NOT NULL AND ${selection}
  GROUP BY ALL
)
SELECT own_currency, rate_day, rate_units, rate_atto, inverse, lines, cost_units, cost_atto,
  count(*) OVER (), sum(lines) OVER (), sum(cost_units) OVER (), sum(cost_atto) OVER ()
FROM groups
ORDER BY abs(cost_units * CAST(1000000000000000000 AS HUGEINT) + cost_atto) DESC, own_currency, rate_day
LIMIT ${shown};
