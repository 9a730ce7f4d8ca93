-- focus_row: the bill as FOCUS 1.2 Cost and Usage, a row for each posting. What the bill has not is
-- null where FOCUS allows it, else a word that says so; money is never made up (docs/focus.md).
-- grain: a share of a bill line
-- units: money and quantities DECIMAL(38,18), instants TIMESTAMP_NS in UTC
CREATE OR REPLACE TEMP VIEW focus_row AS
WITH
  charge AS (
    SELECT
      *,
      -- One pass over the further columns: texts by the place of their name in the list.
      json_extract_string(x, ${further_paths}) AS further
    FROM store_line
    WHERE ${periods}
  ),
  named AS (
    SELECT
      charge.*,
      ${further_columns}
    FROM charge
  ),
  entry AS (
    SELECT
      -- What is posted may be in the project's currency; the rows are in the bill's.
      posting.* EXCLUDE (dim, account, line, billed_units, billed_atto, effective_units,
        effective_atto, list_units, list_atto, contracted_units, contracted_atto),
      named.* EXCLUDE (file, row, source, period, billing_period_start_ns, id, dim),
      dim.* EXCLUDE (file, id, source, period, billing_period_start_ns),
      account.account,
      account.model,
      account.stage,
      account.team,
      account.pool,
      account.run_id AS posted_run_id,
      account.attempt,
      named.id AS line_id,
      share.row IS NOT NULL AS is_shared,
      share.billed AS billed_share,
      share.effective AS effective_share,
      share.list AS list_share,
      share.contracted AS contracted_share,
      share.consumed AS consumed_share,
      share.pricing AS pricing_share,
      share.commitment AS commitment_share,
      share.pricing_currency_effective AS pricing_currency_effective_share
    FROM store_posting AS posting
    JOIN named ON named.file = posting.file AND named.row = posting.line
    LEFT JOIN store_dim AS dim ON dim.file = named.file AND dim.id = named.dim
    LEFT JOIN store_account AS account
      ON account.file = posting.file AND account.id = posting.account
    LEFT JOIN focus_shares.focus_share AS share
      ON share.file = posting.file AND share.row = posting.row
    WHERE posting.${periods}
  ),
  quantified AS (
    SELECT
      *,
      CASE WHEN is_shared THEN consumed_share ELSE store_money(consumed_units, consumed_atto) END
        AS consumed,
      pricing_units IS NULL AND focus_demands_quantity(charge_category, charge_class)
        AS is_by_charge,
      CASE
        WHEN is_shared THEN pricing_share
        WHEN is_by_charge THEN CAST(1 AS DECIMAL(38, 18))
        ELSE store_money(pricing_units, pricing_atto)
      END AS priced,
      CASE WHEN is_shared THEN commitment_share ELSE focus_number("CommitmentDiscountQuantity") END
        AS committed,
      CASE
        WHEN focus_is_service_category(service_category) THEN service_category ELSE 'Other'
      END AS category
    FROM entry
  )
SELECT
  coalesce(provider_name, "PublisherName", invoice_issuer_name, 'Unknown') AS "ProviderName",
  coalesce("PublisherName", provider_name, invoice_issuer_name, 'Unknown') AS "PublisherName",
  coalesce(invoice_issuer_name, provider_name, "PublisherName", 'Unknown') AS "InvoiceIssuerName",
  invoice_id AS "InvoiceId",
  coalesce(billing_account_id, 'Unknown') AS "BillingAccountId",
  "BillingAccountName",
  "BillingAccountType",
  sub_account_id AS "SubAccountId",
  "SubAccountName",
  "SubAccountType",
  store_instant(billing_period_start_ns) AS "BillingPeriodStart",
  CAST(store_instant(billing_period_start_ns) + INTERVAL 1 MONTH AS TIMESTAMP_NS)
    AS "BillingPeriodEnd",
  store_instant(charge_start) AS "ChargePeriodStart",
  store_instant(charge_end) AS "ChargePeriodEnd",
  charge_category AS "ChargeCategory",
  charge_class AS "ChargeClass",
  charge_description AS "ChargeDescription",
  coalesce(charge_frequency, CASE charge_category WHEN 'Usage' THEN 'Usage-Based' ELSE 'One-Time' END)
    AS "ChargeFrequency",
  CASE WHEN is_shared THEN billed_share ELSE store_money(billed_units, billed_atto) END AS "BilledCost",
  CASE WHEN is_shared THEN effective_share ELSE store_money(effective_units, effective_atto) END AS "EffectiveCost",
  CASE WHEN is_shared THEN list_share ELSE store_money(list_units, list_atto) END AS "ListCost",
  CASE WHEN is_shared THEN contracted_share ELSE store_money(contracted_units, contracted_atto) END AS "ContractedCost",
  focus_number("ListUnitPrice") AS "ListUnitPrice",
  focus_number("ContractedUnitPrice") AS "ContractedUnitPrice",
  pricing_category AS "PricingCategory",
  priced AS "PricingQuantity",
  CASE WHEN is_by_charge THEN 'Charges' ELSE focus_unit(priced, pricing_unit) END AS "PricingUnit",
  "PricingCurrency",
  focus_number("PricingCurrencyContractedUnitPrice") AS "PricingCurrencyContractedUnitPrice",
  CASE
    WHEN is_shared THEN pricing_currency_effective_share
    ELSE focus_number("PricingCurrencyEffectiveCost")
  END AS "PricingCurrencyEffectiveCost",
  focus_number("PricingCurrencyListUnitPrice") AS "PricingCurrencyListUnitPrice",
  billing_currency AS "BillingCurrency",
  consumed AS "ConsumedQuantity",
  focus_unit(consumed, consumed_unit) AS "ConsumedUnit",
  coalesce(service_name, 'Unknown') AS "ServiceName",
  category AS "ServiceCategory",
  coalesce("ServiceSubcategory", 'Other (' || category || ')') AS "ServiceSubcategory",
  sku_id AS "SkuId",
  "SkuMeter",
  sku_price_id AS "SkuPriceId",
  sku_price_details AS "SkuPriceDetails",
  resource_id AS "ResourceId",
  "ResourceName",
  resource_type AS "ResourceType",
  region_id AS "RegionId",
  "RegionName",
  "AvailabilityZone",
  commitment_discount_id AS "CommitmentDiscountId",
  "CommitmentDiscountName",
  "CommitmentDiscountCategory",
  "CommitmentDiscountType",
  commitment_discount_status AS "CommitmentDiscountStatus",
  committed AS "CommitmentDiscountQuantity",
  "CommitmentDiscountUnit",
  capacity_reservation_id AS "CapacityReservationId",
  capacity_reservation_status AS "CapacityReservationStatus",
  tags AS "Tags",
  account AS x_account,
  model AS x_model,
  stage AS x_stage,
  team AS x_team,
  pool AS x_pool,
  posted_run_id AS x_run,
  attempt AS x_attempt,
  store_evidence_text(rule) AS x_evidence,
  store_rule_text(rule) AS x_rule,
  CAST(line_id AS VARCHAR) AS x_bill_line_id,
  source AS x_source,
  ${maker_columns}
  -- What has no column of its own: nothing that the bill says is lost. A null takes a name out.
  nullif(CAST(json_merge_patch(coalesce(x, '{}'), json_object(
    ${further_taken},
    'ServiceCategory', nullif(service_category, category),
    'run_id', run_id)) AS VARCHAR), '{}') AS x_further
FROM quantified;
