-- Bill lines whose postings do not sum to them in some cost column, the largest difference first.
-- meaning: a second proof after the audit has failed; there should be none. A line that was converted
--   counts as converted.
-- grain: a bill line; units: money as (units, atto)
WITH
  posted AS (
    SELECT file, line,
      sum(billed_units) AS billed_units, sum(billed_atto) AS billed_atto,
      sum(effective_units) AS effective_units, sum(effective_atto) AS effective_atto,
      sum(list_units) AS list_units, sum(list_atto) AS list_atto,
      sum(contracted_units) AS contracted_units, sum(contracted_atto) AS contracted_atto
    FROM store_posting
    GROUP BY file, line
  ),
  lines AS (
    SELECT line.file, line.row, line.id, line.source,
      CASE WHEN converted.line IS NULL THEN line.billed_units ELSE converted.billed_units END
        AS billed_units,
      CASE WHEN converted.line IS NULL THEN line.billed_atto ELSE converted.billed_atto END
        AS billed_atto,
      CASE WHEN converted.line IS NULL THEN line.effective_units ELSE converted.effective_units END
        AS effective_units,
      CASE WHEN converted.line IS NULL THEN line.effective_atto ELSE converted.effective_atto END
        AS effective_atto,
      CASE WHEN converted.line IS NULL THEN line.list_units ELSE converted.list_units END
        AS list_units,
      CASE WHEN converted.line IS NULL THEN line.list_atto ELSE converted.list_atto END
        AS list_atto,
      CASE WHEN converted.line IS NULL THEN line.contracted_units
        ELSE converted.contracted_units END AS contracted_units,
      CASE WHEN converted.line IS NULL THEN line.contracted_atto
        ELSE converted.contracted_atto END AS contracted_atto
    FROM store_line AS line
    LEFT JOIN store_converted AS converted
      ON converted.file = line.file AND converted.line = line.row
  ),
  differences AS (
    SELECT
      line.id,
      line.source,
      line.billed_units, line.billed_atto,
      posted.billed_units AS posted_units, posted.billed_atto AS posted_atto,
      coalesce(posted.billed_units, 0) * CAST(1000000000000000000 AS HUGEINT)
        + coalesce(posted.billed_atto, 0)
        - line.billed_units * CAST(1000000000000000000 AS HUGEINT) - line.billed_atto AS billed,
      coalesce(posted.effective_units, 0) * CAST(1000000000000000000 AS HUGEINT)
        + coalesce(posted.effective_atto, 0)
        - coalesce(line.effective_units, 0) * CAST(1000000000000000000 AS HUGEINT)
        - coalesce(line.effective_atto, 0) AS effective,
      coalesce(posted.list_units, 0) * CAST(1000000000000000000 AS HUGEINT)
        + coalesce(posted.list_atto, 0)
        - coalesce(line.list_units, 0) * CAST(1000000000000000000 AS HUGEINT)
        - coalesce(line.list_atto, 0) AS list,
      coalesce(posted.contracted_units, 0) * CAST(1000000000000000000 AS HUGEINT)
        + coalesce(posted.contracted_atto, 0)
        - coalesce(line.contracted_units, 0) * CAST(1000000000000000000 AS HUGEINT)
        - coalesce(line.contracted_atto, 0) AS contracted
    FROM lines AS line
    LEFT JOIN posted ON posted.file = line.file AND posted.line = line.row
  )
SELECT CAST(id AS VARCHAR), source, billed_units, billed_atto, coalesce(posted_units, 0),
  coalesce(posted_atto, 0), billed, effective, list, contracted
FROM differences
WHERE billed <> 0 OR effective <> 0 OR list <> 0 OR contracted <> 0
ORDER BY greatest(abs(billed), abs(effective), abs(list), abs(contracted)) DESC, 1
LIMIT 20;
