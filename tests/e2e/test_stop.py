"""Stop, pause and abort: from every trigger, in the middle of everything, latched, and never by or for the agent."""
import contextlib
import ctypes
import json
import os
import signal
import subprocess
import threading
import time

import Xlib.XK
import pytest

import xkb
from editors import Mousepad
from handfast import FULL_AUTO, PROGRAM, SLOW, eventually, process_alive
from human import CONTROL, STOP_CHORD, Human
from screen import Screen
from witness import RECORDER, Witness

# No letters: one that is typed while the person holds Ctrl and Shift would be a shortcut of the program's.
TEXT = "".join(chr(49 + i % 9) for i in range(10000))


@pytest.fixture
def quiet_config():
    """The agreement of the other tests, but nobody steps back for a person: only a stop ends something."""
    return {**FULL_AUTO, "takeover": {"enabled": False}}


@pytest.fixture
def stop_desk(own_desk, quiet_config):
    return own_desk(config=quiet_config)


@contextlib.contextmanager
def human(desk, desktop="main"):
    person = Human(desk.desktop_environment(desktop))
    try:
        yield person
    finally:
        person.close()


@contextlib.contextmanager
def witness(desk, *arguments, desktop="main"):
    program = Witness(desk, RECORDER, *arguments, desktop=desktop)
    try:
        yield program
    finally:
        program.stop()


def holds(desk):
    return desk.main_bridge.manage("status")["holds"]


def stopped(desk):
    return holds(desk)["stopped"]


def wait_stopped(desk):
    return eventually(lambda: stopped(desk), what="the stop")


def resume(desk, *arguments):
    run = desk.owner_cli("resume", *arguments)
    assert run.returncode == 0, run.shown


def held(desk, desktop="main"):
    """Keys and buttons that are down on that display, whoever holds them."""
    screen = Screen(desk.desktop_environment(desktop))
    try:
        keys = [index for index, byte in enumerate(screen.x.query_keymap()) if byte]
        return keys, screen.root.query_pointer().mask & 0x1f00
    finally:
        screen.close()


def begin(desk, tool, **params):
    """A call in flight on a connection of its own."""
    bridge = desk.connect()
    bridge.send("call", {"tool": tool, "params": params})
    return bridge


def ended(bridge, code="STOPPED"):
    answer = bridge.receive()["result"]
    bridge.close()
    assert not answer["ok"], answer
    assert answer["error"]["code"] == code, answer["error"]
    return answer["error"]


def saved(editor, person):
    """What the program itself has, saved by the person."""
    before = editor.file.stat().st_mtime_ns
    person.chord(CONTROL, Xlib.XK.XK_s)
    eventually(lambda: editor.file.stat().st_mtime_ns != before, what="the file")
    time.sleep(0.1)  # it may be written in two steps
    return editor.read()


def test_the_hotkey_ends_typing_at_once(stop_desk):
    editor = Mousepad(stop_desk)
    with human(stop_desk) as person:
        bridge = begin(stop_desk, "type_text", text=TEXT, method="keys", delay=1)
        eventually(lambda: "*" in stop_desk.window("Mousepad")["title"], what="the first characters")
        person.press_stop()
        error = ended(bridge)
        typed = error["details"]["done"]["characters"]
        assert 0 < typed < len(TEXT)
        first = saved(editor, person)
        assert first == TEXT[:len(first)]
        assert -1 <= typed - len(first) <= 10, "more is missing than was typed while the person held Ctrl"
        time.sleep(0.1)  # a hundred characters, had it gone on
        person.chord(Xlib.XK.XK_space)
        assert saved(editor, person) == first + " ", "the text grew after the stop"
        assert held(stop_desk) == ([], 0)
        hold = wait_stopped(stop_desk)
        assert hold["by"] == "the hotkey on desktop main"
    editor.stop()


def test_a_command_ends_typing_at_full_speed(stop_desk):
    editor = Mousepad(stop_desk)
    with human(stop_desk) as person:
        bridge = begin(stop_desk, "type_text", text=TEXT * 10, method="keys")
        eventually(lambda: "*" in stop_desk.window("Mousepad")["title"], what="the first characters")
        run = stop_desk.cli("stop", "--reason", "enough")
        assert run.returncode == 0 and b"stopped" in run.stdout, run
        assert ended(bridge)["details"]["done"]["characters"] < 10 * len(TEXT)
        first = saved(editor, person)
        person.chord(Xlib.XK.XK_space)
        assert saved(editor, person) == first + " ", "the text grew after the stop"
    assert stopped(stop_desk)["reason"] == "enough"
    assert held(stop_desk) == ([], 0)
    editor.stop()


def test_pasting_is_done_whole_or_not_at_all(stop_desk):
    editor = Mousepad(stop_desk)
    with human(stop_desk) as person:
        bridge = begin(stop_desk, "type_text", text=TEXT * 10, method="paste")
        assert stop_desk.cli("stop").returncode == 0
        bridge.receive()
        bridge.close()
        person.chord(Xlib.XK.XK_space)
        assert len(saved(editor, person)) in (1, 10 * len(TEXT) + 1)
    editor.stop()


def test_two_hundred_calls_are_called_off(stop_desk):
    bridges = [stop_desk.connect() for _ in range(10)]
    for bridge in bridges:
        for number in range(20):
            tool = ("wait", {"duration": 60}) if number % 2 else ("hold_key", {"keys": ["shift"], "duration": 60})
            bridge.send("call", {"tool": tool[0], "params": tool[1]})
    started = time.monotonic()
    stop_desk.main_bridge.send("stop", {"reason": "all of them"})
    while "id" not in (reply := stop_desk.main_bridge.receive()):
        pass
    assert reply["result"]["result"] == {"stopped": True, "durable": True}
    for bridge in bridges:
        codes = [bridge.receive()["result"]["error"]["code"] for _ in range(20)]
        assert codes == ["STOPPED"] * 20
        bridge.close()
    assert time.monotonic() - started < 2 * SLOW
    assert held(stop_desk) == ([], 0)


def test_a_smooth_drag_lets_go(stop_desk):
    with witness(stop_desk, "--geometry", "800x600+0+0", "--override") as window, human(stop_desk) as person:
        bridge = begin(stop_desk, "mouse_drag", from_x=100, from_y=100, to_x=700, to_y=500, duration=20000)
        window.next("button_press")
        window.next("motion")
        person.press_stop()
        ended(bridge)
        window.next("button_release")
        assert held(stop_desk) == ([], 0)
        time.sleep(0.1)  # ten motions, had it gone on
        assert window.lines.empty() or all(line["event"] not in ("motion", "button_press")
                                           for line in list(window.lines.queue))


def test_held_keys_and_buttons_come_up(stop_desk):
    stop_desk.call("key_down", keys=["ctrl", "alt"])
    stop_desk.call("mouse_down", button="left", x=300, y=300)
    assert held(stop_desk) != ([], 0)
    assert stop_desk.cli("stop").returncode == 0
    eventually(lambda: held(stop_desk) == ([], 0), what="everything let go")
    resume(stop_desk)
    # And the hand knows it too.
    stop_desk.call("key_down", keys=["ctrl"])
    assert held(stop_desk)[0]
    stop_desk.call("key_up", keys=["ctrl"])
    assert held(stop_desk) == ([], 0)


def test_a_hung_hand_is_killed(stop_desk):
    stop_desk.call("key_down", keys=["shift"])
    pid = stop_desk.desktops()["main"]["hand_pid"]
    bridge = begin(stop_desk, "wait", duration=60)
    os.kill(pid, signal.SIGSTOP)
    started = time.monotonic()
    assert stop_desk.cli("stop").returncode == 0
    assert time.monotonic() - started < 1 * SLOW
    ended(bridge)
    eventually(lambda: not process_alive(pid), what="the end of the hand")
    eventually(lambda: held(stop_desk) == ([], 0), what="the next hand's tidying up")
    assert stopped(stop_desk)
    resume(stop_desk)
    stop_desk.call("mouse_move", x=10, y=10)


def x_server(desk):
    number = desk.desktop_environment()["DISPLAY"]
    lines = subprocess.run(["ps", "-eo", "pid=,args="], capture_output=True, text=True).stdout.splitlines()
    children = [line.split(None, 1) for line in lines if "Xvfb" in line and str(desk.home) in line]
    assert len(children) == 1, (number, children)
    return int(children[0][0])


def test_a_hung_display(stop_desk):
    server = x_server(stop_desk)
    os.kill(server, signal.SIGSTOP)
    try:
        bridge = begin(stop_desk, "mouse_move", x=100, y=100)
        eventually(lambda: stop_desk.audit()[-1]["kind"] == "intent", what="the call that hangs")
        started = time.monotonic()
        assert stop_desk.cli("stop").returncode == 0
        assert time.monotonic() - started < 1 * SLOW
        ended(bridge)
        assert stopped(stop_desk)
    finally:
        os.kill(server, signal.SIGCONT)
    resume(stop_desk)
    eventually(lambda: stop_desk.answer("mouse_move", x=10, y=10)["ok"], 30, "a hand that works again")


def test_with_all_workers_busy(stop_desk):
    bridges = [stop_desk.connect() for _ in range(5)]
    for bridge in bridges:
        for _ in range(30):
            bridge.send("call", {"tool": "wait", "params": {"duration": 60}})
    eventually(lambda: stop_desk.main_bridge.manage("status"), what="the desk")
    started = time.monotonic()
    assert stop_desk.cli("stop").returncode == 0
    assert time.monotonic() - started < 1 * SLOW
    for bridge in bridges:
        for _ in range(30):
            assert bridge.receive()["result"]["error"]["code"] == "STOPPED"
        bridge.close()


@pytest.mark.skipif("build-tsan" in PROGRAM, reason="ThreadSanitizer is too slow for the second that the desk has")
def test_a_desk_that_was_frozen_is_stopped(stop_desk):
    """Whoever freezes the desk gains nothing: it is thawed, and the stop holds before the command says so."""
    bridge = begin(stop_desk, "wait", duration=60)
    stop_desk.process.send_signal(signal.SIGSTOP)
    started = time.monotonic()
    ran = stop_desk.cli("stop")
    assert ran.returncode == 0, ran
    assert b"signal" in ran.stdout and b"Everything is stopped." in ran.stdout
    assert time.monotonic() - started < 1 * SLOW
    ended(bridge)
    assert stopped(stop_desk)


def parent_of(pid):
    with open(f"/proc/{pid}/stat") as file:
        return int(file.read().rsplit(")", 1)[1].split()[1])


PTRACE_SEIZE, PTRACE_INTERRUPT, PTRACE_DETACH = 0x4206, 0x4207, 17


def hold_tasks(ptrace, pid):
    """Stops all threads of a process, also those that begin meanwhile; one may end while it is looked at."""
    tasks = []
    while rest := [int(task) for task in os.listdir(f"/proc/{pid}/task") if int(task) not in tasks]:
        for task in rest:
            if ptrace(PTRACE_SEIZE, task, None, None) == 0 and ptrace(PTRACE_INTERRUPT, task, None, None) == 0:
                os.waitpid(task, 0x40000000)  # __WALL
                tasks.append(task)
    return tasks


def test_what_cannot_be_stopped_is_killed(own_desk):
    """A desk that does nothing at all, whatever it is told: its desktops and hands end, and the command fails."""
    desk = own_desk()
    launched = desk.host_pid(desk.call("app_launch", name="xterm")["pid"])
    hand, stage = desk.desktops()["main"]["hand_pid"], parent_of(desk.desktops()["main"]["hand_pid"])
    ptrace = ctypes.CDLL(None, use_errno=True).ptrace
    tasks = hold_tasks(ptrace, desk.process.pid)
    try:
        ran = desk.cli("stop")
        assert ran.returncode == 1 and b"did not confirm" in ran.stderr and b"killed" in ran.stderr, ran
        for pid in (hand, stage, launched):
            assert not process_alive(pid)
    finally:
        for task in tasks:
            ptrace(PTRACE_DETACH, task, None, None)
    desk.process.send_signal(signal.SIGTERM)
    desk.process.wait(30)


def test_a_signal_stops_too(stop_desk):
    bridge = begin(stop_desk, "wait", duration=60)
    stop_desk.process.send_signal(signal.SIGUSR2)
    ended(bridge)
    assert "signal" in stopped(stop_desk)["by"]


def test_the_command_falls_back_to_the_signal(stop_desk):
    """A bridge that is full answers nobody; the signal gets through."""
    crowd = []
    with contextlib.suppress(OSError):
        for _ in range(256):
            crowd.append(stop_desk.connect())
    run = stop_desk.cli("stop")
    assert run.returncode == 0 and b"signal" in run.stdout, run
    for bridge in crowd:
        bridge.close()
    assert "signal" in wait_stopped(stop_desk)["by"]


def test_the_command_without_a_desk(stop_desk):
    stop_desk.stop()
    assert stop_desk.cli("stop").returncode == 3
    stop_desk.start()


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_latched_over_the_end_of_the_desk(stop_desk, how):
    assert stop_desk.cli("stop", "--reason", "for good").returncode == 0
    stop_desk.process.send_signal(how)
    stop_desk.process.wait(timeout=30)
    stop_desk.start()
    eventually(lambda: "STOPPED" in stop_desk.log.read_text(), what="the desk saying so")
    for tool, params in [("screenshot", {"image": False}), ("mouse_move", {"x": 1, "y": 1}), ("window_list", {})]:
        error = stop_desk.fails("STOPPED", tool, **params)
        assert error["details"]["reason"] == "for good" and not error["retryable"]
    assert b"STOPPED" in stop_desk.cli("status").stdout
    resume(stop_desk)
    stop_desk.call("mouse_move", x=1, y=1)
    stop_desk.stop()
    stop_desk.start()
    stop_desk.call("mouse_move", x=2, y=2)


def test_one_desktop_stops_all(stop_desk):
    stop_desk.new_desktop("other", width=640, height=480)
    on_main = begin(stop_desk, "hold_key", keys=["a"], duration=60)
    on_other = begin(stop_desk, "hold_key", keys=["b"], duration=60, desktop="other")
    eventually(lambda: held(stop_desk)[0] and held(stop_desk, "other")[0], what="both keys down")
    with human(stop_desk, "other") as person:
        person.press_stop()
    ended(on_main)
    ended(on_other)
    assert held(stop_desk) == ([], 0) and held(stop_desk, "other") == ([], 0)
    assert wait_stopped(stop_desk)["by"] == "the hotkey on desktop other"


def test_the_hotkey_while_a_menu_has_grabbed_the_keyboard(stop_desk):
    editor = Mousepad(stop_desk)
    stop_desk.call("key_press", keys=["alt", "f"])
    screen = Screen(stop_desk.desktop_environment())

    def grabbed():
        status = screen.root.grab_keyboard(False, 1, 1, 0)
        screen.x.ungrab_keyboard(0)
        screen.x.sync()
        return status == 1
    eventually(grabbed, what="the menu's grab")
    screen.close()
    with human(stop_desk) as person:
        person.press_stop()
    wait_stopped(stop_desk)
    editor.stop()


@pytest.mark.parametrize("layout", ["de", "fr", "ru", "us,ru"])
def test_the_hotkey_on_other_layouts(stop_desk, layout):
    environment = stop_desk.desktop_environment()
    xkb.set_layout(environment, layout)
    if "," in layout:
        xkb.lock(environment, group=1)
    with human(stop_desk) as person:
        def press():
            person.press_stop()
            return stopped(stop_desk)
        eventually(press, what="the stop")
    resume(stop_desk)


def test_the_hotkey_while_the_layout_changes(stop_desk):
    """Reading the new map must swallow no key."""
    environment = stop_desk.desktop_environment()
    with human(stop_desk) as person:
        for number in range(10):
            xkb.set_layout(environment, "de" if number % 2 else "us")
            time.sleep(0.0007 * number)  # anywhere in the reading
            person.press_stop()
            wait_stopped(stop_desk)
            resume(stop_desk)


def test_a_hotkey_of_the_owners_own(own_desk, quiet_config):
    desk = own_desk(config={**quiet_config, "stop": {"hotkey": "ctrl+alt+s"}})
    with human(desk) as person:
        person.press_stop()
        desk.call("mouse_move", x=9, y=9)
        assert not stopped(desk)
        person.chord(CONTROL, Xlib.XK.XK_Alt_L, Xlib.XK.XK_s)
        wait_stopped(desk)
    resume(desk)
    desk.fails("DANGEROUS_ACTION_BLOCKED", "hotkey", keys="ctrl+alt+s", reason="a test")
    # The agreement may change while the desk runs.
    desk.write_config({**quiet_config, "stop": {"hotkey": "f9"}})
    with human(desk) as person:
        def press():
            person.chord(Xlib.XK.XK_F9)
            return stopped(desk)
        eventually(press, what="the new hotkey")


def test_a_hotkey_that_nobody_understands(own_desk, quiet_config):
    desk = own_desk(config={**quiet_config, "stop": {"hotkey": "ctrl+nonsense"}})
    eventually(lambda: "nonsense" in json.dumps(desk.desktops()["main"].get("hotkey_problem", {})), what="the problem")
    with human(desk) as person:
        person.press_stop()
        wait_stopped(desk)


AGENT = [
    ("hotkey", {"keys": "ctrl+shift+escape", "reason": "a test"}),
    ("hotkey", {"keys": "ctrl+alt+f1", "reason": "a test"}),
    ("key_press", {"keys": ["shift", "ctrl", "esc"]}),
    ("hold_key", {"keys": ["ctrl", "shift", "escape"], "duration": 0.1}),
    ("key_down", {"keys": ["ctrl", "shift", "escape"]}),
]


@pytest.mark.parametrize("tool, params", AGENT)
def test_the_agent_cannot_press_it(desk, tool, params):
    desk.fails("DANGEROUS_ACTION_BLOCKED", tool, **params)
    assert not stopped(desk)
    assert held(desk) == ([], 0)


def test_the_agent_cannot_build_it_up(desk):
    desk.call("key_down", keys=["ctrl"])
    desk.call("key_down", keys=["shift"])
    desk.fails("DANGEROUS_ACTION_BLOCKED", "key_press", keys=["escape"])
    desk.fails("DANGEROUS_ACTION_BLOCKED", "key_down", keys=["escape"])
    desk.call("key_up", keys=["shift"])
    desk.call("key_down", keys=["escape"])
    desk.fails("DANGEROUS_ACTION_BLOCKED", "left_click", x=700, y=700, modifiers=["shift"])
    desk.call("key_up", keys=["escape", "ctrl"])
    desk.call("key_down", keys=["ctrl", "alt"])
    desk.fails("DANGEROUS_ACTION_BLOCKED", "key_press", keys=["f2"])
    desk.call("key_up", keys=["ctrl", "alt"])
    assert held(desk) == ([], 0)
    assert not stopped(desk)


def test_made_up_input_does_not_trigger_it(desk):
    """Even if it were pressed: XTEST is not a person."""
    screen = Screen(desk.desktop_environment())
    import Xlib.X
    import Xlib.ext.xtest
    codes = [screen.x.keysym_to_keycode(keysym) for keysym in STOP_CHORD]
    for code in codes:
        Xlib.ext.xtest.fake_input(screen.x, Xlib.X.KeyPress, code)
    for code in reversed(codes):
        Xlib.ext.xtest.fake_input(screen.x, Xlib.X.KeyRelease, code)
    screen.x.sync()
    screen.close()
    desk.call("mouse_move", x=20, y=20)
    assert not stopped(desk)


def test_only_the_owner_resumes(stop_desk):
    assert stop_desk.cli("stop").returncode == 0
    answer = stop_desk.main_bridge.request("resume")["result"]
    assert answer["error"]["code"] == "FORBIDDEN"
    assert stop_desk.cli("resume").returncode == 1
    assert stopped(stop_desk)
    resume(stop_desk)
    assert stop_desk.owner_cli("resume").returncode == 1, "nothing is stopped any more"


def test_pauses(stop_desk):
    stop_desk.new_desktop("other", width=640, height=480)
    on_main = begin(stop_desk, "hold_key", keys=["a"], duration=60)
    eventually(lambda: held(stop_desk)[0], what="the key")
    assert stop_desk.cli("pause", "--desktop", "main", "--reason", "lunch").returncode == 0
    assert ended(on_main, "PAUSED")["details"]["reason"] == "lunch"
    eventually(lambda: held(stop_desk) == ([], 0), what="the key up")
    error = stop_desk.fails("PAUSED", "screenshot", image=False)
    assert error["retryable"] and error["details"]["since"] and error["details"]["by"]
    stop_desk.call("screenshot", image=False, desktop="other")
    assert stop_desk.cli("resume", "--desktop", "main").returncode == 1
    resume(stop_desk, "--desktop", "main")
    stop_desk.call("screenshot", image=False)
    assert stop_desk.cli("pause").returncode == 0
    stop_desk.fails("PAUSED", "screenshot", image=False, desktop="other")
    stop_desk.stop()
    stop_desk.start()
    stop_desk.fails("PAUSED", "screenshot", image=False)
    resume(stop_desk)
    stop_desk.call("screenshot", image=False)


def test_a_run_is_paused_and_aborted(stop_desk):
    stop_desk.call("key_down", keys=["shift"], run_id="one")
    bridge = begin(stop_desk, "wait", duration=60, run_id="one")
    eventually(lambda: stop_desk.cli("pause", "--run", "one").returncode == 0)
    ended(bridge, "PAUSED")
    eventually(lambda: held(stop_desk) == ([], 0), what="its key up")
    stop_desk.fails("PAUSED", "screenshot", image=False, run_id="one")
    stop_desk.call("screenshot", image=False, run_id="two")
    resume(stop_desk, "--run", "one")
    bridge = begin(stop_desk, "hold_key", keys=["a"], duration=60, run_id="one")
    eventually(lambda: held(stop_desk)[0], what="the key")
    assert stop_desk.main_bridge.manage("abort", run_id="one")["calls_called_off"] == 1
    ended(bridge, "DESKTOP_ABORTED")
    eventually(lambda: held(stop_desk) == ([], 0), what="its key up")
    stop_desk.fails("DESKTOP_ABORTED", "screenshot", image=False, run_id="one")
    stop_desk.call("screenshot", image=False, run_id="three")
    assert stop_desk.owner_cli("abort", "three").returncode == 0
    stop_desk.fails("DESKTOP_ABORTED", "screenshot", image=False, run_id="three")


@pytest.mark.parametrize("method, params", [
    ("pause", {"desktop": 3}), ("pause", {"desktop": "a", "run_id": "b"}), ("pause", {"desktop": "x" * 100}),
    ("pause", {"nonsense": True}), ("abort", {}), ("abort", {"run_id": ""}), ("resume", {"run_id": ["a"]}),
])
def test_bad_input(desk, method, params):
    answer = desk.main_bridge.request(method, params)["result"]
    assert answer["error"]["code"] == "INVALID_PARAMS"
    assert not holds(desk)["paused"]


def test_a_stop_is_never_refused(stop_desk):
    """Whatever is wrong with its parameters."""
    stop_desk.main_bridge.send("stop", {"reason": {"not": "a text"}, "nonsense": 1})
    while "id" not in (reply := stop_desk.main_bridge.receive()):
        pass
    assert reply["result"]["ok"]
    assert stopped(stop_desk)


def test_a_stop_with_a_long_story(stop_desk):
    """Lines this long are parsed elsewhere; a stop among them is one all the same."""
    stop_desk.main_bridge.send("stop", {"reason": "because " * 20000})
    while "id" not in (reply := stop_desk.main_bridge.receive()):
        pass
    assert reply.get("result", {}).get("ok"), reply
    assert stopped(stop_desk)


def test_a_stop_against_a_resume(stop_desk):
    """Whichever comes last, hands and gate agree."""
    for _ in range(5):
        bridge = stop_desk.connect()
        stopper = threading.Thread(target=bridge.send, args=("stop",))
        stopper.start()
        stop_desk.owner_cli("resume")
        stopper.join()
        bridge.receive()  # when it is answered it holds
        bridge.close()
        answer = stop_desk.answer("mouse_move", x=3, y=3)
        if stopped(stop_desk):
            assert answer["error"]["code"] == "STOPPED"
            resume(stop_desk)
        stop_desk.call("mouse_move", x=4, y=4)
