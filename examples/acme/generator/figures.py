"""The tables of README.md, from the truth. Parts above a sum add up to it (largest remainder)."""

from decimal import ROUND_FLOOR
from decimal import Decimal as D

from .clock import MONTHS

BEGIN, END = "<!-- figures: written by make.py -->", "<!-- end of figures -->"
HOUR_NS = 3600 * 10**9


def apportion(values, total=None, places=2):
    """Rounds the parts so that they sum to the rounded total."""
    unit = D(1).scaleb(-places)
    total = sum(values) if total is None else total
    floors = [v.quantize(unit, ROUND_FLOOR) for v in values]
    missing = int((total.quantize(unit) - sum(floors)) / unit)
    order = sorted(range(len(values)), key=lambda i: (floors[i] - values[i], i))
    assert 0 <= missing <= len(values)
    for i in order[:missing]:
        floors[i] += unit
    return floors


def shown(value):
    return f"{value:,}" if value else "–"


def table(header, rows):
    def line(cells):
        return "| " + " | ".join(str(c) for c in cells) + " |"

    yield line(header)
    yield line(["---"] + ["---:"] * (len(header) - 1))
    yield from (line(r) for r in rows)
    yield ""


def summed(names, columns, total, places=2):
    """A table of parts, one column a month, with its sum below."""
    parts = [apportion(c, places=places) for c in columns]
    for i, name in enumerate(names):
        yield [name, *(shown(p[i]) for p in parts)]
    yield [f"**{total}**", *(f"**{sum(p):,}**" for p in parts)]


def bills(known):
    keys = ("billed", "effective", "list", "contracted")
    bill = known["by_billing_period"]
    yield from ("#### The bill, by billing period (USD)", "")
    header = ["invoice month", "rows", *keys, "invoice", "issued total"]
    yield from table(
        header,
        (
            [
                m,
                f"{known['rows'][m]:,}",
                *(f"{D(bill[m][k]):,.2f}" for k in keys),
                number,
                f"{D(issued):,.2f}",
            ]
            for m, (number, issued) in zip(MONTHS, known["invoices"].items())
        ),
    )
    back = D(known["by_month"]["2026-08"]["billed"]) - D(bill["2026-08"]["billed"])
    yield f"August's invoice gives back {back:.2f} of July's use: by charge period, July is lower than"
    yield f"by invoice, and August higher, by {back:.2f}. All tables below are by charge period."
    yield ""


def gpu_hours(known):
    names = {
        "busy and kept": lambda t: t["busy_ns"] - t["lost_ns"],
        "busy and lost": lambda t: t["lost_ns"],
        "held, starting": lambda t: t["startup_ns"],
        "held, busy 0 for 15 min or longer": lambda t: t["idle_held_ns"],
        "held, not busy": lambda t: t["not_busy_ns"],
        "no run": lambda t: t["no_run_ns"],
        "unknown": lambda t: t["unknown_ns"],
    }
    totals = [known["gpu_time"][m]["total"] for m in MONTHS]
    columns = [[D(f(t)) / HOUR_NS for f in names.values()] for t in totals]
    yield from ("#### Billed GPU-hours, and what they were", "")
    yield from table(["", *MONTHS], summed(list(names), columns, "billed", 1))
    rows = [
        [name, *(f"{D(t[key]) / HOUR_NS:,.1f}" for t in totals)]
        for name, key in (("held by a run", "held_ns"), ("busy", "busy_ns"))
    ]
    rows += [
        [name, *(f"{D(100 * t[key]) / t['billed_ns']:.1f} %" for t in totals)]
        for name, key in (
            ("utilisation: busy ÷ billed", "busy_ns"),
            ("unknown ÷ billed", "unknown_ns"),
        )
    ]
    yield from table(["of which", *MONTHS], rows)


def gpu_hours_by_stage(known):
    yield from ("#### Held and busy GPU-hours, by model and stage", "")
    stages = sorted({s for m in MONTHS for s in known["gpu_time"][m]["by_stage"]})
    rows = []
    for stage in stages:
        row = [stage]
        for m in MONTHS:
            t = known["gpu_time"][m]["by_stage"].get(stage)
            row.append(
                f"{D(t['held_ns']) / HOUR_NS:,.1f} / {D(t['busy_ns']) / HOUR_NS:,.1f}" if t else "–"
            )
        rows.append(row)
    yield from table(["held / busy", *MONTHS], rows)


def accounts(known):
    names = sorted({a for m in MONTHS for a in known["accounts"][m]})
    columns = [
        [D(known["accounts"][m].get(a, {"effective": 0})["effective"]) for a in names]
        for m in MONTHS
    ]
    yield from ("#### Where the money went: effective cost by account (USD)", "")
    short = ["/".join(n.split("/")[:1]) + "/…" if n.startswith("commitment") else n for n in names]
    yield from table(["account", *MONTHS], summed([f"`{n}`" for n in short], columns, "all"))
    yield "`support` is shown before the policy spreads it over the models; `model/…/shared` is the"
    yield "network, by requests."
    yield ""


def units(known):
    yield from ("#### Unit costs (effective, without idle, support and network)", "")
    rows = []
    for model in ("fraud", "reco"):
        for key in ("direct", "per_retrain", "per_thousand_predictions", "per_outcome"):
            places = 2 if key in ("direct", "per_retrain") else 5
            values = [known["unit_costs"][m][model][key] for m in MONTHS]
            rows.append(
                [f"{model}: {key.replace('_', ' ')}", *(f"{D(v):,.{places}f}" for v in values)]
            )
        for outcome in known["outcomes"]["2026-06"][model]:
            rows.append(
                [
                    f"{model}: {outcome.replace('_', ' ')}",
                    *(f"{known['outcomes'][m][model][outcome]:,}" for m in MONTHS),
                ]
            )
        rows.append(
            [
                f"{model}: finished retrains",
                *(known["training_attempts"][m][model]["finished"] for m in MONTHS),
            ]
        )
    yield from table(["", *MONTHS], rows)


def events(known):
    yield from ("#### Single runs (effective, USD)", "")
    names = {
        "reco-pretrain-0718#0": "preempted after 8 h on spot, no checkpoint: all of it lost",
        "reco-pretrain-0718#1": "the same work again, from zero",
        "reco-train-2026-08-11#0": "out of memory; what followed its last checkpoint is lost",
        "exp-wide-tower#0": "names no model",
        "fraud-backtest-0806#0": "no hold: found by its run-id tag",
    }
    rows = [
        [f"`{run}`", what, f"{D(known['runs'][run]['effective']):,.2f}"]
        for run, what in names.items()
    ]
    yield from table(["run # attempt", "what happened", "cost"], rows)
    plan = {k: f"{D(v):,.2f}" for k, v in known["plan"].items()}
    yield "#### The commitment, July and August (USD)"
    yield ""
    yield f"Paid {plan['fee']} = used {plan['used']} + unused {plan['unused']}."
    yield f"The {plan['covered_node_hours']} node-hours that it covered would have cost"
    cost = plan["covered_at_contracted"]
    yield f"{cost} at the negotiated rate: a discount of a third, a loss in all."
    yield ""


def into(path, known):
    parts = [
        *bills(known),
        *gpu_hours(known),
        *gpu_hours_by_stage(known),
        *accounts(known),
        *units(known),
        *events(known),
    ]
    text = path.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    new = before + BEGIN + "\n\n" + "\n".join(parts) + "\n" + END + after
    if new != text:
        path.write_text(new, encoding="utf-8")
