#!/usr/bin/env python3
"""docs/setup as a new user would follow it, from the files on: what each page's tare.yaml loads.

    pages.py --tare build/release/tare

For each page small files are made from the provider's documented columns, where the page's tare.yaml says that the
export lies; `tare init` has to find their formats, and `tare load` to load them.
"""

import argparse
import gzip
import json
import pathlib
import re
import subprocess
import sys
import tempfile

PAGES = pathlib.Path(__file__).resolve().parents[2] / "docs" / "setup"
CUR = ("bill_payer_account_id,bill_billing_period_start_date,line_item_line_item_type,line_item_usage_start_date,"
       "line_item_usage_end_date,line_item_product_code,line_item_usage_type,line_item_resource_id,"
       "line_item_usage_amount,line_item_currency_code,line_item_unblended_cost,resource_tags\n"
       "123456789012,2026-08-01T00:00:00Z,Usage,2026-08-01T00:00:00Z,2026-08-01T01:00:00Z,AmazonEC2,"
       "BoxUsage:p4d.24xlarge,i-1,1,USD,32.77,\"{\"\"user_run_id\"\":\"\"a\"\"}\"\n")
GCP = {"billing_account_id": "A", "invoice": {"month": "202608"}, "cost_type": "regular", "currency": "USD",
       "service": {"description": "Compute Engine"}, "sku": {"id": "S", "description": "Nvidia H100 GPU"},
       "usage_start_time": "2026-08-01T00:00:00Z", "usage_end_time": "2026-08-01T01:00:00Z", "cost": 2.5,
       "usage": {"amount": 3600, "unit": "seconds"}, "credits": [{"type": "PROMOTION", "amount": -0.5}],
       "resource": {"name": "vm", "global_name": "//compute/vm"}, "labels": [{"key": "team", "value": "a"}]}
AZURE = ("SubscriptionId,Date,MeterId,MeterCategory,Quantity,UnitOfMeasure,{cost},BillingCurrency,"
         "BillingPeriodStartDate,ResourceId\ns,08/01/2026,m,Virtual Machines,24,1 Hour,5,USD,08/01/2026,/vm/1\n")
OCI = ("lineItem/referenceNo,lineItem/tenantId,lineItem/intervalUsageStart,lineItem/intervalUsageEnd,product/service,"
       "product/resourceId,usage/billedQuantity,cost/productSku,cost/myCost,cost/currencyCode,lineItem/isCorrection\n"
       "r{n},t,2026-08-01T0{n}:00Z,2026-08-01T0{m}:00Z,COMPUTE,vm,1,B1,1.000000000000000001,USD,false\n")


def azure_run(folder, cost):
    manifest = {"exportConfig": {"exportName": cost, "type": cost}, "blobs": [{"blobName": "x/1/part.csv", "dataRowCount": 1}],
                "runInfo": {"submittedTime": "2026-08-02T00:00:00Z", "startDate": "2026-08-01"}}
    return {f"{folder}/20260801-20260831/1/part.csv": AZURE.format(cost="CostInBillingCurrency"),
            f"{folder}/20260801-20260831/1/_manifest.json": json.dumps(manifest)}


FILES = {
    "aws": {"bill/aws/data/BILLING_PERIOD=2026-08/export-00001.csv": CUR},
    "gcp": {"bill/gcp/202608/part-000000000000.json.gz": json.dumps(GCP) + "\n"},
    "azure": {**azure_run("bill/azure/actual", "ActualCost"), **azure_run("bill/azure/amortized", "AmortizedCost")},
    "oci": {f"bill/oci/{n}.csv.gz": OCI.format(n=n, m=n + 1) for n in (1, 2)},
}
BILLED = {"aws": "32.77", "gcp": "2", "azure": "5", "oci": "2.000000000000000002"}


def run(tare, folder, *words):
    done = subprocess.run([str(tare), *words], cwd=folder, capture_output=True, check=False, text=True)
    if done.returncode != 0:
        sys.exit(f"{folder}: tare {' '.join(words)} exited with {done.returncode}: {done.stderr}")
    return done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tare", required=True, type=pathlib.Path)
    tare = parser.parse_args().tare.resolve()
    pages = sorted(path.stem for path in PAGES.glob("*.md") if path.stem != "README")
    if pages != sorted(FILES):
        sys.exit(f"the pages are {pages}, and files are made for {sorted(FILES)}")
    for page in pages:
        text = (PAGES / f"{page}.md").read_text()
        yaml = re.search(r"```yaml\n(.*?)```", text, re.DOTALL).group(1)
        with tempfile.TemporaryDirectory(prefix=f"tare-setup-{page}-") as name:
            folder = pathlib.Path(name)
            for path, content in FILES[page].items():
                target = folder / path
                target.parent.mkdir(parents=True, exist_ok=True)
                data = content.encode()
                target.write_bytes(gzip.compress(data, mtime=0) if path.endswith(".gz") else data)
            run(tare, folder, "init")
            found = set(re.findall(r"^\s+- \{format: ([\w\-]+)", (folder / "tare.yaml").read_text(), re.MULTILINE))
            said = set(re.findall(r"\{format: ([\w\-]+)", yaml))
            if not found & said:
                sys.exit(f"{page}: tare init finds {sorted(found)}, and the page says {sorted(said)}")
            (folder / "tare.yaml").write_text(yaml)
            run(tare, folder, "load", "--quiet")
            billed = run(tare, folder, "sql", "--format", "csv", "SELECT sum(billed_cost) FROM bill_line").split()[-1]
            if billed != BILLED[page]:
                sys.exit(f"{page}: billed {billed}, not {BILLED[page]}")
    print(f"{len(pages)} pages load what they say")


if __name__ == "__main__":
    main()
