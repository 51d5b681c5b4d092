"""The HTTP door owns its descriptors: however connections begin and end, the desk holds no more of them afterwards than before.
HF_LONG=1 makes 100,000 connections of each kind."""
import contextlib
import os
import resource
import socket
import struct
import time

import pytest

from handfast import eventually
from http_client import Client, address, make_token

COUNT = 100_000 if os.environ.get("HF_LONG") else 300


def descriptors(desk):
    return len(os.listdir(f"/proc/{desk.process.pid}/fd"))


@pytest.fixture(scope="module")
def token(shared_desk):
    return make_token(shared_desk, "counted")


def head(path="/v1/status", token=None, method="GET", more=()):
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost", *([f"Authorization: Bearer {token}"] if token else []), *more]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def ask(connection, request):
    """Until the head of the answer, and its body where its length is said."""
    connection.sendall(request)
    answer = b""
    while b"\r\n\r\n" not in answer:
        answer += connection.recv(65536)
    assert answer.startswith(b"HTTP/1.1 ")
    lines, body = answer.split(b"\r\n\r\n", 1)
    length = [int(line.split(b":")[1]) for line in lines.split(b"\r\n") if line.lower().startswith(b"content-length:")]
    while length and len(body) < length[0]:
        body += connection.recv(65536)


def kept_alive(connection, token):
    ask(connection, head(token=token))


def twice(connection, token):
    ask(connection, head(token=token))
    ask(connection, head(token=token))


def without_a_token(connection, token):
    ask(connection, head())


def unknown_path(connection, token):
    ask(connection, head("/v1/nothing", token))


def tool_call(connection, token):
    ask(connection, head("/v1/tools/no_such_tool", token, "POST", ["Content-Length: 2"]) + b"{}")


def closed_by_the_desk(connection, token):
    ask(connection, head(token=token, more=["Connection: close"]))
    while connection.recv(65536):
        pass


def half_closed(connection, token):
    connection.sendall(head(token=token))
    connection.shutdown(socket.SHUT_WR)
    while connection.recv(65536):
        pass


def silent(connection, token):
    pass


def half_a_request(connection, token):
    connection.sendall(b"GET /v1/status HTTP/1.1\r\nHost: loc")


def half_a_body(connection, token):
    connection.sendall(head("/v1/tools/wait", token, "POST", ["Content-Length: 200"]) + b"{")


def gone_before_the_answer(connection, token):
    connection.sendall(head(token=token))


def reset(connection, token):
    ask(connection, head(token=token))
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def event_stream(connection, token):
    ask(connection, head("/v1/events", token, more=["Accept: text/event-stream"]))


def web_socket(connection, token):
    ask(connection, head("/v1/events", token, more=["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
                                                    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="]))


KINDS = [kept_alive, twice, without_a_token, unknown_path, tool_call, closed_by_the_desk, half_closed, silent, half_a_request,
         half_a_body, gone_before_the_answer, reset, event_stream, web_socket]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_connections_leave_nothing_behind(shared_desk, token, kind):
    count = COUNT // 10 if kind in (event_stream, web_socket) else COUNT
    before = descriptors(shared_desk)
    for _ in range(count):
        with socket.create_connection(address(shared_desk), timeout=30) as connection:
            kind(connection, token)
    eventually(lambda: descriptors(shared_desk) <= before + 2, 20, f"descriptors as before: {before}")
    client = Client(shared_desk, token)
    assert client.get("/v1/status").status == 200
    client.close()


def test_many_at_once_make_room(shared_desk, token):
    """More than there may be, all kept alive: the oldest strangers are let go, with their descriptors."""
    before = descriptors(shared_desk)
    many = [socket.create_connection(address(shared_desk), timeout=30) for _ in range(700)]
    for connection in many:
        with contextlib.suppress(OSError):  # those that had to make room
            connection.sendall(head())
    assert descriptors(shared_desk) <= before + 700
    for connection in many:
        connection.close()
    eventually(lambda: descriptors(shared_desk) <= before + 2, 20, f"descriptors as before: {before}")


def test_a_desk_without_descriptors_recovers(own_desk):
    """No connection can be accepted for a while: the desk waits without spinning, and goes on when there is room again."""
    desk = own_desk()
    token = make_token(desk, "patient")
    client = Client(desk, token)
    assert client.get("/v1/status").status == 200
    limits = resource.prlimit(desk.process.pid, resource.RLIMIT_NOFILE)
    resource.prlimit(desk.process.pid, resource.RLIMIT_NOFILE, (descriptors(desk), limits[1]))
    waiting = [socket.create_connection(address(desk), timeout=30) for _ in range(20)]
    used = cpu_seconds(desk)
    for connection in waiting:
        connection.sendall(head(token=token))
    assert client.get("/v1/status").status == 200, "who is there is answered"
    time.sleep(2)
    assert cpu_seconds(desk) - used < 0.7, "it waits instead of trying all the time"
    resource.prlimit(desk.process.pid, resource.RLIMIT_NOFILE, limits)
    for connection in waiting:
        assert connection.recv(65536).startswith(b"HTTP/1.1 200")
        connection.close()
    client.close()


def cpu_seconds(desk):
    with open(f"/proc/{desk.process.pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
