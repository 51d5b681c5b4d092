"""Do no harm: the user's session is the same before and after any run, also one ended by kill -9."""
import os
import random
import signal
import subprocess
import threading
import time

import pytest

from handfast import SLOW, eventually, process_alive
from session import Session, differences

MIXED = "Größe 你好世界 привет ñandú ∑√∞ 👍🏽 é — “quoted” ŵŷ ₿"
LAYOUTS = [None, "de", "us,ru -option grp:alt_shift_toggle"]


@pytest.fixture
def session():
    sessions = []

    def start(**options):
        sessions.append(Session(**options))
        return sessions[-1]

    yield start
    for each in sessions:
        each.stop()


def attach(own_desk, session):
    return own_desk("--display", session.display,
                    environment={"DBUS_SESSION_BUS_ADDRESS": session.environment["DBUS_SESSION_BUS_ADDRESS"]})


def open_editor(session, desk):
    session.start("mousepad", "--disable-server")
    desk.window("Mousepad")
    desk.call("window_focus", window_title="Mousepad")


def eventually_same(session, before, seconds=5):
    """The session is as before, at once or after a moment."""
    found = {}

    def same():
        found.clear()
        found.update(differences(before, session.look()))
        return not found
    try:
        eventually(same, seconds)
    except AssertionError:
        pytest.fail(f"not as before: { {name: str(value)[:600] for name, value in found.items()} }")


def test_starting_and_ending_changes_nothing(session, own_desk):
    mine = session()
    mine.set_clipboard(b"mine")
    before = mine.look()
    desk = attach(own_desk, mine)
    assert not differences(before, mine.look())
    desk.call("screenshot", image=False)
    desk.call("window_list")
    desk.call("cursor_position")
    assert not differences(before, mine.look())
    desk.stop()
    assert not differences(before, mine.look())


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_run_leaves_the_session_as_it_was(session, own_desk, layout):
    mine = session(layout=layout)
    desk = attach(own_desk, mine)
    open_editor(mine, desk)
    mine.set_clipboard("meine Daten 数据".encode())
    before = mine.look()
    desk.call("type_text", text=MIXED, method="keys")
    desk.call("type_text", text=MIXED, method="paste")
    desk.call("key_press", keys=["ctrl", "a"])
    desk.call("left_click", x=300, y=300, modifiers=["shift"])
    desk.call("mouse_drag", from_x=300, from_y=300, to_x=400, to_y=320, duration=50)
    desk.call("scroll", x=300, y=300, direction="down")
    eventually_same(mine, before)
    desk.call("key_down", keys=["shift"])
    desk.call("mouse_down", button="left", x=600, y=500)
    assert differences(before, mine.look()), "the test must see held keys"
    assert desk.stop() == 0
    eventually_same(mine, before)


BUSY = [
    ("type_text", {"text": MIXED * 20, "method": "keys"}),
    ("type_text", {"text": MIXED * 5, "method": "paste"}),
    ("hold_key", {"keys": ["ctrl", "shift"], "duration": 30}),
    ("mouse_drag", {"from_x": 200, "from_y": 200, "to_x": 500, "to_y": 400, "duration": 20000}),
]


def everything(desk):
    """The desk's processes: itself, its stages, its hands."""
    children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(desk.process.pid)], capture_output=True, text=True)
    stages = [int(pid) for pid in children.stdout.split()]
    return [desk.process.pid, *stages, *[entry["hand_pid"] for entry in desk.desktops().values()]]


@pytest.mark.parametrize("tool, params", BUSY)
def test_kill_of_the_hand_is_mended_at_once(session, own_desk, tool, params):
    mine = session()
    desk = attach(own_desk, mine)
    open_editor(mine, desk)
    mine.set_clipboard(b"mine")
    before = mine.look()
    bridge = desk.connect()
    bridge.send("call", {"tool": tool, "params": params})
    time.sleep(random.uniform(0.005, 0.15) * SLOW)  # a random point of the work
    os.kill(desk.desktops()["main"]["hand_pid"], signal.SIGKILL)
    answer = bridge.receive()["result"]
    assert answer["ok"] or answer["error"]["code"] == "OUTCOME_UNKNOWN"
    eventually_same(mine, before)
    bridge.close()


@pytest.mark.parametrize("tool, params", BUSY)
def test_kill_of_everything_is_mended_at_the_next_start(session, own_desk, tool, params):
    mine = session()
    desk = attach(own_desk, mine)
    open_editor(mine, desk)
    mine.set_clipboard(b"mine")
    before = mine.look()
    bridge = desk.connect()
    bridge.send("call", {"tool": tool, "params": params})
    time.sleep(random.uniform(0.005, 0.15) * SLOW)  # a random point of the work
    pids = everything(desk)
    for pid in pids:
        os.kill(pid, signal.SIGKILL)
    desk.process.wait()
    for pid in pids:
        eventually(lambda: not process_alive(pid), what="the end of all processes")
    desk.start()
    eventually_same(mine, before)
