"""Macros: several steps as one call. Real programs say what happened, in which order, and what did not."""
import contextlib
import json
import threading

import pytest

from editors import Mousepad
from handfast import FULL_AUTO, SLOW, eventually
from human import Human
from witness import RECORDER, Witness

ASK = "require_approval"


def step(tool, params=None, **options):
    return {"tool": tool, "params": params or {}, **options}


def key(name, **options):
    return step("key_press", {"keys": [name]}, **options)


@contextlib.contextmanager
def witness(desk, *arguments):
    program = Witness(desk, RECORDER, *(arguments or ("--geometry", "600x400+0+0", "--title", "Macro")))
    try:
        yield program
    finally:
        program.stop()


@contextlib.contextmanager
def focused(desk):
    """A window that has the keyboard and writes down its keys."""
    with witness(desk) as window:
        desk.call("window_focus", window_id=desk.window("Macro")["window_id"])
        yield window


def pressed(window, count):
    """The next so many key codes that went down there."""
    return [window.next("key_press")["keycode"] for _ in range(count)]


def begin(desk, **params):
    bridge = desk.connect()
    bridge.send("call", {"tool": "run_macro", "params": params})
    return bridge


def ended(bridge, code):
    answer = bridge.receive()["result"]
    bridge.close()
    assert not answer["ok"] and answer["error"]["code"] == code, answer
    return answer["error"]


def test_steps_happen_in_order_in_a_real_editor(desk):
    editor = Mousepad(desk)
    answer = desk.answer("run_macro", run_id="macro-editor", steps=[
        step("window_focus", {"window_id": editor.window["window_id"]}),
        step("type_text", {"text": "first line\n"}),
        step("type_text", {"text": "second 行"}, delay_ms=[1, 20]),
        key("home"),
        step("type_text", {"text": "> "}),
    ])
    assert answer["ok"], answer
    steps = answer["result"]["steps"]
    assert [each["index"] for each in steps] == list(range(5)) and answer["result"]["failed"] == 0
    assert all(each["ok"] and each["attempts"] == 1 and each["duration_ms"] > 0 for each in steps)
    assert steps[1]["result"]["characters"] == 11
    editor.assert_holds("first line\n> second 行")
    rows = [row for row in desk.audit() if row.get("run") == "macro-editor" and row["kind"] == "result"]
    assert [row["tool"] for row in rows] == [each["tool"] for each in steps] + ["run_macro"]
    assert [row["step"] for row in rows[:-1]] == [each["step_id"] for each in steps]
    assert "first line" not in json.dumps(desk.audit())
    editor.stop()


def test_a_steps_result_is_what_the_tool_itself_answers(desk):
    alone = desk.call("cursor_position"), desk.call("screenshot", region={"x": 0, "y": 0, "width": 40, "height": 30}, format="png")
    both = desk.call("run_macro", steps=[
        step("cursor_position"), step("screenshot", {"region": {"x": 0, "y": 0, "width": 40, "height": 30}, "format": "png"})])
    for one, other in zip(alone, both["steps"]):
        assert set(one) == set(other["result"])
    assert both["steps"][0]["result"] == alone[0]
    assert both["steps"][1]["result"]["image"] == alone[1]["image"]


def test_pictures_around_a_step(desk):
    answer = desk.answer("run_macro", steps=[
        step("mouse_move", {"x": 300, "y": 300, "smooth": False}),
        step("cursor_position", screenshot="both"), step("cursor_position", screenshot="before"),
        step("cursor_position", screenshot="after"), step("cursor_position", screenshot="none")])
    taken = [sorted(each.get("screenshots", {})) for each in answer["result"]["steps"]]
    assert taken == [[], ["after", "before"], ["before"], ["after"], []]
    for each in answer["result"]["steps"]:
        for picture in each.get("screenshots", {}).values():
            assert picture["image"].startswith("/9j/") and picture["image_id"]
    assert answer["untrusted"] == ["screen", "programs"]


def test_nobody_comes_between(desk):
    """Others press another key all the time; within the macro there is none of theirs."""
    with focused(desk) as window:
        stop = threading.Event()

        def hammer():
            bridge = desk.connect()
            while not stop.is_set():
                bridge.answer("key_press", {"keys": ["z"]})
            bridge.close()
        others = [threading.Thread(target=hammer) for _ in range(3)]
        for each in others:
            each.start()
        try:
            z = pressed(window, 1)[0]
            answer = desk.answer("run_macro", steps=[key(name, delay_ms=30) for name in "abcdef"])
        finally:
            stop.set()
            for each in others:
                each.join()
        assert answer["ok"], answer
        desk.call("key_press", keys=["q"])
        seen = []
        while len(set(seen)) < 8:
            seen.append(pressed(window, 1)[0])
        where = [index for index, code in enumerate(seen[:-1]) if code != z]
        assert len(where) == 6 and where == list(range(where[0], where[0] + 6)), seen
        assert where[0] > 0, "the others were not at work before it"


def test_looks_of_others_wait_too_and_those_that_need_nothing_do_not(desk):
    bridge = begin(desk, steps=[step("screenshot", {"image": False}), step("wait", {"duration": 4})])
    desk.call("wait", duration=0)
    other = desk.connect()
    eventually(lambda: any(row["kind"] == "intent" and row["tool"] == "wait" and row["params"]["duration"] == 4
                           for row in desk.audit()), what="the macro's wait")
    other.send("call", {"tool": "screenshot", "params": {"image": False}})
    answer = bridge.receive()["result"]
    look = other.receive()["result"]
    assert answer["ok"] and look["ok"]
    assert look["duration_ms"] > 300, "it was not held back by the macro"
    bridge.close()
    other.close()


def test_a_failing_step_ends_it_and_what_was_done_is_told(desk):
    with focused(desk) as window:
        error = desk.fails("WINDOW_NOT_FOUND", "run_macro", steps=[
            key("a"), step("window_focus", {"window_title": "No Such Window"}), key("b")])
        assert error["message"].startswith("steps[1] (window_focus): no window titled")
        done = error["details"]["done"]["steps"]
        assert [(each["tool"], each["ok"]) for each in done] == [("key_press", True), ("window_focus", False)]
        assert done[1]["error"]["code"] == "WINDOW_NOT_FOUND" and error["details"]["step"] == 1
        a = pressed(window, 1)[0]
        desk.call("key_press", keys=["a"])
        assert pressed(window, 1) == [a], "a step was done after the one that failed"


def test_going_on_after_a_failure(desk):
    with focused(desk) as window:
        result = desk.call("run_macro", on_failure="continue", steps=[
            key("a"), step("window_focus", {"window_title": "No Such Window"}), key("a")])
        assert [each["ok"] for each in result["steps"]] == [True, False, True] and result["failed"] == 1
        assert len(set(pressed(window, 2))) == 1


def test_trying_again_until_the_window_is_there(desk):
    bridge = begin(desk, run_id="m-late", steps=[
        step("window_focus", {"window_title": "Late"}, on_failure="retry", retries=20, retry_delay_ms=300), step("cursor_position")])
    eventually(lambda: any(row.get("run") == "m-late" and row.get("code") == "WINDOW_NOT_FOUND" for row in desk.audit()),
               what="the first attempt")
    late = Witness(desk, RECORDER, "--geometry", "300x200+200+200", "--title", "Late")
    result = bridge.receive()["result"]["result"]
    bridge.close()
    assert result["steps"][0]["ok"] and result["steps"][0]["attempts"] > 1 and len(result["steps"]) == 2
    late.stop()
    error = desk.fails("WINDOW_NOT_FOUND", "run_macro", steps=[
        step("window_focus", {"window_title": "Late"}, on_failure="retry", retries=2, retry_delay_ms=1)])
    assert error["details"]["done"]["steps"][0]["attempts"] == 3


BAD = {
    "no steps": ({}, "INVALID_PARAMS", "steps: is required"),
    "empty": ({"steps": []}, "INVALID_PARAMS", "steps: expected 1 to 100"),
    "too many": ({"steps": [step("cursor_position")] * 101}, "INVALID_PARAMS", "steps: expected 1 to 100"),
    "no list": ({"steps": {}}, "INVALID_PARAMS", "steps: expected an array"),
    "no object": ({"steps": [1]}, "INVALID_PARAMS", "steps[0]: expected an object"),
    "no tool": ({"steps": [{}]}, "INVALID_PARAMS", "steps[0].tool: is required"),
    "unknown tool": ({"steps": [step("nope")]}, "UNKNOWN_TOOL", "steps[0].tool"),
    "unknown member": ({"steps": [step("cursor_position", when="now")]}, "INVALID_PARAMS", "steps[0].when"),
    "nested": ({"steps": [step("run_macro", {"steps": [step("cursor_position")]})]}, "INVALID_PARAMS", "steps[0].tool"),
    "undo": ({"steps": [step("undo_last")]}, "INVALID_PARAMS", "steps[0].tool"),
    "bad params": ({"steps": [step("cursor_position"), step("left_click", {"x": "1"})]}, "INVALID_PARAMS", "steps[1].params.x"),
    "params no object": ({"steps": [{"tool": "wait", "params": []}]}, "INVALID_PARAMS", "steps[0].params: expected an object"),
    "another run": ({"steps": [step("cursor_position", {"run_id": "r"})]}, "INVALID_PARAMS", "steps[0].params.run_id"),
    "delay": ({"steps": [step("cursor_position", delay_ms=-1)]}, "INVALID_PARAMS", "steps[0].delay_ms"),
    "delays": ({"steps": [step("cursor_position", delay_ms=[3, 2])]}, "INVALID_PARAMS", "steps[0].delay_ms"),
    "picture": ({"steps": [step("cursor_position", screenshot="always")]}, "INVALID_PARAMS", "steps[0].screenshot"),
    "reaction": ({"steps": [step("cursor_position")], "on_failure": "panic"}, "INVALID_PARAMS", "on_failure"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input(desk, case):
    params, code, message = BAD[case]
    error = desk.fails(code, "run_macro", **params)
    assert error["message"].startswith(message), error["message"]


def test_what_is_wrong_later_is_found_before_anything_is_done(desk):
    before = desk.call("cursor_position")
    desk.fails("INVALID_PARAMS", "run_macro", steps=[step("mouse_move", {"x": 77, "y": 78, "smooth": False}), step("wait")])
    assert desk.call("cursor_position") == before


def test_a_dry_run_shows_each_step_and_does_none(desk):
    before = desk.call("cursor_position")
    answer = desk.answer("run_macro", dry_run=True, steps=[
        step("mouse_move", {"x": 70, "y": 80, "smooth": False}), step("window_focus", {"window_title": "No Such Window"}),
        step("type_text", {"text": "unseen"})])
    assert answer["ok"] and answer["dry_run"], answer
    shown = answer["result"]["target"]["steps"]
    assert [each["tool"] for each in shown] == ["mouse_move", "window_focus", "type_text"]
    assert shown[0]["result"]["target"]["point"] == {"x": 70, "y": 80} and shown[0]["result"]["decision"] == "auto_approve"
    assert shown[0]["result"]["image"].startswith("/9j/")
    assert shown[1]["error"]["code"] == "WINDOW_NOT_FOUND"
    assert answer["result"]["risk"] == "medium", "a macro is as dangerous as its most dangerous step"
    assert desk.call("cursor_position") == before


def test_exactly_once(desk):
    with focused(desk) as window:
        params = {"idempotency_key": "macro-once", "steps": [key("a"), step("clipboard_read")]}
        desk.call("clipboard_write", text="clipboard-in-memory-4711")
        first, again = desk.answer("run_macro", **params), desk.answer("run_macro", **params)
        assert again["replayed"] and again["result"] == first["result"] and again["step_id"] == first["step_id"]
        assert first["result"]["steps"][1]["result"]["text"] == "clipboard-in-memory-4711"
        desk.call("key_press", keys=["b"])
        codes = pressed(window, 2)
        assert codes[0] != codes[1], "the macro was done twice"
        desk.fails("CONFLICT", "run_macro", idempotency_key="macro-once", steps=[key("b")])
        assert b"clipboard-in-memory-4711" not in desk.data_bytes()


def test_the_whole_has_a_deadline(desk):
    error = desk.fails("DESKTOP_TIMEOUT", "run_macro", timeout_ms=400, steps=[
        step("cursor_position"), step("wait", {"duration": 20}, on_failure="continue"), step("cursor_position")])
    assert [each["ok"] for each in error["details"]["done"]["steps"]] == [True, False]
    error = desk.fails("DESKTOP_TIMEOUT", "run_macro", timeout_ms=300, steps=[
        step("cursor_position"), step("cursor_position", delay_ms=30000)])
    assert [each["ok"] for each in error["details"]["done"]["steps"]] == [True]


def test_a_later_step_is_that_of_a_run_which_has_read(own_desk):
    """A command after a look is asked about, and that before the macro begins."""
    desk = own_desk(config={**FULL_AUTO, "approval": {"timeout_s": 300},
                            "projects": {"default_approval_template": "full-auto",
                                         "items": {"p": {"template": "full-auto", "approval": {"tainted": "on"}}}}})
    launch = step("app_launch", {"name": "xterm"})
    bridge = begin(desk, project="p", steps=[step("screenshot"), launch])
    notice = bridge.receive()
    assert notice["method"] == "waiting", notice
    question = notice["params"]["approval"]
    assert [each["decision"] for each in question["steps"]] == ["auto_approve", ASK]
    assert question["decided_by"] == "steps[1]: tainted"
    desk.owner_cli("deny", question["id"])
    ended(bridge, "APPROVAL_DENIED")
    assert not desk.call("app_list")["apps"]


@pytest.fixture(scope="module")
def strict():
    from handfast import finish
    from handfast import Desk
    approval = {"tool_overrides": {"key_press": ASK, "type_text": ASK, "scroll": "always_block"},
                "confirm": [{"tool": "left_click", "memory": "first_time"}]}
    desk = Desk("--virtual", "--size", "640x480", "--private-home", config={
        **FULL_AUTO, "approval": {"timeout_s": 300},
        "projects": {"default_approval_template": "full-auto", "items": {"p": {"template": "full-auto", "approval": approval}}}})
    yield desk
    finish(desk)


def asked(bridge):
    notice = bridge.receive()
    assert notice["method"] == "waiting", notice
    return notice["params"]["approval"]


def test_the_owner_is_asked_once_and_sees_all_steps(strict):
    with focused(strict) as window:
        bridge = begin(strict, project="p", reason="to test", steps=[
            step("mouse_move", {"x": 50, "y": 60, "smooth": False}), key("a"), step("type_text", {"text": "hidden-from-disk"})])
        question = asked(bridge)
        assert question["tool"] == "run_macro" and question["risk"] == "medium" and question["reason"] == "to test"
        assert [(each["tool"], each["risk"], each["decision"]) for each in question["steps"]] == [
            ("mouse_move", "medium", "auto_approve"), ("key_press", "medium", ASK), ("type_text", "medium", ASK)]
        assert question["target"]["point"] == {"x": 50, "y": 60} and question["picture"]
        shown = strict.owner_cli("approvals", "show", question["id"]).shown
        assert "key_press" in shown and "type_text" in shown and "hidden-from-disk" in shown
        assert strict.call("cursor_position")["x"] != 50, "waiting holds nothing, and nothing is done yet"
        assert strict.owner_cli("approve", question["id"]).returncode == 0
        answer = bridge.receive()["result"]
        assert answer["ok"] and all(each["ok"] for each in answer["result"]["steps"]), answer
        pressed(window, 2)
        assert b"hidden-from-disk" not in strict.data_bytes()
        rows = [row for row in strict.audit() if row.get("approval") == question["id"] and row["kind"] == "intent"]
        assert [row["tool"] for row in rows] == ["run_macro", "key_press", "type_text"]
        bridge.close()


def test_a_line_that_steps_type_together_is_weighed_before_the_first(strict):
    """No single step is dangerous; the enter key at the end runs what the others have typed."""
    with focused(strict) as window:
        bridge = begin(strict, project="p", approval="notify_only", steps=[
            step("type_text", {"text": "rm -r"}), step("type_text", {"text": "f ~"}), key("enter")])
        question = asked(bridge)
        assert [each["risk"] for each in question["steps"]] == ["medium", "medium", "critical"]
        assert question["steps"][2]["line"].endswith("rm -rf ~") and question["risk"] == "critical"
        strict.owner_cli("deny", question["id"])
        ended(bridge, "APPROVAL_DENIED")
        strict.call("key_press", keys=["a"])
        window.next("key_press")
        assert window.lines.empty() or "key_press" not in window.lines.get()["event"], "something was typed"


def test_an_answer_about_a_macro_is_about_no_other(strict):
    with focused(strict):
        bridge = begin(strict, project="p", steps=[key("a")])
        assert strict.owner_cli("approve", asked(bridge)["id"], "--remember", "--scope", "tool").returncode == 0
        assert bridge.receive()["result"]["ok"]
        assert bridge.answer("run_macro", {"project": "p", "steps": [key("a")]})["ok"], "the same one is remembered"
        bridge.send("call", {"tool": "run_macro", "params": {"project": "p", "steps": [key("b")]}})
        strict.owner_cli("deny", asked(bridge)["id"])
        ended(bridge, "APPROVAL_DENIED")


def test_what_is_asked_the_first_time_only_is_asked_once_for_steps_too(strict):
    click = step("left_click", {"x": 600, "y": 470})
    bridge = begin(strict, project="p", steps=[click])
    assert strict.owner_cli("approve", asked(bridge)["id"]).returncode == 0
    assert bridge.receive()["result"]["ok"]
    assert bridge.answer("run_macro", {"project": "p", "steps": [step("wait", {"duration": 0}), click]})["ok"]
    assert bridge.answer("left_click", {"project": "p", "x": 600, "y": 470})["ok"]
    bridge.close()


def test_a_step_that_is_refused_refuses_all_before_anything_happens(strict):
    before = strict.call("cursor_position")
    error = strict.fails("DANGEROUS_ACTION_BLOCKED", "run_macro", project="p", steps=[
        step("mouse_move", {"x": 33, "y": 44, "smooth": False}), step("scroll", {"direction": "down"}), key("a")])
    assert error["message"].startswith("steps[1] (scroll): ") and error["details"]["step"] == 1
    assert "done" not in error["details"] and strict.call("cursor_position") == before


def test_a_world_that_has_changed_since_the_question(strict):
    with witness(strict, "--geometry", "200x150+100+100", "--title", "Target") as window:
        bridge = begin(strict, project="p", approval=ASK, steps=[step("mouse_move", {"x": 150, "y": 150, "smooth": False}), key("a")])
        question = asked(bridge)
        window.stop()
        eventually(lambda: not strict.call("window_list")["windows"], what="its end")
        strict.owner_cli("approve", question["id"])
        error = ended(bridge, "PRECONDITION_FAILED")
        assert "changed" in error["message"]


def test_a_grant_holds_for_every_step(own_desk):
    desk = own_desk()
    name = "macros"
    made = desk.owner_cli("grant", "new", name, "--tools", "run_macro,mouse_move,cursor_position")
    assert made.returncode == 0, made.shown
    assert desk.answer("run_macro", grant=name, steps=[step("cursor_position")])["ok"]
    error = desk.fails("FORBIDDEN", "run_macro", grant=name, steps=[step("cursor_position"), key("a")])
    assert error["message"].startswith("steps[1] (key_press): ") and name in error["message"]
    desk.fails("FORBIDDEN", "run_macro", grant=name, steps=[step("cursor_position", screenshot="after")])


LONG = [key("a"), step("wait", {"duration": 60}), key("b")]


def wait_for_step(desk, run):
    eventually(lambda: any(row["kind"] == "intent" and row["tool"] == "wait" and row.get("run") == run for row in desk.audit()),
               what="the second step")


def test_stopped_in_the_middle(own_desk):
    desk = own_desk(config={**FULL_AUTO, "takeover": {"enabled": False}})
    with focused(desk) as window:
        bridge = begin(desk, run_id="m-stop", on_failure="continue", steps=LONG)
        pressed(window, 1)
        wait_for_step(desk, "m-stop")
        assert desk.cli("stop").returncode == 0
        error = ended(bridge, "STOPPED")
        assert [each["ok"] for each in error["details"]["done"]["steps"]] == [True, False]
        desk.fails("STOPPED", "run_macro", steps=LONG)
        assert desk.owner_cli("resume").returncode == 0
        desk.call("key_press", keys=["a"])
        window.next("key_press")
        assert window.lines.empty() or window.lines.get()["event"] != "key_press"


@pytest.mark.parametrize("how", ["pause", "abort", "cancel", "hang up"])
def test_called_off_between_and_inside_steps(desk, how):
    run = f"m-{how}"
    with focused(desk) as window:
        bridge = begin(desk, run_id=run, on_failure="continue", steps=LONG)
        pressed(window, 1)
        wait_for_step(desk, run)
        if how == "pause":
            desk.main_bridge.manage("pause", run_id=run)
        elif how == "abort":
            desk.main_bridge.manage("abort", run_id=run)
        elif how == "cancel":
            bridge.send_raw(json.dumps({"jsonrpc": "2.0", "method": "cancel", "params": {"id": 1}}).encode())
        else:
            bridge.close()
        if how != "hang up":
            error = ended(bridge, {"pause": "PAUSED"}.get(how, "DESKTOP_ABORTED"))
            assert [each["ok"] for each in error["details"]["done"]["steps"]] == [True, False]
        desk.call("key_press", keys=["a"], run_id="m-after")  # waits for the turn that the macro had
        window.next("key_press")
        results = [row["tool"] for row in desk.audit() if row.get("run") == run and row["kind"] == "result"]
        assert results.count("key_press") == 1 and results[-1] == "run_macro"
        if how == "pause":
            assert desk.owner_cli("resume", "--run", run).returncode == 0


def test_a_person_who_steps_in_ends_it(own_desk):
    desk = own_desk(config={**FULL_AUTO, "takeover": {"quiet_s": 2 * SLOW}})
    with focused(desk) as window:
        bridge = begin(desk, run_id="m-person", steps=[key("a"), step("wait", {"duration": 2}), key("b", on_failure="continue"), key("c")])
        pressed(window, 1)
        wait_for_step(desk, "m-person")
        person = Human(desk.desktop_environment())
        person.move(50, 50)
        error = ended(bridge, "PAUSED")
        person.close()
        done = error["details"]["done"]["steps"]
        assert [each["ok"] for each in done] == [True, True, False] and done[2]["error"]["code"] == "PAUSED"
