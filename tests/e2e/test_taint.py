"""Text of others is marked in answers, and a run that has read some is known for it from then on."""
import json

import pytest

from handfast import Desk, finish


def tainted(bridge, **params):
    answer = bridge.answer("wait", {"duration": 0, "dry_run": True, **params})
    assert answer["ok"], answer
    return answer["result"]["tainted"]


@pytest.fixture
def bridge(shared_desk):
    """A connection of a caller that has read nothing yet."""
    assert shared_desk.owner_cli("taint", "clear").returncode == 0
    connection = shared_desk.connect()
    yield connection
    connection.close()


@pytest.mark.parametrize("tool,params,untrusted", [
    ("screenshot", {"max_dimension": 64}, ["screen", "programs"]),
    ("zoom", {"region": [0, 0, 20, 20], "max_dimension": 20}, ["screen", "programs"]),
    ("window_list", {}, ["programs"]),
    ("app_list", {}, ["programs"]),
    ("clipboard_read", {}, ["clipboard"]),
    ("cursor_position", {}, ["programs"]),
    ("system_info", {}, None),
    ("wait", {"duration": 0}, None),
    ("mouse_move", {"x": 5, "y": 5, "smooth": False}, None),
])
def test_answers_say_whose_text_they_carry(bridge, tool, params, untrusted):
    assert tainted(bridge) is False
    answer = bridge.answer(tool, params)
    assert answer["ok"] and answer.get("untrusted") == untrusted
    assert bridge.answer("wait", {"duration": 0, "dry_run": True})["result"]["tainted"] is (untrusted is not None)


def test_an_error_that_names_windows_taints(bridge):
    answer = bridge.answer("window_focus", {"window_title": "no such window at all"})
    assert not answer["ok"]
    if "details" in answer["error"]:
        assert answer["untrusted"] == ["programs"] and tainted(bridge)


def test_a_refusal_of_the_guard_taints_nothing(bridge):
    assert not bridge.answer("window_focus", {"window_id": "five"})["ok"]
    assert tainted(bridge) is False


def test_a_connection_cannot_shed_its_taint(bridge, shared_desk):
    bridge.call("screenshot", max_dimension=64, run_id="t-shed-1")
    assert tainted(bridge, run_id="t-shed-1")
    assert tainted(bridge, run_id="t-shed-fresh") and tainted(bridge)
    other = shared_desk.connect()
    assert tainted(other, run_id="t-shed-1")        # the run is known everywhere
    assert tainted(other, run_id="t-shed-2")        # and so is its caller
    other.close()


def test_named_runs_stay_tainted_when_the_desk_starts_again():
    desk = Desk("--virtual", "--size", "640x480")
    try:
        desk.call("clipboard_read", run_id="lasting")
        desk.stop()
        desk.start()
        first = desk.connect()
        assert tainted(first, run_id="lasting")
        first.close()
        desk.process.kill()  # nor by an end without notice
        desk.process.wait()
        desk.start()
        assert tainted(desk.main_bridge, run_id="lasting")
    finally:
        finish(desk)


def test_every_tool_declares(shared_desk):
    tools = {tool["name"]: tool for tool in json.loads(shared_desk.cli("tools", "--json").stdout)}
    assert tools["screenshot"]["reads"] and tools["app_launch"]["effects"] == ["runs_commands"]
    assert tools["left_click"]["reads"] == [] and tools["wait"]["effects"] == []
