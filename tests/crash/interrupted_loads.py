#!/usr/bin/env python3
"""A load that dies or fails anywhere loses nothing.

    interrupted_loads.py --tare build/release/tare --kills 40 --faults 40 [--jobs 2]

Two loads are interrupted: the first one of a project, and one after a month was restated. A shim
(fault.c) counts the calls by which the load changes its store; kills are spread over all of them, before and
after the call, and as many again come from outside at times spread over the load, which catches it reading.
Faults let one call each fail (EIO, ENOSPC), or every write
from one call on, as on a full disk. After each:
the store answers as before or not at all, the next load succeeds, and its report is the same, byte for byte, as
that of a load which nothing disturbed. The histogram says in which phase each interruption came.
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import project

HERE = pathlib.Path(__file__).resolve().parent
REPORT = ("report", "--from", "2026-07", "--to", "2026-08", "--format", "json")


def run(tare, folder, *words, env=None):
    return subprocess.run([str(tare), "-C", str(folder), *words], capture_output=True, text=True,
                          env={**os.environ, **(env or {})})


def phase_of(call, path, renamed):
    name = pathlib.Path(path).name
    if renamed:
        return "after the catalog's rename"
    if name.startswith("catalog.json"):
        return "the catalog's rename" if call == "rename" else "writing the catalog"
    for kind in ("bill", "facts", "timeline", "ledger"):
        if name.startswith(kind):
            return f"writing {kind}"
    return "lock and folder"


class Loads:
    """One load to disturb, with what it leaves when nothing does."""

    def __init__(self, tare, shim, workspace, name, restated):
        self.tare, self.shim, self.name = tare, shim, name
        self.before = workspace / f"{name}-before"
        project.make(self.before)
        self.old_report = None
        if restated:
            self.must(run(tare, self.before, "load", "--quiet"))
            self.old_report = self.must(run(tare, self.before, *REPORT)).stdout
            project.make(self.before, cents=77)
        self.workspace = workspace
        whole = self.copy("whole")
        started = time.monotonic()
        self.must(self.load(whole, log=workspace / f"{name}.log"))
        self.seconds = time.monotonic() - started
        self.new_report = self.must(run(tare, whole, *REPORT)).stdout
        self.calls = [line.split(" ", 2) for line in (workspace / f"{name}.log").read_text().splitlines()]
        self.phases, renamed = [], False
        for _, call, path in self.calls:
            self.phases.append(phase_of(call, path, renamed))
            renamed = renamed or (call == "rename" and pathlib.Path(path).name == "catalog.json")
        assert self.old_report != self.new_report and "the catalog's rename" in self.phases

    @staticmethod
    def must(result):
        assert result.returncode == 0, f"{result.args} exits {result.returncode}: {result.stderr}"
        return result

    def copy(self, name):
        folder = self.workspace / f"{self.name}-{name}"
        shutil.copytree(self.before, folder)
        return folder

    def environment(self, folder, at=0, how="EIO", log=None):
        return {"LD_PRELOAD": str(self.shim), "TARE_FAULT_UNDER": str(folder / ".tare"), "TARE_FAULT_AT": str(at),
                "TARE_FAULT_HOW": how, **({"TARE_FAULT_LOG": str(log)} if log else {})}

    def load(self, folder, **fault):
        return run(self.tare, folder, "load", "--quiet", env=self.environment(folder, **fault))

    def check(self, folder, what):
        """After an interruption: faults as text, none if all is well."""
        between = run(self.tare, folder, *REPORT)
        if between.returncode == 0:
            if between.stdout not in (self.old_report, self.new_report):
                return f"{what}: the store answers neither as before nor as after"
        elif self.old_report is not None or between.returncode != 2:
            return f"{what}: report exits {between.returncode}: {between.stderr.strip()}"
        again = run(self.tare, folder, "load", "--quiet")
        if again.returncode != 0:
            return f"{what}: the next load exits {again.returncode}: {again.stderr.strip()}"
        report = run(self.tare, folder, *REPORT)
        if report.stdout != self.new_report:
            return f"{what}: the report after the next load differs"
        left = [p.name for p in (folder / ".tare").iterdir() if ".part" in p.name or p.name.endswith(".tmp")]
        return f"{what}: leaves {left}" if left else None

    def disturb(self, index, at, how):
        folder = self.copy(f"{how}-{index}")
        try:
            call, phase = self.calls[at - 1][1], self.phases[at - 1]
            result = self.load(folder, at=at, how=how)
            what = f"{self.name}, {how} at call {at} ({call}, {phase})"
            if how.startswith("kill"):
                if result.returncode != -signal.SIGKILL:
                    return phase, f"{what}: was not killed"
            elif result.returncode not in (0, 2):
                return phase, f"{what}: exits {result.returncode}: {result.stderr.strip()}"
            return phase, self.check(folder, what)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def kill_from_outside(self, index, after):
        folder = self.copy(f"outside-{index}")
        log = self.workspace / f"{self.name}-outside-{index}.log"
        try:
            process = subprocess.Popen([str(self.tare), "-C", str(folder), "load", "--quiet"],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                       env={**os.environ, **self.environment(folder, log=log)})
            time.sleep(after)
            process.kill()
            process.wait()
            done = len(log.read_text().splitlines()) if log.exists() else 0
            phase = "reading, nothing written yet" if done == 0 else self.phases[min(done, len(self.phases)) - 1]
            if process.returncode == 0:
                phase = "ended before the kill"
            return phase, self.check(folder, f"{self.name}, kill after {after:.3f} s")
        finally:
            shutil.rmtree(folder, ignore_errors=True)
            log.unlink(missing_ok=True)


def spread(count, phases):
    """`count` numbers of calls, evenly over all (each once where there are fewer), with one of each phase."""
    most = len(phases)
    if count >= most:
        return list(range(1, most + 1))
    rare = {phase: at for at, phase in enumerate(phases, 1)}.values()
    even = [1 + i * most // count for i in range(count)]
    return sorted({*even[:max(0, count - len(rare))], *rare})


def tasks_of(loads, kills, faults):
    inside = kills - kills // 4
    before_and_after = [phase for phase in loads.phases for _ in range(2)]
    for i, point in enumerate(spread(inside, before_and_after)):
        yield "kills", loads.disturb, (i, (point + 1) // 2, "kill-before" if point % 2 else "kill-after")
    for i in range(kills // 4):
        yield "kills", loads.kill_from_outside, (i, loads.seconds * (i + 1) / (kills // 4 + 1))
    for i, at in enumerate(spread(faults, loads.phases)):
        yield "faults", loads.disturb, (i, at, ("EIO", "ENOSPC", "full")[i % 3])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tare", required=True, type=pathlib.Path)
    parser.add_argument("--kills", type=int, default=40, help="of each of the two loads")
    parser.add_argument("--faults", type=int, default=40, help="of each of the two loads")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    tare = options.tare.resolve()
    with tempfile.TemporaryDirectory(prefix="tare-crash-") as temporary:
        workspace = pathlib.Path(temporary)
        shim = workspace / "fault.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", str(shim), str(HERE / "fault.c"), "-ldl"], check=True)
        both = [Loads(tare, shim, workspace, "first load", False), Loads(tare, shim, workspace, "restated month", True)]
        tasks = [task for loads in both for task in tasks_of(loads, options.kills, options.faults)]
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            results = list(pool.map(lambda task: (task[0], *task[1](*task[2])), tasks))
    histogram = collections.Counter((kind, phase) for kind, phase, _ in results)
    for (kind, phase), count in sorted(histogram.items()):
        print(f"{count:5} {kind:6} {phase}")
    broken = [fault for _, _, fault in results if fault]
    for fault in broken[:20]:
        print(fault)
    print(f"{sum(kind == 'kills' for kind, _, _ in results)} kills and "
          f"{sum(kind == 'faults' for kind, _, _ in results)} faults, {len(broken)} not survived")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
