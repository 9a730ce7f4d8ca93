"""What stands in a folder is built, and what is built stands there."""

import re

from rooms import MAY_INCLUDE
from tree import check


@check("listed", bad=[
    ({"src/base/CMakeLists.txt": "tare_library(base SOURCES a.cc)", "src/base/a.cc": "",
      "src/base/b.cc": ""}, "src/base/b.cc: is not named"),
    ({"src/base/CMakeLists.txt": "tare_tests(base\n  # a_test.cc\n)", "src/base/a_test.cc": ""},
     "src/base/a_test.cc: is not named"),
    ({"src/sources/CMakeLists.txt": "tare_library(sources SOURCES focus.cc)",
      "src/sources/bill/focus.cc": ""}, "src/sources/bill/focus.cc: is not named"),
    ({"src/ledger/CMakeLists.txt": "tare_library(ledger)", "src/ledger/audit.sql": ""},
     "src/ledger/audit.sql: is not named"),
    ({"src/base/a.cc": ""}, "has no CMakeLists.txt"),
], good=[
    {"src/sources/CMakeLists.txt": "tare_library(sources SOURCES bill/focus.cc)\n"
                                   "tare_tests(sources bill/focus_test.cc)",
     "src/sources/bill/focus.cc": "", "src/sources/bill/focus_test.cc": "",
     "src/sources/sources.h": "",
     "src/measures/CMakeLists.txt": "foreach(name cube cost)", "src/measures/sql/cube.sql": ""},
])
def listed(tree):
    """Every source, test and .sql of src/ is named in its folder's CMakeLists.txt."""
    for room in MAY_INCLUDE:
        files = tree.paths(f"src/{room}/", (".cc", ".sql"))
        build = f"src/{room}/CMakeLists.txt"
        if files and not tree.exists(build):
            yield f"src/{room}: has no CMakeLists.txt"
            continue
        named = set()
        if files:
            named = set(re.findall(r"[\w./\-]+", re.sub(r"#[^\n]*", "", tree.text(build))))
        for path in files:
            inside = path[len(f"src/{room}/"):]
            stem = inside.split("/")[-1].removesuffix(".sql")  # .sql files may come from a loop
            if inside not in named and not (path.endswith(".sql") and stem in named):
                yield f"{path}: is not named in {build}, so it is not built"
