"""Exchange rates of random worlds, and more lines in other currencies for them."""

from random_times import DAY, text_of

OTHERS = ("EUR", "GBP", "JPY")


def add_rates(draft):
    """After all else: a world without rates is as it would be without this."""
    if not draft.chance(0.3):
        return
    draft.note("rates")
    for name in sorted(draft.tables):
        for row in draft.tables[name]:
            column = "BillingCurrency" if "BillingCurrency" in row else "currency" if name == "plain.csv" else None
            if column and row[column] != "NULL" and draft.chance(0.3):
                row[column] = draft.one_of(*OTHERS, "eur")
    rows = draft.tables["rates.csv"]
    for other in OTHERS:
        for _ in range(draft.random.randint(0, 4)):
            rows.append(rate(draft, other, "USD"))
        if draft.chance(0.4):
            rows.append(rate(draft, "USD", other))
            draft.note("rate-inverse")
    if draft.chance(0.3):
        rows.append(rate(draft, "JPY", "EUR"))
        draft.note("rate-chain")
    if not rows:
        rows.append(rate(draft, "EUR", "USD"))
    spoil(draft, rows)
    draft.random.shuffle(rows)
    draft.source("rates", "rates", "rates.csv")


def rate(draft, first, second):
    kind = draft.random.random()
    day = -draft.random.randint(0, 3) if kind < 0.4 else draft.random.randint(-36, -28) if kind < 0.7 \
        else draft.random.randint(-70, 2)
    if day < -33:
        draft.note("rate-too-old")
    digits = draft.one_of(0, 2, 4, 9, 18)
    value = draft.random.randint(1, 3 * 10**digits)
    text = f"{value // 10**digits}.{value % 10**digits:0{digits}}" if digits else str(value)
    return {"from_currency": draft.one_of(first, first.lower()), "to_currency": second,
            "day": text_of(day * DAY)[:10], "rate": text}


def spoil(draft, rows):
    """Rows that say the same again, that disagree, and that can't be used."""
    if draft.chance(0.3):
        rows.append(dict(draft.random.choice(rows)))
        draft.note("rate-duplicate")
    if draft.chance(0.3):
        rows.append({**draft.random.choice(rows), "rate": "0.625"})
        draft.note("rate-conflict")
    if draft.chance(0.2):
        rows.append({**draft.random.choice(rows), **draft.one_of({"rate": "0"}, {"rate": "-1.5"}, {"rate": "much"},
                                                                 {"day": "soon"}, {"from_currency": "USD", "to_currency": "usd"})})
        draft.note("rate-unusable")
