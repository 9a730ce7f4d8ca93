"""The store's summaries against the rows that they sum, each re-added in SQL of its own.

`DIFFERENCES` is one query: what stands in only one of the two. An answer without rows is agreement.
"""

COSTS = ("billed", "effective", "list", "contracted")
HALVES = ("units", "atto")
ATTO = "CAST(1000000000000000000 AS HUGEINT)"


def summed(prefix):
    """The four costs and what is missing of three, as whole numbers of 1e-18."""
    names = [*COSTS, *(f"{cost}_missing" for cost in COSTS[1:])]
    return ", ".join(f"sum({prefix}{name}_units) * {ATTO} + sum({prefix}{name}_atto)" for name in names)


def summed_of_lines():
    known = [f"coalesce(sum(line.{cost}_units) * {ATTO} + sum(line.{cost}_atto), 0)" for cost in COSTS]
    missing = [f"coalesce(sum(line.billed_units) FILTER (line.{cost}_units IS NULL) * {ATTO}"
               f" + sum(line.billed_atto) FILTER (line.{cost}_units IS NULL), 0)" for cost in COSTS[1:]]
    return ", ".join(known + missing)


def month_of(instant):
    return (f"(CAST(strftime(make_timestamp_ns({instant}), '%Y') AS INTEGER) - 1970) * 12"
            f" + CAST(strftime(make_timestamp_ns({instant}), '%m') AS INTEGER) - 1")


MONTHS = (f"""
SELECT entry.file, entry.month, dim.currency, dim.issuer, dim.invoice_id, account.kind, account.model, account.stage,
       account.pool, dim.device_class, entry.state, entry.busy_known, {summed("entry.")}, sum(entry.billed_ns)
FROM store_day_cost AS entry
JOIN store_account AS account ON account.file = entry.file AND account.id = entry.account
JOIN store_posting_dim AS dim ON dim.file = entry.file AND dim.id = entry.dim
GROUP BY ALL""", f"""
SELECT file, month, currency, issuer, invoice_id, kind, model, stage, pool, device_class, state, busy_known,
       {summed("")}, sum(billed_ns)
FROM store_month_cost
GROUP BY ALL""")

WORDS = ("billing_currency", "invoice_issuer_name", "invoice_id", "charge_category", "commitment_discount_id",
         "commitment_discount_status")
LINES = (f"""
SELECT line.file, {month_of("line.charge_start")}, {", ".join(f"dim.{word}" for word in WORDS)}, {summed_of_lines()},
       count(*), {", ".join(f"count(*) - count(line.{cost}_units)" for cost in COSTS[1:])}
FROM store_line AS line
JOIN store_dim AS dim ON dim.file = line.file AND dim.id = line.dim
GROUP BY ALL""", f"""
SELECT file, month, {", ".join(WORDS)}, {summed("")}, sum(lines), sum(effective_unknown), sum(list_unknown),
       sum(contracted_unknown)
FROM store_line_sum
GROUP BY ALL""")

RETRAINS = (f"""
SELECT coalesce(nullif(run.model, ''), 'unnamed') AS model, {month_of("run.end_ns - 1")} AS month,
       count(DISTINCT run.run_id)
FROM store_run AS run
WHERE run.stage = 'training' AND run.state = 'finished' AND NOT EXISTS (
  SELECT 1 FROM store_run AS parent WHERE parent.run_id = run.parent_run_id AND parent.stage = 'training')
GROUP BY 1, 2""", """
SELECT model, month, sum(runs)
FROM store_retrain
GROUP BY ALL""")


def difference(name, rows, summary):
    return (f"SELECT '{name}' AS summary, count(*) AS differing FROM "
            f"((({rows}) EXCEPT ALL ({summary})) UNION ALL (({summary}) EXCEPT ALL ({rows})))")


DIFFERENCES = " UNION ALL ".join(
    difference(name, *pair) for name, pair in (("month_cost", MONTHS), ("line_sum", LINES), ("retrain", RETRAINS)))
