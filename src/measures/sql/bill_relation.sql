-- measure_bill: the sums of the bill's lines, each in the currency of its postings.
-- meaning: a line that was converted leaves the sums of its own currency and stands in the project's; a
--   cost that is unknown counts as billed.
-- grain: bill file, month, currency, and the words of a line's sums
-- units: lines; money as (units, atto)
CREATE OR REPLACE TEMP VIEW measure_bill AS
SELECT
  source,
  billing_period_start_ns,
  month,
  coalesce(billing_currency, '') AS currency,
  lines,
  billed_units, billed_atto,
  effective_units + effective_missing_units AS effective_units,
  effective_atto + effective_missing_atto AS effective_atto,
  list_units + list_missing_units AS list_units,
  list_atto + list_missing_atto AS list_atto,
  contracted_units + contracted_missing_units AS contracted_units,
  contracted_atto + contracted_missing_atto AS contracted_atto
FROM store_line_sum
UNION ALL
SELECT
  conversion.source,
  conversion.billing_period_start_ns,
  conversion.month,
  rate.from_currency,
  -conversion.lines,
  -own_billed_units, -own_billed_atto,
  -own_effective_units - own_effective_missing_units,
  -own_effective_atto - own_effective_missing_atto,
  -own_list_units - own_list_missing_units, -own_list_atto - own_list_missing_atto,
  -own_contracted_units - own_contracted_missing_units,
  -own_contracted_atto - own_contracted_missing_atto
FROM store_conversion AS conversion
JOIN store_used_rate AS rate ON rate.file = conversion.file AND rate.id = conversion.rate
UNION ALL
SELECT
  conversion.source,
  conversion.billing_period_start_ns,
  conversion.month,
  rate.to_currency,
  conversion.lines,
  billed_units, billed_atto,
  effective_units + effective_missing_units, effective_atto + effective_missing_atto,
  list_units + list_missing_units, list_atto + list_missing_atto,
  contracted_units + contracted_missing_units, contracted_atto + contracted_missing_atto
FROM store_conversion AS conversion
JOIN store_used_rate AS rate ON rate.file = conversion.file AND rate.id = conversion.rate;
