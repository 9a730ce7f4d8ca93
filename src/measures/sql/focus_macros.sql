-- What both queries of the FOCUS export ask.

-- FOCUS wants a PricingQuantity of these whether or not the bill has one.
CREATE OR REPLACE TEMP MACRO focus_demands_quantity(category, class) AS
  category IN ('Usage', 'Purchase') AND class IS DISTINCT FROM 'Correction';

-- The values that FOCUS 1.2 allows; each has a subcategory 'Other (...)' of its own.
CREATE OR REPLACE TEMP MACRO focus_is_service_category(name) AS
  name IN ('AI and Machine Learning', 'Analytics', 'Business Applications', 'Compute', 'Databases',
    'Developer Tools', 'Identity', 'Integration', 'Internet of Things', 'Management and Governance',
    'Media', 'Migration', 'Mobile', 'Multicloud', 'Networking', 'Security', 'Storage', 'Web',
    'Other');

-- Null where the text is no number that DECIMAL(38,18) holds.
CREATE OR REPLACE TEMP MACRO focus_number(value) AS TRY_CAST(value AS DECIMAL(38, 18));

-- A unit without a quantity says nothing; a quantity without a unit has one that we don't know.
CREATE OR REPLACE TEMP MACRO focus_unit(quantity, unit) AS
  CASE WHEN quantity IS NOT NULL THEN coalesce(unit, 'Unknown') END;
