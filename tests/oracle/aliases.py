"""Names of machines and devices: aliases followed to their end, each for its own time."""

from project_input import known

FOREVER = 10**30


class Aliases:
    def __init__(self, project):
        self.rows = []  # (alias, resource, device, from, to)
        for source in project.of_format("aliases"):
            for _, _, row in source.rows():
                alias, resource = known(row.get("alias")), known(row.get("resource_id"))
                begin, end = source.instant(row, "from"), source.instant(row, "to")
                if alias is not None and resource is not None:
                    self.rows.append((alias, resource, known(row.get("device")),
                                      -FOREVER if begin is None else begin, FOREVER if end is None else end))

    def step(self, name, at):
        """(resource, device) that the alias says at an instant, or None. The newer start wins."""
        best = None
        for alias, resource, device, begin, end in self.rows:
            if alias == name and begin <= at < end and (best is None or begin > best[0]):
                best = (begin, resource, device)
        return best and best[1:]

    def leads_back(self, name, at):
        """Whether following the name comes back to it."""
        seen, here = set(), name
        while here not in seen:
            seen.add(here)
            found = self.step(here, at)
            if found is None:
                return False
            if found[0] == name:
                return True
            here = found[0]
        return False

    def resolve(self, name, at, device=None):
        """(resource, device) at an instant. Names that lead back to themselves are as if they were no aliases."""
        while True:
            found = self.step(name, at)
            if found is None or self.leads_back(name, at):
                break
            name, named = found
            device = device if device is not None else named
        return name, self.device_of(name, device, at)

    def device_of(self, resource, device, at):
        """A device's own name: an alias whose machine is this one may give it another."""
        if device is None:
            return None
        found = self.step(device, at)
        if found and found[1] is not None and self.resolve(found[0], at)[0] == resource:
            return found[1]
        return device

    def pieces(self, name, device, start, end):
        """[(start, end, resource, device)] of a time: what the name means, cut where that changes."""
        points = sorted({start, end} | {at for row in self.rows for at in row[3:] if start < at < end})
        found = []
        for begin, stop in zip(points, points[1:]):
            meant = self.resolve(name, begin, device)
            if found and found[-1][2:] == meant:
                found[-1] = (found[-1][0], stop, *meant)
            else:
                found.append((begin, stop, *meant))
        return found
