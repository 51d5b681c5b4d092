"""A WebSocket client on a plain socket, as RFC 6455 has it: what a test wants to send and see, byte by byte."""
import base64
import hashlib
import json
import os
import socket
import struct
import time

from handfast import SLOW
from http_client import address

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


class Refused(Exception):
    def __init__(self, status, body):
        self.status, self.body = status, body
        super().__init__(f"{status}: {body[:200]}")


class WebSocket:
    def __init__(self, desk, path, token=None, timeout=30, receive_buffer=None, tls=None, **headers):
        self.socket = socket.socket()
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.timeout = timeout * SLOW
        self.socket.settimeout(self.timeout)
        host, port = address(desk)
        self.socket.connect((host, port))
        if tls:
            self.socket = tls.wrap_socket(self.socket, server_hostname=host)
        self.buffer = b""
        key = base64.b64encode(os.urandom(16)).decode()
        lines = {"Host": f"{host}:{port}", "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Key": key,
                 "Sec-WebSocket-Version": "13", **({"Authorization": f"Bearer {token}"} if token else {}),
                 **{name.replace("_", "-"): value for name, value in headers.items()}}
        self.socket.sendall((f"GET {path} HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in lines.items()) +
                             "\r\n").encode())
        while b"\r\n\r\n" not in self.buffer:
            self.more()
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        status = int(head.split()[1])
        if status != 101:
            raise Refused(status, self.buffer)
        wanted = base64.b64encode(hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest())
        assert wanted in head
        self.head = head.decode()

    def more(self):
        data = self.socket.recv(1 << 16)
        if not data:
            raise EOFError("the desk hung up")
        self.buffer += data

    def exactly(self, count):
        while len(self.buffer) < count:
            self.more()
        data, self.buffer = self.buffer[:count], self.buffer[count:]
        return data

    def frame(self):
        """(opcode, payload) of the next frame, whatever it is."""
        first, second = self.exactly(2)
        assert first & 0x80 and not second & 0x80
        length = second & 0x7f
        if length == 126:
            length, = struct.unpack(">H", self.exactly(2))
        elif length == 127:
            length, = struct.unpack(">Q", self.exactly(8))
        return first & 0x0f, self.exactly(length)

    def receive(self):
        """The next message: bytes, or what its JSON says. EOFError with the code when it was closed."""
        end = time.monotonic() + self.timeout
        while time.monotonic() < end:
            kind, payload = self.frame()
            if kind == PING:
                self.send_frame(PONG, payload)
            elif kind == TEXT:
                return json.loads(payload)
            elif kind == BINARY:
                return payload
            elif kind == CLOSE:
                raise EOFError(struct.unpack(">H", payload[:2])[0] if len(payload) >= 2 else 0)
        raise TimeoutError("only pings came")

    def send_frame(self, kind, payload):
        mask = os.urandom(4)
        length = len(payload)
        size = bytes([0x80 | length]) if length < 126 else b"\xfe" + struct.pack(">H", length) \
            if length < 65536 else b"\xff" + struct.pack(">Q", length)
        masked = bytes(byte ^ mask[index % 4] for index, byte in enumerate(payload))
        self.socket.sendall(bytes([0x80 | kind]) + size + mask + masked)

    def send(self, message):
        self.send_frame(TEXT, message.encode() if isinstance(message, str) else json.dumps(message).encode())

    def close(self):
        self.socket.close()
