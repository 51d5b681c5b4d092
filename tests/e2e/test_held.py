"""A call is on its way while its intent is written: what it would do waits in the hand until the row lasts."""
import contextlib
import json
import os
import signal
import sqlite3
import subprocess
import time

import pytest
from Xlib.display import Display

from handfast import eventually

WHOLE = 0


@contextlib.contextmanager
def nothing_can_be_written(desk):
    """Somebody else is writing to the database, and takes a while."""
    other = sqlite3.connect(desk.data / "handfast.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        with contextlib.suppress(sqlite3.Error):
            other.execute("ROLLBACK")
        other.close()


def wait_longer_than(desk, tool, **params):
    """Waits several times as long as such a call takes when nothing holds it: one that is not held is done by then. Returns how
    to wait, since the call has to be measured before the database is locked."""
    desk.call(tool, **params)  # the first has a shell or a pointer to get ready
    started = time.monotonic()
    desk.call(tool, **params)
    took = time.monotonic() - started
    return lambda: time.sleep(4 * took + 0.05)


def pointer_of(desk, monkeypatch):
    """As the X server says, and not as Handfast does."""
    environment = desk.desktop_environment()
    monkeypatch.setenv("XAUTHORITY", environment["XAUTHORITY"])
    display = Display(environment["DISPLAY"])
    try:
        return display.screen().root.query_pointer().root_x
    finally:
        display.close()


def test_a_deed_waits_for_its_intent(own_desk):
    desk = own_desk("--virtual", "--size", "640x480")
    mark = desk.home / "mark"
    bridge = desk.connect()
    wait = wait_longer_than(desk, "bash_execute", command="true")
    with nothing_can_be_written(desk):
        bridge.send("call", {"tool": "bash_execute", "params": {"command": f"date +%s%N > {mark}"}})
        wait()
        assert not mark.exists()
        let_go = time.time_ns()
    answer = bridge.receive()["result"]
    assert answer["ok"], answer
    assert int(mark.read_text()) >= let_go
    rows = [row for row in desk.audit() if row.get("step") == answer["step_id"]]
    assert [row["kind"] for row in rows] == ["intent", "result"] and rows[0]["time"] * 1_000_000 <= int(mark.read_text())
    bridge.close()


def test_input_waits_for_its_intent(own_desk, monkeypatch):
    desk = own_desk("--virtual", "--size", "640x480")
    wait = wait_longer_than(desk, "mouse_move", x=5, y=5, smooth=False)
    bridge = desk.connect()
    with nothing_can_be_written(desk):
        bridge.send("call", {"tool": "mouse_move", "params": {"x": 300, "y": 200, "smooth": False}})
        wait()
        assert pointer_of(desk, monkeypatch) == 5
    assert bridge.receive()["result"]["ok"]
    assert pointer_of(desk, monkeypatch) == 300
    bridge.close()


def test_what_cannot_be_written_down_is_not_done(own_desk):
    desk = own_desk("--virtual", "--size", "640x480")
    mark = desk.home / "mark"
    desk.call("bash_execute", command="true")
    limit = ["prlimit", f"--pid={desk.process.pid}"]
    subprocess.run([*limit, "--fsize=1:unlimited"], check=True)
    started = time.monotonic()
    for _ in range(5):
        desk.fails("STORAGE_FAILED", "bash_execute", command=f"touch {mark}")
    assert time.monotonic() - started < 5, "the hand was told at once"
    subprocess.run([*limit, "--fsize=unlimited:unlimited"], check=True)
    assert not mark.exists()
    desk.call("bash_execute", command=f"touch {mark}")
    assert mark.exists() and desk.cli("audit", "verify").returncode == WHOLE


def test_a_desk_that_dies_before_the_row_lasts_leaves_it_undone(own_desk):
    desk = own_desk("--virtual", "--size", "640x480")
    mark = desk.home / "mark"
    bridge = desk.connect()
    wait = wait_longer_than(desk, "bash_execute", command="true")
    with nothing_can_be_written(desk):
        bridge.send("call", {"tool": "bash_execute", "params": {"command": f"touch {mark}"}})
        wait()
        hand = desk.desktops()["main"]["hand_pid"]
        os.kill(desk.process.pid, signal.SIGKILL)
        desk.process.wait()
        eventually(lambda: not os.path.exists(f"/proc/{hand}"), 10, "the hand has ended")
    assert not mark.exists()
    bridge.close()
    desk.start()
    assert not mark.exists() and not [row for row in desk.audit() if "mark" in str(row)]


def test_what_a_desk_died_of_is_told_as_without_a_result(own_desk):
    desk = own_desk("--virtual", "--size", "640x480")
    bridge = desk.connect()
    desk.call("bash_execute", command="echo before")
    bridge.send("call", {"tool": "bash_execute", "params": {"command": "sleep 30"}})
    eventually(lambda: desk.audit()[-1]["kind"] == "intent", 10, "the intent")
    listed = json.loads(desk.cli("audit", "list", "--tool", "bash_execute", "--json").stdout)
    assert [row["kind"] for row in listed if row.get("open")] == ["intent"] and listed[-1]["open"]
    os.kill(desk.process.pid, signal.SIGKILL)
    desk.process.wait()
    bridge.close()
    desk.start()
    shown = desk.cli("audit", "list", "--tool", "bash_execute").stdout.decode().splitlines()
    assert [("no result" in line, "sleep 30" in line) for line in shown if " intent " in line] == [(False, False), (True, True)]
    shown = desk.cli("audit", "list", environment={"LANGUAGE": "zh_CN"}).stdout.decode()
    assert shown.count("无结果") == 1


@pytest.mark.parametrize("how, code", [("cancel", "DESKTOP_ABORTED"), ("stop", "STOPPED")])
def test_one_that_is_held_can_be_called_off(own_desk, how, code):
    """It is let go by nobody, though its row lasts in the end."""
    desk = own_desk("--virtual", "--size", "640x480")
    mark = desk.home / "mark"
    bridge, other = desk.connect(), desk.connect()
    wait = wait_longer_than(desk, "bash_execute", command="true")
    with nothing_can_be_written(desk):
        number = bridge.send("call", {"tool": "bash_execute", "params": {"command": f"touch {mark}"}})
        wait()
        if how == "stop":
            other.send("stop", {})
            eventually(lambda: desk.main_bridge.manage("status")["holds"]["stopped"], what="the stop")
        else:
            cancel = bridge.send("cancel", {"id": number})
            assert bridge.receive()["id"] == cancel
    answer = bridge.receive()
    assert answer["id"] == number and answer["result"]["error"]["code"] == code
    desk.answer("cursor_position")  # what was let go by mistake would be done before this
    assert not mark.exists()
    bridge.close()
    other.close()
