"""What must hold, each as one check on the medians of this run."""
from . import files
from .rounds import IN_A_ROW


class Check:
    """`value` is None when there was nothing to measure."""

    def __init__(self, title, value, most=None, least=None, unit=""):
        self.title, self.value, self.most, self.least, self.unit = title, value, most, least, unit

    @property
    def held(self):
        if self.value is None:
            return None
        return ((self.most is None or self.value <= self.most)
                and (self.least is None or self.value >= self.least))

    @property
    def verdict(self):
        return {None: "----", True: "ok", False: "MISS"}[self.held]

    @property
    def shown(self):
        return "not measured" if self.value is None else f"{self.value:.2f}{self.unit}"

    @property
    def wanted(self):
        if self.most is not None:
            return f"at most {self.most:g}{self.unit}"
        return f"at least {self.least:g}{self.unit}"

    def as_json(self):
        return {"check": self.title, "value": self.value, "most": self.most, "least": self.least,
                "held": self.held}


def _median(job, label):
    entry = job.find(label) if job else None
    return entry.median if entry and not entry.problem else None


def _ratio(over, under):
    return over / under if over is not None and under else None


NODE_STACKS = ("nut.js + sharp", "node-screenshots + sharp", "robotjs + sharp")


def _screenshot_checks(jobs):
    job = jobs.get("screenshot")
    ours, floor = _median(job, "handfast"), _median(job, "floor")
    nodes = [value for value in (_median(job, label) for label in NODE_STACKS) if value]
    scrot = _median(job, "scrot (JPEG, not scaled)")
    return [
        Check("screenshot against its floor", _ratio(ours, floor), most=1.6, unit=" x"),
        Check("best Node stack against ours", _ratio(min(nodes, default=None), ours), least=5, unit=" x"),
        Check("scrot to JPEG against ours", _ratio(scrot, ours), least=3, unit=" x"),
        Check("region 400x300", _median(jobs.get("region"), IN_A_ROW), most=2.5, unit=" ms"),
        Check("unchanged screen", _median(jobs.get("unchanged"), IN_A_ROW), most=1.5, unit=" ms"),
        Check("PNG, whole screen", _median(jobs.get("png"), IN_A_ROW), most=30, unit=" ms"),
        Check("a command, there and back", _median(jobs.get("shell"), IN_A_ROW), most=0.6, unit=" ms"),
        Check("109 KB of output", _median(jobs.get("shell-output"), IN_A_ROW), most=6, unit=" ms"),
        Check("click until the program has it", _median(jobs.get("click"), IN_A_ROW), most=2.5,
              unit=" ms"),
    ]


def _typing_checks(jobs):
    checks = []
    for key in ("ascii", "mixed"):
        job = jobs.get(key)
        for method in ("keys", "paste", "auto"):
            entry = job.find(f"handfast ({method})") if job else None
            worst = max(entry.wrong) if entry and entry.wrong else None
            checks.append(Check(f"typing {key} by {method}: wrong characters", worst, most=0))
        checks.append(Check(f"typing {key} by keys against its floor", _ratio(
            _median(job, "handfast (keys)"), _median(job, "floor (keys)")), most=1.3, unit=" x"))
        checks.append(Check(f"typing {key}, auto", _median(job, "handfast (auto)"), most=100, unit=" ms"))
    return checks


def _size_checks(jobs, memory, crowd):
    together = memory.get("handfast", {}).get("desk + hand", {})
    return [
        Check("desktop new until the first screenshot", _median(jobs.get("desktop"), "handfast"),
              most=1200, unit=" ms"),
        Check("desk + hand at rest, resident", together.get("rss"), most=25, unit=" MB"),
        Check("15 desktops: each of them", crowd.get("each_pss_mb"), most=90, unit=" MB"),
        Check("calls on 4 desktops against one", crowd.get("side_by_side"), most=1.5, unit=" x"),
    ]


def _guard_checks(cost):
    return [Check(f"guard added to {title}", told["guard"]["median"], most=1.5, unit=" ms")
            for title, told in cost.items() if "hand" in told]


def door_checks(by_door):
    """What a door may add to the bridge's time, and how much HTTP must take on one core."""
    if not by_door:
        return []
    small, picture = by_door["small call"], by_door["screenshot"]
    return [
        Check("HTTP added to a small call", small["HTTP"] - small["bridge"], most=0.5, unit=" ms"),
        Check("screenshot over HTTP against the bridge", _ratio(picture["HTTP"], picture["bridge"]), most=1.3, unit=" x"),
        Check("small calls over HTTP on one core", max(by_door["calls per second"].values()), least=3000, unit="/s"),
        Check("the same with 256 connections", by_door["calls per second"][256], least=3000, unit="/s"),
        Check("the same by processor time", max(by_door["calls per processor second"].values()), least=3000, unit="/s"),
    ]


def harm_checks(watched):
    """A key's wait while observed is of a few milliseconds with whatever else the machine does: 5 % of it and half of one."""
    if not watched:
        return []
    never, once, often = (watched[way] for way in ("never", "once", "often"))
    return [
        Check("processor time for keys, looked at once", _ratio(once["cpu_ms"], never["cpu_ms"]), most=1.05, unit=" x"),
        Check("wait of a key added, looked at once", once["mean_ms"] - 1.05 * never["mean_ms"], most=0.5, unit=" ms"),
        Check("wait of a key added, observed twice a second", often["mean_ms"] - 1.05 * never["mean_ms"], most=0.5, unit=" ms"),
    ]


def _tree_checks(jobs):
    gtk, page, calc = (jobs.get(key) for key in ("tree-gtk3", "tree-chromium", "tree-calc"))
    look, typing = jobs.get("observe"), jobs.get("tree-typing")
    first, again = "handfast, first look", "handfast, warm look"
    return [
        Check("pyatspi against ours, GTK 3", _ratio(_median(gtk, "pyatspi"), _median(gtk, first)), least=10, unit=" x"),
        Check("warm look at GTK 3", _median(gtk, again), most=5, unit=" ms"),
        Check("warm difference at GTK 3", _median(look, "handfast, warm, what has changed"), most=5, unit=" ms"),
        Check("pyatspi against ours, Chromium", _ratio(_median(page, "pyatspi"), _median(page, first)), least=10, unit=" x"),
        Check("pyatspi against ours, LibreOffice", _ratio(_median(calc, "pyatspi"), _median(calc, first)), least=10, unit=" x"),
        Check("observe, warm", _median(look, "handfast, warm"), most=40, unit=" ms"),
        Check("observe, cold", _median(look, "handfast, cold"), most=90, unit=" ms"),
        Check("cua-driver against ours, observe", _ratio(_median(look, "cua-driver"), _median(look, "handfast, warm")), least=5, unit=" x"),
        Check("200 characters through the tree", _median(typing, "handfast"), most=60, unit=" ms"),
        Check("cua-driver against ours, GTK 3", _ratio(_median(gtk, "cua-driver"), _median(gtk, first)), least=5, unit=" x"),
    ]


def _reading_checks(jobs):
    checks = []
    for key, title, most in (("ocr-english", "English", 1050), ("ocr-mixed", "English and Chinese", 1600)):
        job = jobs.get(key)
        cold = _median(job, "handfast, all new")
        words, letters = job.recall(key) if job else (None, None)
        checks += [Check(f"reading {title}, all new", cold, most=most, unit=" ms"),
                   Check(f"the tesseract program against ours, {title}", _ratio(_median(job, "tesseract"), cold), least=1.9, unit=" x"),
                   Check(f"reading {title}, 10 % new", _median(job, "handfast, 10 % new"), most=150, unit=" ms"),
                   Check(f"reading {title}, unchanged", _median(job, "handfast, unchanged"), most=5, unit=" ms"),
                   Check(f"reading {title}, known print, times as quick", _ratio(cold, _median(job, "handfast, new text in known print")), least=4, unit=" x"),
                   Check(f"word recall, {title}", words, least=0.97)]
        checks += [Check(f"letter recall, {title}", letters, least=0.97)] if key == "ocr-mixed" else []
    return checks


def all_checks(job_list, memory, crowd, cost):
    jobs = {job.key: job for job in job_list}
    return (_screenshot_checks(jobs) + _tree_checks(jobs) + _reading_checks(jobs) + _typing_checks(jobs) + _size_checks(jobs, memory, crowd)
            + _guard_checks(cost))


def file_checks(told):
    return [Check("search, the worst against ripgrep", files.ratio(told, files.RIPGREP) if told else None, most=1.5, unit=" x"),
            Check("search, the worst against grep -r", files.ratio(told, files.GREP) if told else None, most=1, unit=" x")]
