#!/usr/bin/env python3
"""Small random projects that reach the ledger's cases, and a count of how often each is reached.

    random_world.py SEED FOLDER         writes one project
    random_world.py --coverage 500      of the first 500 seeds, how many have each feature (--each: all must occur)

The same seed gives the same bytes. Every line has a name of its own in the column x_line.
"""

import argparse
import collections
import csv
import gzip
import io
import json
import pathlib
import random
import sys

import yaml

import random_bill
import random_cards
import random_rates
import random_runs
from features import FEATURES


class Draft:
    """A project being made: its tables, its keys, and the features that it has."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.features = set()
        self.tables = collections.defaultdict(list)  # file -> rows
        self.keys = {"project": "world", "currency": "USD", "sources": {}}
        self.machines = []
        self.models = ["A", "B", "m/1", "C%"][:self.random.randint(1, 4)]
        self.names = []  # (alias, machine, from, to)
        self.device_aliases = {}  # (machine, index) -> alias
        self.lines = 0

    def chance(self, probability):
        return self.random.random() < probability

    def one_of(self, *choices):
        return self.random.choice(choices)

    def note(self, feature):
        assert feature in FEATURES, f"'{feature}' is listed in features.py"
        self.features.add(feature)

    def source(self, kind, form, path, **keys):
        self.keys["sources"].setdefault(kind, []).append({"format": form, "path": path, **keys})

    def line_name(self):
        self.lines += 1
        return f"L{self.lines:03}"

    def billed_name(self, machine, start):
        """The machine's name, or one that an alias leads to it when the charge starts."""
        names = [name for name, resource, begin, end in self.names if resource == machine.name and begin <= start < end]
        if names and self.chance(0.3):
            self.note("alias-in-the-bill")
            return self.random.choice(names)
        return machine.name

    def policy(self, **keys):
        self.keys.setdefault("policy", {}).update(keys)


def write(draft, folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows in draft.tables.items():
        if not rows:
            continue
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        columns = list(dict.fromkeys(column for row in rows for column in row))
        text = io.StringIO()
        writer = csv.DictWriter(text, columns, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        content = text.getvalue().encode()
        path.write_bytes(gzip.compress(content, mtime=0) if name.endswith(".gz") else content)
    with open(folder / "tare.yaml", "w", encoding="utf-8") as file:
        yaml.safe_dump(json.loads(json.dumps(draft.keys)), file, sort_keys=False, default_flow_style=None)


def make(seed):
    draft = Draft(seed)
    random_bill.add_machines(draft)
    random_runs.add_runs(draft)
    random_bill.add_lines(draft)
    random_bill.add_rules(draft)
    random_cards.add_cards(draft)
    random_rates.add_rates(draft)
    return draft


def make_world(seed, folder):
    """Writes the project of a seed and returns its features."""
    draft = make(seed)
    write(draft, folder)
    return draft.features


def coverage(count, first=0):
    reached = collections.Counter()
    for seed in range(first, first + count):
        reached.update(make(seed).features)
    return reached


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seed", type=int, nargs="?")
    parser.add_argument("folder", nargs="?")
    parser.add_argument("--coverage", type=int, metavar="COUNT")
    parser.add_argument("--each", action="store_true", help="exit 1 where a feature is in no world")
    asked = parser.parse_args()
    if asked.coverage:
        reached = coverage(asked.coverage)
        for feature in sorted(FEATURES, key=lambda name: (reached[name], name)):
            print(f"{reached[feature]:6} {feature}")
        return 1 if asked.each and any(reached[feature] == 0 for feature in FEATURES) else 0
    if asked.folder is None:
        parser.error("a seed and a folder, or --coverage")
    print(" ".join(sorted(make_world(asked.seed, asked.folder))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
