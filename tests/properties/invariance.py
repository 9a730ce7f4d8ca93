#!/usr/bin/env python3
"""Same in, same out: what must not change a result does not.

    invariance.py --tare build/release/tare

Loads examples/acme as it is, and again loaded twice, with the rows of every file shuffled, with bills
split in two and joined into one, and with one thread or two; and compares the bytes of the report (text and
JSON), of cost and waste, and of every exported table. `lineage`, and the `place` and examples of findings,
name files and are left out.
"""

import argparse
import csv
import gzip
import io
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
QUESTIONS = (
    ("report", "--month", "2026-08"),
    ("report", "--month", "2026-08", "--format", "json"),
    ("report", "--month", "2026-07", "--format", "md"),
    ("cost", "--by", "model,stage,run,evidence", "--from", "2026-06", "--to", "2026-08", "--format", "json"),
    ("waste", "--by", "pool,resource,reason", "--format", "json"),
)
NAMES_FILES = {"lineage.parquet", "finding.parquet"}


def read_rows(path):
    raw = path.read_bytes()
    text = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode()
    rows = list(csv.reader(io.StringIO(text)))
    return rows[0], rows[1:]


def write_rows(path, header, rows):
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    data = out.getvalue().encode()
    path.write_bytes(gzip.compress(data, mtime=0) if path.suffix == ".gz" else data)


def exports(folder):
    return sorted(p for p in folder.rglob("*") if p.name.endswith((".csv", ".csv.gz")))


def shuffle(folder):
    order = random.Random(7)
    for path in exports(folder):
        header, rows = read_rows(path)
        order.shuffle(rows)
        columns = list(range(len(header)))
        order.shuffle(columns)
        write_rows(path, [header[c] for c in columns], [[row[c] for c in columns] for row in rows])


def split_bills(folder):
    for path in sorted((folder / "bill").iterdir()):
        header, rows = read_rows(path)
        name = path.name.split(".")[0]
        write_rows(path.with_name(name + "-a.csv"), header, rows[1::3])
        write_rows(path.with_name(name + "-b.csv.gz"), header, rows[0::3] + rows[2::3])
        path.unlink()


def join_bills(folder):
    everything = []
    for path in sorted((folder / "bill").iterdir()):
        header, rows = read_rows(path)
        everything += rows
        path.unlink()
    write_rows(folder / "bill" / "all.csv", header, everything)


VARIANTS = (
    ("loaded with one thread", lambda folder: None, 1, 1),
    ("loaded twice", lambda folder: None, 2, 2),
    ("rows and columns shuffled", shuffle, 2, 1),
    ("bills split", split_bills, 2, 1),
    ("bills joined", join_bills, 1, 1),
)


def answers(tare, folder, threads, loads):
    def run(*words):
        done = subprocess.run([tare, *words], cwd=folder, capture_output=True, check=False)
        if done.returncode != 0:
            sys.exit(f"tare {' '.join(words)} exited with {done.returncode}:\n{done.stderr.decode()}")
        return done.stdout
    for _ in range(loads):
        run("load", "--quiet", "--threads", str(threads))
    found = {" ".join(q): run(*q) for q in QUESTIONS}
    run("export", "parquet", "out", "--quiet")
    run("export", "focus", "out/focus.parquet", "--quiet")
    for path in sorted((folder / "out").iterdir()):
        if path.name not in NAMES_FILES:
            found[path.name] = path.read_bytes()
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tare", required=True, type=pathlib.Path)
    tare = parser.parse_args().tare.resolve()
    failures = 0
    with tempfile.TemporaryDirectory() as scratch:
        def project(name):
            folder = pathlib.Path(scratch) / name
            shutil.copytree(REPOSITORY / "examples" / "acme", folder, ignore=shutil.ignore_patterns(".tare"))
            return folder
        wanted = answers(tare, project("plain"), 2, 1)
        assert len(wanted) > len(QUESTIONS) + 5, "questions and exported tables"
        for name, change, threads, loads in VARIANTS:
            folder = project(name.replace(" ", "-"))
            change(folder)
            got = answers(tare, folder, threads, loads)
            different = [key for key in wanted if got.get(key) != wanted[key]]
            failures += len(different)
            print(f"{name}: " + (f"differs in {', '.join(different)}" if different else f"{len(wanted)} answers alike"))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
