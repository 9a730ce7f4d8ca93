"""Writes the files. One whose content is already there keeps its bytes, whatever zlib made them."""

import csv
import gzip
import io
import json
from decimal import Decimal

from .bill import COLUMNS, INVOICES, ISSUER, SHAPES, text, totals
from .clock import DAY, DAYS, END, MONTHS, Dice, date, iso, month, month_days
from .records import SEED
from .story import RECO_DAY

GIB = 1 << 30


def pack(data):
    buffer = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=buffer, mtime=0) as out:
        out.write(data)
    return buffer.getvalue()


def table(header, rows):
    buffer = io.StringIO()
    out = csv.writer(buffer, lineterminator="\n")
    out.writerow(header.split(",") if isinstance(header, str) else header)
    for row in rows:
        out.writerow(["" if v is None else text(v) if isinstance(v, Decimal) else v for v in row])
    return buffer.getvalue().encode()


def instant(t):
    return "" if t is None else iso(t)


def ratio(thousandths):
    return text(Decimal(thousandths).scaleb(-3))


def runs(world):
    rows = sorted(world.runs, key=lambda r: (r.start, r.id, r.attempt))
    return table(
        "run_id,attempt,model,stage,team,name,state,start,end,last_checkpoint,exit_reason,rows_in",
        (
            [
                r.id,
                r.attempt,
                r.model,
                r.stage,
                r.team,
                r.name,
                r.state,
                iso(r.start),
                instant(r.end),
                instant(r.last_checkpoint),
                r.exit_reason,
                r.rows_in,
            ]
            for r in rows
        ),
    )


def holds(world):
    rows = sorted(
        (h for h in world.holds if not h.replica),
        key=lambda h: (h.start, h.run.id, h.run.attempt, h.node.name, h.device or 0),
    )
    return table(
        "run_id,attempt,resource_id,device,device_count,start,end,cpus",
        (
            [
                h.run.id,
                h.run.attempt,
                h.node.name,
                h.device,
                h.count,
                iso(h.start),
                iso(h.end),
                h.cpus,
            ]
            for h in rows
        ),
    )


def replicas(world):
    rows = (h for h in world.holds if h.replica)
    return table(
        "model,endpoint,resource_id,start,end",
        (["reco", "reco", h.node.name, iso(h.start), iso(h.end)] for h in rows),
    )


def resources(world):
    rows = [n for n in world.nodes if n.pool]

    def shape(n):
        return SHAPES[n.shape]

    return table(
        "resource_id,pool,team,devices,device_model,cpus,memory_bytes,from,to",
        (
            [
                n.id,
                n.pool,
                n.team,
                shape(n).gpus,
                shape(n).device,
                shape(n).cpus,
                shape(n).memory_gib * GIB,
                iso(n.up[0][0]),
                instant(n.gone if n.gone < END else None),
            ]
            for n in rows
        ),
    )


def aliases(world):
    """gpu-node-2 is one machine until 3 August, noon, and another from then on."""
    rows, since = [], {}
    for n in (n for n in world.nodes if n.name):
        rows.append([n.name, n.id, instant(since.get(n.name)), instant(n.alias_until)])
        since[n.name] = n.alias_until
    return table("alias,resource_id,from,to", rows)


def retrain_data():
    dice, rows, total = Dice(SEED, "retrain-data"), [], {"fraud": 21_000_000, "reco": 186_000_000}
    for d in range(DAYS):
        weekly = d % 7 == 0  # the warehouse lands on Mondays
        for model, changed in (
            ("fraud", dice.around(52_000, 6_000)),
            ("reco", dice.around(3_100_000, 200_000) if weekly else dice.around(900, 600)),
        ):
            total[model] += changed
            rows.append([model, date(d), changed, total[model]])
    return table("model,day,rows_changed,rows_total", rows)


def device_usage(world):
    rows = sorted(world.samples, key=lambda s: (s.node.name, s.start, s.device))
    return table(
        "resource_id,device,start,end,busy_ratio,sm_active_ratio",
        (
            [s.node.name, s.device, iso(s.start), iso(s.end), ratio(s.busy), ratio(s.sm)]
            for s in rows
        ),
    )


def outcomes():
    """Both models do a little better each month. The recommender's cost does not grow a little."""
    dice, rows = Dice(SEED, "outcomes"), []
    for d in range(DAYS):
        grown = 1000 + d  # to 109 %
        weekend = 93 if d % 7 >= 5 else 100
        clicks = dice.around(41_000, 1_500) * weekend * grown // 100_000
        rows += [
            [
                "fraud",
                "cases_caught",
                date(d),
                dice.around(131, 14) * (1000 + 2 * d) // 1000,
                "",
                "",
            ],
            [
                "fraud",
                "predictions",
                date(d),
                dice.around(1_120_000, 40_000) * grown // 1000,
                "",
                "",
            ],
            [
                "reco",
                "incremental_clicks",
                date(d),
                clicks,
                clicks * 88 // 100,
                clicks * 112 // 100,
            ],
            [
                "reco",
                "predictions",
                date(d),
                dice.around(6_200_000, 150_000) * weekend * grown // 100_000,
                "",
                "",
            ],
        ]
    return rows


def outcome_sums(rows):
    out = {m: {"fraud": {}, "reco": {}} for m in MONTHS}
    for model, outcome, day, count, _, _ in rows:
        of = out[day[:7]][model]
        of[outcome] = of.get(outcome, 0) + count
    return out


# One request in many is logged. Within a month the two models keep one ratio, on each day.
LOGGED_A_DAY = {
    "2026-06": {"fraud": 9, "reco": 36},
    "2026-07": {"fraud": 10, "reco": 44},
    "2026-08": {"fraud": 10, "reco": 50},
}


def request_counts():
    return {m: {model: n * month_days(m) for model, n in LOGGED_A_DAY[m].items()} for m in MONTHS}


def requests():
    rows = []
    for d in range(DAYS):
        dice = Dice(SEED, f"requests/{d}")
        for model, n in LOGGED_A_DAY[month(d * DAY)].items():
            for _ in range(n):
                service = dice.between(9, 24) if model == "fraud" else dice.between(22, 70)
                key = dice.below(40_000) if model == "fraud" else dice.below(200) * dice.below(200)
                rows.append(
                    [
                        d * DAY + hour_of_day(dice) * 3600 + dice.below(3600),
                        model,
                        service,
                        f"u{key}",
                    ]
                )
    rows.sort()
    return table(
        "model,arrival,service_ms,key,status", ([m, iso(t), ms, key, 200] for t, m, ms, key in rows)
    )


def hour_of_day(dice):
    at = dice.below(sum(RECO_DAY))
    for hour, weight in enumerate(RECO_DAY):
        at -= weight
        if at < 0:
            return hour
    raise AssertionError


def invoices(lines):
    return table(
        "invoice_id,issuer,billing_period,total,currency",
        (
            [
                INVOICES[m],
                ISSUER,
                m,
                format(
                    totals([line for line in lines if line.period == m])[0].quantize(
                        Decimal("0.01")
                    ),
                    "f",
                ),
                "USD",
            ]
            for m in MONTHS
        ),
    )


def bills(lines):
    for m in MONTHS:
        yield (
            f"bill/{m}.csv.gz",
            pack(
                table(
                    COLUMNS, ([line.row[c] for c in COLUMNS] for line in lines if line.period == m)
                )
            ),
        )


def all_files(world, lines, outcome_rows, truth):
    return dict(
        [
            *bills(lines),
            ("runs.csv", runs(world)),
            ("holds.csv", holds(world)),
            ("replicas.csv", replicas(world)),
            ("resources.csv", resources(world)),
            ("aliases.csv", aliases(world)),
            ("retrain-data.csv", retrain_data()),
            ("device-usage.csv.gz", pack(device_usage(world))),
            ("outcomes.csv", table("model,outcome,day,count,count_low,count_high", outcome_rows)),
            ("requests.csv.gz", pack(requests())),
            ("invoices.csv", invoices(lines)),
            ("truth.json", (json.dumps(truth, indent=1) + "\n").encode()),
        ]
    )


def content(name, data):
    return gzip.decompress(data) if name.endswith(".gz") else data


def same(path, data):
    try:
        return path.exists() and content(path.name, path.read_bytes()) == content(path.name, data)
    except (OSError, EOFError):
        return False


def write(folder, files):
    for name, data in files.items():
        path = folder / name
        if not same(path, data):
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(data)
