#!/usr/bin/env python3
"""The oracle against the program: every posting and every state of random worlds.

    compare.py --tare build/release/tare 0 300          the worlds of seeds 0 to 299
    compare.py --tare build/release/tare 17 18 --keep build/w17

Exits 1 at the first difference, with the world's folder kept and named. Ends with how many worlds and postings were
compared, and in how many worlds each feature was.
"""

import argparse
import collections
import json
import multiprocessing
import pathlib
import shutil
import sys
import tempfile
import traceback

from aliases import FOREVER
from bill_lines import COSTS
from money import money_text
from postings import World
from program import LINE, Program, Refused
from project_input import read_money
from random_world import make_world
from states import States
from summaries import DIFFERENCES
from waste import Amount, waste

POSTINGS = f"""
SELECT {LINE} AS line, posting.bill_line_id AS id, account,
       run_id, attempt, evidence, rule, posting.billed_cost AS billed, posting.effective_cost AS effective,
       posting.list_cost AS list, posting.contracted_cost AS contracted, currency, held_ns, billed_ns
FROM posting JOIN bill_line USING (bill_line_id)"""
STATES = """
SELECT resource_id, run_id, attempt, state, sum(state_ns) AS ns FROM device_state WHERE run_id IS NOT NULL
GROUP BY ALL"""
NUMBERS = ("billed", "effective", "list", "contracted")


WASTE = ("waste", "--by", "resource,run,reason", "--from", "2026-07", "--to", "2026-09", "--format", "json", "--quiet")


class Difference(Exception):
    """What differs, in a sentence."""


def plain(text):
    """A decimal without trailing zeros."""
    return text.rstrip("0").rstrip(".") if "." in text else text


def posted(rows):
    found = {}
    for row in rows:
        key = row["line"], row["account"], row["run_id"], row["attempt"]
        if key in found:
            raise Difference(f"two postings of {key}")
        found[key] = {"evidence": row["evidence"], "rule": row["rule"], "currency": row["currency"],
                      "held_ns": row["held_ns"], "billed_ns": row["billed_ns"],
                      **{cost: plain(row[cost]) for cost in NUMBERS}}
    return found


def expected(world):
    found = {}
    for one in world.postings:
        key = one.line.name, one.account, one.run or "", "" if one.attempt is None else str(one.attempt)
        found[key] = {"evidence": one.evidence, "rule": one.rule, "currency": one.line.posted_currency,
                      "held_ns": str(one.held), "billed_ns": str(one.billed),
                      **{cost: money_text(one.costs[cost]) for cost in COSTS}}
    return found


def compare_postings(world, rows):
    wanted, got = expected(world), posted(rows)
    if {line.name for line in world.lines} != {row["line"] for row in rows}:
        raise Difference("other lines were read: "
                         f"{sorted({line.name for line in world.lines} ^ {row['line'] for row in rows})}")
    said = []
    for key in sorted(set(wanted) | set(got)):
        if wanted.get(key) != got.get(key):
            said.append(f"{key}\n    oracle  {wanted.get(key)}\n    program {got.get(key)}")
    if said:
        raise Difference("postings differ:\n  " + "\n  ".join(said[:8]))
    return len(wanted)


def compare_states(world, rows):
    """Each state within the nanoseconds that rounding may take, and each holder's sum exactly."""
    states = States(world)
    got = collections.defaultdict(dict)
    for row in rows:
        got[row["resource_id"], row["run_id"], int(row["attempt"])][row["state"]] = int(row["ns"])
    compared = 0
    for name in states.pieces:
        wanted, counts = states.of(name, -FOREVER, FOREVER)
        for holder, amounts in wanted.items():
            found = got.pop((name, *holder), {})
            compared += len(amounts)
            for word in sorted(set(amounts) | set(found)):
                if abs(amounts.get(word, 0) - found.get(word, 0)) > 2 * counts[holder] + 2:
                    raise Difference(f"state '{word}' of {holder} on {name}: oracle {amounts}, program {found}")
    if got:
        raise Difference(f"states of nobody: {dict(got)}")
    return compared


def compare_summaries(rows):
    differing = {row["summary"]: row["differing"] for row in rows if row["differing"] != "0"}
    if differing:
        raise Difference(f"summaries differ from what they sum: {differing}")


def wasted(text):
    """{(currency, resource, run, reason): (units, ns)} of an answer."""
    found = {}
    for table in json.loads(text)["tables"]:
        currency = next(column["heading"] for column in table["columns"] if column["name"] == "cost").split()[-1]
        for row in table["rows"]:
            cells = row["cells"]
            if cells["reason"]:
                found[currency, cells["resource"], cells["run"], cells["reason"]] = (
                    read_money(cells["cost"]), cells["device_hours"] + cells["node_hours"])
    return found


def compare_waste(world, text):
    """Money and time by reason, within what the rounding of states may move."""
    (wanted, slack), got = waste(world), wasted(text)
    for key in sorted(set(wanted) | set(got)):
        amount, (units, ns) = wanted.get(key, Amount()), got.get(key, (0, 0))
        allowed = slack.get(key[:3], Amount())
        if abs(amount.units - units) > allowed.units or abs(amount.ns - ns) > allowed.ns:
            raise Difference(f"waste of {key}: oracle {money_text(round(amount.units))} in {round(amount.ns)} ns, "
                             f"program {money_text(units)} in {ns} ns")
    return len(wanted)


def compare_world(tare, seed, folder):
    """(features, postings, states) compared."""
    features = make_world(seed, folder)
    program = Program(tare, folder)
    program.load()
    rows, state_rows, summary_rows = program.ask(POSTINGS, STATES, DIFFERENCES)
    order = {row["line"]: row["id"] for row in rows}
    world = World(folder, lambda line: order.get(line.name, ""))
    postings = compare_postings(world, rows)
    states = compare_states(world, state_rows)
    compare_summaries(summary_rows)
    return features, postings, states + compare_waste(world, program.run(*WASTE))


def one_world(task):
    tare, seed, kept = task
    folder = kept or pathlib.Path(tempfile.mkdtemp(prefix=f"tare-oracle-{seed}-"))
    try:
        result = compare_world(tare, seed, folder)
    except (Difference, Refused) as problem:
        return seed, None, f"world {seed} in {folder}: {problem}"
    except Exception:  # a fault of the oracle itself: as bad as a difference
        return seed, None, f"world {seed} in {folder}: {traceback.format_exc()}"
    if not kept:
        shutil.rmtree(folder)
    return seed, result, None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tare", required=True, type=pathlib.Path)
    parser.add_argument("--keep", type=pathlib.Path, help="where to make the world, of one seed")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--go-on", action="store_true", help="after a difference, too")
    parser.add_argument("--coverage", action="store_true", help="print the features")
    parser.add_argument("first", type=int)
    parser.add_argument("end", type=int)
    asked = parser.parse_args()
    tasks = [(asked.tare.resolve(), seed, asked.keep) for seed in range(asked.first, asked.end)]
    features, postings, states, worlds, differences = collections.Counter(), 0, 0, 0, 0
    with multiprocessing.Pool(asked.processes) as pool:
        for _, result, problem in pool.imap(one_world, tasks, chunksize=1):
            if problem:
                print(problem, flush=True)
                differences += 1
                if not asked.go_on:
                    break
                continue
            worlds += 1
            features.update(result[0])
            postings += result[1]
            states += result[2]
        pool.terminate()
    if asked.coverage:
        print("".join(f"{count:6} {name}\n" for name, count in sorted(features.items(), key=lambda item: item[1])),
              end="")
    print(f"{worlds} worlds, {postings} postings and {states} states alike, {differences} worlds differ, "
          f"{len(features)} features")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
