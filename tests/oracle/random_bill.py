"""Machines and bills of random worlds: what was charged, of which kinds, and the rules that post what nobody held."""

import json

from random_times import DAY, HOUR, MINUTE, MONTH_EDGE, text_of

FIRST, LAST = 8, 14  # the hours in which most happens


class Machine:
    """`sku` are the cells that name what it is; `devices` how many the bill says (0: a node), None: unknown."""

    def __init__(self, name, kind, devices, sku):
        self.name, self.kind, self.devices, self.sku = name, kind, devices, sku
        self.month_before = False
        self.names = "index"  # how holds and telemetry name its devices
        self.later_sku = None  # after a change of its type
        self.cpus = None


def kinds(draft):
    """(kind, devices, cells of a bill line)."""
    count = draft.random.randint(2, 5)
    return [
        ("one-gpu", 1, {"SkuId": "g5.xlarge"}),
        ("one-gpu-details", 1, {"SkuId": "vm", "SkuPriceDetails": json.dumps({"InstanceType": "g5.xlarge"})}),
        ("four-gpus", 4, {"SkuId": "vm4", "SkuPriceDetails": json.dumps({"InstanceType": "g5.12xlarge"})}),
        ("eight-gpus", 8, {"SkuId": "p4d.24xlarge"}),
        ("gpu-count", count, {"SkuId": "vmn", "SkuPriceDetails": json.dumps({"GpuCount": count})}),
        ("shape", 3, {"SkuId": "vm3", "SkuPriceDetails": json.dumps({"InstanceType": "ours.big"})}),
        ("unknown-type", None, {"SkuId": "vmx", "SkuPriceDetails": json.dumps({"InstanceType": "theirs.odd"})}),
        ("node-type", 0, {"SkuId": "m5.2xlarge"}),
        ("node-type", 0, {"SkuId": "m5", "SkuPriceDetails": json.dumps({"InstanceType": "m5.2xlarge"})}),
        ("compute-without-type", None, {"SkuId": "S-9"}),
        ("accelerator-hours", 2, {"SkuId": "S-8", "ChargeDescription": "Nvidia A100 GPU running in Europe"}),
    ]


def add_machines(draft):
    for number in range(1, draft.random.randint(1, 5) + 1):
        kind, devices, sku = draft.random.choice(kinds(draft))
        machine = Machine(f"n{number}", kind, devices, sku)
        draft.note(f"machine-{kind}")
        if kind == "shape":
            draft.keys["shapes"] = {"ours.big": {"devices": 3}}
        if kind == "node-type":
            machine.cpus = 8
            if draft.chance(0.3):
                machine.later_sku = {"SkuId": "m5.4xlarge"}
                draft.note("type-changes")
        elif kind == "one-gpu" and draft.chance(0.15):
            machine.devices, machine.later_sku = 4, {"SkuId": "g5.12xlarge"}
            draft.note("type-changes")
        machine.month_before = draft.chance(0.2)
        draft.machines.append(machine)
    for machine in draft.machines:
        add_inventory(draft, machine)
    if draft.tables["resources.csv"]:
        draft.source("resources", "resources", "resources.csv")
    else:
        del draft.tables["resources.csv"]


def add_inventory(draft, machine):
    row = {"resource_id": machine.name, "pool": "", "devices": "", "cpus": "", "from": "", "to": ""}
    if machine.kind == "accelerator-hours":
        row["devices"] = machine.devices
    elif machine.kind == "compute-without-type" and draft.chance(0.5):
        machine.devices, machine.cpus, machine.kind = 0, 16, "node-inventory"
        row.update(devices=0, cpus=16)
        draft.note("node-inventory")
    elif machine.devices and draft.chance(0.15):
        machine.devices += 1
        row["devices"] = machine.devices
        draft.note("inventory-says-more-devices")
    if draft.chance(0.7):
        row["pool"] = draft.one_of("p", "q", "p/1")
        draft.note("pool-of-resources")
        if draft.chance(0.7 if row["cpus"] else 0.2):
            edge = draft.random.randint(FIRST, LAST) * HOUR
            draft.tables["resources.csv"].append({**row, "to": text_of(edge)})
            row.update(pool="later", **{"from": text_of(edge)})
            draft.note("pool-for-a-time")
            if row["cpus"]:
                row["cpus"] = 8
                draft.note("inventory-says-other-cpus")
    elif draft.chance(0.3) and not row["devices"]:
        return
    if draft.chance(0.07) and not row["from"]:
        row["to"] = text_of(draft.random.randint(FIRST, LAST) * HOUR)
        draft.note("machine-gone")
    draft.tables["resources.csv"].append(row)


def cost(draft):
    digits = draft.random.choice([0, 1, 2, 6, 18])
    value = draft.random.randint(1, 99 * 10**digits)
    text = f"{value}e-{digits}" if draft.chance(0.2) else f"{value / 10**digits:.{digits}f}" if digits <= 6 \
        else f"{value // 10**18}.{value % 10**18:018}"
    if draft.chance(0.06):
        draft.note("negative-cost")
        return "-" + text
    if draft.chance(0.05):
        draft.note("tiny-cost")
        return draft.one_of("1e-18", "0.000000000000000007", "2E-18")
    return draft.one_of("0", "0.0", text) if draft.chance(0.04) else text


def costs(draft):
    row = {"BilledCost": cost(draft)}
    for column in ("EffectiveCost", "ListCost", "ContractedCost"):
        kind = draft.random.random()
        row[column] = row["BilledCost"] if kind < 0.4 else cost(draft) if kind < 0.75 else draft.one_of("", "NULL", "0")
        if row[column] in ("", "NULL"):
            draft.note("null-cost")
    return row


def tags(draft):
    """Text of a line's tags."""
    found = {}
    if draft.chance(0.25):
        found[draft.one_of("app", "App", " app ")] = draft.one_of("reco-1", "reco-2", "search", "x")
        draft.note("tag")
        if draft.chance(0.1):
            found["APP"] = "reco-9"
            draft.note("tag-keys-fold")
    if draft.chance(0.15):
        found["endpoint"] = draft.one_of("fraud", "fraud-eu", "none")
    if draft.chance(0.15):
        found["pool"] = draft.one_of("t1", "t2")
    if draft.chance(0.15):
        found[draft.one_of("run_id", "slurm_job_id", "task")] = draft.one_of("r0", "r1", "r2", "ghost")
        draft.note("run-id-tag")
    return json.dumps(found) if found else ""


def periods(draft, machine):
    """Charge periods of a machine, with how long each is."""
    for hour in range(FIRST, LAST):
        if draft.chance(0.4):
            yield hour * HOUR, (hour + 1) * HOUR
    if draft.chance(0.12):
        draft.note("daily-line")
        yield 0, DAY
    if draft.chance(0.06):
        draft.note("monthly-line")
        yield MONTH_EDGE, MONTH_EDGE + 31 * DAY
    if draft.chance(0.08):
        draft.note("odd-period")
        start = FIRST * HOUR + draft.random.randint(0, 3 * HOUR)
        yield start, start + draft.random.randint(1, 2 * HOUR)
    if machine.month_before and draft.chance(0.8):
        draft.note("month-before")
        yield MONTH_EDGE - HOUR, MONTH_EDGE + draft.one_of(0, HOUR)


def quantity(draft, machine, start, end):
    """(quantity, unit) of a line that carries device-time, mostly."""
    hours = (end - start) / HOUR
    kind = draft.random.random()
    if machine.kind == "accelerator-hours":
        hours *= machine.devices
    elif machine.devices and kind < 0.12:
        draft.note("device-hours")
        return f"{hours * machine.devices * draft.one_of(0.25, 0.5, 1):.4f}", draft.one_of("GPU-Hours", "Device-Hours")
    elif machine.kind in ("node-inventory", "node-type") and kind < 0.2:
        draft.note("core-time")
        return f"{hours * machine.cpus * draft.one_of(0.5, 1):.4f}", draft.one_of("vCPU-Hours", "Core-Hours")
    if kind < 0.5:
        return f"{hours:.9f}".rstrip("0").rstrip("."), draft.one_of("Hours", "Hrs", "Hour")
    if kind < 0.6:
        draft.note("part-billed")
        return str(draft.random.randint(1, int(hours * 3600) + 1)), draft.one_of("Seconds", "Second")
    if kind < 0.66:
        draft.note("part-billed")
        return f"{hours / 3:.18f}", "Hours"
    if kind < 0.7:
        draft.note("billed-beyond-capacity")
        return f"{hours * 2:.6f}", "Hours"
    if kind < 0.74:
        draft.note("quantity-zero-or-below")
        return draft.one_of("0", "-0.5", "-2"), "Hours"
    if kind < 0.82:
        draft.note("quantity-unknown")
        return "", ""
    return f"{hours * 60:.3f}", draft.one_of("Minutes", "Mins")


def line(draft, start, end, **cells):
    row = {**costs(draft), "BillingCurrency": "USD", "BillingPeriodStart": "",
           "ChargePeriodStart": text_of(start, draft.one_of("Z", "Z", "Z", "+02:00", "-05:30")),
           "ChargePeriodEnd": text_of(end), "ChargeCategory": "Usage", "ServiceName": draft.one_of("EC2", "VM/1", "")}
    row.update(cells)
    if draft.chance(0.05):
        row["BillingCurrency"] = "EUR"
        draft.note("second-currency")
    if draft.chance(0.3):
        row["InvoiceId"], row["InvoiceIssuerName"] = draft.one_of("I-1", "I-2"), "AWS"
    row["Tags"] = row.get("Tags") or tags(draft)
    row["RegionId"] = draft.one_of("eu-1", "")
    row["x_line"] = draft.line_name()
    return row


def machine_line(draft, machine, start, end):
    amount, unit = quantity(draft, machine, start, end)
    sku = machine.later_sku if machine.later_sku and start >= 10 * HOUR else machine.sku
    return line(draft, start, end, ResourceId=draft.billed_name(machine, start), ServiceCategory="Compute",
                ConsumedQuantity=amount, ConsumedUnit=unit, **sku)


def lines_of(draft, machine):
    for start, end in periods(draft, machine):
        yield machine_line(draft, machine, start, end)
        while draft.chance(0.25):
            draft.note("several-lines-of-a-period")
            yield machine_line(draft, machine, start, end)
        if draft.chance(0.1):
            draft.note("correction")
            yield {**machine_line(draft, machine, start, end), "ChargeClass": "Correction"}
    for _ in range(draft.random.randint(0, 2)):
        yield beside(draft, machine)


def beside(draft, machine):
    """A charge of the machine that carries no device-time."""
    start = draft.random.randint(FIRST, LAST - 1) * HOUR
    end = start + draft.one_of(HOUR, HOUR, 90 * MINUTE, DAY - start)
    kind = draft.one_of("disk", "licence", "instant", "credit", "purchase", "adjustment", "tax", "unit", "unused",
                        "refund")
    draft.note(f"beside-{kind}")
    cells = {"ResourceId": draft.billed_name(machine, start), "SkuId": kind, "ServiceCategory": "Storage"}
    if kind == "licence":
        cells.update(ConsumedQuantity="1", ConsumedUnit="Hours", ServiceCategory="Compute")
    elif kind == "instant":
        end = start = start + draft.one_of(0, 15 * MINUTE, 7)
        cells.update(machine.sku, ConsumedQuantity="1", ConsumedUnit="Hours", ServiceCategory="Compute")
    elif kind in ("credit", "purchase", "adjustment", "tax"):
        cells.update(machine.sku, ChargeCategory=kind.capitalize(), ConsumedQuantity="1", ConsumedUnit="Hours",
                     ServiceCategory="Compute")
    elif kind == "unit":
        cells.update(ConsumedQuantity="64", ConsumedUnit=draft.one_of("GB-Hours", "OCPU Hours", "Units/Hour"))
    elif kind == "unused":
        column = draft.one_of("CapacityReservation", "CommitmentDiscount")
        cells.update({column + "Status": "Unused", column + "Id": "sp/1"})
    elif kind == "refund":
        return {**line(draft, start, end, **cells), "BilledCost": "-1.5"}
    return line(draft, start, end, **cells)


def loose_lines(draft):
    """Charges without a machine."""
    for _ in range(draft.random.randint(0, 6)):
        start = draft.one_of(FIRST * HOUR, MONTH_EDGE, MONTH_EDGE - DAY)
        kind = draft.one_of("tax", "fee", "free-fee", "credit", "unused", "adjustment", "unknown", "support", "network",
                            "storage", "managed", "other", "rebate")
        draft.note(f"loose-{kind}")
        cells = {
            "tax": {"ChargeCategory": "Tax"}, "credit": {"ChargeCategory": "credit"},
            "fee": {"ChargeCategory": "Purchase", "CommitmentDiscountId": "sp-1"},
            "free-fee": {"ChargeCategory": "Purchase", "EffectiveCost": "0", "SkuId": draft.one_of("S-1", "")},
            "unused": {"CommitmentDiscountStatus": "Unused", "CommitmentDiscountId": draft.one_of("sp-1", ""),
                       "CapacityReservationStatus": draft.one_of("Unused", "Used", "")},
            "adjustment": {"ChargeCategory": "Adjustment"}, "rebate": {"ChargeCategory": "Rebate"},
            "unknown": {"ChargeCategory": ""}, "support": {"ServiceName": "AWS Support"},
            "network": {"ServiceCategory": "Networking"}, "storage": {"ServiceCategory": "storage"},
            "managed": {"ResourceId": draft.one_of("r0", "r1", "endpoint/e")}, "other": {"ServiceName": "help desk"},
        }[kind]
        yield line(draft, start, start + draft.one_of(0, HOUR, DAY), **cells)


def add_lines(draft):
    """At most 40 lines, in a FOCUS export and perhaps a plain bill."""
    lines = [row for machine in draft.machines for row in lines_of(draft, machine)] + list(loose_lines(draft))
    if len(lines) < 3:
        lines += [machine_line(draft, draft.machines[0], FIRST * HOUR + i * HOUR, FIRST * HOUR + (i + 1) * HOUR)
                  for i in range(3)]
    draft.random.shuffle(lines)
    lines = lines[:40]
    with_plain, second = draft.chance(0.4), draft.chance(0.15)
    packed = ".gz" if draft.chance(0.1) else ""
    if packed:
        draft.note("gzip")
    for row in lines:
        if with_plain and draft.chance(0.4) and plain_row(draft, row):
            continue
        month = row["ChargePeriodStart"]
        row["BillingPeriodStart"] = "2026-08-01T00:00:00Z" if month[:7] == "2026-08" else "2026-07-01T00:00:00Z"
        if row.get("ChargeClass") and draft.chance(0.3):
            row["BillingPeriodStart"] = "2026-09-01T00:00:00Z"
            draft.note("correction-of-a-closed-month")
        folder = "more" if second and draft.chance(0.3) else "bill"
        draft.tables[f"{folder}/{row['BillingPeriodStart'][:7]}.csv{packed}"].append(row)
    if any(name.startswith("more/") for name in draft.tables):
        draft.source("bill", "focus", "more/", name="second")
        draft.note("two-bills")
    if any(name.startswith("bill/") for name in draft.tables):
        draft.source("bill", "focus", "bill/")
        add_bad_row(draft)
    if draft.tables.get("plain.csv"):
        draft.source("bill", "bill", "plain.csv")


def add_bad_row(draft):
    """A row that is quarantined: it is in no total."""
    if not draft.chance(0.1):
        return
    name = next(name for name in draft.tables if name.startswith("bill/"))
    row = dict(draft.random.choice(draft.tables[name]))
    row.update(draft.one_of({"BilledCost": "1,234.5"}, {"BilledCost": ""}, {"BillingCurrency": "NULL"},
                            {"ChargePeriodEnd": "2020-01-01T00:00:00Z"}, {"ChargePeriodStart": "soon"}))
    row["x_line"] = draft.line_name()
    draft.tables[name].append(row)
    draft.note("quarantined")


def plain_row(draft, row):
    """The row as one of a plain bill, where it can be said there."""
    unit = row.get("ConsumedUnit") or ""
    if row.get("ChargeClass") or row.get("CommitmentDiscountStatus") or row.get("CapacityReservationStatus") \
            or row.get("CommitmentDiscountId") or unit not in ("", "Hours") or row.get("ChargeDescription"):
        return False
    details = json.loads(row.get("SkuPriceDetails") or "{}")
    plain = {"start": row["ChargePeriodStart"], "end": row["ChargePeriodEnd"],
             "service": row.get("ServiceName", ""), "sku": details.get("InstanceType") or row.get("SkuId", ""),
             "resource_id": row.get("ResourceId", ""), "hours": row.get("ConsumedQuantity", "") if unit else "",
             "devices": details.get("GpuCount", ""), "category": row["ChargeCategory"], "tags": row["Tags"],
             "currency": draft.one_of("", row["BillingCurrency"]), "x_line": row["x_line"], "run_id": ""}
    plain.update(draft.one_of({"cost": row["BilledCost"]}, {"billed_cost": row["BilledCost"]},
                              {"billed_cost": row["BilledCost"], "cost": cost(draft)},
                              {"cost": row["BilledCost"], "effective_cost": row["EffectiveCost"]},
                              {"cost": row["BilledCost"], "list_cost": row["ListCost"]}))
    if draft.chance(0.2):
        plain["run_id"] = draft.one_of("r0", "r1", "r2", "nobody")
        draft.note("line-run-id")
    draft.tables["plain.csv"].append(plain)
    draft.note("plain-bill")
    return True


def add_rules(draft):
    if draft.chance(0.5):
        draft.keys["identity"] = [{"match": {"app": "reco-*", "pool": "t1"}, "model": "A", "stage": "training"},
                                  {"match": {"app": draft.one_of("reco-*", "*")}, "model": "dev-${app}"}]
        draft.note("identity")
    if draft.chance(0.4):
        draft.keys["models"] = {"fraud": {"stage_tags": {"serving": "endpoint=fraud*"}}}
        draft.note("stage-tags")
    if draft.chance(0.3):
        draft.policy(credits="follow")
        draft.note("credits-follow")
    if draft.chance(0.3):
        draft.policy(pool_tag="pool")
        draft.note("pool-tag")
    if draft.chance(0.15):
        draft.policy(run_id_tags=["task", "run_id"])
        draft.note("run-id-tags-of-policy")
    shared = {}
    if draft.chance(0.6):
        shared["support"] = draft.one_of("proportional", "equal", "by-request", "keep")
        draft.note("shared-" + shared["support"])
    if draft.chance(0.4):
        shared["network"] = draft.one_of("proportional", "by-request")
        draft.note("shared-" + shared["network"])
    if draft.chance(0.3):
        shared["desk/1"] = {"match": {"service": "help*"}, "models": {"A": "1/3", "Z": "2/3"}}
        draft.note("shared-declared")
    if draft.chance(0.3):
        shared["rest"] = {"match": {"category": "stor*"}, "rule": "equal"}
    if shared:
        draft.policy(shared=shared)
    if draft.chance(0.5):
        draft.note("requests")
        draft.tables["requests.csv"] = [
            {"model": draft.random.choice(draft.models),
             "arrival": text_of(draft.random.randint(MONTH_EDGE - DAY, DAY))} for _ in range(draft.random.randint(1, 9))]
        draft.source("requests", "requests", "requests.csv")
