"""Jobs of seeing: the whole screen as JPEG and PNG, a region, a screen that did not change, and one of which a tenth did."""
import json
import pathlib

from PIL import Image, ImageChops, ImageGrab, ImageStat

from .desktop import HERE, REGION, SIZE
from .rounds import Entry, Failed, Job, in_a_row

LONG_EDGE = 1568
# Mean difference for each colour value; JPEG and scaling stay below 3, swapped colours far above.
COLOUR_LIMIT = 6.0
# A tenth of the screen.
CHANGING = (320, 200, SIZE[0] // 3, SIZE[1] * 3 // 10)
REGION_ARGUMENTS = dict(zip(("x", "y", "width", "height"), REGION))


def _milliseconds(span):
    return (span[1] - span[0]) / 1e6


class Pictures:
    def __init__(self, contenders):
        self.contenders, self.desktop = contenders, contenders.desktop
        floor = str(self.desktop.build / "bench/bench-floor")
        self.floor = self.desktop.household.add([floor], self.desktop.env)
        self.folder = pathlib.Path(self.desktop.root)
        self.image = ""  # of the screen as it is
        self.board = None  # a window that changes, once it is needed
        self.reference = ImageGrab.grab(xdisplay=self.desktop.env["DISPLAY"]).convert("RGB")

    def jobs(self):
        return [self._whole(), self._region(), self._unchanged(), self._png(), self._changed()]

    # The jobs

    def _whole(self):
        entries = [self._floor("fullscreen")]
        entries += self._ours("handfast", {"mode": "fullscreen", "format": "jpeg", "quality": 80,
                                           "max_dimension": LONG_EDGE})
        entries += self._nodes("shot")
        entries += self._command("scrot", "scrot (JPEG, not scaled)", ["-o", "-q", "80"], "jpg")
        entries += self._command("maim", "maim (JPEG, not scaled)", ["-m", "8"], "jpg")
        return Job("screenshot", f"Screenshot {SIZE[0]}x{SIZE[1]} to {LONG_EDGE} px, JPEG q80",
                   entries)

    def _region(self):
        x, y, width, height = REGION
        entries = [self._floor("region")]
        entries += self._ours("handfast", {"mode": "region", "region": REGION_ARGUMENTS,
                                           "format": "jpeg", "quality": 80})
        entries += self._nodes("region", **REGION_ARGUMENTS)
        entries += self._command("scrot", "scrot", ["-o", "-q", "80", "-a",
                                                    f"{x},{y},{width},{height}"], "jpg")
        entries += self._command("maim", "maim", ["-m", "8", "-g", f"{width}x{height}+{x}+{y}"],
                                 "jpg")
        return Job("region", f"Region {width}x{height}, JPEG q80", entries)

    def _unchanged(self):
        entries = [self._floor("unchanged")]
        ours = self.contenders.ours
        if ours:
            entries.append(Entry("handfast", lambda number: self._ask_unchanged(ours), ours=True))
            entries.append(in_a_row(Entry("", lambda number: self._ask_again(ours))))
        return Job("unchanged", "Unchanged screen (if_changed_since)", entries)

    def _png(self):
        entries = [self._floor("png")]
        entries += self._ours("handfast", {"mode": "fullscreen", "format": "png",
                                           "max_dimension": 0})
        entries += self._nodes("png")
        entries += self._command("scrot", "scrot", ["-o"], "png")
        entries += self._command("maim", "maim", [], "png")
        return Job("png", f"Screenshot {SIZE[0]}x{SIZE[1]}, PNG", entries)

    def _changed(self):
        """Last, since it leaves a window on the screen until the end."""
        if not self.contenders.ours:
            return Job("changed", "", [])
        ways = (("handfast, the whole picture", {}), ("handfast, only what changed", {"crop": "changed"}),
                ("handfast, where, no picture", {"image": False}))
        entries = [Entry(label, lambda number, params=params: self._ask_changed(params), ours=True) for label, params in ways]
        return Job("changed", "A tenth of the screen changed (if_changed_since)", entries)

    def end(self):
        if self.board:
            self.desktop.household.end(self.board)

    # Who does them

    def _floor(self, job):
        return Entry("floor", lambda number: json.loads(self.floor.ask(job))["ms"], floor=True)

    def _ours(self, label, params):
        ours = self.contenders.ours
        if not ours:
            return []
        entry = self._looked_at(Entry(label, None, ours=True),
                                lambda save: ours.call("screenshot", params, save=save)[0])
        return [entry, in_a_row(entry)]

    def _nodes(self, job, **params):
        entries = []
        for peer in self.contenders.node.values():
            if peer and job in peer.jobs:
                entries.append(self._looked_at(Entry(peer.label, None), lambda save, peer=peer:
                                               _milliseconds(peer.do(job, save=save, **params))))
        return entries

    def _command(self, name, label, arguments, kind):
        command = self.contenders.commands[name]
        if not command:
            return []
        file = str(self.folder / f"{name}.{kind}")
        entry = Entry(label, None)

        def run(number):
            took = _milliseconds(command.do(*arguments, file))
            if number == 0:
                entry.note = self._look(file)
            return took

        entry.run = run
        return [entry]

    def _ask_unchanged(self, ours):
        """After a whole picture, which leaves nothing of the caches."""
        self.image = ours.call("screenshot", {"mode": "fullscreen"})[1]["image_id"]
        return self._ask_again(ours)

    def _ask_again(self, ours):
        """As one who waits for a change."""
        took, answer, *_ = ours.call("screenshot", {"mode": "fullscreen", "if_changed_since": self.image})
        if not answer.get("unchanged"):
            raise Failed("the screen is still, but was said to have changed")
        return took

    def _ask_changed(self, params):
        """The answer must name the window that has other colours now, to the pixel."""
        ours, (x, y, width, height) = self.contenders.ours, CHANGING
        if not self.board:
            self.board = self.desktop.household.add(["/usr/bin/python3", str(HERE.parent / "tests/apps/colours.py"), "board",
                                                     f"{width}x{height}+{x}+{y}", "--override"], self.desktop.env)
            self.board.read_line()
        before = ours.call("screenshot", {})[1]["image_id"]
        self.board.ask("swap")
        took, answer, *_ = ours.call("screenshot", {"if_changed_since": before, **params})
        if answer.get("changed") != [{"x": x, "y": y, "width": width, "height": height}]:
            raise Failed(f"it said that this had changed: {answer.get('changed')}")
        return took

    # Whether the pictures are right

    def _looked_at(self, entry, take):
        """The first picture, of the warm-up, is saved and looked at."""
        file = str(self.folder / f"looked-at-{id(entry)}")

        def run(number):
            took = take(file if number == 0 else None)
            if number == 0:
                entry.note = self._look(file)
            return took

        entry.run = run
        return entry

    def _look(self, file):
        picture = Image.open(file)
        size = picture.size
        whole = self.reference
        if size == REGION[2:]:
            x, y, width, height = REGION
            whole = whole.crop((x, y, x + width, y + height))
        same = whole.resize(size, Image.BOX)
        difference = ImageStat.Stat(ImageChops.difference(same, picture.convert("RGB"))).mean
        kilobytes = pathlib.Path(file).stat().st_size // 1024
        wrong = "; wrong colours" if max(difference) > COLOUR_LIMIT else ""
        return f"{size[0]}x{size[1]}, {kilobytes} KB{wrong}"
