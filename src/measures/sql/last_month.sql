-- The newest usage month in which the ledger has anything; null where it has nothing.
-- units: months since 1970-01
SELECT max(month) FROM store_month_cost;
