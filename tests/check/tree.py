"""What a check sees of the repository, and how a check is declared.

A check is a function from a Tree to problems. It is declared with samples: `bad` ones, each with a part
of the message it must cause, and `good` ones that must pass. `house.py` runs the samples before the
repository, so a check that cannot fail does not pass.
"""

import os
import pathlib
import subprocess

CHECKS = {}  # name -> Check, in the order of declaration


class Tree:
    """Paths (with '/') and texts of the files that belong to the repository."""

    def __init__(self, texts):
        self._texts = texts

    @classmethod
    def of_repository(cls, root):
        return cls({path: root / path for path in _repository_files(root)})

    def paths(self, under="", ends=()):
        """Sorted paths in a folder ("src/"), with one of the endings if any are given."""
        return sorted(path for path in self._texts
                      if path.startswith(under) and (not ends or path.endswith(tuple(ends))))

    def exists(self, path):
        path = path.rstrip("/")
        return path in self._texts or any(other.startswith(path + "/") for other in self._texts)

    def text(self, path):
        """The file's text; "" for one that is not text."""
        value = self._texts[path]
        if isinstance(value, pathlib.Path):
            data = value.read_bytes() if value.is_file() else b""
            value = "" if b"\0" in data else data.decode("utf-8", errors="replace")
            self._texts[path] = value
        return value

    def lines(self, path):
        return self.text(path).splitlines()


def _repository_files(root):
    """Tracked files and new ones that git does not ignore; without git, all but what is built."""
    try:
        listed = subprocess.run(
            ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            capture_output=True, check=True).stdout.decode().split("\0")
        found = [path for path in listed if path and (root / path).exists()]
        if found:
            return found
    except (OSError, subprocess.CalledProcessError):
        pass  # an unpacked archive of the sources is no git repository
    found = []
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders
                      if name not in ("build", ".deps", ".git", ".tare", "__pycache__")]
        found += [(pathlib.Path(folder) / name).relative_to(root).as_posix() for name in files]
    return found


class Check:
    def __init__(self, name, function, bad, good):
        self.name = name
        self.meaning = (function.__doc__ or "").strip().splitlines()[0]
        self.find_problems = function
        self.bad = bad
        self.good = good


def check(name, bad, good=()):
    """Declares a check. `bad` is a list of (files, part of the message), `good` a list of files."""
    def declare(function):
        if not bad:
            raise ValueError(f"check '{name}' has no bad sample")
        CHECKS[name] = Check(name, function, bad, list(good))
        return function
    return declare


def listed_exceptions(check_name, table, used):
    """Problems of a table of exceptions {path: reason}: no reason, or no longer needed."""
    for path, reason in table.items():
        if len(reason.split()) < 3:
            yield f"{check_name}: the exception for '{path}' needs a reason"
        if path not in used:
            yield f"{check_name}: the exception for '{path}' is no longer needed; take it out"
