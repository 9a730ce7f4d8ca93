#!/usr/bin/env python3
"""What must hold of any project, on random worlds: no answer is known, only how answers relate.

    properties.py --tare build/release/tare 0 60        the worlds of seeds 0 to 59

order       the order of rows, of columns and of sources shows nowhere
split       a line split in two of the same period gives the same shares, within 3 units of 1e-18 a posting
removed     without the runs and holds, only money of what they name moves, and none stays with the runs
added       a run on a machine of its own changes no other run's cost
question    a question about one run gives what the question about all gives for it
"""

import argparse
import csv
import gzip
import json
import multiprocessing
import pathlib
import random
import shutil
import sys
import tempfile
from decimal import Decimal

import yaml

from postings import World
from program import LINE, Program, Refused
from project_input import SCALE, read_csv, read_decimal
from random_world import make_world
from device_time import unit_of

NAMES_FILES = {"lineage.parquet", "finding.parquet"}
TOLERANCE = 3  # of 1e-18, for each posting
QUESTIONS = 2  # runs asked about, of each world
COSTS = ("billed_cost", "effective_cost", "list_cost", "contracted_cost")
POSTINGS = f"""
SELECT {LINE} AS line, account, run_id, attempt, evidence,
       {', '.join('posting.' + cost + ' AS ' + cost for cost in COSTS)}
FROM posting JOIN bill_line USING (bill_line_id)"""


class Broken(Exception):
    """A property does not hold."""


def read_table(path):
    return list(read_csv(path))


def write_table(path, rows, order=None):
    columns = list(dict.fromkeys(column for row in rows for column in row))
    if order:
        order.shuffle(columns)
    opened = gzip.open if path.name.endswith(".gz") else open
    with opened(path, "wt", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def read_keys(folder):
    return yaml.load((folder / "tare.yaml").read_text(encoding="utf-8"), Loader=yaml.BaseLoader)


def write_keys(folder, keys):
    (folder / "tare.yaml").write_text(yaml.safe_dump(keys, sort_keys=False), encoding="utf-8")


def postings(tare, folder):
    """{(line, account, run, attempt): row}."""
    program = Program(tare, folder)
    program.load()
    return {(row["line"], row["account"], row["run_id"], row["attempt"]): row for row in program.ask(POSTINGS)}


def spread(rows):
    """What is spread by the money of others."""
    return {row["line"] for row in rows.values() if row["evidence"] == "policy"}


def differing_lines(one, two):
    return {key[0] for key in set(one) | set(two) if one.get(key) != two.get(key)}


def exported(tare, folder):
    program = Program(tare, folder)
    program.load()
    program.run("export", "parquet", "out", "--quiet")
    found = {path.name: path.read_bytes() for path in (folder / "out").iterdir() if path.name not in NAMES_FILES}
    found["report"] = program.run("report", "--format", "json", "--quiet", allowed=(0, 1))
    return found


def order(tare, folder, world, seed):
    wanted = exported(tare, folder / "as-made")
    shuffled, dice = folder / "shuffled", random.Random(seed)
    for path in shuffled.rglob("*.csv*"):
        rows = read_table(path)
        dice.shuffle(rows)
        write_table(path, rows, dice)
    keys = read_keys(shuffled)
    for entries in keys["sources"].values():
        entries.reverse()
    keys["sources"] = dict(reversed(keys["sources"].items()))
    write_keys(shuffled, keys)
    got = exported(tare, shuffled)
    different = [name for name in wanted if got.get(name) != wanted[name]]
    if different:
        raise Broken(f"{', '.join(different)} differ after shuffling")
    return len(wanted)


def halves(row):
    """The row in two of the same period, or None where halves would round."""
    quantity, unit = read_decimal(row["ConsumedQuantity"] or None), unit_of(row["ConsumedUnit"])
    if row["ChargeCategory"] != "Usage" or row["ChargeClass"] or not quantity or unit is None or quantity < 0:
        return None
    if (quantity * unit[1]).denominator != 1 or (quantity * unit[1]) % 2:
        return None
    one, two = dict(row), dict(row)
    one["x_line"], two["x_line"] = row["x_line"] + "a", row["x_line"] + "b"
    one["ConsumedQuantity"] = two["ConsumedQuantity"] = str(Decimal(row["ConsumedQuantity"]) / 2)
    for column in ("BilledCost", "EffectiveCost", "ListCost", "ContractedCost"):
        whole = read_decimal(row[column])
        if whole is not None:
            units = int(whole * SCALE)
            one[column], two[column] = f"{units // 3}e-18", f"{units - units // 3}e-18"
    return one, two


def split(tare, folder, world, seed):
    before = postings(tare, folder / "as-made")
    place, dice = folder / "split", random.Random(seed)
    candidates = []
    for path in sorted((place / "bill").glob("*.csv*")) if (place / "bill").is_dir() else []:
        rows = [{"ChargeClass": "", "ConsumedQuantity": "", "ConsumedUnit": "", **row} for row in read_table(path)]
        candidates += [(path, rows, i) for i, row in enumerate(rows)
                       if (row["x_line"],) in {key[:1] for key in before} and halves(row)]
    if not candidates:
        return 0
    path, rows, chosen = dice.choice(candidates)
    name = rows[chosen]["x_line"]
    rows[chosen:chosen + 1] = halves(rows[chosen])
    write_table(path, rows)
    after = postings(tare, place)
    left_out = spread(before) | spread(after)
    joined = {}
    for (line, *rest), row in after.items():
        line = name if line in (name + "a", name + "b") else line
        for cost in COSTS if line not in left_out else ():
            if row[cost]:
                key = (line, *rest, cost)
                joined[key] = joined.get(key, 0) + Decimal(row[cost])
    wanted = {(*key, cost): Decimal(row[cost]) for key, row in before.items() for cost in COSTS
              if row[cost] and key[0] not in left_out}
    for key in set(wanted) | set(joined):
        if abs(wanted.get(key, 0) - joined.get(key, 0)) * SCALE > (TOLERANCE if key[0] == name else 0):
            raise Broken(f"line {name} in two: {key} was {wanted.get(key)}, is {joined.get(key)}")
    return len(wanted)


def removed(tare, folder, world, seed):
    before = postings(tare, folder / "as-made")
    place = folder / "removed"
    keys = read_keys(place)
    taken = set(world.runs.attempts) - set(world.runs.served)
    keys["sources"].pop("runs", None)
    keys["sources"]["holds"] = [entry for entry in keys["sources"].get("holds", []) if entry["format"] != "holds"]
    write_keys(place, keys)
    after = postings(tare, place)
    kept = [key for key in after if key[2] in taken]
    if kept:
        raise Broken(f"money stayed with a removed run: {kept[:3]}")
    machines = {hold.resource for hold in world.runs.holds if hold.run in taken}
    named = {line.name for line in world.lines if line.resource in machines}
    named |= {key[0] for key in before if key[2] in taken}
    moved = differing_lines(before, after) - named - spread(before) - spread(after)
    if moved:
        raise Broken(f"lines {sorted(moved)[:5]} moved, which the removed runs do not name")
    return len(before)


def added(tare, folder, world, seed):
    before = postings(tare, folder / "as-made")
    place = folder / "added"
    bills = sorted((place / "bill").glob("*.csv*")) if (place / "bill").is_dir() else []
    usage = [(path, row) for path in bills for row in read_table(path)
             if row["ChargeCategory"] == "Usage" and row["x_line"] in {key[0] for key in before}]
    if not usage:
        return 0
    path, row = usage[0]
    rows = read_table(path)
    rows.append({**dict.fromkeys(rows[0], ""), "BilledCost": "5", "BillingCurrency": "USD",
                 "BillingPeriodStart": row["BillingPeriodStart"], "ChargePeriodStart": row["ChargePeriodStart"],
                 "ChargePeriodEnd": row["ChargePeriodEnd"], "ChargeCategory": "Usage", "ResourceId": "new-1",
                 "SkuId": "g5.xlarge", "x_line": "NEW"})
    write_table(path, rows)
    (place / "new-holds.csv").write_text(
        "run_id,resource_id,start,end\n"
        f"new,new-1,{row['ChargePeriodStart']},{row['ChargePeriodEnd']}\n", encoding="utf-8")
    (place / "new-runs.csv").write_text(
        "run_id,model,stage,state,start,end\n"
        f"new,new,training,finished,{row['ChargePeriodStart']},{row['ChargePeriodEnd']}\n", encoding="utf-8")
    keys = read_keys(place)
    for kind in ("runs", "holds"):
        keys["sources"].setdefault(kind, []).append({"format": kind, "path": f"new-{kind}.csv", "name": f"new-{kind}"})
    write_keys(place, keys)
    after = {key: row for key, row in postings(tare, place).items() if key[0] != "NEW"}
    moved = differing_lines(before, after) - spread(before) - spread(after)
    if moved:
        raise Broken(f"lines {sorted(moved)[:5]} moved with a run on a machine of its own")
    return len(before)


def question(tare, folder, world, seed):
    program = Program(tare, folder / "as-made")
    program.load()
    runs = sorted(world.runs.attempts)
    random.Random(seed).shuffle(runs)
    runs = runs[:QUESTIONS]
    everything = cost_rows(program)
    for run in runs:
        wanted = {key: cells for key, cells in everything.items() if cells["run"] == run}
        got = {key: cells for key, cells in cost_rows(program, "--where", f"run={run}").items()
               if cells.get("run") == run}
        if wanted != got:
            raise Broken(f"run {run}: {wanted} among all, {got} when asked alone")
    return len(runs)


def cost_rows(program, *where):
    """{(heading of the cost, row): cells} of the cost by run and account in all months."""
    text = program.run("cost", "--by", "run,account", "--from", "2026-07", "--to", "2026-09", "--format", "json",
                       "--quiet", *where, allowed=(0, 1))
    found = {}
    for table in json.loads(text)["tables"]:
        currency = next(column["heading"] for column in table["columns"] if column["name"] == "cost")
        found.update(((currency, row["key"]), row["cells"]) for row in table["rows"] if row["cells"].get("account"))
    return found


PROPERTIES = {one.__name__: one for one in (order, split, removed, added, question)}


def one_world(task):
    tare, seed = task
    folder = pathlib.Path(tempfile.mkdtemp(prefix=f"tare-property-{seed}-"))
    counts = {}
    try:
        for name in ("as-made", "shuffled", "split", "removed", "added"):
            make_world(seed, folder / name)
        world = World(folder / "as-made")
        for name, check in PROPERTIES.items():
            counts[name] = check(tare, folder, world, seed)
            shutil.rmtree(folder / "as-made" / "out", ignore_errors=True)
    except (Broken, Refused) as problem:
        return counts, f"world {seed} in {folder}: {name}: {problem}"
    shutil.rmtree(folder)
    return counts, None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tare", required=True, type=pathlib.Path)
    parser.add_argument("first", type=int)
    parser.add_argument("end", type=int)
    asked = parser.parse_args()
    broken, compared = 0, dict.fromkeys(PROPERTIES, 0)
    with multiprocessing.Pool(2) as pool:
        for counts, problem in pool.imap(one_world, [(asked.tare.resolve(), s) for s in range(asked.first, asked.end)]):
            for name, count in counts.items():
                compared[name] += count
            if problem:
                broken += 1
                print(problem, flush=True)
    print(f"{asked.end - asked.first} worlds, {broken} break a property; compared: "
          + ", ".join(f"{name} {count}" for name, count in compared.items()))
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
