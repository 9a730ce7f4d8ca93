"""States of device-time: what telemetry says of what each attempt held, as exact fractions of nanoseconds.

The program keeps integers; how it rounds them is its own choice, within a nanosecond for each piece of a sample that
a holder has. So a comparison allows as many nanoseconds as there are pieces.
"""

from project_input import Fraction, duration_of, half_even, known, read_decimal

DEFAULT_IDLE_AFTER = "15m"


class Sample:
    def __init__(self, start, end, busy, active, signs):
        self.start, self.end, self.busy, self.active = start, end, busy, active
        self.signs = signs

    @property
    def busy_ns(self):
        return half_even(self.busy * (self.end - self.start))


def ratio(row, column):
    """A ratio that can be: from 0 to 1."""
    value = read_decimal(known(row.get(column)))
    return value if value is not None and 0 <= value <= 1 else None


def read_samples(project, aliases):
    """{(resource, device): samples} of rows that say how busy, if only by SM activity; equal rows are one."""
    found = {}
    for source in project.of_format("device-usage"):
        for _, _, row in source.rows():
            name, device = known(row.get("resource_id")), known(row.get("device"))
            start, end = source.instant(row, "start"), source.instant(row, "end")
            signs = [ratio(row, f"{word}_ratio") for word in ("busy", "sm_active", "tensor_active")]
            busy = signs[0] if signs[0] is not None else signs[1]
            if None in (name, device, start, end, busy) or end <= start:
                continue
            active = signs[1] if signs[1] is not None else signs[2]
            sample = Sample(start, end, busy, active if signs[0] is not None else None, tuple(signs))
            found.setdefault(aliases.resolve(name, start, device), {})[start, end, sample.signs] = sample
    return {place: sorted(samples.values(), key=lambda s: (s.start, s.end)) for place, samples in found.items()}


def partition(samples, start, end):
    """[(start, end, sample or None)] of a time; None where there is none, or where they disagree."""
    points = {start, end}
    for sample in samples:
        points.update(at for at in (sample.start, sample.end) if start < at < end)
    points = sorted(points)
    pieces = []
    for begin, stop in zip(points, points[1:]):
        there = [s for s in samples if s.start <= begin and stop <= s.end]
        agree = len({s.signs for s in there}) == 1
        pieces.append((begin, stop, there[0] if agree else None))
    return pieces


class States:
    """Of a world: `of(resource, start, end)` is {holder: {state: ns}}."""

    def __init__(self, world):
        self.world = world
        policy = world.project.policy
        self.idle_after = duration_of(policy.get("idle_after") or DEFAULT_IDLE_AFTER)
        self.efficient = Fraction(policy.get("efficient_sm_active") or "0.5")
        self.samples = read_samples(world.project, world.aliases)
        self.pieces = {}  # resource -> [(start, end, holder, part of a device, sample, state of idle time, whether work is lost)]
        for name, resource in world.resources.items():
            self.pieces[name] = self.of_resource(resource)

    def of_resource(self, resource):
        pieces = []
        for device in resource.devices:
            own = {}
            for start, end, where, parts in resource.timeline.stretches:
                if where != device:
                    continue
                for holder, share in parts.items():
                    for piece in partition(self.samples.get((resource.name, device), []), start, end):
                        own.setdefault(holder, []).append((*piece, share))
            for holder, held in own.items():
                pieces += self.of_holder(holder, held)
        return pieces

    def of_holder(self, holder, held):
        """Pieces of one attempt on one device, each with the state of its time that is not busy."""
        held.sort(key=lambda piece: piece[0])
        busy_from = [start for start, _, sample, _ in held if sample and sample.busy_ns > 0]
        first_use = min(busy_from, default=None)
        quiet = self.quiet_stretches(held)
        pieces = []
        for start, end, sample, share in held:
            idle = "not-busy"
            if sample and sample.busy_ns == 0:
                if first_use is not None and start < first_use:
                    idle = "startup"
                elif any(begin <= start and end <= stop and stop - begin >= self.idle_after for begin, stop in quiet):
                    idle = "idle-held"
            for begin, stop, lost in self.cut_at_checkpoint(holder, start, end):
                pieces.append((begin, stop, holder, share, sample, idle, lost))
        return pieces

    @staticmethod
    def quiet_stretches(held):
        """Times without a gap in which every sample says busy 0."""
        found = []
        for start, end, sample, _ in held:
            if not sample or sample.busy_ns != 0:
                continue
            if found and found[-1][1] == start:
                found[-1][1] = end
            else:
                found.append([start, end])
        return found

    def cut_at_checkpoint(self, holder, start, end):
        """[(start, end, lost)]: work after the last checkpoint of an attempt that did not finish is lost."""
        one = self.world.runs.attempts[holder[0]][holder[1]]
        if one.stage == "serving" or one.state not in ("failed", "preempted", "lost", "cancelled"):
            return [(start, end, False)]
        at = one.checkpoint
        if at is None and one.state == "cancelled":
            return [(start, end, False)]
        at = one.start if at is None else at
        cut = max(start, min(at, end))
        return [piece for piece in ((start, cut, False), (cut, end, True)) if piece[0] < piece[1]]

    def of(self, name, start, end):
        """({holder: {state: exact ns}}, {holder: pieces}) in a time."""
        found, count = {}, {}
        for begin, stop, holder, share, sample, idle, lost in self.pieces[name]:
            begin, stop = max(begin, start), min(stop, end)
            if begin >= stop:
                continue
            states, length = found.setdefault(holder, {}), (stop - begin) * share
            count[holder] = count.get(holder, 0) + 1
            if sample is None:
                add(states, "lost" if lost else "unknown", length)
                continue
            busy = length * Fraction(sample.busy_ns, sample.end - sample.start)
            add(states, "lost" if lost else self.word(sample), busy)
            add(states, idle, length - busy)
        return found, count

    def word(self, sample):
        if sample.busy == 0 or sample.active is None:
            return "busy"
        return "useful" if sample.active / sample.busy >= self.efficient else "inefficient"


def add(states, word, amount):
    if amount > 0:
        states[word] = states.get(word, 0) + amount
