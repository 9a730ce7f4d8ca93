"""Machines without a bill in random worlds: an inventory of them, their rate cards, and who held them."""

from random_times import DAY, HOUR, MONTH_EDGE, instant, text_of


def add_cards(draft):
    """After the bill: a world without rate cards is as it would be without this."""
    if not draft.chance(0.25):
        return
    draft.note("rate-card")
    names = [f"c{number}" for number in range(1, draft.random.randint(1, 3) + 1)]
    for name in names:
        begin = instant(draft, MONTH_EDGE - 2 * DAY, 20 * HOUR)
        row = {"resource_id": name, "pool": draft.one_of("", "p"), "devices": draft.one_of("", 0, 1, 4),
               "cpus": draft.one_of("", 8), "from": text_of(begin) if draft.chance(0.8) else "",
               "to": text_of(begin + draft.random.randint(1, 3 * DAY)) if draft.chance(0.5) else ""}
        draft.tables["resources.csv"].append(row)
    if not any(source["path"] == "resources.csv" for source in draft.keys["sources"].get("resources", [])):
        draft.source("resources", "resources", "resources.csv")
    rows = draft.tables["cards.csv"]
    for pattern in ["c*"] + draft.random.sample(names, draft.random.randint(0, len(names))):
        rows.append(card(draft, pattern))
    if len(rows) > 1 or draft.chance(0.3):
        rows.append(card(draft, draft.one_of("c?", "c*", "*")))
        draft.note("rate-card-overlap")
    if draft.chance(0.4):
        rows.append(card(draft, "n*"))
        draft.note("rate-card-beside-a-bill")
    draft.source("rate_cards", "rate-card", "cards.csv")
    for _ in range(draft.random.randint(0, 4)):
        start = instant(draft, -DAY, 14 * HOUR)
        draft.tables["card-holds.csv"].append(
            {"run_id": draft.one_of("r0", "r1", "card-run"), "resource_id": draft.random.choice(names),
             "start": text_of(start), "end": text_of(start + draft.random.randint(1, 8 * HOUR)),
             "device": draft.one_of("", "0")})
    if draft.tables.get("card-holds.csv"):
        draft.source("holds", "holds", "card-holds.csv", name="card-holds")


def card(draft, pattern):
    begin = draft.one_of(MONTH_EDGE - 3 * DAY, MONTH_EDGE - DAY, MONTH_EDGE, instant(draft, -DAY, 12 * HOUR))
    row = {"resource_id": pattern, "from": text_of(begin), "pool": draft.one_of("", "own", "rack/1"),
           "to": text_of(begin + draft.random.randint(HOUR, 4 * DAY)) if draft.chance(0.4) else "",
           "currency": draft.one_of("", "", "USD", "EUR")}
    if draft.chance(0.6):
        return {**row, "currency_per_hour": draft.one_of("2", "0.7", "1.000000000000000001", "0.333333333333333333")}
    draft.note("rate-card-parts")
    parts = {"capex": "10000", "life_years": draft.one_of("3", "4.5")} if draft.chance(0.6) else {}
    if draft.chance(0.6):
        parts.update(power_watts="650.5", currency_per_kwh="0.21", pue=draft.one_of("", "1", "1.37"))
    if not parts or draft.chance(0.5):
        parts["staff_per_year"] = draft.one_of("100", "0.01", "7")
    return {**row, **parts}
