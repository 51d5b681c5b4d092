"""What a program of ours, or a page, wrote down itself: {"report": {event, widget, value}}, or "least" in
place of value for at least so much. Only what was written after the action began counts."""


class Report:
    def __init__(self, program, spec):
        self.program, self.asked = program, spec["report"]

    def before(self):
        return len(self.program.reports)

    def holds(self, before):
        return any(self.matches(each) for each in self.program.reports[before:])

    def matches(self, report):
        least = self.asked.get("least")
        return (all(report.get(key) == value for key, value in self.asked.items() if key != "least")
                and (least is None or float(report["value"]) >= least))

    def seen(self):
        return str(self.program.reports[-4:])[:200]
