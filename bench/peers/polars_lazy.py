#!/usr/bin/env python3
"""polars, lazy frames on the streaming engine: an equi-join by resource and hour.

What was tried, at ten million lines (CPU seconds; the first is what most would write):
  joins on the resource's text and the hour, one lazy plan     34
  one integer key by way of Enum, one lazy plan                19
  the shares collected before the join with the lines          17
  Parquet without compression                                  16   (kept)
  statistics, larger row groups                                no difference
  the run's name instead of its number in the postings         +2.5; as an Enum column +12
An overlap join (join_where) of hours and holds takes three times as long as expanding the holds;
join_asof finds one holder, where an hour may have many.
"""

import polars as pl

import peer

HOUR = peer.HOUR_US


def microseconds(column):
    return pl.col(column).str.to_datetime("%Y-%m-%dT%H:%M:%SZ", time_unit="us").cast(pl.Int64)


def collected(frame):
    return frame.collect(engine="streaming").lazy()


class Hours:
    """One integer for a resource and an hour of the bill."""

    def __init__(self, bill):
        hour = pl.col("ChargePeriodStart").cast(pl.Datetime("us")).cast(pl.Int64) // HOUR
        self.first, self.last = bill.select(hour.min().alias("first"), hour.max().alias("last")).collect(
            engine="streaming").row(0)
        names = bill.select(pl.col("ResourceId").unique()).collect(engine="streaming")["ResourceId"]
        self.names = names.alias("resource_id")
        self.resources = pl.Enum(names)
        self.of_line = self.key(pl.col("ResourceId"), hour).alias("key")

    def key(self, resource, hour):
        number = resource.cast(self.resources).to_physical().cast(pl.Int64)
        return (number * (self.last - self.first + 1) + hour - self.first).cast(pl.Int32)


def held_by_hour(holds, hours, runs):
    hour = pl.col("hour")
    return collected(
        holds.join(hours.names.to_frame().lazy(), on="resource_id", how="semi")
        .select("resource_id", pl.col("run_id").cast(runs).to_physical().cast(pl.UInt32).alias("run"),
                start=microseconds("start"), end=microseconds("end"))
        .with_columns(hour=pl.int_ranges(
            pl.max_horizontal(pl.col("start") // HOUR, hours.first),
            pl.min_horizontal((pl.col("end") - 1) // HOUR, hours.last) + 1))
        .explode("hour").drop_nulls("hour")
        .select("run", key=hours.key(pl.col("resource_id"), hour),
                held=pl.min_horizontal("end", (hour + 1) * HOUR) - pl.max_horizontal("start", hour * HOUR))
        .group_by("key", "run").agg(pl.col("held").sum()))


def billed_by_hour(bill, hours):
    devices = pl.col("SkuPriceDetails").str.extract(r'"GpuCount":"(\d+)"').cast(pl.Float64)
    return collected(
        bill.filter((pl.col("ConsumedUnit") == "Hours") & pl.col("SkuPriceDetails").is_not_null())
        .select(hours.of_line, billed=pl.col("ConsumedQuantity").cast(pl.Float64) * devices * HOUR)
        .group_by("key").agg(pl.col("billed").sum()))


def shares(held, billed):
    """Where more was held than billed, all holders are scaled down and nothing is idle."""
    total = (billed.join(held.group_by("key").agg(total=pl.col("held").sum()), on="key", how="left")
             .with_columns(pl.col("total").fill_null(0))
             .with_columns(whole=pl.max_horizontal("billed", "total")))
    by_run = held.join(total, on="key").select("key", "run", share=pl.col("held") / pl.col("whole"))
    idle = total.filter(pl.col("total") < pl.col("billed")).select(
        "key", run=pl.lit(None, dtype=pl.UInt32), share=1 - pl.col("total") / pl.col("whole"))
    return collected(pl.concat([by_run, idle]))


def post(world, out):
    bill = pl.scan_parquet(world.bill, row_index_name="line")
    run_ids = pl.read_parquet(world.runs, columns=["run_id"])["run_id"]
    hours = Hours(bill)
    share = shares(held_by_hour(pl.scan_parquet(world.holds), hours, pl.Enum(run_ids)),
                   billed_by_hour(bill, hours))
    (bill.select("line", hours.of_line, *(pl.col(cost).cast(pl.Float64) for cost in peer.COSTS))
     .join(share, on="key", maintain_order="none")
     .select("line", "run", *(pl.col(cost) * pl.col("share") for cost in peer.COSTS))
     .sink_parquet(out.posting, compression="uncompressed", engine="streaming", maintain_order=False))
    run_ids.to_frame().with_row_index("run").write_parquet(out.run)


def copy_lines(world, out):
    (pl.scan_parquet(world.bill, row_index_name="line")
     .with_columns(pl.col(cost).cast(pl.Float64) for cost in peer.COSTS)
     .sink_parquet(out.line, compression="lz4", engine="streaming", maintain_order=False))


if __name__ == "__main__":
    peer.main(post, copy_lines)
