"""Instants of random worlds: nanoseconds after 2026-08-03T00:00:00Z."""

import datetime

BASE = datetime.datetime(2026, 8, 3)
MINUTE = 60 * 10**9
HOUR = 60 * MINUTE
DAY = 24 * HOUR
# The edge between July and August, which lies before the first of the days.
MONTH_EDGE = -2 * DAY


def text_of(nanoseconds, form="Z"):
    """ISO 8601, in UTC or at an offset that means the same instant."""
    shift = {"Z": 0, "+02:00": 2, "-05:30": -5.5}[form]
    seconds, rest = divmod(nanoseconds, 10**9)
    when = BASE + datetime.timedelta(seconds=seconds, hours=shift)
    return when.strftime("%Y-%m-%dT%H:%M:%S") + (f".{rest:09}".rstrip("0") if rest else "") + form


def instant(draft, low, high):
    """Mostly on a quarter of an hour, sometimes on a second, sometimes on an odd nanosecond."""
    kind = draft.random.random()
    if kind < 0.6:
        step = 15 * MINUTE
    elif kind < 0.8:
        step = 10**9
    else:
        step = 1
        draft.note("odd-nanoseconds")
    first, last = -(-low // step), high // step
    return draft.random.randint(first, last) * step if first <= last else low


def span(draft, low, high):
    """A time that is not empty."""
    first, second = sorted((instant(draft, low, high), instant(draft, low, high)))
    return (first, second) if first < second else (first, first + draft.one_of(1, 7, MINUTE, 20 * MINUTE))


def epoch_of(text):
    """The same instant in microseconds of the epoch, to the last nanosecond; empty where there is none."""
    if not text:
        return ""
    whole, _, fraction = text.removesuffix("Z").partition(".")
    seconds = (datetime.datetime.fromisoformat(whole) - datetime.datetime(1970, 1, 1)) // datetime.timedelta(seconds=1)
    digits = fraction.ljust(9, "0")
    return f"{seconds}{digits[:6]}.{digits[6:]}"
