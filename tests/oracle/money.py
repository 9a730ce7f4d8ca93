"""The exact split, and money as text."""

import math

from project_input import SCALE


def split(total, weights):
    """Integer parts of an integer that sum to it, by weights of int or Fraction.

    Each part is its floor; the units that are left go to the largest remainders, ties to the lower index.
    """
    scale = math.lcm(*(weight.denominator for weight in weights))
    weights = [int(weight * scale) for weight in weights]
    whole = sum(weights)
    if whole <= 0:
        raise ValueError("all weights are zero")
    size = abs(total)
    floors = [size * weight // whole for weight in weights]
    remainders = [size * weight % whole for weight in weights]
    left = size - sum(floors)
    for index in sorted(range(len(weights)), key=lambda i: (-remainders[i], i))[:left]:
        floors[index] += 1
    return [part if total >= 0 else -part for part in floors]


def money_text(units):
    """A count of 1e-18 as decimal text without trailing zeros; None is empty."""
    if units is None:
        return ""
    sign, size = ("-" if units < 0 else ""), abs(units)
    text = f"{size // SCALE}.{size % SCALE:018}".rstrip("0").rstrip(".")
    return sign + text
