"""Rate cards: lines of machines of the inventory that no bill names, a day at a time."""

import functools

from aliases import FOREVER
from bill_lines import COSTS, Line, currency_of
from project_input import HOUR, Fraction, half_even, known, matches, month_of, read_decimal, read_money

DAY = 24 * HOUR
YEAR = 365 * DAY


class Card:
    def __init__(self, source, row, currency):
        self.source, self.pattern = source, known(row["resource_id"])
        self.start, end = source.instant(row, "from"), source.instant(row, "to")
        self.end = FOREVER if end is None else end
        self.currency = currency_of(known(row.get("currency")) or source.currency or currency)
        self.pool = known(row.get("pool"))
        cells = {name: known(row.get(name)) for name in ("currency_per_hour", "capex", "life_years", "power_watts",
                                                         "currency_per_kwh", "pue", "staff_per_year")}
        self.given = {name: read_money(text) for name, text in cells.items()}
        price = {name: None if units is None else Fraction(units, 10**18) for name, units in self.given.items()}
        self.parts = []  # money for a nanosecond
        if price["currency_per_hour"] is not None:
            self.parts.append(price["currency_per_hour"] / HOUR)
        if price["capex"] is not None:
            self.parts.append(price["capex"] / price["life_years"] / YEAR)
        if price["power_watts"] is not None:
            pue = Fraction(1) if price["pue"] is None else price["pue"]
            self.parts.append(price["power_watts"] / 1000 * pue * price["currency_per_kwh"] / HOUR)
        if price["staff_per_year"] is not None:
            self.parts.append(price["staff_per_year"] / YEAR)

    def cost(self, length):
        return sum(half_even(part * length * 10**18) for part in self.parts)

    def counts_before(self):
        """The pattern that says more, the later start, then the content as the store sorts it."""
        literal = sum(c not in "*?" for c in self.pattern)
        content = [self.pattern.encode(), (self.end < FOREVER, self.end)]
        content += [(units is not None, units or 0) for units in self.given.values()]
        return -literal, -self.start, content


def usable(source, row):
    return known(row.get("resource_id")) is not None and source.instant(row, "from") is not None


def card_lines(project, aliases, lines, horizon):
    cards = [Card(source, row, project.currency) for source in project.of_format("rate-card")
             for _, _, row in source.rows() if usable(source, row)]
    if not cards:
        return []
    cards.sort(key=Card.counts_before)

    @functools.lru_cache(None)
    def meant(name):
        found, before = {name}, set()
        while found != before:
            before = set(found)
            found |= {row[1] for row in aliases.rows if row[0] in before}
        return frozenset(found)

    billed = {(name, line.month) for line in lines if line.delivered_resource is not None
              for name in meant(line.delivered_resource)}
    machines = {}
    for source in project.of_format("resources"):
        for _, _, row in source.rows():
            name, begin, end = known(row.get("resource_id")), source.instant(row, "from"), source.instant(row, "to")
            if name is not None:
                machines.setdefault(name, []).append((-FOREVER if begin is None else begin,
                                                      FOREVER if end is None else end))
    made = []
    for name, times in machines.items():
        own = [card for card in cards if matches(card.pattern, name)]
        edges = {at for time in times for at in time} | {at for card in own for at in (card.start, card.end)}
        last = FOREVER if horizon is None else horizon
        edges = {at for at in edges if -FOREVER < at < last} | {last}
        if last < FOREVER and own:
            first = min(card.start for card in own)
            edges |= set(range(first - first % DAY, last, DAY))
        edges = sorted(edges)
        for start, end in zip(edges, edges[1:]):
            there = any(begin <= start < stop for begin, stop in times)
            card = next((card for card in own if card.start <= start < card.end), None)
            if not there or card is None or end == FOREVER or any((n, month_of(start)) in billed for n in meant(name)):
                continue
            made.append(line_of(card, name, start, end))
    return made


def line_of(card, machine, start, end):
    line = Line(f"{machine}@{start}", card.source)
    line.costs = dict.fromkeys(COSTS, card.cost(end - start))
    line.category, line.correction, line.currency = "Usage", False, card.currency
    line.start, line.end = start, end
    line.period = line.month
    line.service, line.service_category = "rate card", "Compute"
    line.delivered_resource = machine
    line.quantity, line.unit = Fraction(end - start, 10**9), "Seconds"
    line.tags = {"rate-card-pool": card.pool} if card.pool else {}
    return line
