"""The ledger and undo, on real windows and a real clipboard: back to what was, or an honest refusal."""
import json

import pytest

from handfast import eventually
from witness import RECORDER, Witness


class Widgets:
    """A GTK 3 program with a field that has a name."""

    PROGRAM = """
import gi
gi.require_version("Gtk", "3.0")
from gi.repository import Gtk
window = Gtk.Window(title="Undo fields")
entry = Gtk.Entry()
entry.get_accessible().set_name("Name")
window.add(entry)
window.show_all()
Gtk.main()
"""

    def __init__(self, desk):
        self.desk = desk
        self.process = desk.spawn("/usr/bin/python3", "-c", self.PROGRAM)
        self.window = desk.window("Undo fields")["window_id"]

    def act(self, action, target, **params):
        return self.desk.call("ui_act", action=action, target=target, window_id=self.window, **params)

    def value(self, target):
        return self.desk.call("read_text", target=target)["text"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


@pytest.fixture
def windows(desk):
    """Two windows; the second has the focus."""
    started = [Witness(desk, RECORDER, "--geometry", "300x200+100+100", "--title", "Undo one"),
               Witness(desk, RECORDER, "--geometry", "300x200+500+100", "--title", "Undo two")]
    one, two = desk.window("Undo one"), desk.window("Undo two")
    desk.call("window_focus", window_id=two["window_id"], run_id="undo-setup")
    yield one["window_id"], two["window_id"]
    for each in started:
        each.stop()


def window(desk, window_id):
    return next(each for each in desk.call("window_list")["windows"] if each["window_id"] == window_id)


def undone(desk, **params):
    return desk.call("undo_last", **params)["undone"]


def test_the_clipboard_gets_its_text_back(desk):
    desk.call("clipboard_write", text="precious old text", run_id="u-clip-setup")
    step = desk.answer("clipboard_write", text="new text", run_id="u-clip")["step_id"]
    back = undone(desk, run_id="u-clip")
    assert [entry["step_id"] for entry in back] == [step] and back[0]["tool"] == "clipboard_write"
    assert desk.call("clipboard_read")["text"] == "precious old text"
    error = desk.fails("PRECONDITION_FAILED", "undo_last", run_id="u-clip")
    assert "no change left" in error["message"]


def test_the_old_text_is_nowhere_on_the_disk(desk):
    desk.call("clipboard_write", text="only-in-memory-4711", run_id="u-secret-setup")
    desk.call("clipboard_write", text="other", run_id="u-secret")
    assert undone(desk, run_id="u-secret")
    found = [path for path in (desk.home / "data").rglob("*") if path.is_file() and b"only-in-memory-4711" in path.read_bytes()]
    assert not found, found


def test_a_clipboard_that_is_not_ours_any_more_is_left_alone(desk):
    desk.call("clipboard_write", text="mine", run_id="u-other")
    desk.call("clipboard_write", text="somebody else's", run_id="u-somebody")
    error = desk.fails("PRECONDITION_FAILED", "undo_last", run_id="u-other")
    assert "clipboard has changed" in error["message"]
    assert desk.call("clipboard_read")["text"] == "somebody else's"


def test_windows_go_back(desk, windows):
    one, _ = windows
    before = window(desk, one)["bounds"]
    desk.call("window_manage", window_id=one, action="move", bounds={"x": 300, "y": 300, "width": 400, "height": 250}, run_id="u-win")
    desk.call("window_manage", window_id=one, action="maximize", run_id="u-win")
    assert undone(desk, run_id="u-win")[0]["tool"] == "window_manage"
    assert not window(desk, one)["maximized"] and window(desk, one)["bounds"]["x"] == 300
    assert undone(desk, run_id="u-win")  # further back, and not forth again
    assert window(desk, one)["bounds"] == before
    desk.call("window_manage", window_id=one, action="minimize", run_id="u-win")
    undone(desk, run_id="u-win")
    assert not window(desk, one)["minimized"]


def test_the_focus_goes_back(desk, windows):
    one, two = windows
    desk.call("window_focus", window_id=one, run_id="u-focus")
    assert window(desk, one)["focused"]
    undone(desk, run_id="u-focus")
    assert window(desk, two)["focused"]


def test_what_somebody_moved_since_is_left_alone(desk, windows):
    one, two = windows
    desk.call("window_manage", window_id=one, action="move", bounds={"x": 300, "y": 300}, run_id="u-moved")
    desk.call("window_manage", window_id=one, action="move", bounds={"x": 50, "y": 50}, run_id="u-mover")
    assert "was moved" in desk.fails("PRECONDITION_FAILED", "undo_last", run_id="u-moved")["message"]
    assert window(desk, one)["bounds"]["x"] == 50
    desk.call("window_focus", window_id=one, run_id="u-refocus")
    desk.call("window_focus", window_id=two, run_id="u-refocuser")
    assert "another window" in desk.fails("PRECONDITION_FAILED", "undo_last", run_id="u-refocus")["message"]


def test_a_program_is_closed_again(desk):
    launched = desk.call("app_launch", name="mousepad", run_id="u-app")
    assert launched["outcome"] == "window"
    undone(desk, run_id="u-app")
    eventually(lambda: not [w for w in desk.call("window_list")["windows"] if w.get("pid") == launched["window"]["pid"]], what="its end")
    launched = desk.call("app_launch", name="mousepad", run_id="u-gone")
    desk.call("app_close", pid=launched["window"]["pid"], force=True, run_id="u-closer")
    assert "has ended" in desk.fails("PRECONDITION_FAILED", "undo_last", run_id="u-gone")["message"]


def test_what_has_no_way_back_is_refused(desk, windows):
    desk.call("left_click", x=600, y=150, run_id="u-click")
    error = desk.fails("PRECONDITION_FAILED", "undo_last", run_id="u-click")
    assert "left_click" in error["message"] and error["details"]["tool"] == "left_click"
    desk.call("mouse_move", x=5, y=5, smooth=False, run_id="u-move")  # changes nothing
    assert "no change left" in desk.fails("PRECONDITION_FAILED", "undo_last", run_id="u-move")["message"]


def test_back_to_a_step(desk, windows):
    one, two = windows
    before = window(desk, one)["bounds"]
    step = desk.answer("window_manage", window_id=one, action="move", bounds={"x": 300, "y": 300}, run_id="u-to")["step_id"]
    desk.call("window_focus", window_id=one, run_id="u-to")
    desk.call("window_manage", window_id=one, action="maximize", run_id="u-to")
    dry = desk.call("undo_to", step_id=step, run_id="u-to", dry_run=True)
    assert [entry["tool"] for entry in dry["target"]["steps"]] == ["window_manage", "window_focus", "window_manage"]
    assert window(desk, one)["maximized"]
    back = desk.call("undo_to", step_id=step, run_id="u-to")["undone"]
    assert [entry["tool"] for entry in back] == ["window_manage", "window_focus", "window_manage"]
    assert window(desk, one)["bounds"] == before and window(desk, two)["focused"]
    assert "already" in desk.fails("PRECONDITION_FAILED", "undo_to", step_id=step)["message"]
    desk.fails("PRECONDITION_FAILED", "undo_to", step_id="s_unknown")
    desk.fails("INVALID_PARAMS", "undo_to", step_id="")
    desk.fails("INVALID_PARAMS", "undo_last", scope="world")


def test_a_partial_way_back_says_how_far(desk, windows):
    one, _ = windows
    first = desk.answer("left_click", x=250, y=150, run_id="u-part")["step_id"]
    last = desk.answer("window_manage", window_id=one, action="maximize", run_id="u-part")["step_id"]
    error = desk.fails("PRECONDITION_FAILED", "undo_to", step_id=first, run_id="u-part")
    assert error["details"]["failed"] == first and [entry["step_id"] for entry in error["details"]["undone"]] == [last]
    assert not window(desk, one)["maximized"]


def test_runs_do_not_undo_each_other_but_the_owner_can(desk, windows):
    one, _ = windows
    before = window(desk, one)["bounds"]
    answer = desk.answer("window_manage", window_id=one, action="move", bounds={"x": 300, "y": 300}, run_id="u-a")
    moved = answer["result"]["window"]["bounds"]
    assert moved != before
    desk.fails("PRECONDITION_FAILED", "undo_last", run_id="u-b")
    assert window(desk, one)["bounds"] == moved
    done = desk.cli("undo", "--to", answer["step_id"], "--only")
    assert done.returncode == 1, "a client, and not the one who did it"
    assert window(desk, one)["bounds"] == moved
    done = desk.owner_cli("undo")
    assert done.returncode == 0, done.shown
    assert window(desk, one)["bounds"] == before


def test_an_undo_goes_through_the_guard_and_is_written_down(desk):
    desk.call("clipboard_write", text="a", run_id="u-audit-setup")
    step = desk.answer("clipboard_write", text="b", run_id="u-audit")["step_id"]
    by = undone(desk, run_id="u-audit")[0]["by"]
    rows = json.loads(desk.cli("audit", "list", "--run", "u-audit", "--limit", "0", "--json").stdout)
    intents = [row for row in rows if row["kind"] == "intent"]
    assert [row["tool"] for row in intents] == ["clipboard_write", "undo_last", "clipboard_write"]
    assert intents[-1]["step"] == by and step in intents[-1]["reason"]
    listed = json.loads(desk.owner_cli("ledger", "list", "--run", "u-audit", "--json").shown)["changes"]
    assert [entry["step_id"] for entry in listed] == [by, step]
    assert listed[0]["undoes"] == step and listed[1]["undone_by"] == by
    assert "clipboard_write" in desk.owner_cli("ledger", "list").shown
    assert desk.cli("ledger").returncode == 2 and desk.cli("undo", "wrong").returncode == 2


def test_an_undo_is_held_to_the_policy(own_desk):
    from handfast import FULL_AUTO
    desk = own_desk("--virtual", "--size", "640x480", config={**FULL_AUTO, "projects": {"items": {"bound": {"approval": {
        "tool_overrides": {"clipboard_write": "always_block"}}}}}})
    desk.call("clipboard_write", text="old", run_id="p")
    desk.call("clipboard_write", text="new", run_id="p")
    desk.fails("DANGEROUS_ACTION_BLOCKED", "undo_last", run_id="p", project="bound")
    assert desk.call("clipboard_read")["text"] == "new"
    desk.call("undo_last", run_id="p")
    assert desk.call("clipboard_read")["text"] == "old"


def test_an_undo_that_the_owner_is_asked_about(own_desk):
    """The undo itself, then what it does: both are asked, and both are shown."""
    desk = own_desk("--virtual", "--size", "640x480")
    desk.call("clipboard_write", text="old", run_id="asked")
    step = desk.answer("clipboard_write", text="new", run_id="asked")["step_id"]
    bridge = desk.connect()
    identity = bridge.send("call", {"tool": "undo_last", "params": {"run_id": "asked", "approval": "require_approval"}})
    tools = []
    while (message := bridge.receive()).get("method") == "waiting":
        question = message["params"]["approval"]
        tools.append((question["tool"], [each["step_id"] for each in question["target"].get("steps", [])]))
        run = desk.owner_cli("approve", question["id"])
        assert run.returncode == 0, run.shown
    assert message["id"] == identity and message["result"]["ok"], message
    assert tools == [("undo_last", [step]), ("clipboard_write", [])]
    assert desk.call("clipboard_read")["text"] == "old"


def test_an_undo_stays_within_the_grant_it_was_asked_with(own_desk):
    desk = own_desk("--virtual", "--size", "640x480")
    assert desk.owner_cli("grant", "new", "undoer", "--tools", "undo_last").returncode == 0
    desk.call("clipboard_write", text="old", run_id="bound")
    desk.call("clipboard_write", text="new", run_id="bound")
    error = desk.fails("FORBIDDEN", "undo_last", run_id="bound", grant="undoer")
    assert error["details"]["grant"] == "undoer"
    assert desk.call("clipboard_read")["text"] == "new"


def test_what_an_element_held_comes_back(desk):
    """A value and a box, and not over what somebody has written there since."""
    with Widgets(desk) as widgets:
        widgets.act("set_value", 'field "Name"', value="first", run_id="u-el-setup")
        widgets.act("set_value", 'field "Name"', value="second", run_id="u-el")
        assert undone(desk, run_id="u-el")[0]["tool"] == "ui_act"
        assert widgets.value('field "Name"') == "first"
        widgets.act("set_value", 'field "Name"', value="third", run_id="u-el-late")
        widgets.act("set_value", 'field "Name"', value="somebody's", run_id="u-el-somebody")
        assert "another value" in desk.fails("PRECONDITION_FAILED", "undo_last", run_id="u-el-late")["message"]
        assert widgets.value('field "Name"') == "somebody's"


def test_several_at_once_and_what_a_person_sees(desk, windows):
    one, _ = windows
    before = window(desk, one)["bounds"]
    for x in (210, 220, 230):
        desk.call("window_manage", window_id=one, action="move", bounds={"x": x, "y": 200}, run_id="u-several")
    listed = desk.owner_cli("undo", "--list").shown
    assert listed.count("window_manage") >= 3 and "by window_manage" in listed
    planned = desk.owner_cli("undo", "--last", "3", "--dry_run").shown
    assert planned.count("window_manage") >= 3 and window(desk, one)["bounds"]["x"] == 230
    shown = desk.owner_cli("undo", "--last", "3")
    assert shown.returncode == 0 and shown.shown.count("window_manage") == 3, shown.shown
    assert window(desk, one)["bounds"] == before
    desk.call("left_click", x=600, y=150, run_id="u-several")
    refused = desk.owner_cli("undo")
    assert refused.returncode == 1 and "the program decides" in refused.shown


def test_every_tool_that_changes_something_says_how_or_why_not(desk, windows):
    """Each is called once; the ledger has a way back or a reason of its own for it, or it has changed nothing."""
    one, two = windows
    calls = {"left_click": {"x": 600, "y": 150}, "right_click": {"x": 600, "y": 150}, "middle_click": {"x": 600, "y": 150},
             "double_click": {"x": 600, "y": 150}, "triple_click": {"x": 600, "y": 150}, "mouse_down": {"x": 600, "y": 150},
             "mouse_up": {"x": 600, "y": 150}, "mouse_move": {"x": 600, "y": 150}, "scroll": {"x": 600, "y": 150, "direction": "down"},
             "mouse_drag": {"from_x": 600, "from_y": 150, "to_x": 610, "to_y": 160}, "type_text": {"text": "a"},
             "key_press": {"keys": ["a"]}, "key_down": {"keys": ["b"]}, "key_up": {"keys": ["b"]},
             "hotkey": {"keys": ["ctrl", "l"], "reason": "test"}, "hold_key": {"keys": ["c"], "duration": 0.01},
             "app_launch": {"name": "true"}, "window_focus": {"window_id": one}, "app_switch": {"pid": window(desk, two)["pid"]},
             "window_manage": {"window_id": one, "action": "maximize"}, "clipboard_write": {"text": "u"}}
    declared = {tool["name"]: tool for tool in json.loads(desk.cli("tools", "--json").stdout)}
    elsewhere = {"ui_act", "ui_focus", "menu_pick", "app_close", "notification_send", "notification_close", "highlight",
                 "run_macro", "run_workflow", "undo_last", "undo_to", "operation_cancel"}
    changing = {name for name, tool in declared.items() if not tool["read_only"]}
    assert changing - elsewhere - set(calls) <= {name for name in changing if declared[name]["category"] in ("terminal", "files", "browser")}
    for name, params in calls.items():
        desk.answer(name, **params, run_id=f"u-all-{name}")
        for entry in desk.main_bridge.manage("ledger.list", run=f"u-all-{name}")["changes"]:
            assert entry["undo"].startswith("by ") or (entry["undo"].startswith("no: ") and "this tool" not in entry["undo"]), entry


# --- what came in between ---

def written(desk, name, content, **params):
    path = desk.home / "Projects" / name
    path.parent.mkdir(exist_ok=True)
    answer = desk.answer("file_write", path=str(path), content=content, **params)
    assert answer["ok"], answer
    return path, answer["step_id"]


@pytest.mark.parametrize("tool, params", [
    ("bash_session", {"action": "list"}),
    ("mouse_move", {"x": 5, "y": 5, "smooth": False}),
    ("highlight", {"region": [10, 10, 50, 50], "duration": 100}),
])
def test_a_look_is_no_change(desk, tool, params):
    path, _ = written(desk, "looked.txt", "one", run_id="undo-look")
    desk.call(tool, run_id="undo-look", **params)
    assert [step["tool"] for step in undone(desk, run_id="undo-look")] == ["file_write"]
    assert not path.exists()


def test_what_has_no_way_back_can_be_passed_over(desk):
    first, _ = written(desk, "first.txt", "one", run_id="undo-skip")
    second, _ = written(desk, "second.txt", "two", run_id="undo-skip")
    desk.call("bash_execute", command="true", run_id="undo-skip")
    error = desk.fails("PRECONDITION_FAILED", "undo_last", run_id="undo-skip")
    assert "skip" in error["suggestion"] and second.exists()
    plan = desk.call("undo_last", run_id="undo-skip", skip=True, dry_run=True)["target"]
    assert [step["what"] for step in plan["steps"]] == [str(second)] and plan["left"][0]["tool"] == "bash_execute"
    result = desk.call("undo_last", run_id="undo-skip", skip=True)
    assert [step["what"] for step in result["undone"]] == [str(second)] and not second.exists() and first.exists()
    assert [(step["tool"], "command" in step["why"]) for step in result["left"]] == [("bash_execute", True)]
    assert [step["what"] for step in undone(desk, run_id="undo-skip", skip=True, count=5)] == [str(first)]
    assert not first.exists()
    assert "no change left" in desk.fails("PRECONDITION_FAILED", "undo_last", run_id="undo-skip", skip=True)["message"]


def test_one_step_can_be_taken_back_alone(desk):
    first, step = written(desk, "alone.txt", "one", run_id="undo-only")
    second, _ = written(desk, "stays.txt", "two", run_id="undo-only")
    third, changed = written(desk, "changed.txt", "one", run_id="undo-only")
    third.write_text("somebody else's")
    desk.call("bash_execute", command="true", run_id="undo-only")
    result = desk.call("undo_to", step_id=step, only=True, run_id="undo-only")
    assert [each["what"] for each in result["undone"]] == [str(first)] and not first.exists() and second.exists()
    desk.fails("PRECONDITION_FAILED", "undo_to", step_id=changed, only=True, run_id="undo-only")
    assert third.read_text() == "somebody else's"
    desk.fails("PRECONDITION_FAILED", "undo_to", step_id=step, only=True, run_id="undo-only")


def test_a_person_sees_what_would_be_taken_back(desk):
    path, step = written(desk, "seen.txt", "one", run_id="undo-seen")
    desk.call("bash_execute", command="true", run_id="undo-seen")
    for arguments in (("undo", "--list"), ("ledger", "list"), ("undo", "--last", "1", "--skip", "--dry_run"), ("undo", "--to", step, "--only", "--dry_run")):
        shown = desk.owner_cli(*arguments)
        assert shown.returncode == 0 and "seen.txt" in shown.shown, shown
    shown = desk.owner_cli("undo", "--only")
    assert shown.returncode == 2 and "--to" in shown.shown and path.exists()
    shown = desk.owner_cli("undo", "--last", "1", "--skip")
    assert shown.returncode == 0 and not path.exists() and "skipped" in shown.shown
