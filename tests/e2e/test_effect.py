"""What actions say of their own effect: confirmed when there was one, and never when there was none. The program's own
word is the witness of what happened."""
import os
import signal
import subprocess
import time

import pytest

from handfast import APPS, SLOW, eventually
from witness import Witness

ROW, ROWS = 36, ["dead", "dialog", "modal", "title", "label", "answer", "check", "entry", "locked entry", "locked button",
                 "clock"]
TOOLKITS = ["gtk3", "gtk4", "qt5"]


class Effects(Witness):
    """The test program, and where its rows are."""

    def __init__(self, desk, toolkit="gtk3", *arguments):
        super().__init__(desk, "/usr/bin/python3", APPS / f"effects_{toolkit}.py", *arguments)
        self.desk = desk
        self.window = desk.window("Effects")
        desk.call("window_focus", window_id=self.window["window_id"])
        desk.call("mouse_move", x=1270, y=790, smooth=False)

    def at(self, row):
        bounds = next(window for window in self.desk.call("window_list")["windows"]
                      if window["window_id"] == self.window["window_id"])["bounds"]
        return {"x": bounds["x"] + 30, "y": bounds["y"] + ROW * ROWS.index(row) + ROW // 2}

    def click(self, row, tool="left_click", **params):
        answer = self.desk.answer(tool, **self.at(row), **params)
        assert answer["ok"], answer
        return answer["effect"]


@pytest.fixture
def shared_desk(watchful_desk):
    return watchful_desk


@pytest.fixture
def effects(desk):
    programs = []

    def start(*arguments):
        programs.append(Effects(desk, *arguments))
        return programs[-1]

    yield start
    for program in programs:
        program.stop()


@pytest.mark.parametrize("toolkit", TOOLKITS)
def test_what_has_no_effect_is_never_confirmed(desk, effects, toolkit):
    program = effects(toolkit)
    for _ in range(3):
        for row in ["dead", "answer", "locked entry", "locked button"]:
            effect = program.click(row)
            assert effect["verdict"] in ("no_effect", "unverified"), (row, effect)
            assert effect["why"] and effect["waited_ms"] < 1600 * SLOW
    # The dead button was reached every time: an accepted click proves nothing.
    assert [program.next("clicked")["what"] for _ in range(3)] == ["dead"] * 3
    for keys in (["F7"], ["shift"]):
        effect = desk.answer("key_press", keys=keys)["effect"]
        assert effect["verdict"] in ("no_effect", "unverified"), effect


@pytest.mark.parametrize("toolkit", TOOLKITS)
def test_a_window_that_opens_and_a_title_that_changes_are_confirmed(effects, toolkit):
    program = effects(toolkit)
    effect = confirmed(lambda: program.click("title"))
    assert program.next("clicked")["what"] == "title"
    changed = effect["windows"]["changed"][0]
    assert changed["title"].startswith("Effects number ") and changed["title_before"] != changed["title"]
    effect = confirmed(lambda: program.click("dialog"))
    assert program.all(lambda line: line.get("what") == "dialog")
    assert effect["windows"]["opened"][0]["title"] == "Effects dialog"
    if toolkit != "gtk4":  # whose windows do not close by that
        effect = program.desk.answer("key_press", keys=["Escape"])["effect"]
        assert effect["verdict"] == "confirmed", effect
        assert effect["windows"]["closed"][0]["title"] == "Effects dialog"


@pytest.mark.parametrize("toolkit", TOOLKITS)
def test_what_happens_by_itself_confirms_nothing(effects, toolkit):
    program = effects(toolkit, "clock", "title")
    # The first look at a program that nobody has watched cannot know what it does by itself.
    program.click("answer")
    for _ in range(4):
        for row in ["dead", "answer", "locked button"]:
            effect = program.click(row)
            assert effect["verdict"] in ("no_effect", "unverified"), (row, effect)


@pytest.mark.parametrize("toolkit", TOOLKITS)
def test_what_changes_between_two_actions_is_the_doing_of_neither(effects, toolkit):
    program = effects(toolkit, "late")
    program.click("answer")
    for _ in range(3):
        assert program.click("dead")["verdict"] in ("no_effect", "unverified")
        program.next("late")
        program.desk.call("wait_until", until="settled")
        effect = program.click("locked button")
        assert effect["verdict"] in ("no_effect", "unverified"), effect


def confirmed(act, seconds=20):
    """The effect of an action that has one each time. On a busy machine a program may be too slow for its elements to be
    read in time; then it is unverified, which is honest, and after a while the next one is looked at."""
    end = time.monotonic() + seconds * SLOW
    while time.monotonic() < end:
        effect = act()
        if effect["verdict"] == "confirmed":
            return effect
        assert effect["verdict"] in ("unverified", "no_effect"), effect
    raise AssertionError(effect)


@pytest.mark.parametrize("toolkit", TOOLKITS)
def test_a_label_that_changes_is_confirmed(effects, toolkit):
    program = effects(toolkit)
    effect = confirmed(lambda: program.click("label"))
    assert program.next("clicked")["what"] == "label"
    altered = effect["elements"]["altered"][0]
    assert altered["element"]["name"].startswith("answer ") and altered["what"] == ["name"], effect
    assert altered["name_before"] != altered["element"]["name"]


def test_a_new_program_does_not_pay_for_what_was_there_before(effects):
    """One whose label changes by itself has gone; the next one is at the same place."""
    restless = effects("gtk3", "late")
    restless.click("answer")
    for _ in range(3):
        restless.click("dead")
        restless.next("late")
        restless.desk.call("wait_until", until="settled")
    where = restless.desk.window("Effects")["bounds"]
    restless.stop()
    program = effects("gtk3")
    assert program.desk.window("Effects")["bounds"] == where, "the test would prove nothing"
    confirmed(lambda: program.click("label"), 5)


@pytest.mark.parametrize("toolkit", TOOLKITS)
def test_a_check_box_that_flips_is_confirmed(effects, toolkit):
    program = effects(toolkit)
    effect = confirmed(lambda: program.click("check"))
    assert program.next("checked")
    altered = effect["elements"]["altered"][0]
    assert altered["element"]["name"] == "Check" and "checked" in altered.get("on", []) + altered.get("off", []), effect


@pytest.mark.parametrize("toolkit", TOOLKITS)
def test_a_toggle_that_stays_pressed_is_confirmed(desk, toolkit):
    """By a click, in and out again; and a dead button beside it is not."""
    program = Witness(desk, "/usr/bin/python3", APPS / f"widgets_{toolkit}.py")
    try:
        window = desk.window("widgets")["window_id"]
        desk.call("window_focus", window_id=window)

        def click(name):
            """By its name: then there is time to read the elements of a busy program before the click."""
            eventually(lambda: desk.call("find", selector=f'"{name}"', window_id=window)["elements"], 10, name)
            return desk.answer("left_click", target=f'"{name}"')["effect"]
        for on in (True, False):
            effect = confirmed(lambda: click("Bold"))
            assert any(words in effect["why"] for words in (" is now ", " is no longer ")) and "Bold" in effect["why"], effect
            assert program.next("bold")["on"] is on
        assert click("Lifeless")["verdict"] in ("unverified", "no_effect")
    finally:
        program.stop()


def test_a_page_tab_of_gtk4_that_is_acted_on_is_confirmed(desk):
    """The one that is not selected, each time."""
    program = Witness(desk, "/usr/bin/python3", APPS / "widgets_gtk4.py")
    try:
        window = desk.window("widgets")["window_id"]
        desk.call("window_focus", window_id=window)

        def press():
            tabs = desk.call("find", selector="page-tab", window_id=window)["elements"]
            other = next(tab for tab in tabs if "selected" not in tab["states"])
            answer = desk.answer("ui_act", target=other["ref"], window_id=window)
            assert answer["ok"], answer
            return answer["effect"]
        eventually(lambda: desk.call("find", selector="page-tab", window_id=window)["total"] == 2, 10, "the tabs")
        for _ in range(2):
            assert "page-tab" in confirmed(press)["why"]
    finally:
        program.stop()


@pytest.mark.parametrize("toolkit", ["gtk3", "qt5"])
def test_an_element_that_is_pressed_is_judged_too(effects, toolkit):
    program = effects(toolkit)

    def press(name):
        answer = program.desk.answer("ui_act", target=f'button "{name}"', window_id=program.window["window_id"])
        assert answer["ok"], answer
        return answer["effect"]
    assert press("Dead")["verdict"] in ("unverified", "no_effect")
    assert press("Dead")["verdict"] in ("unverified", "no_effect")
    effect = confirmed(lambda: press("Label"))
    assert effect["elements"]["altered"][0]["element"]["name"].startswith("answer ")


@pytest.mark.parametrize("toolkit", ["gtk3", "qt5"])
def test_what_was_typed_is_read_back(desk, effects, toolkit):
    program = effects(toolkit)
    program.click("entry")
    effect = confirmed(lambda: desk.answer("type_text", text="grüße ")["effect"])
    assert effect["why"] == "the field contains the text", effect
    program.all(lambda line: line["event"] == "text" and line["text"].startswith("grüße "))
    # Nothing of what people write is told.
    assert "grüße" not in str(effect), effect


def test_a_text_that_was_read_back_is_not_waited_for(desk, effects):
    """The order was given and the field read again: nothing else could say more. The enter key after it may do anything."""
    program = effects("gtk3")
    program.click("entry")
    text = "a text that is long enough to be ordered"
    answer = desk.answer("type_text", text=text)
    assert answer["result"]["method"] == "tree" and answer["result"]["read_back"], answer
    assert answer["effect"]["verdict"] == "confirmed" and answer["effect"]["why"] == "the field contains the text", answer
    assert answer["effect"]["waited_ms"] == 0 and text not in str(answer["effect"])
    program.all(lambda line: line["event"] == "text" and line["text"] == text)
    entered = desk.answer("type_text", text=text + "\n")
    assert entered["result"]["method"] == "tree" and entered["effect"]["waited_ms"] > 0, entered


def test_text_that_the_field_does_not_take_is_not_confirmed(desk, effects):
    program = effects("gtk3")
    program.click("dead")
    for _ in range(3):
        effect = desk.answer("type_text", text="xyz", method="keys")["effect"]
        assert effect["verdict"] in ("unverified", "no_effect"), effect


def test_nothing_at_all_is_no_effect(desk, effects):
    program = effects("gtk3")
    program.click("answer")
    effect = program.click("answer")
    assert effect["verdict"] == "no_effect", effect
    assert "rects" not in effect and "windows" not in effect
    answer = desk.answer("left_click", **program.at("answer"))
    assert answer["suggested_next"] and "suggested_next" not in answer["effect"]
    assert "untrusted" not in answer


def test_what_is_only_drawn_is_unverified(desk, effects):
    program = effects("gtk3")
    effect = program.click("dead")
    assert effect["verdict"] == "unverified", effect
    place = program.at("dead")
    assert any(rect["x"] <= place["x"] < rect["x"] + rect["width"] and rect["y"] <= place["y"] < rect["y"] + rect["height"]
               for rect in effect["rects"]), effect


def test_programs_without_a_tree_are_judged_honestly(desk):
    terminal = desk.spawn("xterm", "-T", "plain terminal", "-e", "cat", stderr=subprocess.DEVNULL)
    try:
        desk.call("window_focus", window_id=desk.window("plain terminal")["window_id"])
        answer = desk.answer("type_text", text="hello")
        assert answer["ok"] and answer["effect"]["verdict"] == "unverified", answer
        assert answer["effect"]["rects"]
    finally:
        terminal.kill()
        terminal.wait()


def test_a_program_that_hangs_is_not_said_to_have_done_nothing(effects):
    program = effects("gtk3")
    os.kill(program.process.pid, signal.SIGSTOP)
    try:
        effect = program.click("dialog")
        assert effect["verdict"] == "unverified", effect
        assert "not read the input" in effect["why"]
    finally:
        os.kill(program.process.pid, signal.SIGCONT)


def test_a_modal_dialog_is_named(desk, effects):
    program = effects("gtk3")
    effect = program.click("modal")
    assert effect["verdict"] == "confirmed", effect
    dialog = desk.window("Effects dialog")
    desk.call("window_manage", window_id=dialog["window_id"], action="move", bounds={"x": 700, "y": 300})
    answer = desk.answer("left_click", **program.at("label"))
    assert answer["effect"]["verdict"] in ("no_effect", "unverified"), answer
    assert "Effects dialog" in answer["effect"]["why"]
    assert str(dialog["window_id"]) in answer["suggested_next"]


def test_a_click_that_would_reach_another_window_is_refused_and_names_it(desk, effects):
    program = effects("gtk3")
    picture = desk.call("screenshot", window_id=program.window["window_id"])
    cover = desk.spawn("xterm", "-T", "in the way", "-geometry", "100x40+40+40", stderr=subprocess.DEVNULL)
    try:
        window = desk.window("in the way")
        desk.call("window_focus", window_id=window["window_id"])
        answer = desk.answer("left_click", x=picture["width"] // 2, y=picture["height"] // 2, image_id=picture["image_id"])
        assert answer["error"]["code"] == "DESKTOP_FOCUS_LOST", answer
        assert answer["effect"]["verdict"] == "refused"
        assert answer["error"]["details"]["window"]["window_id"] == window["window_id"]
        assert answer["error"]["details"]["wanted"]["window_id"] == program.window["window_id"]
        desk.call("window_focus", window_id=program.window["window_id"])
        answer = desk.answer("left_click", x=picture["width"] // 2, y=picture["height"] // 2, image_id=picture["image_id"])
        assert answer["ok"], answer
    finally:
        cover.kill()
        cover.wait()


def test_an_element_that_is_covered_is_not_clicked(desk, effects):
    program = effects("gtk3")
    cover = desk.spawn("xterm", "-T", "in the way", "-geometry", "100x40+40+40", stderr=subprocess.DEVNULL)
    try:
        window = desk.window("in the way")
        desk.call("window_focus", window_id=window["window_id"])
        answer = desk.answer("left_click", target='button "Label"')
        assert answer["error"]["code"] == "DESKTOP_FOCUS_LOST", answer
        assert answer["effect"]["verdict"] == "refused"
        assert answer["error"]["details"]["window"]["title"] == "in the way"
        desk.call("window_focus", window_id=program.window["window_id"])
        assert desk.call("left_click", target='button "Label"')["success"]
        assert program.next("clicked")["what"] == "label"
    finally:
        cover.kill()
        cover.wait()


def test_a_click_into_a_window_under_its_modal_dialog_is_refused(desk, effects):
    program = effects("gtk3")
    picture = desk.call("screenshot", window_id=program.window["window_id"])
    program.click("modal")
    dialog = desk.window("Effects dialog")
    bounds = program.window["frame"]
    desk.call("window_manage", window_id=dialog["window_id"], action="move",
              bounds={"x": bounds["x"] + 80, "y": bounds["y"] + 100})
    place = desk.window("Effects dialog")["bounds"]
    answer = desk.answer("left_click", x=place["x"] + 50 - bounds["x"], y=place["y"] + 50 - bounds["y"],
                         image_id=picture["image_id"])
    assert not answer["ok"] and answer["error"]["code"] == "DESKTOP_MODAL_BLOCKING", answer
    assert answer["error"]["details"]["window"]["window_id"] == dialog["window_id"]


def test_what_cannot_be_done_is_refused(desk):
    for tool, params in [("left_click", {"x": 99999, "y": 5}), ("window_focus", {"window_id": 4242})]:
        answer = desk.answer(tool, **params)
        assert answer["effect"]["verdict"] == "refused", answer


def test_tools_that_see_it_themselves_do_not_wait(desk, effects):
    program = effects("gtk3")
    answer = desk.answer("mouse_move", x=300, y=300, smooth=False)
    assert answer["effect"] == {"verdict": "confirmed", "why": answer["effect"]["why"], "waited_ms": 0}
    assert desk.answer("window_focus", window_id=program.window["window_id"])["effect"]["verdict"] == "confirmed"
    for tool in ("cursor_position", "window_list", "system_info"):
        assert "effect" not in desk.answer(tool)


def test_verify_false_waits_for_nothing(effects):
    program = effects("gtk3")
    answer = program.desk.answer("left_click", **program.at("dead"), verify=False)
    assert answer["ok"] and "effect" not in answer and "suggested_next" not in answer


def test_steps_of_a_macro_tell_it_only_when_asked(desk, effects):
    program = effects("gtk3")
    steps = [{"tool": "left_click", "params": program.at("title")},
             {"tool": "left_click", "params": {**program.at("title"), "verify": True}}]
    first, second = desk.call("run_macro", steps=steps)["steps"]
    assert "effect" not in first
    assert second["effect"]["verdict"] == "confirmed", second


def test_the_same_effect_at_the_command_line(desk, effects):
    program = effects("gtk3")
    place = program.at("title")
    shown = desk.cli("left_click", place["x"], place["y"]).stdout.decode()
    assert "  effect  " in shown and "ed: " in shown, shown


def test_a_caret_that_blinks_is_no_effect(desk, effects):
    program = effects("gtk3")
    program.click("entry")

    def settled():
        # Each look is a call: what was drawn between two of them was drawn by nobody.
        desk.answer("wait", seconds=1.3)
        return program.click("answer")["verdict"] == "no_effect"
    eventually(settled, 20, "the caret to be known")


def test_the_answer_is_still_the_agreed_shape(desk):
    tools = {tool["name"]: tool for tool in desk.main_bridge.manage("tools")["tools"]}
    assert "verify" in tools["left_click"]["params"]["properties"]
    assert "verify" not in tools["screenshot"]["params"]["properties"]
