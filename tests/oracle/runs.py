"""Runs, their attempts, and what they hold: read, their ends found, and their holds under the machines' own names."""

from accounts import account
from aliases import FOREVER
from device_time import device_lines
from project_input import known, matches, read_count, read_ratio


class Attempt:
    """One attempt of a run, as its record or only its holds say."""

    def __init__(self, run, number, model=None, stage=None, state=None, start=None, end=None):
        self.run, self.number = run, number
        self.model, self.stage, self.state = model, stage, state
        self.start, self.end = start, end
        self.checkpoint = self.parent = None
        self.recorded = False
        self.names_model = model is not None  # the record itself; else its replicas may

    def knows(self):
        """Of two records of one attempt the one with an end counts, the later end, the later checkpoint."""
        return tuple((at is not None, at or 0) for at in (self.end, self.checkpoint))


class Hold:
    def __init__(self, run, attempt, name, start, end):
        self.run, self.attempt = run, attempt
        self.resource, self.start, self.end = name, start, end
        self.device = self.count = self.weight = self.cpus = None

    def piece(self, resource, device, start, end):
        copy = Hold(self.run, self.attempt, resource, start, end)
        copy.device, copy.count, copy.weight, copy.cpus = device, self.count, self.weight, self.cpus
        return copy


class Runs:
    """attempts: {run: {number: Attempt}}; holds: under resolved names, with their ends; served: {run: models}."""

    def __init__(self, project, aliases, machines, horizon):
        self.attempts = {}
        self.served = {}
        self.shares = project.keys.get("shares") or []
        self.read_records(project)
        holds = self.read_holds(project)
        for hold in holds:
            numbers = self.attempts.setdefault(hold.run, {})
            if hold.attempt not in numbers:
                numbers[hold.attempt] = self.attempt_of_hold(hold, numbers)
            elif not numbers[hold.attempt].recorded:
                numbers[hold.attempt].start = min(numbers[hold.attempt].start, hold.start)
        self.find_ends(holds, aliases, machines, horizon)
        self.holds = []
        for hold in holds:
            if hold.weight != 0:
                self.place(hold, aliases, machines, horizon)

    @staticmethod
    def attempt_of_hold(hold, numbers):
        """An attempt that only holds name is like another of its run, where one has a record."""
        one = Attempt(hold.run, hold.attempt, start=hold.start)
        like = next((other for _, other in sorted(numbers.items()) if other.recorded), None)
        if like:
            one.model, one.stage, one.parent = like.model, like.stage, like.parent
        return one

    def place(self, hold, aliases, machines, horizon):
        """Cuts a hold where its name changes. One without an end lasts to the attempt's, or until its machine is gone."""
        end = hold.end if hold.end is not None else self.attempts[hold.run][hold.attempt].end
        for begin, stop, resource, device in aliases.pieces(hold.resource, hold.device, hold.start,
                                                            max(hold.start, end)):
            gone = machines.gone(resource, horizon) if hold.end is None else None
            if gone is not None and gone > begin:
                stop = min(stop, gone)
            if begin < stop:
                self.holds.append(hold.piece(resource, device, begin, stop))

    def read_records(self, project):
        for source in project.of_format("runs"):
            for _, _, row in source.rows():
                run, start = known(row.get("run_id")), source.instant(row, "start")
                if run is None or start is None:
                    continue
                number = read_count(known(row.get("attempt"))) or 0
                one = Attempt(run, number, known(row.get("model")), known(row.get("stage")), known(row.get("state")),
                              start, source.instant(row, "end"))
                one.checkpoint = source.instant(row, "last_checkpoint")
                one.parent = known(row.get("parent_run_id"))
                one.recorded = True
                numbers = self.attempts.setdefault(run, {})
                numbers[number] = max(numbers.get(number, one), one, key=Attempt.knows)

    def read_holds(self, project):
        holds = []
        for source in project.of_format("holds", "replicas"):
            for _, _, row in source.rows():
                run, name = known(row.get("run_id")), known(row.get("resource_id"))
                start, end = source.instant(row, "start"), source.instant(row, "end")
                model = known(row.get("model"))
                if source.format == "replicas" and model is not None:
                    run = "endpoint/" + (known(row.get("endpoint")) or model)
                if run is None or name is None or start is None or (end is not None and end <= start):
                    continue
                hold = Hold(run, read_count(known(row.get("attempt"))) or 0, name, start, end)
                hold.device, hold.weight = known(row.get("device")), read_ratio(known(row.get("weight")))
                hold.count = read_count(known(row.get("device_count" if source.format == "holds" else "count")))
                hold.cpus = read_ratio(known(row.get("cpus")))
                holds.append(hold)
                if source.format == "replicas":
                    self.add_replica(hold, model)
        return holds

    def add_replica(self, hold, model):
        models = self.served.setdefault(hold.run, set())
        models.add(model)
        numbers = self.attempts.setdefault(hold.run, {})
        one = numbers.setdefault(hold.attempt, Attempt(hold.run, 0, stage="serving", state="running", start=hold.start))
        if not one.recorded:
            one.start = min(one.start, hold.start)
        if not one.names_model:
            one.model = model if len(models) == 1 else None

    def find_ends(self, holds, aliases, machines, horizon):
        """Where a record has no end: its holds, the next attempt, its machines gone, whichever is first."""
        for run, numbers in self.attempts.items():
            for number, one in numbers.items():
                if one.end is not None:
                    continue
                own = [hold for hold in holds if (hold.run, hold.attempt) == (run, number)]
                candidates = [numbers[min(n for n in numbers if n > number)].start] if number < max(numbers) else []
                if own and all(hold.end is not None for hold in own):
                    candidates.append(max(hold.end for hold in own))
                if not run.startswith("endpoint/"):
                    candidates += self.machines_gone(own, aliases, machines, horizon)
                candidates = [at for at in candidates if at >= one.start]
                one.end = min(candidates) if candidates else max(horizon, one.start)

    @staticmethod
    def machines_gone(holds, aliases, machines, horizon):
        """When the machines of holds without an end of their own are gone."""
        resources = {resource for hold in holds if hold.end is None
                     for _, _, resource, _ in aliases.pieces(hold.resource, hold.device, hold.start, FOREVER)}
        ends = [machines.gone(resource, horizon) for resource in resources]
        return [at for at in ends if at is not None]

    def is_divided(self, run):
        return any(matches(rule["run"], run) for rule in self.shares)

    def key(self, holder):
        """The order of parts (R50): account, run, attempt. One that `shares` divides counts as its own model's."""
        run, number = holder
        one = self.attempts[run][number]
        several = len(self.served.get(run, ())) > 1 and one.model is None and not self.is_divided(run)
        name = account("shared", one.stage) if several else account("model", one.model or "unnamed", one.stage, run)
        return name.encode(), run.encode(), number

    def last_at(self, run, start, end):
        """The attempt that last overlaps a charge, else the last attempt."""
        numbers = self.attempts[run]
        there = [n for n, one in numbers.items()
                 if one.start < end and start < one.end or start == end and one.start <= start < one.end]
        return max(there) if there else max(numbers)

    def ancestors(self, run):
        """All runs above a run. Parents that lead back to where they began are none."""
        found, new = set(), {run}
        while new:
            above = set().union(*(self.parents(name) for name in new if not self.leads_back(name)))
            new = above - found
            found |= new
        return found - {run}

    def parents(self, run):
        return {one.parent for one in self.attempts.get(run, {}).values()} - {None}

    def leads_back(self, run):
        found, new = set(), self.parents(run)
        while new:
            found |= new
            new = set().union(*(self.parents(name) for name in new)) - found
        return run in found


class Machines:
    """The `resources` file, and until when device-time of a machine is billed."""

    def __init__(self, project, aliases, lines, shapes):
        self.rows = {}
        for source in project.of_format("resources"):
            for _, _, row in source.rows():
                name = known(row.get("resource_id"))
                if name is None:
                    continue
                begin, end = source.instant(row, "from"), source.instant(row, "to")
                at = begin if begin is not None else -FOREVER
                name = aliases.resolve(name, at)[0]
                self.rows.setdefault(name, []).append({
                    "pool": known(row.get("pool")), "devices": read_count(known(row.get("devices"))),
                    "cpus": read_ratio(known(row.get("cpus"))), "from": at, "to": FOREVER if end is None else end})
        own = {}
        for line in lines:
            if line.resource is not None:
                own.setdefault(line.resource, []).append(line)
        self.billed_until = {name: max((line.end for line in device_lines(there, shapes)), default=None)
                             for name, there in own.items()}

    def pool(self, name, start, end):
        """The pool at a charge's start (the row that began last), else the first that begins within the charge."""
        def key(row):
            return row["from"], row["to"], row["pool"].encode()
        rows = [row for row in self.rows.get(name, []) if row["pool"] is not None]
        there = [row for row in rows if row["from"] <= start < row["to"]]
        if there:
            return max(there, key=key)["pool"]
        within = [row for row in rows if max(row["from"], start) < min(row["to"], end)]
        return min(within, key=key)["pool"] if within else None

    def largest(self, name, column):
        found = [row[column] for row in self.rows.get(name, []) if row[column] is not None]
        return max(found) if found else None

    def gone(self, name, horizon):
        ends = [row["to"] for row in self.rows.get(name, [])]
        if ends and max(ends) < FOREVER:
            return max(ends)
        billed = self.billed_until.get(name)
        return billed if billed is not None and horizon is not None and billed < horizon else None


def horizon_of(project, lines):
    """The newest end of Usage charges, telemetry and requests."""
    found = [line.end for line in lines if line.category == "Usage"]
    for source in project.of_format("device-usage"):
        found += [source.instant(row, "end") for _, _, row in source.rows()]
    for source in project.of_format("requests"):
        found += [source.instant(row, "arrival") for _, _, row in source.rows()]
    found = [at for at in found if at is not None]
    return max(found) if found else None
