-- How much of a cost on this basis is billed cost that stands in for an unknown one.
-- grain: currency; units: money as (units, atto)
SELECT currency, sum(missing_units), sum(missing_atto)
FROM measure_month
WHERE ${months}
GROUP BY currency
ORDER BY currency;
