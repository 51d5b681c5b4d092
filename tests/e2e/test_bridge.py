"""The bridge beyond plain calls: JSON-RPC's corners, requests that count once, pinned programs, pictures as descriptors."""
import base64
import hashlib
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import time
import uuid

import pytest

from handfast import FULL_AUTO, ROOT, eventually

PYTHON = pathlib.Path("/usr/bin/python3").resolve()


def now():
    return int(time.time() * 1000)


def ask(bridge, **members):
    bridge.send_raw(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "status", **members}).encode())
    return bridge.receive()


def refusals(desk):
    """The codes with which the audit says that somebody was turned away at the door."""
    return [row["data"]["error"]["code"] for row in desk.audit() if row.get("event") == "refused"]


@pytest.fixture
def bridge(shared_desk):
    connection = shared_desk.connect()
    yield connection
    connection.close()


# --- JSON-RPC ---

@pytest.mark.parametrize("identity", [0, -7, 2 ** 62, "", "text", "中文", "x" * 128])
def test_ids_come_back_as_they_were(bridge, identity):
    assert ask(bridge, id=identity)["id"] == identity


@pytest.mark.parametrize("identity", [None, 1.5, True, [1], {}, "x" * 129])
def test_other_ids_are_refused(bridge, identity):
    reply = ask(bridge, id=identity)
    assert reply["error"]["code"] == -32600 and reply["id"] is None and "id" in reply["error"]["message"]


@pytest.mark.parametrize("line", [
    b'{"jsonrpc":"2.0","method":"nope"}',
    b'{"jsonrpc":"2.0","method":"status"}',
    b'{"jsonrpc":"2.0","method":"call","params":{"tool":"nope"}}',
    b'{"jsonrpc":"2.0","method":"cancel","params":{"id":7}}',
    b'{"jsonrpc":"2.0","method":"status","nonce":"0123456789abcdef","expires":1}',
])
def test_notifications_get_no_answer(bridge, line):
    bridge.send_raw(line)
    assert ask(bridge, id="next")["id"] == "next"


def test_a_notification_is_carried_out(shared_desk, bridge):
    run = f"r_{uuid.uuid4().hex[:8]}"
    bridge.send_raw(json.dumps({"jsonrpc": "2.0", "method": "call",
                                "params": {"tool": "wait", "params": {"duration": 0, "run_id": run}}}).encode())
    eventually(lambda: any(row.get("run") == run for row in shared_desk.audit()), 10, "the row of the call")


def test_batches_are_refused_clearly(bridge):
    bridge.send_raw(b'[{"jsonrpc":"2.0","id":1,"method":"status"}]')
    reply = bridge.receive()
    assert reply["error"]["code"] == -32600 and "one request per line" in reply["error"]["message"]


@pytest.mark.parametrize("params, word", [
    ({"tool": "wait", "params": {"duration": 0}, "binery": "fd"}, "binery"),
    ({"tool": "wait", "params": {"duration": 0}, "binary": "post"}, "binary"),
    ({"tool": "wait", "params": [0]}, "params"),
])
def test_what_call_does_not_know_is_refused(bridge, params, word):
    answer = bridge.request("call", params)["result"]
    assert answer["error"]["code"] == "INVALID_PARAMS" and word in answer["error"]["message"]


@pytest.mark.parametrize("tool, params", [("mouse_move", {"x": "far", "y": 1}), ("bash_session", {"action": "write"})])
def test_wrong_parameters_lead_to_the_right_ones(shared_desk, bridge, tool, params):
    """Found by the desk, or by the hand: the suggestion is a command that works as it stands."""
    error = bridge.answer(tool, params)["error"]
    assert error["code"] == "INVALID_PARAMS" and error["suggestion"].endswith(f"handfast tools {tool}")
    assert tool.encode() in shared_desk.cli("tools", tool, check=True).stdout


def test_an_unknown_parameter_is_told_which_there_are(bridge):
    error = bridge.answer("app_launch", {"application": "mousepad"})["error"]
    assert error["code"] == "INVALID_PARAMS" and error["message"].startswith("application") and "name, args" in error["suggestion"]
    error = bridge.answer("app_launch", {"nam": "mousepad"})["error"]
    assert "did you mean 'name'" in error["message"]


# --- once, and in time ---

def test_a_request_counts_once(shared_desk, bridge):
    nonce = uuid.uuid4().hex
    assert ask(bridge, nonce=nonce, expires=now() + 10000)["result"]["ok"]
    replayed = ask(bridge, nonce=nonce, expires=now() + 10000)["error"]
    assert replayed["code"] == -32001 and replayed["data"]["code"] == "REQUEST_REPLAYED"
    other = shared_desk.connect()
    assert ask(other, nonce=nonce, expires=now() + 20000)["error"]["data"]["code"] == "REQUEST_REPLAYED"
    other.close()
    assert refusals(shared_desk).count("REQUEST_REPLAYED") >= 2


def test_a_replayed_click_is_not_done(shared_desk):
    """The same line twice, as one who has overheard it would send it."""
    first, second = shared_desk.connect(), shared_desk.connect()
    run = f"r_{uuid.uuid4().hex[:8]}"
    line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "call", "nonce": uuid.uuid4().hex, "expires": now() + 10000,
                       "params": {"tool": "mouse_move", "params": {"x": 9, "y": 9, "run_id": run}}}).encode()
    first.send_raw(line)
    assert first.receive()["result"]["ok"]
    second.send_raw(line)
    assert second.receive()["error"]["data"]["code"] == "REQUEST_REPLAYED"
    assert sum(row["kind"] == "result" and row.get("run") == run for row in shared_desk.audit()) == 1
    first.close()
    second.close()


@pytest.mark.parametrize("nonce", [None, "once"])
def test_lines_wait_for_their_connection_to_become_one_of_mcp(shared_desk, nonce):
    """All in one write: what follows mcp.open is MCP's, whether or not the store had to be waited for."""
    once = {"nonce": uuid.uuid4().hex, "expires": now() + 10000} if nonce else {}
    begin = {"jsonrpc": "2.0", "id": 2, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}
    client = shared_desk.connect()
    client.send_raw(b"\n".join(json.dumps(line).encode() for line in (
        {"jsonrpc": "2.0", "id": 1, "method": "mcp.open", **once}, begin, {"jsonrpc": "2.0", "id": 3, "method": "ping"})))
    assert client.receive()["result"]["ok"]
    assert client.receive()["result"]["serverInfo"]["name"] == "handfast"
    assert client.receive() == {"jsonrpc": "2.0", "id": 3, "result": {}}
    client.close()


def test_lines_behind_a_subscription_that_is_refused_are_answered(shared_desk):
    once = {"nonce": uuid.uuid4().hex, "expires": now() + 10000}
    client = shared_desk.connect()
    lines = [{"jsonrpc": "2.0", "id": number, "method": method, **more} for number, (method, more) in enumerate(
        [("events.subscribe", once), ("events.subscribe", once), ("status", {})])]
    client.send_raw(b"\n".join(json.dumps(line).encode() for line in lines))
    replies = {reply["id"]: reply for reply in (client.receive() for _ in lines)}
    assert replies[0]["result"]["ok"] and replies[2]["result"]["ok"]
    assert replies[1]["error"]["data"]["code"] == "REQUEST_REPLAYED"
    client.close()


@pytest.mark.parametrize("end, methods", [("kill", ["status", "events.subscribe", "mcp.open"]), ("terminate", ["status", "events.subscribe"])])
def test_a_replay_after_a_restart_is_refused(own_desk, end, methods):
    desk = own_desk()
    lines = [{"jsonrpc": "2.0", "id": 1, "method": method, "nonce": uuid.uuid4().hex, "expires": now() + 250000} for method in methods]

    def ask_all():
        replies = []
        for line in lines:
            bridge = desk.connect()
            bridge.send_raw(json.dumps(line).encode())
            replies.append(bridge.receive())
            bridge.close()
        return {reply["result"]["ok"] if "result" in reply else reply["error"]["data"]["code"] for reply in replies}
    assert ask_all() == {True}
    getattr(desk.process, end)()
    desk.process.wait(timeout=30)
    desk.start()
    assert ask_all() == {"REQUEST_REPLAYED"}


@pytest.mark.parametrize("members, code", [
    ({"nonce": "0123456789abcdef0", "expires": 1}, "REQUEST_EXPIRED"),
    ({"nonce": "0123456789abcdef1", "expires": 4102444800000}, "INVALID_PARAMS"),
    ({"nonce": "short", "expires": None}, "INVALID_PARAMS"),
    ({"nonce": "x" * 129, "expires": None}, "INVALID_PARAMS"),
    ({"nonce": "0123456789abcdef2"}, "INVALID_PARAMS"),
    ({"expires": None}, "INVALID_PARAMS"),
])
def test_nonces_that_cannot_be_taken(bridge, members, code):
    if "expires" in members and members["expires"] is None:
        members["expires"] = now() + 5000
    error = ask(bridge, **members)["error"]
    assert error["code"] == -32001 and error["data"]["code"] == code and error["data"]["suggestion"]


def test_a_client_can_be_held_to_nonces(own_desk):
    desk = own_desk(config={**FULL_AUTO, "clients": {PYTHON.name: {"require_nonce": True}}})
    for method in ("status", "call", "events.subscribe") * 100:  # each with the same id: it is free when the answer is there
        assert ask(desk.main_bridge, method=method)["error"]["data"]["code"] == "PRECONDITION_FAILED"
    assert ask(desk.main_bridge, nonce=uuid.uuid4().hex, expires=now() + 5000)["result"]["ok"]
    # The command line brings its own.
    desk.write_config({**FULL_AUTO, "clients": {"handfast": {"require_nonce": True}}})
    eventually(lambda: "result" in ask(desk.main_bridge), 10, "the new agreement")
    assert desk.cli("status").returncode == 0
    assert desk.cli("wait", "0").returncode == 0


# --- pinned programs ---

CALLER = """
import json, socket, sys
connection = socket.socket(socket.AF_UNIX)
connection.connect(sys.argv[1])
reader = connection.makefile()
for line in sys.stdin:
    connection.sendall(line.encode())
    print(reader.readline(), end="", flush=True)
"""


class Program:
    """A program with a name of its own that passes requests on: a copy of Python."""

    def __init__(self, desk, path):
        shutil.copy(PYTHON, path)
        self.path = path
        self.process = subprocess.Popen([path, "-c", CALLER, str(desk.socket_path)], text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, "PYTHONHOME": "/usr"})

    def ask(self, method="status", params=None):
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}}) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def call(self):
        return self.ask("call", {"tool": "wait", "params": {"duration": 0}})["result"]

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def hash_of(path):
    return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()


def agree(desk, **client):
    """Gives the client `agent` these fields, and waits until they hold."""
    desk.write_config({**FULL_AUTO, "clients": {"agent": client}})
    eventually(lambda: desk.main_bridge.manage("config.get", path="clients")["value"] == {"agent": client}, 10, "it")


def test_a_name_belongs_to_one_program(own_desk, tmp_path):
    desk = own_desk()
    for folder in ("good", "evil"):
        (tmp_path / folder).mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "good")
    good, evil = Program(desk, tmp_path / "good" / "agent"), Program(desk, tmp_path / "evil" / "agent")
    assert good.call()["ok"] and evil.call()["ok"]
    agree(desk, program=str(tmp_path / "link" / "agent"))
    assert good.call()["ok"] and good.ask()["result"]["ok"]
    error = evil.call()["error"]
    assert error["code"] == "UNAUTHENTICATED" and error["details"]["found"] == str(evil.path) and "path" in error["message"]
    for method in ("status", "events.subscribe"):
        refused = evil.ask(method)["error"]
        assert refused["code"] == -32001 and refused["data"]["code"] == "UNAUTHENTICATED"
    assert [row["kind"] for row in desk.audit() if row.get("code") == "UNAUTHENTICATED"] == ["refusal"]
    assert refusals(desk) == ["UNAUTHENTICATED"] * 2
    for program in (good, evil):
        program.close()


def test_a_name_belongs_to_one_content(own_desk, tmp_path):
    desk = own_desk()
    path = tmp_path / "agent"
    program = Program(desk, path)
    agree(desk, program=str(path), sha256=hash_of(path).upper())
    assert program.call()["ok"] and program.call()["ok"]
    # Another file takes its place: the process that runs is still the one that was pinned, but not at that path.
    changed = path.with_suffix(".new")
    shutil.copy(path, changed)
    with open(changed, "ab") as file:
        file.write(b"changed")
    os.rename(changed, path)
    assert program.call()["error"]["code"] == "UNAUTHENTICATED"
    program.close()
    other = subprocess.Popen([path, "-c", CALLER, str(desk.socket_path)], text=True, stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE, env={**os.environ, "PYTHONHOME": "/usr"})
    program.process = other
    error = program.call()["error"]
    assert error["code"] == "UNAUTHENTICATED" and "SHA-256" in error["message"] and error["details"]["found"] == hash_of(path)
    agree(desk, sha256=hash_of(path))
    assert program.call()["ok"]
    program.close()


@pytest.mark.parametrize("client", [{"sha256": "abc"}, {"program": ""}, {"require_nonce": "yes"}])
def test_pins_that_cannot_be_meant(shared_desk, tmp_path, client):
    path = tmp_path / "config.json"
    path.write_text(json.dumps({"clients": {"agent": client}}))
    checked = shared_desk.cli("config", "check", path)
    assert checked.returncode == 1 and b"clients.agent." in checked.stderr


# --- pictures as descriptors ---

def receive_with_descriptors(connection, seconds=60):
    """As docs/bridge.md says: a line takes as many of the descriptors that came as it announces."""
    connection.settimeout(seconds)
    text, descriptors = b"", []
    while not text.endswith(b"\n"):
        data, more, _, _ = socket.recv_fds(connection, 65536, 16)
        assert data, "the desk hung up"
        text += data
        descriptors += more
    return json.loads(text), descriptors


@pytest.mark.parametrize("form", ["jpeg", "png"])
def test_a_picture_as_a_descriptor(shared_desk, bridge, form):
    shared_desk.call("mouse_move", x=3, y=3, smooth=False)
    params = {"tool": "screenshot", "params": {"format": form}}
    plain = base64.b64decode(bridge.request("call", params)["result"]["result"]["image"])
    bridge.send("call", {**params, "binary": "fd"})
    reply, descriptors = receive_with_descriptors(bridge.socket)
    image = reply["result"]["result"]["image"]
    assert reply["descriptors"] == len(descriptors) == 1
    assert image == {"descriptor": 0, "bytes": len(plain), "media_type": f"image/{form}"}
    with open(descriptors[0], "rb") as file:
        assert file.read() == plain
        with pytest.raises(OSError):
            os.ftruncate(file.fileno(), 0)
        with pytest.raises(OSError):
            os.pwrite(file.fileno(), b"x", 0)


def test_what_has_no_picture_has_no_descriptor(bridge):
    bridge.send("call", {"tool": "screenshot", "params": {"image": False}, "binary": "fd"})
    reply, descriptors = receive_with_descriptors(bridge.socket)
    assert reply["result"]["ok"] and not descriptors and "descriptors" not in reply
    bridge.send("call", {"tool": "screenshot", "params": {"quality": -1}, "binary": "fd"})
    reply, descriptors = receive_with_descriptors(bridge.socket)
    assert not reply["result"]["ok"] and not descriptors


def test_pictures_leave_no_descriptor_behind(shared_desk, bridge):
    def count():
        return len(os.listdir(f"/proc/{shared_desk.process.pid}/fd"))

    before = count()
    for _ in range(20):
        bridge.send("call", {"tool": "screenshot", "params": {"max_dimension": 320}, "binary": "fd"})
        for descriptor in receive_with_descriptors(bridge.socket)[1]:
            os.close(descriptor)
    eventually(lambda: count() <= before + 2, 5, "the end of all descriptors")


# --- who gets in ---

@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be another user for a moment")
def test_another_user_is_turned_away(own_desk):
    desk = own_desk()
    for path in (desk.home, desk.runtime, desk.socket_path.parent):
        path.chmod(0o755)
    desk.socket_path.chmod(0o666)
    listen = "import socket, sys; c = socket.socket(socket.AF_UNIX); c.connect(sys.argv[1]); print(c.makefile().readline())"
    result = subprocess.run([PYTHON, "-c", listen, str(desk.socket_path)], user=65534, group=65534, extra_groups=[],
                            text=True, capture_output=True, timeout=60)
    error = json.loads(result.stdout)["error"]
    assert error["code"] == -32001 and error["data"]["code"] == "UNAUTHENTICATED"
    eventually(lambda: refusals(desk) == ["UNAUTHENTICATED"], 10, "the row of the audit")
    for path in (desk.runtime, desk.socket_path.parent):
        path.chmod(0o700)


# --- the document ---

def test_the_client_in_the_document_works(shared_desk, tmp_path):
    text = (ROOT / "docs" / "bridge.md").read_text()
    script = text.split("```python\n", 1)[1].split("```", 1)[0]
    assert len(script.strip().splitlines()) <= 25
    result = subprocess.run([sys.executable, "-c", script], env=shared_desk.environment, cwd=tmp_path,
                            capture_output=True, text=True, timeout=60)
    assert result.returncode == 0, result.stderr
    assert (tmp_path / "screen.jpg").read_bytes()[:2] == b"\xff\xd8"
