#!/usr/bin/env python3
"""Runs transcripts: commands with the output and the exit code that they must have.

    run.py --tare build/release/tare tests/cli/report.test...
    run.py --tare build/release/tare --console README.md

A .test file tells one story over one small world:

    # An hour nobody held belongs to the pool, not to the runs beside it.
    world two-runs-one-node
    file extra.csv
    run_id,start
    a,2026-01-01T00:00:00Z
    end
    $ tare cost --by account
    account          cost USD
    idle/node-7        2.0000
    ! tare: warning[...]: a line of stderr
    ? 0

`world NAME` copies tests/worlds/NAME, else examples/NAME, into a fresh folder in which everything runs;
`file PATH` ... `end` writes a file there (between commands too, to change an input mid-story).
`needs shared-data` skips the file where there is no such folder, and sets TARE_SHARED_DATA otherwise.
`$ COMMAND` goes to sh; then come the lines of stdout, the lines of stderr behind `! `, and `? CODE`.
Every command ends with its `? CODE`, so output may hold anything; a line of stdout that starts with
`! `, `? ` or `\\` is written behind a `\\`, and `\\ no newline` says that the last line has no end.
Nothing is normalised: a path or a time that differs between two runs is a defect of the output.

--console reads the ```console blocks of a Markdown file as one story, in a folder that holds a copy of
examples/: `cd` lasts, stderr is merged into stdout as on a terminal, every command must exit with 0, and
a line `...` stands for any lines.

TARE_UPDATE_GOLDEN=1 writes what came into the file instead of comparing; read the difference as text.
"""

import argparse
import difflib
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = 77  # what ctest's SKIP_RETURN_CODE says
COMMAND_LIMIT_S = 240
NO_NEWLINE = "\\ no newline"


class StoryError(Exception):
    """A transcript that cannot be read; the message starts with its place."""


class Skip(Exception):
    """The story needs something that is not here; the message says what."""


class Command:
    """One `$` line with what must come out of it."""

    def __init__(self, text, line):
        self.text = text
        self.line = line
        self.expected = []  # as written in the file, the `? CODE` line included


def parse(text, name):
    """Returns the story as a list of items: text lines kept as they are, directives and commands."""
    items = []
    lines = text.split("\n")
    if lines and lines[-1] == "":
        lines.pop()
    at = 0
    while at < len(lines):
        line = lines[at]
        word, _, rest = line.partition(" ")
        if word == "$":
            command = Command(rest, at + 1)
            at = _read_expected(lines, at + 1, command, name)
            items.append(("command", command))
        elif word == "file":
            end = _find_end(lines, at, name)
            items.append(("file", rest, lines[at + 1:end], lines[at:end + 1]))
            at = end + 1
        elif word in ("world", "needs") and rest:
            items.append((word, rest, line))
            at += 1
        elif line.strip() == "" or line.startswith("#"):
            items.append(("text", line))
            at += 1
        else:
            raise StoryError(f"{name}:{at + 1}: '{line}' is neither a directive nor a command; every "
                             "command's output ends with '? CODE'")
    if not any(item[0] == "command" for item in items):
        raise StoryError(f"{name}: has no command, so it can't fail")
    return items


def _read_expected(lines, at, command, name):
    while at < len(lines):
        command.expected.append(lines[at])
        at += 1
        if re.fullmatch(r"\? -?\d+", command.expected[-1]):
            return at
    raise StoryError(f"{name}:{command.line}: the command has no '? CODE' after its output")


def _find_end(lines, at, name):
    for end in range(at + 1, len(lines)):
        if lines[end] == "end":
            return end
    raise StoryError(f"{name}:{at + 1}: 'file' without 'end'")


def written(stdout, stderr, code):
    """The output as a transcript spells it."""
    lines = []
    for line in _lines(stdout):
        special = line.startswith(("! ", "? ", "\\")) or line == "!"
        lines.append("\\" + line if special and line != NO_NEWLINE else line)
    lines += ["! " + line if line else "!" for line in _lines(stderr)]
    lines.append(f"? {code}")
    return lines


def _lines(text):
    if text == "":
        return []
    if not text.endswith("\n"):
        text += f"\n{NO_NEWLINE}\n"
    return text[:-1].split("\n")


class Stage:
    """A fresh folder in which commands run, with the program first on the path."""

    def __init__(self, tare):
        self._temporary = tempfile.TemporaryDirectory(prefix="tare-story-")
        root = pathlib.Path(self._temporary.name)
        self.cwd = root / "world"
        self.cwd.mkdir()
        (root / "bin").mkdir()
        (root / "bin" / "tare").symlink_to(tare)
        (root / "home").mkdir()
        path = os.pathsep.join([str(root / "bin"), os.environ.get("PATH", os.defpath)])
        # Only what is named here: no setting of the caller's shell may show in an output. Sanitizers
        # are the exception, as they are set from outside.
        self.environment = {
            "PATH": path, "HOME": str(root / "home"), "TMPDIR": str(root), "TZ": "UTC",
            "LC_ALL": "C", "NO_COLOR": "1", "TERM": "dumb"}
        for name in os.environ:
            if name.endswith("SAN_OPTIONS"):
                self.environment[name] = os.environ[name]

    def close(self):
        self._temporary.cleanup()

    def run(self, text, merged=False):
        result = subprocess.run(
            ["sh", "-c", text], cwd=self.cwd, env=self.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT if merged else subprocess.PIPE,
            timeout=COMMAND_LIMIT_S, check=False)
        return (_text(result.stdout), "" if merged else _text(result.stderr), result.returncode)

    def copy_world(self, name):
        for parent in ("tests/worlds", "examples"):
            source = REPOSITORY / parent / name
            if source.is_dir():
                # A store left behind by someone who tried the example is not part of it.
                shutil.copytree(source, self.cwd, dirs_exist_ok=True,
                                ignore=shutil.ignore_patterns(".tare"))
                return
        raise StoryError(f"world '{name}' is neither in tests/worlds nor in examples")

    def write(self, path, lines):
        target = self.cwd / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("".join(line + "\n" for line in lines), encoding="utf-8")


def _text(data):
    return data.decode("utf-8", errors="backslashreplace")


def shared_data():
    """The folder of real input that some stories use, or None."""
    named = os.environ.get("TARE_SHARED_DATA")
    folder = pathlib.Path(named) if named else REPOSITORY.parent / "shared" / "data"
    return folder.resolve() if folder.is_dir() else None


def perform(items, stage):
    """Runs a story. Returns (lines of the whole file as they should be, differences)."""
    output, differences = [], []
    for item in items:
        kind = item[0]
        if kind == "command":
            command = item[1]
            actual = written(*stage.run(command.text))
            output += ["$ " + command.text] + actual
            if actual != command.expected:
                differences.append((command.line, command.text, command.expected, actual))
            continue
        if kind == "file":
            stage.write(item[1], item[2])
            output += item[3]
            continue
        if kind == "world":
            stage.copy_world(item[1])
        elif kind == "needs":
            _provide(item[1], stage)
        output.append(item[-1])
    return output, differences


def _provide(what, stage):
    if what != "shared-data":
        raise StoryError(f"'needs {what}': only 'needs shared-data' is known")
    folder = shared_data()
    if folder is None:
        raise Skip("there is no folder of shared data; TARE_SHARED_DATA names one")
    stage.environment["TARE_SHARED_DATA"] = str(folder)


def console_blocks(text, name):
    """Returns the lines of the file and its commands as (command, first and last line of output)."""
    lines = text.split("\n")
    commands, inside = [], False
    for at, line in enumerate(lines):
        if not inside:
            inside = line.strip() == "```console"
        elif line.strip() == "```":
            inside = False
        elif line.startswith("$ "):
            commands.append([line[2:], at + 1, at + 1])
        elif commands and commands[-1][2] == at:
            commands[-1][2] = at + 1
        else:
            raise StoryError(f"{name}:{at + 1}: output in a console block before its first command")
    if not commands:
        raise StoryError(f"{name}: has no command in a ```console block")
    return lines, commands


def matches(expected, actual):
    """Whether the lines are equal, where a line '...' stands for any number of lines."""
    if "..." not in expected:
        return expected == actual
    at = expected.index("...")
    if expected[:at] != actual[:at]:
        return False
    rest = expected[at + 1:]
    return any(matches(rest, actual[start:]) for start in range(at, len(actual) + 1))


def perform_console(text, name, stage):
    lines, commands = console_blocks(text, name)
    shutil.copytree(REPOSITORY / "examples", stage.cwd / "examples",
                    ignore=shutil.ignore_patterns(".tare"))
    output, differences, copied = [], [], 0
    for command, first, last in commands:
        output += lines[copied:first]
        copied = last
        expected = lines[first:last]
        moved = shlex.split(command)[:2] if command.startswith("cd ") else None
        if moved:
            stage.cwd = stage.cwd / moved[1]
            if not stage.cwd.is_dir():
                raise StoryError(f"{name}:{first}: there is no folder '{moved[1]}'")
            actual = []
        else:
            stdout, _, code = stage.run(command, merged=True)
            actual = _lines(stdout) + ([f"? {code}"] if code != 0 else [])
        if matches(expected, actual):
            output += expected
        else:
            output += actual
            differences.append((first, command, expected, actual))
    return output + lines[copied:], differences


def show(name, differences, out):
    for line, command, expected, actual in differences:
        print(f"{name}:{line}: $ {command}", file=out)
        for text in difflib.unified_diff(expected, actual, "expected", "actual", lineterm="", n=3):
            print("  " + text, file=out)


def run_file(path, tare, console, update, out=sys.stdout):
    """Runs one file. Returns the exit code: 0, 1 or SKIPPED."""
    text = path.read_text(encoding="utf-8")
    stage = Stage(tare)
    try:
        if console:
            output, differences = perform_console(text, path.name, stage)
        else:
            output, differences = perform(parse(text, path.name), stage)
            output.append("")
    except Skip as reason:
        print(f"{path.name}: skipped: {reason}", file=out)
        return SKIPPED
    except (StoryError, subprocess.TimeoutExpired) as error:
        print(error, file=out)
        return 1
    finally:
        stage.close()
    if not differences:
        return 0
    if update:
        path.write_text("\n".join(output), encoding="utf-8")
        print(f"{path.name}: rewritten, {len(differences)} commands differed", file=out)
        return 0
    show(path.name, differences, out)
    return 1


def main():
    parser = argparse.ArgumentParser(description="Runs transcripts of the program.")
    parser.add_argument("--tare", required=True, type=pathlib.Path, help="the program")
    parser.add_argument("--console", action="store_true", help="files are Markdown")
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    update = os.environ.get("TARE_UPDATE_GOLDEN", "") not in ("", "0")
    codes = [run_file(path, arguments.tare.resolve(), arguments.console, update)
             for path in arguments.files]
    return max((code for code in codes if code != SKIPPED), default=SKIPPED)


if __name__ == "__main__":
    sys.exit(main())
