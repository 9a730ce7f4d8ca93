"""Reads the written files as a stranger would; checks them by each other and by truth.json.

Shares no arithmetic with the rest of this folder: it would share the mistakes.
"""

import csv
import gzip
import io
import json
from collections import Counter, defaultdict
from datetime import datetime, timedelta, timezone
from decimal import Decimal as D
from decimal import getcontext

getcontext().prec = 60
COSTS = {
    "billed": "BilledCost",
    "effective": "EffectiveCost",
    "list": "ListCost",
    "contracted": "ContractedCost",
}
ON_DEMAND = {
    "p4d.24xlarge": "21.957642",
    "g5.12xlarge": "5.672",
    "g5.4xlarge": "1.624",
    "g5.2xlarge": "1.212",
    "g5.xlarge": "1.006",
    "c6i.8xlarge": "1.36",
    "c6i.4xlarge": "0.68",
    "m5.4xlarge": "0.768",
    "m5.2xlarge": "0.384",
}
LIMIT = 2_000_000


def when(text):
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=timezone.utc)


def rows_of(path):
    data = path.read_bytes()
    data = gzip.decompress(data) if path.suffix == ".gz" else data
    return list(csv.DictReader(io.StringIO(data.decode()), strict=True))


class Checker:
    def __init__(self, folder):
        self.folder, self.count, self.wrong = folder, 0, []
        self.truth = json.loads((folder / "truth.json").read_text())
        self.bill = {p.name[:7]: rows_of(p) for p in sorted((folder / "bill").iterdir())}
        self.lines = [row for rows in self.bill.values() for row in rows]
        names = (
            "runs",
            "holds",
            "replicas",
            "resources",
            "aliases",
            "retrain-data",
            "outcomes",
            "invoices",
        )
        self.table = {n: rows_of(folder / f"{n}.csv") for n in names}
        self.usage = rows_of(folder / "device-usage.csv.gz")

    def expect(self, good, what):
        self.count += 1
        if not good:
            self.wrong.append(what)

    def machine(self, name, start, end):
        """The bill's id of a machine that a scheduler names."""
        ids = [
            a["resource_id"]
            for a in self.table["aliases"]
            if a["alias"] == name
            and (not a["from"] or when(a["from"]) <= start)
            and (not a["to"] or end <= when(a["to"]))
        ]
        self.expect(len(ids) == 1, f"{name} has {len(ids)} machines in {start}..{end}")
        return ids[0] if ids else None

    # The bill by itself

    def sums(self):
        for period, rows in self.bill.items():
            self.expect(len(rows) == self.truth["rows"][period], f"rows of {period}")
            by_category = defaultdict(lambda: dict.fromkeys(COSTS, D(0)))
            for row in rows:
                for key, column in COSTS.items():
                    by_category[row["ChargeCategory"]][key] += D(row[column])
            for category, costs in self.truth["by_billing_period_and_category"][period].items():
                for key, value in costs.items():
                    self.expect(
                        by_category[category][key] == D(value), f"{period} {category} {key}"
                    )
            for key, value in self.truth["by_billing_period"][period].items():
                self.expect(
                    sum(c[key] for c in by_category.values()) == D(value), f"{period} {key}"
                )
        for month, costs in self.truth["by_month"].items():
            for key, value in costs.items():
                mine = sum(
                    D(r[COSTS[key]]) for r in self.lines if r["ChargePeriodStart"][:7] == month
                )
                self.expect(mine == D(value), f"usage month {month} {key}")
                accounts = self.truth["accounts"][month].values()
                self.expect(
                    sum(D(a[key]) for a in accounts) == D(value), f"accounts of {month} {key}"
                )
                evidence = self.truth["evidence"][month].values()
                self.expect(
                    sum(D(a[key]) for a in evidence) == D(value), f"evidence of {month} {key}"
                )
        june, august = (
            D(self.truth["by_billing_period"][m]["billed"]) for m in ("2026-06", "2026-08")
        )
        self.expect(D("2.9") < august / june < D("3.2"), "the bill does not triple")

    def rows_in_themselves(self):
        for row in self.lines:
            start, end = when(row["ChargePeriodStart"]), when(row["ChargePeriodEnd"])
            self.expect(start < end, f"charge period {row}")
            inside = when(row["BillingPeriodStart"]) <= start and end <= when(
                row["BillingPeriodEnd"]
            )
            self.expect(inside != (row["ChargeClass"] == "Correction"), f"billing period {row}")
            for column in COSTS.values():
                self.expect(-D(row[column]).as_tuple().exponent <= 18, f"over 18 decimals {row}")
            if row["ChargeCategory"] == "Usage" and not row["CommitmentDiscountStatus"]:
                self.expect(row["BilledCost"] == row["EffectiveCost"], f"effective {row}")
            if row["ConsumedQuantity"]:
                self.priced(
                    row, D(row["PricingQuantity"]), D(row["ChargeDescription"].split()[0][1:])
                )
            json.loads(row["Tags"] or "{}")

    def priced(self, row, quantity, shown):
        details = json.loads(row["SkuPriceDetails"] or "{}")
        unit = D(ON_DEMAND[details["InstanceType"]]) if details else shown
        self.expect(D(row["ListCost"]) == unit * quantity, f"list = price x quantity {row}")
        self.expect(row["ConsumedQuantity"] == row["PricingQuantity"], f"quantity {row}")
        if row["CommitmentDiscountStatus"] == "Used":
            self.expect(
                D(row["EffectiveCost"]) == shown * quantity and D(row["BilledCost"]) == 0,
                f"covered {row}",
            )
        elif row["PricingCategory"] == "Dynamic":
            self.expect(D(row["BilledCost"]) == shown * quantity, f"spot {row}")
        else:
            part = D("0.97") if details else D(1)
            self.expect(
                shown == unit and D(row["BilledCost"]) == unit * part * quantity, f"billed {row}"
            )

    def commitment(self):
        days = defaultdict(lambda: [D(0), D(0)])
        for row in (r for r in self.lines if r["CommitmentDiscountId"]):
            day = days[row["ChargePeriodStart"][:10]]
            day[0] += D(row["BilledCost"])
            day[1] += D(row["EffectiveCost"])
        self.expect(len(days) == 62, "days of the plan")
        for day, (billed, effective) in days.items():
            self.expect(billed == effective, f"covering set of {day}: {billed} is not {effective}")

    def invoices(self):
        for row in self.table["invoices"]:
            billed = sum(
                D(r["BilledCost"]) for r in self.lines if r["InvoiceId"] == row["invoice_id"]
            )
            self.expect(abs(billed - D(row["total"])) <= D("0.005"), f"invoice {row['invoice_id']}")

    # The records against the bill

    def machines(self):
        """{(id, period): [devices, billed device-seconds]}, corrections left out."""
        out = {}
        for row in self.lines:
            details = json.loads(row["SkuPriceDetails"] or "{}")
            if not details or row["ChargeClass"]:
                continue
            devices = details["GpuCount"] or 1
            key = (row["ResourceId"], when(row["ChargePeriodStart"]), when(row["ChargePeriodEnd"]))
            seconds = D(row["ConsumedQuantity"]) * 3600 * devices
            known = out.setdefault(key, [details, D(0)])
            known[1] += seconds
            span = int((key[2] - key[1]).total_seconds())
            self.expect(0 < known[1] <= span * devices, f"billed beyond the period {key}")
        return out

    def records(self):
        runs = {(r["run_id"], r["attempt"]): r for r in self.table["runs"]}
        self.expect(len(runs) == len(self.table["runs"]), "a run and attempt twice")
        held = []
        for h in self.table["holds"]:
            run = runs[(h["run_id"], h["attempt"])]
            inside = run["start"] <= h["start"] < h["end"] and (
                not run["end"] or h["end"] <= run["end"]
            )
            self.expect(inside, f"a hold outside its run {h}")
            held.append(h)
        held += [
            {**r, "device": "", "device_count": "", "cpus": ""} for r in self.table["replicas"]
        ]
        for h in held:
            h["from"], h["until"] = when(h["start"]), when(h["end"])
            h["id"] = self.machine(h["resource_id"], h["from"], h["until"])
        return held

    def holds_fit(self, billed, held):
        by_machine = {machine: [] for machine, _, _ in billed}
        for h in held:
            self.expect(h["id"] in by_machine, f"a hold on a machine never billed {h}")
            by_machine[h["id"]].append(h)
        beyond, gpu_held = [], D(0)
        for (machine, start, end), (details, seconds) in sorted(billed.items()):
            total = D(0)
            for h in by_machine[machine]:
                length = (min(end, h["until"]) - max(start, h["from"])) / timedelta(seconds=1)
                if length > 0:
                    part = (
                        D(h["cpus"]) / details["CoreCount"]
                        if not details["GpuCount"]
                        else (1 if h["device"] else D(h["device_count"] or details["GpuCount"]))
                    )
                    total += int(length) * part
            gpu_held += total if details["GpuCount"] else 0
            if total > seconds:
                beyond.append((machine, start.date().isoformat(), total - seconds))
        late = self.machine(
            "cpu-node-2", when("2026-07-22T00:00:00Z"), when("2026-07-23T00:00:00Z")
        )
        self.expect(beyond == [(late, "2026-07-22", D(540))], f"held beyond billed: {beyond}")
        months = self.truth["gpu_time"].values()
        self.expect(gpu_held * 10**9 == sum(m["total"]["held_ns"] for m in months), "held GPU time")
        gpu_billed = sum(s for d, s in billed.values() if d["GpuCount"])
        self.expect(
            gpu_billed * 10**9 == sum(m["total"]["billed_ns"] for m in months), "billed GPU time"
        )
        silent = [machine for machine, holds in by_machine.items() if not holds]
        self.expect(len(silent) == 5, f"machines that no hold names: {silent}")

    def telemetry(self, billed):
        gpus = {machine: details["GpuCount"] for (machine, _, _), (details, _) in billed.items()}
        last, busy, resolved = {}, defaultdict(D), {}
        for row in self.usage:
            start, end = when(row["start"]), when(row["end"])
            key = (row["resource_id"], start.date())
            if key not in resolved:
                resolved[key] = self.machine(row["resource_id"], start, end)
            machine = resolved[key]
            device = (machine, row["device"])
            self.expect(int(row["device"]) < gpus[machine], f"no such device {row}")
            self.expect(last.get(device, start) <= start < end, f"samples overlap {row}")
            self.expect(
                0 <= D(row["sm_active_ratio"]) <= D(row["busy_ratio"]) <= 1, f"ratios {row}"
            )
            last[device] = end
            busy[row["start"][:7]] += (
                D(row["busy_ratio"]) * int((end - start).total_seconds()) * 10**9
            )
        for month, ns in busy.items():
            self.expect(
                ns == self.truth["gpu_time"][month]["total"]["busy_ns"], f"busy time of {month}"
            )

    def story(self):
        rows = [r for r in self.table["retrain-data"] if r["model"] == "reco"]
        monday = sum(
            int(r["rows_changed"]) for r in rows if when(r["day"] + "T00:00:00Z").weekday() == 0
        )
        self.expect(
            monday > 99 * sum(int(r["rows_changed"]) for r in rows) // 100,
            "the data does not change weekly",
        )
        states = Counter(r["state"] for r in self.table["runs"])
        self.expect(
            states["preempted"] == states["failed"] == states["running"] == 1, f"states {states}"
        )
        self.expect(sum(not r["model"] for r in self.table["runs"]) == 4, "runs without a model")
        size = sum(p.stat().st_size for p in self.folder.rglob("*") if p.is_file())
        self.expect(size <= LIMIT, f"{size} bytes")


def run(folder, made):
    from .files import same

    checker = Checker(folder)
    for name, data in made.items():
        checker.expect(same(folder / name, data), f"{name} is not what make.py makes")
    checker.sums()
    checker.rows_in_themselves()
    checker.commitment()
    checker.invoices()
    billed = checker.machines()
    checker.holds_fit(billed, checker.records())
    checker.telemetry(billed)
    checker.story()
    for wrong in checker.wrong[:20]:
        print(f"wrong: {wrong}")
    print(f"{checker.count} checks, {len(checker.wrong)} wrong")
    return 1 if checker.wrong else 0
