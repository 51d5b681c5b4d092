"""Reading a dense screen of which every word is known: all of it new and in print that was never seen, a tenth of it new, none, and
new text in print that was seen before; against the tesseract program on the same picture. What is read is counted as well: a quick
answer that is wrong is no answer."""
import collections
import json
import random
import re
import shutil

from .desktop import HERE, SIZE
from .processes import Gone, run_timed
from .rounds import Entry, Failed, Job
from .trees import Place

DESKTOP = "reading"
PAINTER = HERE.parent / "tests/ocr/painters/paint_gtk.py"
TEXTS = HERE.parent / "tests/ocr/texts"
COLUMNS, ROWS, WORDS = 3, 36, 4
PITCH, LIMIT_MS = 29, 60000
SANS, SERIF = "Noto Sans CJK SC", "Noto Serif CJK SC"
# Fonts for English and Chinese, and a size: each for one round, so that no letter of it is known.
UNSEEN = {False: [("DejaVu Sans", SANS, 14), ("DejaVu Serif", SANS, 14), ("DejaVu Sans", SANS, 13), ("DejaVu Serif", SANS, 13), (SANS, SANS, 14), (SERIF, SANS, 14)],
          True: [("DejaVu Sans", SANS, 15), ("DejaVu Serif", SERIF, 15), ("DejaVu Sans", SANS, 16), ("DejaVu Serif", SERIF, 16), (SANS, SANS, 13), (SERIF, SERIF, 13)]}
KNOWN, SEEN_BEFORE = ("DejaVu Sans", SANS, 12), 6


def english(text):
    return re.findall(r"[a-z0-9]{2,}", text.lower())


def chinese(text):
    return re.findall(r"[\u4e00-\u9fff]", text)


class Screen:
    """Rows of words in no order, so that no line was ever read before."""

    def __init__(self, seed, mixed, print_=KNOWN):
        self.random, self.mixed, self.print = random.Random(seed), mixed, print_
        self.words = sorted({word for name in ("tune", "test") for word in english((TEXTS / f"{name}-en.txt").read_text())})
        self.phrases = [line for name in ("tune", "test") for line in (TEXTS / f"{name}-zh.txt").read_text().split() if len(line) >= 3]
        self.rows = [self._row(index) for index in range(COLUMNS * ROWS)]

    def _row(self, index):
        if self.mixed and index % 3 == 0:
            return "".join(self.random.sample(self.phrases, 2))[:14]
        return " ".join(self.random.sample(self.words, WORDS)).capitalize()

    def change(self, share):
        for index in self.random.sample(range(len(self.rows)), round(len(self.rows) * share)):
            self.rows[index] = self._row(index)

    def spec(self):
        width = SIZE[0] // COLUMNS
        items = [{"kind": "label", "x": 20 + index // ROWS * width, "y": 12 + index % ROWS * PITCH, "text": text, "ground": "#ffffff",
                  "colour": "#202020", "bold": False} for index, text in enumerate(self.rows)]
        font, chinese, size = self.print
        return {"size": size, "font": font, "chinese": chinese, "width": SIZE[0], "height": SIZE[1], "ground": "#ffffff", "items": items}

    def recall(self, text):
        """Of words and of letters; None where there are none."""
        told = []
        for parts in (english, chinese):
            wanted, found = collections.Counter(parts(" ".join(self.rows))), collections.Counter(parts(text))
            told.append(sum((wanted & found).values()) / sum(wanted.values()) if wanted else None)
        return told


class Reading:
    def __init__(self, contenders):
        self.contenders, self.ours, self.recalls = contenders, contenders.ours, collections.defaultdict(list)
        if not self.ours:
            return
        made = self.ours.request("desktop.new", {"name": DESKTOP, "width": SIZE[0], "height": SIZE[1]})[1]
        self.place = Place(contenders.desktop, made["environment"])
        self.painter = self.place.household.add(["/usr/bin/python3", str(PAINTER)], self.place.env)
        self.picture = self.place.root / "reading.png"
        self.seed = 0

    def jobs(self):
        if not self.ours:
            return []
        return [self._job("ocr-english", "Reading a dense screen, English", False), self._job("ocr-mixed", "Reading a dense screen, English and Chinese", True)]

    def _job(self, key, title, mixed):
        state = {}

        def cold(number):
            return self._read_new(state, mixed, UNSEEN[mixed][number % len(UNSEEN[mixed])], key)

        def little(number):
            state["screen"].change(0.1)
            self._show(state["screen"])
            return self._read(state["screen"], f"{key}-little")

        def known(number):
            for _ in range(SEEN_BEFORE if number == 0 else 0):
                self._read_new({}, mixed, KNOWN, f"{key}-known")
            return self._read_new({}, mixed, KNOWN, f"{key}-known")

        entries = [Entry("handfast, all new", cold, ours=True), Entry("handfast, 10 % new", little, ours=True),
                   Entry("handfast, unchanged", lambda number: self._read(state["screen"], key), ours=True)]
        if shutil.which("tesseract"):
            entries.append(Entry("tesseract", lambda number: self._peer(state["screen"], key, mixed), rounds=3, note="whole picture, one thread"))
        entries.append(Entry("handfast, new text in known print", known, ours=True))
        return Ordered(key, title, entries)

    def _read_new(self, state, mixed, print_, key):
        self.seed += 1
        state["screen"] = Screen(self.seed, mixed, print_)
        self._show(state["screen"])
        return self._read(state["screen"], key)

    def _show(self, screen):
        json.loads(self.painter.ask(json.dumps(screen.spec()), 60))

    def _read(self, screen, key):
        took, result, *_ = self.ours.call("screen_ocr", {"desktop": DESKTOP, "timeout_ms": LIMIT_MS, "max_ms": LIMIT_MS - 2000})
        if result["truncated"]:
            raise Failed(f"truncated by {result['truncated_by']}")
        self.recalls[key].append(screen.recall(result["text"]))
        return took

    def _peer(self, screen, key, mixed):
        result = self.ours.call("screenshot", {"desktop": DESKTOP, "format": "png", "max_dimension": 0}, save=str(self.picture))
        if not self.picture.exists():
            raise Failed(f"no picture to read: {result}")
        environment = {**self.place.env, "OMP_THREAD_LIMIT": "1"}
        output = self.place.root / "reading"
        start, end = run_timed(["tesseract", str(self.picture), str(output), "-l", "eng+chi_sim" if mixed else "eng"], environment, 120)
        self.recalls[f"{key}-tesseract"].append(screen.recall(output.with_suffix(".txt").read_text()))
        return (end - start) / 1e6

    def recall(self, key):
        """The means over all rounds: of words and of letters."""
        columns = list(zip(*self.recalls.get(key, [])))
        return [sum(column) / len(column) if column and column[0] is not None else None for column in columns] or [None, None]

    def end(self):
        if not self.ours:
            return
        self.place.household.end(self.painter)
        self.ours.request("desktop.remove", {"name": DESKTOP})


class Ordered(Job):
    """Each of its entries goes on from what the one before has shown, so the order does not turn."""

    def measure(self, rounds, warm_up=1):
        for number in range(rounds + warm_up):
            for entry in self.entries:
                if not entry.problem and not (entry.rounds and number >= entry.rounds + warm_up):
                    try:
                        entry.take(number, number >= warm_up)
                    except Gone as problem:
                        entry.problem = str(problem)
        return self
