#!/usr/bin/env python3
"""Proves that what was measured are answers to the same question.

    agree.py WORLD TARE PROJECT PEER_OUT...

Ours, exactly: `tare reconcile` says so, and the postings of each cost sum to the bill's text, digit by
digit. Each peer: its postings sum to the bill within 1e-6, it has as many postings as ours, and each
run's four costs are ours within 1e-6 of them.
"""

import decimal
import pathlib
import subprocess
import sys
import tempfile

import duckdb

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "peers"))
import peer  # noqa: E402

OURS = ("billed_cost", "effective_cost", "list_cost", "contracted_cost")
DECIMALS = 12  # of the costs in a world


def ask(tare, project, query):
    return subprocess.run([tare, "-C", project, "sql", "--format", "csv", query],
                          check=True, capture_output=True, text=True).stdout


def check_ours(world, tare, project):
    """Raises unless ours is the bill's to the last digit; returns the number of postings."""
    subprocess.run([tare, "-C", project, "reconcile"], check=True, stdout=subprocess.DEVNULL)
    # As integers, read from the text: no tool's decimals are taken on trust.
    billed = duckdb.sql("SELECT " + ", ".join(
        f"sum(replace({cost}, '.', '')::HUGEINT)::VARCHAR" for cost in peer.COSTS)
        + f" FROM '{world.bill}'").fetchone()
    sums = ", ".join(f"sum({cost}) AS {cost}" for cost in OURS)
    answer = ask(tare, project, f"SELECT {sums}, count(*) AS postings FROM posting").splitlines()[1].split(",")
    for cost, bill, posted in zip(OURS, billed, answer):
        whole = decimal.Decimal(bill).scaleb(-DECIMALS)
        if whole != decimal.Decimal(posted):
            raise ValueError(f"{cost}: {posted} posted of {whole} billed")
    return int(answer[-1])


def check_peer(world, out, postings):
    """Raises unless a peer's postings are ours within the tolerance, run by run."""
    peer.check_sums(world, out)
    count = duckdb.sql(f"SELECT count(*) FROM '{out.posting}'").fetchone()[0]
    if count != postings:
        raise ValueError(f"{count} postings, ours {postings}")
    far = " OR ".join(
        f"theirs.{cost} IS NULL OR ours.{own} IS NULL OR "
        f"abs(theirs.{cost} - ours.{own}) > {peer.TOLERANCE} * abs(ours.{own})"
        for cost, own in zip(peer.COSTS, OURS))
    sums = ", ".join(f"sum({cost}) AS {cost}" for cost in peer.COSTS)
    wrong = duckdb.sql(f"""
      WITH theirs AS (
        SELECT coalesce(run_id, '') AS run_id, * EXCLUDE (run, run_id)
        FROM (SELECT run, {sums} FROM '{out.posting}' GROUP BY run) LEFT JOIN '{out.run}' USING (run))
      SELECT count(*), any_value(coalesce(ours.run_id, theirs.run_id))
      FROM ours FULL JOIN theirs USING (run_id) WHERE {far}""").fetchone()
    if wrong[0]:
        raise ValueError(f"{wrong[0]} runs differ from ours, as '{wrong[1]}'")


def totals_by_run(tare, project, folder):
    """Ours as a table: run_id ('' for idle) and the four costs."""
    sums = ", ".join(f"sum({cost}) AS {cost}" for cost in OURS)
    path = pathlib.Path(folder) / "ours.csv"
    path.write_text(ask(tare, project, f"""
      SELECT CASE WHEN account LIKE 'idle/%' THEN '' ELSE run_id END AS run_id, {sums}
      FROM posting GROUP BY 1"""))
    columns = {"run_id": "VARCHAR", **{cost: "DOUBLE" for cost in OURS}}
    duckdb.execute(f"""
      CREATE TABLE ours AS SELECT coalesce(run_id, '') AS run_id, * EXCLUDE (run_id)
      FROM read_csv('{path}', header = true, columns = {columns})""")
    return duckdb.sql("SELECT count(*) FROM ours").fetchone()[0]


def main():
    world, tare, project = peer.World(pathlib.Path(sys.argv[1])), sys.argv[2], sys.argv[3]
    postings = check_ours(world, tare, project)
    with tempfile.TemporaryDirectory() as folder:
        runs = totals_by_run(tare, project, folder)
    for out in sys.argv[4:]:
        check_peer(world, peer.Out(pathlib.Path(out)), postings)
    print(f"{postings:,} postings to {runs - 1:,} runs and idle: ours exact, {len(sys.argv) - 4} peers "
          f"within {peer.TOLERANCE} of it, run by run")


if __name__ == "__main__":
    main()
