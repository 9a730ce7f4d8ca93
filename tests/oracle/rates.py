"""Exchange rates: which one a charge is converted at, and what it makes of its costs."""

from project_input import HOUR, Fraction, half_even, known, read_decimal
from bill_lines import currency_of

DAY = 24 * HOUR
OLDEST = 31  # days


class Rates:
    """{(from, to): {day: rate}}, without the days about which two rows disagree."""

    def __init__(self, project):
        self.currency = project.currency
        said = {}
        for source in project.of_format("rates"):
            for _, _, row in source.rows():
                pair = currency_of(known(row["from_currency"])), currency_of(known(row["to_currency"]))
                at, rate = source.instant(row, "day"), read_decimal(known(row["rate"]))
                if None in pair or pair[0] == pair[1] or at is None or rate is None:
                    continue
                rate = Fraction(half_even(rate * 10**18), 10**18)
                if rate > 0:
                    said.setdefault((pair, at // DAY), set()).add(rate)
        self.days = {}
        for (pair, day), rates in said.items():
            if len(rates) == 1:
                self.days.setdefault(pair, {})[day] = rates.pop()

    def find(self, currency, instant):
        """Units of the project's currency that one of `currency` is worth, or None."""
        today, found = instant // DAY, []
        for inverse, pair in ((False, (currency, self.currency)), (True, (self.currency, currency))):
            days = [day for day in self.days.get(pair, {}) if today - OLDEST <= day <= today]
            if days:
                rate = self.days[pair][max(days)]
                found.append((max(days), not inverse, 1 / rate if inverse else rate))
        return max(found)[2] if found else None

    def convert(self, line):
        """Sets `posted` and `posted_currency`: the line's costs as they are split."""
        line.posted, line.posted_currency = dict(line.costs), line.currency
        if line.currency == self.currency:
            return
        rate = self.find(line.currency, line.start)
        if rate is not None:
            line.posted_currency = self.currency
            line.posted = {cost: None if units is None else half_even(units * rate)
                           for cost, units in line.costs.items()}
