"""The question that each peer answers, its command line, and the check of its sums.

A world (bench/world.py) has one month of hourly charges. For every bill line: cut the holds by the
hour of the charge; a run's share is the device-time it held in the hour on the line's resource ÷ the
device-time billed there in that hour (summed over the lines that carry device-time), and what nobody
held is idle. The four costs of each line are posted by run and to idle, in doubles. A line without
device-time (disk, licence) goes by the shares of its resource and hour.

A peer writes into OUT:
  posting.parquet   line (its row in the bill), run (a number, null: idle), and the four costs
  run.parquet       run, run_id: the names of these numbers
  line.parquet      with --mode lines: line, and every column of the bill, the costs as doubles
"""

import argparse
import pathlib

COSTS = ("BilledCost", "EffectiveCost", "ListCost", "ContractedCost")
HOUR_US = 3_600_000_000
TOLERANCE = 1e-6


class World:
    """The input files of a world."""

    def __init__(self, folder):
        self.bill = str(folder / "bill" / "2026-08.parquet")
        self.runs = str(folder / "runs.parquet")
        self.holds = str(folder / "holds.parquet")


class Out:
    """The files that a peer writes."""

    def __init__(self, folder):
        self.posting = str(folder / "posting.parquet")
        self.run = str(folder / "run.parquet")
        self.line = str(folder / "line.parquet")


def check_sums(world, out):
    """Raises unless the postings of each cost sum to the bill, within TOLERANCE."""
    import duckdb
    columns = ", ".join(f"sum({cost}::DOUBLE)" for cost in COSTS)
    billed = duckdb.sql(f"SELECT {columns} FROM '{world.bill}'").fetchone()
    columns = ", ".join(f"sum({cost})" for cost in COSTS)
    posted = duckdb.sql(f"SELECT {columns} FROM '{out.posting}'").fetchone()
    for cost, bill, post in zip(COSTS, billed, posted):
        if abs(bill - post) > TOLERANCE * abs(bill):
            raise ValueError(f"{cost}: {post} posted of {bill} billed")


def main(post, copy_lines):
    """Runs a peer: post(world, out), and with --mode lines also copy_lines(world, out)."""
    parser = argparse.ArgumentParser()
    parser.add_argument("world", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--mode", choices=("postings", "lines"), default="postings")
    parser.add_argument("--check", action="store_true",
                        help="check the sums too; bench/run.py does it outside of the measured time")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    world, out = World(options.world), Out(options.out)
    post(world, out)
    if options.mode == "lines":
        copy_lines(world, out)
    if options.check:
        check_sums(world, out)
