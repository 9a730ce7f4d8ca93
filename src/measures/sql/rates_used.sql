-- What was converted to a currency, and at which rates.
-- meaning: own is what the bill says, in from_currency; a cost that is unknown counts as billed.
-- grain: from_currency, the day of the rate, the rate
-- units: lines; day in ns; money and the rate as (units, atto)
SELECT
  rate.from_currency, rate.day_ns, rate.rate_units, rate.rate_atto,
  CAST(rate.inverse AS INTEGER) AS inverse,
  sum(conversion.lines),
  sum(own_billed_units), sum(own_billed_atto),
  sum(billed_units), sum(billed_atto)
FROM (SELECT * FROM store_conversion WHERE ${condition}) AS conversion
JOIN store_used_rate AS rate ON rate.file = conversion.file AND rate.id = conversion.rate
WHERE rate.to_currency = ${currency}
GROUP BY ALL
ORDER BY rate.from_currency, rate.day_ns, inverse;
