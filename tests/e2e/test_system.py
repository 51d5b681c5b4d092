"""wait, system_info, notification_send, and a locked screen, on real buses."""
import os
import platform
import re
import subprocess
import threading
import time

import pytest

from handfast import FULL_AUTO, SLOW, eventually, read_line
from session import Session

SAVER = "org.gnome.ScreenSaver"
NOTICES = "org.freedesktop.Notifications"


# A desktop of its own: programs of other tests may have started services on the bus of the shared one.
QUIET = "quiet"


@pytest.fixture(scope="module")
def quiet(shared_desk):
    shared_desk.new_desktop(QUIET, width=640, height=480)
    yield shared_desk
    shared_desk.remove_desktop(QUIET)


def gdbus(desk, *arguments):
    return subprocess.run(["gdbus", "call", "--session", *arguments], env=desk.desktop_environment(QUIET),
                          capture_output=True, text=True, timeout=20)


def has_owner(desk, name):
    return "true" in gdbus(desk, "-d", "org.freedesktop.DBus", "-o", "/org/freedesktop/DBus", "-m",
                           "org.freedesktop.DBus.NameHasOwner", name).stdout


@pytest.fixture
def mock(quiet):
    """A function that starts a mocked service on the quiet desktop's bus; its calls are written to its stdout."""
    processes = []

    def start(*arguments, name):
        process = quiet.spawn("/usr/bin/python3", "-m", "dbusmock", *arguments, desktop=QUIET, stdout=subprocess.PIPE,
                              text=True)
        processes.append(process)
        eventually(lambda: has_owner(quiet, name), 20, name)
        return process

    yield start
    for process in processes:
        process.kill()
        process.wait()
        process.stdout.close()


def lock(desk, active):
    done = gdbus(desk, "-d", SAVER, "-o", "/org/gnome/ScreenSaver", "-m", f"{SAVER}.SetActive", active)
    assert done.returncode == 0, done.stderr


def test_wait(shared_desk):
    started = time.monotonic()
    result = shared_desk.call("wait", duration=0.25)
    assert result == {"success": True, "duration": 0.25}
    assert 0.25 <= time.monotonic() - started < 0.25 + 0.5 * SLOW
    assert shared_desk.call("wait", duration=0)["success"]


def test_waits_do_not_hold_up_others(shared_desk):
    bridge = shared_desk.connect()
    bridge.send("call", {"tool": "wait", "params": {"duration": 20}}, identity="long")
    started = time.monotonic()
    shared_desk.call("left_click", x=5, y=5)
    assert time.monotonic() - started < 2 * SLOW
    bridge.close()


def test_system_info(shared_desk):
    info = shared_desk.call("system_info")
    assert info["arch"] == platform.machine() and info["kernel"] == platform.release()
    assert info["cpus"] == len(os.sched_getaffinity(0))
    assert info["hostname"] == platform.node() and info["os"] and info["version"]
    with open("/proc/meminfo") as file:
        total = int(re.search(r"MemTotal:\s+(\d+) kB", file.read()).group(1)) * 1024
    assert info["memory_total"] == total and 0 < info["memory_free"] < total
    display = info["displays"][0]
    assert (display["id"], display["x"], display["y"], display["width"], display["height"]) == (0, 0, 0, 1280, 800)
    assert info["session"] == {"locked": False, "backend": "x11", "window_manager": "Openbox"}


def test_bad_params(shared_desk):
    for tool, params, path in [
        ("system_info", {"all": True}, "all"),
        ("notification_send", {"title": "x"}, "body"),
        ("notification_send", {"body": "x"}, "title"),
        ("notification_send", {"title": "", "body": "x"}, "title"),
        ("notification_send", {"title": "x", "body": "y" * 100000}, "body"),
        ("notification_send", {"title": "x" * 100000, "body": ""}, "title"),
        ("notification_send", {"title": "x", "body": "", "urgency": "panic"}, "urgency"),
        ("notification_send", {"title": ["x"], "body": ""}, "title"),
    ]:
        assert shared_desk.fails("INVALID_PARAMS", tool, **params)["details"]["path"] == path


def test_notices_arrive_as_they_were_written(quiet, mock):
    """The mocked server takes markup; what it was given must read as plain text."""
    server = mock("--session", "--template", "notification_daemon", "-p", '{"capabilities": "body body-markup"}', name=NOTICES)
    received = []

    def read():
        for line in server.stdout:
            received.append(line)
    threading.Thread(target=read, daemon=True).start()
    first = quiet.call("notification_send", desktop=QUIET, title="你好 & <b>", body="1 < 2 & 3\nemoji 👍🏽", urgency="critical")
    second = quiet.call("notification_send", desktop=QUIET, title="again", body="")
    assert first["success"] and first["id"] > 0 and second["id"] != first["id"]
    eventually(lambda: sum(" Notify " in line for line in received) >= 2, what="the notices")
    notice = "".join(received).split(" Notify ")[1]
    assert '"你好 & <b>" "1 &lt; 2 &amp; 3\nemoji 👍🏽"' in notice
    assert re.search(r'"urgency": 2\b', notice)


def test_notices_are_not_escaped_for_servers_without_markup(quiet, mock):
    server = mock("--session", "--template", "notification_daemon", "-p", '{"capabilities": "body"}', name=NOTICES)
    quiet.call("notification_send", desktop=QUIET, title="plain", body="1 < 2 & 3")
    while " Notify " not in (line := server.stdout.readline()):
        assert line
    assert "1 < 2 & 3" in line


def test_a_real_server_shows_it(quiet):
    dunst = quiet.spawn("dunst", desktop=QUIET, stderr=subprocess.DEVNULL)
    try:
        eventually(lambda: has_owner(quiet, NOTICES), what="dunst")
        assert quiet.call("notification_send", desktop=QUIET, title="Hello", body="<i>not</i> slanted")["id"] > 0
        environment = quiet.desktop_environment(QUIET)
        shown = eventually(lambda: subprocess.run(["dunstctl", "count", "displayed"], env=environment,
                                                  capture_output=True).stdout.strip() == b"1", what="the notice")
        assert shown
    finally:
        dunst.terminate()
        dunst.wait()


BARE_BUS = """<busconfig><type>session</type><listen>unix:dir=%s</listen><policy context="default">
<allow send_destination="*"/>%s<allow own="*"/></policy></busconfig>"""


@pytest.fixture
def session():
    mine = Session()
    yield mine
    mine.stop()


def test_nobody_shows_notices(session, own_desk, tmp_path):
    """A session whose bus can start nothing, and one without any bus."""
    (tmp_path / "bus.conf").write_text(BARE_BUS % (tmp_path, '<allow receive_sender="*"/>'))
    bus = session.start("dbus-daemon", f"--config-file={tmp_path}/bus.conf", "--nofork", "--print-address=1",
                        stdout=subprocess.PIPE)
    for environment in ({"DBUS_SESSION_BUS_ADDRESS": read_line(bus.stdout).decode().strip()}, {}):
        desk = own_desk("--display", session.display, environment=environment)
        started = time.monotonic()
        error = desk.fails("UNSUPPORTED", "notification_send", title="x", body="y")
        assert error["suggestion"]
        assert time.monotonic() - started < 3 * SLOW
        desk.stop()


def test_a_bus_that_never_answers(session, own_desk, tmp_path):
    """It lets one in and says nothing more; nobody may wait for it long."""
    (tmp_path / "bus.conf").write_text(BARE_BUS % (tmp_path, ""))
    bus = session.start("dbus-daemon", f"--config-file={tmp_path}/bus.conf", "--nofork", "--print-address=1",
                        stdout=subprocess.PIPE)
    address = read_line(bus.stdout).decode().strip()
    desk = own_desk("--display", session.display, environment={"DBUS_SESSION_BUS_ADDRESS": address})
    started = time.monotonic()
    desk.call("left_click", x=5, y=5)
    assert time.monotonic() - started < 1 * SLOW
    started = time.monotonic()
    desk.call("left_click", x=5, y=5)
    assert time.monotonic() - started < 0.1 * SLOW
    desk.fails("DESKTOP_TIMEOUT", "notification_send", title="x", body="y", timeout_ms=500)
    assert time.monotonic() - started < 2 * SLOW


def test_a_server_that_never_answers(quiet, mock):
    server = mock("--session", "--template", "notification_daemon", name=NOTICES)
    server.send_signal(19)
    started = time.monotonic()
    quiet.fails("DESKTOP_TIMEOUT", "notification_send", desktop=QUIET, title="x", body="y", timeout_ms=500)
    assert time.monotonic() - started < 2 * SLOW
    server.send_signal(18)


def test_a_locked_screen_takes_no_input(quiet, mock):
    mock("--session", "--template", "gnome_screensaver", name=SAVER)
    quiet.call("key_down", desktop=QUIET, keys=["shift"])
    quiet.call("mouse_down", desktop=QUIET, x=20, y=20, button="left")
    lock(quiet, "true")
    try:
        eventually(lambda: quiet.call("system_info", desktop=QUIET)["session"]["locked"], what="the lock")
        # What is held may be let go, and what the lock hides is not shown.
        quiet.call("mouse_up", desktop=QUIET, button="left")
        quiet.call("key_up", desktop=QUIET, keys=["shift"])
        quiet.fails("LOCKED", "screenshot", desktop=QUIET, image=False)
        quiet.fails("LOCKED", "zoom", desktop=QUIET, region=[0, 0, 50, 50])
        for tool, params in [("left_click", {"x": 5, "y": 5}), ("mouse_move", {"x": 5, "y": 5}), ("mouse_down", {}),
                             ("scroll", {"direction": "down"})]:
            assert quiet.fails("LOCKED", tool, desktop=QUIET, **params)["retryable"]
        quiet.call("cursor_position", desktop=QUIET)
        # The lock of one desktop is none of the others.
        quiet.call("left_click", x=5, y=5)
    finally:
        lock(quiet, "false")
    eventually(lambda: not quiet.call("system_info", desktop=QUIET)["session"]["locked"], what="the end of the lock")
    quiet.call("left_click", desktop=QUIET, x=5, y=5)


@pytest.fixture
def locked(own_desk):
    """A function that gives a desk with this agreement, whose screen is locked."""
    servers = []

    def start(**agreement):
        desk = own_desk("--virtual", "--size", "640x480", config={**FULL_AUTO, **agreement})
        environment = desk.desktop_environment()
        server = desk.spawn("/usr/bin/python3", "-m", "dbusmock", "--session", "--template", "gnome_screensaver",
                            stdout=subprocess.DEVNULL)
        servers.append(server)

        def activate():
            return subprocess.run(["gdbus", "call", "--session", "-d", SAVER, "-o", "/org/gnome/ScreenSaver", "-m",
                                   f"{SAVER}.SetActive", "true"], env=environment, capture_output=True).returncode == 0
        eventually(activate, 20, "the screen saver")
        eventually(lambda: desk.call("system_info", run_id="setup")["session"]["locked"], what="the lock")
        return desk

    yield start
    for server in servers:
        server.kill()
        server.wait()


def pictures(desk, run):
    return sorted(path.name for path in desk.data.glob(f"runs/*/{run}/screenshots/*"))


def test_captures_of_a_locked_screen_as_the_owner_says(locked):
    desk = locked(lock={"captures": "allow"}, evidence={"policy": "all"})
    assert desk.call("screenshot", run_id="seen")["image"]
    desk.fails("LOCKED", "left_click", x=5, y=5, run_id="seen")
    eventually(lambda: pictures(desk, "seen"), what="evidence")
    desk.write_config({**FULL_AUTO, "lock": {"captures": "refuse"}})
    eventually(lambda: not desk.answer("screenshot", image=False)["ok"], what="the new agreement in the hand")
    desk.fails("LOCKED", "screenshot", image=False)


def test_evidence_shows_nothing_of_a_locked_screen(locked):
    desk = locked(evidence={"policy": "all"})
    desk.fails("LOCKED", "screenshot", run_id="unseen")
    desk.fails("LOCKED", "left_click", x=5, y=5, run_id="unseen")
    desk.call("window_list", run_id="unseen")
    lines = eventually(lambda: [path.read_text() for path in desk.data.glob("runs/*/unseen/steps.jsonl")], what="steps")
    assert lines[0].count("the screen is locked") >= 3
    assert pictures(desk, "unseen") == []


def test_some_display_is_primary(desk):
    assert [display["primary"] for display in desk.call("system_info")["displays"]] == [True]
