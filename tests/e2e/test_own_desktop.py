"""Programs that agents start on the user's own desktop: they have the user's files, but a PID namespace of their own, so that they
are never taken for the owner and a stop ends them. What a hostile program tries is in tests/attack."""
import json
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import time
import uuid

import pytest

from handfast import FULL_AUTO, ROOT, SLOW, eventually, inner_pid, process_alive
from human import Human
from session import Session

CONFIG = {**FULL_AUTO, "takeover": {"enabled": False}}
APPS = ROOT / "tests" / "apps"


@pytest.fixture(scope="module")
def session():
    session = Session()
    yield session
    session.stop()


def user_environment(session):
    return {"DISPLAY": session.display, "DBUS_SESSION_BUS_ADDRESS": session.environment["DBUS_SESSION_BUS_ADDRESS"]}


@pytest.fixture
def desk(own_desk, session):
    return own_desk("--display", session.display, environment=user_environment(session), config=CONFIG)


def namespace_of(pid):
    return os.readlink(f"/proc/{pid}/ns/pid")


def processes(mark):
    """Those whose command line has the mark, on this machine; zombies have none."""
    found = []
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
        except OSError:
            pass
    return found


def first_processes(desk):
    """The first processes of the namespaces that this desk has made."""
    found = []
    for pid in processes("--init"):
        try:
            if str(desk.runtime).encode() in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes() and inner_pid(pid) == 1:
                found.append(pid)
        except OSError:
            pass
    return found


def run_inside(desk, script):
    report = desk.home / f"report-{uuid.uuid4()}"
    desk.call("app_launch", name="bash", args=["-c", f"({script}) > {report}.new 2>&1; mv {report}.new {report}"], wait_ms=0)
    eventually(report.exists, 20, "the report")
    return report.read_text()


def start_daemons(desk):
    """A loop of each kind that tries to outlive what has started it; their mark, once all four run."""
    mark = f"loop-{uuid.uuid4()}"
    loop = f"import signal, time  # {mark}\\nfor number in (1, 2, 15): signal.signal(number, signal.SIG_IGN)\\nwhile True: time.sleep(.01)"
    script = desk.home / "daemons.py"
    script.write_text(f"""
import os
for way in ("plain", "setsid", "double", "empty"):
    if os.fork() == 0:
        if way != "plain":
            os.setsid()
        if way in ("double", "empty") and os.fork():
            os._exit(0)
        os.execve({sys.executable!r}, ["python3", "-c", "{loop}"], {{}} if way == "empty" else dict(os.environ))
""")
    desk.call("app_launch", name=sys.executable, args=[str(script)], wait_ms=0)
    eventually(lambda: len(processes(mark)) == 4, 20, "four loops")
    return mark


def resume(desk, session):
    """As the owner who has just used the desktop: an agent's was the last input before."""
    Human(session.environment).click()
    eventually(lambda: desk.owner_cli("resume").returncode == 0, 10, "the resume")


def test_programs_have_a_namespace_of_their_own(desk):
    mark = start_daemons(desk)
    loops = processes(mark)
    assert {namespace_of(pid) for pid in loops} == {namespace_of(first_processes(desk)[0])} != {namespace_of(desk.process.pid)}
    hand = desk.desktops()["main"]["hand_pid"]
    assert namespace_of(hand) == namespace_of(desk.process.pid)
    seen = run_inside(desk, f"cat /proc/[0-9]*/cmdline | tr '\\0' ' '; kill -0 {desk.process.pid} {hand}; ls -d /proc/{hand}")
    assert " serve" not in seen and " hand" not in seen and mark in seen
    assert seen.count("No such process") == 2 and "No such file" in seen
    running = desk.desktops()["main"]["programs"]
    assert running["namespace"] is True
    assert {entry["pid"] for entry in running["running"]} == set(loops) and running["running"][0]["name"] == "python3"
    shown = desk.cli("desktop", "show", "main").stdout.decode()
    assert "a stop ends them" in shown and f"python3 ({loops[0]})" in shown


def test_files_are_the_users(desk):
    (desk.home / "mine.txt").write_text("mine")
    assert "mine" in run_inside(desk, "cat ~/mine.txt; echo new > ~/new.txt")
    made = (desk.home / "new.txt").stat()
    assert (made.st_uid, made.st_gid) == (os.geteuid(), os.getegid())


def test_windows_have_the_pids_of_this_machine(desk):
    launched = desk.call("app_launch", name=sys.executable, args=[str(APPS / "widgets_gtk3.py")], wait_ms=20000)
    window = launched["window"]
    assert launched["pid"] == window["pid"] and inner_pid(launched["pid"]) != launched["pid"]
    assert window["pid"] in {entry["pid"] for entry in desk.call("window_list")["windows"]}
    apps = [app for app in desk.call("app_list")["apps"] if window["pid"] in app.get("pids", [app.get("pid")])]
    assert apps, desk.call("app_list")
    described = json.dumps(desk.call("ui_describe", window_id=window["window_id"]))
    assert "button" in described, "AT-SPI finds the same process"


def test_a_stop_ends_everything(desk, session):
    mark = start_daemons(desk)
    desk.call("app_launch", name="xterm", args=["-T", "launched", "-e", "sleep", "1000"])
    window = desk.window("launched")
    first = first_processes(desk)
    began = time.monotonic()
    stopped = desk.owner_cli("stop")
    took = time.monotonic() - began
    assert stopped.returncode == 0 and "Everything is stopped" in stopped.shown
    assert not processes(mark) and not process_alive(window["pid"]) and not first_processes(desk)
    assert took < 1 * SLOW
    resume(desk, session)
    assert not processes(mark)
    assert desk.desktops()["main"]["restarts"] == 0, "its hand goes on"
    desk.call("app_launch", name="xterm", args=["-T", "again", "-e", "sleep", "1000"])
    again = desk.window("again")
    assert first_processes(desk) and first_processes(desk) != first
    assert namespace_of(again["pid"]) == namespace_of(first_processes(desk)[0])


def test_a_stop_frees_the_pointer(desk, session):
    """A program that has grabbed it would keep it if it were only frozen."""
    grab = desk.home / "grab.py"
    grab.write_text("import sys, time, Xlib.X, Xlib.display\nx = Xlib.display.Display()\n"
                    "assert x.screen().root.grab_pointer(True, 0, 1, 1, 0, 0, 0) == 0\n"
                    "open(sys.argv[1], 'w').close()\ntime.sleep(1000)\n")
    desk.call("app_launch", name=sys.executable, args=[str(grab), str(desk.home / "grabbed")], wait_ms=0)
    eventually((desk.home / "grabbed").exists, 20, "the grab")
    held = Xgrab(session)
    assert not held.possible()
    assert desk.owner_cli("stop").returncode == 0
    assert held.possible()


class Xgrab:
    """Whether somebody else could grab the pointer."""

    def __init__(self, session):
        self.x = session.x

    def possible(self):
        status = self.x.screen().root.grab_pointer(True, 0, 1, 1, 0, 0, 0)
        self.x.ungrab_pointer(0)
        self.x.sync()
        return status == 0


def test_a_stop_that_cannot_be_verified_fails(desk):
    desk.call("app_launch", name="sleep", args=["1000"], wait_ms=0)
    stage = stage_of(desk)
    os.kill(stage, signal.SIGSTOP)
    try:
        stopped = desk.owner_cli("stop")
        assert stopped.returncode == 1 and "does not answer" in stopped.shown and "main" in stopped.shown
    finally:
        os.kill(stage, signal.SIGCONT)
    assert any("unstopped" in json.dumps(row) for row in desk.audit())
    assert desk.owner_cli("stop").returncode == 0
    assert not desk.desktops()["main"]["programs"]["running"]


def test_a_stop_ends_what_a_former_desk_has_left(desk):
    mark = start_daemons(desk)
    desk.process.kill()
    desk.process.wait()
    desk.start()
    assert len(processes(mark)) == 4, "the end of the desk ends nothing on the user's desktop"
    assert desk.owner_cli("stop").returncode == 0
    eventually(lambda: not processes(mark), 2, "the end of the loops")


def test_a_namespace_ends_with_its_last_program(desk, session):
    desk.call("app_launch", name="sleep", args=["1000"], wait_ms=0)
    sleeper, = desk.desktops()["main"]["programs"]["running"]
    first, = first_processes(desk)
    desk.remove_desktop("main")
    assert process_alive(sleeper["pid"]) and process_alive(first)
    os.kill(sleeper["pid"], signal.SIGKILL)
    eventually(lambda: not process_alive(first), 5, "the end of the namespace")


def test_a_namespace_that_was_ended_comes_back(desk):
    desk.call("app_launch", name="sleep", args=["1000"], wait_ms=0)
    first, = first_processes(desk)
    os.kill(first, signal.SIGKILL)
    eventually(lambda: first_processes(desk) not in ([], [first]), 10, "another namespace")
    assert run_inside(desk, "echo here") == "here\n"


def test_orphans_are_reaped(desk):
    script = "for i in 1 2 3 4 5 6 7 8 9; do (setsid sh -c 'sleep .1' &) ; done; sleep .5; cat /proc/[0-9]*/stat"
    states = [line.rsplit(")", 1)[1].split()[0] for line in run_inside(desk, script).splitlines() if ")" in line]
    assert states and "Z" not in states


def stage_of(desk):
    hand = desk.desktops()["main"]["hand_pid"]
    return int(pathlib.Path(f"/proc/{hand}/stat").read_text().rsplit(")", 1)[1].split()[1])


def descriptors(desk):
    hand, stage = desk.desktops()["main"]["hand_pid"], stage_of(desk)
    return {name: len(os.listdir(f"/proc/{pid}/fd"))
            for name, pid in (("hand", hand), ("stage", stage), ("first", first_processes(desk)[0]), ("desk", desk.process.pid))}


def test_launches_leave_nothing_open(desk):
    def launch():
        desk.call("app_launch", name="true", wait_ms=0)

    for _ in range(20):
        launch()
    before = descriptors(desk)
    for _ in range(300):
        launch()
    eventually(lambda: descriptors(desk) == before, 10, "as many descriptors as before")
    assert not desk.desktops()["main"]["programs"]["running"]


def test_a_launch_costs_little(own_desk, session):
    """At most 15 ms more than without a namespace."""
    medians = {}
    for namespace in (False, True):
        desk = own_desk("--display", session.display, config={**CONFIG, "container": {"own_desktop": namespace}})
        times = []
        for _ in range(30):
            began = time.monotonic()
            desk.call("app_launch", name="true", wait_ms=0)
            times.append((time.monotonic() - began) * 1000)
        medians[namespace] = statistics.median(times)
        desk.stop()
    print("launch, median in ms:", medians)
    assert medians[True] - medians[False] < 15 * SLOW, medians


def test_without_a_namespace_the_owner_is_told(own_desk, session, tmp_path):
    """A system that does not let bubblewrap work: the strict template applies, and everybody says so."""
    broken = tmp_path / "bwrap"
    broken.write_text("#!/bin/sh\necho 'No permissions to create new namespace' >&2\nexit 1\n")
    broken.chmod(0o755)
    desk = own_desk("--display", session.display, environment={"PATH": f"{tmp_path}:{os.environ['PATH']}"}, config=CONFIG)
    programs = desk.desktops()["main"]["programs"]
    assert programs["namespace"] is False and programs["missing"] is True
    assert "No permissions to create new namespace" in programs["reason"] and programs["suggestion"]
    assert "strict" in desk.cli("desktop", "list").stdout.decode()
    assert "No permissions" in desk.cli("desktop", "show", "main").stdout.decode()
    assert "strict template" in desk.cli("doctor").stdout.decode()
    assert "No permissions" in desk.log_text()
    assert "require_approval" in json.dumps(desk.call("app_launch", name="true", wait_ms=0, dry_run=True))


def test_the_owner_can_turn_it_off(own_desk, session):
    desk = own_desk("--display", session.display, config={**CONFIG, "container": {"own_desktop": False}})
    programs = desk.desktops()["main"]["programs"]
    assert programs["namespace"] is False and programs["missing"] is False
    assert "container.own_desktop" in desk.cli("desktop", "show", "main").stdout.decode()
    mark = start_daemons(desk)
    assert {namespace_of(pid) for pid in processes(mark)} == {namespace_of(desk.process.pid)}
    assert desk.owner_cli("stop").returncode == 0
    assert not processes(mark), "a stop ends them all the same"


def test_the_clipboard_survives_a_stop(desk, session):
    desk.call("clipboard_write", text="kept for the user")
    assert desk.owner_cli("stop").returncode == 0
    assert subprocess.run(["xclip", "-o", "-selection", "clipboard"], env=session.environment, capture_output=True,
                          timeout=20).stdout == b"kept for the user"


def test_programs_share_clipboard_and_bus_with_the_user(desk, session):
    assert run_inside(desk, "echo from inside | xclip -i -selection clipboard; xclip -o -selection clipboard") == "from inside\n"
    assert desk.call("clipboard_read")["text"] == "from inside\n"
    answer = run_inside(desk, "gdbus call --session --dest org.freedesktop.DBus --object-path / --method "
                              "org.freedesktop.DBus.StartServiceByName org.a11y.Bus 0; gdbus call --session --dest org.a11y.Bus "
                              "--object-path /org/a11y/bus --method org.a11y.Bus.GetAddress")
    assert "unix:" in answer, answer


@pytest.mark.parametrize("name,arguments,title", [
    ("chromium", ["--no-first-run", "--no-sandbox", "data:text/html,<title>inside</title>"], "inside"),
    ("soffice", ["--norestore", "--nologo"], "LibreOffice"),
])
def test_large_programs_run(desk, name, arguments, title):
    if subprocess.run(["which", name], capture_output=True).returncode != 0:
        pytest.skip(f"{name} is not installed")
    desk.call("app_launch", name=name, args=arguments, wait_ms=1000)
    window = desk.window(title, seconds=60)
    assert process_alive(window["pid"]) and namespace_of(window["pid"]) == namespace_of(first_processes(desk)[0])
    assert desk.owner_cli("stop").returncode == 0
    assert not process_alive(window["pid"]) and not desk.desktops()["main"]["programs"]["running"]
