#!/usr/bin/env python3
"""DuckDB SQL: holds expanded to hours, shares by resource and hour, an equi-join with the lines.

What was tried, at ten million lines (CPU seconds; the first is what most would write):
  joins on the resource's text and the hour as a timestamp     48
  one integer key, resource number × hours + hour              40
  Parquet without compression                                  37
  no dictionary for the cost columns, which hardly repeat      28   (kept)
  resources as ENUM instead of a table of numbers              no better
  the run's name instead of its number in the postings         +5
An overlap join of hours and holds takes 1.6 times as long as expanding the holds.
"""

import duckdb

import peer

NUMBERS = """
CREATE TEMP TABLE resource AS
SELECT ResourceId AS resource_id, (row_number() OVER ())::INTEGER AS resource
FROM (SELECT DISTINCT ResourceId FROM '{bill}');

CREATE TEMP TABLE run AS
SELECT run_id, (row_number() OVER ())::INTEGER AS run FROM '{runs}';

SET VARIABLE first = (SELECT epoch_us(min(ChargePeriodStart)) // {hour_us} FROM '{bill}');
SET VARIABLE hours = (SELECT epoch_us(max(ChargePeriodStart)) // {hour_us} + 1 FROM '{bill}')
                     - getvariable('first');
"""

HELD = """
CREATE TEMP TABLE held AS
SELECT (resource * getvariable('hours') + hour - getvariable('first'))::INTEGER AS key, run,
  sum(least(end_us, (hour + 1) * {hour_us}) - greatest(start_us, hour * {hour_us}))::BIGINT AS held_us
FROM (
  SELECT *, unnest(generate_series(
    greatest(start_us // {hour_us}, getvariable('first')),
    least((end_us - 1) // {hour_us}, getvariable('first') + getvariable('hours') - 1))) AS hour
  FROM (
    SELECT resource, run, epoch_us("start"::TIMESTAMP) AS start_us, epoch_us("end"::TIMESTAMP) AS end_us
    FROM '{holds}' JOIN resource USING (resource_id) JOIN run USING (run_id)))
GROUP BY ALL
"""

# The key of a bill line.
KEY = """(resource * getvariable('hours') + epoch_us(ChargePeriodStart) // {hour_us}
  - getvariable('first'))::INTEGER"""

BILLED = """
CREATE TEMP TABLE billed AS
SELECT {key} AS key, {hour_us} * sum(
  ConsumedQuantity::DOUBLE * json_extract_string(SkuPriceDetails, '$.GpuCount')::DOUBLE) AS billed_us
FROM '{bill}' JOIN resource ON resource_id = ResourceId
WHERE ConsumedUnit = 'Hours' AND SkuPriceDetails IS NOT NULL
GROUP BY ALL
"""

# Where more was held than billed, all holders are scaled down and nothing is idle.
SHARE = """
CREATE TEMP TABLE share AS
WITH total AS (
  SELECT key, any_value(billed_us) AS billed_us, sum(held_us) AS held_us
  FROM billed JOIN held USING (key) GROUP BY key)
SELECT key, run, held.held_us / greatest(billed_us, total.held_us) AS share
FROM held JOIN total USING (key)
UNION ALL SELECT key, NULL, 1 - held_us / billed_us FROM total WHERE held_us < billed_us
UNION ALL SELECT key, NULL, 1 FROM billed ANTI JOIN held USING (key)
"""

POSTING = """
COPY (
  SELECT file_row_number AS line, run, {costs}
  FROM read_parquet('{bill}', file_row_number = true)
  JOIN resource ON resource_id = ResourceId JOIN share ON {key} = share.key)
TO '{posting}' (FORMAT parquet, COMPRESSION uncompressed, DICTIONARY_SIZE_LIMIT 1)
"""

LINES = """
COPY (
  SELECT file_row_number AS line, * EXCLUDE (file_row_number) REPLACE ({costs})
  FROM read_parquet('{bill}', file_row_number = true))
TO '{line}' (FORMAT parquet)
"""


def connect():
    connection = duckdb.connect()
    connection.execute("SET preserve_insertion_order = false")
    return connection


def post(world, out):
    connection = connect()
    names = {"bill": world.bill, "runs": world.runs, "holds": world.holds, "posting": out.posting,
             "hour_us": peer.HOUR_US, "key": KEY.format(hour_us=peer.HOUR_US),
             "costs": ", ".join(f"{cost}::DOUBLE * share AS {cost}" for cost in peer.COSTS)}
    for statement in (NUMBERS, HELD, BILLED, SHARE, POSTING):
        connection.execute(statement.format(**names))
    connection.execute(f"COPY run TO '{out.run}' (FORMAT parquet)")


def copy_lines(world, out):
    costs = ", ".join(f"{cost}::DOUBLE AS {cost}" for cost in peer.COSTS)
    connect().execute(LINES.format(bill=world.bill, line=out.line, costs=costs))


if __name__ == "__main__":
    peer.main(post, copy_lines)
