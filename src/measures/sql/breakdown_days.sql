-- Money by any words that the summary by day has, the day and the evidence among them.
-- grain: currency and the words asked for
-- units: money as (units, atto)
SELECT
  currency,
  ${labels}
  sum(cost_units), sum(cost_atto)
FROM measure_day
WHERE ${months} AND ${condition}
GROUP BY ALL
ORDER BY ALL;
