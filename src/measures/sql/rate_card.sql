-- What machines cost by a rate card, and no bill says.
-- grain: currency
-- units: lines; money as (units, atto): billed, effective, list, contracted
SELECT
  currency,
  sum(lines),
  sum(billed_units), sum(billed_atto),
  sum(effective_units), sum(effective_atto),
  sum(list_units), sum(list_atto),
  sum(contracted_units), sum(contracted_atto)
FROM measure_bill
WHERE month BETWEEN ${first_month} AND ${last_month}
  AND source IN (SELECT source FROM store_input WHERE kind = 'rate_cards')
GROUP BY currency
HAVING sum(lines) <> 0
ORDER BY currency;
