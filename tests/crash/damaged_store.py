#!/usr/bin/env python3
"""A damaged store never gives another answer.

    damaged_store.py --tare build/release/tare [--flips 12]

Each file of a store is cut at several lengths, emptied, removed, and has bits flipped at several places. Every
question then answers as before, byte for byte, or exits 2 with an error that names the way out; `tare load
--full-refresh` heals. And: of two loads at once one is refused or waits for its turn, and a reader meanwhile sees one whole store.
"""

import argparse
import collections
import concurrent.futures
import functools
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading

import project
from interrupted_loads import REPORT, run

QUESTIONS = (REPORT, ("reconcile", "--format", "json"), ("explain", "model/model-1/training/r-8-2-1", "--format", "json"),
             ("sql", "--format", "csv", "SELECT run_id, sum(billed_cost) FROM posting GROUP BY ALL ORDER BY ALL"))

ERROR = re.compile(r'(?:error\[|"code":")([a-z-]+)')


def cut(path, length):
    path.write_bytes(path.read_bytes()[:length])


def flip(path, at):
    data = bytearray(path.read_bytes())
    data[at] ^= 1 << (at % 8)
    path.write_bytes(data)


def damages(size, flips, order):
    """What to do to a file of that size: a name, and a function of its path."""
    yield "removed", pathlib.Path.unlink
    for length in sorted({0, 1, size // 3, size // 2, size - 1}):
        yield f"cut to {length} of {size}", functools.partial(cut, length=length)
    for at in sorted(order.sample(range(size), min(flips, size))):
        yield f"bit {at % 8} of byte {at} flipped", functools.partial(flip, at=at)


def ask(tare, folder):
    answers = [run(tare, folder, *question) for question in QUESTIONS]
    return [(answer.returncode, answer.stdout, answer.stderr) for answer in answers]


def check_damage(tare, folder, before, what, counts):
    for (code, out, err), (_, wanted, _) in zip(ask(tare, folder), before):
        if code == 0 and out == wanted:
            counts["answered as before"] += 1
        elif code == 2 and ERROR.search(err) and "tare load" in err:
            counts[ERROR.search(err).group(1)] += 1
        else:
            yield f"{what}: exits {code}, {'another answer' if code == 0 else err.strip()}"
    healed = run(tare, folder, "load", "--full-refresh", "--quiet")
    if healed.returncode != 0:
        yield f"{what}: --full-refresh exits {healed.returncode}: {healed.stderr.strip()}"
    elif ask(tare, folder) != before:
        yield f"{what}: --full-refresh does not heal"


def check_files(tare, workspace, flips):
    whole = workspace / "whole"
    project.make(whole)
    assert run(tare, whole, "load", "--quiet").returncode == 0
    before = ask(tare, whole)
    assert all(code == 0 for code, _, _ in before), before
    tasks = [(name, what, damage) for name in sorted(p.name for p in (whole / ".tare").iterdir() if p.name != "lock")
             for what, damage in damages((whole / ".tare" / name).stat().st_size, flips, random.Random(name))]
    counts = collections.Counter()

    def check(index):
        name, what, damage = tasks[index]
        folder = workspace / f"damaged-{index}"
        shutil.copytree(whole, folder)
        path = folder / ".tare" / name
        path.chmod(0o644)
        damage(path)
        found = list(check_damage(tare, folder, before, f"{name} {what}", counts))
        shutil.rmtree(folder)
        return found

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        faults = [fault for found in pool.map(check, range(len(tasks))) for fault in found]
    for kind, count in counts.most_common():
        print(f"{count:5} {kind}")
    return faults


def check_two_loads(tare, workspace):
    """Two loads of one project at once, again and again, with a reader beside them."""
    folder = workspace / "two"
    project.make(folder)
    assert run(tare, folder, "load", "--quiet").returncode == 0
    wanted, faults, over = run(tare, folder, *REPORT).stdout, [], threading.Event()

    def read():
        while not over.is_set():
            report = run(tare, folder, *REPORT)
            if report.returncode != 0 or report.stdout != wanted:
                faults.append(f"a reader during loads: exits {report.returncode}: {report.stderr.strip()}")
                return

    reader = threading.Thread(target=read)
    reader.start()
    codes = collections.Counter()
    for _ in range(8):
        loads = [subprocess.Popen([str(tare), "-C", str(folder), "load", "--quiet", "--full-refresh"],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) for _ in range(2)]
        for load in loads:
            err = load.communicate()[1]
            codes[load.returncode] += 1
            if load.returncode not in (0, 2) or (load.returncode == 2 and "error[" not in err):
                faults.append(f"two loads: exits {load.returncode}: {err.strip()}")
    over.set()
    reader.join()
    print(f"two loads at once: {codes[0]} done, {codes[2]} refused")
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tare", required=True, type=pathlib.Path)
    parser.add_argument("--flips", type=int, default=12, help="of each file of the store")
    options = parser.parse_args()
    tare = options.tare.resolve()
    with tempfile.TemporaryDirectory(prefix="tare-damage-") as temporary:
        workspace = pathlib.Path(temporary)
        faults = check_files(tare, workspace, options.flips) + check_two_loads(tare, workspace)
    for fault in faults[:20]:
        print(fault)
    print(f"{len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
