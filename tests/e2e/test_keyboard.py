"""The keyboard tools: what a window saw, and every way of being wrong."""
import os
import pathlib
import signal
import subprocess
import threading
import time

import pytest

import xkb
from handfast import APPS, SLOW, eventually
from witness import RECORDER, Witness

CONTROL, SHIFT, A, C, RIGHT, RETURN = 37, 50, 38, 54, 114, 36


@pytest.fixture
def window(desk):
    """A focused window that writes down its keys, and answers pings."""
    witness = Witness(desk, RECORDER, "--geometry", "400x300+50+50", "--title", "keys here")
    desk.window("keys here")
    desk.call("window_focus", window_title="keys here")
    yield witness
    witness.stop()


def keys_seen(witness, count):
    """The next keys, as +keycode for a press and -keycode for a release."""
    seen = []
    while len(seen) < count:
        line = witness.all(lambda line: line["event"] in ("key_press", "key_release"))[-1]
        seen.append(line["keycode"] if line["event"] == "key_press" else -line["keycode"])
    return seen


def no_key_is_down(desk):
    return xkb.keys_down(desk.desktop_environment()) == []


@pytest.mark.parametrize("keys, expected", [
    (["ctrl", "c"], [CONTROL, C, -C, -CONTROL]),
    ("ctrl+c", [CONTROL, C, -C, -CONTROL]),
    (["CTRL", "C"], [CONTROL, C, -C, -CONTROL]),
    (["A"], [SHIFT, A, -A, -SHIFT]),
    (["shift+a"], [SHIFT, A, -A, -SHIFT]),
    (["Return"], [RETURN, -RETURN]),
    (["ctrl", "shift", "right"], [CONTROL, SHIFT, RIGHT, -RIGHT, -SHIFT, -CONTROL]),
])
def test_key_press(desk, window, keys, expected):
    result = desk.call("key_press", keys=keys)
    assert result["success"] and result["keys"]
    assert keys_seen(window, len(expected)) == expected


def test_repeat(desk, window):
    desk.call("key_press", keys=["right"], repeat=100)
    assert keys_seen(window, 200) == [RIGHT, -RIGHT] * 100


def test_down_and_up(desk, window):
    desk.call("key_down", keys=["shift"])
    desk.call("key_down", keys=["shift"])
    desk.call("key_press", keys=["a"])
    desk.call("left_click", x=100, y=100)
    assert keys_seen(window, 3) == [SHIFT, A, -A]
    assert window.next("button_press")["modifiers"] == ["shift"]
    desk.fails("PRECONDITION_FAILED", "type_text", text="not under shift")
    desk.call("key_up", keys=["shift"])
    desk.call("key_up", keys=["shift"])
    assert keys_seen(window, 1) == [-SHIFT]
    assert no_key_is_down(desk)


def test_hold_key(desk, window):
    started = time.monotonic()
    result = desk.call("hold_key", keys=["right"], duration=0.3)
    assert 0.3 <= time.monotonic() - started < 3 * SLOW
    assert result["duration"] == pytest.approx(0.3)
    assert keys_seen(window, 1) == [RIGHT]
    eventually(lambda: no_key_is_down(desk))


def test_hold_key_cancelled(desk, window):
    bridge = desk.connect()
    bridge.send("call", {"tool": "hold_key", "params": {"keys": ["ctrl", "right"], "duration": 60}})
    assert keys_seen(window, 2) == [CONTROL, RIGHT]
    bridge.close()
    eventually(lambda: no_key_is_down(desk))


def test_hotkey(desk, window):
    desk.fails("INVALID_PARAMS", "hotkey", keys=["super", "d"])
    assert desk.call("hotkey", keys=["ctrl", "right"], reason="a test")["keys"] == ["Control_L", "Right"]
    assert keys_seen(window, 4) == [CONTROL, RIGHT, -RIGHT, -CONTROL]


@pytest.fixture
def layout(desk):
    """A function that sets the layout and the active group; the default ones are back after the test."""
    environment = desk.desktop_environment()

    def set_up(layout, group=0):
        xkb.set_layout(environment, layout)
        xkb.lock(environment, group)
        return environment

    yield set_up
    set_up("us")


@pytest.fixture
def shortcuts(desk):
    """A focused Qt 5 window that tells its shortcuts and characters."""
    witness = Witness(desk, APPS / "qt5_shortcut.py")
    yield witness
    witness.stop()


@pytest.mark.parametrize("keys, expected", [
    ("ctrl+s", {"event": "shortcut", "keys": "Ctrl+S"}),
    ("ctrl+shift+s", {"event": "shortcut", "keys": "Ctrl+Shift+S"}),
    ("alt+x", {"event": "shortcut", "keys": "Alt+X"}),
    ("s", {"event": "key", "text": "s"}),
    ("shift+s", {"event": "key", "text": "S"}),
    ("ы", {"event": "key", "text": "ы"}),
    ("中", {"event": "key", "text": "中"}),
])
@pytest.mark.parametrize("name, group", [("us", 0), ("ru", 0), ("us,ru", 1)])
def test_keys_that_the_layout_lacks(desk, layout, shortcuts, name, group, keys, expected):
    """They are lent, and taken back when the program has dealt with them: Qt goes by the keymap once more after it has
    answered the ping behind them."""
    environment = layout(name, group)
    before = xkb.keymap(environment)
    desk.call("type_text", text="й中", method="keys")
    desk.call("key_press", keys=keys)
    desk.call("key_press", keys=keys, repeat=2)
    desk.call("key_press", keys="0")
    seen = shortcuts.all(lambda line: line.get("text") == "0")
    assert seen == [{"event": "key", "text": "й"}, {"event": "key", "text": "中"}, *[expected] * 3,
                    {"event": "key", "text": "0"}]
    assert xkb.keymap(environment) == before


def test_keys_for_a_program_that_never_rests(desk, layout):
    layout("ru")
    witness = Witness(desk, APPS / "qt5_shortcut.py", "--restless")
    try:
        for _ in range(3):
            desk.call("key_press", keys="ctrl+s")
            assert witness.next("shortcut")["keys"] == "Ctrl+S"
    finally:
        witness.stop()


@pytest.mark.parametrize("options", [[], ["--elsewhere"]], ids=["late", "elsewhere"])
def test_keys_for_a_program_that_learns_of_the_map_late(desk, options):
    witness = Witness(desk, APPS / "late_map.py", *options)
    try:
        for character in "中文字é":
            desk.call("key_press", keys=character)
            assert witness.next("key")["text"] == character
    finally:
        witness.stop()


FORBIDDEN = ["ctrl+shift+esc", "esc+ctrl+shift", "ctrl+alt+f1", "ctrl+alt+F12", "XF86Switch_VT_2", "Terminate_Server"]


@pytest.mark.parametrize("keys", FORBIDDEN)
@pytest.mark.parametrize("tool, more", [("key_press", {}), ("key_down", {}), ("hold_key", {"duration": 1}),
                                        ("hotkey", {"reason": "mischief"})])
def test_forbidden_chords(desk, tool, more, keys):
    desk.fails("DANGEROUS_ACTION_BLOCKED", tool, keys=keys, **more)
    assert no_key_is_down(desk)


@pytest.mark.parametrize("params", [
    {}, {"keys": []}, {"keys": ""}, {"keys": [""]}, {"keys": ["nonsense"]}, {"keys": [1]}, {"keys": {"a": 1}},
    {"keys": ["a", "a"]}, {"keys": "ctrl+"}, {"keys": ["a"] * 17}, {"keys": ["\u0001"]},
    {"keys": ["a"], "repeat": 0}, {"keys": ["a"], "repeat": 101}, {"keys": ["a"], "repeat": "x"}, {"keys": ["a"], "x": 1},
])
def test_bad_keys(desk, params):
    desk.fails("INVALID_PARAMS", "key_press", **params)


@pytest.mark.parametrize("params, code", [
    ({}, "INVALID_PARAMS"),
    ({"text": ""}, "INVALID_PARAMS"),
    ({"text": 5}, "INVALID_PARAMS"),
    ({"text": "a\u0007b"}, "INVALID_PARAMS"),
    ({"text": "a\u007fb"}, "INVALID_PARAMS"),
    ({"text": "a\u0085b"}, "INVALID_PARAMS"),
    ({"text": "\uffff"}, "INVALID_PARAMS"),
    ({"text": "a", "method": "magic"}, "INVALID_PARAMS"),
    ({"text": "a", "delay": -1}, "INVALID_PARAMS"),
    ({"text": "a\bb", "method": "paste"}, "INVALID_PARAMS"),
    ({"text": "a" * 200001}, "LIMIT_EXCEEDED"),
    ({"text": "a" * 10_000_000}, "INVALID_PARAMS"),
])
def test_bad_text(desk, window, params, code):
    error = desk.fails(code, "type_text", **params)
    if "\u0007" in str(params.get("text")):
        assert error["details"]["offset"] == 1


def test_nothing_has_the_focus(desk):
    desk.fails("DESKTOP_FOCUS_LOST", "type_text", text="into the void")
    desk.fails("DESKTOP_FOCUS_LOST", "type_text", text="into the void", method="paste")


def test_a_program_that_does_not_paste_gets_keys(desk, window):
    desk.call("clipboard_write", text="mine")
    assert desk.call("type_text", text="中文", method="auto")["method"] == "keys"
    error = desk.fails("VERIFY_FAILED", "type_text", text="中文", method="paste")
    assert "keys" in error["suggestion"]
    assert desk.call("clipboard_read")["text"] == "mine"


def test_focus_moves_while_typing(desk, window):
    """The rest of the text goes nowhere, least of all into the other window."""
    other = Witness(desk, RECORDER, "--geometry", "300x200+600+50", "--title", "thief")
    # The window manager gives a new window the focus when it gets to it.
    eventually(lambda: desk.window("thief")["focused"], what="the focus of the new window")
    desk.call("window_focus", window_title="keys here")
    answer = {}
    thread = threading.Thread(target=lambda: answer.update(
        desk.connect().answer("type_text", {"text": "a" * 3000, "delay": 5, "method": "keys"})))
    thread.start()
    keys_seen(window, 10)
    xkb.focus(desk.desktop_environment(), other.ready["window"])
    thread.join()
    assert answer["error"]["code"] == "DESKTOP_FOCUS_LOST"
    typed = answer["error"]["details"]["characters"]
    assert 5 <= typed < 3000
    assert keys_seen(window, 2 * typed - 10) == [A, -A] * (typed - 5)
    desk.call("window_focus", window_title="thief")
    desk.call("key_press", keys=["right"])
    assert keys_seen(other, 2) == [RIGHT, -RIGHT]  # and nothing before
    other.stop()


def test_cancelled_while_typing(desk, window):
    bridge = desk.connect()
    bridge.send("call", {"tool": "type_text", "params": {"text": "中é" * 500, "delay": 20, "method": "keys"}})
    keys_seen(window, 4)
    environment = desk.desktop_environment()
    before = xkb.keymap(environment)
    bridge.close()
    eventually(lambda: xkb.keymap(environment) != before, what="the keymap being put back")
    eventually(lambda: no_key_is_down(desk))


def test_window_closed_while_typing(desk, window):
    answer = {}
    thread = threading.Thread(target=lambda: answer.update(
        desk.connect().answer("type_text", {"text": "b中" * 1000, "delay": 5, "method": "keys"})))
    thread.start()
    keys_seen(window, 10)
    window.process.kill()
    thread.join(20 * SLOW)
    assert answer["error"]["code"] == "DESKTOP_FOCUS_LOST"
    assert no_key_is_down(desk)


def test_server_gone_while_typing(own_desk):
    desk = own_desk()
    witness = Witness(desk, RECORDER, "--geometry", "400x300+50+50", "--title", "keys here")
    desk.window("keys here")
    answer = {}
    thread = threading.Thread(target=lambda: answer.update(
        desk.connect().answer("type_text", {"text": "b中" * 1000, "delay": 5, "method": "keys"})))
    thread.start()
    keys_seen(witness, 10)
    stage = pathlib.Path(f"/proc/{desk.desktops()['main']['hand_pid']}/stat").read_text().rsplit(")", 1)[1].split()[1]
    server = subprocess.run(["pgrep", "-P", stage, "-x", "Xvfb"], capture_output=True, check=True).stdout
    os.kill(int(server), signal.SIGKILL)
    thread.join(20 * SLOW)
    assert answer["error"]["code"] in ("DESKTOP_UNAVAILABLE", "OUTCOME_UNKNOWN")
    witness.stop()
