"""Runs, holds, replicas, aliases and telemetry of random worlds."""

from random_bill import FIRST, LAST
from random_times import DAY, HOUR, MINUTE, MONTH_EDGE, epoch_of, instant, span, text_of

WEIGHTS = ["1/7", "2/7", "3/7", "1/4", "1/2", "0.5", "0.6", "0.142857", "1/3", "0.3", "1", "1.5", "0", "1/999983", "17/999979", "999900/999961"]


def add_runs(draft):
    add_aliases(draft)
    count = draft.random.randint(0, 6)
    for number in range(count):
        add_run(draft, f"r{number}", number)
    if draft.tables["runs.csv"]:
        add_odd_records(draft)
        draft.source("runs", "runs", "runs.csv")
    else:
        del draft.tables["runs.csv"]
    holds = draft.random.randint(0, 15) if count else draft.random.randint(0, 2)
    for _ in range(holds):
        add_hold(draft, count)
    if draft.tables["holds.csv"]:
        add_hold_source(draft)
    else:
        del draft.tables["holds.csv"]
    if draft.chance(0.35):
        add_replicas(draft)
    if draft.chance(0.6):
        add_telemetry(draft)


def add_odd_records(draft):
    """Rows given twice, an endpoint with a record of its own, parents that lead back to themselves."""
    rows = draft.tables["runs.csv"]
    if draft.chance(0.1):
        rows.append(dict(draft.random.choice(rows)))
        draft.note("run-twice")
        if draft.chance(0.4):
            rows[-1]["last_checkpoint"] = rows[-1]["start"]
            draft.note("run-twice-with-other-checkpoint")
    if draft.chance(0.1):
        start, end = span(draft, FIRST * HOUR, LAST * HOUR)
        rows.append({**rows[0], "run_id": "endpoint/e", "attempt": 0, "model": draft.one_of("A", ""), "parent_run_id": "",
                     "stage": "serving", "state": "running", "start": text_of(start), "end": text_of(end)})
        draft.note("endpoint-with-record")
    if draft.chance(0.05) and rows[0]["run_id"] == "r0":
        for row in rows:
            row["parent_run_id"] = "r0" if row["run_id"] != "r0" else rows[-1]["run_id"]
        draft.note("parent-loop")


def add_hold_source(draft):
    """The holds as one source, now and then with other names of columns and with epoch times."""
    if not draft.chance(0.15):
        draft.source("holds", "holds", "holds.csv")
        return
    draft.note("epoch-times")
    rows = draft.tables["holds.csv"]
    for row in rows:
        for ours, theirs in (("start", "begin"), ("end", "finish")):
            row[theirs] = epoch_of(row.pop(ours))
    columns = {"start": {"column": "begin", "unit": "us"}, "end": {"column": "finish", "unit": "us"}}
    draft.source("holds", "holds", "holds.csv", columns=columns)


def add_run(draft, name, number):
    start, end = span(draft, FIRST * HOUR, LAST * HOUR)
    attempts = draft.random.randint(2, 3) if draft.chance(0.25) else 1
    parent = f"r{draft.random.randint(0, number - 1)}" if number and draft.chance(0.25) else ""
    if parent:
        draft.note("parent")
    if draft.chance(0.03):
        parent = "nobody"
        draft.note("parent-unknown")
    model, stage = draft.random.choice([*draft.models, ""]), draft.one_of("training", "serving", "features", "")
    for attempt in range(attempts):
        row = {"run_id": name, "attempt": attempt, "model": model, "stage": stage,
               "state": draft.one_of("finished", "failed", "cancelled", "preempted", "running", "lost"),
               "start": text_of(start), "end": text_of(end), "parent_run_id": parent, "last_checkpoint": ""}
        if row["state"] != "finished" and draft.chance(0.5):
            row["last_checkpoint"] = text_of(instant(draft, start, end))
            draft.note("checkpoint")
        if draft.chance(0.15):
            row["end"] = ""
            draft.note("run-without-end")
        draft.tables["runs.csv"].append(row)
        if draft.chance(0.3):
            start = end + draft.one_of(-15 * MINUTE, 0, 15 * MINUTE)
            draft.note("attempts-meet")
        else:
            start = end + instant(draft, 0, HOUR)
        end = start + draft.one_of(15 * MINUTE, HOUR, 7 * MINUTE)
    if attempts > 1:
        draft.note("attempts")
    if not model:
        draft.note("unnamed")


def machine_name(draft, machine, at=None):
    """The machine, or one of its aliases; without an instant, whenever they hold."""
    names = [name for name, resource, begin, end in draft.names
             if resource == machine.name and (at is None or begin <= at < end)]
    if names and draft.chance(0.5):
        draft.note("alias-in-holds")
        return draft.random.choice(names)
    return machine.name


def add_hold(draft, runs):
    machine = draft.random.choice(draft.machines)
    run = f"r{draft.random.randint(0, max(runs, 1))}"
    if run == f"r{runs}":
        draft.note("hold-without-run")
    numbers = [row["attempt"] for row in draft.tables["runs.csv"] if row["run_id"] == run] or [0]
    start, end = span(draft, FIRST * HOUR, LAST * HOUR)
    if machine.month_before and draft.chance(0.1):
        start, end = span(draft, MONTH_EDGE - HOUR, MONTH_EDGE + HOUR)
    row = {"run_id": run, "attempt": draft.random.choice(numbers), "resource_id": machine_name(draft, machine),
           "start": text_of(start), "end": text_of(end), "device": "", "device_count": "", "weight": "", "cpus": ""}
    if draft.chance(0.04):
        row["attempt"] = 7
        draft.note("attempt-without-record")
    if draft.chance(0.08):
        row["end"] = ""
        draft.note("hold-without-end")
    if draft.chance(0.03):
        row["resource_id"] = "unbilled"
        draft.note("hold-on-unbilled")
    if draft.chance(0.02):
        row["start"], row["end"] = row["end"] or row["start"], row["start"]
        draft.note("hold-of-no-length")
    if machine.devices == 0:
        if draft.chance(0.08):
            row["weight"] = draft.one_of("1/2", "1/7", "0.3")
            draft.note("weight-on-a-node")
        elif draft.chance(0.85):
            row["cpus"] = draft.one_of("1", "2", "3", "4", "0.5", "8")
            draft.note("cpus")
    else:
        add_extent(draft, machine, row)
    draft.tables["holds.csv"].append(row)
    if draft.chance(0.05):
        draft.note("equal-holds")
        draft.tables["holds.csv"].append(dict(row))


def add_extent(draft, machine, row):
    """How much of a machine is held."""
    kind = draft.random.random()
    if kind < 0.4:
        row["device"] = device_name(draft, machine, draft.random.randint(0, max((machine.devices or 2) - 1, 0)))
        draft.note("hold-of-a-device")
    elif kind < 0.7:
        row["device_count"] = str(draft.random.randint(1, max(machine.devices or 2, 1)))
        draft.note("hold-of-a-count")
    else:
        draft.note("hold-of-everything")
    if draft.chance(0.06):
        row["cpus"] = "4"
        draft.note("cpus-beside-devices")
    if draft.chance(0.4):
        row["weight"] = draft.random.choice(WEIGHTS)
        draft.note("weight")
        if row["weight"] in ("0", "1.5"):
            draft.note(f"weight-{row['weight']}")
        if row["device_count"]:
            draft.note("weighted-count")
    elif draft.chance(0.03):
        row["weight"] = "half"
        draft.note("weight-unreadable")


def device_name(draft, machine, index):
    """By index, by UUID, or by an alias of either."""
    if machine.names == "uuid" or machine.names == "mixed" and draft.chance(0.3):
        draft.note("device-by-uuid" if machine.names == "uuid" else "device-names-mixed")
        return f"GPU-{machine.name}-{index}"
    if (machine.name, index) in draft.device_aliases and draft.chance(0.5):
        draft.note("device-by-alias")
        return draft.device_aliases[machine.name, index]
    return str(index)


def add_device_aliases(draft, rows):
    for machine in draft.machines:
        machine.names = draft.one_of("index", "index", "index", "index", "uuid", "mixed")
        if machine.names == "index" and machine.devices and draft.chance(0.3):
            index = draft.random.randint(0, machine.devices - 1)
            draft.device_aliases[machine.name, index] = f"MIG-{machine.name}"
            rows.append({"alias": f"MIG-{machine.name}", "resource_id": machine.name, "device": index})


def add_aliases(draft):
    rows = []
    add_device_aliases(draft, rows)

    def add(alias, resource, begin=None, end=None):
        rows.append({"alias": alias, "resource_id": resource, "from": "" if begin is None else text_of(begin),
                     "to": "" if end is None else text_of(end)})
    if draft.chance(0.35):
        machine = draft.random.choice(draft.machines).name
        add("node-1", machine)
        draft.names.append(("node-1", machine, -100 * DAY, 100 * DAY))
        draft.note("alias")
        if draft.chance(0.4):
            add("gpu-box", "node-1")
            draft.names.append(("gpu-box", machine, -100 * DAY, 100 * DAY))
            draft.note("alias-chain")
    if len(draft.machines) > 1 and draft.chance(0.3):
        edge = instant(draft, FIRST * HOUR, LAST * HOUR)
        one, two = draft.random.sample([machine.name for machine in draft.machines], 2)
        add("moving", one, None, edge if draft.chance(0.7) else None)
        add("moving", two, edge)
        draft.names += [("moving", one, -100 * DAY, edge), ("moving", two, edge, 100 * DAY)]
        draft.note("alias-for-a-time")
        if not rows[-2]["to"]:
            draft.note("alias-conflict")
    if draft.chance(0.1):
        add("x", "y")
        add("y", "x")
        add("z", draft.machines[0].name)
        draft.names.append(("z", draft.machines[0].name, -100 * DAY, 100 * DAY))
        draft.note("alias-loop")
    if rows:
        draft.tables["aliases.csv"] = rows
        draft.source("aliases", "aliases", "aliases.csv")


def add_replicas(draft):
    for _ in range(draft.random.randint(1, 4)):
        machine = draft.random.choice([m for m in draft.machines if m.devices != 0] or draft.machines)
        if machine.devices == 0:
            return
        start, end = span(draft, FIRST * HOUR, LAST * HOUR)
        row = {"model": draft.random.choice(draft.models), "resource_id": machine_name(draft, machine),
               "start": text_of(start), "end": text_of(end), "endpoint": draft.one_of("", "e", "both"),
               "device": "", "count": "", "weight": ""}
        if draft.chance(0.1):
            row["end"] = ""
            draft.note("replica-without-end")
        if draft.chance(0.4):
            row["count"] = str(draft.random.randint(1, machine.devices or 1))
        elif draft.chance(0.4):
            row["device"] = str(draft.random.randint(0, (machine.devices or 1) - 1))
        if draft.chance(0.3):
            row["weight"] = draft.one_of("1/2", "1/7", "0.3")
        draft.tables["replicas.csv"].append(row)
    draft.source("holds", "replicas", "replicas.csv", name="replicas")
    draft.note("replicas")
    if draft.chance(0.6):
        draft.keys["shares"] = [draft.one_of({"run": "endpoint/*", "by": "requests"},
                                             {"run": "endpoint/both", "models": {"A": "1/3", "B": "2/3"}},
                                             {"run": "endpoint/*", "models": {"Z": "1/2", "C%": "1/4", "C": "1/4"}},
                                             {"run": "*", "models": {"Z": "0.75", "A": "0.25"}})]
        draft.note("shares-by-requests" if "by" in draft.keys["shares"][0] else "shares-declared")


def add_telemetry(draft):
    for machine in draft.machines:
        if machine.devices == 0 or draft.chance(0.3):
            continue
        for device in range(machine.devices or 1):
            if draft.chance(0.3):
                continue
            add_samples(draft, machine, device_name(draft, machine, device))
    if draft.tables["usage.csv"]:
        draft.source("telemetry", "device-usage", "usage.csv")
        draft.note("telemetry")
        if draft.chance(0.3):
            draft.policy(idle_after=draft.one_of("10m", "1h"))
            draft.note("idle-after")
        if draft.chance(0.3):
            draft.policy(efficient_sm_active="0.6")
    else:
        del draft.tables["usage.csv"]


def add_samples(draft, machine, device):
    here = instant(draft, FIRST * HOUR, (FIRST + 2) * HOUR)
    for _ in range(draft.random.randint(1, 6)):
        end = here + draft.one_of(5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 7, 1234567891011)
        row = {"resource_id": machine_name(draft, machine, here), "device": device, "start": text_of(here), "end": text_of(end),
               "busy_ratio": draft.one_of("0", "0", "1", "0.5", "0.333", "0.8", "0.25"), "sm_active_ratio": "",
               "tensor_active_ratio": ""}
        if draft.chance(0.4):
            row["sm_active_ratio"] = draft.one_of("0.1", "0.4", "0.5", "0.2")
            draft.note("sm-active")
        elif draft.chance(0.2):
            row["tensor_active_ratio"] = draft.one_of("0.1", "0.4")
        if draft.chance(0.05):
            row["busy_ratio"] = ""
            draft.note("telemetry-without-busy")
        elif draft.chance(0.06):
            row["busy_ratio"] = draft.one_of("1.2", "-0.1", "9223372036854775792")
            draft.note("telemetry-impossible")
        draft.tables["usage.csv"].append(row)
        if draft.chance(0.06):
            draft.tables["usage.csv"].append(dict(row))
            draft.note("telemetry-duplicate")
        if draft.chance(0.06):
            draft.tables["usage.csv"].append({**row, "busy_ratio": "0.9"})
            draft.note("telemetry-disagrees")
        if draft.chance(0.06):
            draft.tables["usage.csv"].append({**row, "start": text_of(here + (end - here) // 3)})
            draft.note("telemetry-overlaps")
        here = end + draft.one_of(0, 0, 0, 10 * MINUTE)
