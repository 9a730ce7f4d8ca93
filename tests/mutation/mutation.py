#!/usr/bin/env python3
"""Puts faults into the ledger, one by one, and sees whether the tests notice.

    mutation.py [--tree build/mutation] [--worlds 60] [--only TEXT]

All of it happens in a copy of the working tree, which is made first and brought up to date when it is there already.
The copy as it is must pass; each mutant of mutants.py is then built, and must fail the world that is aimed at it, else
another of tests/worlds, else differ from the oracle on one of so many random worlds. Says which noticed it. Exit 1
where a mutant lives.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys

from mutants import MUTANTS

ROOT = pathlib.Path(__file__).resolve().parents[2]


def run(*command, **options):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)


def must(what, *command, **options):
    done = run(*command, **options)
    if done.returncode != 0:
        sys.exit(f"{what}:\n{(done.stdout + done.stderr)[-3000:]}")
    return done.stdout


def copy_tree(tree):
    """Files that are the same keep their times, so that the build has little to do."""
    listed = set(must("git", "git", "-C", ROOT, "ls-files", "-zco", "--exclude-standard").split("\0")) - {""}
    for path in list((tree / "src").rglob("*")) + list((tree / "tests").rglob("*")):
        if path.is_file() and str(path.relative_to(tree)) not in listed:
            path.unlink()
    for name in sorted(listed):
        source, target = ROOT / name, tree / name
        if not source.is_file() or target.is_file() and target.read_bytes() == source.read_bytes():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)
    if not (tree / ".deps").exists():
        (tree / ".deps").symlink_to(ROOT / ".deps")


class Copy:
    def __init__(self, tree, worlds):
        self.tree, self.worlds = tree, worlds
        self.build_folder = tree / "build/release"

    def configure(self):
        must("the copy can't be configured", "cmake", "--preset", "release", "-DTARE_TESTS=ON", cwd=self.tree)

    def build(self, what):
        must(f"{what}: the copy does not build", "cmake", "--build", self.build_folder, "--target", "tare")

    def caught_by(self, aimed=None):
        """The test that notices; "" none does."""
        tare = self.build_folder / "tare"
        if aimed:
            world = self.tree / f"tests/worlds/{aimed}.test"
            if not world.is_file():
                sys.exit(f"there is no world '{aimed}'")
            if run(sys.executable, "-B", self.tree / "tests/transcript/run.py", "--tare", tare, world,
                   cwd=self.tree).returncode != 0:
                return f"world.{aimed}"
        worlds = run("ctest", "--test-dir", self.build_folder, "-L", "^world$", "-j2", "--stop-on-failure")
        if worlds.returncode != 0:
            failed = re.search(r"Test +#\d+: (\S+) .*\*\*\*", worlds.stdout)
            return failed.group(1) if failed else sys.exit(f"no world can be run:\n{worlds.stdout[-3000:]}")
        oracle = run(sys.executable, "-B", self.tree / "tests/oracle/compare.py",
                     "--tare", tare, "0", self.worlds)
        if oracle.returncode == 0:
            return ""
        differs = re.search(r"world \d+", oracle.stdout + oracle.stderr)
        return "the oracle" + (f", {differs.group(0)}" if differs else "")

    def caught_with(self, name, aimed, file, old, new):
        path = self.tree / file
        text = path.read_text()
        if text.count(old) != 1:
            sys.exit(f"{name}: its text stands {text.count(old)} times in {file}")
        try:
            path.write_text(text.replace(old, new))
            self.build(name)
            return self.caught_by(aimed)
        finally:
            path.write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tree", type=pathlib.Path, default=ROOT / "build/mutation", help="the copy")
    parser.add_argument("--worlds", type=int, default=60)
    parser.add_argument("--only", default="", help="mutants whose name holds this text")
    options = parser.parse_args()
    tree = options.tree.resolve()
    copy_tree(tree)
    copy = Copy(tree, options.worlds)
    copy.configure()
    copy.build("without a fault")
    failed = copy.caught_by()
    if failed:
        sys.exit(f"without a fault, {failed} fails already")
    lived, tried = [], [mutant for mutant in MUTANTS if options.only in mutant[0]]
    for mutant in tried:
        notice = copy.caught_with(*mutant)
        print(f"{mutant[0]}: {'caught by ' + notice if notice else 'LIVES'}", flush=True)
        if not notice:
            lived.append(mutant[0])
    copy.build("without a fault")
    print(f"{len(tried)} mutants, {len(lived)} live")
    return 1 if lived or not tried else 0


if __name__ == "__main__":
    sys.exit(main())
