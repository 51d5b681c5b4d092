"""A display that does not answer any more (its X server is stopped, as by a debugger or a machine that swaps): every
call ends in time with a code of its own, other desktops go on, and it works again when the server does."""
import os
import signal
import threading
import time

import pytest

from handfast import SLOW, eventually
from test_stop import x_server

TIMEOUT_MS = 700
# What a call may take beyond its timeout: to be called off, and its hand to be given up.
GRACE = 2.1

CALLS = {
    "screenshot": {}, "zoom": {"region": {"x": 0, "y": 0, "width": 50, "height": 50}}, "cursor_position": {},
    "mouse_move": {"x": 9, "y": 9, "smooth": False}, "left_click": {"x": 9, "y": 9}, "right_click": {"x": 9, "y": 9},
    "middle_click": {"x": 9, "y": 9}, "double_click": {"x": 9, "y": 9}, "triple_click": {"x": 9, "y": 9},
    "mouse_down": {}, "mouse_up": {}, "mouse_drag": {"from_x": 1, "from_y": 1, "to_x": 9, "to_y": 9},
    "scroll": {"direction": "down"}, "type_text": {"text": "a"}, "key_press": {"keys": ["a"]}, "key_down": {"keys": ["a"]},
    "key_up": {"keys": ["a"]}, "hotkey": {"keys": ["ctrl", "a"], "reason": "r"}, "hold_key": {"keys": ["a"], "duration": 0.1},
    "window_list": {}, "window_focus": {"window_title": "x"}, "window_manage": {"window_title": "x", "action": "minimize"},
    "app_list": {}, "app_switch": {"name": "x"}, "app_close": {"name": "x"}, "app_launch": {"name": "xterm"},
    "clipboard_read": {}, "clipboard_write": {"text": "x"}, "system_info": {},
}
LOOK = ("DESKTOP_UNAVAILABLE", "DESKTOP_TIMEOUT")
ACT = ("OUTCOME_UNKNOWN", *LOOK)


class Frozen:
    def __init__(self, desk):
        self.server = x_server(desk)
        os.kill(self.server, signal.SIGSTOP)

    def thaw(self):
        os.kill(self.server, signal.SIGCONT)


@pytest.fixture
def frozen(own_desk):
    """A desk whose main desktop does not answer."""
    desk = own_desk("--virtual", "--size", "640x480")
    desk.call("screenshot")
    state = Frozen(desk)
    yield desk, state
    state.thaw()


def ask(desk, tool, params):
    bridge = desk.connect()
    started = time.monotonic()
    answer = bridge.answer(tool, {**params, "timeout_ms": TIMEOUT_MS})
    took = time.monotonic() - started
    bridge.close()
    return answer, took


def check(tool, read_only, answer, took):
    assert took < (TIMEOUT_MS / 1000 + GRACE + 3) * SLOW, (tool, took)
    if tool == "system_info" and answer["ok"]:
        return  # it may know all that it tells already
    assert not answer["ok"], (tool, answer)
    assert answer["error"]["code"] in (LOOK if read_only else ACT), (tool, answer["error"])
    assert answer["error"]["suggestion"], (tool, answer["error"])


def test_every_call_ends_in_time(frozen):
    desk, state = frozen
    tools = {tool["name"]: tool["read_only"] for tool in desk.main_bridge.manage("tools")["tools"]}
    answers = {}

    def run(tool):
        answers[tool] = ask(desk, tool, CALLS[tool])
    threads = [threading.Thread(target=run, args=(tool,)) for tool in CALLS]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for tool, (answer, took) in answers.items():
        check(tool, tools[tool], answer, took)
    # And those that come later, one by one, while the next hand cannot get ready.
    for tool in ("screenshot", "mouse_move", "window_list", "type_text"):
        check(tool, tools[tool], *ask(desk, tool, CALLS[tool]))
    # Longer than a hand may take to start: the waits between deaths of a hand are not for this.
    eventually(lambda: desk.desktops()["main"]["restarts"] >= 2, 40, "a hand that was given up")
    state.thaw()
    started = time.monotonic()
    eventually(lambda: desk.answer("mouse_move", x=50, y=60, smooth=False)["ok"], 60, "a desktop that works again")
    assert time.monotonic() - started < 4 * SLOW
    assert desk.call("cursor_position")["x"] == 50 and desk.call("screenshot")["image"]


def test_other_desktops_do_not_notice(own_desk):
    desk = own_desk("--virtual", "--size", "640x480")
    state = Frozen(desk)
    try:
        desk.new_desktop("other", width=320, height=200)
        stuck = [threading.Thread(target=ask, args=(desk, tool, CALLS[tool])) for tool in ("mouse_move", "screenshot", "app_list")]
        for thread in stuck:
            thread.start()
        for number in range(20):
            desk.call("mouse_move", desktop="other", x=number, y=5, smooth=False, timeout_ms=5000)
            assert desk.call("cursor_position", desktop="other")["x"] == number
        assert desk.desktops()["other"]["restarts"] == 0
        for thread in stuck:
            thread.join()
    finally:
        state.thaw()
