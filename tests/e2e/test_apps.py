"""Applications: started, found, brought to the front and closed; and told honestly when that does not work."""
import json
import os
import pathlib
import signal
import time

import pytest

from handfast import APPS, SLOW, container_processes, eventually, inner_pid, process_alive
from screen import Screen

PYTHON = "/usr/bin/python3"


def state(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return None


def parent(pid):
    fields = state(pid)
    return int(fields[1]) if fields else 0


def command_line(pid):
    return pathlib.Path(f"/proc/{pid}/cmdline").read_text().split("\0")[:-1]


@pytest.mark.parametrize("name, process, title", [
    ("mousepad", "mousepad", "Mousepad"),
    ("Mousepad", "mousepad", "Mousepad"),
    ("org.xfce.mousepad", "mousepad", "Mousepad"),
    ("org.xfce.mousepad.desktop", "mousepad", "Mousepad"),
    ("galculator", "galculator", "galculator"),
    ("GALCULATOR", "galculator", "galculator"),
    ("gtk4-widget-factory", "gtk4-widget-factory", "Widget Factory"),
    ("featherpad", "featherpad", ""),
    ("FeatherPad", "featherpad", ""),
    ("xterm", "xterm", ""),
    ("/usr/bin/xterm", "xterm", ""),
    ("/usr/share/applications/galculator.desktop", "galculator", "galculator"),
])
def test_launch(desk, name, process, title):
    result = desk.call("app_launch", name=name)
    assert result["outcome"] == "window" and "note" not in result
    window = result["window"]
    assert title in window["title"] and window["process"] == process
    assert window["visible"] and window["focused"]
    assert window["pid"] == result["pid"]
    assert command_line(desk.host_pid(result["pid"]))[0].rsplit("/", 1)[-1] == process
    pid, hand = desk.host_pid(result["pid"]), desk.desktops()["main"]["hand_pid"]
    assert parent(pid) != hand, "it is not the hand's child"
    assert int(state(pid)[3]) == pid, "it leads a session of its own"


def test_launch_with_arguments(desk, tmp_path):
    report = tmp_path / "the report"
    arguments = ["two words", "$(touch /tmp/no)", "; exit", "`x`", "*", "", '--flag="q"', "%f", "名前", "👍🏽", "a" * 50000]
    result = desk.call("app_launch", name=str(APPS / "reporter.py"), args=[str(report), *arguments])
    assert result["outcome"] == "ended" and result["note"] and "window" not in result
    seen = json.loads(eventually(lambda: report.exists() and report.read_text()))
    assert seen["args"] == arguments
    environment = desk.desktop_environment()
    for name in ("DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "HOME"):
        assert seen["env"][name] == environment[name]
    assert seen["cwd"] == environment["HOME"]
    assert seen["stdio"] == ["/dev/null"] * 3
    assert seen["others"] == [], "nothing of ours is left open in it"
    assert seen["blocked"] == 0
    # Python ignores two itself; 32 and 33 are the C library's own and cannot be set by a program.
    theirs = sum(1 << (number - 1) for number in (signal.SIGPIPE, signal.SIGXFSZ, 32, 33))
    assert seen["ignored"] & ~theirs == 0


def test_opens_the_file_that_it_is_given(desk, tmp_path):
    text = tmp_path / "größe 文.txt"
    text.write_text("hello")
    result = desk.call("app_launch", name="Mousepad", args=[str(text)])
    eventually(lambda: "größe 文.txt" in desk.call("window_list")["windows"][0]["title"])
    assert result["command"][-1] == str(text)


def test_ends_at_once(desk):
    start = time.monotonic()
    result = desk.call("app_launch", name="true")
    assert result["outcome"] == "ended" and result["pid"] > 1
    assert time.monotonic() - start < 3 * SLOW
    eventually(lambda: result["pid"] not in container_processes(desk.desktops()["main"]["hand_pid"]), 3, "its being reaped")


def test_never_shows_a_window(desk):
    result = desk.call("app_launch", name="sleep", args=["60"], wait_ms=200)
    assert result["outcome"] == "no_window" and result["note"] and "window" not in result
    assert command_line(desk.host_pid(result["pid"])) == ["/usr/bin/sleep", "60"]
    os.kill(desk.host_pid(result["pid"]), signal.SIGKILL)
    desk.fails("APP_NOT_FOUND", "app_close", pid=result["pid"])


def test_does_not_wait_when_told(desk):
    start = time.monotonic()
    result = desk.call("app_launch", name="galculator", wait_ms=0)
    assert result["outcome"] == "no_window" and time.monotonic() - start < 0.5 * SLOW
    eventually(lambda: any(window["pid"] == result["pid"] for window in desk.call("window_list")["windows"]))


def test_window_of_a_child(desk, tmp_path):
    script = tmp_path / "wrapper"
    script.write_text("#!/bin/sh\nxterm -T wrapped &\nwait\n")
    script.chmod(0o755)
    result = desk.call("app_launch", name=str(script))
    assert result["outcome"] == "window" and result["window"]["title"] == "wrapped"
    assert desk.host_pid(result["pid"]) == parent(desk.host_pid(result["window"]["pid"]))


def test_single_instance(desk):
    """mousepad hands a second launch to the instance that runs."""
    first = desk.call("app_launch", name="mousepad")
    second = desk.call("app_launch", name="mousepad")
    assert second["pid"] != first["pid"]
    assert second["outcome"] in ("window", "activated")
    assert second["window"]["pid"] == first["pid"], "its window belongs to the first"
    assert second["window"]["focused"]
    if second["outcome"] == "window":
        assert second["window"]["window_id"] != first["window"]["window_id"]


BAD_LAUNCHES = [
    ({}, "INVALID_PARAMS"),
    ({"name": ""}, "INVALID_PARAMS"),
    ({"name": "   "}, "INVALID_PARAMS"),
    ({"name": 7}, "INVALID_PARAMS"),
    ({"name": "no-such-program-anywhere"}, "APP_NOT_FOUND"),
    ({"name": "名前のない"}, "APP_NOT_FOUND"),
    ({"name": "x" * 4000}, "APP_NOT_FOUND"),
    ({"name": "x" * 5000}, "INVALID_PARAMS"),
    ({"name": "/no/such/path"}, "APP_NOT_FOUND"),
    ({"name": "/usr/bin"}, "APP_NOT_FOUND"),
    ({"name": "/etc/passwd"}, "APP_NOT_FOUND"),
    ({"name": "/usr/share/applications/nothing.desktop"}, "APP_NOT_FOUND"),
    ({"name": "../bin/xterm"}, "APP_NOT_FOUND"),
    ({"name": "xterm -e rm"}, "APP_NOT_FOUND"),
    ({"name": "true; xterm"}, "APP_NOT_FOUND"),
    ({"name": "xterm", "args": "x"}, "INVALID_PARAMS"),
    ({"name": "xterm", "args": [1]}, "INVALID_PARAMS"),
    ({"name": "xterm", "args": ["x"] * 300}, "INVALID_PARAMS"),
    ({"name": "xterm", "args": ["x" * 200000]}, "INVALID_PARAMS"),
    ({"name": "true", "args": ["x" * 100000] * 40}, "PRECONDITION_FAILED"),
    ({"name": "xterm", "wait_ms": -1}, "INVALID_PARAMS"),
    ({"name": "xterm", "wait_ms": 10**9}, "INVALID_PARAMS"),
    ({"name": "xterm", "shell": True}, "INVALID_PARAMS"),
]


def test_bad_launches(desk):
    for params, code in BAD_LAUNCHES:
        desk.fails(code, "app_launch", **params)
    assert desk.call("window_list")["open"] == 0
    error = desk.fails("APP_NOT_FOUND", "app_launch", name="no-such-program-anywhere")
    assert "Mousepad" in [entry["name"] for entry in error["details"]["installed"]]


def test_list(desk):
    assert desk.call("app_list")["apps"] == []
    editor = desk.call("app_launch", name="mousepad")
    terminal = desk.call("app_launch", name="xterm", args=["-T", "a terminal"])
    apps = desk.call("app_list")["apps"]
    assert [(app["pid"], app["process"], app["focused"], app["window_count"]) for app in apps] == \
        [(terminal["pid"], "xterm", True, 1), (editor["pid"], "mousepad", False, 1)]
    assert apps[1]["name"] == "Mousepad" and apps[1]["desktop_id"] == "org.xfce.mousepad"
    assert all("windows" not in app for app in apps)
    windows = [app["windows"] for app in desk.call("app_list", include_windows=True)["apps"]]
    assert windows[0][0]["title"] == "a terminal" and windows[0][0]["focused"]
    assert windows[1][0]["bounds"]["width"] > 100


@pytest.mark.parametrize("name", ["mousepad", "Mousepad", "MOUSEPAD", "org.xfce.mousepad"])
def test_switch(desk, name):
    editor = desk.call("app_launch", name="mousepad")
    desk.call("app_launch", name="galculator")
    result = desk.call("app_switch", name=name)
    assert result["pid"] == editor["pid"] and result["window"]["focused"]
    assert desk.call("window_list")["windows"][0]["pid"] == editor["pid"]


def test_switch_among_several(desk):
    first = desk.call("app_launch", name="xterm", args=["-T", "one"])
    second = desk.call("app_launch", name="xterm", args=["-T", "two"])
    desk.call("app_launch", name="galculator")
    assert desk.call("app_switch", name="xterm")["pid"] == second["pid"], "the one used last"
    assert desk.call("app_switch", name="xterm", pid=first["pid"])["window"]["title"] == "one"
    desk.call("window_manage", window_id=first["window"]["window_id"], action="minimize")
    assert desk.call("app_switch", pid=first["pid"])["window"]["visible"]
    desk.fails("APP_NOT_FOUND", "app_switch", name="firefox")
    desk.fails("APP_NOT_FOUND", "app_switch", pid=1 << 20)
    desk.fails("INVALID_PARAMS", "app_switch")
    desk.fails("INVALID_PARAMS", "app_switch", pid=1)
    desk.fails("INVALID_PARAMS", "app_switch", name=["xterm"])


@pytest.mark.parametrize("name", ["mousepad", "galculator", "featherpad", "gtk4-widget-factory", "xterm"])
def test_close(desk, name):
    launched = desk.call("app_launch", name=name)
    if name == "xterm":  # it heeds nothing before its shell is there
        pid = desk.host_pid(launched["pid"])
        eventually(lambda: pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text())
        time.sleep(0.2)
    result = desk.call("app_close", name=name)
    assert result["pid"] == launched["pid"] and result["windows_closed"] == 1
    assert not result["forced"] and not result["running"]
    assert desk.call("window_list")["open"] == 0
    assert not desk.program_alive(launched["pid"])


def test_close_many_windows(desk):
    first = desk.call("app_launch", name="mousepad")
    desk.call("app_launch", name="mousepad")
    desk.call("app_launch", name="mousepad")
    count = desk.call("app_list")["apps"][0]["window_count"]
    result = desk.call("app_close", name="mousepad")
    assert result["windows_closed"] == count and result["pid"] == first["pid"]
    assert desk.call("window_list")["open"] == 0


def test_close_touches_none_of_several(desk):
    pids = {desk.call("app_launch", name="xterm")["pid"] for _ in range(3)}
    for force in (False, True):
        error = desk.fails("WINDOW_AMBIGUOUS", "app_close", name="xterm", force=force)
        assert {candidate["pid"] for candidate in error["details"]["candidates"]} == pids
    assert desk.call("window_list")["open"] == 3
    victim = pids.pop()
    desk.call("app_close", pid=victim, force=True)
    assert not desk.program_alive(victim) and all(map(desk.program_alive, pids))


def test_unsaved_work(desk):
    launched = desk.call("app_launch", name=PYTHON, args=[str(APPS / "asking.py")])
    for _ in range(2):
        error = desk.fails("DESKTOP_MODAL_BLOCKING", "app_close", pid=launched["pid"])
        assert error["details"]["title"] == "Save changes?" and "Save changes?" in error["message"]
    assert desk.program_alive(launched["pid"])
    switched = desk.call("app_switch", pid=launched["pid"])["window"]
    assert switched["title"] == "Save changes?" and switched["modal"], "what a person would get to see"
    assert desk.call("app_close", pid=launched["pid"], force=True)["forced"]
    assert not desk.program_alive(launched["pid"])


def test_mousepad_with_unsaved_text(own_desk):
    """On a desk of its own: mousepad remembers what was not saved when it starts the next time."""
    desk = own_desk("--virtual", "--size", "1280x800", "--private-home")
    launched = desk.call("app_launch", name="mousepad")
    screen = Screen(desk.desktop_environment())
    screen.press(ord("x"))
    screen.close()
    eventually(lambda: "*" in desk.call("window_list")["windows"][0]["title"])
    error = desk.fails("DESKTOP_MODAL_BLOCKING", "app_close", name="mousepad")
    assert error["details"]["title"]
    assert desk.program_alive(launched["pid"])


def test_force_on_a_stubborn_program(desk):
    launched = desk.call("app_launch", name=PYTHON, args=[str(APPS / "asking.py"), "stubborn"])
    desk.fails("VERIFY_FAILED", "app_close", pid=launched["pid"])
    result = desk.call("app_close", name="asking.py", force=True)
    assert result["forced"] and result["pid"] == launched["pid"]
    assert not desk.program_alive(launched["pid"])
    assert desk.call("window_list")["open"] == 0


def test_close_of_nothing(desk):
    desk.fails("APP_NOT_FOUND", "app_close", name="galculator")
    desk.fails("INVALID_PARAMS", "app_close")
    desk.fails("INVALID_PARAMS", "app_close", pid=1, force=True)
    desk.fails("INVALID_PARAMS", "app_close", name="x", force="yes")
    hand = desk.desktops()["main"]["hand_pid"]
    for pid in (os.getpid(), desk.process.pid, hand, inner_pid(hand)):
        desk.fails("APP_NOT_FOUND", "app_close", pid=pid, force=True)


def test_outlives_a_killed_hand(desk):
    launched = desk.call("app_launch", name="galculator")
    hand = desk.desktops()["main"]["hand_pid"]
    os.kill(hand, signal.SIGKILL)
    eventually(lambda: desk.answer("window_list")["ok"], 10, "the next hand")
    assert desk.program_alive(launched["pid"])
    assert desk.call("app_list")["apps"][0]["pid"] == launched["pid"]


def processes_named(*command):
    """The processes with exactly this command line."""
    line = b"".join(word.encode() + b"\0" for word in command)
    return [int(place.parent.name) for place in pathlib.Path("/proc").glob("[0-9]*/cmdline") if reads(place) == line]


def reads(place):
    try:
        return place.read_bytes()
    except OSError:
        return b""


def test_cancelled_launch_names_its_process(desk):
    """Whoever cancels has a program running that the answer must name."""
    command = ["/usr/bin/sleep", f"6{os.getpid()}"]
    bridge = desk.connect()
    bridge.send("call", {"tool": "app_launch", "params": {"name": "sleep", "args": command[1:], "wait_ms": 60000}}, identity="launch")
    pid, = eventually(lambda: processes_named(*command), 10, "the program")
    bridge.send("cancel", {"id": "launch"}, identity="cancel")
    replies = {reply["id"]: reply["result"] for reply in (bridge.receive(), bridge.receive())}
    bridge.close()
    assert process_alive(pid)
    inside = inner_pid(pid)
    os.kill(pid, signal.SIGKILL)
    assert replies["launch"]["error"]["code"] == "DESKTOP_ABORTED", replies
    assert replies["launch"]["error"]["details"]["pid"] == inside, replies


def test_a_launch_out_of_time_names_its_process(desk):
    result = desk.call("app_launch", name="sleep", args=["60"], wait_ms=60000, timeout_ms=300 * SLOW)
    assert result["outcome"] == "no_window" and command_line(desk.host_pid(result["pid"])) == ["/usr/bin/sleep", "60"]
    os.kill(desk.host_pid(result["pid"]), signal.SIGKILL)
