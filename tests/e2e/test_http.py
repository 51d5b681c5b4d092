"""The HTTP door: tokens, tools, one shape of answers, and what is told when something is wrong."""
import json

import pytest

from handfast import FULL_AUTO
from http_client import Client, Raw, make_token


@pytest.fixture(scope="module")
def token(shared_desk):
    return make_token(shared_desk, "tester")


@pytest.fixture
def client(shared_desk, token):
    client = Client(shared_desk, token)
    yield client
    client.close()


def without_times(answer):
    return {key: value for key, value in answer.items()
            if key not in ("step_id", "ts", "duration_ms", "timing", "run_id")}


def test_tool_call_is_the_bridges(shared_desk, client):
    reply = client.call("wait", duration=0)
    assert reply.status == 200 and reply.headers["Content-Type"] == "application/json"
    assert without_times(reply.json) == without_times(shared_desk.answer("wait", duration=0))


def test_connection_is_kept_alive_and_is_one_run(client):
    runs = {client.call("wait", duration=0).json["run_id"] for _ in range(5)}
    assert len(runs) == 1
    named = client.post("/v1/tools/wait", {"duration": 0}, **{"X-Run-Id": "r_mine"})
    assert named.json["run_id"] == "r_mine"


def test_errors_have_their_status(client):
    assert client.call("no_such_tool").status == 404
    wrong = client.call("wait", duration=-1)
    assert wrong.status == 400 and wrong.code == "INVALID_PARAMS"
    assert client.call("wait", duration=5, timeout_ms=50).status == 504
    nothing = client.get("/v1/nothing")
    assert nothing.status == 404 and not nothing.json["ok"] and nothing.json["error"]["suggestion"]
    method = client.request("PUT", "/v1/tools")
    assert method.status == 405 and method.headers["Allow"] == "GET"


@pytest.mark.parametrize("headers, status", [
    ({}, 401),
    ({"Authorization": "Bearer hf_wrong"}, 401),
    ({"Authorization": "Basic eDp5"}, 401),
    ({"Host": "evil.example"}, 403),
    ({"Origin": "http://evil.example"}, 403),
])
def test_strangers_stay_outside(shared_desk, headers, status):
    client = Client(shared_desk)
    reply = client.request("GET", "/v1/status", headers=headers)
    assert reply.status == status and not reply.json["ok"]
    assert status != 401 or reply.headers["WWW-Authenticate"] == "Bearer"
    client.close()


def test_a_token_that_was_revoked_or_rotated_lets_nobody_in(shared_desk):
    old = make_token(shared_desk, "turning")
    client = Client(shared_desk, old)
    assert client.get("/v1/status").status == 200
    shown = shared_desk.owner_cli("token", "rotate", "turning").shown
    new = next(line for line in shown.splitlines() if line.startswith("hf_"))
    assert client.get("/v1/status").status == 401
    client.token = new
    assert client.get("/v1/status").status == 200
    assert shared_desk.owner_cli("token", "revoke", "turning").returncode == 0
    assert client.get("/v1/status").status == 401
    assert new.encode() not in shared_desk.data_bytes() and old.encode() not in shared_desk.data_bytes()
    events = [row["event"] for row in shared_desk.audit() if row["kind"] == "event"]
    assert {"token-new", "token-rotate", "token-revoke"} <= set(events)
    client.close()


def test_only_the_owner_makes_tokens(shared_desk, client):
    assert shared_desk.cli("token", "new", "mine").returncode == 1
    answer = shared_desk.main_bridge.request("token.new", {"name": "mine"})["result"]
    assert answer["error"]["code"] == "FORBIDDEN"


def test_level_of_a_token_holds(shared_desk):
    client = Client(shared_desk, make_token(shared_desk, "low", "--level", "L1"))
    reply = client.call("left_click", x=1, y=1)
    assert reply.status == 403 and reply.json["error"]["details"]["has"] == "L1"
    client.close()


def test_a_taken_port_is_told_and_no_reason_to_die(own_desk, shared_desk):
    port = shared_desk.main_bridge.manage("status")["doors"]["http"]["port"]
    desk = own_desk(config={**FULL_AUTO, "http": {"port": port}})
    problem = desk.main_bridge.manage("status")["doors"]["http"]["problem"]
    assert problem["code"] == "CONFLICT" and str(port) in problem["message"] and "http.port" in problem["suggestion"]
    assert str(port) in desk.log.read_text()
    assert str(port) in desk.cli("status", check=True).stdout.decode()
    assert f"http://127.0.0.1:{port}" in shared_desk.cli("status", check=True).stdout.decode()
    assert desk.call("wait", duration=0) is not None


def test_the_door_can_stay_shut(own_desk):
    desk = own_desk(config={**FULL_AUTO, "http": {"enabled": False}})
    assert "http" not in desk.main_bridge.manage("status")["doors"]


def test_answers_without_a_body_keep_the_connection(shared_desk, token):
    """A length of 0, and the next answer on the same connection."""
    raw = Raw(shared_desk)
    reader = raw.socket.makefile("rb")

    def ask(method, path, body=b"", **headers):
        lines = [f"{method} {path} HTTP/1.1", "Host: localhost", f"Authorization: Bearer {token}", f"Content-Length: {len(body)}",
                 "Accept: application/json, text/event-stream", *(f"{name}: {value}" for name, value in headers.items())]
        raw.send(("\r\n".join(lines) + "\r\n\r\n").encode() + body)
        status = int(reader.readline().split()[1])
        head = dict(line.decode().strip().split(": ", 1) for line in iter(reader.readline, b"\r\n"))
        assert "Connection" not in head
        return status, head, reader.read(int(head["Content-Length"])) if method != "HEAD" else b""
    begin = b'{"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": "2025-11-25", "capabilities": {}}}'
    session = {"Mcp-Session-Id": ask("POST", "/mcp", begin)[1]["Mcp-Session-Id"]}
    for method, path, body, headers, status in (
            ("POST", "/mcp", b'{"jsonrpc": "2.0", "method": "notifications/initialized"}', session, 202),
            ("DELETE", "/mcp", b"", session, 200), ("HEAD", "/v1/status", b"", {}, 200)):
        got = ask(method, path, body, **headers)
        assert (got[0], got[2]) == (status, b""), got
        assert ask("GET", "/v1/status")[0] == 200
    reader.close()
    raw.close()
