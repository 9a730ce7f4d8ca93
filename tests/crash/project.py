"""A small project with two months, in two versions, for loads that are killed, failed and raced."""

import pathlib

HEADER = ("BilledCost,EffectiveCost,ListCost,ContractedCost,BillingCurrency,BillingPeriodStart,BillingPeriodEnd,"
          "ChargePeriodStart,ChargePeriodEnd,ChargeCategory,ServiceName,ServiceCategory,ResourceId,SkuId,"
          "SkuPriceDetails,ConsumedQuantity,ConsumedUnit,InvoiceId,InvoiceIssuerName")
PROJECT = """project: crash
currency: USD
sources:
  bill:      [{format: focus, path: bill/}]
  runs:      [{format: runs, path: runs.csv}]
  holds:     [{format: holds, path: holds.csv}]
  telemetry: [{format: device-usage, path: usage.csv}]
"""
DAYS = 6
NODES = 3


def bill(month, cents):
    rows = [HEADER]
    after = f"2026-{month + 1:02}-01T00:00:00Z"
    for day in range(1, DAYS + 1):
        for hour in range(24):
            for node in range(NODES):
                start = f"2026-{month:02}-{day:02}T{hour:02}:00:00Z"
                end = f"2026-{month:02}-{day:02}T{hour + 1:02}:00:00Z" if hour < 23 else \
                    f"2026-{month:02}-{day + 1:02}T00:00:00Z"
                cost = f"1.{cents:02}{hour:02}{node}"
                rows.append(f"{cost},{cost},{cost},{cost},USD,2026-{month:02}-01T00:00:00Z,{after},{start},{end},"
                            f'Usage,Compute,Compute,node-{node},gpu-4,"{{""GpuCount"":""4""}}",1,Hours,'
                            f"INV-{month},Cloud")
    return "\n".join(rows) + "\n"


def make(folder, cents=10):
    """Writes the project; `cents` is in every cost of the second month."""
    folder = pathlib.Path(folder)
    (folder / "bill").mkdir(parents=True, exist_ok=True)
    (folder / "tare.yaml").write_text(PROJECT)
    (folder / "bill" / "2026-07.csv").write_text(bill(7, 10))
    (folder / "bill" / "2026-08.csv").write_text(bill(8, cents))
    runs, holds, usage = ["run_id,model,stage,state,start,end"], ["run_id,resource_id,start,end,device_count"], \
        ["resource_id,device,start,end,busy_ratio"]
    for month in (7, 8):
        for day in range(1, DAYS + 1):
            for node in range(NODES):
                date = f"2026-{month:02}-{day:02}"
                run = f"r-{month}-{day}-{node}"
                runs.append(f"{run},model-{node},training,finished,{date}T01:10:00Z,{date}T20:20:00Z")
                holds.append(f"{run},node-{node},{date}T01:10:00Z,{date}T20:20:00Z,{node + 1}")
                usage.append(f"node-{node},0,{date}T02:00:00Z,{date}T19:00:00Z,0.{day}5")
    (folder / "runs.csv").write_text("\n".join(runs) + "\n")
    (folder / "holds.csv").write_text("\n".join(holds) + "\n")
    (folder / "usage.csv").write_text("\n".join(usage) + "\n")
