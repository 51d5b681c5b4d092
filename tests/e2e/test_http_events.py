"""Events over HTTP: as a WebSocket and as server-sent events, with resume, filters, limits, and for whom they are."""
import json
import socket
import ssl

import pytest

from handfast import FULL_AUTO, SLOW, eventually
from http_client import Client, address, make_token
from test_http_tls import certificate  # noqa: F401
from websocket import Refused, WebSocket


@pytest.fixture(scope="module")
def observer(shared_desk):
    return make_token(shared_desk, "listener", "--role", "observer")


@pytest.fixture(scope="module")
def stranger(shared_desk):
    return make_token(shared_desk, "narrow", "--role", "client")


class Sse:
    """Server-sent events, line by line."""

    def __init__(self, desk, token, query="", **headers):
        self.socket = socket.create_connection(address(desk), timeout=30 * SLOW)
        lines = {"Host": "localhost", "Accept": "text/event-stream", "Authorization": f"Bearer {token}", **headers}
        self.socket.sendall((f"GET /v1/events{query} HTTP/1.0\r\n" +
                             "".join(f"{name}: {value}\r\n" for name, value in lines.items()) + "\r\n").encode())
        self.file = self.socket.makefile("rb")
        self.head = []
        while (line := self.file.readline()) not in (b"\r\n", b""):
            self.head.append(line.decode().strip())

    @property
    def status(self):
        return int(self.head[0].split()[1])

    def next(self):
        """The next event: (id, type, what its data says)."""
        fields = {}
        while True:
            line = self.file.readline()
            if not line:
                raise EOFError
            line = line.decode().rstrip("\n")
            if not line and "data" in fields:
                return int(fields["id"]), fields["event"], json.loads(fields["data"])
            if ": " in line and not line.startswith(":"):
                name, value = line.split(": ", 1)
                fields[name] = value

    def close(self):
        self.file.close()
        self.socket.close()


def test_websocket(desk, observer):
    listener = WebSocket(desk, "/v1/events?types=call.finished,abort", observer)
    desk.call("cursor_position")
    event = listener.receive()
    assert event["type"] == "call.finished" and event["data"]["tool"] == "cursor_position"
    desk.main_bridge.manage("abort", run_id="r_ws")
    after = listener.receive()
    assert (after["type"], after["data"]["run_id"]) == ("abort", "r_ws") and after["id"] > event["id"]
    listener.close()
    back = WebSocket(desk, f"/v1/events?types=abort&since={event['id']}", observer)
    assert back.receive() == after
    back.close()


def test_server_sent_events(desk, observer):
    sent = Sse(desk, observer, "?types=call.finished,abort")
    assert sent.status == 200 and "Content-Type: text/event-stream" in sent.head
    desk.call("cursor_position")
    number, kind, event = sent.next()
    assert (number, kind) == (event["id"], "call.finished") and event["data"]["tool"] == "cursor_position"
    desk.main_bridge.manage("abort", run_id="r_sse")
    after = sent.next()
    sent.close()
    back = Sse(desk, observer, "?types=abort", **{"Last-Event-ID": str(number)})
    assert back.next() == after
    back.close()


def test_others_events_are_not_for_clients(desk, stranger):
    listener, client = WebSocket(desk, "/v1/events", stranger), Client(desk, stranger)
    desk.call("cursor_position")  # over the bridge
    assert client.call("wait", duration=0).status == 200
    events = [listener.receive(), listener.receive()]
    assert [(event["type"], event["data"]["tool"], event["data"]["door"]) for event in events] == \
        [("call.started", "wait", "http"), ("call.finished", "wait", "http")]
    desk.main_bridge.manage("pause", desktop="none", reason="for all")
    assert listener.receive()["type"] == "pause"
    assert desk.owner_cli("resume", "--desktop", "none").returncode == 0
    listener.close()
    client.close()


@pytest.mark.parametrize("query", ["?types=calls", "?since=-1", "?since=x"])
def test_bad_words(desk, observer, query):
    reply = Client(desk, observer).get(f"/v1/events{query}")
    assert reply.status == 400 and reply.code == "INVALID_PARAMS" and reply.json["error"]["suggestion"]
    listener = WebSocket(desk, f"/v1/events{query}", observer)
    assert listener.receive()["error"]["code"] == "INVALID_PARAMS"
    with pytest.raises(EOFError) as closed:
        listener.receive()
    assert closed.value.args == (1008,)


def test_strangers(desk, observer):
    for token, headers, status in ((None, {}, 401), ("hf_wrong", {}, 401), (observer, {"Origin": "https://evil.example"}, 403),
                                   (observer, {"Origin": "null"}, 403), (observer, {"Host": "evil.example"}, 403)):
        with pytest.raises(Refused) as refused:
            WebSocket(desk, "/v1/events", token, **headers)
        assert refused.value.status == status
    page = WebSocket(desk, "/v1/events", None, Origin="http://localhost:5173",
                     Sec_WebSocket_Protocol=f"handfast.v1, handfast.bearer.{observer}")
    assert "Sec-WebSocket-Protocol: handfast.v1" in page.head and observer not in page.head
    page.close()


def test_who_may_what_is_told_to_those_who_see_all(desk, observer, stranger):
    listener, other = (WebSocket(desk, "/v1/events?types=grant,token,abort", token) for token in (observer, stranger))
    secret = make_token(desk, "brief", "--role", "client")
    assert desk.owner_cli("token", "rotate", "brief").returncode == 0
    assert desk.owner_cli("token", "revoke", "brief").returncode == 0
    assert desk.owner_cli("grant", "new", "little", "--tools", "wait").returncode == 0
    assert not desk.main_bridge.request("grant.revoke", {"id": "little"})["result"]["ok"]  # not the owner: nothing is told
    assert desk.owner_cli("grant", "revoke", "little").returncode == 0
    events = [listener.receive() for _ in range(5)]
    assert [(event["type"], event["data"]["action"]) for event in events] == [
        ("token.changed", "new"), ("token.changed", "rotate"), ("token.changed", "revoke"),
        ("grant.changed", "new"), ("grant.changed", "revoke")]
    assert {event["data"].get("name") or event["data"].get("id") for event in events} == {"brief", "little"}
    assert secret not in str(events) and all(event["data"]["caller"] == "owner" for event in events)
    desk.main_bridge.manage("abort", run_id="r_after")
    assert other.receive()["data"]["run_id"] == "r_after"  # and nothing of that before it
    listener.close()
    other.close()


def test_revoked_token_hears_no_more(desk):
    token = make_token(desk, "leaving", "--role", "observer")
    listener = WebSocket(desk, "/v1/events?types=abort", token)
    assert desk.owner_cli("token", "revoke", "leaving").returncode == 0
    with pytest.raises(EOFError) as closed:
        listener.receive()
    assert closed.value.args == (1008,)


def test_slow_listener_misses_and_is_told(own_desk):
    desk = own_desk()
    token = make_token(desk, "slow", "--role", "observer")
    listener = WebSocket(desk, "/v1/events", token, receive_buffer=4096)
    caller, calls, batch, events = desk.connect(), 15000, 30, []
    for number in range(calls // batch):
        for _ in range(batch):
            caller.send("call", {"tool": "no_such_tool", "params": {}})
        for _ in range(batch):
            caller.receive()
        if number % 20 == 0:  # slow, but not silent: a silent one is cut off after half a minute
            events += [listener.receive() for _ in range(20)]
    desk.main_bridge.manage("abort", run_id="r_end")
    while events[-1]["type"] != "abort":
        events.append(listener.receive())
    gaps = [event for event in events if event["type"] == "events.missed"]
    assert gaps, "nothing was missed: the test is too small"
    for before, after in zip(events, events[1:]):
        assert after["id"] - before["id"] == (after["data"]["count"] if after["type"] == "events.missed" else 1)
    listener.close()


def test_many_listeners_come_and_go(desk, observer):
    listeners = [WebSocket(desk, "/v1/events?types=abort", observer) for _ in range(30)]
    listeners += [Sse(desk, observer, "?types=abort") for _ in range(30)]
    for listener in listeners[::2]:
        listener.close()
    desk.main_bridge.manage("abort", run_id="r_many")
    for listener in listeners[1::2]:
        if isinstance(listener, WebSocket):
            assert listener.receive()["data"]["run_id"] == "r_many"
        else:
            assert listener.next()[2]["data"]["run_id"] == "r_many"
        listener.close()
    eventually(lambda: desk.answer("cursor_position")["ok"], 5, "a call")


def test_over_tls(own_desk, certificate):
    key, public = certificate
    # The search for leaks trips over what the TLS library maps and unmaps.
    desk = own_desk(config={**FULL_AUTO, "http": {"tls": {"certificate": str(public), "key": str(key)}}},
                    environment={"LSAN_OPTIONS": "detect_leaks=0"})
    token = make_token(desk, "secure", "--role", "observer")
    tls = ssl.create_default_context(cafile=public)
    listener = WebSocket(desk, "/v1/events?types=abort", token, tls=tls)
    for number in range(3):
        desk.main_bridge.manage("abort", run_id=f"r_{number}")
        assert listener.receive()["data"]["run_id"] == f"r_{number}"
    view = WebSocket(desk, "/v1/desktops/main/stream", token, tls=tls)
    assert view.receive()["type"] == "live" and view.receive()[:4] == b"HFS1"
    listener.close()
    view.close()
