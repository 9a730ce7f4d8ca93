"""What the story is told in: machines, runs, what each run held, and samples of the GPUs."""

import hashlib
from dataclasses import dataclass, field

from .clock import END

SEED = 20260601


@dataclass
class Node:
    name: str  # what the scheduler and the telemetry call it; None: they never do
    shape: str
    tags: dict
    pool: str = None  # in the inventory (resources.csv)
    team: str = None
    disk_gb: int = 0
    spot: bool = False
    up: list = field(default_factory=list)
    gone: int = END  # terminated; its disk may live on
    alias_until: int = None
    retagged: tuple = None  # (instant, tags from then on)
    id: str = ""

    def tags_at(self, t):
        return self.retagged[1] if self.retagged and t >= self.retagged[0] else self.tags


@dataclass
class Run:
    id: str
    model: str
    stage: str
    team: str
    start: int
    end: int
    state: str = "finished"
    attempt: int = 0
    name: str = ""
    last_checkpoint: int = None
    exit_reason: str = ""
    rows_in: int = None


@dataclass
class Hold:
    run: Run
    node: Node
    start: int
    end: int
    device: int = None
    count: int = None
    cpus: int = None
    replica: bool = False


@dataclass
class Sample:
    node: Node
    device: int
    start: int
    end: int
    busy: int  # thousandths
    sm: int


class World:
    def __init__(self):
        self.nodes, self.runs, self.holds, self.samples = [], [], [], []

    def node(self, key, *args, **kwargs):
        node = Node(*args, **kwargs)
        node.id = "i-0" + hashlib.sha256(f"{SEED}/{key}".encode()).hexdigest()[:16]
        self.nodes.append(node)
        return node

    def run(self, *args, **kwargs):
        run = Run(*args, **kwargs)
        self.runs.append(run)
        return run

    def hold(self, run, node, start=None, end=None, **kwargs):
        hold = Hold(
            run,
            node,
            run.start if start is None else start,
            run.end if end is None else end,
            **kwargs,
        )
        self.holds.append(hold)
        return hold

    def sample(self, *args):
        self.samples.append(Sample(*args))
