"""dry_run: everything is asked, nothing is done; the answer says what would be hit."""
import base64
import io
import json

import pytest
from PIL import Image

from witness import RECORDER, Witness

INPUT = {
    "mouse_move": {"x": 300, "y": 200}, "left_click": {"x": 300, "y": 200}, "right_click": {"x": 300, "y": 200},
    "middle_click": {"x": 300, "y": 200}, "double_click": {"x": 300, "y": 200}, "triple_click": {"x": 300, "y": 200},
    "mouse_down": {"x": 300, "y": 200}, "mouse_up": {"x": 300, "y": 200},
    "mouse_drag": {"from_x": 300, "from_y": 200, "to_x": 350, "to_y": 260},
    "scroll": {"x": 300, "y": 200, "direction": "down"},
    "type_text": {"text": "nothing of this"}, "key_press": {"keys": "a"}, "key_down": {"keys": "b"}, "key_up": {"keys": "b"},
    "hotkey": {"keys": ["ctrl", "c"], "reason": "test"}, "hold_key": {"keys": "d", "duration": 0.01},
}


@pytest.fixture
def recorder(desk):
    witness = Witness(desk, RECORDER, "--geometry", "400x300+200+100", "--title", "Dry window")
    yield witness
    witness.stop()


def picture(result):
    return Image.open(io.BytesIO(base64.b64decode(result["image"]))).convert("RGB")


def is_mark(pixel):
    red, green, blue = pixel
    return red > 200 and green < 110 and 60 < blue < 190


def test_input_tools_inject_nothing(desk, recorder):
    pointer = desk.call("mouse_move", x=1000, y=700, smooth=False)["position"]
    for tool, params in INPUT.items():
        answer = desk.answer(tool, **params, dry_run=True)
        assert answer["ok"] and answer["dry_run"], (tool, answer)
        result = answer["result"]
        assert result["decision"] == "auto_approve" and result["risk"] in ("low", "medium", "high"), result
        assert result["target"]["window"]["title"] == "Dry window", (tool, result["target"])
        assert set(answer["untrusted"]) == {"screen", "programs"}
        assert picture(result).size == (960, 600)
    where = desk.call("cursor_position")
    assert (where["x"], where["y"]) == (pointer["x"], pointer["y"])
    # What comes next is the first thing that the window sees.
    desk.call("left_click", x=400, y=250)
    seen = [line["event"] for line in recorder.all(lambda line: line["event"] == "button_press")]
    assert not {"key_press", "key_release", "button_release"} & set(seen) and seen.count("button_press") == 1


def test_the_cross_is_where_the_click_would_be(desk, recorder):
    result = desk.call("left_click", x=300, y=200, dry_run=True)
    image = picture(result)
    at = (300 * 960 // 1280, 200 * 960 // 1280)
    assert is_mark(image.getpixel((at[0] + 9, at[1]))) and is_mark(image.getpixel((at[0], at[1] - 9)))
    assert result["target"]["point"] == {"x": 300, "y": 200}
    assert not any(is_mark(image.getpixel((x, 500))) for x in range(960))


def test_windows_stay_as_they_are(desk, recorder):
    before = desk.window("Dry window")
    result = desk.call("window_manage", window_title="Dry window", action="maximize", dry_run=True)
    assert result["target"]["window"]["window_id"] == before["window_id"]
    desk.call("app_close", pid=before["pid"], force=True, dry_run=True)
    assert desk.window("Dry window")["bounds"] == before["bounds"]


def test_a_program_is_not_started(desk, tmp_path):
    made = tmp_path / "made"
    result = desk.call("app_launch", name="touch", args=[str(made)], dry_run=True)
    assert result["target"]["command"] == ["/usr/bin/touch", str(made)] or result["target"]["command"][-1] == str(made)
    assert result["effects"] == ["runs_commands"]
    assert not made.exists()


def test_secrets_stay_out(desk):
    desk.call("clipboard_write", text="kept")
    result = desk.call("clipboard_write", text="very-secret-text", dry_run=True)
    assert "very-secret-text" not in json.dumps(result)
    assert desk.call("clipboard_read")["text"] == "kept"


def test_every_tool_has_a_dry_run(desk, recorder):
    window = desk.window("Dry window")
    file = desk.home / "Projects" / "dry.txt"
    file.parent.mkdir(exist_ok=True)
    file.write_text("one")
    script = file.with_name("dry.sh")
    script.write_text("touch never")
    params = {**INPUT, "zoom": {"region": [0, 0, 50, 50]}, "wait": {"duration": 60},
              "clipboard_write": {"text": "x"}, "notification_send": {"title": "x", "body": "x"},
              "app_launch": {"name": "true"}, "app_switch": {"pid": window["pid"]}, "app_close": {"pid": window["pid"]},
              "window_focus": {"window_id": window["window_id"]},
              "window_manage": {"window_id": window["window_id"], "action": "minimize"},
              "find": {"selector": "button"}, "menu_pick": {"path": "File > Open"}, "wait_until": {"until": "settled"}, "read_text": {"target": "button"}, "highlight": {"region": [0, 0, 50, 50]},
              "file_read": {"path": str(file)}, "file_watch": {"path": str(file)}, "file_write": {"path": str(file), "content": "two"},
              "file_edit": {"path": str(file), "old_string": "one", "new_string": "two"},
              "file_search": {"directory": str(file.parent), "pattern": "*"}, "file_batch": {"operations": [{"op": "delete", "path": str(file)}]},
              "bash_execute": {"command": "touch never"}, "bash_session": {"action": "list"}, "run_script": {"path": str(script)},
              "undo_to": {"step_id": "s_none"}, "operation_status": {"id": "o_none"}, "operation_cancel": {"id": "o_none"},
              "notification_close": {"id": 1}, "run_workflow": {"steps": [{"tool": "left_click", "params": {"x": 5, "y": 5}}]}, "run_macro": {"steps": [{"tool": "left_click", "params": {"x": 5, "y": 5}}]}}
    def world():
        """What a tool could have changed: windows, programs, the clipboard, the pointer, the ledger."""
        return (desk.call("window_list")["windows"], desk.call("app_list"), desk.call("clipboard_read"), desk.call("cursor_position"),
                desk.main_bridge.manage("ledger.list")["changes"])
    desk.call("clipboard_write", text="before all of them")
    before = world()
    for tool in json.loads(desk.cli("tools", "--json").stdout):
        if tool["name"].startswith("undo_"):
            continue  # see test_undo.py
        if tool["target"] == "element" or tool["category"] == "browser":
            continue  # there must be one: see test_find.py, test_browser.py
        answer = desk.answer(tool["name"], **params.get(tool["name"], {}), dry_run=True)
        assert answer["ok"] and answer["dry_run"] and "decision" in answer["result"], (tool["name"], answer)
    assert world() == before, "none of them has changed anything"
    assert file.read_text() == "one"


def test_what_would_fail_fails(desk):
    desk.fails("INVALID_PARAMS", "left_click", x=5000, y=5, dry_run=True)
    desk.fails("WINDOW_NOT_FOUND", "window_focus", window_title="no such window", dry_run=True)
    desk.fails("INVALID_PARAMS", "left_click", x=5, y=5, dry_run="yes")
    desk.fails("INVALID_PARAMS", "left_click", x=5, y=5, nope=1, dry_run=True)
    assert desk.answer("left_click", x=5, y=5, dry_run=False).get("dry_run") is None
