"""The tree, read by a process that is not ours: {"tree": QUERY, and one of "flips": STATE, "state": STATE, "value": NUMBER,
"changes": "value" | "text" | "selected" | "name", "text": TEXT, "has_text": TEXT, "selected": NAME, "appears": true}."""


class Tree:
    def __init__(self, program, spec):
        self.program, self.spec = program, spec

    def look(self):
        return self.program.find(self.spec["tree"])

    def before(self):
        return self.look()

    def holds(self, before):
        now, spec = self.look(), self.spec
        if "appears" in spec:
            return now["found"] == spec["appears"]
        if not now["found"]:
            return False
        if "flips" in spec:
            return (spec["flips"] in now["states"]) != (spec["flips"] in before.get("states", []))
        if "changes" in spec:
            return now.get(spec["changes"]) != before.get(spec["changes"])
        if "state" in spec:
            return spec["state"] in now["states"]
        if "value" in spec:
            return abs((now.get("value") or 0) - spec["value"]) <= spec.get("within", 0)
        if "has_text" in spec:
            return spec["has_text"] in (now.get("text") or "")
        if "selected" in spec:
            return spec["selected"] in (now.get("selected") or [])
        return now.get("text") == spec["text"]

    def seen(self):
        now = self.look()
        return str({key: now[key] for key in ("states", "value", "text", "selected", "why") if key in now})[:200]
