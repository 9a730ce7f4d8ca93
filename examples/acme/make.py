#!/usr/bin/env python3
"""Makes the example company acme beside this file. Python's standard library only.

make.py            writes the files, and the figures in README.md
make.py --check    reads the files back and checks them, writes nothing
"""

import pathlib
import sys

sys.dont_write_bytecode = True

from generator import bill, check, figures, files, story, truth  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent


def make():
    acme = story.build()
    lines = bill.build(acme)
    outcomes = files.outcomes()
    known = truth.build(acme, lines, files.request_counts(), files.outcome_sums(outcomes))
    return known, files.all_files(acme, lines, outcomes, known)


def main(arguments):
    if arguments not in ([], ["--check"]):
        sys.exit(__doc__)
    known, made = make()
    if arguments:
        return check.run(HERE, made)
    files.write(HERE, made)
    figures.into(HERE / "README.md", known)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
