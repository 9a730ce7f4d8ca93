#!/usr/bin/env python3
"""Every posting of a project, worked out in plain fractions from its input files and tare.yaml.

    oracle.py DIR            its postings as CSV
    oracle.py DIR --states   the states of what each attempt held, as exact nanoseconds

Written from the design and docs/ledger.md, and not from src/: one idea a file, plain and slow.

    project_input   tare.yaml, cells, times, decimals        bill_lines    rows of bills to lines
    aliases         names of machines, for a time             runs          runs, their ends, holds, inventory
    device_time     which lines carry it, and how much        timeline      who held which device when
    accounts        which rule posts a line                   postings      exact splits, shared charges
    rate_cards      lines of machines without a bill
    rates           exchange rates, and what they make of a line
    states          what telemetry says of held time

What it does not know: formats other than `focus`, `bill` and the plain files; Parquet; overlapping deliveries.
"""

import argparse
import csv
import sys

from aliases import FOREVER
from bill_lines import COSTS
from money import money_text
from postings import World
from states import States


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--states", action="store_true")
    asked = parser.parse_args()
    world, out = World(asked.folder), csv.writer(sys.stdout, lineterminator="\n")
    if asked.states:
        out.writerow(["resource_id", "run_id", "attempt", "state", "ns"])
        states = States(world)
        for name in sorted(states.pieces):
            for holder, amounts in sorted(states.of(name, -FOREVER, FOREVER)[0].items()):
                out.writerows([name, *holder, word, amount] for word, amount in sorted(amounts.items()))
        return 0
    out.writerow(["line", "rule", "evidence", "account", "run_id", "attempt", *COSTS, "held_ns", "billed_ns"])
    for one in sorted(world.postings, key=lambda p: (p.line.name, p.account, p.run or "", p.attempt or 0)):
        out.writerow([one.line.name, one.rule, one.evidence, one.account, one.run, one.attempt,
                      *(money_text(one.costs[cost]) for cost in COSTS), one.held, one.billed])
    return 0


if __name__ == "__main__":
    sys.exit(main())
