"""The bridge and the command line: every answer in one shape, every mistake with a code."""
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import threading
import time

import pytest

from handfast import PROGRAM, SLOW, ToolError, eventually, process_alive

BAD_LINES = [
    (b"{", -32700),
    (b"nonsense", -32700),
    (b'"text"', -32700),
    (b'{"jsonrpc":"2.0","id":1,"method":"call","params":{"tool":"\xff\xfe"}}', -32700),
    (b'{"jsonrpc":"2.0","id":1,"method":"call","params":{"tool":"a\\u0000b"}}', -32700),
    (b'[]', -32600),
    (b'{"jsonrpc":"2.0","id":1}', -32600),
    (b'{"jsonrpc":"2.0","id":1,"method":7}', -32600),
    (b'{"jsonrpc":"2.0","id":1,"method":"call","params":[]}', -32600),
    (b'{"jsonrpc":"2.0","id":1,"method":"nope"}', -32601),
    (b'[' * 100000, -32700),
]


@pytest.mark.parametrize("line, code", BAD_LINES)
def test_bad_lines(shared_desk, line, code):
    bridge = shared_desk.connect()
    bridge.send_raw(line)
    assert bridge.receive()["error"]["code"] == code
    assert bridge.call("wait", duration=0) is not None, "the connection must go on"
    bridge.close()


def test_too_long_a_line_is_refused(shared_desk):
    bridge = shared_desk.connect()
    try:
        bridge.socket.sendall(b"x" * (20 << 20))
    except OSError:
        pass
    try:
        assert bridge.receive()["error"]["code"] == -32600
    except (ConnectionResetError, EOFError):
        pass
    assert shared_desk.call("wait", duration=0) is not None


BAD_CALLS = [
    ("no_such_tool", {}, "UNKNOWN_TOOL", None),
    ("", {}, "UNKNOWN_TOOL", None),
    ("wait", {"duration": "long"}, "INVALID_PARAMS", "duration"),
    ("wait", {"duration": -1}, "INVALID_PARAMS", "duration"),
    ("wait", {"duration": 1e9}, "INVALID_PARAMS", "duration"),
    ("wait", {"duration": 0, "wings": 2}, "INVALID_PARAMS", "wings"),
    ("wait", {"duration": None}, "INVALID_PARAMS", "duration"),
    ("wait", {}, "INVALID_PARAMS", "duration"),
    ("wait", {"duration": 0, "timeout_ms": 0}, "INVALID_PARAMS", "timeout_ms"),
    ("wait", {"duration": 0, "desktop": "nowhere"}, "DESKTOP_NOT_FOUND", None),
    ("wait", {"duration": 0, "desktop": "../../etc"}, "DESKTOP_NOT_FOUND", None),
    ("wait", {"duration": 5, "timeout_ms": 50}, "DESKTOP_TIMEOUT", None),
]


@pytest.mark.parametrize("tool, params, code, path", BAD_CALLS)
def test_bad_calls(shared_desk, tool, params, code, path):
    error = shared_desk.fails(code, tool, **params)
    if path:
        assert error["details"]["path"] == path


def test_answer_has_one_shape(shared_desk):
    answer = shared_desk.answer("wait", duration=0, run_id="r_mine")
    assert answer["ok"] and answer["tool"] == "wait" and answer["run_id"] == "r_mine"
    assert answer["step_id"].startswith("s_") and answer["ts"] > 1.7e12 and answer["duration_ms"] >= 0
    failed = shared_desk.answer("wait", duration=-1)
    assert set(failed) == {"ok", "tool", "run_id", "step_id", "ts", "duration_ms", "error"}
    assert set(failed["error"]) >= {"code", "message", "retryable", "suggestion"}


def test_cancel_ends_a_call_at_once(shared_desk):
    bridge = shared_desk.connect()
    started = time.monotonic()
    bridge.send("call", {"tool": "wait", "params": {"duration": 60}}, identity="long")
    bridge.send("cancel", {"id": "long"}, identity="stop")
    replies = {reply["id"]: reply["result"] for reply in (bridge.receive(), bridge.receive())}
    assert replies["stop"]["result"]["cancelled"] is True
    assert replies["long"]["error"]["code"] == "DESKTOP_ABORTED"
    assert time.monotonic() - started < 2 * SLOW


def test_a_client_that_leaves_takes_its_calls_along(shared_desk):
    bridge = shared_desk.connect()
    for _ in range(16):
        bridge.send("call", {"tool": "wait", "params": {"duration": 200}})
    bridge.send("status")
    bridge.receive()
    bridge.close()
    # All of the hand's workers were waiting; they are free again at once.
    started = time.monotonic()
    assert shared_desk.call("wait", duration=0) is not None
    assert time.monotonic() - started < 2 * SLOW


def test_full_hand_is_not_a_hung_hand(shared_desk):
    """More waits than the hand has workers: the queued ones time out, and the hand lives on."""
    pid = shared_desk.desktops()["main"]["hand_pid"]
    bridge = shared_desk.connect()
    for _ in range(30):
        bridge.send("call", {"tool": "wait", "params": {"duration": 30, "timeout_ms": 300}})
    codes = [bridge.receive()["result"]["error"]["code"] for _ in range(30)]
    assert set(codes) <= {"DESKTOP_TIMEOUT", "DESKTOP_ABORTED"}
    assert shared_desk.desktops()["main"]["hand_pid"] == pid
    bridge.close()


def test_input_is_one_at_a_time_and_in_order(shared_desk):
    bridge = shared_desk.connect()
    for step in range(20):
        bridge.send("call", {"tool": "mouse_move", "params": {"x": 100 + step, "y": 100, "smooth": False}})
    replies = [bridge.receive() for _ in range(20)]
    assert all(reply["result"]["ok"] for reply in replies)
    bridge.close()


def test_socket_is_private(shared_desk):
    assert oct(os.stat(shared_desk.socket_path).st_mode & 0o777) == "0o600"
    assert oct(os.stat(shared_desk.socket_path.parent).st_mode & 0o777) == "0o700"


def test_audit_has_intent_and_result_and_no_secret(shared_desk):
    shared_desk.answer("clipboard_write", text="my secret words")
    assert oct(os.stat(shared_desk.data / "handfast.db").st_mode & 0o777) == "0o600"
    step = [row for row in shared_desk.audit() if row.get("tool") == "clipboard_write"][-2:]
    assert [row["kind"] for row in step] == ["intent", "result"]
    assert step[0]["params"]["text"] == {"bytes": 15}
    assert b"my secret words" not in shared_desk.data_bytes()


def test_exit_statuses(shared_desk):
    assert shared_desk.cli("wait", "0").returncode == 0
    assert shared_desk.cli("wait", "0", "--desktop", "nowhere").returncode == 1
    assert shared_desk.cli("call", "wait", '{"duration": 0}').returncode == 0
    assert shared_desk.cli("call", "wait", '{"duration": -1}').returncode == 1
    assert shared_desk.cli("call", "wait", "{").returncode == 2
    assert shared_desk.cli("call").returncode == 2
    assert shared_desk.cli("no_such_thing").returncode == 2
    assert shared_desk.cli("wait", "--wings", "2").returncode == 2
    assert shared_desk.cli("wait", b"\xff".decode("utf-8", "surrogateescape")).returncode == 2
    assert shared_desk.cli("status", environment={"XDG_RUNTIME_DIR": "/proc/nonexistent"}).returncode != 0


def test_no_desk_is_status_3(tmp_path):
    environment = {"PATH": os.environ["PATH"], "XDG_RUNTIME_DIR": str(tmp_path), "HOME": str(tmp_path)}
    for command in (["wait", "0"], ["call", "wait", "{}"], ["status"], ["desktop", "list"]):
        result = subprocess.run([PROGRAM, *command], env=environment, capture_output=True)
        assert result.returncode == 3, (command, result)
        assert b"handfast serve" in result.stderr


def test_tools_lists_the_registry(shared_desk):
    listed = json.loads(shared_desk.cli("tools", "--json").stdout)
    over_bridge = shared_desk.main_bridge.manage("tools")["tools"]
    assert listed == over_bridge
    assert {"screenshot", "left_click", "type_text"} <= {tool["name"] for tool in listed}
    for tool in listed:
        assert tool["params"]["type"] == "object" and tool["params"]["additionalProperties"] is False
        assert tool["result"]["properties"], tool["name"]


def test_help_of_every_tool(shared_desk):
    for tool in json.loads(shared_desk.cli("tools", "--json").stdout):
        result = shared_desk.cli(tool["name"], "--help")
        assert result.returncode == 0 and tool["name"].encode() in result.stdout


def test_second_desk_is_refused(shared_desk):
    result = shared_desk.cli("serve", "--virtual")
    assert result.returncode == 1 and b"already running" in result.stderr


def test_hand_is_restarted_and_its_calls_are_told(own_desk):
    desk = own_desk()
    before = desk.desktops()["main"]["hand_pid"]
    bridge = desk.connect()
    bridge.send("call", {"tool": "wait", "params": {"duration": 60}}, identity="read")
    bridge.send("call", {"tool": "hold_key", "params": {"keys": ["shift"], "duration": 60}}, identity="act")
    eventually(lambda: sum(row["kind"] == "intent" for row in desk.audit()) >= 2)
    os.kill(before, signal.SIGKILL)
    codes = {reply["id"]: reply["result"]["error"]["code"] for reply in (bridge.receive(), bridge.receive())}
    assert codes == {"read": "DESKTOP_UNAVAILABLE", "act": "OUTCOME_UNKNOWN"}
    # At once, the first time.
    started = time.monotonic()
    assert desk.call("cursor_position")
    assert time.monotonic() - started < 2 * SLOW
    after = desk.desktops()["main"]
    assert after["hand_pid"] != before and after["restarts"] == 1
    # The second time within a minute it waits five seconds, and says so.
    os.kill(after["hand_pid"], signal.SIGKILL)
    eventually(lambda: desk.desktops()["main"]["state"] == "restarting")
    error = desk.fails("DESKTOP_UNAVAILABLE", "cursor_position")
    assert 0 < error["details"]["retry_in_ms"] <= 5000 and error["retryable"]
    bridge.close()


def test_hung_hand_is_ended(own_desk):
    desk = own_desk()
    pid = desk.desktops()["main"]["hand_pid"]
    os.kill(pid, signal.SIGSTOP)
    error = desk.fails("OUTCOME_UNKNOWN", "mouse_move", x=10, y=10, smooth=False, timeout_ms=300)
    assert "did not answer" in error["message"]
    eventually(lambda: not process_alive(pid), 5, "the end of the hung hand")
    assert desk.call("cursor_position")


def test_desks_side_by_side(own_desk):
    one, two = own_desk("--virtual", "--size", "640x480"), own_desk("--virtual", "--size", "800x600")
    assert one.call("system_info")["displays"][0]["width"] == 640
    assert two.call("system_info")["displays"][0]["width"] == 800


def test_full_disk_refuses_before_acting(own_desk):
    """An audit that cannot be written: the call is refused and nothing is done."""
    desk = own_desk()
    desk.call("mouse_move", x=300, y=300, smooth=False)
    # A file size limit stands in for a full disk: the kernel refuses further bytes in the same way.
    subprocess.run(["prlimit", f"--pid={desk.process.pid}", "--fsize=1:unlimited"], check=True)
    for _ in range(3):
        desk.fails("STORAGE_FAILED", "mouse_move", x=10, y=10, smooth=False)
    subprocess.run(["prlimit", f"--pid={desk.process.pid}", "--fsize=unlimited:unlimited"], check=True)
    assert desk.call("cursor_position")["x"] == 300
    gap = [row for row in desk.audit() if row.get("event") == "audit-gap"]
    assert gap[-1]["data"]["rows_not_written"] == 6
    assert desk.cli("audit", "verify").returncode == 0


def test_end_leaves_nothing(own_desk):
    desk = own_desk()
    desk.stop()
    left = sorted(path.name for path in (desk.runtime / "handfast").rglob("*") if not path.is_dir())
    assert "bridge.sock" not in left
    assert not [path for path in (desk.runtime / "handfast").glob("desktops/*") if path.is_dir()]


def test_speaks_chinese(shared_desk):
    chinese = {"LANG": "C.UTF-8", "LANGUAGE": "zh_CN"}
    assert "左键单击" in shared_desk.cli("help", environment=chinese).stdout.decode()
    failed = shared_desk.cli("wait", "0", "--desktop", "nowhere", environment=chinese)
    assert "请看桌面列表" in failed.stderr.decode()
    # Answers on the wire stay what programs expect.
    answer = json.loads(shared_desk.cli("call", "wait", '{"duration": -1}', environment=chinese).stdout)
    assert answer["error"]["suggestion"].startswith("see the tool")


def test_a_display_is_attached_only_once(own_desk):
    desk = own_desk()
    display = desk.desktops()["main"]["display"]
    for name in (display, display + ".0", "unix" + display):
        with pytest.raises(ToolError) as failed:
            desk.new_desktop("again", display=name)
        assert failed.value.code == "CONFLICT" and "main" in failed.value.error["message"]


def test_clients_make_no_directories(tmp_path):
    runtime = tmp_path / "not" / "there"
    environment = {"PATH": os.environ["PATH"], "XDG_RUNTIME_DIR": str(runtime), "HOME": str(tmp_path)}
    assert subprocess.run([PROGRAM, "status"], env=environment, capture_output=True).returncode == 3
    assert not list(tmp_path.iterdir())
    served = subprocess.run([PROGRAM, "serve", "--virtual"], env=environment, capture_output=True)
    assert served.returncode == 1 and str(runtime).encode() in served.stderr


def test_removing_a_desktop_under_load(own_desk):
    """Calls in flight are answered; the desk and the other desktops go on."""
    desk = own_desk()
    for _ in range(3):
        desk.new_desktop("busy", width=640, height=480)
        bridges = [desk.connect() for _ in range(6)]
        for bridge in bridges:
            for _ in range(8):
                bridge.send("call", {"tool": "system_info", "params": {"desktop": "busy"}})
        desk.remove_desktop("busy")
        for bridge in bridges:
            for _ in range(8):
                answer = bridge.receive()["result"]
                assert answer["ok"] or answer["error"]["code"] in ("DESKTOP_UNAVAILABLE", "DESKTOP_NOT_FOUND")
            bridge.close()
    assert desk.call("cursor_position")


def test_a_hand_that_never_gets_ready_does_not_keep_the_desk(own_desk):
    desk = own_desk()
    hand = desk.desktops()["main"]["hand_pid"]
    stage = int(pathlib.Path(f"/proc/{hand}/stat").read_text().rsplit(")", 1)[1].split()[1])
    servers = [int(pid) for pid in pathlib.Path(f"/proc/{stage}/task/{stage}/children").read_text().split()]
    server = next(pid for pid in servers if pathlib.Path(f"/proc/{pid}/comm").read_text().strip() == "Xvfb")
    os.kill(server, signal.SIGSTOP)
    os.kill(hand, signal.SIGKILL)
    eventually(lambda: desk.desktops()["main"]["state"] == "starting")
    started = time.monotonic()
    assert desk.stop() == 0
    assert time.monotonic() - started < 8 * SLOW
    eventually(lambda: not process_alive(server), what="the end of the frozen X server")


def test_calls_are_counted_however_they_are_named(shared_desk):
    bridge = shared_desk.connect()
    wait = {"jsonrpc": "2.0", "method": "call", "params": {"tool": "wait", "params": {"duration": 100}}}
    for _ in range(2000):
        bridge.send_raw(json.dumps(wait).encode())
    for _ in range(100):
        bridge.send_raw(json.dumps({**wait, "id": "same"}).encode())
    assert bridge.receive()["error"]["code"] == -32000
    other = shared_desk.connect()
    started = time.monotonic()
    assert other.manage("status")["pid"] == shared_desk.process.pid
    assert time.monotonic() - started < 2 * SLOW
    bridge.close()
    # What the client had begun ends with it.
    assert other.call("wait", duration=0) is not None
    other.close()


def test_whole_numbers_may_be_written_as_reals(shared_desk):
    assert shared_desk.fails("DESKTOP_TIMEOUT", "wait", duration=30, timeout_ms=100.0)
    assert shared_desk.new_desktop("real", width=640.0, height=480.0)["width"] == 640
    assert shared_desk.call("system_info", desktop="real")["displays"][0]["height"] == 480
    shared_desk.remove_desktop("real")


def test_zoom_is_bounded(shared_desk):
    error = shared_desk.fails("INVALID_PARAMS", "zoom", region=[0, 0, 600, 600], max_dimension=16384)
    assert error["details"]["path"] == "max_dimension"


def test_long_names_do_not_fill_the_audit(shared_desk):
    before = len(shared_desk.audit())
    shared_desk.fails("UNKNOWN_TOOL", "x" * 1000000)
    shared_desk.fails("INVALID_PARAMS", "wait", duration=0, run_id="y" * 1000000)
    shared_desk.fails("INVALID_PARAMS", "wait", **{"duration": 0, "z" * 1000000: 1})
    rows = shared_desk.audit()[before:]
    assert [row["kind"] for row in rows] == ["refusal"] * 3
    assert all(len(json.dumps(row)) < 2000 for row in rows)


def read_clipboard(desk):
    return desk.call("clipboard_read")["text"]


LETTER = "Grüße, 世界 🎉\nsecond line\n"


@pytest.mark.parametrize("given, sent, text", [
    (["-"], LETTER, LETTER),
    (["--text", "-"], LETTER, LETTER),
    (["--text=-"], "no newline", "no newline"),
    (["@FILE"], None, LETTER),
    (["--text", "@FILE"], None, LETTER),
    (["--text", "@/dev/stdin"], "through a file", "through a file"),
    (["@=-"], None, "-"),
    (["@=@home"], None, "@home"),
    (["@="], "not read", ""),
    (["--", "-"], "", ""),
    (["- "], None, "- "),
])
def test_texts_from_elsewhere(shared_desk, tmp_path, given, sent, text):
    (tmp_path / "letter").write_text(LETTER)
    given = [word.replace("FILE", str(tmp_path / "letter")) for word in given]
    done = shared_desk.cli("clipboard_write", *given, input=sent, text=True)
    assert done.returncode == 0, done.stderr
    assert read_clipboard(shared_desk) == text


def test_large_text_from_elsewhere(shared_desk):
    large = "".join(f"{i} 漢\n" for i in range(60_000))  # more than a command line holds
    assert shared_desk.cli("clipboard_write", "-", input=large, text=True).returncode == 0
    assert read_clipboard(shared_desk) == large


@pytest.mark.parametrize("given, sent, status, says", [
    (["-"], b"bad \xff\xfe", 2, "standard input is not valid UTF-8"),
    (["-"], b"nul \0 inside", 2, "NUL"),
    (["@no/such/file"], b"", 2, "@=TEXT"),
    (["@/"], b"", 2, "cannot read"),
    (["@/dev/zero"], b"", 1, "16 MB"),
    (["@/dev/full", "--reason", "@=x"], b"", 1, "16 MB"),
    (["-", "--reason", "-"], b"text", 2, "another parameter"),
])
def test_texts_that_cannot_be_taken(shared_desk, given, sent, status, says):
    shared_desk.call("clipboard_write", text="as before")
    done = subprocess.run([PROGRAM, "clipboard_write", *given], input=sent, capture_output=True,
                          env=shared_desk.environment)
    assert done.returncode == status and says in done.stderr.decode(), done.stderr
    assert read_clipboard(shared_desk) == "as before"


def test_call_reads_json_from_elsewhere(shared_desk, tmp_path):
    (tmp_path / "call.json").write_text(json.dumps({"text": LETTER}))
    for word, sent in [("-", json.dumps({"text": LETTER})), (f"@{tmp_path}/call.json", None)]:
        shared_desk.call("clipboard_write", text="as before")
        done = shared_desk.cli("call", "clipboard_write", word, input=sent, text=True)
        assert done.returncode == 0 and json.loads(done.stdout)["ok"], done.stderr
        assert read_clipboard(shared_desk) == LETTER
    for sent in ("", "[]", "{", "\0"):
        assert shared_desk.cli("call", "clipboard_write", "-", input=sent, text=True).returncode == 2


def command_line(path):
    try:
        return path.read_bytes()
    except OSError:  # it has ended
        return b""


def test_a_secret_is_never_on_the_command_line(shared_desk):
    """Not in that of any process, for as long as the call takes."""
    reader, writer = os.pipe()
    call = subprocess.Popen([PROGRAM, "clipboard_write", "-"], stdin=reader, env=shared_desk.environment)
    os.write(writer, b"s3cret-word")
    lines = [command_line(path) for path in pathlib.Path("/proc").glob("[0-9]*/cmdline")]
    os.close(writer)
    os.close(reader)
    assert call.wait(60) == 0
    assert not [line for line in lines if b"s3cret-word" in line]
    assert read_clipboard(shared_desk) == "s3cret-word"
