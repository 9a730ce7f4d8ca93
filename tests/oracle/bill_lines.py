"""The lines of the bills: the formats `focus` and `bill`, row by row (docs/sources.md)."""

import json
import re

from project_input import (SCALE, half_even, known, month_of, read_count, read_decimal, read_money)

CATEGORIES = {name.lower(): name for name in ("Usage", "Purchase", "Tax", "Credit", "Adjustment")}
COSTS = ("billed", "effective", "list", "contracted")


class Line:
    """One bill line. `name` is what tells it from the others: the cell of its column x_line, else its place."""

    def __init__(self, name, source):
        self.name = name
        self.source = source.name
        self.costs = dict.fromkeys(COSTS)
        self.posted = self.posted_currency = None  # as its postings have them: set by rates.py
        self.category = self.correction = self.currency = None
        self.start = self.end = self.period = None
        self.service = self.service_category = self.region = None
        self.resource = None  # resolved later, as of the start
        self.delivered_resource = None
        self.sku = self.description = None
        self.details = {}
        self.commitment = self.commitment_status = None
        self.reservation = self.reservation_status = None
        self.quantity = self.unit = None
        self.tags = {}
        self.run = None

    @property
    def month(self):
        return month_of(self.start)

    @property
    def length(self):
        return self.end - self.start


def read_lines(project):
    """All lines that are not quarantined."""
    lines = []
    for source in project.of_format("focus", "bill"):
        for path, number, row in source.rows():
            place = f"{path.relative_to(project.folder)}:{number}"
            if source.format == "focus":
                line = focus_line(source, {re.sub(r"[_ ]", "", key).lower(): text for key, text in row.items()}, place)
            else:
                line = plain_line(source, row, place, project.currency)
            if line is not None:
                lines.append(line)
    return lines


def usable(line):
    return (line.costs["billed"] is not None and line.currency is not None and line.start is not None
            and line.end is not None and line.start <= line.end)


def set_category(line, text):
    """What is none of FOCUS's categories is an Adjustment, and so is an unknown one."""
    line.category = CATEGORIES.get((text or "").lower(), "Adjustment")
    if line.category in ("Tax", "Credit", "Purchase"):
        for cost in ("list", "contracted"):
            if line.costs[cost] is None:
                line.costs[cost] = line.costs["billed"]


def read_tags(text):
    try:
        tags = json.loads(text) if text else {}
    except ValueError:
        return {}
    return tags if isinstance(tags, dict) else {}


def tag_of(line, key):
    """The value of a tag; keys match without regard to case and surrounding spaces, the last in bytes counts."""
    found = None
    for name in sorted(line.tags, key=str.encode):
        if name.strip().lower() == key.strip().lower():
            found = line.tags[name]
    return found


def currency_of(text):
    return text.upper() if text and len(text) == 3 else text


def focus_line(source, row, place):
    def cell(column):
        return known(row.get(column.lower()))
    line = Line(cell("xline") or place, source)
    for cost in COSTS:
        line.costs[cost] = read_money(cell(cost + "cost"))
    line.currency = currency_of(cell("BillingCurrency") or source.currency)
    line.start = source.instant({"t": cell("ChargePeriodStart")}, "t")
    line.end = source.instant({"t": cell("ChargePeriodEnd")}, "t")
    if not usable(line):
        return None
    set_category(line, cell("ChargeCategory"))
    written = cell("BillingPeriodStart")
    line.period = int(written[:4]) * 12 + int(written[5:7]) - 1 if written else line.month
    line.correction = (cell("ChargeClass") or "").lower() == "correction"
    line.service, line.service_category = cell("ServiceName"), cell("ServiceCategory")
    line.delivered_resource, line.region = cell("ResourceId"), cell("RegionId")
    line.sku, line.description = cell("SkuId"), cell("ChargeDescription")
    line.details = read_tags(cell("SkuPriceDetails"))
    line.commitment, line.commitment_status = cell("CommitmentDiscountId"), cell("CommitmentDiscountStatus")
    line.reservation, line.reservation_status = cell("CapacityReservationId"), cell("CapacityReservationStatus")
    line.quantity, line.unit = read_decimal(cell("ConsumedQuantity")), cell("ConsumedUnit")
    line.tags = read_tags(cell("Tags"))
    return line


def plain_line(source, row, place, project_currency):
    def cell(column):
        return known(row.get(column))
    line = Line(cell("x_line") or place, source)
    hours, rate = read_decimal(cell("hours")), read_decimal(cell("rate"))
    billed, cost = read_money(cell("billed_cost")), read_money(cell("cost"))
    line.costs["effective"] = read_money(cell("effective_cost"))
    if cell("billed_cost") is not None:
        line.costs["billed"] = billed
        if cell("effective_cost") is None:
            line.costs["effective"] = cost
    elif cell("cost") is not None:
        line.costs["billed"] = cost
    elif hours is not None and rate is not None:
        line.costs["billed"] = half_even(hours * rate * SCALE)
    line.costs["list"] = read_money(cell("list_cost"))
    line.currency = currency_of(cell("currency") or source.currency or project_currency)
    line.start, line.end = source.instant(row, "start"), source.instant(row, "end")
    if not usable(line):
        return None
    set_category(line, cell("category") or "Usage")
    line.period = line.month
    line.correction = False
    line.service, line.sku = cell("service"), cell("sku")
    line.delivered_resource = cell("resource_id")
    count = read_count(cell("devices"))
    if count is not None:
        line.details = {"GpuCount": count}
    if hours is not None:
        line.quantity, line.unit = hours, "Hours"
    line.tags = read_tags(cell("tags"))
    line.run = cell("run_id")
    return line
