#!/usr/bin/env python3
"""Makes a world to measure on: one month of hourly charges, and the holds of its runs.

    world.py FOLDER --lines N --holds H [--shuffled]

Simpler than a real bill, so that the peers' short programs answer the same question: all charges are
Usage of an hour, each resource has holds by device that do not overlap, and nothing is billed twice.
A third of the resources has three charges an hour (the machine, its disk, a licence), the others one.
A line has sixteen columns of text beside its costs and quantity, and tags. Costs are text with twelve
decimals. An eighth of the runs comes back after a pause, as a second hold. The same N and H always
give the same world.
"""

import argparse
import pathlib
import shutil

import duckdb

HOURS = 744  # of 2026-08

RESOURCES = """
CREATE TABLE resource AS
SELECT number, 1 + (number * 7919) % 4 AS devices,
  'i-' || lpad(to_hex((number * 2654435761) % 4294967296), 12, '0') AS id,
  CASE WHEN number % 3 = 0 THEN 3 ELSE 1 END AS charges,
  number % 40 AS sku, number % 7 AS team, number % 25 AS account
FROM range({resources}) numbers(number)
"""

BILL = """
COPY (
  SELECT
    printf('%.12f', price) AS BilledCost, printf('%.12f', price * 0.8) AS EffectiveCost,
    printf('%.12f', price * 1.2) AS ListCost, printf('%.12f', price * 1.05) AS ContractedCost,
    'USD' AS BillingCurrency, 'acct-' || account AS BillingAccountId,
    'sub-' || (account * 3 + team) AS SubAccountId,
    'INV-' || account AS InvoiceId, 'AWS' AS InvoiceIssuerName,
    TIMESTAMP '2026-08-01' AS BillingPeriodStart, TIMESTAMP '2026-09-01' AS BillingPeriodEnd,
    TIMESTAMP '2026-08-01' + to_hours(hour) AS ChargePeriodStart,
    TIMESTAMP '2026-08-01' + to_hours(hour + 1) AS ChargePeriodEnd,
    'Usage' AS ChargeCategory, 'Amazon EC2' AS ServiceName, 'Compute' AS ServiceCategory,
    id AS ResourceId, 'Instance' AS ResourceType, 'us-east-' || (account % 3) AS RegionId,
    'AWS' AS ProviderName,
    CASE charge WHEN 0 THEN 'gpu-' || sku || '-h100' WHEN 1 THEN 'disk-' || sku
      ELSE 'licence-' || sku END AS SkuId,
    CASE WHEN charge = 0 THEN
      '{{"GpuCount":"' || devices || '","InstanceType":"p5.' || sku || 'x"}}' END AS SkuPriceDetails,
    'Standard' AS PricingCategory,
    CASE WHEN charge = 0 THEN '1.0' ELSE '80' END AS ConsumedQuantity,
    CASE WHEN charge = 0 THEN 'Hours' ELSE 'GB-Hours' END AS ConsumedUnit,
    '{{"team":"t' || team || '","env":"prod","pool":"p' || (number % 50) || '"}}' AS Tags
  FROM (
    SELECT *, ((number * 31 + charge * 17) % 9000 + hour % 24 * 3) / 1000.0 + 0.01 AS price
    FROM range({hours}) hours(hour), resource, range(3) charges(charge)
    WHERE charge < charges
    ORDER BY {order}))
TO '{folder}/bill/2026-08.parquet' (FORMAT parquet, COMPRESSION zstd)
"""

# A device's month in equal steps, each held from somewhere in its first fifth to after its half.
HOLDS = """
COPY (
  SELECT 'run-' || ((number * 4 + device) * {steps} + step - CASE WHEN step % 8 = 7 THEN 1 ELSE 0 END) AS run_id,
    id AS resource_id, device,
    strftime(begin + to_seconds(hash(number * 31 + device * 7 + step) % 1000 / 1000.0 * length * 0.2),
             '%Y-%m-%dT%H:%M:%SZ') AS start,
    strftime(begin + to_seconds(length * (0.5 + hash(number * 37 + device * 5 + step) % 1000 / 1000.0 * 0.45)),
             '%Y-%m-%dT%H:%M:%SZ') AS "end"
  FROM (
    SELECT *, {hours} * 3600.0 / {steps} AS length,
      TIMESTAMP '2026-08-01' + to_seconds(step * {hours} * 3600.0 / {steps}) AS begin
    FROM resource, range(4) devices(device), range({steps}) steps(step)
    WHERE device < devices)
  ORDER BY hash(number * 4 + device + step * 1000003))
TO '{folder}/holds.parquet' (FORMAT parquet)
"""

RUNS = """
COPY (
  SELECT run_id, 'model-' || (hash(run_id) % 200) AS model, 'training' AS stage, 'finished' AS state,
    min(start) AS start, max("end") AS "end"
  FROM '{folder}/holds.parquet' GROUP BY run_id ORDER BY run_id)
TO '{folder}/runs.parquet' (FORMAT parquet)
"""

PROJECT = """\
project: bench
currency: USD
sources:
  bill:  [{format: focus, path: bill/2026-08.parquet}]
  runs:  [{format: runs, path: runs.parquet}]
  holds: [{format: holds, path: holds.parquet}]
policy:
  pool_tag: pool
"""


def make(folder, lines, holds, shuffled):
    (folder / "bill").mkdir(parents=True)
    connection = duckdb.connect()
    # 5 charges an hour for each 3 resources.
    resources = max(3, lines * 3 // (HOURS * 5))
    connection.execute(RESOURCES.format(resources=resources))
    devices = connection.execute("SELECT sum(devices) FROM resource").fetchone()[0]
    names = {"folder": folder, "hours": HOURS, "steps": max(1, holds // devices),
             "order": "hash(hour * 100003 + number * 7 + charge)" if shuffled else "hour, number, charge"}
    for statement in (BILL, HOLDS, RUNS):
        connection.execute(statement.format(**names))
    (folder / "tare.yaml").write_text(PROJECT)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--lines", type=int, required=True)
    parser.add_argument("--holds", type=int, required=True)
    parser.add_argument("--shuffled", action="store_true")
    options = parser.parse_args()
    if options.folder.exists():
        return
    # Renamed at the end, so that one which was interrupted is not taken for a world.
    aside = options.folder.with_name(options.folder.name + ".part")
    shutil.rmtree(aside, ignore_errors=True)
    make(aside, options.lines, options.holds, options.shuffled)
    aside.rename(options.folder)


if __name__ == "__main__":
    main()
