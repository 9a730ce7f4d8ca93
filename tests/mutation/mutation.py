#!/usr/bin/env python3
"""Puts faults into the ledger, one by one, and sees whether the tests notice.

    mutation.py --build BUILD [--worlds 60] [--only TEXT]

BUILD is a build folder of a copy of the repository, which this changes and restores: never of the tree that you
work in. Each mutant is built, and must fail a world of tests/worlds or differ from the oracle on one of so many
random worlds. Exit 1 where one lives.
"""

import argparse
import pathlib
import subprocess
import sys

from mutants import MUTANTS


def caught_by(root, build, worlds):
    """What notices; "" nothing."""
    tare = build / "tare"
    compare = subprocess.run([sys.executable, "-B", root / "tests/oracle/compare.py", "--tare", tare, "0", str(worlds)],
                             capture_output=True, text=True)
    if compare.returncode != 0:
        return "the oracle"
    tests = subprocess.run(["ctest", "--test-dir", build, "-L", "world", "-j2", "--stop-on-failure"],
                           capture_output=True, text=True)
    return "" if tests.returncode == 0 else "a world"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("--worlds", type=int, default=60)
    parser.add_argument("--only", default="", help="mutants whose name holds this text")
    options = parser.parse_args()
    build = options.build.resolve()
    root = pathlib.Path(next(line.split("=", 1)[1] for line in (build / "CMakeCache.txt").read_text().splitlines()
                             if line.startswith("CMAKE_HOME_DIRECTORY")))
    lived, tried = [], 0
    for name, file, old, new in MUTANTS:
        if options.only not in name:
            continue
        path, text = root / file, (root / file).read_text()
        assert text.count(old) >= 1, f"{name}: the text is not in {file}"
        tried += 1
        try:
            path.write_text(text.replace(old, new, 1))
            built = subprocess.run(["cmake", "--build", build, "--target", "tare"], capture_output=True, text=True)
            assert built.returncode == 0, f"{name}: {built.stdout[-2000:]}"
            notice = caught_by(root, build, options.worlds)
        finally:
            path.write_text(text)
        print(f"{'caught by ' + notice if notice else 'LIVES':18} {name}", flush=True)
        if not notice:
            lived.append(name)
    subprocess.run(["cmake", "--build", build, "--target", "tare"], capture_output=True, check=True)
    print(f"{tried} mutants, {len(lived)} live")
    return 1 if lived else 0


if __name__ == "__main__":
    sys.exit(main())
