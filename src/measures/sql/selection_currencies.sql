-- The currencies of a selection of postings.
-- grain: currency; units: none
SELECT DISTINCT currency FROM measure_posting WHERE ${selection} ORDER BY 1;
