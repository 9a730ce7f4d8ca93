-- The bill lines behind a selection of postings, with how much of each the selection has; the largest
-- first, with what all lines come to.
-- meaning: the line's costs are in the currency of its postings, so converted where it was.
-- grain: a bill line
-- units: instants in ns; money as (units, atto)
WITH
  parts AS (
    SELECT file, line, sum(cost_units) AS part_units, sum(cost_atto) AS part_atto
    FROM measure_posting
    WHERE ${selection}
    GROUP BY file, line
  ),
  ranked AS (
    SELECT *,
      abs(part_units * CAST(1000000000000000000 AS HUGEINT) + part_atto) AS size,
      count(*) OVER () AS lines,
      sum(part_units) OVER () AS all_units,
      sum(part_atto) OVER () AS all_atto
    FROM parts
    ORDER BY size DESC, line
    LIMIT ${shown}
  )
SELECT
  CAST(ranked.line AS VARCHAR), line.source, line.period, line.charge_start, line.charge_end,
  coalesce(dim.service_name, ''), coalesce(dim.sku_id, ''), coalesce(dim.resource_id, ''),
  coalesce(dim.charge_category, ''),
  ranked.part_units, ranked.part_atto,
  CASE WHEN converted.line IS NULL THEN line.billed_units ELSE converted.billed_units END,
  CASE WHEN converted.line IS NULL THEN line.billed_atto ELSE converted.billed_atto END,
  CASE WHEN converted.line IS NULL THEN line.effective_units ELSE converted.effective_units END,
  CASE WHEN converted.line IS NULL THEN line.effective_atto ELSE converted.effective_atto END,
  CASE WHEN converted.line IS NULL THEN line.list_units ELSE converted.list_units END,
  CASE WHEN converted.line IS NULL THEN line.list_atto ELSE converted.list_atto END,
  ranked.lines, ranked.all_units, ranked.all_atto
FROM ranked
JOIN store_line AS line ON line.file = ranked.file AND line.id = ranked.line
JOIN store_dim AS dim ON dim.file = line.file AND dim.id = line.dim
LEFT JOIN store_converted AS converted ON converted.file = line.file AND converted.line = line.row
ORDER BY ranked.size DESC, ranked.line;
