"""Which rule posts a line, and to which accounts: categories, exact, overlap, tags, shared charges, the rest."""

import re

from bill_lines import tag_of
from money import split
from project_input import known, matches, month_of, read_ratio

RUN_ID_TAGS = ["run_id", "job_id", "tare.run_id", "mlflow.run_id", "slurm_job_id", "ray_job_id"]
FOCUS_CATEGORY = {"network": "networking", "storage": "storage"}


def part(text):
    """One part of an account's name."""
    return "-" if text is None or text == "" else text.replace("%", "%25").replace("/", "%2F")


def account(*parts):
    return "/".join(part(text) for text in parts)


def category_account(line, credits_follow):
    """(account, rule) where the charge's category decides, else None."""
    if line.category == "Tax":
        return "tax", "tax"
    if (line.reservation_status or "").lower() == "unused":
        return ("reservation-unused/" + part(line.reservation or line.commitment or line.delivered_resource),
                "reservation-unused")
    if (line.commitment_status or "").lower() == "unused":
        return "commitment-unused/" + part(line.commitment or line.delivered_resource), "commitment-unused"
    if line.category == "Purchase":
        free = line.costs["effective"] == 0 and line.costs["billed"] != 0
        if line.commitment is not None or free:
            return "commitment-fee/" + part(line.commitment or line.delivered_resource or line.sku), "commitment-fee"
    if line.category == "Credit" and not credits_follow:
        return "credit", "credit"
    if line.category == "Adjustment" and line.resource is None:
        return "adjustment/" + part(line.service), "adjustment"
    return None


class TagRules:
    """`models.*.stage_tags`, then `identity`, in the file's order."""

    def __init__(self, project):
        self.stage_rules = []
        for model, keys in (project.keys.get("models") or {}).items():
            for stage, said in (keys.get("stage_tags") or {}).items():
                for text in said if isinstance(said, list) else [said]:
                    key, _, pattern = text.partition("=")
                    self.stage_rules.append((key, pattern, model, stage))
        self.identity = project.keys.get("identity") or []

    def model_and_stage(self, line):
        for key, pattern, model, stage in self.stage_rules:
            value = tag_of(line, key)
            if value is not None and matches(pattern, value):
                return model, stage
        for rule in self.identity:
            values = {key: tag_of(line, key) for key in rule["match"]}
            if all(values[key] is not None and matches(pattern, values[key])
                   for key, pattern in rule["match"].items()):
                def filled(text, values=values):
                    return text and re.sub(r"\$\{([^}]*)\}", lambda m: values[m[1]], text)
                return filled(rule["model"]), filled(rule.get("stage"))
        return None


class SharedRules:
    """`policy.shared`, in the file's order."""

    def __init__(self, project):
        self.entries = []
        for what, said in (project.policy.get("shared") or {}).items():
            self.entries.append((what, said if isinstance(said, dict) else {"rule": said}))

    def find(self, line):
        """(what, rule, parts) of the first entry that matches."""
        for what, keys in self.entries:
            if self.is_for(what, keys.get("match"), line):
                models = keys.get("models")
                parts = {name: read_ratio(text) for name, text in models.items()} if models else None
                return what, "declared" if parts else keys.get("rule", "keep"), parts
        return None

    @staticmethod
    def is_for(what, match, line):
        service, category = (line.service or "").lower(), (line.service_category or "").lower()
        if match:
            texts = {"service": service, "category": category}
            return all(matches(pattern.lower(), texts[key]) for key, pattern in match.items())
        if what in FOCUS_CATEGORY:
            return category == FOCUS_CATEGORY[what]
        return what.lower() in service or what.lower() in category


class Requests:
    """{(model, month): count}."""

    def __init__(self, project):
        self.counts = {}
        for source in project.of_format("requests"):
            for _, _, row in source.rows():
                model, at = known(row.get("model")) or source.model, source.instant(row, "arrival")
                if model is not None and at is not None:
                    key = model, month_of(at)
                    self.counts[key] = self.counts.get(key, 0) + 1

    def of_month(self, month):
        return {model: count for (model, at), count in self.counts.items() if at == month}


class RunAccounts:
    """The accounts of a run: its own, or those of the models that it serves."""

    def __init__(self, project, runs, requests):
        self.runs, self.requests = runs, requests
        self.shares = project.keys.get("shares") or []

    def stage_of(self, run):
        return next((one.stage for _, one in sorted(self.runs.attempts[run].items()) if one.stage is not None), None)

    def divided(self, run, attempt, amount, month):
        """[(account, run, attempt, amount)] of nanoseconds of a run."""
        shares = self.model_parts(run, attempt, month)
        amounts = split(amount, [weight for *_, weight in shares])
        return [(name, run, attempt, own) for (name, *_), own in zip(shares, amounts) if own > 0]

    def model_parts(self, run, attempt, month):
        """[(account, run, attempt, weight)]: the models that a run's cost is divided over, by account."""
        one = self.runs.attempts[run].get(attempt) or self.runs.attempts[run][max(self.runs.attempts[run])]
        served = self.runs.served.get(run, set())
        parts = self.parts_of(run, served, month)
        if parts is None:
            if len(served) > 1 and one.model is None:
                return [(account("shared", one.stage), run, attempt, 1)]
            model = one.model or "unnamed"
            return [(account("model", model, one.stage, run), run, attempt, 1)]
        models = sorted(parts, key=lambda model: account("model", model, one.stage, run).encode())
        return [(account("model", model, one.stage, run), run, attempt, parts[model]) for model in models]

    def parts_of(self, run, served, month):
        for rule in self.shares:
            if not matches(rule["run"], run):
                continue
            if rule.get("models"):
                return {model: read_ratio(text) for model, text in rule["models"].items()}
            counts = self.requests.of_month(month)
            counts = {model: count for model, count in counts.items() if not served or model in served}
            return counts or None
        return None
