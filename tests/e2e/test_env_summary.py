"""env_summary: what can be used now, by whom, and nothing that the caller could not see otherwise."""
import json
import os
import signal
import subprocess

from handfast import FULL_AUTO, PROGRAM, eventually
from shells import WALLED
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


def test_shells_are_in_it(own_desk):
    desk = own_desk("--virtual", "--size", "640x480", config=WALLED)
    (desk.home / "work").mkdir()
    assert desk.call("env_summary")["sessions"] == []
    desk.call("bash_execute", command="cd /usr")
    desk.call("bash_session", action="create", session_id="editor", pty=True)
    sessions = {entry["session_id"]: entry for entry in desk.call("env_summary")["sessions"]}
    assert set(sessions) == {"default", "editor"}
    assert {"cwd": "/usr", "pty": False, "busy": False}.items() <= sessions["default"].items()
    assert sessions["editor"]["pty"] and sessions["default"]["idle_ms"] >= 0 and "walls" not in sessions["default"]
    bridge = desk.connect()
    bridge.send("call", {"tool": "bash_execute", "params": {"command": "sleep 30"}})
    eventually(lambda: desk.call("env_summary")["sessions"][0]["busy"], 10)
    bridge.close()
    other = subprocess.run(["/bin/bash", "-c", f"exec 3<> /dev/null; {PROGRAM} env_summary --json"], env=desk.environment, capture_output=True)
    assert json.loads(other.stdout)["result"]["sessions"] == [], "those of others do not exist"
    desk.call("bash_session", action="kill", session_id="editor")
    assert [entry["session_id"] for entry in desk.call("env_summary")["sessions"]] == ["default"]


def test_what_cannot_be_known_is_said(own_desk):
    """A hand that died twice in a row is waited for a while."""
    desk = own_desk("--virtual", "--size", "640x480")
    for deaths in range(2):
        eventually(lambda: desk.desktops()["main"]["restarts"] == deaths and desk.desktops()["main"]["state"] == "ready", 20)
        os.kill(desk.desktops()["main"]["hand_pid"], signal.SIGKILL)
    eventually(lambda: desk.desktops()["main"]["state"] == "restarting", 20)
    summary = desk.call("env_summary")
    assert summary["sessions"] == [] and summary["sessions_problem"] == summary["windows_problem"] == {"unknown": "DESKTOP_UNAVAILABLE"}


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
