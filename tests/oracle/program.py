"""The program under test: loads a project and gives its answers as rows."""

import csv
import io
import subprocess


# A line's own name; one by a rate card has none but its machine and time.
LINE = ("coalesce(nullif(regexp_extract(bill_line.x, '\"x_line\":\"([^\"]*)\"', 1), ''), "
        "bill_line.resource_id || '@' || epoch_ns(bill_line.charge_period_start))")


class Refused(Exception):
    """The program ended as it may not."""


class Program:
    def __init__(self, tare, folder):
        self.tare, self.folder = str(tare), folder

    def run(self, *words, allowed=(0,)):
        done = subprocess.run([self.tare, *words], cwd=self.folder, capture_output=True, check=False)
        if done.returncode not in allowed:
            said = done.stderr.decode(errors="replace").strip()
            raise Refused(f"tare {' '.join(words)} exited with {done.returncode}: {said}")
        return done.stdout

    def load(self):
        """1 means that rows are in quarantine."""
        self.run("load", "--quiet", "--threads", "1", allowed=(0, 1))

    def ask(self, *queries):
        """The rows of each query."""
        text = self.run("sql", "--quiet", "--threads", "1", "--format", "csv", ";".join(queries)).decode()
        if len(queries) == 1:
            return list(csv.DictReader(io.StringIO(text)))
        return [list(csv.DictReader(io.StringIO(block.split("\n", 1)[1])))
                for block in ("\n" + text).split("\n# sql/")[1:]]
