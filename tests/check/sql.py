"""SQL obeys the arrows of the includes: it reads tables of its own or an earlier stage."""

import re

import cpp_text
from rooms import MAY_INCLUDE, room_of
from tree import check
from words import sql_code

# The stage whose work a table or view holds. "store_" in front of a name is the same rows as they are
# stored. What is not named here belongs to the folder whose SQL creates it.
OWNER = {
    "synth": ("synth_row", "synth_line", "synth_dim"),
    "store": ("finding", "finding_example", "lineage"),
    "sources": ("bill_line", "line", "dim", "quarantine", "run", "hold", "resource", "alias",
                "device_usage", "outcome", "invoice", "request", "retrain_data", "rate_raw", "rate_card"),
    "timeline": ("device_state",),
    "ledger": ("account", "posting", "posting_dim", "day_cost", "month_cost", "converted", "conversion",
               "used_rate", "rate"),
    "measures": ("focus_share", "focus_row"),
}
# Files that may read every table, and why.
READS_ALL = {
    "src/store/views.sql": "defines the views of all stages, as only the store knows the files",
    "src/store/views.cc": "joins the files of all stages to one view a table",
}

# Part of DuckDB itself.
BUILT_IN = ("information_schema", "duckdb_", "pragma_", "sqlite_")

_STATEMENT = re.compile(r"\s*(SELECT|WITH|INSERT|CREATE|COPY|UPDATE|DELETE|FROM)\b", re.IGNORECASE)
_NOT_A_TABLE = re.compile(
    r"\b(?:extract|substring|trim|overlay)\s*\([^()]*\bfrom\b[^()]*\)|\bdistinct\s+from\b",
    re.IGNORECASE)
_FROM = re.compile(r"\b(?:FROM|JOIN)\s+((?:[\w.\"]+(?:\s+(?:AS\s+)?\w+)?\s*,\s*)*[\w.\"]+)(?!\s*\(|[\w.{\"])",
                   re.IGNORECASE)
_CTE = re.compile(r"(?:\bWITH(?:\s+RECURSIVE)?|,|\()\s*(\w+)\s*(?:\([\w\s,]*\))?\s+AS\s+"
                  r"(?:(?:NOT\s+)?MATERIALIZED\s+)?\(", re.IGNORECASE)
_CREATE = re.compile(r"\bCREATE\s+(?:OR\s+REPLACE\s+)?(?:TEMP(?:ORARY)?\s+)?(?:TABLE|VIEW)\s+"
                     r"(?:IF\s+NOT\s+EXISTS\s+)?(?:\w+\.)?(\w+)", re.IGNORECASE)


def statements(tree):
    """(path, first line, SQL) of each .sql file and each raw string in C++ that is SQL."""
    for path in tree.paths("src/", (".sql",)):
        yield path, 1, sql_code(tree.text(path))
    for path in tree.paths("src/", (".cc", ".h")):
        if not path.endswith("_test.cc"):
            for line, text in cpp_text.raw_strings(tree.text(path)):
                if _STATEMENT.match(text):
                    yield path, line, sql_code(text)


def owner(name, created):
    """The room that owns a table, or None."""
    bare = name.removeprefix("store_")
    for room, names in OWNER.items():
        if bare in names:
            return room
    if name.startswith("store_"):
        return "store"
    return created.get(name)


def read_tables(text):
    """(line within the text, name) of each table that the SQL reads."""
    text = _NOT_A_TABLE.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)
    own = {name.lower() for name in _CTE.findall(text)}
    for match in _FROM.finditer(text):
        for part in match.group(1).split(","):
            name = part.split()[0].replace('"', "").lower()
            schema, _, last = name.rpartition(".")
            if last not in own and not (schema or last).startswith(BUILT_IN):
                yield text.count("\n", 0, match.start()) + 1, last


@check("sql-stages", bad=[
    ({"src/timeline/a.sql": "SELECT * FROM posting;\n"}, "timeline may not read 'posting' of ledger"),
    ({"src/sources/a.sql": "SELECT 1\nFROM bill_line b\nJOIN device_state USING (x);\n"},
     "src/sources/a.sql:3: sources may not read 'device_state' of timeline"),
    ({"src/store/a.cc": 'f(R"sql(SELECT 1 FROM store_posting)sql");\n'},
     "store may not read 'store_posting' of ledger"),
    ({"src/ledger/a.sql": "SELECT 1 FROM whatever;\n"}, "'whatever' belongs to no folder"),
    ({"src/ledger/a.sql": "CREATE TABLE late AS SELECT 1;\n",
      "src/timeline/b.sql": "SELECT 1 FROM late;\n"}, "timeline may not read 'late' of ledger"),
    ({"src/timeline/a.sql": "SELECT 1 FROM bill_line b, posting p;\n"}, "'posting'"),
], good=[
    {"src/ledger/a.sql": "-- FROM measure_x\nWITH x AS (SELECT 1 FROM bill_line), y(a) AS (SELECT 2)\n"
                         "SELECT extract(day FROM t), 'FROM measure_x' FROM x, y JOIN range(3) ON true\n"
                         "JOIN device_state USING (a) WHERE a IS DISTINCT FROM b;\n"
                         "CREATE TEMP TABLE mine AS SELECT 1 FROM duckdb_tables();\n"
                         "SELECT 1 FROM mine JOIN store_posting USING (x);\n",
     "src/store/views.sql": "CREATE VIEW posting AS SELECT 1 FROM store_posting;\n",
     "src/cli/a.cc": 'f(R"(FROM posting)");\ng(R"(not FROM sql)");\n'},
])
def sql_stages(tree):
    """SQL reads only tables of its own or earlier stages."""
    found = list(statements(tree))
    created = {}
    for path, _, text in found:
        for name in _CREATE.findall(text):
            created[name.lower()] = room_of(path)
    for path, first, text in found:
        room = room_of(path)
        if path in READS_ALL:
            continue
        for line, name in read_tables(text):
            whose = owner(name, created)
            place = f"{path}:{first + line - 1}"
            if whose is None:
                yield f"{place}: '{name}' belongs to no folder; name its owner in tests/check/sql.py"
            elif whose != room and whose not in MAY_INCLUDE.get(room, ()):
                yield f"{place}: {room} may not read '{name}' of {whose}"
