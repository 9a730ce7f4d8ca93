#!/usr/bin/env python3
"""pandas over pyarrow and numpy: a merge by resource and hour.

What was tried, at ten million lines (CPU seconds, of which a third to a half is the system's, for
memory that is taken and given back):
  text read as dictionaries, a merge of frames that carry the costs      46
  sums by numpy over one integer key, (key, run) packed for groupby      36
  the merge of two narrow frames only, the costs gathered after it       19   (kept)
  a frame of the bill's columns as pandas reads them                     out of memory on small machines
"""

import numpy
import pandas
import pyarrow
import pyarrow.compute
import pyarrow.parquet

import peer

HOUR = peer.HOUR_US


def codes(column):
    """(number of each row's text, -1 for null; the texts) of a dictionary column."""
    column = column.combine_chunks()
    if isinstance(column, pyarrow.ChunkedArray):
        column = column.chunk(0)
    return column.indices.fill_null(-1).to_numpy(zero_copy_only=False), column.dictionary.to_pandas()


def by_text(column, value_of_text, null):
    """value_of_text, taken once for each distinct text, for every row."""
    number, texts = codes(column)
    return numpy.append(value_of_text(texts).to_numpy(), null)[number]


class Bill:
    """The key of each line (resource and hour), and the device-time billed by key."""

    def __init__(self, path):
        texts = ["ResourceId", "SkuPriceDetails", "ConsumedQuantity", "ConsumedUnit"]
        file = pyarrow.parquet.ParquetFile(path, read_dictionary=texts)
        table = file.read(columns=[*texts, "ChargePeriodStart"]).unify_dictionaries()
        resource, self.resources = codes(table["ResourceId"])
        hour = table["ChargePeriodStart"].cast(pyarrow.timestamp("us")).cast(pyarrow.int64()).to_numpy() // HOUR
        self.first, self.last = hour.min(), hour.max()
        self.hours = self.last - self.first + 1
        self.key = (resource * self.hours + hour - self.first).astype(numpy.int32)
        self.keys = len(self.resources) * self.hours
        device_hours = (
            by_text(table["SkuPriceDetails"],
                    lambda text: text.str.extract(r'"GpuCount":"(\d+)"')[0].astype(float).fillna(0), 0)
            * by_text(table["ConsumedQuantity"], lambda text: text.astype(float), 0)
            * by_text(table["ConsumedUnit"], lambda text: text == "Hours", False))
        self.billed = numpy.bincount(self.key, weights=device_hours * HOUR, minlength=self.keys)


def microseconds(column):
    parsed = pyarrow.compute.strptime(column, format="%Y-%m-%dT%H:%M:%SZ", unit="us")
    return parsed.cast(pyarrow.int64()).to_numpy()


def held_by_hour(path, bill):
    """A frame of (key, run, held), and the names of the runs."""
    table = pyarrow.parquet.read_table(path, columns=["run_id", "resource_id", "start", "end"])
    start, end = microseconds(table["start"]), microseconds(table["end"])
    resource = pandas.Index(bill.resources).get_indexer(table["resource_id"].to_pandas())
    run, run_ids = pandas.factorize(table["run_id"].to_pandas())
    first = numpy.maximum(start // HOUR, bill.first)
    count = numpy.minimum((end - 1) // HOUR, bill.last) - first + 1
    count = numpy.where(resource < 0, 0, numpy.maximum(count, 0))
    hold = numpy.repeat(numpy.arange(len(start), dtype=numpy.int32), count)
    hour = first[hold] + numpy.arange(len(hold)) - numpy.repeat(numpy.cumsum(count) - count, count)
    held = numpy.minimum(end[hold], (hour + 1) * HOUR) - numpy.maximum(start[hold], hour * HOUR)
    key = resource[hold] * bill.hours + hour - bill.first
    # groupby is faster by one integer than by two.
    frame = pandas.DataFrame({"pair": key * len(run_ids) + run[hold], "held": held.astype(float)})
    frame = frame.groupby("pair", sort=False, as_index=False)["held"].sum()
    frame["key"] = (frame["pair"] // len(run_ids)).astype(numpy.int32)
    frame["run"] = (frame.pop("pair") % len(run_ids)).astype(numpy.int32)
    return frame, run_ids


def shares(held, bill):
    """Where more was held than billed, all holders are scaled down and nothing is idle."""
    total = numpy.bincount(held["key"], weights=held["held"], minlength=bill.keys)
    whole = numpy.maximum(bill.billed, total)
    held["share"] = held.pop("held") / whole[held["key"]]
    idle = numpy.flatnonzero(bill.billed > total)
    return pandas.concat([held, pandas.DataFrame({
        "key": idle.astype(numpy.int32), "run": numpy.int32(-1), "share": 1 - total[idle] / whole[idle]})])


def post(world, out):
    bill = Bill(world.bill)
    held, run_ids = held_by_hour(world.holds, bill)
    share = shares(held, bill)
    del held
    lines = pandas.DataFrame({"line": numpy.arange(len(bill.key), dtype=numpy.int32), "key": bill.key})
    postings = lines.merge(share, on="key")
    del lines, share
    line, run, part = (postings[name].to_numpy() for name in ("line", "run", "share"))
    columns = {"line": pyarrow.array(line), "run": pyarrow.array(run, mask=run < 0)}
    file = pyarrow.parquet.ParquetFile(world.bill)
    for cost in peer.COSTS:
        whole = file.read(columns=[cost])[cost].cast(pyarrow.float64()).to_numpy()
        columns[cost] = pyarrow.array(whole[line] * part)
    pyarrow.parquet.write_table(pyarrow.table(columns), out.posting, use_dictionary=False,
                                compression="none")
    names = pyarrow.table({"run": numpy.arange(len(run_ids), dtype=numpy.int32), "run_id": run_ids})
    pyarrow.parquet.write_table(names, out.run)


def copy_lines(world, out):
    """In pieces: all text columns at once do not fit into the memory of most machines."""
    texts = [field.name for field in pyarrow.parquet.read_schema(world.bill)
             if pyarrow.types.is_string(field.type) and field.name not in peer.COSTS]
    file = pyarrow.parquet.ParquetFile(world.bill, read_dictionary=texts)
    writer, line = None, 0
    for batch in file.iter_batches(batch_size=122_880):
        for cost in peer.COSTS:
            at = batch.schema.get_field_index(cost)
            batch = batch.set_column(at, cost, batch.column(at).cast(pyarrow.float64()))
        batch = batch.add_column(0, "line", pyarrow.array(numpy.arange(line, line + len(batch))))
        line += len(batch)
        if writer is None:
            writer = pyarrow.parquet.ParquetWriter(out.line, batch.schema)
        writer.write_batch(batch)
    writer.close()


if __name__ == "__main__":
    peer.main(post, copy_lines)
