#!/usr/bin/env python3
"""Made worlds against their truth: every account of every billing period, to the last digit.

    compare_truth.py --tare build/release/tare accounts     the worlds of the ordinary tests
    compare_truth.py --tare build/release/tare same-bytes   the same flags, the same files
    compare_truth.py --tare build/release/tare plants       each waste where `tare waste` shows it
    compare_truth.py --tare build/release/tare million      1,000,000 lines, 50,000 runs
    compare_truth.py --tare build/release/tare folder DIR   a world that is loaded already

`tare synth` computes the truth from its own plan of the world; `tare load` knows nothing of it.
"""

import argparse
import collections
import csv
import hashlib
import io
import pathlib
import subprocess
import sys
import tempfile
from decimal import Decimal

NS_AN_HOUR = 3600 * 10**9
COSTS = ("billed_cost", "effective_cost", "list_cost", "contracted_cost")
WORLDS = [
    {"seed": 1, "months": 1, "bill-lines": 300, "runs": 20, "format": "csv"},
    {"seed": 2, "months": 2, "bill-lines": 1_000, "runs": 60, "format": "parquet"},
    {"seed": 3, "months": 3, "bill-lines": 5_000, "runs": 400, "format": "csv", "order": "resource"},
    {"seed": 4, "months": 1, "bill-lines": 5_000, "runs": 300, "format": "parquet", "restate": True},
    {"seed": 5, "months": 4, "bill-lines": 20_000, "runs": 2_000, "format": "parquet", "order": "shuffled"},
    {"seed": 6, "months": 2, "bill-lines": 100_000, "runs": 9_000, "format": "parquet"},
]
MILLION = {"seed": 7, "months": 3, "bill-lines": 1_000_000, "runs": 50_000, "format": "parquet"}
PLANTED = {"seed": 8, "months": 1, "bill-lines": 5_000, "runs": 300, "format": "parquet",
           "plant": ["idle-replica=30", "forgotten-notebook=26", "no-run=41", "lost-work=17", "startup=9",
                     "small-batch=33", "data-starved=12", "over-frequent-retraining=20",
                     "commitment-unused=750"]}


def flags_of(world):
    flags = []
    for name, value in world.items():
        for one in value if isinstance(value, list) else [value]:
            flags += [f"--{name}"] if one is True else [f"--{name}", str(one)]
    return flags


class World:
    """A made project in a folder."""

    def __init__(self, tare, folder):
        self.tare, self.folder = tare, pathlib.Path(folder)

    def run(self, *words):
        done = subprocess.run([str(self.tare), *words], cwd=self.folder, capture_output=True)
        if done.returncode != 0:
            raise SystemExit(f"tare {' '.join(words)}: exit {done.returncode}\n{done.stderr.decode()}")
        return done.stdout.decode()

    def make(self, world):
        self.folder.mkdir(parents=True, exist_ok=True)
        self.run("synth", ".", *flags_of(world), "--quiet")
        return self

    def load(self):
        self.run("load", "--quiet")
        return self

    def ask(self, query):
        return list(csv.DictReader(io.StringIO(self.run("sql", "--format", "csv", query))))

    def truth(self, name):
        with open(self.folder / "truth" / f"{name}.csv", newline="") as file:
            return list(csv.DictReader(file))


def compare_accounts(world):
    """Yields a line for each account whose four costs are not the truth's, exactly."""
    wanted = {}
    for row in world.truth("accounts"):
        key = row["billing_period_start"], row["currency"], row["account"], row["run_id"]
        wanted[key] = [Decimal(row[c]) for c in COSTS], int(row["held_ns"])
    sums = ", ".join(f"coalesce(sum({c}), 0) AS {c}" for c in COSTS)
    posted = {}
    lines = collections.Counter()
    for row in world.ask("SELECT strftime(billing_period_start, '%Y-%m-%d') AS period, currency, account, run_id, "
                         f"{sums}, sum(held_ns)::BIGINT AS held_ns, count(*) AS lines FROM posting GROUP BY ALL"):
        key = row["period"], row["currency"], row["account"], row["run_id"]
        posted[key] = [Decimal(row[c]) for c in COSTS], int(row["held_ns"])
        lines[key] = int(row["lines"])
    for key in sorted(set(wanted) | set(posted)):
        costs, held_ns = wanted.get(key, (None, 0))
        found, found_ns = posted.get(key, (None, 0))
        if costs != found:
            yield f"{key}: truth {show(costs)}, posted {show(found)}"
        elif abs(held_ns - found_ns) > lines[key]:
            yield f"{key}: truth held {held_ns} ns, posted {found_ns}"
    if not wanted:
        yield "the truth has no accounts"


def show(costs):
    return "nothing" if costs is None else " ".join(f"{cost:f}" for cost in costs)


def compare_states(world):
    """Device-time by month, class and state, within a nanosecond a posting. In CSV times are nanoseconds."""
    wanted = {(r["month"], r["device_class"], r["state"]): int(r["device_ns"]) for r in world.truth("states")}
    tolerance = int(world.ask("SELECT count(*) AS n FROM posting")[0]["n"])
    found = collections.Counter()
    for row in csv.DictReader(io.StringIO(world.run("waste", "--from", "2026-01", "--by", "month,reason", "--format", "csv"))):
        for device_class, column in (("gpu", "device_hours"), ("node", "node_hours")):
            if row["reason"] not in ("", "other-charges") and row[column]:
                found[row["month"], device_class, row["reason"]] += int(row[column])
    for key in sorted(set(wanted) | set(found)):
        if abs(wanted.get(key, 0) - found[key]) > tolerance:
            yield f"{key}: truth {wanted.get(key, 0)} ns, found {found[key]}"


def compare_counts(world, made):
    lines = int(world.ask("SELECT count(*) AS n FROM bill_line")[0]["n"])
    runs = int(world.ask("SELECT count(DISTINCT run_id) AS n FROM run WHERE run_id NOT LIKE 'endpoint/%'")[0]["n"])
    if lines != made["bill-lines"]:
        yield f"{lines} bill lines, not {made['bill-lines']}"
    if runs != made["runs"]:
        yield f"{runs} runs, not {made['runs']}"


def compare_world(tare, made, folder):
    world = World(tare, folder).make(made).load()
    accounts = len(world.truth("accounts"))
    problems = [*compare_counts(world, made), *compare_accounts(world), *compare_states(world)]
    print(f"{' '.join(flags_of(made))}: {accounts} accounts compared, {len(problems)} differences")
    return problems


def test_accounts(tare, scratch):
    for i, made in enumerate(WORLDS):
        yield from compare_world(tare, made, scratch / f"world-{i}")


def test_million(tare, scratch):
    yield from compare_world(tare, MILLION, scratch / "million")


def digests(folder):
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(folder.rglob("*")) if path.is_file()}


def test_same_bytes(tare, scratch):
    for i, made in enumerate([WORLDS[2], WORLDS[3], WORLDS[4], PLANTED]):
        first = digests(World(tare, scratch / f"{i}-a").make(made).folder)
        again = digests(World(tare, scratch / f"{i}-b").make({**made, "threads": 1}).folder)
        if first != again:
            yield f"{made}: these files differ: {[n for n in first if first[n] != again.get(n)]}"
        other = digests(World(tare, scratch / f"{i}-c").make({**made, "seed": 99}).folder)
        if first == other:
            yield f"{made}: another seed gives the same files"


def test_plants(tare, scratch):
    world = World(tare, scratch / "planted").make(PLANTED).load()
    yield from compare_accounts(world)
    yield from compare_states(world)
    planted = world.truth("waste")
    if len(planted) != len(PLANTED["plant"]):
        yield f"{len(planted)} wastes in the truth, not {len(PLANTED['plant'])}"
    shown = csv.DictReader(io.StringIO(world.run("waste", "--from", "2026-01", "--by", "pool,reason", "--format", "csv")))
    found = {(row["pool"], row["reason"]): (int(row["device_hours"] or 0), Decimal(row["cost"] or 0)) for row in shown}
    for row in planted:
        if row["waste"] == "commitment-unused":
            yield from compare_commitment(world, row)
            continue
        device_ns, cost = found.get((row["pool"], row["shows_as"]), (0, Decimal(0)))
        if not device_ns == int(row["device_ns"]) == int(row["size"]) * NS_AN_HOUR:
            yield f"{row['waste']}: planted {row['size']} h, shown {device_ns} ns"
        if cost != Decimal(row["effective_cost"]):
            yield f"{row['waste']}: planted {row['effective_cost']}, shown {cost}"


def compare_commitment(world, row):
    found = world.ask("SELECT sum(effective_cost) AS cost FROM posting "
                      "WHERE account LIKE 'commitment-unused/sp-planted-%'")[0]["cost"]
    if Decimal(found) != int(row["size"]):
        yield f"commitment-unused: planted {row['size']}, posted {found}"


TESTS = {"accounts": test_accounts, "same-bytes": test_same_bytes, "plants": test_plants, "million": test_million}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tare", required=True, type=pathlib.Path)
    parser.add_argument("what", choices=[*TESTS, "folder"])
    parser.add_argument("folder", nargs="?", type=pathlib.Path)
    arguments = parser.parse_args()
    tare = arguments.tare.resolve()
    if arguments.what == "folder":
        world = World(tare, arguments.folder.resolve())
        problems = [*compare_accounts(world), *compare_states(world)]
    else:
        with tempfile.TemporaryDirectory() as scratch:
            problems = list(TESTS[arguments.what](tare, pathlib.Path(scratch)))
    for problem in problems[:40]:
        print(problem)
    print(f"{len(problems)} differences")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
