#!/usr/bin/env python3
"""Checks that the code is built the way docs/architecture.md says.

    house.py            all checks
    house.py includes   one check
    house.py --list     their names

Each check first proves itself on its samples. Prints one line a problem; exits 1 if there is any.
"""

import pathlib
import sys

# The modules declare their checks when they are imported.
import docs  # noqa: F401
import includes  # noqa: F401
import listed  # noqa: F401
import setup  # noqa: F401
import sizes  # noqa: F401
import sql  # noqa: F401
import words  # noqa: F401
from tree import CHECKS, Tree

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]


def self_test(one):
    """What is wrong with the check itself."""
    for files, part in one.bad:
        found = list(one.find_problems(Tree(dict(files))))
        if not any(part in problem for problem in found):
            yield f"does not catch its bad sample ({part}) in {sorted(files)}; it says {found}"
    for files in one.good:
        found = list(one.find_problems(Tree(dict(files))))
        if found:
            yield f"finds fault with its good sample {sorted(files)}: {found}"


def run(one, tree):
    problems = [f"check '{one.name}' {problem}" for problem in self_test(one)]
    problems += one.find_problems(tree)
    return problems


def main(arguments):
    if arguments == ["--list"]:
        print("\n".join(CHECKS))
        return 0
    unknown = [name for name in arguments if name not in CHECKS]
    if unknown:
        print(f"there is no check '{unknown[0]}'; there are: {' '.join(CHECKS)}", file=sys.stderr)
        return 2
    tree = Tree.of_repository(REPOSITORY)
    failed = 0
    for name in arguments or CHECKS:
        problems = run(CHECKS[name], tree)
        if problems:
            failed += 1
            print(f"{name}: {CHECKS[name].meaning}")
            print("".join(f"  {problem}\n" for problem in problems), end="")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
