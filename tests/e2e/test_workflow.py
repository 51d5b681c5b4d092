"""Workflows on real programs: values from earlier results, conditions, alternatives, retries, loops, and the guard around it."""
import json
import threading
import time

import pytest

from handfast import FULL_AUTO, Desk, eventually, finish
from screen import Screen
from witness import RECORDER, Witness


def step(tool, params=None, **more):
    return {"tool": tool, "params": params or {}, **more}


def run(desk, *steps, **params):
    return desk.call("run_workflow", steps=list(steps), **params)


def told(result, name):
    return [each for each in result["steps"] if each.get("name") == name]


def test_an_editor_is_opened_written_into_and_saved(desk, tmp_path):
    """The window comes from one step, its title decides the next, and the file is what the editor itself wrote."""
    path = tmp_path / "notes.txt"
    path.write_text("")
    result = run(
        desk,
        step("app_launch", {"name": "mousepad", "args": ["--disable-server", "${vars.path}"]}, name="open"),
        step("window_list", {}, name="look", until={"matches": ["${result.windows[0].title}", "notes\\.txt"]},
             retry={"times": 20, "delay_ms": 200}),
        step("window_focus", {"window_id": "${steps.open.result.window.window_id}"}, name="focus",
             **{"if": {"exists": "${steps.open.result.window.window_id}"},
                "else": [step("window_focus", {"window_title": "notes"})]}),
        step("type_text", {"text": "from ${vars.who}: ${steps.open.result.window.title}", "method": "keys"}),
        step("key_press", {"keys": ["ctrl", "s"]}),
        vars={"path": str(path), "who": "a workflow"})
    assert result["failed"] == 0 and told(result, "open")[0]["result"]["window"]
    eventually(lambda: path.read_text().startswith("from a workflow: "), what="the saved text")
    assert "notes.txt" in path.read_text()


def test_what_fails_has_an_alternative(desk):
    result = run(desk,
                 step("window_focus", {"window_title": "no such window"}, name="first", otherwise=[
                     step("app_launch", {"name": "no-such-program"}, name="second", otherwise=[
                         step("cursor_position", name="third")])]),
                 step("wait", {"duration": 0}, name="after"))
    assert [(each["name"], each["ok"]) for each in result["steps"]] == [
        ("first", False), ("second", False), ("third", True), ("after", True)]
    assert result["steps"][2]["place"] == "steps[0].otherwise[0].otherwise[0]" and result["failed"] == 2


def test_conditions_and_groups(desk):
    result = run(desk,
                 step("cursor_position", name="where"),
                 {"name": "far", "if": {"greater": ["${steps.where.result.x}", 100000]}, "steps": [step("wait", {"duration": 0})],
                  "else": [step("wait", {"duration": 0}, name="near")]},
                 step("wait", {"duration": 0}, name="both", **{"if": {"and": [{"ok": "near"}, {"not": {"ok": "far"}}]}}),
                 step("wait", {"duration": 0}, name="never", **{"if": {"equals": ["${steps.where.result.nothing}", 1]}}))
    assert told(result, "near")[0]["ok"] and told(result, "both")[0]["ok"]
    assert told(result, "never")[0]["skipped"] and result["skipped"] == 2


def test_loops(desk):
    places = [{"x": 10, "y": 20}, {"x": 30, "y": 40}, {"x": 50, "y": 60}]
    result = run(desk, step("mouse_move", {"x": "${place.x}", "y": "${place.y}", "smooth": False}, for_each=places,
                            **{"as": "place"}),
                 step("cursor_position", name="end"))
    assert [each.get("iteration") for each in result["steps"]] == [0, 1, 2, None]
    assert (told(result, "end")[0]["result"]["x"], told(result, "end")[0]["result"]["y"]) == (50, 60)
    error = desk.fails("LIMIT_EXCEEDED", "run_workflow", on_failure="continue", steps=[
        {"for_each": list(range(400)), "as": "a", "steps": [{"for_each": list(range(400)), "as": "b", "steps": [
            step("wait", {"duration": 0}, **{"if": {"equals": ["${a}", "${b.never}"]}})]}]}])
    assert len(error["details"]["done"]["steps"]) <= 1001, "no loop goes on for ever"


def test_time_limits(desk):
    began = time.monotonic()
    result = run(desk, {"name": "slow", "timeout_ms": 600, "on_failure": "continue",
                        "steps": [step("wait", {"duration": 30}), step("wait", {"duration": 0}, name="never")]},
                 step("cursor_position", name="after"))
    assert time.monotonic() - began < 10 and told(result, "after")[0]["ok"] and not told(result, "never")
    error = desk.fails("DESKTOP_TIMEOUT", "run_workflow", timeout_ms=4000, on_failure="continue",
                       steps=[step("wait", {"duration": 30}), step("wait", {"duration": 30})])
    assert len(error["details"]["done"]["steps"]) == 1


def test_a_failure_tells_where(desk):
    error = desk.fails("WINDOW_NOT_FOUND", "run_workflow", steps=[
        step("cursor_position"), {"steps": [step("window_focus", {"window_title": "nope"}), step("wait", {"duration": 0})]}])
    assert error["message"].startswith("steps[1].steps[0] (window_focus): ") and error["details"]["step"] == 1
    assert [each["ok"] for each in error["details"]["done"]["steps"]] == [True, False]


def test_a_value_that_is_not_there(desk):
    error = desk.fails("PRECONDITION_FAILED", "run_workflow", steps=[
        step("cursor_position", name="a"), step("wait", {"duration": "${steps.a.result.nope}"})])
    assert "refers to nothing" in error["message"]
    error = desk.fails("INVALID_PARAMS", "run_workflow", steps=[
        step("cursor_position", name="a"), step("window_focus", {"window_id": "${steps.a.result}"})])
    assert "window_id" in error["message"], "what comes of a reference is checked like any parameter"


def test_a_dry_run_lists_and_does_nothing(desk):
    before = desk.call("cursor_position")
    shown = desk.call("run_workflow", dry_run=True, steps=[
        step("mouse_move", {"x": 7, "y": 7}, name="m"),
        step("mouse_move", {"x": "${steps.m.result.position.x}", "y": 3}),
        {"if": {"ok": "m"}, "steps": [step("wait", {"duration": 5})], "else": [step("cursor_position")]}])
    steps = shown["target"]["steps"]
    assert shown["target"]["kind"] == "workflow" and [each.get("tool") for each in steps] == ["mouse_move", "mouse_move", None]
    assert steps[1]["depends"] and "result" in steps[0] and steps[2]["steps"][0]["tool"] == "wait" and steps[2]["if"]
    assert desk.call("cursor_position")["x"] == before["x"]


def pointer_x(desk):
    """As the X server says: an exclusive workflow makes every call wait."""
    screen = Screen(desk.desktop_environment())
    try:
        return screen.root.query_pointer().root_x
    finally:
        screen.close()


def test_others_act_in_between_unless_it_is_exclusive(desk):
    """The workflow holds no turn while it waits; an exclusive one does."""
    for exclusive, quick in ((False, True), (True, False)):
        bridge = desk.connect()
        bridge.send("call", {"tool": "run_workflow", "params": {"exclusive": exclusive, "steps": [
            step("mouse_move", {"x": 5, "y": 5, "smooth": False, "verify": False}),
            step("cursor_position", delay_ms=1500), step("mouse_move", {"x": 6, "y": 6, "smooth": False, "verify": False})]}})
        eventually(lambda: pointer_x(desk) == 5, what="the first step")
        began = time.monotonic()
        desk.call("mouse_move", x=50, y=50, smooth=False)
        assert (time.monotonic() - began < 0.8) == quick
        assert bridge.receive()["result"]["ok"]
        bridge.close()


@pytest.fixture(scope="module")
def strict():
    desk = Desk("--virtual", "--size", "640x480", "--private-home", verify=False, config={
        **FULL_AUTO, "projects": {"default_approval_template": "full-auto", "items": {"p": {
            "template": "full-auto", "approval": {"tool_overrides": {"key_press": "require_approval", "scroll": "always_block"}}}}}})
    yield desk
    finish(desk)


def asked(bridge):
    notice = bridge.receive(30)
    assert notice.get("method") == "waiting", notice
    return notice["params"]["approval"]


def test_what_is_known_is_asked_before_anything_is_done(strict):
    bridge = strict.connect()
    bridge.send("call", {"tool": "run_workflow", "params": {"project": "p", "steps": [
        step("mouse_move", {"x": 11, "y": 12, "smooth": False, "verify": False}, name="m"),
        step("key_press", {"keys": ["a"], "verify": False}, **{"if": {"ok": "m"}})]}})
    question = asked(bridge)
    assert [each["tool"] for each in question["steps"]] == ["mouse_move", "key_press"]
    assert strict.call("cursor_position")["x"] != 11
    assert strict.owner_cli("approve", question["id"]).returncode == 0
    answer = bridge.receive()["result"]
    while "ok" not in answer:
        answer = bridge.receive()["result"]
    assert answer["ok"], answer
    strict.fails("DANGEROUS_ACTION_BLOCKED", "run_workflow", project="p", steps=[
        step("mouse_move", {"x": 1, "y": 1}), step("wait", {"duration": 0}, otherwise=[step("scroll", {"direction": "down"})])])
    bridge.close()


def test_what_depends_is_asked_when_it_is_known(strict):
    bridge = strict.connect()
    bridge.send("call", {"tool": "run_workflow", "params": {"project": "p", "vars": {"key": "b"}, "steps": [
        step("mouse_move", {"x": 21, "y": 22, "smooth": False, "verify": False}),
        step("key_press", {"keys": ["${vars.key}"], "verify": False})]}})
    question = asked(bridge)
    assert question["tool"] == "key_press" and question["params"]["keys"] == ["b"], "it shows exactly what will be done"
    assert strict.call("cursor_position")["x"] == 21, "what came before is done, and others are not held up"
    strict.owner_cli("deny", question["id"])
    while True:
        reply = bridge.receive()
        if "result" in reply:
            break
    assert reply["result"]["error"]["code"] == "APPROVAL_DENIED"
    bridge.close()


def test_text_of_others_is_no_command(desk):
    """No tool of today takes a command; the rule is asked of the engine itself in tests/unit/desk/guard/flow/flow.c. What is read taints."""
    answer = desk.answer("run_workflow", run_id="wf-taint", steps=[
        step("window_list", name="look"), step("cursor_position", **{"if": {"ok": "look"}})])
    assert "programs" in answer["untrusted"]
    rows = [row for row in desk.audit() if row.get("run") == "wf-taint" and row["kind"] == "intent"]
    assert rows[-1]["tool"] == "cursor_position" and rows[-1].get("tainted")


def test_in_the_background_it_tells_how_far_it_is(desk):
    bridge = desk.connect()
    answer = bridge.answer("run_workflow", {"async": True, "steps": [
        step("cursor_position"), step("wait", {"duration": 20}, name="long"), step("cursor_position")]})
    identity = answer["operation"]["id"]
    eventually(lambda: bridge.call("operation_status", id=identity).get("progress", {}).get("at") == "steps[1]", what="progress")
    progress = bridge.call("operation_status", id=identity)["progress"]
    assert progress == {"done": 1, "steps": 3, "at": "steps[1]"}
    ended = bridge.call("operation_cancel", id=identity, wait_ms=10000)
    assert ended["status"] == "cancelled"
    assert [each["ok"] for each in ended["answer"]["error"]["details"]["done"]["steps"]] == [True, False]
    bridge.close()


def test_a_stop_ends_it(own_desk):
    desk = own_desk("--virtual", "--size", "640x480")
    bridge = desk.connect()
    bridge.send("call", {"tool": "run_workflow", "params": {"on_failure": "continue", "steps": [
        step("wait", {"duration": 0.05}, for_each=list(range(400)))]}})
    eventually(lambda: [row for row in desk.audit() if row["kind"] == "result" and row["tool"] == "wait"], what="its first step")
    desk.cli("stop", check=True)
    assert bridge.receive(10)["result"]["error"]["code"] == "STOPPED"


def test_values_of_the_caller_are_kept_off_the_disk(own_desk):
    desk = own_desk("--virtual", "--size", "640x480")
    desk.call("run_workflow", vars={"text": "variable-secret-4711"}, steps=[
        step("clipboard_write", {"text": "${vars.text}"}), step("clipboard_read", name="r"),
        step("wait", {"duration": 0}, **{"if": {"equals": ["${steps.r.result.text}", "variable-secret-4711"]}})])
    assert desk.call("clipboard_read")["text"] == "variable-secret-4711"
    assert b"variable-secret-4711" not in desk.data_bytes()


def test_the_command_line(desk, tmp_path):
    path = tmp_path / "flow.json"
    path.write_text(json.dumps({"steps": [step("wait", {"duration": "${vars.time}"}, name="w"), step("cursor_position")]}))
    shown = desk.cli("workflow", "run", path, "--var", "time=0", text=True)
    assert shown.returncode == 0 and "steps[0]" in shown.stdout and "cursor_position" in shown.stdout, shown.stderr
    shown = desk.cli("workflow", "check", path, "--var", "time=0", text=True)
    assert shown.returncode == 0 and "depends" in shown.stdout
    shown = desk.cli("workflow", "check", path, text=True)
    assert shown.returncode == 1 and "no value for ${vars.time}" in shown.stderr and "--var time=" in shown.stderr
    broken = tmp_path / "broken.json"
    broken.write_text('{"steps": [{"tool": "nope"}]}')
    shown = desk.cli("workflow", "run", broken, text=True)
    assert shown.returncode == 1 and "steps[0].tool" in shown.stderr
    broken.write_text("{")
    assert desk.cli("workflow", "run", broken).returncode == 2
    schema = json.loads(desk.cli("workflow", "schema").stdout)
    assert schema["$defs"]["step"]["properties"]["otherwise"]["items"] == {"$ref": "#/$defs/step"}
    words = {form["required"][0] for form in schema["$defs"]["condition"]["oneOf"]}
    assert words == {"exists", "ok", "equals", "contains", "matches", "less", "greater", "and", "or", "not"}
