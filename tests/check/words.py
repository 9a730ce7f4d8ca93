"""Words that may not be used, and comments that must be there."""

import re

import cpp_text
from tree import check

CODE = (".cc", ".h", ".py", ".sql", ".ts", ".cmake", ".txt", ".sh")

# They name a drawer, not what is in it.
DRAWERS = {"util", "utils", "utilities", "helper", "helpers", "manager", "data", "misc", "common", "stuff"}
# Promised names of formats, in which the word means something.
NAMED_SO = {"retrain_data"}

# Spelt apart, so that this file does not hold them.
OPEN_ENDS = ("TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK")


@check("file-names", bad=[
    ({"src/base/string_utils.cc": ""}, "'utils'"),
    ({"src/store/data.h": ""}, "'data'"),
    ({"tools/load-helper.py": ""}, "'helper'"),
    ({"src/sources/bill/DataManager.h": ""}, "lower snake case"),
], good=[{"src/base/money.h": "", "src/sources/runs/retrain_data.cc": "", "examples/data.csv": ""}])
def file_names(tree):
    """Files are named after the concept in them, in lower snake case."""
    for path in tree.paths("", CODE):
        name = path.split("/")[-1]
        stem = re.sub(r"(_test)?\.\w+$", "", name)
        if path.startswith("src/") and name != "CMakeLists.txt" and not re.fullmatch(r"[a-z0-9_]+", stem):
            yield f"{path}: the name is not in lower snake case"
        for word in re.split(r"[_.\-]", stem.lower()):
            if word in DRAWERS and stem not in NAMED_SO:
                yield f"{path}: '{word}' names a drawer, not what is in it"


@check("no-floating-money", bad=[
    ({"src/ledger/a.cc": "void f() {\n  double cost = 0;\n}\n"}, "src/ledger/a.cc:2"),
    ({"src/ledger/a.h": "float f();\n"}, "'float'"),
    ({"src/base/money.cc": "long double x;\n"}, "'double'"),
    ({"src/base/money.h": "using float64_t = int;\nstd::float_t x;\n"}, "'float64_t'"),
    ({"src/ledger/a.sql": "SELECT sum(cost::DOUBLE) FROM posting;\n"}, "'DOUBLE'"),
], good=[
    {"src/ledger/a.cc": "// a double would round\nconst char* x = \"double\";\n",
     "src/base/money.h": "Money(double) = delete;\n"
                         "static_assert(!std::is_constructible_v<Money, double>);\n",
     "src/measures/a.cc": "double ratio;\n",
     "src/ledger/b.sql": "-- no DOUBLE here\nSELECT 'double';\n"},
])
def no_floating_money(tree):
    """Money and the ledger know no floating point."""
    for path in tree.paths("src/ledger/") + tree.paths("src/base/money"):
        if path.endswith((".cc", ".h")):
            text, words = cpp_text.code_only(tree.text(path)), r"\b(double|float(?:\d*_t)?)\b"
        elif path.endswith(".sql"):
            text, words = sql_code(tree.text(path)), r"(?i)\b(double|float\d?|real)\b"
        else:
            continue
        for number, line in enumerate(text.splitlines(), 1):
            for word in re.findall(words, line):
                if "= delete" not in line and "static_assert" not in line:
                    yield f"{path}:{number}: '{word}' next to money"


def sql_code(text):
    """SQL with comments and texts blanked; lines keep their numbers."""
    return re.sub(r"--[^\n]*|/\*.*?\*/|'(?:[^']|'')*'",
                  lambda m: re.sub(r"[^\n]", " ", m.group()), text, flags=re.DOTALL)


@check("open-ends", bad=[
    ({"src/base/a.cc": f"// {OPEN_ENDS[0]}: later\n"}, OPEN_ENDS[0]),
    ({"tools/a.py": f"x = 1  # {OPEN_ENDS[1]}\n"}, OPEN_ENDS[1]),
    ({"Makefile": f"# {OPEN_ENDS[3]}\n"}, OPEN_ENDS[3]),
], good=[{"src/base/a.cc": "// to do so is right\n"}])
def open_ends(tree):
    """No marker of unfinished work."""
    pattern = re.compile(r"\b(" + "|".join(OPEN_ENDS) + r")\b")
    for path in tree.paths("", CODE + ("Makefile", "run", "setup", ".yaml", ".json")):
        for number, line in enumerate(tree.lines(path), 1):
            found = pattern.search(line)
            if found:
                yield f"{path}:{number}: {found.group()}: finish it, or file it"


@check("no-machine-paths", bad=[
    ({"docs/a.md": "see /ho" + "me/jo/tare\n"}, "docs/a.md:1"),
    ({"tools/setup": "cp /ro" + "ot/x .\n"}, "absolute path"),
    ({"src/base/a.cc": 'f("/wo' + 'rk/a");\n'}, "absolute path"),
    ({"web/lock.json": '"resolved": "https://registry.npm' + 'js.org/a"\n'}, "host of a registry"),
], good=[{"README.md": "the work/home folder; https://example.org/home/x; build/release/tare\n"}])
def no_machine_paths(tree):
    """No file names a path of someone's machine or a host of a package registry."""
    path_pattern = re.compile(r"(?<![\w./\-])/(?:home|root|work|Users|tmp)/\w")
    host_pattern = re.compile(r"registry\.npm" + r"js\.org|registry\.yarn" + r"pkg\.com|files\.python" +
                              r"hosted\.org|proxy\.go" + r"lang\.org|deb\.deb" + r"ian\.org")
    for path in tree.paths():
        if path.endswith((".csv", ".gz", ".parquet")):
            continue
        for number, line in enumerate(tree.lines(path), 1):
            if path_pattern.search(line):
                yield f"{path}:{number}: names an absolute path"
            if host_pattern.search(line):
                yield f"{path}:{number}: names the host of a registry"


@check("leading-comment", bad=[
    ({"src/base/a.h": "#pragma once\n\nint x;\n"}, "src/base/a.h"),
    ({"src/ledger/a.sql": "SELECT 1;\n"}, "src/ledger/a.sql"),
    ({"src/base/b.h": "// Short.\nint x;\n"}, "#pragma once"),
], good=[
    {"src/base/a.h": "// Exact amounts.\n#pragma once\n", "src/base/b.h": "#pragma once\n\n// Spans.\n",
     "src/ledger/a.sql": "-- grain: day\nSELECT 1;\n"},
])
def leading_comment(tree):
    """Every header and every .sql opens with its meaning."""
    for path in tree.paths("src/", (".h", ".sql")):
        lines = [line for line in tree.lines(path) if line.strip()]
        if path.endswith(".h") and "#pragma once" not in lines:
            yield f"{path}: has no '#pragma once'"
        rest = [line for line in lines[:2] if line != "#pragma once"]
        if not rest or not rest[0].startswith(("//", "/*", "--")):
            yield f"{path}: does not open with a comment that says what it is for"
