"""Time as whole seconds since 2026-06-01T00:00:00Z, and dice that roll alike on every machine.

Every instant of the story is a multiple of 9 s = 0.0025 h, so that a billed quantity in hours has
four digits and is exact.
"""

import datetime
import hashlib
import random

HOUR = 3600
DAY = 24 * HOUR
TICK = 9
DAYS = 92
END = DAYS * DAY
MONTHS = ("2026-06", "2026-07", "2026-08")

_ORIGIN = datetime.datetime(2026, 6, 1)


def iso(t):
    return (_ORIGIN + datetime.timedelta(seconds=t)).strftime("%Y-%m-%dT%H:%M:%SZ")


def date(d):
    return iso(d * DAY)[:10]


def month(t):
    return iso(t)[:7]


def month_span(name):
    days = [d for d in range(DAYS) if date(d)[:7] == name]
    return days[0] * DAY, (days[-1] + 1) * DAY


def month_days(name):
    start, end = month_span(name)
    return (end - start) // DAY


def at(text):
    """'07-18 20:00' -> seconds."""
    return int(
        (datetime.datetime.strptime("2026-" + text, "%Y-%m-%d %H:%M") - _ORIGIN).total_seconds()
    )


def cuts(start, end, step):
    """[start, end) cut at the multiples of step."""
    while start < end:
        stop = min(end, (start // step + 1) * step)
        yield start, stop
        start = stop


class Dice:
    """Integers only: no float, no library function whose sequence may change between versions."""

    def __init__(self, seed, topic):
        digest = hashlib.sha256(f"{seed}/{topic}".encode()).digest()
        self._random = random.Random(int.from_bytes(digest[:8], "big"))

    def below(self, n):
        return (self._random.getrandbits(32) * n) >> 32

    def between(self, low, high):
        return low + self.below(high - low + 1)

    def around(self, middle, spread):
        return middle + self.between(-spread, spread)

    def ticks(self, low_seconds, high_seconds):
        return TICK * self.between(-(-low_seconds // TICK), high_seconds // TICK)
