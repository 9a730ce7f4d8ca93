"""The story of acme, month by month. Read `build` from top to bottom: it is the plot.

Nothing here knows what anything costs.
"""

from .clock import DAY, DAYS, END, HOUR, Dice, at, cuts, date, month
from .records import SEED, Run, World


def build():
    world = World()
    gpu = training_nodes(world)
    for d in range(DAYS):
        retrain_reco(world, gpu, d)
    pretrain_on_spot(world)
    retrain_fraud(world)
    serve_reco(world)
    serve_fraud(world)
    features(world)
    machines_without_records(world)
    return world


# The recommender is retrained every night, and every month somebody makes it bigger.


def training_nodes(world):
    tags = {"app": "reco-train", "env": "prod", "pool": "gpu-train", "team": "growth"}
    common = {"pool": "gpu-train", "team": "ml-platform", "disk_gb": 1000}
    replaced = at("08-03 12:00")
    return {
        "1": world.node("gpu-1", "gpu-node-1", "p4d.24xlarge", tags, **common),
        # The cloud retired this machine. Its successor took over the name, its disk was forgotten.
        "2a": world.node(
            "gpu-2a",
            "gpu-node-2",
            "p4d.24xlarge",
            tags,
            gone=replaced,
            alias_until=replaced,
            **common,
        ),
        "2b": world.node("gpu-2b", "gpu-node-2", "p4d.24xlarge", tags, **common),
        # Added in a hurry on the first of August: nobody tagged it.
        "3": world.node("gpu-3", "gpu-node-3", "p4d.24xlarge", {}, **common),
    }


def nodes_of_the_day(gpu, d):
    nodes = [gpu["1"]]
    if d >= 35:
        nodes.append(gpu["2a"] if d < 64 else gpu["2b"])
    if d >= 61:
        nodes.append(gpu["3"])
    return nodes


def retrain_seconds(dice, d):
    if d < 30:
        return dice.ticks(18900, 20700)  # 5 h 15 to 5 h 45
    if d < 35:
        return dice.ticks(20700, 21600)
    if d < 61:
        return dice.ticks(23400, 25200)  # a second node and a wider model: slower, not faster
    return dice.ticks(29700, 32400)  # a third node and a second year of history


def retrain_reco(world, gpu, d):
    dice = Dice(SEED, f"retrain/{d}")
    nodes = nodes_of_the_day(gpu, d)
    up = {n.name: d * DAY + 2 * HOUR + dice.ticks(0, 240) for n in nodes}
    start = max(up.values()) + dice.ticks(240, 480)
    end = start + retrain_seconds(dice, d)
    run = world.run(
        f"reco-train-{date(d)}",
        "reco",
        "training",
        "growth",
        start,
        end,
        name="two-tower transformer, nightly",
        rows_in=dice.around(186_000_000 + 450_000 * d, 300_000),
    )
    failed = d == 71
    if failed:
        run.end = end = start + 24_543
        run.last_checkpoint = start + 18_000
        run.state, run.exit_reason = "failed", "out of memory"
    for node in nodes:
        world.hold(run, node)
        silent = node is gpu["2a"] and 44 <= d <= 46  # the exporter on this node was down
        if not silent:
            busy_of_training(world, dice, run, node, d)
    tail = dice.ticks(4200, 5400) if failed else dice.ticks(900, 2100)
    down = {n.name: end + tail + dice.ticks(0, 300) for n in nodes}
    if not failed:
        down["gpu-node-1"] = evaluate(world, dice, nodes[0], d, end) + tail
    if d == 82:
        down["gpu-node-3"] = try_an_idea(world, gpu["3"], end)
    for node in nodes:
        power(node, up[node.name], down[node.name], d)


def power(node, up, down, d):
    # On Saturday 15 August the stop script failed on gpu-node-2: it ran on until Monday's run.
    if node.name == "gpu-node-2" and d in (76, 77):
        node.up[-1] = (node.up[-1][0], down)
    elif node.name == "gpu-node-2" and d == 75:
        node.up.append((up, 76 * DAY))
    else:
        node.up.append((up, down))


def busy_of_training(world, dice, run, node, d):
    """The more data the job reads, the longer its GPUs wait for the loader."""
    base = 430 if d < 30 else 350 if d < 61 else 270
    base = dice.around(base, 30)
    warm = run.start + dice.ticks(600, 780)  # image pull, compile, first batch: under idle_after
    edges = list(cuts(warm, run.end, HOUR))
    if run.last_checkpoint:
        edges = list(cuts(warm, run.last_checkpoint, HOUR)) + list(
            cuts(run.last_checkpoint, run.end, HOUR)
        )
    for device in range(8):
        mine = dice.around(base, 20)
        world.sample(node, device, run.start, warm, 0, 0)
        for start, end in edges:
            if dice.below(250) == 0:
                continue  # a scrape that did not arrive
            busy = dice.around(mine, 25)
            world.sample(node, device, start, end, busy, busy * dice.around(640, 20) // 1000)


def evaluate(world, dice, node, d, after):
    start = after + dice.ticks(120, 240)
    run = world.run(
        f"reco-eval-{date(d)}",
        "reco",
        "evaluation",
        "growth",
        start,
        start + dice.ticks(1440, 1800),
        name="offline metrics",
    )
    for device in (0, 1):
        world.hold(run, node, device=device)
        for s, e in cuts(run.start, run.end, HOUR):
            world.sample(node, device, s, e, dice.around(560, 40), dice.around(310, 30))
    return run.end


def try_an_idea(world, node, after):
    # An experiment that names no model, on half of a node, with no telemetry.
    start = after + 900
    run = world.run(
        "exp-wide-tower", "", "training", "", start, start + 11_160, name="try wide tower"
    )
    world.hold(run, node, count=4)
    return run.end + 1800


def pretrain_on_spot(world):
    """Spot without checkpoints: paid for twice."""
    dice = Dice(SEED, "spot")
    tags = {"app": "reco-pretrain", "pool": "gpu-spot", "team": "growth"}
    first = world.node(
        "spot-1", "gpu-spot-1", "p4d.24xlarge", tags, spot=True, gone=at("07-19 04:12")
    )
    second = world.node(
        "spot-2", "gpu-spot-2", "p4d.24xlarge", tags, spot=True, gone=at("07-19 19:36")
    )
    first.up.append((at("07-18 20:00"), first.gone))
    second.up.append((at("07-19 04:39"), second.gone))
    name = "item encoder from scratch"
    tries = [
        (
            first,
            world.run(
                "reco-pretrain-0718",
                "reco",
                "training",
                "growth",
                at("07-18 20:06"),
                first.gone,
                state="preempted",
                exit_reason="spot interruption",
                name=name,
            ),
        ),
        (
            second,
            world.run(
                "reco-pretrain-0718",
                "reco",
                "training",
                "growth",
                at("07-19 04:48"),
                at("07-19 19:24"),
                attempt=1,
                name=name,
            ),
        ),
    ]
    for node, run in tries:
        world.hold(run, node)
        for device in range(8):
            for s, e in cuts(run.start, run.end, HOUR):
                busy = dice.around(610, 30)
                world.sample(node, device, s, e, busy, busy * dice.around(620, 20) // 1000)


# The fraud model is small, retrained once a week, well fed, and its machine is never switched off.


def retrain_fraud(world):
    tags = {"app": "fraud-train", "env": "prod", "pool": "gpu-small", "team": "risk"}
    node = world.node(
        "fraud-train", "gpu-small-1", "g5.2xlarge", tags, pool="gpu-small", team="risk", disk_gb=300
    )
    node.up.append((0, END))
    quiet = 0
    for d in range(0, DAYS, 7):
        dice = Dice(SEED, f"fraud/{d}")
        start = d * DAY + 3 * HOUR + dice.ticks(1800, 2400)
        run = world.run(
            f"fraud-train-{date(d)}",
            "fraud",
            "training",
            "risk",
            start,
            start + dice.ticks(15_300, 18_000),
            name="gradient-boosted embedding, weekly",
            rows_in=dice.around(21_400_000, 200_000),
        )
        world.hold(run, node)
        for s, e in cuts(quiet, start, DAY):
            world.sample(node, 0, s, e, 0, 0)
        for s, e in cuts(start, run.end, HOUR):
            busy = dice.around(840, 30)
            world.sample(node, 0, s, e, busy, busy * dice.around(800, 20) // 1000)
        quiet = run.end
    for s, e in cuts(quiet, END, DAY):
        world.sample(node, 0, s, e, 0, 0)


# The endpoint `reco` has, day and night, as many replicas as the evening's peak seemed to need.

REPLICAS = (
    ("ip-10-20-3-11.ec2.internal", 0),
    ("ip-10-20-3-12.ec2.internal", 0),
    ("ip-10-20-3-13.ec2.internal", at("07-13 09:00")),
    ("ip-10-20-3-14.ec2.internal", at("07-27 09:00")),
    ("ip-10-20-3-15.ec2.internal", at("08-03 09:00")),
    ("ip-10-20-3-16.ec2.internal", at("08-17 08:00")),
)
# Thousandths of two replicas' GPU time by hour of the day, in June.
RECO_DAY = (
    60,
    0,
    0,
    0,
    0,
    0,
    60,
    140,
    220,
    280,
    310,
    330,
    360,
    350,
    330,
    340,
    380,
    450,
    560,
    680,
    710,
    600,
    380,
    180,
)


def growth(t):
    return {"2026-06": 100, "2026-07": 108, "2026-08": 115}[month(t)]


def serve_reco(world):
    tags = {"app": "reco-serve", "env": "prod", "pool": "reco-serving", "team": "growth"}
    run = Run("endpoint/reco", "reco", "serving", "", 0, END, state="running")
    nodes = []
    for name, since in REPLICAS:
        node = world.node(
            name, name, "g5.12xlarge", tags, pool="reco-serving", team="growth", disk_gb=400
        )
        node.up.append((since, END))
        ready = since and since + 315  # boot and pull, before the replica exists
        world.hold(run, node, ready, END, replica=True)
        nodes.append((node, ready))
    for node, ready in nodes:
        busy_of_serving(world, Dice(SEED, f"serve/{node.name}"), node, ready)


def busy_of_serving(world, dice, node, ready):
    for s, e in cuts(ready, END, HOUR):
        replicas = sum(1 for _, since in REPLICAS if since <= s)
        weekend = 85 if s // DAY % 7 >= 5 else 100
        level = RECO_DAY[s // HOUR % 24] * 2 * growth(s) * weekend // (10_000 * replicas)
        silent = node.name.endswith("3-12.ec2.internal") and 20 <= s // DAY <= 21
        for device in range(4):
            if silent or dice.below(300) == 0:
                continue
            busy = level and max(10, dice.around(level, level // 8 + 5) // 10 * 10)
            world.sample(node, device, s, e, busy, busy * 3 // 10 // 10 * 10)


def serve_fraud(world):
    tags = {"app": "fraud-api", "env": "prod", "pool": "fraud-serving", "team": "risk"}
    run = world.run(
        "endpoint/fraud", "fraud", "serving", "risk", 0, None, state="running", name="scoring API"
    )
    for name in ("ip-10-20-5-21.ec2.internal", "ip-10-20-5-22.ec2.internal"):
        node = world.node(
            name, name, "m5.2xlarge", tags, pool="fraud-serving", team="risk", disk_gb=60
        )
        node.up.append((0, END))
        world.hold(run, node, 0, END, cpus=6)


# Feature jobs on machines without GPUs.


def features(world):
    tags = {"app": "feature-jobs", "env": "prod", "pool": "features", "team": "ml-platform"}
    common = {"pool": "features", "team": "ml-platform", "disk_gb": 500}
    one = world.node("cpu-1", "cpu-node-1", "c6i.8xlarge", tags, **common)
    two = world.node("cpu-2", "cpu-node-2", "c6i.8xlarge", tags, **common)
    for d in range(DAYS):
        feature_jobs(world, one, two, d)
    # Started for one backfill in June, and left on for the rest of the summer.
    left = world.node("cpu-3", "cpu-node-3", "c6i.4xlarge", tags, **common)
    left.up.append((0, END))
    backfill = world.run(
        "features-backfill-06",
        "reco",
        "features",
        "ml-platform",
        at("06-03 08:00"),
        at("06-12 18:00"),
    )
    world.hold(backfill, left, cpus=16)


def feature_jobs(world, one, two, d):
    dice = Dice(SEED, f"features/{d}")
    up = d * DAY + dice.ticks(0, 300)
    start = up + dice.ticks(180, 300)
    seconds = (
        dice.ticks(6300, 7200)
        if d < 30
        else dice.ticks(9000, 10_800)
        if d < 61
        else dice.ticks(14_400, 16_200)
    )
    reco = world.run(
        f"features-reco-{date(d)}",
        "reco",
        "features",
        "growth",
        start,
        start + seconds,
        name="user and item windows",
    )
    fraud = world.run(
        f"features-fraud-{date(d)}",
        "fraud",
        "features",
        "risk",
        start,
        start + dice.ticks(3600, 4500),
        name="card windows",
    )
    world.hold(reco, one, cpus=24)
    world.hold(fraud, one, cpus=8)
    end = reco.end
    if d in (12, 39, 68):  # by hand, and the tag with the model's name was left out
        fix = world.run(
            f"adhoc-join-fix-{date(d)}", "", "features", "", end + 306, end + 306 + 5400
        )
        world.hold(fix, one, cpus=16)
        end = fix.end
    one.up.append((up, end + dice.ticks(600, 900)))
    if d < 30:
        return
    if d == 51:
        # The scheduler's end is nine minutes after the machine's: held, but never billed.
        world.hold(reco, two, cpus=32)
        two.up.append((reco.start, reco.end - 540))
        return
    world.hold(reco, two, cpus=32)
    two.up.append((up, reco.end + dice.ticks(600, 900)))


def machines_without_records(world):
    """No hold names these: only a tag says whose they are, or nothing does."""
    export = world.node("export", None, "g5.xlarge", {"app": "reco-export", "team": "growth"})
    for d in range(DAYS):
        dice = Dice(SEED, f"export/{d}")
        export.up.append((d * DAY + 4 * HOUR, d * DAY + 7 * HOUR + dice.ticks(0, 1200)))
    standby = world.node(
        "standby", None, "m5.2xlarge", {"endpoint": "fraud", "role": "standby"}, disk_gb=60
    )
    standby.up.append((0, END))
    # Lent by the recommender's team to search on 17 July: one machine, two values of a tag.
    lent = world.node(
        "lent",
        None,
        "m5.4xlarge",
        {"app": "reco-sandbox"},
        retagged=(at("07-17 00:00"), {"app": "search-dev"}),
    )
    lent.up.append((at("07-01 00:00"), END))
    # A batch machine that no scheduler knows, but whose tag is a run's id.
    backtest = world.run(
        "fraud-backtest-0806", "fraud", "evaluation", "risk", at("08-06 09:06"), at("08-06 14:06")
    )
    batch = world.node(
        "batch",
        None,
        "m5.4xlarge",
        {"run_id": backtest.id, "pool": "batch"},
        gone=at("08-06 14:15"),
    )
    batch.up.append((at("08-06 09:00"), batch.gone))
    notebook = world.node("notebook", None, "g5.4xlarge", {"Name": "jupyter-tmp-2"})
    notebook.up.append((at("07-07 10:00"), END))
