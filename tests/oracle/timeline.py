"""Who held which device of a resource when.

A resource's time is cut wherever one of its holds begins or ends: a stretch. In each stretch the holds are placed on
devices, which gives every device its holders with their parts; its nanoseconds within a charge are split into integers
by these parts.
"""

import math

from money import split
from project_input import Fraction

NODE = "node"
# Weights with a common denominator above this are rounded down to 1e-18 of a device.
LARGEST_DENOMINATOR = 10**24
ROUNDED_TO = 10**18


class Timeline:
    """holds: resolved ones of the resource; devices: their names; cpus: the node's, or None; `order` of holders."""

    def __init__(self, holds, devices, is_node, cpus, runs):
        self.holds = holds
        self.devices = [NODE] if is_node else devices
        self.is_node, self.cpus = is_node, cpus
        self.runs = runs
        self.stretches = self.find_stretches()

    def find_stretches(self):
        """[(start, end, device, {(run, attempt): part})]; without holders there is none."""
        points = sorted({at for hold in self.holds for at in (hold.start, hold.end)})
        return [(start, end, device, parts) for start, end in zip(points, points[1:])
                for device, parts in self.at(start).items()]

    def at(self, instant):
        """{device: {(run, attempt): part}} at an instant."""
        active = [hold for hold in self.holds if hold.start <= instant < hold.end]
        above = set().union(*(self.runs.ancestors(hold.run) for hold in active)) if active else set()
        active = [hold for hold in active if hold.run not in above]
        if not active:
            return {}
        claims = {NODE: self.claim_node(active)} if self.is_node else self.claim_devices(active)
        return {device: parts_of(latest_claims(own)) for device, own in claims.items() if own}

    def claim_node(self, active):
        """Requested CPUs are parts of the node; where one is unknown, or the node's, all share equally."""
        known = self.cpus is not None and all(hold.weight is not None or hold.cpus is not None for hold in active)
        if not known and any(hold.weight is None for hold in active):
            return [(hold, None) for hold in active]
        return [(hold, hold.weight if hold.weight is not None else hold.cpus / self.cpus) for hold in active]

    def claim_devices(self, active):
        """{device: [(hold, part or None)]}."""
        indexed = [hold for hold in active if hold.device in self.devices]
        every = [hold for hold in active if hold.device is None and hold.count is None]
        counted = [(hold, 1 if hold.count is None else hold.count) for hold in active
                   if hold not in indexed and hold not in every]
        counted = latest_claims(counted)
        free = [device for device in self.devices if device not in {hold.device for hold in indexed}]
        claims = {device: [(hold, hold.weight) for hold in every + [h for h in indexed if h.device == device]]
                  for device in self.devices}
        for device, claim in pack(sorted(counted, key=self.order), free) or self.spread(counted, free):
            claims[device].append(claim)
        return claims

    def order(self, claim):
        """Holds without a weight come first; then by the holder's name, and of one holder by time and size."""
        hold, count = claim
        return (hold.weight is not None, self.runs.key((hold.run, hold.attempt)), hold.start, hold.end, count,
                hold.weight or 0)

    def spread(self, counted, free):
        """Counts that do not pack: what each asks for of the free devices together, else of all of them."""
        if not free:
            for hold, count in counted:
                part = None if hold.weight is None else weight_of(hold) * count / len(self.devices)
                yield from ((device, (hold, part)) for device in self.devices)
            return
        whole = max(Fraction(len(free)), sum(weight_of(hold) * count for hold, count in counted))
        for hold, count in counted:
            yield from ((device, (hold, weight_of(hold) * count / whole)) for device in free)

    def held(self, start, end):
        """{(run, attempt): ns} in a time."""
        total = {}
        for begin, stop, _, parts in self.stretches:
            begin, stop = max(begin, start), min(stop, end)
            if begin < stop:
                self.add(total, parts, stop - begin)
        return {holder: amount for holder, amount in total.items() if amount > 0}

    def instant(self, at, length):
        """{(run, attempt): ns} of a time that is at every point as it is at an instant."""
        total = {}
        for parts in self.at(at).values():
            self.add(total, parts, length)
        return {holder: amount for holder, amount in total.items() if amount > 0}

    def add(self, total, parts, length):
        """A device's time, split over what nobody holds and its holders in the order of their names."""
        holders = sorted(parts, key=self.runs.key)
        weights = [parts[holder] for holder in holders]
        amounts = split(length, [1 - sum(weights)] + weights)
        for holder, amount in zip(holders, amounts[1:]):
            total[holder] = total.get(holder, 0) + amount


def weight_of(hold):
    """The part of each device that a count hold asks for."""
    return Fraction(1) if hold.weight is None else min(Fraction(1), hold.weight)


def latest_claims(claims):
    """Of two attempts of one run at once, the later."""
    latest = {}
    for hold, _ in claims:
        latest[hold.run] = max(hold.attempt, latest.get(hold.run, hold.attempt))
    return [claim for claim in claims if claim[0].attempt == latest[claim[0].run]]


def parts_of(claims):
    """{holder: part of a device} from (hold, weight or None): declared weights first, the rest shares what is left."""
    weights = [Fraction(min(1, weight)) for _, weight in claims if weight is not None]
    exact = math.lcm(*(weight.denominator for weight in weights)) <= LARGEST_DENOMINATOR
    declared, sharing = {}, set()
    for hold, weight in claims:
        holder = (hold.run, hold.attempt)
        if weight is None:
            sharing.add(holder)
            continue
        weight = Fraction(min(1, weight))
        if not exact:
            weight = Fraction(math.floor(weight * ROUNDED_TO), ROUNDED_TO)
        declared[holder] = min(Fraction(1), declared.get(holder, Fraction(0)) + weight)
    whole = sum(declared.values(), Fraction(0))
    if whole >= 1:
        return {holder: weight / whole for holder, weight in declared.items()}
    parts = dict(declared)
    for holder in sharing:
        parts[holder] = parts.get(holder, Fraction(0)) + (1 - whole) / len(sharing)
    return {holder: part for holder, part in parts.items() if part > 0}


def pack(counted, free):
    """[(device, (hold, weight))] where all counts fit onto the free devices, lowest first, else None."""
    room = {device: Fraction(1) for device in free}
    placed = []
    for hold, count in counted:
        for _ in range(count):
            device = next((d for d in free if room[d] >= weight_of(hold)), None)
            if device is None:
                return None
            room[device] = Fraction(0) if hold.weight is None else room[device] - hold.weight
            placed.append((device, (hold, hold.weight)))
    return placed


def asked_at_once(holds):
    """The devices that count holds take at once, at most."""
    counted = [hold for hold in holds if hold.count is not None and hold.device is None]
    most = Fraction(0)
    for at in {hold.start for hold in counted}:
        asked = Fraction(0)
        for hold in counted:
            if hold.start <= at < hold.end:
                asked += hold.count * weight_of(hold)
        most = max(most, asked)
    return math.ceil(most)
