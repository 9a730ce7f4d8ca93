#!/usr/bin/env python3
"""`make bench`: tare and its peers on the same worlds, side by side.

    run.py --tare PATH [--lines N] [--holds H] [--rounds R] [--only GLOB]... [--folder DIR]

Each round runs every contestant once, one after another, so that what else the machine does falls on
all of them alike; of the rounds the median counts. Compare CPU seconds: the wall's depend on who else
is at work. Prints a table, and writes it with every single figure to FOLDER.txt and FOLDER.json.

This program stays small and leaves all work on data to children: a child's peak memory is counted
from its parent's.
"""

import argparse
import fnmatch
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
PEERS = ("duckdb_sql", "polars_lazy", "pandas_frame")
SMALLEST = 100_000  # lines; growth is measured from here
FIGURES = ("seconds", "cpu_seconds", "peak_bytes")
POSTING_PEERS = [f"{peer} postings" for peer in PEERS]
LINE_PEERS = [f"{peer} lines" for peer in PEERS]


class Contestant:
    """A command to measure on a world; `prepare` runs before it and is not measured."""

    def __init__(self, name, world, command, prepare=lambda: None):
        self.name = name
        self.world = world
        self.command = [str(word) for word in command]
        self.prepare = prepare
        self.rounds = []

    def title(self):
        return f"{self.name}, {self.world}"

    def median(self, figure):
        return statistics.median(one[figure] for one in self.rounds)

    def run(self, log):
        self.prepare()
        os.sync()  # what the one before left unwritten is not this one's
        log.write(f"\n$ {' '.join(self.command)}\n")
        log.flush()
        started = time.monotonic()
        child = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.monotonic() - started
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            sys.exit(f"bench: {self.title()}: exit code {child.returncode}; see {log.name}")
        self.rounds.append({"seconds": seconds, "cpu_seconds": usage.ru_utime + usage.ru_stime,
                            "peak_bytes": usage.ru_maxrss * 1024})


class World:
    """The inputs of one size and order, and a project of tare's on them."""

    def __init__(self, folder, tare, name, lines, holds, shuffled=False):
        self.name = name
        self.tare = tare
        self.lines = lines
        self.inputs = folder / f"world-{lines}-{holds}{'-shuffled' if shuffled else ''}"
        self.project = folder / f"project-{lines}{'-shuffled' if shuffled else ''}"
        self.folder = folder
        self.make = [sys.executable, "-B", HERE / "world.py", self.inputs, "--lines", str(lines),
                     "--holds", str(holds), *(["--shuffled"] if shuffled else [])]

    def prepare(self):
        subprocess.run(self.make, check=True)
        shutil.rmtree(self.project, ignore_errors=True)
        # Links: tare does not write into its inputs.
        shutil.copytree(self.inputs, self.project, copy_function=os.link)
        self.with_pool("pool")

    def with_pool(self, tag):
        text = (self.inputs / "tare.yaml").read_text().replace("pool_tag: pool", f"pool_tag: {tag}")
        path = self.project / "tare.yaml"
        path.unlink()  # a link
        path.write_text(text)

    def without_store(self):
        shutil.rmtree(self.project / ".tare", ignore_errors=True)
        self.with_pool("pool")

    def with_store(self):
        if not (self.project / ".tare" / "catalog.json").exists():
            subprocess.run([self.tare, "-C", self.project, "load", "--quiet"], check=True,
                           stdout=subprocess.DEVNULL)

    def with_other_pools(self):
        """Another policy: the next load posts all lines again, and reads none of the inputs."""
        self.with_store()
        self.with_pool("team")

    def peer_out(self, peer, mode):
        return self.folder / "out" / f"{self.name}-{peer}-{mode}"


def ours(world, name="tare load", prepare=None, arguments=("load", "--full-refresh")):
    return Contestant(name, world.name, [world.tare, "-C", world.project, *arguments],
                      prepare or world.without_store)


def peer(world, name, mode):
    out = world.peer_out(name, mode)
    return Contestant(f"{name} {mode}", world.name, [
        sys.executable, "-B", HERE / "peers" / f"{name}.py", world.inputs, out, "--mode", mode])


def contestants(worlds):
    """In the order of a round; the questions follow the load that they ask of."""
    ordered, shuffled, *smaller = worlds
    found = [ours(ordered)]
    for name, arguments in (("tare load again", ("load",)), ("tare report", ("report",)),
                            ("tare reconcile", ("reconcile",))):
        found.append(ours(ordered, name, ordered.with_store, arguments))
    found.append(ours(ordered, "tare post again", ordered.with_other_pools, ("load",)))
    found += [peer(ordered, name, mode) for mode in ("postings", "lines") for name in PEERS]
    found += [ours(shuffled), *(peer(shuffled, name, "postings") for name in PEERS)]
    return found + [ours(world) for world in smaller]


def chosen(all_of_them, only):
    patterns = [pattern if "," in pattern else f"{pattern}, *" for pattern in only]
    found = [one for one in all_of_them
             if not patterns or any(fnmatch.fnmatch(one.title(), pattern) for pattern in patterns)]
    if not found:
        sys.exit("bench: --only fits none of: " + "; ".join(one.title() for one in all_of_them))
    return found


def agreement(world, found):
    """What bench/agree.py proves of the last round's answers, where there are ours and a peer's."""
    outs = [world.peer_out(name, mode) for name in PEERS for mode in ("postings", "lines")
            if any(one.title() == f"{name} {mode}, {world.name}" for one in found)]
    if not outs or not any(one.name == "tare load" and one.world == world.name for one in found):
        return None
    world.with_store()
    proof = subprocess.run([sys.executable, "-B", HERE / "agree.py", world.inputs, world.tare,
                            world.project, *outs], capture_output=True, text=True)
    if proof.returncode != 0:
        sys.exit(f"bench: {world.name}: the answers differ\n{proof.stderr}")
    return proof.stdout.strip()


def cpu(found, world, names):
    """CPU seconds of the fastest of these contestants, or None where none of them ran."""
    return min((one.median("cpu_seconds") for one in found if one.world == world and one.name in names),
               default=None)


def ratios(found):
    wanted = {
        "tare load / fastest peer, postings only": ("in order", "tare load", POSTING_PEERS),
        "tare load / fastest peer, postings only, shuffled": ("shuffled", "tare load", POSTING_PEERS),
        "tare load / fastest peer, lines with postings": ("in order", "tare load", LINE_PEERS),
        "tare post again / fastest peer, postings only": ("in order", "tare post again", POSTING_PEERS),
    }
    answer = {}
    for name, (world, own, peers) in wanted.items():
        our_cpu, peer_cpu = cpu(found, world, [own]), cpu(found, world, peers)
        if our_cpu is not None and peer_cpu is not None:
            answer[name] = our_cpu / peer_cpu
    return answer


def growth(found, worlds):
    """CPU a line of the whole world ÷ CPU a line of a smaller one; 1 is linear."""
    whole = cpu(found, worlds[0].name, ["tare load"])
    answer = {}
    for world in worlds[2:]:
        part = cpu(found, world.name, ["tare load"])
        if whole is not None and part is not None:
            answer[world.name] = (whole / worlds[0].lines) / (part / world.lines)
    return answer


def table(found, result):
    lines = [f"bench: {result['version']}; {result['lines']:,} lines, {result['holds']:,} holds; "
             f"medians of {result['rounds']}; {result['cores']} cores",
             "", f"{'':44}{'seconds':>9}{'CPU s':>9}{'MiB':>8}{'CPU / fastest peer':>20}"]
    for one in found:
        fastest = cpu(found, one.world, POSTING_PEERS)
        against = f"{one.median('cpu_seconds') / fastest:20.2f}" if fastest else ""
        lines.append(f"{one.title():44}{one.median('seconds'):9.2f}{one.median('cpu_seconds'):9.2f}"
                     f"{one.median('peak_bytes') / 2**20:8.0f}{against}")
    lines.append("")
    lines += [f"{name}: {value:.2f}" for name, value in result["ratios"].items()]
    lines += [f"growth of CPU a line from {name}: {value:.2f}" for name, value in result["growth"].items()]
    lines += [f"{name}: {proof}" for name, proof in result["agreement"].items()]
    return "\n".join(lines) + "\n"


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tare", type=pathlib.Path, required=True)
    parser.add_argument("--lines", type=int, default=10_000_000)
    parser.add_argument("--holds", type=int, help="a tenth of the lines, if not given")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", action="append", default=[], metavar="GLOB",
                        help="as 'tare *' or 'polars_lazy postings, shuffled'; may be repeated")
    parser.add_argument("--folder", type=pathlib.Path, default=HERE.parent / "build" / "bench",
                        help="for the worlds and what is written; 6 GB at ten million lines")
    options = parser.parse_args()
    options.holds = options.holds or options.lines // 10
    options.tare = options.tare.resolve()
    options.folder = options.folder.resolve()
    return options


def worlds_of(options):
    def world(name, lines, shuffled=False):
        return World(options.folder, options.tare, name, lines, options.holds * lines // options.lines,
                     shuffled)

    smaller = []
    lines = SMALLEST
    while lines < options.lines:
        smaller.append(world(f"{lines:,} lines", lines))
        lines *= 10
    return [world("in order", options.lines), world("shuffled", options.lines, True), *smaller]


def main():
    options = arguments()
    worlds = worlds_of(options)
    found = chosen(contestants(worlds), options.only)
    options.folder.mkdir(parents=True, exist_ok=True)
    used = [world for world in worlds if any(one.world == world.name for one in found)]
    for world in used:
        print(f"world {world.name}: {world.lines:,} lines", file=sys.stderr, flush=True)
        world.prepare()
    with (options.folder / "bench.log").open("w") as log:
        for number in range(options.rounds):
            for one in found:
                one.run(log)
                last = one.rounds[-1]
                print(f"round {number + 1}: {one.title()}: {last['cpu_seconds']:.2f} CPU s, "
                      f"{last['seconds']:.2f} s", file=sys.stderr, flush=True)
    version = subprocess.run([options.tare, "--version"], check=True, capture_output=True, text=True)
    proofs = {world.name: agreement(world, found) for world in used}
    result = {
        "version": version.stdout.split("\n")[0], "lines": options.lines, "holds": options.holds,
        "rounds": options.rounds, "cores": os.cpu_count(),
        "contestants": [{"name": one.name, "world": one.world, "rounds": one.rounds,
                         **{figure: one.median(figure) for figure in FIGURES}} for one in found],
        "ratios": ratios(found), "growth": growth(found, worlds),
        "agreement": {name: proof for name, proof in proofs.items() if proof},
    }
    text = table(found, result)
    options.folder.with_suffix(".json").write_text(json.dumps(result, indent=1) + "\n")
    options.folder.with_suffix(".txt").write_text(text)
    print("\n" + text, end="")


if __name__ == "__main__":
    main()
