"""A plain client of `handfast mcp`: newline-delimited JSON-RPC over a process, in either era."""
import itertools
import json
import queue
import subprocess
import threading

from handfast import PROGRAM, SLOW

MODERN = "2026-07-28"


class Mcp:
    def __init__(self, environment, *arguments, version="2025-11-25", capabilities=None, program=PROGRAM):
        self.process = subprocess.Popen([program, "mcp", *arguments], env=environment, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.ids = itertools.count(1)
        self.lines = queue.Queue()
        self.notes = []
        self.version = version
        self.capabilities = capabilities or {}
        threading.Thread(target=self.read, daemon=True).start()
        if version != MODERN:
            self.hello = self.request("initialize", {"protocolVersion": version, "capabilities": self.capabilities,
                                                     "clientInfo": {"name": "test", "version": "1"}})["result"]
            self.notify("notifications/initialized")

    def read(self):
        for line in self.process.stdout:
            self.lines.put(json.loads(line))
        self.lines.put(None)

    def send_raw(self, data):
        self.process.stdin.write(data + b"\n")
        self.process.stdin.flush()

    def send_message(self, message):
        self.send_raw(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def notify(self, method, params=None):
        self.send_message({"method": method, "params": params or {}})

    def send(self, method, params=None, identity=None):
        identity = next(self.ids) if identity is None else identity
        params = dict(params or {})
        if self.version == MODERN:
            params["_meta"] = {"io.modelcontextprotocol/protocolVersion": MODERN,
                               "io.modelcontextprotocol/clientCapabilities": self.capabilities,
                               **params.get("_meta", {})}
        self.send_message({"id": identity, "method": method, "params": params})
        return identity

    def receive(self, seconds=60):
        message = self.lines.get(timeout=seconds * SLOW)
        if message is None:
            raise EOFError("the server hung up")
        return message

    def wait_for(self, wanted, seconds=60):
        """The next message for which `wanted` is true; the others are kept in `notes`."""
        while True:
            message = self.receive(seconds)
            if wanted(message):
                return message
            self.notes.append(message)

    def answer(self, identity, seconds=60):
        return self.wait_for(lambda message: message.get("id") == identity and "method" not in message, seconds)

    def request(self, method, params=None):
        return self.answer(self.send(method, params))

    def call(self, tool, _meta=None, **arguments):
        """The result of tools/call."""
        params = {"name": tool, "arguments": arguments}
        if _meta:
            params["_meta"] = _meta
        reply = self.request("tools/call", params)
        assert "result" in reply, reply
        return reply["result"]

    def close(self):
        self.process.stdin.close()
        status = self.process.wait(timeout=30)
        self.process.stdout.close()
        return status


def text_of(result):
    return "\n".join(block["text"] for block in result["content"] if block["type"] == "text")
