"""MCP over HTTP beyond what the official suites ask: whose a session is, being cut off, and what is refused."""
import json

import pytest

from handfast import FULL_AUTO, Desk, eventually, finish
from http_client import Client, make_token
from mcp_client import MODERN, text_of

BOTH = {"Accept": "application/json, text/event-stream"}
ASKING = {**FULL_AUTO, "http": {"port": 0}, "approval": {"mcp_wait_s": 0},
          "projects": {"default_approval_template": "full-auto",
                       "items": {"asking": {"approval": {"tool_overrides": {"left_click": "require_approval"}}}}}}


@pytest.fixture(scope="module")
def http_desk():
    desk = Desk("--virtual", "--size", "1280x800", config=ASKING)
    desk.tokens = {name: make_token(desk, name, "--level", "L4") for name in ("one", "two")}
    yield desk
    finish(desk)


def message(method, params=None, identity=1):
    return {"jsonrpc": "2.0", "id": identity, "method": method, "params": params or {}}


def begin(desk, token="one", version="2025-11-25", path="/mcp"):
    """A client with a session; its headers are in `session`."""
    client = Client(desk, desk.tokens[token])
    reply = client.post(path, message("initialize", {"protocolVersion": version, "capabilities": {}}), **BOTH)
    assert reply.status == 200, reply.body
    client.session = {**BOTH, "Mcp-Session-Id": reply.headers["Mcp-Session-Id"]}
    return client


def events(body):
    """(id, message) of each event of a whole stream."""
    found = []
    for block in body.decode().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line)
        if fields.get("data", "").strip():
            found.append((fields.get("id"), json.loads(fields["data"])))
    return found


def modern(client, method, params=None, headers=None, identity=1):
    params = {**(params or {}), "_meta": {"io.modelcontextprotocol/protocolVersion": MODERN,
                                          "io.modelcontextprotocol/clientCapabilities": {}}}
    name = params.get("name") or params.get("uri")
    given = {**BOTH, "MCP-Protocol-Version": MODERN, "Mcp-Method": method, **({"Mcp-Name": name} if name else {}),
             **(headers or {})}
    return client.post("/mcp", message(method, params, identity), **{k: v for k, v in given.items() if v is not None})


def test_a_session_belongs_to_its_token(http_desk):
    client, other = begin(http_desk), Client(http_desk, http_desk.tokens["two"])
    assert client.post("/mcp", message("ping"), **client.session).json["result"] == {}
    stolen = other.post("/mcp", message("ping"), **client.session)
    assert stolen.status == 404 and stolen.json["error"]["code"] == -32600
    assert other.request("DELETE", "/mcp", headers=client.session).status == 404
    assert other.request("GET", "/mcp", headers=client.session).status == 404
    assert client.post("/mcp", message("ping"), **client.session).status == 200


def test_without_a_token_nothing(http_desk):
    client = Client(http_desk)
    assert client.post("/mcp", message("initialize", {"protocolVersion": "2025-11-25"}), **BOTH).status == 401


@pytest.mark.parametrize("headers, body, status, code", [
    ({}, message("ping"), 400, -32600),
    ({"Mcp-Session-Id": "m_none"}, message("ping"), 404, -32600),
    ({}, b"{", 400, -32700),
    ({}, b"", 400, -32700),
    ({}, {"jsonrpc": "2.0", "id": 1}, 400, -32600),
    ({"Accept": "text/html"}, message("ping"), 406, -32600),
    ({"MCP-Protocol-Version": MODERN}, message("tools/list"), 400, -32602)])
def test_what_is_refused(http_desk, headers, body, status, code):
    reply = Client(http_desk, http_desk.tokens["one"]).post("/mcp", body, **{**BOTH, **headers})
    assert (reply.status, reply.json["error"]["code"]) == (status, code)


def test_a_session_and_its_end(http_desk):
    client = begin(http_desk)
    assert client.post("/mcp", {"jsonrpc": "2.0", "method": "notifications/initialized"}, **client.session).status == 202
    assert client.post("/mcp", message("ping"), **{**client.session, "MCP-Protocol-Version": "1999-01-01"}).status == 400
    unknown = client.post("/mcp", message("no/such"), **client.session)
    assert unknown.status == 200 and unknown.json["error"]["code"] == -32601
    assert client.request("GET", "/mcp", headers={**client.session, "Accept": "application/json"}).status == 406
    assert client.request("DELETE", "/mcp", headers=client.session).status == 200
    assert client.post("/mcp", message("ping"), **client.session).status == 404


def test_profiles_by_query(http_desk):
    client = begin(http_desk, path="/mcp?profile=computer")
    tools = client.post("/mcp", message("tools/list"), **client.session).json["result"]["tools"]
    assert [tool["name"] for tool in tools] == ["computer"]
    wrong = client.post("/mcp?profile=none", message("initialize", {"protocolVersion": "2025-11-25"}), **BOTH)
    assert wrong.status == 400 and "core" in wrong.json["error"]["message"]


def test_a_client_that_was_cut_off_takes_up_its_stream(http_desk):
    client = begin(http_desk)
    call = message("tools/call", {"name": "wait", "arguments": {"duration": 1.5}, "_meta": {"progressToken": 7}}, identity=5)
    client.connection.request("POST", "/mcp", body=json.dumps(call),
                              headers={**client.session, "Authorization": f"Bearer {client.token}"})
    response = client.connection.getresponse()
    assert response.headers["Content-Type"] == "text/event-stream"
    first = response.readline().decode()
    assert first.startswith("id: ")
    client.connection.close()
    again = Client(http_desk, http_desk.tokens["one"])
    reply = again.request("GET", "/mcp", headers={**client.session, "Last-Event-ID": first.split(": ")[1].strip()})
    got = events(reply.body)
    assert got[-1][1]["id"] == 5 and got[-1][1]["result"]["structuredContent"]["success"] is True
    # Once more, after all but the last one.
    last = again.request("GET", "/mcp", headers={**client.session, "Last-Event-ID": got[-2][0]})
    assert [entry["id"] for _, entry in events(last.body)] == [5]
    for unknown in ("99-1", "x", "-1"):
        assert again.request("GET", "/mcp", headers={**client.session, "Last-Event-ID": unknown}).status == 404


def test_what_belongs_to_no_request_comes_on_get(http_desk):
    client, listener = begin(http_desk), Client(http_desk, http_desk.tokens["one"])
    assert client.post("/mcp", message("resources/subscribe", {"uri": "screen://main"}), **client.session).status == 200
    listener.connection.request("GET", "/mcp", headers={**client.session, "Authorization": f"Bearer {listener.token}"})
    response = listener.connection.getresponse()
    client.post("/mcp", message("tools/call", {"name": "left_click", "arguments": {"x": 3, "y": 3}}), **client.session)
    lines = [response.readline().decode() for _ in range(3)]
    assert json.loads(lines[2].split("data: ")[1])["method"] == "notifications/resources/updated"
    assert client.request("DELETE", "/mcp", headers=client.session).status == 200
    assert response.read().strip() == b""


@pytest.mark.parametrize("headers, status", [
    ({}, 200), ({"Mcp-Method": None}, 400), ({"Mcp-Name": None}, 400), ({"Mcp-Name": "other"}, 400),
    ({"MCP-Protocol-Version": "2025-11-25"}, 400), ({"MCP-Protocol-Version": None}, 400),
    ({"Mcp-Name": "=?base64?d2FpdA==?="}, 200), ({"Mcp-Name": "=?base64?d2FpdA?="}, 400)])
def test_modern_headers_have_to_agree(http_desk, headers, status):
    client = Client(http_desk, http_desk.tokens["one"])
    reply = modern(client, "tools/call", {"name": "wait", "arguments": {"duration": 0.01}}, headers)
    assert reply.status == status, reply.body
    if status == 400:
        assert reply.json["error"]["code"] == -32020 and reply.json["id"] == 1
    else:
        assert reply.json["result"]["structuredContent"]["success"] is True and "Mcp-Session-Id" not in reply.headers


def test_modern_has_only_post(http_desk):
    client = Client(http_desk, http_desk.tokens["one"])
    for method in ("GET", "DELETE"):
        assert client.request(method, "/mcp", headers={"MCP-Protocol-Version": MODERN, **BOTH}).status == 405
    assert modern(client, "no/such").status == 404
    assert modern(client, "ping").status == 404


def test_closing_a_modern_stream_cancels(http_desk):
    client = Client(http_desk, http_desk.tokens["two"])
    params = {"name": "wait", "arguments": {"duration": 250},
              "_meta": {"io.modelcontextprotocol/protocolVersion": MODERN, "io.modelcontextprotocol/clientCapabilities": {}}}
    client.connection.request("POST", "/mcp", body=json.dumps(message("tools/call", params)),
                              headers={**BOTH, "Authorization": f"Bearer {client.token}", "MCP-Protocol-Version": MODERN,
                                       "Mcp-Method": "tools/call", "Mcp-Name": "wait"})
    eventually(lambda: any(row["kind"] == "intent" and row["caller"] == "two" for row in http_desk.audit()), 20, "the call")
    client.connection.close()
    eventually(lambda: any(row["kind"] == "result" and row["caller"] == "two" and row["code"] == "DESKTOP_ABORTED"
                           for row in http_desk.audit()), 20, "the end of the work")


def clicks(desk):
    return [row["caller"] for row in desk.audit() if row["kind"] == "result" and row["tool"] == "left_click"
            and row["code"] == "OK"]


def test_what_waits_for_the_owner_outlives_a_modern_request_and_is_its_tokens_alone(http_desk):
    ask = {"name": "left_click", "arguments": {"x": 9, "y": 9, "project": "asking"}}
    client, before = Client(http_desk, http_desk.tokens["one"]), len(clicks(http_desk))
    first = modern(client, "tools/call", ask).json["result"]
    assert text_of(first).startswith("WAITING_FOR_APPROVAL")
    approval = first["_meta"]["handfast/waiting"]["approval"]
    other = Client(http_desk, http_desk.tokens["two"])
    own = modern(other, "tools/call", ask).json["result"]["_meta"]["handfast/waiting"]["approval"]
    assert own != approval
    assert http_desk.owner_cli("approve", approval).returncode == 0
    assert modern(client, "tools/call", ask).json["result"]["structuredContent"]["success"] is True
    assert http_desk.owner_cli("deny", own).returncode == 0
    eventually(lambda: any(row.get("event") == "approval.denied" for row in http_desk.audit()), 20, "the denial")
    assert clicks(http_desk)[before:] == ["one"]
