#!/usr/bin/env python3
"""The example against its planted truth: every account, month and cost column, to the last digit.

    truth.py --tare build/release/tare

examples/acme/truth.json is computed by the example's generator from what it planted, with code of its own.
The support charge is spread by policy: its parts are checked against the truth's weights.
"""

import argparse
import collections
import csv
import io
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
from decimal import Decimal

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
COLUMNS = ("billed", "effective", "list", "contracted")
# Lines that share an hour are split each on its own, so a nanosecond may fall to either side of two states.
ROUNDING_NS = 1000
STATES = {"no_run_ns": "no-run", "lost_ns": "lost", "idle_held_ns": "idle-held", "startup_ns": "startup",
          "unknown_ns": "unknown", "not_busy_ns": "not-busy"}


def ask(tare, folder, query):
    done = subprocess.run([tare, "sql", "--format", "csv", query], cwd=folder, capture_output=True, check=True)
    return list(csv.DictReader(io.StringIO(done.stdout.decode())))


def posted_accounts(tare, folder):
    sums = collections.defaultdict(lambda: [Decimal(0)] * len(COLUMNS))
    rows = ask(tare, folder, "SELECT strftime(charge_period_start, '%Y-%m') AS month, account, "
               + ", ".join(f"sum({c}_cost) AS {c}" for c in COLUMNS) + " FROM posting GROUP BY ALL")
    for row in rows:
        parts = row["account"].split("/")
        # `support` is one sum in the truth: the policy's parts are put together again.
        if parts[0] == "model" and parts[2:] == ["shared", "support"]:
            account = "support"
        else:
            account = "/".join(parts[:3]) if parts[0] == "model" else row["account"]
        key = row["month"], account
        sums[key] = [total + Decimal(row[c]) for total, c in zip(sums[key], COLUMNS)]
    return dict(sums)


def compare_accounts(truth, posted):
    wanted = {(month, account): [Decimal(costs[c]) for c in COLUMNS]
              for month, accounts in truth["accounts"].items() if month != "note"
              for account, costs in accounts.items()}
    for key in sorted(set(wanted) | set(posted)):
        if wanted.get(key) != posted.get(key):
            yield f"{key}: planted {wanted.get(key)}, posted {posted.get(key)}"
    assert len(wanted) > 50, "the truth has its accounts"


def compare_support(truth, tare, folder):
    rows = ask(tare, folder, "SELECT strftime(billing_period_start, '%Y-%m') AS month, model, "
               "sum(billed_cost) AS billed FROM posting WHERE account LIKE 'model/%/shared/support' GROUP BY ALL")
    total = collections.Counter()
    for row in rows:
        total[row["month"]] += Decimal(row["billed"])
    for row in rows:
        weights = {m: Decimal(w) for m, w in truth["support_weights"][row["month"]].items()}
        share = total[row["month"]] * weights[row["model"]] / sum(weights.values())
        if abs(share - Decimal(row["billed"])) > Decimal("1e-15"):
            yield f"support {row['month']} {row['model']}: planted {share}, posted {row['billed']}"
    assert len(rows) == 9, "three models in three months share the support charge"


def compare_states(truth, tare, folder):
    rows = ask(tare, folder, "SELECT cost.month, store_state_text(cost.state) AS state, sum(cost.billed_ns) AS ns "
               "FROM store_day_cost AS cost JOIN store_posting_dim AS dim ON dim.file = cost.file AND dim.id = cost.dim "
               "WHERE dim.device_class = 1 GROUP BY ALL")
    found = collections.Counter()
    for row in rows:
        year, month = divmod(int(row["month"]), 12)
        found[f"{1970 + year}-{month + 1:02}", row["state"]] += int(row["ns"])
    compared = 0
    for month, times in truth["gpu_time"].items():
        if month == "note":
            continue
        for name, state in STATES.items():
            compared += 1
            if abs(found[month, state] - times["total"][name]) > ROUNDING_NS:
                yield f"{month} {state}: planted {times['total'][name]}, found {found[month, state]}"
        busy = sum(found[month, s] for s in ("useful", "inefficient", "busy", "lost"))
        if abs(busy - times["total"]["busy_ns"]) > ROUNDING_NS:
            yield f"{month} busy: planted {times['total']['busy_ns']}, found {busy}"
    assert compared == 18, "six states in three months"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tare", required=True, type=pathlib.Path)
    tare = parser.parse_args().tare.resolve()
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch) / "acme"
        shutil.copytree(REPOSITORY / "examples" / "acme", folder, ignore=shutil.ignore_patterns(".tare"))
        truth = json.loads((folder / "truth.json").read_text())
        subprocess.run([tare, "load", "--quiet"], cwd=folder, check=True)
        differences = [*compare_accounts(truth, posted_accounts(tare, folder)), *compare_support(truth, tare, folder),
                       *compare_states(truth, tare, folder)]
    for difference in differences:
        print(difference)
    print(f"{len(differences)} differences")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
