"""One look at a window, with a picture, and 200 characters into a field: what an agent does most. Against a driver that does both."""
import time

from .rounds import Entry, Failed, Job

FACTORY, TITLE = ["gtk3-widget-factory"], "gtk3-widget-factory"
SETTLE_SECONDS = 1.0
ROW_WARM_UP = 3
TEXT = "".join(f"line {i:02} of some text " for i in range(20))[:200]


class Observing:
    def __init__(self, trees):
        self.trees, self.ours = trees, trees.ours
        self.window = trees.start(FACTORY, TITLE)
        self._front(self.window)
        self.snapshot = None

    def _observe(self, window, **more):
        took, result, *_ = self.ours.call("observe", {"desktop": "trees", "window_id": window["window_id"], **more})
        if result["truncated"]:
            raise Failed(f"truncated: {result['truncated']}")
        self.snapshot = result["snapshot_id"]
        return took

    def _front(self, window):
        """What is covered has to draw itself again for a picture, which is another matter."""
        self.ours.call("window_focus", {"desktop": "trees", "window_id": window["window_id"]})

    def _warm(self, number):
        self._front(self.window)
        return [self._observe(self.window) for _ in range(ROW_WARM_UP + 1)][-1]

    def _difference(self, number):
        for _ in range(ROW_WARM_UP):
            self._observe(self.window, image=False)
        return self._observe(self.window, image=False, since=self.snapshot)

    def _cold(self, number):
        """A program that was never looked at."""
        known = self._windows()
        program = self.trees.place.household.add(FACTORY, self.trees.place.env)
        try:
            end = time.monotonic() + 20
            while not (fresh := self._windows().keys() - known.keys()):
                if time.monotonic() > end:
                    raise Failed("no new window")
                time.sleep(0.02)
            time.sleep(SETTLE_SECONDS)  # it is not to be asked whether it is ready: that would be a look
            return self._observe({"window_id": fresh.pop()})
        finally:
            self.trees.place.household.end(program)

    def _windows(self):
        return {each["window_id"]: each for each in self.ours.call("window_list", {"desktop": "trees"})[1]["windows"]
                if TITLE in each["title"]}

    def job(self):
        entries = [Entry("handfast, warm", self._warm, ours=True, note="the fourth"),
                   Entry("handfast, warm, what has changed", self._difference, ours=True, note="since the one before, without a picture"),
                   Entry("handfast, cold", self._cold, ours=True, note="a program never looked at")]
        if self.trees.driver:
            entries.append(Entry("cua-driver", lambda number: self.trees.driven("observe", self.window)))
        return Job("observe", "Observe one window: picture and elements", entries)


class Typing:
    """Into an editor's text, which is read back, and compared here by another question."""

    def __init__(self, trees):
        self.trees, self.ours = trees, trees.ours
        note = trees.place.root / "tree-typed.txt"
        note.write_text("")
        self.window = trees.start(["mousepad", "--disable-server", str(note)], "tree-typed.txt", 5)

    def _call(self, tool, **params):
        return self.ours.call(tool, {"desktop": "trees", **params})

    def _ready(self):
        where = {"target": "text", "window_id": self.window["window_id"]}
        self._call("ui_act", action="set_value", value="", **where)
        self._call("ui_focus", **where)

    def _text(self):
        return self._call("read_text", target="text")[1]["text"]

    def _ours(self, number):
        self._ready()
        took, result, *_ = self._call("type_text", text=TEXT)
        verdict = self.ours.last["effect"]["verdict"]
        if result["method"] != "tree" or verdict != "confirmed" or self._text() != TEXT:
            raise Failed(f"typed by {result['method']}, {verdict}, arrived: {self._text()!r}")
        return took

    def _driver(self, number):
        self._ready()
        start, end = self.trees.driver.do("type", text=TEXT)
        return (end - start) / 1e6

    def job(self):
        entries = [Entry("handfast", self._ours, ours=True, note="read back, verdict confirmed")]
        if self.trees.driver:
            entries.append(Entry("cua-driver", self._driver))
        return Job("tree-typing", "200 characters through the tree", entries)
