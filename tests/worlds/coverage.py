#!/usr/bin/env python3
"""Checks that every rule of the specification has a world, and that README.md lists them all.

    coverage.py            exit 1 with what is missing
    coverage.py --write    writes the table of README.md anew

The first comment of a world names what it is about, before the colon: `# R20, Runs: a line of ...`.
"""

import pathlib
import re
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
BEGIN, END = "<!-- worlds -->\n", "<!-- /worlds -->\n"

# Of design/rules.md: those that the first sources can express. The others come with their issues.
RULES = ([f"R{number:02}" for number in (1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 20, 21, 22, 23, 24, 25, 26, 27)]
         + ["R30", "R31", "R32", "R33", "R39", "R40", "R41", "R50", "R51", "R52"])
# Of design/model.md: the sections, and the paragraph on identity.
SECTIONS = ["Time", "Money", "Bill", "Runs", "Identity", "Ledger", "Utilisation", "Plain files"]
DECISIONS = "docs/ledger.md"  # where the specification leaves a case open
MINIMUM = 70


def subjects(text):
    """What the first comment says the world is about, or [] where it says nothing."""
    first = text.split("\n", 1)[0]
    found = re.match(r"# ([^:]+): ", first)
    return found.group(1).split(", ") if found else []


def read_worlds(folder):
    """{name: subjects}, sorted by name."""
    return {path.stem: subjects(path.read_text(encoding="utf-8"))
            for path in sorted(folder.glob("*.test"))}


def table(worlds):
    lines = ["| about | worlds |\n", "| --- | --- |\n"]
    for subject in RULES + SECTIONS + [DECISIONS]:
        names = [f"`{name}`" for name, about in worlds.items() if subject in about]
        lines.append(f"| {subject} | {' '.join(names)} |\n")
    return "".join(lines)


def problems(worlds, readme):
    known = set(RULES + SECTIONS + [DECISIONS])
    for name, about in worlds.items():
        if not about:
            yield f"{name}.test: its first line is no '# <rule>: ...'"
        for subject in about:
            if subject not in known:
                yield f"{name}.test: '{subject}' is neither a rule nor a section"
    for subject in RULES + SECTIONS + [DECISIONS]:
        if not any(subject in about for about in worlds.values()):
            yield f"'{subject}' has no world"
    if len(worlds) < MINIMUM:
        yield f"{len(worlds)} worlds, at least {MINIMUM} are wanted"
    if BEGIN + table(worlds) + END not in readme:
        yield "README.md: its table is not that of the worlds; run coverage.py --write"


def main():
    worlds = read_worlds(FOLDER)
    path = FOLDER / "README.md"
    readme = path.read_text(encoding="utf-8")
    if sys.argv[1:] == ["--write"]:
        before, _, rest = readme.partition(BEGIN)
        after = rest.partition(END)[2]
        path.write_text(before + BEGIN + table(worlds) + END + after, encoding="utf-8")
        return 0
    found = list(problems(worlds, readme))
    for problem in found:
        print(problem)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
