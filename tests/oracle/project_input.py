"""A project folder as it is: tare.yaml, the rows of its CSV files, and the values in their cells.

Everything is exact: instants are nanoseconds as int, decimals are Fraction, money counts 1e-18 as int.
"""

import csv
import datetime
import fractions
import gzip
import pathlib
import re

import yaml

Fraction = fractions.Fraction

SECOND = 10**9
HOUR = 3600 * SECOND
SCALE = 10**18  # of money
EPOCH = datetime.datetime(1970, 1, 1)
UNITS = {"s": SECOND, "ms": 10**6, "us": 10**3, "ns": 1}


class Source:
    """One entry under `sources:`."""

    def __init__(self, kind, keys, folder):
        self.kind = kind
        self.format = keys["format"]
        self.name = keys.get("name") or f"{kind}/{self.format}"
        self.columns = keys.get("columns") or {}
        self.offset = offset_of(keys.get("time_zone") or "UTC")
        self.currency = keys.get("currency")
        self.model = keys.get("model")
        self.files = files_of(folder, keys["path"])

    def rows(self):
        """(file, number, {column: text}), the columns under our names."""
        ours = {}
        for name, said in self.columns.items():
            ours[said["column"] if isinstance(said, dict) else said] = name
        for path in self.files:
            for number, row in enumerate(read_csv(path), 1):
                yield path, number, {ours.get(column, column): text for column, text in row.items()}

    def instant(self, row, column):
        text = known(row.get(column))
        if text is None:
            return None
        said = self.columns.get(column)
        unit = said.get("unit") if isinstance(said, dict) else None
        if unit:
            return int(Fraction(text) * UNITS[unit])
        return read_instant(text, self.offset)


class Project:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        with open(self.folder / "tare.yaml", encoding="utf-8") as file:
            self.keys = yaml.load(file, Loader=yaml.BaseLoader)
        self.currency = self.keys["currency"]
        self.policy = self.keys.get("policy") or {}
        self.sources = [Source(kind, keys, self.folder)
                        for kind, entries in (self.keys.get("sources") or {}).items() for keys in entries]

    def of_format(self, *formats):
        return [source for source in self.sources if source.format in formats]


def files_of(folder, path):
    place = folder / path
    if place.is_dir():
        return sorted(p for p in place.rglob("*") if p.name.endswith((".csv", ".gz")))
    if place.is_file():
        return [place]
    return sorted(folder.glob(path))


def read_csv(path):
    opened = gzip.open if path.name.endswith(".gz") else open
    with opened(path, "rt", encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


def known(text):
    """The text of a cell, or None where it is unknown."""
    if text is None:
        return None
    text = text.strip()
    return None if text == "" or text.lower() == "null" else text


def offset_of(text):
    """Of a time zone, in nanoseconds: UTC or +02:00."""
    found = re.fullmatch(r"([+-])(\d\d):?(\d\d)", text)
    if not found:
        return 0
    minutes = int(found[2]) * 60 + int(found[3])
    return (-minutes if found[1] == "-" else minutes) * 60 * SECOND


TIME = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9})\d*)?)?)?\s*(Z|[+-]\d\d:?\d\d)?")


def read_instant(text, offset=0):
    """ISO 8601, without a zone at `offset`; None where it is no time."""
    found = TIME.fullmatch(text.strip())
    if not found:
        return None
    year, month, day, hour, minute, second = (int(part or 0) for part in found.groups()[:6])
    try:
        at = datetime.datetime(year, month, day, hour, minute, second)
    except ValueError:
        return None
    zone = found[8]
    if zone:
        offset = offset_of(zone)
    seconds = (at - EPOCH) // datetime.timedelta(seconds=1)
    return seconds * SECOND + int((found[7] or "").ljust(9, "0") or 0) - offset


NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def read_decimal(text):
    """A Fraction, or None where the text is no decimal number."""
    if text is None or not NUMBER.fullmatch(text):
        return None
    return Fraction(text)


def read_ratio(text):
    """A decimal or n/d with d up to 10^6."""
    if text is None:
        return None
    found = re.fullmatch(r"(\d+)/(\d+)", text)
    if found and 0 < int(found[2]) <= 10**6:
        return Fraction(int(found[1]), int(found[2]))
    return read_decimal(text)


def read_count(text):
    return int(text) if text is not None and re.fullmatch(r"\d+", text) else None


def half_even(value):
    """The nearest integer of a Fraction, ties to the even one."""
    return round(value)


def read_money(text):
    value = read_decimal(text)
    return None if value is None else half_even(value * SCALE)


def duration_of(text):
    """6h, 15m, 1d12h in nanoseconds."""
    sizes = {"d": 86400, "h": 3600, "m": 60, "s": 1}
    return sum(int(count) * sizes[unit] for count, unit in re.findall(r"(\d+)([dhms])", text)) * SECOND


def month_of(instant):
    """Months since year 0 of an instant, in UTC."""
    at = EPOCH + datetime.timedelta(seconds=instant // SECOND)
    return at.year * 12 + at.month - 1


def matches(pattern, text):
    """A whole-text glob with * and ?, nothing else special."""
    parts = [".*" if c == "*" else "." if c == "?" else re.escape(c) for c in pattern]
    return re.fullmatch("".join(parts), text, re.DOTALL) is not None
