"""The figures that a report of acme must show, worked out here without tare.

Months are usage months (by charge period), unless a name says `by_billing_period`.
"""

from decimal import ROUND_HALF_EVEN
from decimal import Decimal as D

from .bill import INVOICES, totals
from .clock import END, MONTHS, iso, month
from .ledger import UNITS, postings
from .usage import cpu_time, gpu_time

KEYS = ("billed", "effective", "list", "contracted")


def plan(lines):
    """The commitment: what was paid, what it covered, and what that had cost without it."""
    mine = [line for line in lines if line.row["CommitmentDiscountId"]]
    used = [line for line in mine if line.row["CommitmentDiscountStatus"] == "Used"]
    unused = [line for line in mine if line.row["CommitmentDiscountStatus"] == "Unused"]

    def total(rows, column):
        return money(int(sum(line.cost(column) for line in rows) * UNITS))

    return {
        "fee": total(mine, "BilledCost"),
        "used": total(used, "EffectiveCost"),
        "unused": total(unused, "EffectiveCost"),
        "covered_node_hours": format(sum(line.hours for line in used), "f"),
        "covered_at_contracted": total(used, "ContractedCost"),
    }


def money(units):
    return format(D(units).scaleb(-18), "f")


def costs_of(four):
    return {key: money(value) for key, value in zip(KEYS, four)}


def tally(items):
    """{key: four costs} from (key, four costs)."""
    out = {}
    for key, cost in items:
        out[key] = tuple(map(sum, zip(out.get(key, (0, 0, 0, 0)), cost)))
    return out


def group(name):
    """Runs of a stage together."""
    return "/".join(name.split("/")[:3]) if name.startswith("model/") else name


def run_counts(world):
    out = {m: {} for m in MONTHS}
    for run in world.runs:
        if run.stage == "training":
            row = out[month(run.start)].setdefault(run.model or "unnamed", {})
            row[run.state] = row.get(run.state, 0) + 1
    return out


def ratio(units, count):
    return format((D(units).scaleb(-18) / count).quantize(D("1e-6"), ROUND_HALF_EVEN), "f")


def unit_costs(accounts, counts, outcomes):
    out = {}
    for name in MONTHS:
        effective = {k: v[1] for k, v in accounts[name].items()}
        out[name] = {}
        for model, outcome in (("fraud", "cases_caught"), ("reco", "incremental_clicks")):
            direct = sum(
                v
                for k, v in effective.items()
                if k.startswith(f"model/{model}/") and not k.endswith("/shared")
            )
            out[name][model] = {
                "direct": money(direct),
                "per_retrain": ratio(
                    effective[f"model/{model}/training"], counts[name][model]["finished"]
                ),
                "per_thousand_predictions": ratio(
                    effective[f"model/{model}/serving"] * 1000, outcomes[name][model]["predictions"]
                ),
                "per_outcome": ratio(direct, outcomes[name][model][outcome]),
            }
    return out


def tallied(posted, key):
    """{usage month: {key: the four costs}}."""
    out = {}
    for name in MONTHS:
        mine = (p for p in posted if month(p.line.start) == name)
        out[name] = tally((key(p), p.cost) for p in mine)
    return out


def four(lines):
    return costs_of([int(value * UNITS) for value in totals(lines)])


def printed(months):
    return {m: {k: costs_of(v) for k, v in sorted(row.items())} for m, row in months.items()}


def bill(lines):
    invoiced = {m: [line for line in lines if line.period == m] for m in MONTHS}
    used = {m: [line for line in lines if month(line.start) == m] for m in MONTHS}
    categories = sorted({line.row["ChargeCategory"] for line in lines})

    def of_category(m, category):
        return four([line for line in invoiced[m] if line.row["ChargeCategory"] == category])

    return {
        "rows": {m: len(invoiced[m]) for m in MONTHS},
        "by_billing_period": {m: four(invoiced[m]) for m in MONTHS},
        "by_billing_period_and_category": {
            m: {c: of_category(m, c) for c in categories} for m in MONTHS
        },
        "invoices": {INVOICES[m]: cents(totals(invoiced[m])[0]) for m in MONTHS},
        "by_month": {m: four(used[m]) for m in MONTHS},
    }


def cents(value):
    return format(value.quantize(D("0.01"), ROUND_HALF_EVEN), "f")


def support_weights(posted):
    """Effective cost posted to models by the rules 1 to 3, by billing period."""
    out = {}
    for name in MONTHS:
        mine = (
            (p.account.split("/")[1], p.cost)
            for p in posted
            if p.line.period == name
            and p.account.startswith("model/")
            and p.evidence in ("exact", "overlap", "tag")
        )
        out[name] = {k: money(v[1]) for k, v in sorted(tally(mine).items())}
    return out


MARKED = (
    "reco-pretrain-0718",
    "reco-train-2026-08-11",
    "fraud-backtest-0806",
    "exp-wide-tower",
)


def build(world, lines, requests, outcomes):
    posted = list(postings(world, lines, requests))
    accounts = tallied(posted, lambda p: group(p.account))
    marked = tally(((p.run, p.attempt), p.cost) for p in posted if p.run in MARKED)
    counts = run_counts(world)
    return {
        "about": "Figures of the example acme, made by make.py without tare. Months are usage "
        "months, by charge period, unless the key says otherwise; times are nanoseconds of one "
        "device; costs are exact.",
        **bill(lines),
        "accounts": {
            "note": "model/<m>/<stage> sums that stage's runs. `support` is the support charge "
            "before the policy `proportional` spreads it over the models; network is spread by "
            "requests.",
            **printed(accounts),
        },
        "evidence": printed(tallied(posted, lambda p: p.evidence)),
        "runs": {f"{run}#{n}": costs_of(v) for (run, n), v in sorted(marked.items())},
        "support_weights": {
            "note": "Effective cost posted to models by rules 1 to 3, by billing period: what "
            "`proportional` splits by.",
            **support_weights(posted),
        },
        "plan": plan(lines),
        "gpu_time": gpu_time(world, lines),
        "cpu_node_time": cpu_time(world, lines),
        "training_attempts": counts,
        "outcomes": outcomes,
        "requests": requests,
        "unit_costs": {
            "note": "Effective cost, rules 1 to 3 only: without idle, support and network. "
            "per_outcome is all stages over outcomes; per_retrain is training over finished "
            "training runs.",
            **unit_costs(accounts, counts, outcomes),
        },
        "horizon": iso(END),
    }
