"""What docs/setup hands out as a policy can be read by a program, and lets nobody write."""

import json
import re

from tree import check

_READS = re.compile(r"^(?:[\w.\-]+:)?(?:Get|List|Describe|Head)\w*$|^[\w.\-/]+/read$|^[\w.]+\.(?:get|getData|list)$")
_SAMPLE = "docs/setup/"


@check("setup", bad=[
    ({_SAMPLE + "a.json": '{"Action": ["s3:PutObject"]}'}, "'s3:PutObject' is no reading"),
    ({_SAMPLE + "a.json": '{"Action": "s3:*"}'}, "'s3:*' is no reading"),
    ({_SAMPLE + "a.json": '{"Actions": ["A/B/write"], "DataActions": []}'}, "'A/B/write' is no reading"),
    ({_SAMPLE + "a.json": '{"Action": '}, "is no JSON"),
    ({_SAMPLE + "a.json": "{}"}, "allows nothing"),
    ({_SAMPLE + "r.yaml": "includedPermissions:\n  - storage.objects.create\n"}, "'storage.objects.create'"),
    ({_SAMPLE + "p.txt": "endorse group g to manage objects in tenancy t\n"}, "is no statement that only reads"),
], good=[
    {_SAMPLE + "a.json": '{"Statement": [{"Action": ["s3:GetObject", "s3:ListBucket"]}]}',
     _SAMPLE + "b.json": '{"Actions": ["M.S/a/read"], "NotActions": []}',
     _SAMPLE + "r.yaml": "title: t\nincludedPermissions:\n  - bigquery.tables.getData\n",
     _SAMPLE + "p.txt": "define tenancy t as ocid1\nendorse group g to read objects in tenancy t\n"},
])
def setup(tree):
    """Each policy of docs/setup parses, and allows reading only."""
    for path in tree.paths("docs/setup/", (".json", ".yaml", ".txt")):
        text = tree.text(path)
        if path.endswith(".txt"):
            yield from (f"{path}: '{line}' is no statement that only reads" for line in text.splitlines()
                        if not re.fullmatch(r"define tenancy \S+ as \S+|endorse group \S+ to (?:read|inspect) [\w\- ]+", line))
            continue
        try:
            allowed = actions(json.loads(text)) if path.endswith(".json") else permissions(text)
        except ValueError as error:
            yield f"{path}: is no JSON: {error}"
            continue
        if not allowed:
            yield f"{path}: allows nothing"
        yield from (f"{path}: '{action}' is no reading" for action in allowed if not _READS.match(action))


def actions(value):
    """Every text under a key Action, Actions or DataActions."""
    found = []
    if isinstance(value, list):
        for each in value:
            found += actions(each)
    elif isinstance(value, dict):
        for key, inside in value.items():
            if key in ("Action", "Actions", "DataActions"):
                found += [inside] if isinstance(inside, str) else inside
            else:
                found += actions(inside)
    return found


def permissions(text):
    listed = text.split("includedPermissions:", 1)[-1]
    return re.findall(r"^\s+- (\S+)$", listed, re.MULTILINE)
