"""The elements of a program: ours, first look and second, against libraries that walk the tree and a driver that does."""
import json
import pathlib
import time

from . import observing
from .contenders import NodePeer
from .desktop import HERE
from .processes import Gone
from .rounds import Entry, Failed, Job

DESKTOP = "trees"
WINDOW_SECONDS = 30
PARAGRAPHS = 300
CHROMIUM = ["chromium", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
            "--disable-component-update", "--disable-sync", "--force-renderer-accessibility"]
CALC = ["soffice", "--norestore", "--nologo", "--nofirststartwizard", "--calc"]


class Place:
    """What a peer needs to know of a desktop."""

    def __init__(self, desktop, environment):
        self.household, self.root = desktop.household, desktop.root
        self.env = {key: value for key, value in {**desktop.env, **environment}.items() if key != "NO_AT_BRIDGE"}


class Trees:
    def __init__(self, contenders):
        self.contenders, self.ours, self.children = contenders, contenders.ours, []
        if not self.ours:
            return
        made = self.ours.request("desktop.new", {"name": DESKTOP, "width": 1600, "height": 1000})[1]
        self.place = Place(contenders.desktop, made["environment"])
        self.driver = self._driver()

    def jobs(self):
        """One after the other: what another program does meanwhile is not to be measured."""
        if not self.ours:
            return
        page = pathlib.Path(self.place.root) / "tree.html"
        page.write_text("<title>tree page</title>" + "".join(
            f"<p>Line {i} <a href='#{i}'>link</a> <button>button {i}</button></p>" for i in range(PARAGRAPHS)))
        chromium = [*CHROMIUM, f"--user-data-dir={self.place.root}/chromium", f"file://{page}"]
        calc = [*CALC, f"-env:UserInstallation=file://{self.place.root}/calc"]
        makers = [
            lambda: self._job("tree-gtk3", "Tree of gtk3-widget-factory", ["gtk3-widget-factory"], "gtk3-widget-factory", "factory"),
            lambda: self._job("tree-chromium", "Tree of Chromium with a long page", chromium, "tree page", "chromium"),
            lambda: observing.Observing(self).job(),
            lambda: observing.Typing(self).job(),
            # The driver asks for the cells of a sheet without end, and then its program answers nobody.
            lambda: self._job("tree-calc", "Tree of LibreOffice Calc", calc, "LibreOffice Calc", "soffice", cut=["nodes"], driven=False),
        ]
        for number, make in enumerate(makers):
            try:
                yield make()
            except (Failed, Gone) as problem:
                self.contenders.missing[f"trees, job {number + 1}"] = str(problem)
            self._end_children()

    def _job(self, key, title, command, window_title, program, cut=(), driven=True):
        """`cut`: what may be said of a tree without end, such as the cells of a sheet."""
        window = self.start(command, window_title)
        entries = [
            Entry("handfast, first look", lambda number: self._look(window, 199 - number % 2, cut), ours=True),
            Entry("handfast, warm look", lambda number: [self._look(window, 150, cut) for _ in range(4)][-1], ours=True, note="the fourth"),
        ]
        for library in ("pyatspi", "libatspi"):
            entries.append(Entry(library, self._walker(library, program), note="all of it"))
        if self.driver and driven:
            entries.append(Entry("cua-driver", lambda number: self.driven("tree", window)))
        return Job(key, title, entries)

    def start(self, command, title, least=20):
        self.children.append(self.place.household.add(command, self.place.env))
        end = time.monotonic() + WINDOW_SECONDS
        while time.monotonic() < end:
            windows = self.ours.call("window_list", {"desktop": DESKTOP})[1]["windows"]
            for window in (each for each in windows if title in each["title"]):
                if self.ours.call("ui_describe", self._scope(window, 199))[1]["nodes"] > least:
                    return window
            time.sleep(0.05)
        raise Failed(f"no window titled {title!r} with elements")

    @staticmethod
    def _scope(window, depth):
        return {"desktop": DESKTOP, "window_id": window["window_id"], "max_nodes": 20000, "max_ms": 20000, "max_depth": depth}

    def _look(self, window, depth, cut):
        """What is kept from a look of another depth is of no use: after one of those, each is the first."""
        took, result, *_ = self.ours.call("ui_describe", self._scope(window, depth))
        if set(result["truncated"]) - set(cut):
            raise Failed(f"truncated: {result['truncated']}")
        return took

    def _walker(self, library, program):
        child = self.place.household.add(["/usr/bin/python3", str(HERE / "peers/walker.py"), library, program], self.place.env)
        self.children.append(child)

        def walk(number):
            told = json.loads(child.ask("walk", 120))
            if "error" in told:
                raise Failed(told["error"])
            return (told["end"] - told["start"]) / 1e6
        return walk

    def _driver(self):
        try:
            return NodePeer(self.place, "cua")
        except (Failed, Gone) as problem:
            self.contenders.missing["cua-driver on its own desktop"] = str(problem)
            return None

    def driven(self, job, window):
        start, end = self.driver.do(job, pid=window["pid"], window_id=window["window_id"])
        return (end - start) / 1e6

    def _end_children(self):
        for child in self.children:
            self.place.household.end(child)
        self.children = []

    def end(self):
        self._end_children()
        if self.ours:
            self.ours.request("desktop.remove", {"name": DESKTOP})
