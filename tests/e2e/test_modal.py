"""Dialogs in the way, and a focus that goes elsewhere: refused or stopped, with what a planner needs to go on. The programs'
own word is the witness of what was done."""
import os
import signal
import subprocess
import threading

import pytest
import Xlib.X

from handfast import APPS, Desk, FULL_AUTO, eventually, finish
from screen import Screen, window_manager
from witness import Witness


@pytest.fixture(scope="module")
def desk():
    desk = Desk("--virtual", "--size", "1280x800", "--private-home", config=FULL_AUTO)
    yield desk
    finish(desk)


@pytest.fixture
def program(desk):
    program = Witness(desk, "/usr/bin/python3", APPS / "effects_gtk3.py")
    program.window = desk.window("Effects")["window_id"]
    desk.call("window_focus", window_id=program.window)
    yield program
    program.stop()


def open_dialog(desk, program):
    desk.call("ui_act", target='button "Modal"', window_id=program.window)
    dialog = desk.window("Effects dialog")
    eventually(lambda: next(window for window in desk.call("window_list")["windows"]
                            if window["window_id"] == dialog["window_id"])["focused"], 10, "the dialog to have the focus")
    return dialog


@pytest.mark.parametrize("tool, params", [
    ("ui_act", {"target": 'button "Label"'}),
    ("ui_focus", {"target": 'text "Field"'}),
    ("left_click", {"target": 'button "Label"'}),
    ("left_click", {"target": 'button "Label"', "route": {"window": {"title": {"equals": "Effects"}}}}),
])
def test_an_element_under_a_modal_dialog_is_refused_and_the_dialog_can_be_answered(desk, program, tool, params):
    params = {**params, **({} if tool == "left_click" else {"window_id": program.window})}
    dialog = open_dialog(desk, program)
    answer = desk.answer(tool, **params)
    assert answer["error"]["code"] == "DESKTOP_MODAL_BLOCKING", answer
    assert answer["effect"]["verdict"] == "refused"
    details = answer["error"]["details"]
    assert details["window"]["window_id"] == dialog["window_id"] and details["wanted"]["window_id"] == program.window
    assert "waits for you" in details["says"]
    button = next(button for button in details["buttons"] if button["name"] == "Understood")
    assert not any(line.get("what") == "label" for line in list(program.lines.queue))
    assert desk.call("ui_act", target=button["ref"])["success"]
    assert program.next("answered")
    eventually(lambda: not any(window["title"] == "Effects dialog" for window in desk.call("window_list")["windows"]), 10,
               "the dialog to be gone")
    assert desk.answer(tool, **params)["ok"]
    if "Label" in params["target"]:
        assert program.next("clicked")["what"] == "label"


def test_what_looks_is_not_refused(desk, program):
    open_dialog(desk, program)
    assert desk.call("find", selector='button "Label"', window_id=program.window)["elements"]
    assert desk.call("read_text", target='label "answer 0"')["text"]


def test_the_unsaved_text_of_an_editor(desk):
    editor = desk.spawn("mousepad", "--disable-server", stderr=subprocess.DEVNULL)
    try:
        window = desk.window("Mousepad")["window_id"]
        desk.call("window_focus", window_id=window)
        desk.call("type_text", text="not saved", method="keys")
        desk.call("key_press", keys=["ctrl", "q"])

        def blocked():
            answer = desk.answer("menu_pick", path="Edit > Select All", window_id=window)
            return None if answer["ok"] else answer["error"]
        error = eventually(blocked, 10, "the dialog")
        assert error["code"] == "DESKTOP_MODAL_BLOCKING", error
        names = [button["name"] for button in error["details"]["buttons"]]
        assert any("Cancel" in name for name in names) and len(names) >= 3, error
        cancel = next(button for button in error["details"]["buttons"] if "Cancel" in button["name"])
        assert desk.call("ui_act", target=cancel["ref"])["success"]
        eventually(lambda: desk.answer("menu_pick", path="Edit > Select All", window_id=window)["ok"], 10, "the menu again")
        assert editor.poll() is None
    finally:
        editor.kill()
        editor.wait()


def test_a_focus_that_goes_elsewhere_says_where_and_how_much_arrived(desk, program):
    desk.call("ui_focus", target='text "Field"', window_id=program.window)
    answers = []
    bridge = desk.connect()
    typing = threading.Thread(target=lambda: answers.append(
        bridge.answer("type_text", {"text": "x" * 400, "method": "keys", "delay": 20})))
    typing.start()
    program.all(lambda line: line["event"] == "text" and len(line["text"]) >= 5)
    thief = desk.spawn("xterm", "-T", "thief", stderr=subprocess.DEVNULL)
    try:
        typing.join(60)
        error = answers[0]["error"]
        assert error["code"] == "DESKTOP_FOCUS_LOST", answers
        details = error["details"]
        assert details["focus"]["title"] == "thief" and details["focus"]["window_id"], error
        assert 5 <= details["characters"] < 400
        arrived = [line["text"] for line in list(program.lines.queue) if line["event"] == "text"][-1]
        assert abs(len(arrived) - details["characters"]) <= 1, (len(arrived), details)
    finally:
        thief.kill()
        thief.wait()
        bridge.close()


def test_a_focus_that_is_announced_late_is_told_too(desk, program):
    """Keys go where the display says; the window manager says who that is a moment later."""
    thief = desk.spawn("xterm", "-T", "thief", stderr=subprocess.DEVNULL)
    screen = Screen(desk.desktop_environment())
    manager = window_manager(screen.x.get_display_name())
    answers, bridge = [], desk.connect()
    typing = threading.Thread(target=lambda: answers.append(
        bridge.answer("type_text", {"text": "x" * 400, "method": "keys", "delay": 20})))
    try:
        stolen = desk.window("thief")["window_id"]
        desk.call("window_focus", window_id=program.window)
        desk.call("ui_focus", target='text "Field"', window_id=program.window)
        typing.start()
        program.all(lambda line: line["event"] == "text" and len(line["text"]) >= 5)
        os.kill(manager, signal.SIGSTOP)
        screen.x.set_input_focus(stolen, Xlib.X.RevertToParent, Xlib.X.CurrentTime)
        screen.x.sync()
        typing.join(0.3)
        os.kill(manager, signal.SIGCONT)
        typing.join(60)
        assert answers[0]["error"]["code"] == "DESKTOP_FOCUS_LOST", answers
        assert answers[0]["error"]["details"]["focus"]["window_id"] == stolen, answers
    finally:
        os.kill(manager, signal.SIGCONT)
        thief.kill()
        thief.wait()
        screen.close()
        bridge.close()


def test_a_dialog_of_qt_that_an_entry_opens_is_no_failure(desk):
    """Qt answers the order when the dialog is closed: that it is open is the answer."""
    launched = desk.call("app_launch", name="featherpad")
    answer = desk.answer("menu_pick", path="Help > About", window_id=launched["window"]["window_id"])
    assert answer["ok"], answer
    assert answer["effect"]["verdict"] == "confirmed" and "About" in answer["effect"]["why"], answer["effect"]
    desk.call("app_close", pid=launched["pid"], force=True)
