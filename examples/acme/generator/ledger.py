"""Who pays for each line of the bill, the slow and plain way: the oracle for tare's own ledger.

Money is split exactly at 18 decimals, by the largest remainder; time is whole nanoseconds.
"""

from collections import defaultdict
from typing import NamedTuple

from .bill import COSTS, SHAPES, Line
from .clock import HOUR, month

NS = 10**9
UNITS = 10**18


def split(total, weights):
    """Exact shares of an integer: floor each, then largest remainder, ties to the lower index."""
    sign, total, whole = (-1 if total < 0 else 1), abs(total), sum(weights)
    parts = [total * w // whole for w in weights]
    order = sorted(range(len(weights)), key=lambda i: (-(total * weights[i] % whole), i))
    for i in order[: total - sum(parts)]:
        parts[i] += 1
    return [sign * p for p in parts]


def escape(part):
    return part.replace("%", "%25").replace("/", "%2F")


def account(run):
    return f"model/{escape(run.model or 'unnamed')}/{escape(run.stage)}/{escape(run.id)}"


class Held:
    """Who held each machine, and for how long it was billed."""

    def __init__(self, world, lines):
        self.of = defaultdict(list)
        for hold in world.holds:
            self.of[hold.node.id].append(hold)
        self.billed = defaultdict(list)
        for line in lines:
            if line.hours is not None and not line.row["ChargeClass"]:
                self.billed[line.node.id].append(line)
        self._shares = {}

    def tracked(self, node, t):
        holds = self.of.get(node.id)
        return bool(holds) and month(t) >= month(min(h.start for h in holds))

    def devices(self, node):
        return SHAPES[node.shape].gpus or 1

    def hold_ns(self, hold, start, end):
        seconds = max(0, min(end, hold.end) - max(start, hold.start))
        shape = SHAPES[hold.node.shape]
        if not shape.gpus:
            ns, rest = divmod(seconds * NS * hold.cpus, shape.cpus)
            assert rest == 0
            return ns
        return seconds * NS * (1 if hold.device is not None else hold.count or shape.gpus)

    def shares(self, node, start, end):
        """{(account, run, attempt): ns}, and the ns billed and not held."""
        key = (node.id, start, end)
        if key not in self._shares:
            held = defaultdict(int)
            for hold in self.of[node.id]:
                ns = self.hold_ns(hold, start, end)
                if ns:
                    held[(account(hold.run), hold.run.id, hold.run.attempt)] += ns
            billed = sum(
                ns_of(line)
                for line in self.billed[node.id]
                if start <= line.start and line.end <= end
            )
            if not billed:
                billed = (end - start) * NS * self.devices(node)
            self._shares[key] = dict(held), max(0, billed - sum(held.values()))
        return self._shares[key]


def ns_of(line):
    ns = line.hours * HOUR * NS * (SHAPES[line.node.shape].gpus or 1)
    assert ns == int(ns)
    return int(ns)


def pool(node):
    return node.pool or node.tags["pool"]


def by_tag(tags):
    if tags.get("app", "").startswith("reco-"):
        return "model/reco/training/-"
    return "model/fraud/serving/-" if tags.get("endpoint") == "fraud" else None


def place(line, held, world, requests):
    """[(account, run, attempt, weight)], evidence."""
    row, node = line.row, line.node
    category = row["ChargeCategory"]
    if category in ("Tax", "Credit"):
        return [(category.lower(), "", 0, 1)], "category"
    if row["CommitmentDiscountStatus"] == "Unused":
        return [(f"commitment-unused/{escape(row['CommitmentDiscountId'])}", "", 0, 1)], "category"
    if category == "Purchase" and row["CommitmentDiscountId"]:
        return [(f"commitment-fee/{escape(row['CommitmentDiscountId'])}", "", 0, 1)], "category"
    if node and held.tracked(node, line.start):
        return parts_of(*held.shares(node, line.start, line.end), pool(node)), "overlap"
    tags = node.tags_at(line.start) if node else {"endpoint": "fraud"} if row["Tags"] else {}
    if "run_id" in tags:
        run = next(r for r in world.runs if r.id == tags["run_id"])
        mine = (min(line.end, run.end) - max(line.start, run.start)) * NS
        return parts_of(
            {(account(run), run.id, 0): mine}, ns_of(line) - mine, tags["pool"]
        ), "exact"
    if by_tag(tags):
        return [(by_tag(tags), "", 0, 1)], "tag"
    if "Support" in row["ServiceName"]:
        return [("support", "", 0, 1)], "policy"
    if row["ServiceCategory"] == "Networking":
        counts = requests[month(line.start)]
        return [(f"model/{m}/shared/network", "", 0, counts[m]) for m in sorted(counts)], "policy"
    if row["ServiceCategory"] == "Storage":
        return [("shared/storage", "", 0, 1)], "policy"
    return [(f"unassigned/{escape(row['ServiceName'])}", "", 0, 1)], "none"


def parts_of(shares, idle, idle_pool):
    parts = [(*key, ns) for key, ns in shares.items()]
    if idle:
        parts.append((f"idle/{escape(idle_pool)}", "", 0, idle))
    return sorted(parts, key=lambda p: (p[0].encode(), p[1].encode(), p[2]))


class Posting(NamedTuple):
    line: Line
    account: str
    run: str
    attempt: int
    evidence: str
    cost: tuple  # the four, in 1e-18


def postings(world, lines, requests):
    held = Held(world, lines)
    for line in lines:
        parts, evidence = place(line, held, world, requests)
        weights = [p[3] for p in parts]
        costs = []
        for column in COSTS:
            scaled = line.cost(column) * UNITS
            assert scaled == int(scaled), f"{column} has more than 18 decimals: {line.row}"
            costs.append(split(int(scaled), weights))
        for part, cost in zip(parts, zip(*costs)):
            yield Posting(line, *part[:3], evidence, cost)
