"""Who may include whom."""

import re

import cpp_text
from rooms import DOORLESS, MAY_INCLUDE, SOURCE_KINDS, TOP_LEVEL, room_of
from tree import check

CODE = (".cc", ".h")
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"]+)"|<([^>]+)>)', re.MULTILINE)


def includes(tree, path):
    """(line, quoted path or None, angled path or None) of each include."""
    text = cpp_text.without_comments(tree.text(path))
    for match in _INCLUDE.finditer(text):
        yield text.count("\n", 0, match.start()) + 1, match.group(1), match.group(2)


@check("rooms", bad=[
    ({"src/common/x.h": ""}, "'common' is not a room"),
    ({"src/main.cc": ""}, "lies in no room"),
    ({"src/sources/misc/x.cc": ""}, "'misc' is not a kind"),
    ({"src/ledger/deep/x.cc": ""}, "only src/sources has folders"),
    ({"src/ledger/sql/x.cc": ""}, "only src/sources has folders"),
    ({"src/store/files.h": ""}, "has no door store.h"),
    ({"lib/x.cc": ""}, "'lib' is not a room"),
], good=[
    {"src/base/money.h": "", "src/sources/sources.h": "", "src/sources/bill/focus.cc": "",
     "src/measures/sql/a.sql": "", "tests/a/b.py": "", "README.md": ""},
])
def rooms(tree):
    """Every file lies in a room of the house."""
    for path in tree.paths():
        top = path.split("/")[0]
        if "/" in path and top not in TOP_LEVEL:
            yield f"{path}: '{top}' is not a room of the repository"
    for path in tree.paths("src/", CODE + (".sql",)):
        yield from _room_problems(path)
    for room in sorted({room_of(path) for path in tree.paths("src/", (".h",))} - {None}):
        if room in MAY_INCLUDE and room not in DOORLESS and not tree.exists(f"src/{room}/{room}.h"):
            yield f"src/{room}: has no door {room}.h"


def _room_problems(path):
    room, rest = room_of(path), path.split("/")[2:]
    if room is None:
        yield f"{path}: lies in no room of src/"
    elif room not in MAY_INCLUDE:
        yield f"{path}: '{room}' is not a room of src/"
    elif len(rest) == 2 and rest[0] == "sql" and path.endswith(".sql"):
        return  # where a room has many of them
    elif len(rest) > 1 and room != "sources":
        yield f"{path}: only src/sources has folders inside"
    elif len(rest) > 1 and rest[0] not in SOURCE_KINDS:
        yield f"{path}: '{rest[0]}' is not a kind of source"


@check("includes", bad=[
    ({"src/base/a.h": '#include "store/store.h"', "src/store/store.h": ""}, "base may not include store"),
    ({"src/report/a.cc": '#include "store/store.h"', "src/store/store.h": ""},
     "report may not include store"),
    ({"src/store/a.cc": '  #  include "ledger/ledger.h"', "src/ledger/ledger.h": ""},
     "store may not include ledger"),
    ({"src/ledger/a.cc": '#include "store/files.h"', "src/store/files.h": ""}, "the door"),
    ({"src/base/a.cc": '#include "b.h"', "src/base/b.h": ""}, "does not exist under src/"),
    ({"src/base/a.cc": '#include "embedded/ledger.h"'}, "embedded files of another folder"),
    ({"src/ledger/a.cc": '#include "duckdb.h"'}, "only src/store may include duckdb.h"),
    ({"src/cli/a_test.cc": "#include <duckdb.h>"}, "only src/store may include duckdb.h"),
    ({"bench/a.cc": "#include <duckdb.h>"}, "only src/store may include duckdb.h"),
], good=[
    {"src/store/a.cc": '#include "store/b.h"\n#include <vector>\n#include <duckdb.h>\n'
                       '#include "base/c.h"\n#include "duckdb.h"\n#include "embedded/store.h"\n'
                       '// #include "cli/cli.h"\n',
     "src/store/b.h": "", "src/base/c.h": "",
     "src/cli/main.cc": '#include "store/store.h"', "src/store/store.h": ""},
])
def arrows(tree):
    """Includes run one way, and through the door."""
    for path in tree.paths("", CODE):
        room = room_of(path)
        for line, quoted, angled in includes(tree, path):
            place = f"{path}:{line}"
            if "duckdb.h" in (quoted, angled):
                if room != "store":
                    yield f"{place}: only src/store may include duckdb.h"
            elif quoted and room in MAY_INCLUDE:
                yield from _arrow_problems(tree, place, room, quoted)


def _arrow_problems(tree, place, room, quoted):
    other = quoted.split("/")[0]
    if other == "embedded":
        if quoted != f"embedded/{room}.h":
            yield f"{place}: '{quoted}' holds embedded files of another folder"
    elif not tree.exists(f"src/{quoted}"):
        yield f"{place}: '{quoted}' does not exist under src/; paths start there"
    elif other != room and other not in MAY_INCLUDE[room]:
        yield f"{place}: {room} may not include {other}"
    elif other not in (room, "base") and quoted != f"{other}/{other}.h":
        yield f"{place}: '{quoted}' is private to {other}; the door is {other}/{other}.h"


@check("cycles", bad=[
    ({"src/base/a.h": '#include "base/b.h"', "src/base/b.h": '#include "base/a.h"'},
     "src/base/a -> src/base/b -> src/base/a"),
    ({"src/base/a.cc": '#include "base/b.h"', "src/base/a.h": "",
      "src/base/b.cc": '#include "base/c.h"', "src/base/b.h": "",
      "src/base/c.h": '#include "base/a.h"'}, "src/base/a -> src/base/b -> src/base/c -> src/base/a"),
], good=[
    {"src/base/a.h": "", "src/base/a.cc": '#include "base/a.h"\n#include "base/b.h"',
     "src/base/b.h": "", "src/base/b_test.cc": '#include "base/a.h"\n#include "base/b.h"'},
    {"src/report/report.h": "", "src/report/report.cc": '#include "report/csv.h"',
     "src/report/csv.h": '#include "report/report.h"'},
])
def cycles(tree):
    """No cycle, with a header and its source taken as one (but for a door: its source wires the parts)."""
    graph = {}
    for path in tree.paths("src/", CODE):
        if path.endswith("_test.cc") or path == f"src/{room_of(path)}/{room_of(path)}.cc":
            continue
        targets = graph.setdefault(_component(path), set())
        for _, quoted, _ in includes(tree, path):
            if quoted and tree.exists(f"src/{quoted}"):
                targets.add(_component(f"src/{quoted}"))
    done = set()
    for start in sorted(graph):
        yield from _walk(graph, start, [], done)


# Headers that are the private half of another: they define the Impl structs that it only declares.
PRIVATE_HALVES = {"src/store/handles": "src/store/database", "src/store/result": "src/store/database"}


def _component(path):
    stem = path.rsplit(".", 1)[0]
    return PRIVATE_HALVES.get(stem, stem)


def _walk(graph, node, trail, done):
    if node in trail:
        yield " -> ".join(trail[trail.index(node):] + [node])
        return
    if node in done:
        return
    for target in sorted(graph.get(node, ())):
        if target != node:
            yield from _walk(graph, target, trail + [node], done)
    done.add(node)
