"""What the cloud billed for the world: FOCUS rows, every amount an exact decimal.

Each usage row keeps its four unit prices, so that cost = price x quantity holds exactly.
"""

import hashlib
import json
from dataclasses import dataclass
from decimal import Decimal as D
from decimal import ROUND_HALF_EVEN, getcontext

from .clock import DAY, END, HOUR, MONTHS, Dice, at, cuts, iso, month, month_days, month_span
from .records import SEED

getcontext().prec = 60

ACCOUNT, SUB_ACCOUNT, REGION = "004815372906", "013370042001", "us-east-1"
ISSUER = "Amazon Web Services, Inc."
EC2 = "Amazon Elastic Compute Cloud"
PLAN = f"arn:aws:savingsplans::{ACCOUNT}:savingsplan/5d3c1f5e-8a0b-4a57-9d0e-6f1b7f6b2c11"
INVOICES = {"2026-06": "2154870031", "2026-07": "2167718204", "2026-08": "2180245917"}
CENT = D("0.01")


@dataclass(frozen=True)
class Shape:
    price: D  # on demand, per hour
    gpus: int
    cpus: int
    memory_gib: int
    device: str


SHAPES = {
    "p4d.24xlarge": Shape(D("21.957642"), 8, 96, 1152, "NVIDIA A100-SXM4-40GB"),
    "g5.12xlarge": Shape(D("5.672"), 4, 48, 192, "NVIDIA A10G"),
    "g5.4xlarge": Shape(D("1.624"), 1, 16, 64, "NVIDIA A10G"),
    "g5.2xlarge": Shape(D("1.212"), 1, 8, 32, "NVIDIA A10G"),
    "g5.xlarge": Shape(D("1.006"), 1, 4, 16, "NVIDIA A10G"),
    "c6i.8xlarge": Shape(D("1.36"), 0, 32, 64, ""),
    "c6i.4xlarge": Shape(D("0.68"), 0, 16, 32, ""),
    "m5.4xlarge": Shape(D("0.768"), 0, 16, 64, ""),
    "m5.2xlarge": Shape(D("0.384"), 0, 8, 32, ""),
}
PRIVATE_RATE = D("0.97")  # negotiated for EC2 instances

# A one-year plan on the p4d family, bought when July began. It pays for half a node in every hour
# of the day; the nodes are there in seven to eleven of them.
PLAN_FROM = at("07-01 00:00")
PLAN_PRICE = D("13.834")  # per covered hour of a p4d.24xlarge
PLAN_HOURLY = D("6.917")
PLAN_COVERS = D("0.5")  # hours of one node, each hour

COLUMNS = (
    "BilledCost,EffectiveCost,ListCost,ContractedCost,BillingCurrency,BillingAccountId,SubAccountId,InvoiceId,"
    "InvoiceIssuerName,BillingPeriodStart,BillingPeriodEnd,ChargePeriodStart,ChargePeriodEnd,ChargeCategory,"
    "ChargeClass,ChargeDescription,ChargeFrequency,ServiceName,ServiceCategory,ResourceId,ResourceType,RegionId,"
    "ProviderName,PublisherName,SkuId,SkuPriceId,SkuPriceDetails,PricingCategory,CommitmentDiscountId,"
    "CommitmentDiscountStatus,CapacityReservationId,CapacityReservationStatus,ConsumedQuantity,ConsumedUnit,"
    "PricingQuantity,PricingUnit,Tags"
).split(",")
COSTS = ("BilledCost", "EffectiveCost", "ListCost", "ContractedCost")


class Line:
    """One row, and what the truth needs to know of it: its node, and its instants as seconds."""

    def __init__(self, period, start, end, row, node=None, hours=None):
        self.period, self.start, self.end, self.row = period, start, end, row
        self.node, self.hours = node, hours

    def cost(self, column):
        return self.row[column]


def text(amount):
    out = format(amount, "f")
    return out.rstrip("0").rstrip(".") if "." in out else out


def sku(*words):
    return hashlib.sha256("/".join(words).encode()).hexdigest()[:16].upper()


def make(
    start, end, service, category, description, costs, period=None, node=None, hours=None, **more
):
    period = period or month(start)
    first, last = month_span(period)
    row = dict.fromkeys(COLUMNS, "")
    row.update(zip(COSTS, costs))
    row.update(
        BillingCurrency="USD",
        BillingAccountId=ACCOUNT,
        SubAccountId=SUB_ACCOUNT,
        InvoiceId=INVOICES[period],
        InvoiceIssuerName=ISSUER,
        BillingPeriodStart=iso(first),
        BillingPeriodEnd=iso(last),
        ChargePeriodStart=iso(start),
        ChargePeriodEnd=iso(end),
        ChargeCategory="Usage",
        ChargeDescription=description,
        ChargeFrequency="Usage-Based",
        ServiceName=service,
        ServiceCategory=category,
        RegionId=REGION,
        ProviderName="AWS",
        PublisherName="AWS",
        PricingCategory="Standard",
    )
    row.update(more)
    return Line(period, start, end, row, node, hours)


def usage(start, end, service, category, what, prices, quantity, unit, **more):
    """prices: billed, effective, list and contracted, per unit."""
    shown = more.pop("shown", prices[2])
    quantity = D(quantity)
    amount = text(quantity)
    more.setdefault("SkuId", sku(service, what))
    more.setdefault("SkuPriceId", sku(service, what, text(shown)))
    return make(
        start,
        end,
        service,
        category,
        f"${text(shown)} per {what}",
        [p * quantity for p in prices],
        ConsumedQuantity=amount,
        ConsumedUnit=unit,
        PricingQuantity=amount,
        PricingUnit=unit,
        **more,
    )


# Machines


def of_node(node, t):
    tags = node.tags_at(t)
    return {
        "ResourceId": node.id,
        "Tags": json.dumps(tags, separators=(",", ":"), sort_keys=True) if tags else "",
    }


def details(shape_name):
    shape = SHAPES[shape_name]
    return json.dumps(
        {
            "CoreCount": shape.cpus,
            "GpuCount": shape.gpus,
            "InstanceSeries": shape_name.split(".")[0],
            "InstanceType": shape_name,
            "MemorySize": shape.memory_gib,
            "OperatingSystem": "Linux",
        },
        separators=(",", ":"),
    )


def instance(node, start, end, hours, kind, period=None, **more):
    price = SHAPES[node.shape].price
    private = price * PRIVATE_RATE
    more = {**of_node(node, start), **more}
    more.update(
        ResourceType="Instance", SkuPriceDetails=details(node.shape), SkuId=sku(EC2, node.shape)
    )
    if kind == "plan":
        prices, shown = (D(0), PLAN_PRICE, price, private), PLAN_PRICE
        what = f"Linux {node.shape} Instance Hour covered by Savings Plan"
        more.update(
            PricingCategory="Committed", CommitmentDiscountId=PLAN, CommitmentDiscountStatus="Used"
        )
    elif kind == "spot":
        shown = spot_price(start)
        prices = (shown, shown, price, shown)
        what = f"Linux {node.shape} Spot Instance Hour"
        more.update(PricingCategory="Dynamic")
    else:
        prices, shown = (private, private, price, private), price
        what = f"On Demand Linux {node.shape} Instance Hour"
    more["SkuPriceId"] = sku(EC2, node.shape, kind)
    return usage(
        start,
        end,
        EC2,
        "Compute",
        what,
        prices,
        hours,
        "Hours",
        shown=shown,
        period=period,
        node=node,
        hours=hours,
        **more,
    )


def spot_price(t):
    return D("8.7834") + D(Dice(SEED, f"spot-price/{t // (4 * HOUR)}").between(-6000, 9000)).scaleb(
        -4
    )


def hours_up(node, step):
    """Seconds up in each step: {step start: seconds}."""
    out = {}
    for start, end in node.up:
        for s, e in cuts(start, end, step):
            out[s // step * step] = out.get(s // step * step, 0) + e - s
    return out


def as_hours(seconds):
    return (D(seconds) / HOUR).quantize(D("0.0001"))


def instances(nodes):
    """GPU machines by the hour, the others by the day; the plan covers the first p4d of an hour."""
    left, unused = {}, {}
    for node in nodes:
        step = HOUR if SHAPES[node.shape].gpus else DAY
        for start, seconds in sorted(hours_up(node, step).items()):
            hours = as_hours(seconds)
            covered = D(0)
            if node.shape == "p4d.24xlarge" and start >= PLAN_FROM and not node.spot:
                covered = min(hours, left.get(start, PLAN_COVERS))
                left[start] = left.get(start, PLAN_COVERS) - covered
            if covered:
                yield instance(node, start, start + step, covered, "plan")
            if hours > covered:
                yield instance(
                    node, start, start + step, hours - covered, "spot" if node.spot else "demand"
                )
    for hour in range(PLAN_FROM, END, HOUR):
        day = hour // DAY * DAY
        unused[day] = (
            unused.get(day, D(0))
            + PLAN_HOURLY
            - (PLAN_COVERS - left.get(hour, PLAN_COVERS)) * PLAN_PRICE
        )
    yield from plan(unused)


def plan(unused):
    service = "Savings Plans for Compute usage"
    common = {
        "CommitmentDiscountId": PLAN,
        "ChargeFrequency": "Recurring",
        "PricingCategory": "Committed",
    }
    for day, amount in unused.items():
        fee = PLAN_HOURLY * 24
        yield make(
            day,
            day + DAY,
            service,
            "Compute",
            "1 year No Upfront p4d EC2 Instance Savings Plan, us-east-1",
            [fee, D(0), fee, fee],
            **{**common, "ChargeCategory": "Purchase"},
            ResourceId=PLAN,
            ResourceType="Savings Plan",
            PricingQuantity="24",
            PricingUnit="Hours",
            SkuId=sku(service, "p4d"),
            SkuPriceId=sku(service, "p4d", "fee"),
        )
        if amount:
            yield make(
                day,
                day + DAY,
                service,
                "Compute",
                "Unused commitment of the Savings Plan",
                [D(0), amount, D(0), D(0)],
                **common,
                CommitmentDiscountStatus="Unused",
                SkuId=sku(service, "p4d"),
                SkuPriceId=sku(service, "p4d", "unused"),
            )


def disks(nodes):
    """A disk is billed under its machine's id, also while the machine is off, or gone."""
    for node in nodes:
        if not node.disk_gb:
            continue
        for day in range(node.up[0][0] // DAY * DAY, END, DAY):
            months = (D(node.disk_gb) / month_days(month(day))).quantize(D("1e-10"))
            yield usage(
                day,
                day + DAY,
                "Amazon Elastic Block Store",
                "Storage",
                "GB-month of General Purpose SSD (gp3)",
                (D("0.08"),) * 4,
                months,
                "GB-Months",
                node=node,
                ResourceType="Volume",
                **of_node(node, day),
            )


# Around the machines


def buckets():
    sizes = {"acme-ml-datasets": (41_000, 130), "acme-ml-checkpoints": (9_000, 310)}
    for bucket, (first, growth) in sizes.items():
        for day in range(0, END, DAY):
            gb = first + growth * (day // DAY)
            yield usage(
                day,
                day + DAY,
                "Amazon Simple Storage Service",
                "Storage",
                "GB-month of standard storage",
                (D("0.023"),) * 4,
                (D(gb) / month_days(month(day))).quantize(D("1e-10")),
                "GB-Months",
                ResourceId=f"arn:aws:s3:::{bucket}",
                ResourceType="Bucket",
            )


def network():
    dice = Dice(SEED, "network")
    for day in range(0, END, DAY):
        gb = D(dice.around(1_400_000_000 + 5_000_000 * (day // DAY), 90_000_000)).scaleb(-7)
        yield usage(
            day,
            day + DAY,
            "AWS Data Transfer",
            "Networking",
            "GB data transfer out",
            (D("0.09"),) * 4,
            gb,
            "GB",
        )
        for name, tags in (("fraud", '{"endpoint":"fraud"}'), ("reco", "")):
            arn = f"arn:aws:elasticloadbalancing:{REGION}:{ACCOUNT}:loadbalancer/app/{name}"
            yield usage(
                day,
                day + DAY,
                "Elastic Load Balancing",
                "Networking",
                "Application LoadBalancer-hour",
                (D("0.0225"),) * 4,
                24,
                "Hours",
                ResourceId=arn,
                ResourceType="Load Balancer",
                Tags=tags,
            )


def monitoring():
    for name, metrics in zip(MONTHS, (203, 241, 306)):
        yield usage(
            *month_span(name),
            "Amazon CloudWatch",
            "Management and Governance",
            "metric-month",
            (D("0.3"),) * 4,
            metrics,
            "Metrics",
        )


def refund(nodes):
    """August's invoice gives back a tenth of an hour of July, under July's charge period."""
    node = next(n for n in nodes if n.name == "gpu-node-2" and n.alias_until)
    hour = at("07-21 05:00")
    yield instance(
        node, hour, hour + HOUR, D("-0.1"), "demand", period="2026-08", ChargeClass="Correction"
    )


def credit():
    amount = D("-600")
    yield make(
        *month_span("2026-07"),
        EC2,
        "Compute",
        "AWS Activate promotional credit",
        [amount] * 4,
        ChargeCategory="Credit",
        ChargeFrequency="One-Time",
        PricingCategory="",
    )


# What depends on the sum of the rest


def tiers(base):
    """Business support: 10 % of the first 10,000, 7 % of the next 70,000."""
    return min(base, D(10_000)) * D("0.10") + max(D(0), min(base, D(80_000)) - 10_000) * D("0.07")


def support(lines):
    for name in MONTHS:
        base = [
            sum(
                line.cost(c)
                for line in lines
                if line.period == name and line.row["ChargeCategory"] != "Credit"
            )
            for c in COSTS
        ]
        billed, _, at_list, contracted = (tiers(b) for b in base)
        yield make(
            *month_span(name),
            "AWS Support (Business)",
            "Other",
            "Business support, by the month's charges",
            [billed, billed, at_list, contracted],
            ChargeCategory="Purchase",
            ChargeFrequency="Recurring",
            PricingQuantity="1",
            PricingUnit="Months",
            SkuId=sku("support"),
            SkuPriceId=sku("support", "business"),
        )


def tax(lines):
    for name in MONTHS:
        for service in (EC2, "AWS Support (Business)"):
            mine = [
                line
                for line in lines
                if line.period == name
                and line.row["ServiceName"] == service
                and line.row["ChargeCategory"] != "Credit"
            ]
            billed, _, at_list, contracted = (
                (sum(line.cost(c) for line in mine) * D("0.0625")).quantize(CENT, ROUND_HALF_EVEN)
                for c in COSTS
            )
            yield make(
                *month_span(name),
                service,
                mine[0].row["ServiceCategory"],
                "Sales tax 6.25 %",
                [billed, billed, at_list, contracted],
                ChargeCategory="Tax",
                PricingCategory="",
                RegionId="",
            )


def build(world):
    lines = [
        *instances(world.nodes),
        *disks(world.nodes),
        *buckets(),
        *network(),
        *monitoring(),
        *refund(world.nodes),
        *credit(),
    ]
    lines += support(lines)
    lines += tax(lines)
    lines.sort(
        key=lambda line: (
            line.period,
            line.start,
            line.end,
            [str(line.row[c]) for c in ("ServiceName", "ResourceId", "SkuPriceId")],
        )
    )
    return lines


def totals(lines):
    return [sum((line.cost(c) for line in lines), D(0)) for c in COSTS]
