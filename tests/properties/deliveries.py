#!/usr/bin/env python3
"""Deliveries of months, as providers make them, come in any order; after each the store is the one of the newest.

    deliveries.py --tare build/release/tare --worlds 30

A world is a sequence of deliveries: each restates some months, whole or in parts, with rows that changed, came late or
were taken back, or repeats an older one byte for byte. They arrive out of order, and after each arrival `tare load` is
run on the one project. What the bill's lines are then must be what a new project says that holds, of each month, only
its newest delivery that has arrived. Three ways to say what is newest: the folder's name, the file's name, a manifest.
"""

import argparse
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

HEADER = ("BilledCost,EffectiveCost,ListCost,BillingCurrency,BillingPeriodStart,ChargePeriodStart,ChargePeriodEnd,"
          "ChargeCategory,ChargeClass,ResourceId,ServiceName\n")
QUERY = ("SELECT bill_line_id, billed_cost, effective_cost, billing_period_start, charge_period_start, charge_class, "
         "resource_id FROM bill_line ORDER BY ALL")


def make_row(dice, month):
    day, hour = dice.randint(1, 27), dice.randint(0, 22)
    cost = f"{dice.randint(-3, 40)}.{dice.randint(0, 10**6):06d}"
    used = month if dice.random() < 0.9 else month - 1  # a late correction carries its old charge period
    return (f"{cost},{cost},,USD,2026-{month:02d}-01T00:00:00Z,2026-{used:02d}-{day:02d}T{hour:02d}:00:00Z,"
            f"2026-{used:02d}-{day:02d}T{hour + 1:02d}:00:00Z,Usage,{'Correction' if used != month else ''},"
            f"vm-{dice.randint(1, 4)},Compute\n")


def change(dice, rows, month):
    """The rows of a month as a later delivery has them."""
    kept = [row for row in rows if dice.random() < 0.9]
    kept = [make_row(dice, month) if dice.random() < 0.15 else row for row in kept]
    return kept + [make_row(dice, month) for _ in range(dice.randint(0, 4))]


def make_deliveries(dice):
    """[{month: rows}], the oldest first."""
    state, deliveries = {}, []
    for number in range(dice.randint(2, 6)):
        if deliveries and dice.random() < 0.2:
            deliveries.append(dict(dice.choice(deliveries)))
            continue
        months = dice.sample(range(4, 8), dice.randint(1, 3))
        delivery = {}
        for month in months:
            state[month] = change(dice, state.get(month, []), month) or [make_row(dice, month)]
            delivery[month] = list(state[month])
        deliveries.append(delivery)
    return deliveries


def write(folder, number, delivery, way, dice):
    """One delivery as files; several parts where the way allows it."""
    if way == "file":
        folder.mkdir(parents=True, exist_ok=True)
        text = HEADER + "".join(row for month in sorted(delivery) for row in delivery[month])
        (folder / f"export-{number}.csv").write_text(text)
        return
    if way == "folder":
        place = folder / f"run-{number}"
        place.mkdir(parents=True)
        for month, rows in delivery.items():
            half = len(rows) // 2 if dice.random() < 0.5 else 0
            for part, piece in enumerate([rows[:half], rows[half:]]):
                if piece:
                    (place / f"{month}-{part}.csv").write_text(HEADER + "".join(piece))
        return
    for month, rows in delivery.items():
        place = folder / "bill" / f"2026{month:02d}" / f"{random.Random(number * 31 + month).getrandbits(64):016x}"
        place.mkdir(parents=True)
        (place / "part_0.csv").write_text(HEADER + "".join(rows))
        (place / "_manifest.json").write_text(json.dumps({
            "exportConfig": {"exportName": "bill", "type": "FocusCost"},
            "runInfo": {"submittedTime": f"2026-10-{number + 1:02d}T00:00:00Z", "startDate": f"2026-{month:02d}-01"},
            "blobs": [{"blobName": f"c/bill/2026{month:02d}/{place.name}/part_0.csv", "dataRowCount": len(rows)}]}))


def run(tare, folder, *words):
    done = subprocess.run([str(tare), *words], cwd=folder, capture_output=True, check=False, text=True)
    if done.returncode != 0:
        sys.exit(f"{folder}: tare {' '.join(words)} exited with {done.returncode}: {done.stderr}")
    return done.stdout


def project(folder, newest):
    folder.mkdir(parents=True)
    line = f", newest: {newest}" if newest in ("folder", "file") else ""
    (folder / "tare.yaml").write_text(
        f"project: p\ncurrency: USD\nsources:\n  bill: [{{format: focus, path: bill/{line}}}]\n")
    return folder


def compare(tare, place, seed):
    dice = random.Random(seed)
    way = ("folder", "file", "manifest")[seed % 3]
    deliveries = make_deliveries(dice)
    order = list(range(len(deliveries)))
    dice.shuffle(order)
    one = project(place / "one", way)
    newest, replaced = {}, 0
    for step, number in enumerate(order):
        write(one / "bill", number, deliveries[number], way, dice)
        run(tare, one, "load", "--quiet")
        for month in deliveries[number]:
            replaced += month in newest
            newest[month] = max(newest.get(month, -1), number)
        alone = project(place / f"alone-{step}", "")
        (alone / "bill").mkdir()
        for month, last in newest.items():
            (alone / "bill" / f"{month}.csv").write_text(HEADER + "".join(deliveries[last][month]))
        run(tare, alone, "load", "--quiet")
        ours, theirs = run(tare, one, "sql", "--format", "csv", QUERY), run(tare, alone, "sql", "--format", "csv", QUERY)
        if ours != theirs:
            sys.exit(f"world {seed} ({way}), after delivery {number}: the lines differ; see {place}")
    shutil.rmtree(place)
    return len(order), replaced


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tare", required=True, type=pathlib.Path)
    parser.add_argument("--worlds", type=int, default=6)
    options = parser.parse_args()
    arrivals = replaced = 0
    for seed in range(options.worlds):
        place = pathlib.Path(tempfile.mkdtemp(prefix=f"tare-deliveries-{seed}-"))
        more, again = compare(options.tare.resolve(), place, seed)
        arrivals, replaced = arrivals + more, replaced + again
    if not replaced:
        sys.exit("no month was delivered twice: nothing was tried")
    print(f"{options.worlds} worlds, {arrivals} deliveries, {replaced} months delivered again: as the newest alone")


if __name__ == "__main__":
    main()
