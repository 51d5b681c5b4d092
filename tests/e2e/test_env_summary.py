"""env_summary: what can be used now, by whom, and nothing that the caller could not see otherwise."""
import json
import os

from handfast import FULL_AUTO
from witness import RECORDER, Witness


def test_it_tells_what_is_there(desk):
    witness = Witness(desk, RECORDER, "--geometry", "300x200+100+100", "--title", "Seen in summary")
    desk.window("Seen in summary")
    answer = desk.answer("env_summary")
    summary = answer["result"]
    assert summary["desktop"] == "main" and {"name": "main", "kind": "virtual"}.items() <= summary["desktops"][0].items()
    assert "Seen in summary" in [window["title"] for window in summary["windows"]]
    assert summary["state"] == {"locked": False, "stopped": False, "paused": False}
    assert summary["sessions"] == [] and "bash" in summary["shells"]
    assert summary["tools"]["mouse"] and "env_summary" in summary["tools"]["system"]
    assert summary["limits"]["macro_steps"] == 100
    assert set(answer["untrusted"]) >= {"programs"}, "titles are text of others"
    assert len(json.dumps(summary)) < 6000, "a model pays for each word"
    witness.stop()


def test_language_servers_are_found_by_their_names(own_desk, tmp_path):
    program = tmp_path / "clangd"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    desk = own_desk("--virtual", "--size", "640x480", environment={"PATH": f"{tmp_path}:{os.environ['PATH']}"})
    assert "clangd (C, C++)" in desk.call("env_summary")["language_servers"]


def test_it_tells_what_this_caller_may(own_desk):
    desk = own_desk("--virtual", "--size", "640x480", config={**FULL_AUTO, "security": {
        **FULL_AUTO.get("security", {}), "client_level": "L1", "allowed_directories": ["/srv/work"]}})
    summary = desk.call("env_summary")
    assert summary["caller"]["level"] == "L1"
    assert "screenshot" in summary["tools"]["screen"] and summary["tools"]["mouse"] == ["cursor_position"]
    assert summary["workspace"]["directories"][0] == ["/srv/work"] and not summary["workspace"]["anywhere"]


def test_operations_are_in_it(desk):
    bridge = desk.connect()
    identity = bridge.answer("wait", {"duration": 30, "async": True})["operation"]["id"]
    running = bridge.call("env_summary")["operations"]
    assert {"id": identity, "tool": "wait", "status": "running"} in running
    bridge.call("operation_cancel", id=identity)
    bridge.close()


def test_system_info_tells_time_and_room(desk):
    info = desk.call("system_info")
    assert info["uptime_s"] > 0 and len(info["load"]) == 3 and info["time_zone"] and "T" in info["time"]
    for disk in info["disks"]:
        room = os.statvfs(disk["path"])
        assert disk["total"] == room.f_blocks * room.f_frsize and 0 <= disk["free"] <= disk["total"]
