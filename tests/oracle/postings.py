"""Every posting of a project: each line split over its parts, and the shared charges after the others."""

from accounts import (RUN_ID_TAGS, RunAccounts, Requests, SharedRules, TagRules, account, category_account, part,
                      tag_of)
from aliases import Aliases
from bill_lines import COSTS, read_lines
from device_time import Resource, Shapes, telemetry_names
from money import split
from project_input import HOUR, Project, month_of
from rate_cards import card_lines
from rates import Rates
from runs import Hold, Machines, Runs, horizon_of
from timeline import Timeline


class Posting:
    """`holder` is the (run, attempt) whose device-time it is; `billed` and `held` are nanoseconds."""

    def __init__(self, line, name, run=None, attempt=None, evidence=None, rule=None):
        self.line, self.account, self.run, self.attempt = line, name, run, attempt
        self.evidence, self.rule = evidence, rule
        self.costs = dict.fromkeys(COSTS)
        self.held = self.billed = 0


class World:
    """A project, read and joined. `line_order` is a key that orders lines as their ids do."""

    def __init__(self, folder, line_order=lambda line: line.name):
        self.project = Project(folder)
        self.line_order = line_order
        self.aliases = Aliases(self.project)
        self.lines, rates = read_lines(self.project), Rates(self.project)
        self.lines += card_lines(self.project, self.aliases, self.lines, horizon_of(self.project, self.lines))
        for line in self.lines:
            rates.convert(line)
            if line.delivered_resource is not None:
                line.resource = self.aliases.resolve(line.delivered_resource, line.start)[0]
        self.shapes = Shapes(self.project)
        self.machines = Machines(self.project, self.aliases, self.lines, self.shapes)
        self.horizon = horizon_of(self.project, self.lines)
        self.runs = Runs(self.project, self.aliases, self.machines, self.horizon)
        self.requests = Requests(self.project)
        self.run_accounts = RunAccounts(self.project, self.runs, self.requests)
        self.tag_rules, self.shared = TagRules(self.project), SharedRules(self.project)
        self.run_id_tags = self.project.policy.get("run_id_tags") or RUN_ID_TAGS
        self.credits_follow = self.project.policy.get("credits") == "follow"
        self.resources = self.gather_resources()
        self.postings = []
        self.post_all()

    def gather_resources(self):
        lines, holds, names = {}, {}, telemetry_names(self.project, self.aliases)
        for line in self.lines:
            if line.resource is not None:
                lines.setdefault(line.resource, []).append(line)
        for hold in self.runs.holds:
            holds.setdefault(hold.resource, []).append(hold)
        return {name: Resource(name, lines.get(name, []), holds.get(name, []), names.get(name, set()), self)
                for name in set(lines) | set(holds)}

    def tracked(self, line):
        """From the usage month of the resource's first hold on."""
        if line.resource is None or not self.resources[line.resource].holds:
            return False
        return line.month >= month_of(min(hold.start for hold in self.resources[line.resource].holds))

    def pool_of(self, line):
        named = self.machines.pool(line.resource, line.start, line.end) if line.resource is not None else None
        if named is not None:
            return named
        tag = self.project.policy.get("pool_tag")
        value = (tag_of(line, tag) if tag else None) or tag_of(line, "rate-card-pool")
        if value:
            return value
        own = f"{line.sku or '-'}@{line.region or '-'}"
        return line.resource is not None and self.resources[line.resource].named_pool(tag) or own

    # Which rule

    def post_all(self):
        shared = []
        for line in self.lines:
            found = category_account(line, self.credits_follow)
            if found:
                self.post_whole(line, found[0], "category", found[1])
            elif not (self.post_exact(line) or self.post_overlap(line) or self.post_run_id_tag(line)
                      or self.post_tag(line)):
                if line.category == "Credit":
                    self.post_whole(line, "credit", "category", "credit")
                elif self.shared.find(line):
                    shared.append(line)
                else:
                    self.post_whole(line, account("unassigned", line.service), "none", "unassigned")
        weights = self.model_weights()
        for line in shared:
            self.post_shared(line, weights)

    def post_exact(self, line):
        for run, rule in ((line.delivered_resource, "managed-resource"), (line.run, "line-run-id")):
            if run is not None and run in self.runs.attempts:
                attempt = self.runs.last_at(run, line.start, line.end)
                parts = self.run_accounts.model_parts(run, attempt, line.month)
                self.post_parts(line, parts, "exact", rule)
                return True
        return False

    def post_overlap(self, line):
        if not self.tracked(line):
            return False
        resource = self.resources[line.resource]
        self.post_by_timeline(line, resource, resource.timeline, "overlap", None)
        return True

    def post_run_id_tag(self, line):
        if self.tracked(line):
            return False
        for key in self.run_id_tags:
            run = tag_of(line, key)
            if run is None or run not in self.runs.attempts:
                continue
            holds = [Hold(run, number, line.resource, one.start, one.end)
                     for number, one in self.runs.attempts[run].items() if one.start < one.end]
            resource = self.resources.get(line.resource) or Resource(line.resource, [line], [], set(), self)
            timeline = Timeline(holds, resource.devices, resource.is_node, None, self.runs)
            met = timeline.held(line.start, line.end) if line.length else timeline.instant(line.start, HOUR)
            if met:
                self.post_by_timeline(line, resource, timeline, "exact", "run-id-tag")
                return True
        return False

    def post_tag(self, line):
        found = self.tag_rules.model_and_stage(line)
        if not found:
            return False
        self.post_whole(line, account("model", *found, None), "tag", "tag-rule")
        return True

    # How it is split

    def own_time(self, line):
        return self.resources[line.resource].own.get(line, 0) if line.resource is not None else 0

    def post_whole(self, line, name, evidence, rule):
        self.post_parts(line, [(name, None, None, 1)], evidence, rule)

    def post_by_timeline(self, line, resource, timeline, evidence, rule):
        """By what was held in the charge's time against what was billed in it, else against all the devices' time."""
        if line.length == 0:  # as an hour of that instant would be
            held, whole = timeline.instant(line.start, HOUR), HOUR * resource.count
            rule = rule or "instant"
        else:
            held = timeline.held(line.start, line.end)
            whole = resource.billed_within(line.start, line.end) or line.length * resource.count
            rule = rule or ("device-time" if resource.own.get(line, 0) > 0 else "follows")
        parts = []
        for (run, attempt), amount in held.items():
            parts += self.run_accounts.divided(run, attempt, amount, line.month)
        idle = whole - sum(held.values())
        if idle > 0:
            parts.append((account("idle", self.pool_of(line)), None, None, idle))
        self.post_parts(line, parts, evidence, rule, whole)

    def post_parts(self, line, parts, evidence, rule, whole=None):
        """parts: (account, run, attempt, weight), of which those with a weight are posted.

        `whole` is the device-time that the weights are measured against; a line's part of it is its part of what was
        held.
        """
        parts = sorted((p for p in parts if p[3] > 0),
                       key=lambda p: (p[0].encode(), (p[1] or "").encode(), -1 if p[2] is None else p[2]))
        weights, own = [weight for *_, weight in parts], self.own_time(line)
        held = [weight if run is not None else 0 for _, run, _, weight in parts]
        costs = {cost: [None] * len(parts) if units is None else split(units, weights)
                 for cost, units in line.posted.items()}
        billed = split(own, weights)
        if whole is not None and own > 0 and sum(held) > 0:
            held = split(sum(held) * own // whole, held)
        elif rule in ("managed-resource", "line-run-id"):
            held = billed
        else:
            held = [0] * len(parts)
        for i, (name, run, attempt, _) in enumerate(parts):
            one = Posting(line, name, run, attempt, evidence, rule)
            one.costs = {cost: values[i] for cost, values in costs.items()}
            one.billed, one.held = billed[i], held[i]
            self.postings.append(one)

    # Shared charges

    def model_weights(self):
        """{(billing period, currency): {model: effective cost, else billed}} of what rules 2 to 5 posted."""
        weights = {}
        for posting in self.postings:
            if not posting.account.startswith("model/"):
                continue
            model = posting.account.split("/")[1]
            sums = weights.setdefault((posting.line.period, posting.line.posted_currency), {})
            effective = posting.costs["effective"]
            sums[model] = sums.get(model, 0) + (posting.costs["billed"] if effective is None else effective)
        return {key: {model: units for model, units in sums.items() if units > 0} for key, sums in weights.items()}

    def post_shared(self, line, weights):
        what, rule, declared = self.shared.find(line)
        taking = weights.get((line.period, line.posted_currency), {})
        if rule == "proportional":
            shares = taking
        elif rule == "equal":
            shares = dict.fromkeys(taking, 1)
        elif rule == "by-request":
            shares = {part(model): count for model, count in self.requests.of_month(line.month).items()}
        else:
            shares = {part(model): share for model, share in declared.items()} if rule == "declared" else {}
        if not shares:
            self.post_whole(line, "shared/" + part(what), "policy", "shared-policy")
            return
        self.post_parts(line, [(f"model/{model}/shared/{part(what)}", None, None, share)
                               for model, share in shares.items()], "policy", "shared-policy")
