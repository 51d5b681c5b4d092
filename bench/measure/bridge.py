"""A plain connection to the bridge for work that is not timed to the microsecond."""
import json
import socket


class Bridge:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(str(path))
        self.socket.settimeout(120)
        self.file = self.socket.makefile("rb", buffering=1 << 20)
        self.number = 0

    def request(self, method, params):
        """What the method answered: {ok, result} or {ok, error}."""
        self.number += 1
        request = {"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}
        self.socket.sendall(json.dumps(request).encode() + b"\n")
        answer = json.loads(self.file.readline())
        if answer.get("id") != self.number:
            raise RuntimeError(f"answer {answer.get('id')} to request {self.number}")
        return answer["result"]

    def call(self, tool, params):
        return self.request("call", {"tool": tool, "params": params})

    def close(self):
        self.file.close()
        self.socket.close()
