"""MCP over stdio, as an agent's client uses it: what tools give, what waits for a person, what goes wrong."""
import base64
import io
import json
import os
import signal
import uuid

import pytest
from PIL import Image

from handfast import FULL_AUTO, PROGRAM, eventually, process_alive
from mcp_client import MODERN, Mcp, text_of

# Clicks wait for the owner; clients without dialogs are told so at once.
ASKING = {**FULL_AUTO, "approval": {"mcp_wait_s": 0},
          "projects": {"default_approval_template": "full-auto",
                       "items": {"asking": {"approval": {"tool_overrides": {"left_click": "require_approval"}}}}}}


@pytest.fixture
def connect(desk):
    """A function that starts `handfast mcp`; all are ended after the test."""
    clients = []

    def start(*arguments, of=None, **options):
        clients.append(Mcp((of or desk).environment, *arguments, **options))
        return clients[-1]

    yield start
    for client in clients:
        assert client.close() == 0


@pytest.mark.parametrize("version, expected", [
    ("2025-11-25", "2025-11-25"), ("2025-06-18", "2025-06-18"), ("2025-03-26", "2025-03-26"),
    ("2024-11-05", "2024-11-05"), ("1999-01-01", "2025-11-25")])
def test_the_version_is_the_clients_or_our_newest(connect, version, expected):
    hello = connect(version=version).hello
    assert hello["protocolVersion"] == expected
    assert hello["serverInfo"]["name"] == "handfast"
    assert {"tools", "resources", "logging"} <= set(hello["capabilities"])
    assert 100 < len(hello["instructions"].split()) < 300


def test_agents_are_told_english_whatever_their_person_reads(desk, own_desk, connect):
    chinese = own_desk(environment={"LANGUAGE": "zh_CN"})
    assert "截屏" in chinese.cli("tools").stdout.decode()
    usual, told = (connect("--profile", "all", of=each).request("tools/list")["result"] for each in (desk, chinese))
    assert len(told["tools"]) > 30 and told == usual


@pytest.mark.parametrize("version", ["2025-11-25", MODERN])
def test_a_tool_gives_text_structure_and_a_picture(desk, connect, version):
    client = connect(version=version)
    listed = {tool["name"]: tool for tool in client.request("tools/list")["result"]["tools"]}
    shot = listed["screenshot"]
    assert shot["title"] and shot["annotations"]["readOnlyHint"] is True
    assert shot["outputSchema"]["type"] == "object" and "image" not in shot["outputSchema"]["properties"]
    # Where the profile saves tokens, hints that say what holds without them are left out.
    usual = {"readOnlyHint": False, "openWorldHint": True, "destructiveHint": True, "idempotentHint": False}
    assert usual | listed["left_click"]["annotations"] == usual
    assert usual | listed["window_focus"]["annotations"] == usual | {"openWorldHint": False, "destructiveHint": False,
                                                                     "idempotentHint": True}
    result = client.call("screenshot")
    text, image = result["content"]
    assert json.loads(text["text"]) == result["structuredContent"]
    picture = Image.open(io.BytesIO(base64.b64decode(image["data"])))
    assert image["mimeType"] == "image/jpeg" and picture.size == (1280, 800)
    assert result["_meta"]["handfast/run_id"].startswith("r_") and result["_meta"]["handfast/step_id"]
    assert ("resultType" in result) == (version == MODERN)


def test_the_caller_is_the_program_that_started_it_and_never_the_owner(desk, connect):
    client = connect()
    step = client.call("window_list")["_meta"]["handfast/step_id"]
    row = next(row for row in desk.audit() if row.get("step") == step)
    assert (row["door"], row["caller_kind"]) == ("mcp", "client")
    assert row["caller"] == os.path.basename(os.path.realpath("/proc/self/exe")) and row["pid"] == os.getpid()


def test_the_owner_at_a_terminal_is_not_the_owner_through_mcp(own_desk):
    """The same terminal that may approve on the command line is a client here."""
    desk = own_desk(config={**FULL_AUTO, "security": {"permission_level": "L4", "client_level": "L1"}})
    lines = [{"id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25", "capabilities": {}}},
             {"id": 2, "method": "tools/call", "params": {"name": "left_click", "arguments": {"x": 5, "y": 5}}}]
    typed = "".join(json.dumps({"jsonrpc": "2.0", **line}) + "\n" for line in lines)
    shown = desk.owner_cli("mcp", answer=typed + "\x04").shown
    assert "FORBIDDEN" in shown, shown


@pytest.mark.parametrize("profile, some, least, most", [
    ("core", {"observe", "screenshot", "left_click", "type_text"}, 8, 20), ("computer", {"computer"}, 1, 1),
    ("all", {"hotkey", "system_info"}, 30, 500)])
def test_profiles(connect, profile, some, least, most):
    client = connect("--profile", profile)
    tools = client.request("tools/list")["result"]["tools"]
    names = [tool["name"] for tool in tools]
    assert some <= set(names) and least <= len(names) <= most and len(set(names)) == len(names)
    assert names == [tool["name"] for tool in client.request("tools/list")["result"]["tools"]]
    unknown = client.request("tools/call", {"name": "hotkey" if profile == "core" else "no_such_tool"})
    assert unknown["error"]["code"] == -32602


def test_the_usual_profile_finds_elements_and_clicks_them(desk, connect):
    """As the instructions have it: observe, then act on a reference."""
    client = connect()
    window = client.call("app_launch", name="mousepad")["structuredContent"]["window"]["window_id"]
    try:
        def edit_menu():
            lines = client.call("observe", window_id=window)["structuredContent"].get("elements", "")
            return next((line.split()[0] for line in lines.splitlines() if ' menu "Edit"' in line), None)
        eventually(edit_menu, 20, "the elements")
        clicked = client.call("left_click", target=edit_menu())
        assert not clicked.get("isError"), clicked
        assert clicked["structuredContent"]["element"]["name"] == "Edit"
        client.call("key_press", keys=["esc"])
    finally:
        client.call("app_close", name="mousepad", force=True)


def test_errors_say_what_to_do(connect):
    client = connect()
    result = client.call("window_focus", window_id=4242)
    assert result["isError"] and "structuredContent" not in result
    assert text_of(result).startswith("WINDOW_NOT_FOUND: ") and "→" in text_of(result)
    assert result["_meta"]["handfast/error"]["code"] == "WINDOW_NOT_FOUND"
    wrong = client.call("left_click", x="left", y=3)
    assert wrong["isError"] and text_of(wrong).startswith("INVALID_PARAMS: x")


def test_progress_rises_and_ends_with_the_answer(connect):
    client = connect()
    identity = client.send("tools/call", {"name": "wait", "arguments": {"duration": 2.5},
                                          "_meta": {"progressToken": "tick"}})
    client.answer(identity)
    told = [note["params"] for note in client.notes if note.get("method") == "notifications/progress"]
    assert len(told) >= 2 and all(note["progressToken"] == "tick" for note in told)
    assert [note["progress"] for note in told] == sorted({note["progress"] for note in told})
    client.notes.clear()
    client.request("ping")
    assert not client.notes


def test_cancelling_stops_the_work(desk, connect):
    client = connect()
    identity = client.send("tools/call", {"name": "wait", "arguments": {"duration": 250}})
    eventually(lambda: any(row["kind"] == "intent" and row["tool"] == "wait" and row["door"] == "mcp"
                           for row in desk.audit()), 20, "the call")
    client.notify("notifications/cancelled", {"requestId": identity, "reason": "changed my mind"})
    eventually(lambda: any(row["kind"] == "result" and row["code"] == "DESKTOP_ABORTED" and row["door"] == "mcp"
                           for row in desk.audit()), 20, "the end of the work")
    client.request("ping")
    assert not any(note.get("id") == identity for note in client.notes)


def test_a_client_that_dies_leaves_nothing_running(desk):
    client = Mcp(desk.environment, "--profile", "all")
    client.send("tools/call", {"name": "hold_key", "arguments": {"keys": "a", "duration": 200}})
    eventually(lambda: any(row["kind"] == "intent" and row["tool"] == "hold_key" for row in desk.audit()), 20, "the call")
    client.process.kill()
    client.process.wait()
    eventually(lambda: any(row["kind"] == "result" and row["tool"] == "hold_key" and row["code"] == "DESKTOP_ABORTED"
                           for row in desk.audit()), 20, "the end of the work")


BAD = [
    (b'{"jsonrpc": "2.0", "id": 1, "method"', -32700),
    (b'{"jsonrpc": "2.0", "id": 1, "id": 2, "method": "ping"}', -32700),
    (b'\xff\xfe', -32700),
    (b'[' * 5000, -32700),
    (b'17', -32600),
    (b'{}', -32600),
    (b'{"jsonrpc": "1.0", "id": 1, "method": "ping"}', -32600),
    (b'{"jsonrpc": "2.0", "id": null, "method": "ping"}', -32600),
    (b'{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}', -32600),
    (b'{"jsonrpc": "2.0", "id": {}, "method": "ping"}', -32600),
    (b'{"jsonrpc": "2.0", "id": 1, "method": 3}', -32600),
    (b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": [1]}', -32600),
    (b'[{"jsonrpc": "2.0", "id": 1, "method": "ping"}]', -32600),
    (b'{"jsonrpc": "2.0", "id": 7, "method": "no/such"}', -32601),
    (b'{"jsonrpc": "2.0", "id": 7, "method": "server/discover"}', -32602),
    (b'{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": 5}}', -32602),
    (b'{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "wait", "arguments": []}}', -32602),
    (b'{"jsonrpc": "2.0", "id": 7, "method": "tools/list", "params": {"cursor": "x"}}', -32602),
    (b'{"jsonrpc": "2.0", "id": 7, "method": "resources/read", "params": {"uri": "screen://nowhere"}}', -32002),
    (b'{"jsonrpc": "2.0", "id": 7, "method": "resources/read", "params": {}}', -32602),
    (b'{"jsonrpc": "2.0", "id": 7, "method": "logging/setLevel", "params": {"level": "loud"}}', -32602),
    (b'{"jsonrpc": "2.0", "id": 7, "method": "tools/list", "params": {"_meta": '
     b'{"io.modelcontextprotocol/protocolVersion": "2030-01-01", "io.modelcontextprotocol/clientCapabilities": {}}}}', -32022),
    (b'{"jsonrpc": "2.0", "id": 7, "method": "tools/list", "params": {"_meta": '
     b'{"io.modelcontextprotocol/protocolVersion": "2026-07-28"}}}', -32602),
    (b'{"jsonrpc": "2.0", "id": 7, "method": "ping", "params": {"_meta": {"io.modelcontextprotocol/protocolVersion": '
     b'"2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}}}', -32601),
]


def test_bad_input_has_a_number_and_hurts_nobody(connect):
    client = connect()
    for line, code in BAD:
        client.send_raw(line)
        reply = client.wait_for(lambda message: "error" in message)
        assert reply["error"]["code"] == code and reply["error"]["message"], (line, reply)
        assert reply["id"] in (None, 1, 7)
    for silent in (b'', b'{"jsonrpc": "2.0", "method": "notifications/whatever"}', b'{"jsonrpc": "2.0", "id": 9, "result": {}}',
                   b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": {}}}'):
        client.send_raw(silent)
    assert client.request("ping")["result"] == {}


def test_a_line_that_is_too_long_is_refused_and_the_next_is_heard(connect):
    client = connect()
    client.send_raw(b'{"jsonrpc": "2.0", "id": 1, "method": "' + b"x" * (17 * 1024 * 1024) + b'"}')
    assert client.wait_for(lambda message: "error" in message)["error"]["code"] == -32600
    assert client.request("ping")["result"] == {}


def test_an_id_in_flight_is_not_taken_again(connect):
    client = connect()
    client.send("tools/call", {"name": "wait", "arguments": {"duration": 1.5}}, identity="twice")
    client.send("ping", identity="twice")
    assert client.wait_for(lambda message: "error" in message)["id"] is None
    assert client.answer("twice")["result"]["structuredContent"]["success"] is True


def test_nothing_but_ping_before_initialize(desk):
    client = Mcp(desk.environment, version=MODERN)
    client.send_message({"id": 1, "method": "tools/list"})
    assert client.answer(1)["error"]["code"] == -32600
    client.send_message({"id": 2, "method": "ping"})
    assert client.answer(2)["result"] == {}
    assert client.close() == 0


def test_batches_of_the_revision_that_has_them(connect):
    client = connect(version="2025-03-26")
    client.send_raw(json.dumps([{"jsonrpc": "2.0", "id": "a", "method": "ping"},
                                {"jsonrpc": "2.0", "method": "notifications/whatever"},
                                {"jsonrpc": "2.0", "id": "b", "method": "tools/call",
                                 "params": {"name": "wait", "arguments": {"duration": 0.1}}},
                                {"jsonrpc": "2.0", "id": "c", "method": "no/such"}]).encode())
    answers = {entry["id"]: entry for entry in client.wait_for(lambda message: isinstance(message, list))}
    assert set(answers) == {"a", "b", "c"} and answers["a"]["result"] == {} and answers["c"]["error"]["code"] == -32601
    for wrong in (b"[]", b"[[]]"):
        client.send_raw(wrong)
        assert client.receive()["error"]["code"] == -32600


@pytest.mark.parametrize("version", ["2025-11-25", MODERN])
def test_resources(desk, connect, version):
    client = connect(version=version)
    run = client.call("window_list")["_meta"]["handfast/run_id"]
    uris = {entry["uri"] for entry in client.request("resources/list")["result"]["resources"]}
    assert {"screen://main", "audit://latest"} <= uris
    templates = client.request("resources/templates/list")["result"]["resourceTemplates"]
    assert {entry["uriTemplate"] for entry in templates} == {"screen://{desktop}", "run://{id}"}
    screen = client.request("resources/read", {"uri": "screen://main"})["result"]["contents"][0]
    assert Image.open(io.BytesIO(base64.b64decode(screen["blob"]))).size == (1280, 800)
    rows = json.loads(client.request("resources/read", {"uri": "audit://latest"})["result"]["contents"][0]["text"])["rows"]
    assert any(row.get("run") == run for row in rows)
    missing = client.request("resources/read", {"uri": "run://none"})["error"]
    assert missing["code"] == (-32602 if version == MODERN else -32002) and missing["data"]["uri"] == "run://none"


def test_a_subscriber_hears_of_what_changes_and_not_of_looks(connect):
    client = connect()
    assert client.request("resources/subscribe", {"uri": "screen://main"})["result"] == {}
    assert client.request("resources/subscribe", {"uri": "nothing://x"})["error"]["code"] == -32002
    client.call("screenshot")
    client.call("left_click", x=3, y=3)
    note = client.wait_for(lambda message: message.get("method") == "notifications/resources/updated")
    assert note["params"]["uri"] == "screen://main"
    assert client.request("resources/unsubscribe", {"uri": "screen://main"})["result"] == {}
    client.notes.clear()
    client.call("left_click", x=4, y=4)
    client.call("wait", duration=0.6)
    assert not [note for note in client.notes if note.get("method") == "notifications/resources/updated"]


@pytest.mark.parametrize("version", ["2025-11-25", MODERN])
def test_a_client_hears_of_new_desktops(desk, connect, version):
    """The list of resources has a screen for each of them."""
    client = connect(version=version)
    if version == MODERN:
        asked = client.send("subscriptions/listen", {"notifications": {"resourcesListChanged": True, "toolsListChanged": True}})
        told = client.wait_for(lambda note: note.get("method") == "notifications/subscriptions/acknowledged")
        assert told["params"]["notifications"] == {"resourcesListChanged": True}, "the list of tools never changes"
    else:
        assert client.hello["capabilities"]["resources"] == {"subscribe": True, "listChanged": True}
        assert client.hello["capabilities"]["tools"] == {}
        client.request("ping")
    name = f"d{uuid.uuid4().hex[:6]}"

    def listed():
        return f"screen://{name}" in [entry["uri"] for entry in client.request("resources/list")["result"]["resources"]]

    def changed():
        note = client.wait_for(lambda note: note.get("method") == "notifications/resources/list_changed")
        assert version != MODERN or note["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"] == asked
    desk.main_bridge.manage("desktop.new", name=name, width=320, height=200)
    changed()
    assert listed()
    desk.main_bridge.manage("desktop.remove", name=name)
    changed()
    assert not listed()


def test_a_modern_subscriber_listens_until_it_cancels(connect):
    client = connect(version=MODERN)
    identity = client.send("subscriptions/listen", {"notifications": {"toolsListChanged": True,
                                                                      "resourceSubscriptions": ["screen://main", "x://y"]}})
    first = client.receive()
    assert first["method"] == "notifications/subscriptions/acknowledged"
    assert first["params"]["notifications"] == {"resourceSubscriptions": ["screen://main"]}
    assert first["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"] == identity
    client.call("left_click", x=3, y=3)
    note = client.wait_for(lambda message: message.get("method") == "notifications/resources/updated")
    assert note["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"] == identity
    client.notify("notifications/cancelled", {"requestId": identity})
    client.notes.clear()
    client.call("left_click", x=4, y=4)
    client.call("wait", duration=0.6)
    assert not client.notes


# ---- the tool `computer` ----

def test_computer_clicks_where_the_picture_shows(own_desk):
    """A screen that is shown smaller: coordinates of the picture hit the same spot, as the window itself saw it."""
    desk = own_desk("--virtual", "--size", "2560x1600")
    client = Mcp(desk.environment, "--profile", "computer")
    shot = client.call("computer", action="screenshot")
    picture = Image.open(io.BytesIO(base64.b64decode(shot["content"][0]["data"])))
    assert picture.size == (1389, 868) and len(shot["content"]) == 1
    assert text_of(client.call("computer", action="mouse_move", coordinate=[1000, 500])) == "OK"
    pointer = desk.call("cursor_position")
    assert abs(pointer["x"] - 1000 * 2560 / 1389) <= 1 and abs(pointer["y"] - 500 * 1600 / 868) <= 1
    assert text_of(client.call("computer", action="cursor_position")) == "X=1000,Y=500"
    zoomed = client.call("computer", action="zoom", region=[0, 0, 694, 434])
    assert Image.open(io.BytesIO(base64.b64decode(zoomed["content"][0]["data"]))).size[0] == 1389
    for action, problem in (({"action": "left_click", "coordinate": [1389, 5]}, "INVALID_PARAMS"),
                            ({"action": "type"}, "INVALID_PARAMS: text"), ({"action": "dance"}, "INVALID_PARAMS: action"),
                            ({"action": "scroll", "scroll_direction": "up"}, "INVALID_PARAMS: scroll_amount")):
        result = client.call("computer", **action)
        assert result["isError"] and problem in text_of(result), (action, result)
    assert client.close() == 0


# ---- approvals ----

def pending(desk):
    return [entry["id"] for entry in json.loads(desk.owner_cli("approvals", "--json").shown)]


def asking_call(client, **more):
    return client.call("left_click", x=7, y=7, project="asking", **more)


def clicks(desk):
    return [row for row in desk.audit() if row["kind"] == "result" and row["tool"] == "left_click" and row["code"] == "OK"]


def test_a_client_without_dialogs_is_told_to_ask_again_and_nothing_is_done_twice(own_desk):
    desk = own_desk(config=ASKING)
    client = Mcp(desk.environment)
    for _ in range(2):
        waiting = asking_call(client)
        assert waiting["isError"] and text_of(waiting).startswith("WAITING_FOR_APPROVAL")
    [approval] = pending(desk)
    assert waiting["_meta"]["handfast/waiting"]["approval"] == approval and approval in text_of(waiting)
    assert not clicks(desk)
    assert desk.owner_cli("approve", approval).returncode == 0
    eventually(lambda: clicks(desk), 20, "the click")
    assert asking_call(client)["structuredContent"]["success"] is True
    assert len(clicks(desk)) == 1
    assert text_of(asking_call(client)).startswith("WAITING_FOR_APPROVAL")
    [second] = pending(desk)
    assert second != approval
    assert desk.owner_cli("deny", second, "--reason", "enough").returncode == 0
    eventually(lambda: not pending(desk), 20, "the answer")
    denied = asking_call(client)
    assert text_of(denied).startswith("APPROVAL_DENIED") and "enough" in text_of(denied)
    assert len(clicks(desk)) == 1
    assert client.close() == 0


def test_what_waits_is_called_off_with_its_connection(own_desk):
    desk = own_desk(config=ASKING)
    client = Mcp(desk.environment)
    asking_call(client)
    assert len(pending(desk)) == 1
    client.close()
    eventually(lambda: not pending(desk), 20, "the end of the question")


def test_an_elicitation_of_a_client_without_trust_informs_and_its_yes_is_a_wish(own_desk):
    desk = own_desk(config={**ASKING, "approval": {"mcp_wait_s": 600}})
    client = Mcp(desk.environment, capabilities={"elicitation": {}})
    identity = client.send("tools/call", {"name": "left_click", "arguments": {"x": 7, "y": 7, "project": "asking"}})
    question = client.wait_for(lambda message: message.get("method") == "elicitation/create")
    [approval] = pending(desk)
    assert approval in question["params"]["message"] and question["params"]["requestedSchema"]["properties"] == {}
    client.send_message({"id": question["id"], "result": {"action": "accept", "content": {"approve": True}}})
    eventually(lambda: any(row.get("event") == "approval.client-answer" for row in desk.audit()), 20, "the answer")
    assert pending(desk) == [approval] and not clicks(desk)
    assert desk.owner_cli("approve", approval).returncode == 0
    assert client.answer(identity)["result"]["structuredContent"]["success"] is True
    # Its no counts: it takes its own question back.
    identity = client.send("tools/call", {"name": "left_click", "arguments": {"x": 7, "y": 7, "project": "asking"}})
    question = client.wait_for(lambda message: message.get("method") == "elicitation/create")
    client.send_message({"id": question["id"], "result": {"action": "decline"}})
    assert text_of(client.answer(identity)["result"]).startswith("DESKTOP_ABORTED")
    # Answered elsewhere, the dialog is taken away.
    identity = client.send("tools/call", {"name": "left_click", "arguments": {"x": 7, "y": 7, "project": "asking"}})
    question = client.wait_for(lambda message: message.get("method") == "elicitation/create")
    assert desk.owner_cli("deny", pending(desk)[0]).returncode == 0
    note = client.wait_for(lambda message: message.get("method") == "notifications/cancelled")
    assert note["params"]["requestId"] == question["id"]
    assert text_of(client.answer(identity)["result"]).startswith("APPROVAL_DENIED")
    assert client.close() == 0


def trusting(config):
    name = os.path.basename(os.path.realpath("/proc/self/exe"))
    return {**config, "clients": {name: {"may_approve": True, "level": "L4"}}}


@pytest.mark.parametrize("answer, expected", [
    ({"action": "accept", "content": {"approve": True}}, None),
    ({"action": "accept", "content": {"approve": False}}, "APPROVAL_DENIED"),
    ({"action": "decline"}, "APPROVAL_DENIED")])
def test_the_owner_may_let_a_client_answer(own_desk, answer, expected):
    desk = own_desk(config=trusting(ASKING))
    client = Mcp(desk.environment, capabilities={"elicitation": {"form": {}}})
    identity = client.send("tools/call", {"name": "left_click", "arguments": {"x": 7, "y": 7, "project": "asking"}})
    question = client.wait_for(lambda message: message.get("method") == "elicitation/create")
    assert question["params"]["requestedSchema"]["required"] == ["approve"]
    client.send_message({"id": question["id"], "result": answer})
    result = client.answer(identity)["result"]
    assert len(clicks(desk)) == (0 if expected else 1)
    assert text_of(result).startswith(expected) if expected else result["structuredContent"]["success"]
    assert client.close() == 0


def retry(client, first, answer, **changes):
    params = {"name": "left_click", "arguments": {"x": 7, "y": 7, "project": "asking"}, "requestState": first["requestState"],
              "inputResponses": {"approval": answer} if answer else {}, **changes}
    return client.request("tools/call", params)


def test_a_modern_client_comes_back_with_the_answer_and_a_state_that_is_good_once(own_desk):
    desk = own_desk(config=trusting(ASKING))
    client = Mcp(desk.environment, version=MODERN, capabilities={"elicitation": {}})
    first = asking_call(client)
    assert first["resultType"] == "input_required"
    assert first["inputRequests"]["approval"]["method"] == "elicitation/create"
    yes = {"action": "accept", "content": {"approve": True}}
    body, mac = first["requestState"].split(".")
    for broken in (body[:-2] + "AA." + mac, "." + mac, body + "." + mac[:-4] + "AAAA", "x", ""):
        assert retry(client, {"requestState": broken}, yes)["error"]["code"] == -32602
    other = retry(client, first, yes, arguments={"x": 8, "y": 8, "project": "asking"})
    assert other["error"]["code"] == -32602 and not clicks(desk)
    again = retry(client, first, None)["result"]
    assert again["resultType"] == "input_required" and again["requestState"] != first["requestState"]
    assert retry(client, first, yes)["error"]["code"] == -32602 and not clicks(desk)
    done = retry(client, again, yes)["result"]
    assert done["resultType"] == "complete" and done["structuredContent"]["success"] is True
    assert retry(client, again, yes)["error"]["code"] == -32602
    assert len(clicks(desk)) == 1
    assert client.close() == 0


def test_a_modern_yes_without_trust_waits_for_the_owner(own_desk):
    desk = own_desk(config=ASKING)
    client = Mcp(desk.environment, version=MODERN, capabilities={"elicitation": {}})
    first = asking_call(client)
    waiting = retry(client, first, {"action": "accept"})["result"]
    assert text_of(waiting).startswith("WAITING_FOR_APPROVAL") and not clicks(desk)
    assert desk.owner_cli("approve", pending(desk)[0]).returncode == 0
    eventually(lambda: clicks(desk), 20, "the click")
    assert asking_call(client)["structuredContent"]["success"] is True
    assert len(clicks(desk)) == 1
    assert client.close() == 0


# ---- the process ----

def test_it_starts_a_desk_when_there_is_none_and_two_at_once_start_one(own_desk):
    desk = own_desk()
    desk.desktops()
    desk.stop()
    clients = [Mcp({**desk.environment, "DISPLAY": ""}) for _ in range(2)]
    pids = set()
    for client in clients:
        assert client.call("window_list")["structuredContent"]["windows"] == []
        bridge = desk.connect()
        pids.add(bridge.manage("status")["pid"])
        bridge.close()
    [pid] = pids
    assert (desk.runtime / "handfast" / "desk.log").stat().st_mode & 0o777 == 0o600
    for client in clients:
        assert client.close() == 0
    assert process_alive(pid)
    os.kill(pid, signal.SIGTERM)
    eventually(lambda: not process_alive(pid), 20, "the end of the desk")
    desk.start()


def test_it_takes_nothing_before_the_first_message(own_desk):
    desk = own_desk()
    desk.desktops()
    desk.stop()
    client = Mcp(desk.environment, version=MODERN)
    assert client.close() == 0
    assert not desk.socket_path.exists() and not (desk.runtime / "handfast" / "desk.log").exists()
    desk.start()


def test_a_session_survives_the_desk(own_desk):
    desk = own_desk()
    client = Mcp(desk.environment)
    client.request("resources/subscribe", {"uri": "screen://main"})
    identity = client.send("tools/call", {"name": "wait", "arguments": {"duration": 250}})
    eventually(lambda: any(row["kind"] == "intent" for row in desk.audit()), 20, "the call")
    desk.process.kill()
    desk.process.wait()
    lost = client.answer(identity)
    assert "OUTCOME_UNKNOWN" in lost["error"]["message"]
    desk.start()
    client.notes.clear()
    assert client.call("left_click", x=3, y=3)["structuredContent"]["success"] is True
    client.wait_for(lambda message: message.get("method") == "notifications/resources/updated")
    assert not [note for note in client.notes if "replay" in str(note.get("id"))]
    assert client.close() == 0


def test_answers_of_a_script_that_has_closed_its_end_still_come(desk):
    lines = [{"id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25", "capabilities": {}}},
             {"id": 2, "method": "tools/call", "params": {"name": "window_list"}}]
    text = "".join(json.dumps({"jsonrpc": "2.0", **line}) + "\n" for line in lines)
    result = desk.cli("mcp", input=text.encode())
    assert result.returncode == 0
    assert [json.loads(line)["id"] for line in result.stdout.splitlines()] == [1, 2]


# ---- cost and installation ----

def test_what_profiles_cost(desk):
    rows = {row["profile"]: row for row in json.loads(desk.cli("mcp", "--cost", "--json").stdout)}
    assert set(rows) == {"core", "computer", "all"}
    assert rows["computer"]["tokens"] < rows["core"]["tokens"] < 4000 < rows["all"]["tokens"]
    assert b"core" in desk.cli("mcp", "--cost").stdout
    wrong = desk.cli("mcp", "--profile", "none")
    assert wrong.returncode == 2 and b"core|computer|all" in wrong.stderr


@pytest.mark.parametrize("client, file, path", [
    ("claude-code", ".claude.json", ["mcpServers"]), ("gemini", ".gemini/settings.json", ["mcpServers"]),
    ("openclaw", ".openclaw/openclaw.json", ["mcp", "servers"])])
def test_install_into_json(desk, tmp_path, client, file, path):
    environment = {"HOME": str(tmp_path)}
    target = tmp_path / file
    shown = json.loads(desk.cli("mcp", "install", client, "--print", environment=environment).stdout)
    assert not target.exists()
    assert desk.cli("mcp", "install", client, environment=environment).returncode == 0
    assert json.loads(target.read_text()) == shown
    target.write_text(json.dumps({"other": {"kept": [1, 2]}, path[0]: {"x": {"command": "y"}}}))
    target.chmod(0o640)
    before = target.read_text()
    assert desk.cli("mcp", "install", client, "--profile", "all", environment=environment).returncode == 0
    after = json.loads(target.read_text())
    entry = after
    for member in path:
        entry = entry[member]
    assert after["other"] == {"kept": [1, 2]} and after[path[0]]["x"] == {"command": "y"}
    assert entry["handfast"]["command"] == os.path.realpath(PROGRAM) and entry["handfast"]["args"] == ["mcp", "--profile", "all"]
    assert (tmp_path / (file + ".before-handfast")).read_text() == before and target.stat().st_mode & 0o777 == 0o640
    target.write_text("// a comment\n{}")
    refused = desk.cli("mcp", "install", client, environment=environment)
    assert refused.returncode == 1 and b"CONFIG_INVALID" in refused.stderr and target.read_text() == "// a comment\n{}"


def test_install_into_toml(desk, tmp_path):
    import tomllib
    environment = {"HOME": str(tmp_path)}
    target = tmp_path / ".codex" / "config.toml"
    target.parent.mkdir()
    target.write_text('model = "x"\n[mcp_servers.handfast]\ncommand = "old"\n[mcp_servers.handfast.env]\nA = "1"\n[other]\nkept = 1')
    for _ in range(2):
        assert desk.cli("mcp", "install", "codex", environment=environment).returncode == 0
        read = tomllib.loads(target.read_text())
        assert read == {"model": "x", "other": {"kept": 1},
                        "mcp_servers": {"handfast": {"command": os.path.realpath(PROGRAM), "args": ["mcp"]}}}
    assert desk.cli("mcp", "install", "nobody", environment=environment).returncode == 2


@pytest.mark.parametrize("elicitation, asked", [({}, True), ({"form": {}}, True), ({"url": {}}, False)])
def test_only_a_client_with_forms_is_asked(own_desk, elicitation, asked):
    desk = own_desk(config=ASKING)
    client = Mcp(desk.environment, version=MODERN, capabilities={"elicitation": elicitation})
    assert (asking_call(client)["resultType"] == "input_required") is asked
    assert client.close() == 0
