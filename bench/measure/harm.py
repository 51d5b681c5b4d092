"""What looking costs the program that is looked at: a person types into a GTK 3 program that tells its own event loop's
latency and processor time, while it is never looked at, was looked at once two seconds before, and is observed twice a second.
An answer costs the program what it costs; the wait of a key is what its user feels."""
import pathlib
import statistics
import subprocess
import sys
import time

from .desktop import HERE
from .rounds import Failed
from .trees import Place

sys.path.insert(0, str(pathlib.Path(HERE).resolve().parent / "tests/e2e"))
import handfast  # noqa: E402
import heartbeat  # noqa: E402

DESKTOP = "harm"
KEYS, PAUSE_S = 400, 0.01
WAYS = {"never": "never looked at", "once": "looked at once, 2 s before", "often": "observed twice a second"}


def measure(contenders, rounds):
    ours = contenders.ours
    made = ours.request("desktop.new", {"name": DESKTOP, "width": 1280, "height": 800})[1]
    environment = Place(contenders.desktop, made["environment"]).env

    def start(*command, **options):
        """Inside the container, if there is one: a program from outside has no process that the desktop knows."""
        contained = made.get("walls", {}).get("contained")
        return (handfast.Program(made["hand_pid"], command, env=environment, **options) if contained
                else subprocess.Popen(command, env=environment, **options))

    def await_window(title, pid):
        end = time.monotonic() + 30
        while time.monotonic() < end:
            for window in ours.call("window_list", {"desktop": DESKTOP})[1]["windows"]:
                if window["title"] == title and window["pid"] == pid and window["focused"]:
                    return window
            time.sleep(0.05)
        raise Failed(f"no window titled {title!r}")

    def look(window):
        return ours.call("observe", {"desktop": DESKTOP, "window_id": window["window_id"]})[0]
    try:
        told = [heartbeat.measure_ways(start, environment, await_window, look, KEYS, PAUSE_S) for _ in range(rounds)]
    finally:
        ours.request("desktop.remove", {"name": DESKTOP})
    return {way: {"cpu_ms": statistics.median(each[way]["cpu_ms"] / each[way]["keys"] for each in told),
                  "mean_ms": statistics.median(each[way]["mean_ms"] for each in told),
                  "p95_ms": statistics.median(each[way]["p95_ms"] for each in told)} for way in WAYS}


def lines(found):
    rows = [f"  {title:30} {found[way]['mean_ms']:8.2f} {found[way]['p95_ms']:8.2f} {found[way]['cpu_ms']:12.2f}"
            for way, title in WAYS.items()]
    return "\n".join([f"Typing into a program (ms a key){'':6}wait      p95    processor", *rows])
