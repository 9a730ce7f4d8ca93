"""Documents name what is there, and name it in a way that lasts."""

import fnmatch
import re

from rooms import MAY_INCLUDE, TOP_LEVEL
from tree import check

# Top-level files that a document may name without a folder.
_TOP_FILE = re.compile(r"[\w.\-]+\.(?:md|txt|json|cmake)|Makefile|LICENSE|NOTICE")
# Made by a build or a run, so they are no files of the repository.
_MADE = ("build/", ".deps", ".tare", "journal/")
# Files of a user's project, which documents speak of.
_USER_FILES = {"tare.yaml", "runs.csv", "report.json", "report.md"}


def documents(tree):
    return [path for path in tree.paths("", (".md",))
            if not path.startswith(("tests/", "examples/", "web/")) and path != "CHANGELOG.md"]


def ticked(text):
    """(line, token) of each `token` outside fenced blocks."""
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced:
            for token in re.findall(r"`([^`\s]+)`", line):
                yield number, token


def links(text):
    """(line, target) of each Markdown link that stays inside the repository."""
    for number, line in enumerate(text.splitlines(), 1):
        for target in re.findall(r"\]\(([^)\s]+)\)", line):
            target = target.split("#")[0]
            if target and "://" not in target:
                yield number, target


@check("doc-paths", bad=[
    ({"README.md": "see `src/base/gone.h`\n"}, "README.md:1: 'src/base/gone.h'"),
    ({"docs/architecture.md": "x\nsee `docs/gone.md` and `src/gone/`\n"}, "'src/gone/'"),
    ({"docs/architecture.md": "`tests/cli/*.test`\n"}, "'tests/cli/*.test'"),
    ({"docs/architecture.md": "`store/gone.h`\n", "src/store/store.h": ""}, "'store/gone.h'"),
    ({"docs/architecture.md": "`GONE.md`\n"}, "'GONE.md'"),
    ({"docs/a.md": "[the map](gone.md)\n"}, "'gone.md'"),
    ({"README.md": "[the map](docs/gone.md#part)\n"}, "'docs/gone.md'"),
], good=[
    {"README.md": "`src/base/money.h`, `src/base/`, `base/money.h`, `src/*/money.h`, `tare.yaml`, `a/b`,\n"
                  "`build/release/tare`, `tests/`, [b](docs/b.md#x), [w](https://example.org/gone.md)\n"
                  "```\nsee `src/gone.h`\n```\n",
     "docs/b.md": "[back](../README.md)\n", "src/base/money.h": "", "tests/a.py": ""},
])
def doc_paths(tree):
    """Every path that a document names is there."""
    for document in documents(tree):
        text = tree.text(document)
        for number, token in ticked(text):
            if not _named_path_exists(tree, token):
                yield f"{document}:{number}: '{token}' does not exist"
        for number, target in links(text):
            folder = document.rsplit("/", 1)[0] if "/" in document else ""
            if not tree.exists(_joined(folder, target)):
                yield f"{document}:{number}: link to '{target}', which does not exist"


def _named_path_exists(tree, token):
    if token.startswith(_MADE) or token in _USER_FILES or not re.fullmatch(r"[\w.\-*/]+", token):
        return True
    first = token.split("/")[0]
    if "/" not in token:
        return not _TOP_FILE.fullmatch(token) or tree.exists(token)
    if first in TOP_LEVEL:
        return _found(tree, token)
    if first in MAY_INCLUDE and token.endswith((".h", ".cc", ".sql")):
        return _found(tree, "src/" + token)
    return True


def _found(tree, token):
    if "*" in token:
        return bool(fnmatch.filter(tree.paths(), token))
    return tree.exists(token)


def _joined(folder, target):
    parts = folder.split("/") if folder else []
    for part in target.split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part not in (".", ""):
            parts.append(part)
    return "/".join(parts)


@check("doc-line-numbers", bad=[
    ({"docs/a.md": "in `src/base/money.h:42`\n"}, "docs/a.md:1"),
    ({"README.md": "[split](src/base/money.cc#L10)\n"}, "README.md:1"),
    ({"docs/a.md": "see lines 10-20 of money.cc\n"}, "docs/a.md:1"),
], good=[{"docs/a.md": "an error says `bill.csv:48213:18: error`; the first line of a file\n"}])
def doc_line_numbers(tree):
    """Documents name symbols, not lines, which move."""
    pattern = re.compile(r"\.(?:cc|h|py|sql|cmake|ts)(?::\d|#L\d)|\blines? \d+(?:-\d+)? of\b")
    for document in documents(tree):
        for number, line in enumerate(tree.lines(document), 1):
            if pattern.search(line):
                yield f"{document}:{number}: names a line of code"


@check("decisions", bad=[
    ({"docs/decisions/0001-a.md": "# 1. A\n" + "x\n" * 40}, "41 lines"),
    ({"docs/decisions/0001-a.md": "# 1. A\n\n## Situation\n\n## Choice\n"}, "## Price"),
    ({"docs/decisions/a.md": ""}, "NNNN-"),
    ({"docs/decisions/0001-a.md": "# 1. A\n## Situation\n## Choice\n## Price\n",
      "docs/decisions/0003-b.md": "# 3. B\n## Situation\n## Choice\n## Price\n"}, "0002"),
], good=[{"docs/decisions/0001-a.md": "# 1. A\n\n## Situation\n\n## Choice\n\n## Price\n"}])
def decisions(tree):
    """A decision is one numbered page: situation, choice, price."""
    for expected, path in enumerate(tree.paths("docs/decisions/"), 1):
        name = path.split("/")[-1]
        if not re.fullmatch(r"\d{4}-[a-z0-9\-]+\.md", name):
            yield f"{path}: is not named NNNN-what-was-decided.md"
            continue
        if int(name[:4]) != expected:
            yield f"{path}: the next number is {expected:04d}"
        lines = tree.lines(path)
        if len(lines) > 40:
            yield f"{path}: {len(lines)} lines (limit 40)"
        for heading in ("## Situation", "## Choice", "## Price"):
            if heading not in lines:
                yield f"{path}: has no '{heading}'"
