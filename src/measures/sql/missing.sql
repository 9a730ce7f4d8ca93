-- How much of a cost on this basis is billed cost that stands in for an unknown one.
-- grain: currency; units: money as (units, atto)
SELECT dim.currency, sum(entry.missing_units), sum(entry.missing_atto)
FROM measure_state_cost AS entry
JOIN store_posting_dim AS dim ON dim.file = entry.file AND dim.id = entry.dim
WHERE ${months}
GROUP BY dim.currency
ORDER BY dim.currency;
