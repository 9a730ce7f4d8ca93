"""Device-time (R20 to R26): which lines carry it, how much, and how many devices a resource has."""

import math
import re

from bill_lines import tag_of
from money import split
from project_input import HOUR, SECOND, Fraction, half_even, known
from timeline import NODE, Timeline, asked_at_once

# What the worlds use, from the providers' own pages: accelerators and CPUs of an instance type.
SHAPES = {"g5.xlarge": (1, 4), "g5.12xlarge": (4, 48), "p4d.24xlarge": (8, 96), "p5.48xlarge": (8, 192),
          "m5.2xlarge": (0, 8), "m5.4xlarge": (0, 16), "c5.xlarge": (0, 4)}
ACCELERATORS = {"a100", "h100", "t4", "l4", "v100"}
BESIDE = ("licence", "license", "software", "throughput", "address", "disk", "volume", "snapshot")
COMPUTE = {"compute", "ai and machine learning"}

TIME_UNITS = {"day": 24 * HOUR, "hour": HOUR, "hr": HOUR, "minute": 60 * SECOND, "min": 60 * SECOND,
              "second": SECOND, "sec": SECOND}
OF_DEVICES = ("gpu", "device", "accelerator")
OF_CORES = ("vcpu", "core")


def unit_of(text):
    """(kind, ns): kind is 'time', 'device' or 'core'; None where it is no unit of time."""
    words = (text or "").lower().split("-")
    size = TIME_UNITS.get(words[-1]) or TIME_UNITS.get(words[-1].removesuffix("s"))
    if size is None or len(words) > 2:
        return None
    if len(words) == 1:
        return "time", size
    if words[0] in OF_DEVICES:
        return "device", size
    return ("core", size) if words[0] in OF_CORES else None


def words_of(line):
    return re.findall(r"[a-z0-9][a-z0-9.\-]*", f"{line.sku or ''} {line.description or ''}".lower())


class Shapes:
    def __init__(self, project):
        self.types = dict(SHAPES)
        for name, keys in (project.keys.get("shapes") or {}).items():
            cpus = keys.get("cpus")
            self.types[name] = (int(keys["devices"]), None if cpus is None else int(cpus))

    def type_of(self, line):
        """The instance type that a line's SKU names, whether the table knows it or not."""
        named = line.details.get("InstanceType")
        if named:
            return named
        return next((word for word in words_of(line) if word in self.types), None)

    def devices_of(self, line):
        count = line.details.get("GpuCount")
        if count is not None:
            return int(count)
        return self.types.get(self.type_of(line), (None, None))[0]

    def cpus_of(self, line):
        return self.types.get(self.type_of(line), (None, None))[1]


def is_beside(line):
    return any(word in words_of(line) for word in BESIDE)


def names_accelerator(line):
    return "GpuCount" in line.details or bool(ACCELERATORS & set(re.split(r"[^a-z0-9]", " ".join(words_of(line)))))


def names_machine(line, shapes):
    """Whether a line's SKU is a machine's, or an accelerator's."""
    return not is_beside(line) and bool(shapes.type_of(line) or names_accelerator(line))


def may_be_machine(line):
    """Whether a line may be a machine's whose SKU names none: a category that is not said leaves it open."""
    return not is_beside(line) and (line.service_category or "compute").lower() in COMPUTE


def device_lines(lines, shapes):
    """The lines of a resource that carry device-time, where their unit and the machine allow it."""
    able = [line for line in lines if line.category == "Usage" and not line.correction
            and (line.unit is None or unit_of(line.unit) is not None)]
    named = [line for line in able if names_machine(line, shapes)]
    carrying = named or [line for line in able if may_be_machine(line)]
    return [line for line in carrying if line.length > 0 and (line.quantity is None or line.unit is not None)]


class Resource:
    """A machine: its lines, its holds, its devices, who held them, and what was billed of it."""

    def __init__(self, name, lines, holds, telemetry_names, context):
        self.name, self.lines, self.holds = name, lines, holds
        self.shapes, machines = context.shapes, context.machines
        self.find_devices(telemetry_names, machines)
        self.timeline = Timeline(holds, self.devices, self.is_node, self.cpus, context.runs)
        self.billed = {}  # (start, end) -> ns
        self.own = {}  # line -> ns of the lines that carry device-time
        self.add_up(context.line_order)

    def find_devices(self, telemetry_names, machines):
        machine_lines = [line for line in self.lines if names_machine(line, self.shapes)]
        sku = [n for n in map(self.shapes.devices_of, machine_lines) if n is not None]
        said = [n for n in (max(sku, default=None), machines.largest(self.name, "devices")) if n is not None]
        names = {hold.device for hold in self.holds if hold.device is not None} | telemetry_names
        indexes = {name for name in names if name.isdigit()}
        scheme = indexes if len(indexes) >= len(names - indexes) else names - indexes
        counted = asked_at_once(self.holds)
        cpus_only = bool(self.holds) and all(h.cpus is not None and h.device is None and h.count is None
                                             for h in self.holds)
        known_count = max(said + [len(scheme), counted], default=0)
        self.is_node = (said and max(said) == 0) or (cpus_only and not any(said)) \
            or (not said and not self.holds)
        self.cpus = machines.largest(self.name, "cpus")
        if self.cpus is None:
            found = [n for n in map(self.shapes.cpus_of, machine_lines) if n is not None]
            self.cpus = Fraction(max(found)) if found else None
        count = 1 if self.is_node else max(known_count, 1)
        devices = sorted(scheme, key=lambda n: (int(n), n) if n.isdigit() else (0, n))
        spare = (name for name in (f"{'' if scheme == indexes else '#'}{i}" for i in range(count)) if name not in scheme)
        while len(devices) < count:
            devices.append(next(spare))
        if scheme == indexes:
            devices.sort(key=int)
        self.devices = [NODE] if self.is_node else devices

    @property
    def count(self):
        return len(self.devices)

    def quantity_of(self, line):
        """Nanoseconds of device-time that a line's quantity says; None where it says none of this machine.

        The time is rounded to nanoseconds before it counts for each device.
        """
        kind, size = unit_of(line.unit)
        time = half_even(line.quantity * size)
        if kind == "core":
            return math.trunc(Fraction(time) / self.cpus) if self.is_node and self.cpus else None
        by_the_device = kind == "device" or (not self.shapes.type_of(line) and "GpuCount" not in line.details
                                             and names_accelerator(line))
        return time * (1 if by_the_device else self.count)

    def add_up(self, line_order):
        groups = {}
        for line in device_lines(self.lines, self.shapes):
            groups.setdefault((line.start, line.end), []).append(line)
        for period, lines in groups.items():
            amounts = {line: self.quantity_of(line) for line in lines if line.quantity is not None}
            amounts = {line: amount for line, amount in amounts.items() if amount is not None}
            unknown = sorted((line for line in lines if line.quantity is None), key=line_order)
            if amounts:
                self.billed[period] = max(0, sum(amounts.values()))
                self.share(self.billed[period], {line: amounts[line] for line in sorted(amounts, key=line_order)
                                                 if amounts[line] > 0})
            elif unknown:
                self.assume(period, unknown)

    def share(self, whole, amounts):
        """What the lines of a period carry: lines with a quantity above zero share what they all add up to."""
        if whole > 0:
            self.own.update(zip(amounts, split(whole, list(amounts.values()))))

    def assume(self, period, lines):
        """One period of every device, shared equally; what does not divide goes to the least line."""
        whole = (period[1] - period[0]) * self.count
        share, left = divmod(whole, len(lines))
        self.own.update({line: share + (left if line is lines[0] else 0) for line in lines})
        self.billed[period] = whole

    def named_pool(self, pool_tag):
        """What the machine's lines say of its pool: the least tag, else the least SKU and region of its own lines."""
        tags = {(tag_of(line, pool_tag) if pool_tag else None) or tag_of(line, "rate-card-pool")
                for line in self.lines} - {None, ""}
        own = {f"{line.sku or '-'}@{line.region or '-'}" for line in self.lines
               if names_machine(line, self.shapes) or may_be_machine(line)}
        return min(tags or own, key=str.encode, default=None)

    def billed_within(self, start, end):
        """Device-time billed in a time; other charge periods count by the part that they share, rounded down."""
        total = 0
        for (begin, stop), amount in self.billed.items():
            shared = min(stop, end) - max(begin, start)
            if shared > 0:
                total += math.floor(Fraction(amount * shared, stop - begin))
        return total


def telemetry_names(project, aliases):
    """{resource: device names that telemetry says}."""
    found = {}
    for source in project.of_format("device-usage"):
        for _, _, row in source.rows():
            name, device = known(row.get("resource_id")), known(row.get("device"))
            start, end = source.instant(row, "start"), source.instant(row, "end")
            if None in (name, device, start, end) or end <= start:
                continue
            name, device = aliases.resolve(name, start, device)
            found.setdefault(name, set()).add(device)
    return found
