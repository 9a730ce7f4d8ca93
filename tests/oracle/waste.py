"""Money and device-time by reason: each posting over the states of its holder in the line's time, exactly."""

import collections

from aliases import FOREVER
from project_input import Fraction
from states import States


class Amount:
    """Money and device-time."""

    def __init__(self):
        self.units = self.ns = Fraction(0)

    def add(self, units, ns):
        self.units += units
        self.ns += ns


def shown_resource(world, line):
    """The machine, or the bill's own name for it where that stands for several machines in turn."""
    name = line.delivered_resource
    if name is None:
        return "-"
    edges = {at for row in world.aliases.rows for at in row[3:] if abs(at) < FOREVER}
    meant = {world.aliases.resolve(name, at)[0] for edge in edges for at in (edge - 1, edge)} | {line.resource}
    return name if len(meant) > 1 else line.resource


def waste(world):
    """({(currency, resource, run, reason): Amount}, {(currency, resource, run): what rounding may move}).

    Of the effective cost, else of the billed one.
    """
    states = States(world)
    found, slack = collections.defaultdict(Amount), collections.defaultdict(Amount)
    for posting in world.postings:
        line, carried = posting.line, world.own_time(posting.line)
        cost = posting.costs["effective"]
        cost = posting.costs["billed"] if cost is None else cost
        key = line.posted_currency, shown_resource(world, line), posting.run or "-"
        amounts, pieces = reasons(states, posting) if carried > 0 else ({"other-charges": 1}, 0)
        billed = posting.billed if carried > 0 else 0
        whole = sum(amounts.values())
        for reason, amount in amounts.items():
            found[*key, reason].add(cost * Fraction(amount) / whole, billed * Fraction(amount) / whole)
        if pieces:
            part = Fraction(2 * pieces + 2) / whole
            slack[key].add(abs(cost) * part + len(amounts), billed * part + len(amounts))
    return found, slack


def reasons(states, posting):
    """({state: weight}, pieces that rounding may move) of a posting with device-time."""
    line = posting.line
    if posting.evidence != "overlap":
        return {"unknown" if not posting.account.startswith("idle/") else "no-run": 1}, 0
    if posting.run is None:
        return {"no-run": 1}, 0
    amounts, counts = states.of(line.resource, line.start, line.end)
    holder = posting.run, posting.attempt
    return amounts[holder], counts[holder]
