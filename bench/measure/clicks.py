"""Moving to a point and clicking, until the program that owns the window has the button press."""
import time

from .desktop import RECEIVER_PLACE
from .processes import Gone
from .rounds import Entry, Failed, Job, in_a_row

PATIENCE = 5.0


class Clicks:
    def __init__(self, contenders):
        self.contenders, self.desktop = contenders, contenders.desktop
        place = [str(value) for value in RECEIVER_PLACE]
        self.receiver = self.desktop.household.add(
            [str(self.desktop.build / "bench/bench-receiver"), *place], self.desktop.env)
        if self.receiver.read_line(10) != "ready":
            raise Failed("the receiver did not show its window")
        self.points = self._points()

    @staticmethod
    def _points():
        """No point comes twice in a row, so that a press can be told from the one before."""
        x, y, width, height = RECEIVER_PLACE
        count = 0
        while True:
            yield x + 10 + count % (width - 20), y + 10 + count * 7 % (height - 20)
            count += 1

    def jobs(self):
        bare, ours, xdotool = self.contenders.bare, self.contenders.ours, self.contenders.commands["xdotool"]
        entries = [self._entry("floor", lambda x, y: bare.do(f"click {x} {y}"), floor=True)]
        if ours:
            entries.append(self._entry("handfast", lambda x, y: ours.call(
                "left_click", {"x": x, "y": y, "verify": False})[2:], ours=True))
            entries.append(in_a_row(entries[-1]))
            entries.append(self._entry("handfast, with a verdict", lambda x, y: ours.call(
                "left_click", {"x": x, "y": y})[2:]))
        for peer in self.contenders.node.values():
            if peer and "click" in peer.jobs:
                label = peer.label.removesuffix(" + sharp")
                entries.append(self._entry(label, lambda x, y, peer=peer: peer.do("click", x=x, y=y)))
        if xdotool:
            entries.append(self._entry("xdotool", lambda x, y: xdotool.do(
                "mousemove", str(x), str(y), "click", "1")))
        jobs = [Job("click", "Move + click until the program has it", entries)]
        if ours:
            small = Entry("handfast", lambda number: ours.call("cursor_position", {})[0], ours=True)
            jobs.append(Job("call", "A small call, there and back (cursor_position)", [small]))
        return jobs

    def _entry(self, label, click, **more):
        entry = Entry(label, None, **more)
        returned = []

        def run(number):
            x, y = next(self.points)
            self.receiver.drain()
            start, end = click(x, y)
            took = (self._seen(x, y) - start) / 1e6
            returned.append((end - start) / 1e6)
            entry.note = f"returns after {sorted(returned)[len(returned) // 2]:.1f} ms"
            return took

        entry.run = run
        return entry

    def _seen(self, x, y):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                moment, at_x, at_y = self.receiver.read_line(PATIENCE).split()
            except Gone as problem:
                raise Failed("the click never arrived") from problem
            if (int(at_x), int(at_y)) == (x, y):
                return int(moment)
        raise Failed("the click arrived at another place")

    def end(self):
        self.desktop.household.end(self.receiver)
