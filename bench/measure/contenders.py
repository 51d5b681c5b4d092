"""Who is measured: our desk, the Node libraries, the command-line programs, the bare floor."""
import json
import os
import pathlib
import shutil
import time

from . import guard
from .desktop import HERE
from .processes import Gone, run_timed
from .rounds import Failed

NODE_PEERS = {
    "nut": "nut.js + sharp",
    "screenshots": "node-screenshots + sharp",
    "robot": "robotjs + sharp",
    "cua": "cua-driver",
    "pty": "node-pty",
    "child": "node child_process",
}
START_SECONDS = 20


class Ours:
    """The desk on the benchmark's display, and the client that keeps one connection open."""

    def __init__(self, desktop):
        self.desktop = desktop
        self.program = str(desktop.build / "handfast")
        self.socket = desktop.runtime / "handfast/bridge.sock"
        self.number = 0

    def start(self):
        guard.configure(pathlib.Path(self.desktop.env["XDG_CONFIG_HOME"]))
        add = self.desktop.household.add
        self.desk = add([self.program, "serve", "--display", self.desktop.env["DISPLAY"]], self.desktop.env,
                        log=str(self.desktop.root / "desk.log"))
        end = time.monotonic() + START_SECONDS
        while not self.socket.exists():
            if not self.desk.alive() or time.monotonic() > end:
                raise Failed(f"handfast serve did not open its socket{self.desk.last_words()}")
            time.sleep(0.01)
        self.client = add([str(self.desktop.build / "bench/bench-client"), str(self.socket)],
                          self.desktop.env, log=str(self.desktop.root / "client.log"))

    def request(self, method, params, save=None, timeout=120.0):
        """Returns (milliseconds, the result, start, end)."""
        self.number += 1
        line = json.dumps({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        if save:
            line = f">{save}\n{line}"
        told = json.loads(self.client.ask(line, timeout))
        answer = told["answer"]
        if "error" in answer:
            raise Failed(f"{method}: {answer['error'].get('message')}")
        self.last = answer["result"]  # with what is told of the call as a whole: its effect
        if not answer["result"].get("ok"):
            raise Failed(f"{method}: {json.dumps(answer['result'].get('error'))}")
        took = (told["end"] - told["start"]) / 1e6
        return took, answer["result"].get("result", {}), told["start"], told["end"]

    def call(self, tool, params, **more):
        return self.request("call", {"tool": tool, "params": params}, **more)


class NodePeer:
    """A Node library that stays loaded in a process of its own."""

    def __init__(self, desktop, key):
        self.desktop, self.key, self.label = desktop, key, NODE_PEERS[key]
        self.restarts = 0
        self.argv = [shutil.which("node") or "", str(HERE / "peers/worker.cjs"), key]
        if not self.argv[0] or not (HERE / "node_modules").is_dir():
            raise Failed("not installed; bench/install gets it")
        if key == "cua":
            self.argv = self._without_network() + self.argv
        self._start()

    def _start(self):
        self.child = self.desktop.household.add(self.argv, self.desktop.env, name=self.label,
                                                log=str(self.desktop.root / f"{self.key}.log"))
        ready = json.loads(self.child.read_line(30))
        if "error" in ready:
            raise Failed(ready["error"])
        self.jobs, self.version = ready["jobs"], ready["version"]

    @staticmethod
    def _without_network():
        if shutil.which("unshare") is None:
            raise Failed("needs unshare, to be cut off from the network")
        return ["unshare", "-n"] if os.geteuid() == 0 else ["unshare", "-rn"]

    def do(self, job, timeout=60.0, **params):
        """Returns (start, end) in nanoseconds. A peer that has died is started again, once."""
        request = json.dumps({"job": job, **params})
        try:
            told = json.loads(self.child.ask(request, timeout))
        except Gone:
            self.restarts += 1
            self.desktop.household.end(self.child)
            self._start()
            told = json.loads(self.child.ask(request, timeout))
        if "error" in told:
            raise Failed(told["error"])
        return int(told["start"]), int(told["end"])


class Command:
    """A program that is started anew for each job, as its users do."""

    def __init__(self, desktop, name):
        self.name, self.env = name, desktop.env
        if shutil.which(name) is None:
            raise Failed("not installed; bench/install gets it")

    def do(self, *arguments, timeout=60.0):
        try:
            return run_timed([self.name, *arguments], self.env, timeout)
        except OSError as problem:
            raise Failed(str(problem)) from problem


class Bare:
    """The floor of input work (bench/bare.c)."""

    def __init__(self, desktop):
        self.child = desktop.bare

    def do(self, line, timeout=60.0):
        answer = self.child.ask(line, timeout).split()
        if len(answer) != 2:
            raise Failed(f"bare: {' '.join(answer)}")
        return int(answer[0]), int(answer[1])


class Contenders:
    """Everyone who could be started; the others are kept with the reason."""

    def __init__(self, desktop):
        self.desktop, self.missing = desktop, {}
        self.ours = self._try("handfast", lambda: self._start_ours(desktop))
        self.bare = Bare(desktop)
        self.node = {key: self._try(NODE_PEERS[key], lambda key=key: NodePeer(desktop, key))
                     for key in NODE_PEERS}
        self.commands = {name: self._try(name, lambda name=name: Command(desktop, name))
                         for name in ("scrot", "maim", "xdotool")}

    @staticmethod
    def _start_ours(desktop):
        ours = Ours(desktop)
        if not os.path.exists(ours.program):
            raise Failed(f"{ours.program} is not built")
        ours.start()
        return ours

    def _try(self, label, make):
        try:
            return make()
        except (Failed, Gone) as problem:
            self.missing[label] = str(problem)
            return None
