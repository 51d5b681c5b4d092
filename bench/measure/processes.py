"""Processes that the benchmark starts: each is ended by its own pid, whatever happens."""
import ctypes
import os
import select
import signal
import subprocess
import sys
import time


_libc = ctypes.CDLL(None)
_PR_SET_PDEATHSIG = 1


def end_with_parent():
    """Run in a child before its program: nothing is left behind, however the benchmark ends."""
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def end_cleanly_when_told():
    """A request to end becomes an exception, so that everything is cleaned up on the way."""
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))


class Gone(Exception):
    """A process ended, or did not answer in time."""


class Child:
    """A process that answers one line for each line that it is given."""

    def __init__(self, argv, env, name=None, log=None):
        self.name = name or os.path.basename(argv[0])
        self.log = log
        errors = open(log, "ab") if log else subprocess.DEVNULL
        self.process = subprocess.Popen(argv, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=errors, start_new_session=True,
                                        preexec_fn=end_with_parent)
        if log:
            errors.close()
        self.buffer = b""

    @property
    def pid(self):
        return self.process.pid

    def alive(self):
        return self.process.poll() is None

    def read_line(self, timeout=60.0):
        end = time.monotonic() + timeout
        descriptor = self.process.stdout.fileno()
        while b"\n" not in self.buffer:
            left = end - time.monotonic()
            if left <= 0 or not select.select([descriptor], [], [], left)[0]:
                raise Gone(f"{self.name} did not answer within {timeout:g} s")
            piece = os.read(descriptor, 1 << 20)
            if not piece:
                raise Gone(f"{self.name} ended{self.last_words()}")
            self.buffer += piece
        line, self.buffer = self.buffer.split(b"\n", 1)
        return line.decode()

    def drain(self):
        """Forgets what was written without being asked for."""
        while select.select([self.process.stdout], [], [], 0)[0]:
            if not os.read(self.process.stdout.fileno(), 1 << 20):
                break
        self.buffer = b""

    def ask(self, line, timeout=60.0):
        try:
            self.process.stdin.write(line.encode() + b"\n")
            self.process.stdin.flush()
        except OSError as problem:
            raise Gone(f"{self.name} ended{self.last_words()}") from problem
        return self.read_line(timeout)

    def last_words(self):
        if not self.log or not os.path.exists(self.log):
            return ""
        with open(self.log, errors="replace") as log:
            lines = [line.strip() for line in log if line.strip()]
        return f": {lines[-1][:200]}" if lines else ""

    def end(self, patience=5.0):
        if self.alive():
            self.process.terminate()
            self.process.send_signal(signal.SIGCONT)
            try:
                self.process.wait(patience)
            except subprocess.TimeoutExpired:
                self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            try:
                pipe.close()
            except OSError:
                pass


class Household:
    """All children, ended in the opposite order of their coming."""

    def __init__(self):
        self.children = []

    def add(self, argv, env, **more):
        child = Child(argv, env, **more)
        self.children.append(child)
        return child

    def end(self, child):
        self.children.remove(child)
        child.end()

    def end_all(self):
        while self.children:
            self.children.pop().end()


def run_timed(argv, env, timeout=60.0):
    """Runs a command and returns (start, end) in nanoseconds, its exit included."""
    null = os.open(os.devnull, os.O_RDWR)
    actions = [(os.POSIX_SPAWN_DUP2, null, descriptor) for descriptor in (0, 1, 2)]
    try:
        start = time.monotonic_ns()
        pid = os.posix_spawnp(argv[0], argv, env, file_actions=actions)
        status = _wait(pid, timeout)
        end = time.monotonic_ns()
    finally:
        os.close(null)
    if status is None:
        raise Gone(f"{argv[0]} did not end within {timeout:g} s")
    if status != 0:
        raise Gone(f"{argv[0]} failed with status {status}")
    return start, end


def _wait(pid, timeout):
    descriptor = os.pidfd_open(pid)
    try:
        if not select.select([descriptor], [], [], timeout)[0]:
            os.kill(pid, 9)
            os.waitpid(pid, 0)
            return None
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    finally:
        os.close(descriptor)


def memory_of(pid):
    """Resident and proportional set size in megabytes."""
    sizes = {}
    with open(f"/proc/{pid}/smaps_rollup") as rollup:
        for line in rollup:
            words = line.split()
            if words[0] in ("Rss:", "Pss:"):
                sizes[words[0][:3].lower()] = int(words[1]) / 1024
    return sizes


def descendants(pid):
    """The process and all that came from it, as pids."""
    children = {}
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            with open(f"/proc/{entry}/stat") as stat:
                parent = int(stat.read().rsplit(")", 1)[1].split()[1])
        except (OSError, IndexError):
            continue
        children.setdefault(parent, []).append(int(entry))
    found, waiting = [], [pid]
    while waiting:
        current = waiting.pop()
        found.append(current)
        waiting.extend(children.get(current, []))
    return found


def command_line(pid):
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return [part.decode(errors="replace") for part in file.read().split(b"\0") if part]
    except OSError:
        return []
