"""The rooms of the house: which folders there are, and which others each may include."""

# Folder of src/ -> folders whose door its files may include. docs/architecture.md draws the same.
MAY_INCLUDE = {
    "base": [],
    "http": ["base"],
    "store": ["base"],
    "sources": ["base", "http", "store"],
    "timeline": ["base", "store"],
    "ledger": ["base", "store", "sources", "timeline"],
    "measures": ["base", "store", "sources", "timeline", "ledger"],
    "sim": ["base"],
    "gates": ["base"],
    "levers": ["base", "store", "sources", "timeline", "ledger", "measures", "sim", "gates"],
    "probe": ["base", "http"],
    "report": ["base"],
    "synth": ["base", "store"],
    "cli": ["base", "http", "store", "sources", "timeline", "ledger", "measures", "sim", "gates",
            "levers", "probe", "report", "synth"],
}

# Every header of base is its own door; the others have one, X/X.h.
DOORLESS = ("base", "cli")

# src/sources has one folder a kind of input, and one for what all plain files have in common.
SOURCE_KINDS = ("bill", "runs", "telemetry", "outcomes", "requests", "quality", "prices", "policy",
                "plain")

TOP_LEVEL = (".ci", "bench", "cmake", "docs", "examples", "fuzz", "src", "tests", "tools", "web")


def room_of(path):
    """The folder of src/ that a path lies in, or None."""
    parts = path.split("/")
    return parts[1] if len(parts) > 2 and parts[0] == "src" else None
