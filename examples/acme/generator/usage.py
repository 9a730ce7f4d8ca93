"""What the billed device time was: held or not, busy or not, lost, or unknown."""

from collections import defaultdict

from .bill import SHAPES
from .clock import MONTHS, month_span
from .ledger import NS, Held, ns_of, pool

IDLE_AFTER = 900


def gpu_time(world, lines):
    """Billed GPU time of each month, by pool and by model and stage."""
    held = Held(world, lines)
    zero = (
        "billed_ns",
        "no_run_ns",
        "held_ns",
        "busy_ns",
        "lost_ns",
        "idle_held_ns",
        "startup_ns",
        "unknown_ns",
    )
    months = {m: {"total": dict.fromkeys(zero, 0), "by_pool": {}, "by_stage": {}} for m in MONTHS}
    for name in MONTHS:
        start, end = month_span(name)
        rows = months[name]
        for node in (n for n in world.nodes if SHAPES[n.shape].gpus):
            own = dict.fromkeys(zero, 0)
            own["billed_ns"] = sum(
                ns_of(line) for line in held.billed[node.id] if start <= line.start < end
            )
            if not own["billed_ns"]:
                continue
            if not held.tracked(node, start):
                own["unknown_ns"] = own["billed_ns"]
            for hold in held.of.get(node.id, []):
                add(own, states(world, held, hold, start, end), rows["by_stage"])
            if held.tracked(node, start):
                own["no_run_ns"] = own["billed_ns"] - own["held_ns"]
                assert own["no_run_ns"] >= 0
            where = pool(node) if held.tracked(node, start) else "untracked"
            for target in (
                rows["total"],
                rows["by_pool"].setdefault(where, dict.fromkeys(zero, 0)),
            ):
                for key in zero:
                    target[key] += own[key]
    for rows in months.values():
        for row in (rows["total"], *rows["by_pool"].values(), *rows["by_stage"].values()):
            explained = sum(row[k] for k in ("busy_ns", "idle_held_ns", "startup_ns", "unknown_ns"))
            row["not_busy_ns"] = (
                row.get("billed_ns", row["held_ns"]) - row.get("no_run_ns", 0) - explained
            )
            assert row["not_busy_ns"] >= 0
    return months


def add(node_row, more, by_stage):
    (model, stage), figures = more
    target = (
        by_stage.setdefault(f"{model}/{stage}", dict.fromkeys(figures, 0))
        if figures["held_ns"]
        else {}
    )
    for key, value in figures.items():
        node_row[key] += value
        if target:
            target[key] += value


def states(world, held, hold, start, end):
    """What one hold's devices did in a month. A sample lies within one hold, or outside all."""
    figures = dict.fromkeys(
        ("held_ns", "busy_ns", "lost_ns", "idle_held_ns", "startup_ns", "unknown_ns"), 0
    )
    figures["held_ns"] = held.hold_ns(hold, start, end)
    seen = 0
    for samples in samples_of(world, hold):
        zeros = []
        for s in (s for s in samples if start <= s.start < end):
            length = s.end - s.start
            seen += length * NS
            busy = length * NS // 1000 * s.busy
            figures["busy_ns"] += busy
            if is_lost(hold.run, s):
                figures["lost_ns"] += busy
            if s.busy == 0 and zeros and zeros[-1][1] == s.start:
                zeros[-1][1] = s.end
            elif s.busy == 0:
                zeros.append([s.start, s.end])
        for s, e in zeros:
            if s == hold.start and e - s < IDLE_AFTER:
                figures["startup_ns"] += (e - s) * NS
            else:
                assert e - s >= IDLE_AFTER
                figures["idle_held_ns"] += (e - s) * NS
    figures["unknown_ns"] = figures["held_ns"] - seen
    assert figures["unknown_ns"] >= 0
    return (hold.run.model or "unnamed", hold.run.stage), figures


def is_lost(run, sample):
    if run.state not in ("failed", "preempted"):
        return False
    return run.last_checkpoint is None or sample.start >= run.last_checkpoint


def samples_of(world, hold):
    """Its samples, a list for each device, in order of time."""
    if not hasattr(world, "sample_index"):
        world.sample_index = defaultdict(list)
        for s in world.samples:
            world.sample_index[(s.node.id, s.device)].append(s)
        for samples in world.sample_index.values():
            samples.sort(key=lambda s: s.start)
    devices = range(SHAPES[hold.node.shape].gpus) if hold.device is None else [hold.device]
    for device in devices:
        mine = []
        for s in world.sample_index.get((hold.node.id, device), []):
            if s.end <= hold.start or hold.end <= s.start:
                continue
            assert hold.start <= s.start and s.end <= hold.end, (
                "a sample crosses the edge of a hold"
            )
            mine.append(s)
        yield mine


def cpu_time(world, lines):
    held = Held(world, lines)
    months = {}
    for name in MONTHS:
        start, end = month_span(name)
        row = {
            "billed_ns": 0,
            "held_ns": 0,
            "no_run_ns": 0,
            "untracked_ns": 0,
            "held_not_billed_ns": 0,
        }
        for node in (n for n in world.nodes if not SHAPES[n.shape].gpus):
            for line in (line for line in held.billed[node.id] if start <= line.start < end):
                row["billed_ns"] += ns_of(line)
                if not held.tracked(node, line.start):
                    row["untracked_ns"] += ns_of(line)
                    continue
                shares, idle = held.shares(node, line.start, line.end)
                beyond = max(0, sum(shares.values()) - ns_of(line))
                row["held_ns"] += sum(shares.values()) - beyond
                row["held_not_billed_ns"] += beyond
                row["no_run_ns"] += idle
        months[name] = row
    return months
