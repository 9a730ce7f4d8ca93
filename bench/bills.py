#!/usr/bin/env python3
"""`make bench-bills`: tare loads a provider's export; DuckDB copies the same columns of the same file to Parquet.

    bills.py --tare PATH [--bytes N] [--rounds R] [--folder DIR]

The file is a legacy AWS Cost and Usage Report of a month, as CSV of about N bytes and as Parquet of as many rows: hourly
usage of machines and disks, savings plans with their negations, reservations, taxes and credits, tags in columns of
their own. No public file of the kind is that large, so it is made from the documented columns. `tare load` stores every
line, posts it and proves the sums; the copy keeps the columns that tare reads, as text. Compare CPU seconds.
"""

import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import time

BYTES_A_ROW = 640  # of the CSV, as it turns out

ROWS = """
SELECT
  md5(i::VARCHAR) AS "identity/LineItemId",
  strftime(began, '%Y-%m-%dT%H:%M:%SZ') || '/' || strftime(began + INTERVAL 1 HOUR, '%Y-%m-%dT%H:%M:%SZ') AS "identity/TimeInterval",
  'INV-' || (r % 3) AS "bill/InvoiceId", 'Amazon Web Services, Inc.' AS "bill/InvoicingEntity", 'AWS' AS "bill/BillingEntity",
  'Anniversary' AS "bill/BillType", '123456789012' AS "bill/PayerAccountId",
  '2026-08-01T00:00:00.000Z' AS "bill/BillingPeriodStartDate", '2026-09-01T00:00:00.000Z' AS "bill/BillingPeriodEndDate",
  lpad((r % 40)::VARCHAR, 12, '0') AS "lineItem/UsageAccountId",
  CASE k WHEN 0 THEN 'SavingsPlanCoveredUsage' WHEN 1 THEN 'SavingsPlanNegation' WHEN 2 THEN 'DiscountedUsage'
    WHEN 3 THEN 'Tax' WHEN 4 THEN 'Credit' ELSE 'Usage' END AS "lineItem/LineItemType",
  strftime(began, '%Y-%m-%dT%H:%M:%S.000Z') AS "lineItem/UsageStartDate",
  strftime(began + INTERVAL 1 HOUR, '%Y-%m-%dT%H:%M:%S.000Z') AS "lineItem/UsageEndDate",
  CASE WHEN r % 9 = 0 THEN 'AmazonSageMaker' ELSE 'AmazonEC2' END AS "lineItem/ProductCode",
  'USE1-BoxUsage:' || t AS "lineItem/UsageType", 'RunInstances' AS "lineItem/Operation", 'us-east-1a' AS "lineItem/AvailabilityZone",
  CASE WHEN k IN (1, 3, 4) THEN '' ELSE 'i-' || lpad(to_hex(r * 2654435761 % 4294967296), 17, '0') END AS "lineItem/ResourceId",
  amount AS "lineItem/UsageAmount", 'USD' AS "lineItem/CurrencyCode",
  printf('%.10f', price) AS "lineItem/UnblendedRate", printf('%.10f', CASE WHEN k = 1 THEN -p ELSE p END) AS "lineItem/UnblendedCost",
  printf('%.10f', price) AS "lineItem/BlendedRate", printf('%.10f', p) AS "lineItem/BlendedCost",
  '$' || printf('%.4f', price) || ' per On Demand Linux ' || t || ' Instance Hour' AS "lineItem/LineItemDescription",
  '' AS "lineItem/TaxType", 'Amazon Web Services, Inc.' AS "lineItem/LegalEntity",
  'Amazon Elastic Compute Cloud' AS "product/ProductName", 'Compute Instance' AS "product/productFamily",
  t AS "product/instanceType", '' AS "product/gpu", '8' AS "product/vcpu", '32 GiB' AS "product/memory",
  'us-east-1' AS "product/regionCode", 'SKU' || lpad((r % 60)::VARCHAR, 13, '0') AS "product/sku",
  'SKU' || lpad((r % 60)::VARCHAR, 13, '0') || '.JRTCKXETXF.6YS6EN2CT7' AS "pricing/RateCode",
  printf('%.10f', p) AS "pricing/publicOnDemandCost", printf('%.10f', price) AS "pricing/publicOnDemandRate",
  'OnDemand' AS "pricing/term", 'Hrs' AS "pricing/unit",
  CASE WHEN k = 2 THEN 'arn:aws:ec2:us-east-1:123456789012:reserved-instances/' || (r % 8) ELSE '' END AS "reservation/ReservationARN",
  CASE WHEN k = 2 THEN printf('%.10f', p * 0.6) ELSE '' END AS "reservation/EffectiveCost",
  CASE WHEN k IN (0, 1) THEN 'arn:aws:savingsplans::123456789012:savingsplan/' || (r % 4) ELSE '' END AS "savingsPlan/SavingsPlanARN",
  CASE WHEN k = 0 THEN printf('%.10f', p * 0.7) ELSE '' END AS "savingsPlan/SavingsPlanEffectiveCost",
  CASE WHEN r % 5 = 0 THEN '' ELSE 'team-' || (r % 12) END AS "resourceTags/user:team",
  CASE WHEN r % 7 = 0 THEN '' ELSE 'model-' || (r % 30) END AS "resourceTags/user:model"
FROM (
  SELECT i, r, TIMESTAMP '2026-08-01' + to_hours(hour) AS began, ['m5.2xlarge', 'p4d.24xlarge', 'g5.xlarge', 'c5.xlarge'][1 + r % 4] AS t,
    CASE WHEN r % 10 = 0 THEN i % 2 WHEN r % 10 = 1 THEN 2 WHEN r % 100 = 2 THEN 3 WHEN r % 100 = 3 THEN 4 ELSE 9 END AS k,
    printf('%.10f', u) AS amount, (1 + r % 97) * 0.0123456789 AS price, (1 + r % 97) * 0.0123456789 * u AS p
  FROM (  -- about ninety hours of each resource; a covered hour and its negation stand together
    SELECT range AS i, range // 90 AS r, (range // 2 * 7 + range // 90) % 744 AS hour,
      CASE WHEN range // 2 % 3 = 0 THEN 1 ELSE (1 + range // 2 * 7919 % 3600) / 3600.0 END AS u
    FROM range({rows}))
)
"""

# What src/sources/bill/native/aws_cur.cc reads of these columns.
READ = ("bill/InvoiceId", "bill/InvoicingEntity", "bill/BillType", "bill/PayerAccountId", "bill/BillingPeriodStartDate",
        "lineItem/UsageAccountId", "lineItem/LineItemType", "lineItem/UsageStartDate", "lineItem/UsageEndDate",
        "lineItem/ProductCode", "lineItem/UsageType", "lineItem/Operation", "lineItem/AvailabilityZone",
        "lineItem/ResourceId", "lineItem/UsageAmount", "lineItem/CurrencyCode", "lineItem/UnblendedCost",
        "lineItem/LineItemDescription", "lineItem/TaxType", "product/ProductName", "product/productFamily",
        "product/instanceType", "product/gpu", "product/vcpu", "product/memory", "product/regionCode", "product/sku",
        "pricing/RateCode", "pricing/publicOnDemandCost", "pricing/term", "pricing/unit", "reservation/ReservationARN",
        "reservation/EffectiveCost", "savingsPlan/SavingsPlanARN", "savingsPlan/SavingsPlanEffectiveCost",
        "resourceTags/user:team", "resourceTags/user:model")

COPY = """
import duckdb
duckdb.execute("SET threads=2")
duckdb.execute('''COPY (SELECT {columns} FROM {table}) TO '{out}' (FORMAT parquet, COMPRESSION zstd)''')
"""


def measure(command, log):
    os.sync()
    started = time.monotonic()
    child = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit(f"bench: {command[0]}: exit code {child.returncode}; see {log.name}")
    return {"seconds": time.monotonic() - started, "cpu_seconds": usage.ru_utime + usage.ru_stime,
            "peak_mib": usage.ru_maxrss / 1024}


def make(folder, size):
    csv, parquet = folder / f"cur-{size}.csv", folder / f"cur-{size}.parquet"
    if not csv.exists():
        folder.mkdir(parents=True, exist_ok=True)
        rows = ROWS.format(rows=size // BYTES_A_ROW)
        # In a process of its own: a child's peak memory is counted from its parent's.
        program = ("import duckdb\n"
                   f"duckdb.execute('''COPY ({rows}) TO '{csv}.part' (FORMAT csv, HEADER)''')\n"
                   f"duckdb.execute('''COPY (SELECT * FROM read_csv('{csv}.part', all_varchar=true)) TO '{parquet}'"
                   " (FORMAT parquet)''')\n")
        subprocess.run([sys.executable, "-c", program], check=True, stdout=subprocess.DEVNULL)
        os.rename(f"{csv}.part", csv)
    return {"csv": csv, "parquet": parquet}


def contest(tare, folder, files, rounds):
    columns = ", ".join(f'"{name}"' for name in READ)
    results = {}
    with open(folder / "bills.log", "w", encoding="utf-8") as log:
        for _ in range(rounds):
            for kind, path in files.items():
                project = folder / f"project-{kind}"
                shutil.rmtree(project, ignore_errors=True)
                project.mkdir()
                (project / "tare.yaml").write_text("project: bench\ncurrency: USD\nsources:\n"
                                                   f"  bill: [{{format: aws-cur, path: {path}}}]\n")
                results.setdefault(f"tare load, {kind}", []).append(
                    measure([tare, "-C", project, "load", "--quiet"], log))
                table = f"read_csv('{path}', all_varchar=true)" if kind == "csv" else f"read_parquet('{path}')"
                program = COPY.format(columns=columns, table=table, out=folder / "copy.parquet")
                results.setdefault(f"DuckDB copy, {kind}", []).append(measure([sys.executable, "-c", program], log))
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tare", required=True, type=pathlib.Path)
    parser.add_argument("--bytes", type=float, default=5e9)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("build/bench-bills"))
    options = parser.parse_args()
    folder = options.folder.resolve()
    files = make(folder, int(options.bytes))
    results = contest(options.tare.resolve(), folder, files, options.rounds)
    medians = {name: {figure: statistics.median(one[figure] for one in rounds) for figure in rounds[0]}
               for name, rounds in results.items()}
    print(f"{'':24}{'seconds':>10}{'CPU s':>10}{'MiB':>8}   {', '.join(f'{k} {p.stat().st_size / 1e9:.2f} GB' for k, p in files.items())}")
    for name, figures in medians.items():
        print(f"{name:24}{figures['seconds']:10.2f}{figures['cpu_seconds']:10.2f}{figures['peak_mib']:8.0f}")
    for kind in files:
        ratio = medians[f"tare load, {kind}"]["cpu_seconds"] / medians[f"DuckDB copy, {kind}"]["cpu_seconds"]
        print(f"tare load / DuckDB copy, {kind}: {ratio:.2f}")
    (folder / "bills.json").write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
