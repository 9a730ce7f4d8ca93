-- summary: day_cost  grain: dim, account, evidence, rule, UTC day of the charge's start (ns)
-- meaning: the file's postings summed; money as units (floor) and atto, durations in ns
-- *_missing: billed cost of the postings that have no cost in that column
CREATE TEMP MACRO ledger_total(units, atto) AS
    coalesce(sum(units)::HUGEINT * 1000000000000000000::HUGEINT + sum(atto)::HUGEINT, 0::HUGEINT);
CREATE TEMP MACRO ledger_floor(value, step) AS
    (value // step) - (CASE WHEN value % step < 0 THEN 1 ELSE 0 END);
CREATE TEMP MACRO ledger_units(total) AS
    ledger_floor(total, 1000000000000000000::HUGEINT)::BIGINT;
CREATE TEMP MACRO ledger_atto(total) AS
    (total - ledger_floor(total, 1000000000000000000::HUGEINT) * 1000000000000000000::HUGEINT)::BIGINT;
INSERT INTO day_cost
SELECT dim, account, evidence, rule, day,
       ledger_units(billed), ledger_atto(billed),
       ledger_units(effective), ledger_atto(effective),
       ledger_units(list), ledger_atto(list),
       ledger_units(contracted), ledger_atto(contracted),
       ledger_units(effective_missing), ledger_atto(effective_missing),
       ledger_units(list_missing), ledger_atto(list_missing),
       ledger_units(contracted_missing), ledger_atto(contracted_missing),
       postings, held_ns, billed_ns
FROM (
    SELECT dim, account, evidence, rule,
           ledger_floor(charge_start, 86400000000000) * 86400000000000 AS day,
           ledger_total(billed_units, billed_atto) AS billed,
           ledger_total(effective_units, effective_atto) AS effective,
           ledger_total(list_units, list_atto) AS list,
           ledger_total(contracted_units, contracted_atto) AS contracted,
           ledger_total(CASE WHEN effective_units IS NULL THEN billed_units ELSE 0 END,
                        CASE WHEN effective_units IS NULL THEN billed_atto ELSE 0 END) AS effective_missing,
           ledger_total(CASE WHEN list_units IS NULL THEN billed_units ELSE 0 END,
                        CASE WHEN list_units IS NULL THEN billed_atto ELSE 0 END) AS list_missing,
           ledger_total(CASE WHEN contracted_units IS NULL THEN billed_units ELSE 0 END,
                        CASE WHEN contracted_units IS NULL THEN billed_atto ELSE 0 END) AS contracted_missing,
           count(*)::BIGINT AS postings,
           sum(held_ns)::BIGINT AS held_ns,
           sum(billed_ns)::BIGINT AS billed_ns
    FROM posting
    GROUP BY ALL
)
ORDER BY ALL;
