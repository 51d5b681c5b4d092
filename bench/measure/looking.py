"""Rounds of observing a program and acting on it, for bench/soak: what a hand keeps of programs must not grow."""
import os
import time

from .desktop import HERE
from .processes import memory_of
from .rounds import Failed
from .trees import Place

DESKTOP = "looking"
PROGRAM = HERE.parent / "tests/apps/widgets_gtk3.py"
SAMPLES = 50


class Looking:
    def __init__(self, desktop, ours):
        self.ours = ours
        made = ours.request("desktop.new", {"name": DESKTOP, "width": 1280, "height": 800})[1]
        place = Place(desktop, made["environment"])
        self.program = place.household.add(["/bin/sh", "-c", f"exec /usr/bin/python3 {PROGRAM} >/dev/null"], place.env, log=str(desktop.root / "widgets.log"))
        self.window = self._await_window()

    def call(self, tool, **params):
        return self.ours.call(tool, {"desktop": DESKTOP, **params})[1]

    def _await_window(self):
        end = time.monotonic() + 30
        while time.monotonic() < end:
            for window in self.call("window_list")["windows"]:
                if self.call("find", selector='check-box "Agree"', window_id=window["window_id"])["total"]:
                    return window["window_id"]
            time.sleep(0.1)
        raise Failed("no window with a check box")

    def _sample(self):
        desktops = self.ours.request("desktop.list", {})[1]["desktops"]
        pids = {"desk": self.ours.desk.pid, "program": self.program.pid,
                "hand": next(each["hand_pid"] for each in desktops if each["name"] == DESKTOP)}
        return {role: {"rss": memory_of(pid)["rss"], "descriptors": len(os.listdir(f"/proc/{pid}/fd")),
                       "threads": len(os.listdir(f"/proc/{pid}/task"))} for role, pid in pids.items()}

    def run(self, rounds, seconds):
        """Until either is over: (samples, rounds made, seconds)."""
        samples, start, made = [], time.monotonic(), 0
        snapshot = self.call("observe", window_id=self.window, image=False)["snapshot_id"]
        while made < rounds and time.monotonic() - start < seconds:
            self.call("ui_act", target='check-box "Agree"', action="toggle", window_id=self.window)
            seen = self.call("observe", window_id=self.window, image=made % 10 == 0, since=snapshot)
            snapshot = seen["snapshot_id"]
            made += 1
            share = max(made / rounds, (time.monotonic() - start) / seconds)
            if share * SAMPLES >= len(samples) + 1:
                samples.append(self._sample())
        return samples, made, time.monotonic() - start
