"""A plain client of the HTTP door, and tokens for it."""
import http.client
import json
import socket

from handfast import SLOW


def make_token(desk, name, *options):
    """A new token, made as the owner makes it: in a terminal."""
    run = desk.owner_cli("token", "new", name, *options)
    assert run.returncode == 0, run.shown
    return next(line for line in run.shown.splitlines() if line.startswith("hf_"))


def address(desk):
    """(host, port) of the desk's HTTP door."""
    door = desk.main_bridge.manage("status")["doors"]["http"]
    return door["addresses"][0], door["port"]


class Reply:
    def __init__(self, response):
        self.status = response.status
        self.headers = response.headers
        self.body = response.read()

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def code(self):
        return self.json["error"]["code"]


class Client:
    """One connection that is kept alive."""

    def __init__(self, desk, token=None, timeout=60):
        self.host, self.port = address(desk)
        self.token = token
        self.connection = http.client.HTTPConnection(self.host, self.port, timeout=timeout * SLOW)

    def request(self, method, path, body=None, headers=None):
        headers = {**({"Authorization": f"Bearer {self.token}"} if self.token else {}), **(headers or {})}
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
        self.connection.request(method, path, body=body, headers=headers)
        return Reply(self.connection.getresponse())

    def get(self, path, **headers):
        return self.request("GET", path, headers=headers)

    def post(self, path, body=None, **headers):
        return self.request("POST", path, body if body is not None else {}, headers)

    def call(self, tool, **params):
        return self.post(f"/v1/tools/{tool}", params)

    def close(self):
        self.connection.close()


class Raw:
    """A socket on which any bytes can be sent."""

    def __init__(self, desk, source=None, timeout=30):
        self.socket = socket.create_connection(address(desk), timeout=timeout * SLOW,
                                               source_address=(source, 0) if source else None)

    def send(self, data):
        self.socket.sendall(data)

    def receive_all(self):
        """Everything until the desk hangs up."""
        data = b""
        while True:
            try:
                piece = self.socket.recv(65536)
            except ConnectionResetError:
                return data
            if not piece:
                return data
            data += piece

    def close(self):
        self.socket.close()
