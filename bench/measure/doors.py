"""What a door adds: the same call over the bridge, over HTTP on a connection that is kept, and over MCP (`handfast mcp`,
and a session of `/mcp` on a kept connection), in turn; and how many
small calls a second HTTP takes with the desk and its hands on one core, the guard on and the audit off (wrk on the
other). The small call is `wait` for no time: the cheapest way to a hand and back."""
import fcntl
import json
import os
import pty
import re
import socket
import statistics
import subprocess
import termios
import time

from .bridge import Bridge
from .processes import descendants
from .rounds import Failed

CONFIG = """{"security": {"permission_level": "L4", "client_level": "L4"},
 "projects": {"default_approval_template": "full-auto"}, "evidence": {"policy": "none"},
 "audit": {"enabled": false}, "http": {"port": 0},
 "limits": {"global": {"per_minute": 0, "per_day": 0}, "target": {"per_minute": 0, "per_day": 0}}}"""
SMALL = ("wait", b'{"duration":0}')
PICTURE = ("screenshot", b"{}")
CONNECTIONS = (8, 64, 256)


def _start_desk(desktop):
    """A desk of its own; its environment, its process and its socket."""
    runtime, config = desktop.root / "doors-run", desktop.root / "doors-config"
    runtime.mkdir(mode=0o700)
    (config / "handfast").mkdir(parents=True, mode=0o700)
    path = config / "handfast/config.json"
    path.write_text(CONFIG)
    path.chmod(0o600)
    environment = {**desktop.env, "XDG_RUNTIME_DIR": str(runtime), "XDG_CONFIG_HOME": str(config),
                   "XDG_DATA_HOME": str(desktop.home / "doors-data")}
    desk = desktop.household.add([str(desktop.build / "handfast"), "serve", "--virtual"], environment,
                                 log=str(desktop.root / "doors-desk.log"))
    place, end = runtime / "handfast/bridge.sock", time.monotonic() + 20
    while not place.exists():
        if not desk.alive() or time.monotonic() > end:
            raise Failed(f"handfast serve did not open its socket{desk.last_words()}")
        time.sleep(0.01)
    return environment, desk, place


def _make_token(desktop, environment):
    """As the owner does it: in the foreground of a terminal."""
    master, slave = pty.openpty()

    def take_terminal():
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    process = subprocess.Popen([str(desktop.build / "handfast"), "token", "new", "bench"], env=environment, stdin=slave,
                               stdout=subprocess.PIPE, stderr=slave, preexec_fn=take_terminal, text=True)
    os.close(slave)
    token = process.communicate(timeout=30)[0].strip()
    os.close(master)
    if not token.startswith("hf_"):
        raise Failed("no token was made")
    return token


class Http:
    """A kept connection that sends and reads as little as it can."""

    def __init__(self, host, port, token):
        self.socket = socket.create_connection((host, port), timeout=120)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.token = token

    def _receive(self):
        data = self.socket.recv(1 << 20)
        if not data:
            raise Failed("the desk hung up")
        return data

    def post(self, path, body, headers=""):
        """The head and the body of the answer."""
        self.socket.sendall(f"POST {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {self.token}\r\n{headers}"
                            f"Content-Length: {len(body)}\r\n\r\n".encode() + body)
        data = b""
        while b"\r\n\r\n" not in data:
            data += self._receive()
        head, _, rest = data.partition(b"\r\n\r\n")
        if not re.match(rb"HTTP/1.1 20[02] ", head):
            raise Failed(head.decode(errors="replace"))
        length = re.search(rb"(?i)content-length: (\d+)", head)
        chunked = re.search(rb"(?i)transfer-encoding: chunked", head)
        while (length and len(rest) < int(length[1])) or (chunked and not rest.endswith(b"0\r\n\r\n")):
            rest += self._receive()
        return head, rest

    def call(self, tool, body):
        self.post(f"/v1/tools/{tool}", body)


HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}


def _message(method, params, identity=1):
    named = {} if identity is None else {"id": identity}
    return json.dumps({"jsonrpc": "2.0", **named, "method": method, "params": params}).encode()


def _tool_call(tool, body):
    return b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"%s","arguments":%s}}' % (tool.encode(), body)


def _check(answer):
    if b'"structuredContent"' not in answer or b'"isError":true' in answer:
        raise Failed(answer[:500].decode(errors="replace"))


class McpHttp(Http):
    """A session of the revision that most clients speak today."""

    ACCEPT = "Accept: application/json, text/event-stream\r\nContent-Type: application/json\r\n"

    def __init__(self, *where):
        super().__init__(*where)
        head, _ = self.post("/mcp?profile=all", _message("initialize", HELLO), self.ACCEPT)
        session = re.search(rb"(?i)mcp-session-id: (\S+)", head)[1].decode()
        self.headers = f"{self.ACCEPT}Mcp-Session-Id: {session}\r\n"
        self.post("/mcp?profile=all", _message("notifications/initialized", {}, None), self.headers)

    def call(self, tool, body):
        _check(self.post("/mcp?profile=all", _tool_call(tool, body), self.headers)[1])


class McpStdio:
    """`handfast mcp`, as agents start it."""

    def __init__(self, program, environment):
        self.process = subprocess.Popen([program, "mcp", "--profile", "all"], env=environment, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self._ask(_message("initialize", HELLO))
        self._send(_message("notifications/initialized", {}, None))

    def _send(self, message):
        self.process.stdin.write(message + b"\n")
        self.process.stdin.flush()

    def _ask(self, message):
        """The answer: what is told besides (that the list of tools has changed, say) has no result."""
        self._send(message)
        for line in self.process.stdout:
            if b'"result"' in line or b'"error"' in line:
                return line
        raise Failed("handfast mcp ended")

    def call(self, tool, body):
        _check(self._ask(_tool_call(tool, body)))

    def close(self):
        self.process.stdin.close()
        self.process.wait(timeout=20)


def _bridge_call(bridge, tool, body):
    bridge.socket.sendall(b'{"jsonrpc":"2.0","id":1,"method":"call","params":{"tool":"%s","params":%s}}\n'
                          % (tool.encode(), body))
    bridge.file.readline()


def _latencies(doors, call, rounds):
    """Medians in ms, each door in turn."""
    samples = {door: [] for door in doors}
    for number in range(rounds + 20):
        for door, send in doors.items():
            begun = time.perf_counter()
            send(*call)
            if number >= 20:
                samples[door].append((time.perf_counter() - begun) * 1000)
    return {door: statistics.median(times) for door, times in samples.items()}


def _on_one_core(pid):
    for process in descendants(pid):
        subprocess.run(["taskset", "-a", "-p", "-c", "0", str(process)], capture_output=True)


def _processor_time(pid):
    """Seconds that the desk and all that came from it have used so far."""
    ticks = 0
    for process in descendants(pid):
        with open(f"/proc/{process}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def _throughput(desktop, desk, where, token, seconds):
    """Calls in a second, and calls in a second of processor time: what other programs do meanwhile changes the first."""
    script = desktop.root / "doors.lua"
    script.write_text(f"wrk.method='POST'\nwrk.body='{SMALL[1].decode()}'\nwrk.headers['Authorization']='Bearer {token}'\n")
    other = str(max(os.sched_getaffinity(0)))
    rates, efficient = {}, {}
    for count in CONNECTIONS:
        before = _processor_time(desk.pid)
        told = subprocess.run(["taskset", "-c", other, "wrk", "-t1", f"-c{count}", f"-d{seconds}s", "-s", str(script),
                               f"http://{where[0]}:{where[1]}/v1/tools/{SMALL[0]}"], capture_output=True, text=True)
        rate = re.search(r"Requests/sec:\s+([\d.]+)", told.stdout)
        if not rate or "Non-2xx" in told.stdout or "Socket errors" in told.stdout:
            raise Failed(f"wrk with {count} connections: {told.stdout}{told.stderr}")
        rates[count] = float(rate[1])
        calls = int(re.search(r"(\d+) requests in", told.stdout)[1])
        efficient[count] = calls / max(_processor_time(desk.pid) - before, 0.01)
    return rates, efficient


def measure(desktop, rounds):
    environment, desk, place = _start_desk(desktop)
    bridge = Bridge(place)
    door = bridge.request("status", {})["result"]["doors"]["http"]
    where = (door["addresses"][0], door["port"])
    token = _make_token(desktop, environment)
    stdio = McpStdio(str(desktop.build / "handfast"), environment)
    doors = {"bridge": lambda *call: _bridge_call(bridge, *call), "HTTP": Http(*where, token).call,
             "MCP, stdio": stdio.call, "MCP, HTTP": McpHttp(*where, token).call}
    found = {"small call": _latencies(doors, SMALL, rounds),
             "screenshot": _latencies(doors, PICTURE, max(20, rounds // 8))}
    stdio.close()
    _on_one_core(desk.pid)
    rates, efficient = _throughput(desktop, desk, where, token, 2 if rounds < 100 else 5)
    found.update({"calls per second": rates, "calls per processor second": efficient})
    bridge.close()
    return found


def lines(found):
    titles = ("small call", "screenshot")
    rows = [f"  {title:24}" + "".join(f"{took:12.3f}" for took in found[title].values()) for title in titles]
    names = "".join(f"{door:>12}" for door in found["small call"])
    rates = ", ".join(f"{rate:.0f} ({found['calls per processor second'][count]:.0f}) with {count} connections"
                      for count, rate in found["calls per second"].items())
    return "\n".join([f"By door, median (ms)      {names}", *rows,
                      "  small calls/s over HTTP on one core, audit off (by processor time):", f"  {rates}"])
