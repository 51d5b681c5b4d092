"""One call, every door: the same answer to the byte, apart from what names the call and its time.

A door is an adapter: a function that makes the call and returns the answer as the bridge gives it. To add one, write the
function and put it into DOORS. A door that shows less than the whole answer (MCP) is held to the outcome alone."""
import json
import subprocess

import pytest

from handfast import FULL_AUTO, PROGRAM
from http_client import Client, make_token
from mcp_client import Mcp

# Harmless calls, that can be made again and again. Tools that are not named here are only asked what they would do.
CALLS = {
    "screenshot": {"format": "png"},
    "zoom": {"region": [100, 100, 160, 140], "format": "png"},
    "mouse_move": {"x": 700, "y": 550, "smooth": False},
    "left_click": {"x": 700, "y": 550},
    "middle_click": {"x": 700, "y": 550},
    "double_click": {"x": 700, "y": 550},
    "triple_click": {"x": 700, "y": 550},
    "mouse_up": {"button": "left"},
    "mouse_drag": {"from_x": 700, "from_y": 550, "to_x": 700, "to_y": 550, "duration": 0},
    "scroll": {"direction": "down", "clicks": 1, "x": 700, "y": 550},
    "cursor_position": {},
    "type_text": {"text": ""},
    "key_press": {"keys": ["shift"]},
    "key_up": {"keys": ["shift"]},
    "hold_key": {"keys": ["shift"], "duration": 0.01},
    "hotkey": {"keys": ["shift"], "reason": "the test", "dry_run": True},
    "app_launch": {"name": "no-such-program"},
    "app_switch": {"name": "xterm"},
    "app_list": {"include_windows": True},
    "app_close": {"name": "no-such-program"},
    "window_list": {},
    "window_focus": {"window_title": "target 目标"},
    "window_manage": {"window_title": "target 目标", "action": "move", "bounds": {"x": 20, "y": 40, "width": 300, "height": 200}},
    "clipboard_read": {},
    "clipboard_write": {"text": "one \"text\" 文字\n\t\\"},
    "notification_send": {"title": "t", "body": "b", "dry_run": True},
    "system_info": {},
    "wait": {"duration": 0.01},
    "undo_last": {"dry_run": True},
    "undo_to": {"step_id": "s_0123456789abcdef"},
    "run_macro": {"steps": [{"tool": "wait", "params": {"duration": 0}}]},
}

# What names a call, its time, its caller, or what a machine does meanwhile.
VOLATILE = {"run_id", "step_id", "ts", "duration_ms", "timing", "timestamp", "image_id", "memory_free", "waited_ms",
            "uptime_s", "time", "load", "free", "taint"}


def steady(value):
    """The answer with what is volatile replaced by its kind; the order of members stays."""
    if isinstance(value, dict):
        return {name: type(inner).__name__ if name in VOLATILE else steady(inner) for name, inner in value.items()}
    return [steady(item) for item in value] if isinstance(value, list) else value


def outcome(answer):
    """What a door that shows less has to show: over MCP an error says all that the verdict would."""
    names = ("ok", "result", "effect") if answer["ok"] else ("ok", "error")
    return {name: answer[name] for name in names if name in answer}


def by_bridge(house, tool, params):
    return house.desk.main_bridge.answer(tool, params)


def by_call_command(house, tool, params):
    return json.loads(house.desk.cli("call", tool, json.dumps(params)).stdout)


def by_tool_command(house, tool, params):
    words = []
    for name, value in params.items():
        text = value if isinstance(value, str) else json.dumps(value)
        # "-", "@..." and texts that begin like a flag are given as they stand.
        words.append(f"--{name}=" + (f"@={text}" if isinstance(value, str) and name in ("text", "title", "body") else text))
    return json.loads(house.desk.cli(tool, *words, "--json").stdout)


def by_http(house, tool, params):
    return house.http.call(tool, **params).json


def mcp_answer(result):
    if result.get("isError"):
        return {"ok": False, "error": result["_meta"]["handfast/error"]}
    pictures = {"image": block["data"] for block in result["content"] if block["type"] == "image"}
    content = dict(result["structuredContent"])
    effect = content.pop("effect", None)  # which stands beside the result elsewhere, and without what to do next
    answer = {"ok": True, "result": {**content, **pictures}}
    return {**answer, "effect": {name: value for name, value in effect.items() if name != "suggested_next"}} if effect else answer


def by_mcp(house, tool, params):
    return mcp_answer(house.mcp.call(tool, **params))


WHOLE = {"call": by_call_command, "tool": by_tool_command, "http": by_http}
OUTCOME = {"mcp": by_mcp}


class House:
    def __init__(self, desk):
        self.desk = desk
        self.http = Client(desk, make_token(desk, "everywhere", "--level", "L4"))
        self.mcp = Mcp(desk.environment, "--profile", "all")

    def close(self):
        self.http.close()
        self.mcp.process.stdin.close()
        self.mcp.process.wait(timeout=30)


@pytest.fixture(scope="module")
def house():
    from handfast import finish
    from handfast import Desk
    desk = Desk("--virtual", "--size", "800x600", config=FULL_AUTO)
    xterm = desk.spawn("xterm", "-T", "target 目标", "-e", "sleep 600")
    desk.window("target")
    everything = House(desk)
    yield everything
    everything.close()
    xterm.kill()
    xterm.wait()
    finish(desk)


def tools():
    listed = json.loads(subprocess.run([PROGRAM, "tools", "--json"], capture_output=True, check=True).stdout)
    return sorted(tool["name"] for tool in listed)


def compare(house, tool, params):
    # One run for all: what it has read before is part of what is decided.
    params = {**params, "run_id": "everywhere"}
    by_bridge(house, tool, params)  # what a first call changes, it has changed
    expected = by_bridge(house, tool, params)
    for name, door in WHOLE.items():
        assert json.dumps(steady(door(house, tool, params))) == json.dumps(steady(expected)), name
    for name, door in OUTCOME.items():
        assert json.dumps(steady(outcome(door(house, tool, params)))) == json.dumps(steady(outcome(expected))), name
    return expected


@pytest.mark.parametrize("tool", tools())
def test_a_harmless_call(house, tool):
    compare(house, tool, CALLS.get(tool, {"dry_run": True}))


@pytest.mark.parametrize("tool", tools())
def test_a_wrong_call(house, tool):
    answer = compare(house, tool, {**CALLS.get(tool, {}), "timeout_ms": 0})
    assert not answer["ok"] and answer["error"]["code"] == "INVALID_PARAMS"


def test_most_calls_are_really_made(house):
    """The table must not rot: what it names exists, and does something."""
    assert set(CALLS) - {"run_macro"} <= set(tools())
    done = [tool for tool in set(CALLS) & set(tools()) if by_bridge(house, tool, CALLS[tool])["ok"]]
    assert len(done) > 20, done


@pytest.mark.parametrize("tool, params", [("no_such_tool", {}), ("wait", {"duration": 0, "desktop": "nowhere"}),
                                          ("wait", {"duration": 5, "timeout_ms": 50})])
def test_other_failures(house, tool, params):
    expected = by_bridge(house, tool, params)
    doors = dict(WHOLE)
    if tool == "no_such_tool":
        doors.pop("tool")  # the command line knows that itself
    for name, door in doors.items():
        assert json.dumps(steady(door(house, tool, params))) == json.dumps(steady(expected)), name
