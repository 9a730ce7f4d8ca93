#!/usr/bin/env python3
"""Tests of the transcript runner: that it passes, fails, skips and rewrites when it should."""

import io
import os
import pathlib
import tempfile
import unittest

import run


class RunnerTest(unittest.TestCase):
    def setUp(self):
        self._temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self._temporary.name)
        self.addCleanup(self._temporary.cleanup)
        self.tare = self.folder / "program"
        self.tare.write_text("#!/bin/sh\necho \"got $*\"\necho talk >&2\nexit ${1:-0}\n")
        self.tare.chmod(0o755)
        self.said = io.StringIO()

    def run_text(self, text, update=False, console=False):
        self.path = self.folder / "story.test"
        self.path.write_text(text)
        return run.run_file(self.path, self.tare, console, update, self.said)

    def test_right_output_passes(self):
        self.assertEqual(self.run_text("# why\n\n$ tare 0\ngot 0\n! talk\n? 0\n"), 0)

    def test_each_part_of_the_output_is_compared(self):
        for wrong in ("$ tare 1\ngot 2\n! talk\n? 1\n", "$ tare 1\ngot 1\n! silence\n? 1\n",
                      "$ tare 1\ngot 1\n! talk\n? 0\n", "$ tare 1\n! talk\n? 1\n",
                      "$ tare 1\ngot 1\n? 1\n", "$ printf a\na\n? 0\n"):
            self.assertEqual(self.run_text(wrong), 1, wrong)

    def test_difference_names_file_line_and_command(self):
        self.run_text("# why\n$ tare 0\nother\n! talk\n? 0\n")
        self.assertIn("story.test:2: $ tare 0", self.said.getvalue())
        self.assertIn("-other", self.said.getvalue())
        self.assertIn("+got 0", self.said.getvalue())

    def test_update_rewrites_only_what_came_out(self):
        text = "# kept\nfile a b.txt\nx\nend\n\n$ cat 'a b.txt'\nold\n? 1\n# kept too\n$ tare 3\n? 0\n"
        self.assertEqual(self.run_text(text, update=True), 0)
        self.assertEqual(self.path.read_text(),
                         "# kept\nfile a b.txt\nx\nend\n\n$ cat 'a b.txt'\nx\n? 0\n# kept too\n"
                         "$ tare 3\ngot 3\n! talk\n? 3\n")
        self.assertEqual(run.run_file(self.path, self.tare, False, False, self.said), 0)

    def test_output_that_looks_like_a_transcript(self):
        text = "$ printf '? 0\\n! x\\n\\\\y\\n!\\n# z\\n$ w\\n\\nv'\n? 0\n"
        self.run_text(text, update=True)
        self.assertEqual(run.run_file(self.path, self.tare, False, False, self.said), 0)
        self.assertIn("\n\\? 0\n\\! x\n\\\\y\n\\!\n# z\n$ w\n\nv\n\\ no newline\n? 0\n",
                      self.path.read_text())

    def test_unreadable_stories_fail(self):
        for text in ("# nothing to run\n", "$ tare 0\ngot 0\n", "file x\n$ true\n? 0\n", "stray\n",
                     "world no-such-world\n$ true\n? 0\n", "needs luck\n$ true\n? 0\n"):
            self.assertEqual(self.run_text(text), 1, text)

    def test_environment_is_ours(self):
        os.environ["TARE_RUN_TEST"] = "leaks"
        self.addCleanup(os.environ.pop, "TARE_RUN_TEST")
        self.assertEqual(self.run_text(
            "$ echo $TZ $LC_ALL $NO_COLOR \"$TARE_RUN_TEST\"\nUTC C 1 \n? 0\n"), 0)

    def test_shared_data_is_found_or_skipped(self):
        self.addCleanup(os.environ.pop, "TARE_SHARED_DATA", None)
        story = "needs shared-data\n$ test -d \"$TARE_SHARED_DATA\"\n? 0\n"
        os.environ["TARE_SHARED_DATA"] = str(self.folder)
        self.assertEqual(self.run_text(story), 0)
        os.environ["TARE_SHARED_DATA"] = str(self.folder / "absent")
        self.assertEqual(self.run_text(story), run.SKIPPED)


class ConsoleTest(unittest.TestCase):
    def test_blocks_are_one_story(self):
        lines, commands = run.console_blocks(
            "text\n```console\n$ a\n1\n2\n$ b\n```\n```sh\n$ not run\n```\n```console\n$ c\n3\n```\n", "x")
        self.assertEqual([(c, lines[first:last]) for c, first, last in commands],
                         [("a", ["1", "2"]), ("b", []), ("c", ["3"])])

    def test_files_without_commands_are_refused(self):
        for text in ("none\n", "```console\noutput first\n$ a\n```\n"):
            with self.assertRaises(run.StoryError):
                run.console_blocks(text, "x")

    def test_elision_matches_any_lines_but_no_wrong_ones(self):
        self.assertTrue(run.matches(["a", "...", "d"], ["a", "b", "c", "d"]))
        self.assertTrue(run.matches(["a", "...", "d"], ["a", "d"]))
        self.assertFalse(run.matches(["a", "...", "d"], ["a", "b"]))
        self.assertFalse(run.matches(["a", "..."], ["b"]))
        self.assertFalse(run.matches(["a"], ["a", "b"]))


if __name__ == "__main__":
    unittest.main()
