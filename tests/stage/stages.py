"""Stages without a desk: each test plays the desk itself, over a channel of its own."""
import contextlib
import fcntl
import json
import os
import pathlib
import select
import socket
import struct
import subprocess
import time

HANDFAST = os.environ.get("HANDFAST", str(pathlib.Path(__file__).parents[2] / "build/handfast"))
HERE = pathlib.Path(__file__).parent


def stat(pid):
    """(start time, state, parent) of a process, or None."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return fields[19], fields[0], int(fields[1])


class Process:
    """One process, told from a later one of the same number."""

    def __init__(self, pid):
        self.pid, self.start = pid, (stat(pid) or (None,))[0]

    def lives(self):
        now = stat(self.pid)
        return bool(now) and now[0] == self.start and now[1] not in "ZX"

    def __repr__(self):
        with contextlib.suppress(OSError):
            return f"{self.pid}:{pathlib.Path(f'/proc/{self.pid}/comm').read_text().strip()}"
        return f"{self.pid}"


def family(root):
    """All descendants."""
    parents = {}
    for name in os.listdir("/proc"):
        now = stat(name) if name.isdigit() else None
        if now:
            parents[int(name)] = now[2]
    found = [root]
    for parent in found:
        found += [pid for pid, its_parent in parents.items() if its_parent == parent]
    return [Process(pid) for pid in found[1:]]


def wait_gone(processes, seconds):
    """Waits for their ends by pidfd; returns (those that still live, how long it took)."""
    begun = time.monotonic()
    for process in processes:
        with contextlib.suppress(ProcessLookupError):
            descriptor = os.pidfd_open(process.pid)
            try:
                if process.lives():
                    left = max(0, begun + seconds - time.monotonic())
                    select.select([descriptor], [], [], left)
            finally:
                os.close(descriptor)
    return [p for p in processes if p.lives()], time.monotonic() - begun


def pss_kb(pid):
    with contextlib.suppress(OSError):
        for line in pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1])
    return 0


class Stage:
    """A stage whose desk we are."""

    def __init__(self, runtime, name="v1", **options):
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.channel = ours
        self.runtime = runtime
        self.base = pathlib.Path(runtime, "desktops")
        self.directory = self.base / name
        lock = self.make_directory() if not options.get("attached") else os.open("/dev/null", os.O_RDONLY)
        passed = [fcntl.fcntl(each, fcntl.F_DUPFD, 20) for each in (theirs.fileno(), lock)]
        script = 'channel=$0; lock=$1; shift; exec 3<&"$channel" 4<&"$lock"; exec "$@"'
        self.process = subprocess.Popen(
            ["/bin/bash", "-c", script, *map(str, passed), HANDFAST, "stage", name],
            pass_fds=passed, start_new_session=True)
        theirs.close()
        for each in (lock, *passed):
            os.close(each)
        self.send("open", name=name, id=f"{name}-{os.getpid()}-{time.monotonic_ns()}",
                  **{"runtime_dir": str(runtime), "directory": str(self.directory), **options})

    def make_directory(self):
        """The directory, as a desk makes it; its lock, which the stage keeps. The lock is that of the open file. A stage of that
        name which ends is waited for."""
        self.base.mkdir(mode=0o700, exist_ok=True)
        end = time.monotonic() + 10
        while self.directory.exists() and time.monotonic() < end:
            time.sleep(0.005)
        self.directory.mkdir(mode=0o700)
        lock = os.open(self.directory / "stage.lock", os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.fcntl(lock, fcntl.F_OFD_SETLK, struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0))
        return lock

    def send(self, kind, descriptor=None, **fields):
        text = json.dumps({"type": kind, **fields}).encode()
        socket.send_fds(self.channel, [text], [descriptor] if descriptor is not None else [])

    def receive(self, seconds=20):
        ready, _, _ = select.select([self.channel], [], [], seconds)
        assert ready, "the stage says nothing"
        text = self.channel.recv(65536)
        return json.loads(text) if text else None

    def expect(self, kind, seconds=20):
        message = self.receive(seconds)
        assert message and message["type"] == kind, message
        return message

    def ready(self):
        self.facts = self.expect("ready")
        self.pids = self.facts["pids"]
        self.environment = {**os.environ, **self.facts["environment"]}
        return self

    def servers(self):
        return [Process(pid) for pid in self.pids.values()]

    def all(self):
        return [Process(self.process.pid), *family(self.process.pid)]

    def run(self, *command, **more):
        return subprocess.run(command, env=self.environment, text=True, capture_output=True,
                              timeout=30, **more)

    def start_inside(self, script):
        """Runs a script as a descendant of the stage, by way of its session bus. It prints lines
        to `answer`; returns the first."""
        answer = self.directory / f"answer-{time.monotonic_ns()}"
        os.mkfifo(answer, 0o600)
        file = self.directory / f"script-{time.monotonic_ns()}.py"
        file.write_text(f"answer = open({str(answer)!r}, 'w', buffering=1)\n{script}\n")
        name = f"org.test.T{time.monotonic_ns()}"
        service = self.directory / f"dbus-1/services/{name}.service"
        service.write_text(f"[D-BUS Service]\nName={name}\nExec=/usr/bin/python3 {file}\n")
        self.run("dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.DBus", "/",
                 "org.freedesktop.DBus.ReloadConfig")
        caller = subprocess.Popen(["dbus-send", "--session", "--dest=" + name, "/", "org.test.Go"],
                                  env=self.environment)
        with open(answer) as lines:
            line = lines.readline().strip()
        caller.wait()
        return line

    def stop(self):
        """Ends it in good order; returns how long that took."""
        begun = time.monotonic()
        self.send("stop")
        while (message := self.receive()) and message["type"] != "stopped":
            pass
        assert message == {"type": "stopped", "left": 0}
        assert self.process.wait(10) == 0
        return time.monotonic() - begun

    def assert_nothing_left(self, processes, seconds=2):
        left, took = wait_gone(processes, seconds)
        assert not left, f"still there after {took:.2f} s: {left}"
        assert not self.directory.exists()
        return took

    def close(self):
        self.channel.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
