"""Fifteen desktops at once: what each costs in memory, and that calls on different ones run side
by side."""
import threading
import time

from .bridge import Bridge
from .processes import descendants, memory_of
from .rounds import Failed

COUNT = 15
SIDE_BY_SIDE = 4
# A movement holds the desktop's input for this long, whatever the processor does.
MOVE = {"x": 300, "y": 300, "smooth": True, "duration": 500}


def _must(answer):
    if not answer.get("ok"):
        raise Failed(str(answer.get("error")))
    return answer["result"]


def _memory_of_all(pid):
    total = 0.0
    for process in descendants(pid):
        try:
            total += memory_of(process).get("pss", 0.0)
        except OSError:
            continue  # it has ended since
    return total


def _move_on(ours, name):
    bridge = Bridge(ours.socket)
    _must(bridge.call("mouse_move", {**MOVE, "desktop": name}))
    bridge.close()


def _move_side_by_side(ours, names):
    """Milliseconds for one movement on each of the desktops, begun together."""
    threads = [threading.Thread(target=_move_on, args=(ours, name)) for name in names]
    start = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return (time.monotonic() - start) * 1e3


def measure(ours):
    bridge = Bridge(ours.socket)
    names = [f"many{number}" for number in range(COUNT)]
    before = _memory_of_all(ours.desk.pid)
    try:
        start = time.monotonic()
        for name in names:
            _must(bridge.request("desktop.new", {"name": name, "width": 1920, "height": 1080}))
            _must(bridge.call("screenshot", {"mode": "fullscreen", "desktop": name}))
        started = (time.monotonic() - start) * 1e3
        each = (_memory_of_all(ours.desk.pid) - before) / COUNT
        alone = _move_side_by_side(ours, names[:1])
        together = _move_side_by_side(ours, names[:SIDE_BY_SIDE])
    finally:
        for name in names:
            bridge.request("desktop.remove", {"name": name})
        bridge.close()
    return {"count": COUNT, "all_started_ms": started, "each_pss_mb": each,
            "one_move_ms": alone, f"{SIDE_BY_SIDE}_moves_ms": together,
            "side_by_side": together / alone}


def lines(told):
    return "\n".join([
        f"{told['count']} desktops at once",
        f"  all there, a picture of each taken   {told['all_started_ms']:8.0f} ms",
        f"  each, with its X server and buses    {told['each_pss_mb']:8.1f} MB proportional",
        f"  one movement of 500 ms               {told['one_move_ms']:8.0f} ms",
        f"  {SIDE_BY_SIDE} of them on {SIDE_BY_SIDE} desktops, together     "
        f"{told[f'{SIDE_BY_SIDE}_moves_ms']:8.0f} ms"])
