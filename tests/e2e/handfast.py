"""A desk of its own for tests, and a plain client of its bridge: only the public doors."""
import base64
import contextlib
import functools
import getpass
import io
import itertools
import json
import os
import pathlib
import re
import select
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import typing

from PIL import Image

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("HANDFAST", str(ROOT / "build" / "handfast"))
APPS = ROOT / "tests" / "apps"
# Sanitizers make everything slower; limits of time in tests are multiplied by this.
SLOW = 4 if "build-test" in PROGRAM or "build-tsan" in PROGRAM else 1
# What LeakSanitizer writes when its process is killed while it looks for leaks.
CHECK_WAS_KILLED = re.compile(r"^==\d+==(Running thread \d+ was not suspended\. False leaks are possible\.|"
                              r"Unable to get registers from thread \d+\.)\n", re.MULTILINE)

# An agreement under which every tool goes on by itself: for tests of tools. Tests of the guard give their own.
FULL_AUTO = {
    "security": {"permission_level": "L4", "client_level": "L4"},
    "projects": {"default_approval_template": "full-auto"},
    "limits": {"global": {"per_minute": 0, "per_day": 0}, "target": {"per_minute": 0, "per_day": 0},
               "queue": {"per_target": 10000, "total": 10000}},
}


# Where the evidence of a finding is kept: a report of a sanitizer, a process left over, a complaint of GLib's. scripts/test.py reads
# it there, and never runs the test again.
FINDINGS = pathlib.Path(os.environ.get("HF_FINDINGS", ROOT / "build-test" / "findings"))
FINDING_NUMBERS = itertools.count(1)


def keep_finding(kind, text):
    """Writes a line of JSON and then the text; where it is kept."""
    test = os.environ.get("HF_TEST_PREFIX", "") + os.environ.get("PYTEST_CURRENT_TEST", "").rsplit(" ", 1)[0]
    FINDINGS.mkdir(parents=True, exist_ok=True)
    name = re.sub(r"[^\w.-]+", "-", test.rsplit("/", 1)[-1])[:80] or "unknown"
    path = FINDINGS / f"{name}-{kind}-{os.getpid()}-{next(FINDING_NUMBERS)}.log"
    path.write_text(json.dumps({"kind": kind, "test": test}) + "\n" + text)
    return path


class ToolError(Exception):
    """A tool's {ok: false} answer."""

    def __init__(self, answer):
        self.answer = answer
        self.error = answer["error"]
        self.code = self.error["code"]
        super().__init__(f"{self.code}: {self.error['message']}")


def eventually(condition, seconds=5, what="the condition"):
    """Waits until `condition()` is true (for what gives no event that a test could wait for)."""
    end = time.monotonic() + seconds * SLOW
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.01)
    raise AssertionError(f"{what} did not come about in {seconds} s")


def wait_for_ends(pids, seconds):
    """Waits for the end of processes; describes those that are still there then."""
    end = time.monotonic() + seconds * SLOW
    while any(map(process_alive, pids)) and time.monotonic() < end:
        time.sleep(0.01)
    left = [pid for pid in pids if process_alive(pid)]
    return subprocess.run(["ps", "-o", "pid=,ppid=,stat=,args=", "-p", ",".join(map(str, left))], capture_output=True,
                          text=True).stdout.splitlines() if left else []


def process_alive(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


class OwnerRun(typing.NamedTuple):
    returncode: int
    shown: str


@functools.cache
def verifying_tools():
    """The tools that wait for their effect unless they are told not to."""
    described = json.loads(subprocess.run([PROGRAM, "tools", "--json"], capture_output=True, check=True).stdout)
    return {tool["name"] for tool in described if "verify" in tool["params"]["properties"]}


class Bridge:
    """One connection: newline-delimited JSON-RPC. Without `verify`, actions do not wait for their effect unless a call says so:
    for tests that are not about effects, since the wait is most of the time of an action."""

    def __init__(self, path, verify=True):
        """`path` of the socket, or a socket that is connected already."""
        self.verify = verify
        self.socket = path if isinstance(path, socket.socket) else socket.socket(socket.AF_UNIX)
        if self.socket is not path:
            self.socket.connect(str(path))
        self.buffer = b""
        self.ids = itertools.count(1)

    def send(self, method, params=None, identity=None):
        identity = next(self.ids) if identity is None else identity
        self.send_raw(json.dumps({"jsonrpc": "2.0", "id": identity, "method": method, "params": params or {}}).encode())
        return identity

    def send_raw(self, line):
        self.socket.sendall(line + b"\n")

    def receive(self, seconds=180):
        """Waits for longer than any tool takes by its own limit, so that what comes next is not taken for its answer."""
        self.socket.settimeout(seconds)
        while b"\n" not in self.buffer:
            data = self.socket.recv(1 << 20)
            if not data:
                raise EOFError("the desk hung up")
            self.buffer += data
        line, self.buffer = self.buffer.split(b"\n", 1)
        return json.loads(line)

    def request(self, method, params=None):
        identity = self.send(method, params)
        reply = self.receive()
        assert reply["id"] == identity, reply
        return reply

    def answer(self, tool, params=None):
        """The whole answer of a tool, ok or not."""
        if not self.verify and tool in verifying_tools():
            params = {"verify": False, **(params or {})}
        return self.request("call", {"tool": tool, "params": params or {}})["result"]

    def call(self, tool, **params):
        """The result of a tool; ToolError when it failed."""
        answer = self.answer(tool, params)
        if not answer["ok"]:
            raise ToolError(answer)
        return answer["result"]

    def manage(self, method, **params):
        answer = self.request(method, params)["result"]
        if not answer["ok"]:
            raise ToolError(answer)
        return answer["result"]

    def close(self):
        self.socket.close()


# What the tests' desktops may reach besides a home that is the desk's own: their programs and files, and servers on loopback. The
# container is there all the same; tests of its walls name their own.
CONTAINER = {"home": "user", "network": "host", "readable": [str(ROOT)],
             "writable": [f"/tmp/pytest-of-{getpass.getuser()}"]}


def inner_pid(pid):
    """A process's number in the innermost of its pid namespaces."""
    return int(re.search(r"^NSpid:.*?(\d+)$", pathlib.Path(f"/proc/{pid}/status").read_text(), re.MULTILINE)[1])


def container_processes(hand):
    """The processes of the container in which a hand runs: those numbers that the tools report, and the ones on this machine."""
    found = {}
    try:
        place = os.readlink(f"/proc/{hand}/ns/pid")
    except OSError:
        return found
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if os.readlink(folder / "ns" / "pid") == place:
                found[inner_pid(folder.name)] = int(folder.name)
        except (OSError, TypeError):
            continue
    return found


class Program:
    """A program that a test has started inside a desktop's container. `pid` is its number on this machine, `inside` the one that
    tools report; `wait`, `stdout` and the like are those of the process that started it."""

    # As programs have them there: root that enters from outside would have all, and the hand could not look at it.
    FEW_RIGHTS = ("setpriv", "--no-new-privs", "--bounding-set", "-all,+setfcap,+setgid") if os.geteuid() == 0 else ()

    def __init__(self, hand, command, **options):
        self.starter = subprocess.Popen(["nsenter", "--target", str(hand), "--user", "--mount", "--ipc", "--net", "--uts", "--pid",
                                         "--preserve-credentials", f"--wdns={os.getcwd()}", "--", *self.FEW_RIGHTS, *command], **options)
        self.pid = eventually(self.find_child, 10, f"{command[0]} to be started")

    def find_child(self):
        children = pathlib.Path(f"/proc/{self.starter.pid}/task/{self.starter.pid}/children")
        try:
            found = children.read_text().split()
        except OSError:
            found = []
        return int(found[0]) if found else self.starter.pid if self.starter.poll() is not None else None

    @property
    def inside(self):
        return inner_pid(self.pid)

    def send_signal(self, signal_number):
        try:
            os.kill(self.pid, signal_number)
        except ProcessLookupError:
            pass

    def poll(self):
        """A starter stops when its program is stopped, and does not go on with it."""
        if not process_alive(self.pid):
            self.starter.send_signal(signal.SIGCONT)
        return self.starter.poll()

    def wait(self, timeout=None):
        end = time.monotonic() + timeout if timeout is not None else None
        while self.poll() is None:
            if end is not None and time.monotonic() > end:
                raise subprocess.TimeoutExpired(self.starter.args, timeout)
            time.sleep(0.005)
        return self.starter.returncode

    def kill(self):
        self.send_signal(signal.SIGKILL)

    def terminate(self):
        self.send_signal(signal.SIGTERM)

    def __enter__(self):
        return self

    def __exit__(self, *reason):
        self.wait()
        return self.starter.__exit__(*reason)

    def __getattr__(self, name):
        return getattr(self.starter, name)


def kill_group(process):
    """Ends a program that was started in a session of its own, with those that it has started in it."""
    try:
        os.killpg(getattr(process, "starter", process).pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


class Desk:
    """`handfast serve` with directories of its own. `config` is what config.json says (None: there is no such file),
    `policy` what the administrator's policy.json says, `verify` whether its bridges let actions wait for their effect."""

    def __init__(self, *arguments, environment=None, wait=True, config=FULL_AUTO, policy=None, verify=True):
        self.verify = verify
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="hf-"))
        self.runtime = self.home / "run"
        self.runtime.mkdir(mode=0o700)
        self.log = self.home / "serve.log"
        self.sanitizer_log = self.home / "sanitizer"
        self.environment = {
            "PATH": f"{ROOT}/tests/support/bin:{os.environ['PATH']}",
            "HOME": str(self.home),
            "XDG_RUNTIME_DIR": str(self.runtime),
            "XDG_DATA_HOME": str(self.home / "data"),
            "XDG_CONFIG_HOME": str(self.home / "config"),
            "LANG": "C.UTF-8",
            "HANDFAST_TEST": "1",
            "HANDFAST_HTTP_PORT": "0",
            "HANDFAST_POLICY": str(self.home / "etc" / "policy.json"),
            "ASAN_OPTIONS": f"log_path={self.sanitizer_log}",
            "G_SLICE": "always-malloc",  # memory that GLib passes around itself is not seen by sanitizers
            "TSAN_OPTIONS": f"log_path={self.sanitizer_log}:second_deadlock_stack=1:suppressions={ROOT}/tests/support/tsan-suppressions",
            "UBSAN_OPTIONS": f"log_path={self.sanitizer_log}:print_stacktrace=1:halt_on_error=1",
            **(environment or {}),
        }
        self.arguments = arguments
        self.process = None
        if config is not None:
            self.write_config(config)
        if policy is not None:
            self.write_config(policy, self.policy_path)
        self.start(wait)

    def command(self, *words):
        """How the desk's user runs a command."""
        return list(words)

    def start(self, wait=True):
        self.process = subprocess.Popen(self.command(PROGRAM, "serve", *self.arguments), env=self.environment,
                                        stdin=subprocess.DEVNULL, stdout=open(self.log, "ab"), stderr=subprocess.STDOUT)
        self.main_bridge = None
        if wait:
            self.wait_ready()

    def wait_ready(self):
        def ready():
            assert self.process.poll() is None, self.log.read_text()
            try:
                self.main_bridge = self.connect()
            except OSError:
                return False
            return True
        eventually(ready, 20, "the desk")

    @property
    def config_path(self):
        return self.home / "config" / "handfast" / "config.json"

    @property
    def policy_path(self):
        return self.home / "etc" / "policy.json"

    def write_config(self, content, path=None, accept=True):
        """Replaces config.json, atomically; `content` is an object, or text that may be broken. What it loosens while the desk
        runs is accepted by the owner, unless `accept` is false."""
        path = path or self.config_path
        if path == self.config_path and isinstance(content, dict):
            content = {"container": CONTAINER, **content}
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_suffix(".new")
        temporary.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
        temporary.chmod(0o600)
        temporary.rename(path)
        if accept and self.process and self.process.poll() is None and not isinstance(content, bytes) and path == self.config_path:
            run = self.owner_cli("config", "accept", "--json")
            assert run.returncode == 0, run.shown

    @property
    def socket_path(self):
        return self.runtime / "handfast" / "bridge.sock"

    def connect(self):
        return Bridge(self.socket_path, self.verify)

    def call(self, tool, **params):
        return self.main_bridge.call(tool, **params)

    def answer(self, tool, **params):
        return self.main_bridge.answer(tool, params)

    def fails(self, code, tool, **params):
        """Asserts that the call fails with this code; returns the error."""
        answer = self.main_bridge.answer(tool, params)
        assert not answer["ok"], answer
        assert answer["error"]["code"] == code, answer["error"]
        assert answer["error"]["message"] and answer["error"]["suggestion"]
        return answer["error"]

    def picture(self, **params):
        """A screenshot as a PIL image, and the result beside it."""
        result = self.call("screenshot", **params)
        return Image.open(io.BytesIO(base64.b64decode(result["image"]))).convert("RGB"), result

    def desktops(self):
        return {entry["name"]: entry for entry in self.main_bridge.manage("desktop.list")["desktops"]}

    def new_desktop(self, name, **params):
        return self.main_bridge.manage("desktop.new", name=name, **params)

    def remove_desktop(self, name):
        return self.main_bridge.manage("desktop.remove", name=name)

    def desktop_environment(self, name="main"):
        """The environment in which programs on that desktop are started."""
        return {**self.environment, **self.desktops()[name]["environment"]}

    def spawn(self, *command, desktop="main", **options):
        """Starts a test's own program on a desktop; the test ends it."""
        place = self.desktops()[desktop]
        options = {"stdin": subprocess.DEVNULL, "env": {**self.environment, **place["environment"]}, **options}
        command = [str(word) for word in command]
        if place.get("walls", {}).get("contained"):
            return Program(place["hand_pid"], command, **options)
        return subprocess.Popen(command, **options)

    def host_pid(self, pid, desktop="main"):
        """The number on this machine of a process that a tool reported; ProcessLookupError when it has ended."""
        place = self.desktops()[desktop]
        if place["kind"] == "attached" and process_alive(pid):
            return pid
        found = container_processes(place["hand_pid"])
        if pid not in found:
            raise ProcessLookupError(f"process {pid} of the desktop {desktop} has ended")
        return found[pid]

    def program_alive(self, pid, desktop="main"):
        """Whether a process that a tool reported is still there."""
        try:
            return process_alive(self.host_pid(pid, desktop))
        except ProcessLookupError:
            return False

    def cli(self, *arguments, environment=None, **options):
        return subprocess.run(self.command(PROGRAM, *map(str, arguments)), env={**self.environment, **(environment or {})},
                              capture_output=True, timeout=120, **options)

    def owner_cli(self, *arguments, answer="", seconds=60):
        """The command line as the owner uses it: in the foreground of a terminal. What it shows, and its status."""
        import pty
        import termios
        master, slave = pty.openpty()

        def take_terminal():
            import fcntl
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        process = subprocess.Popen(self.command(PROGRAM, *map(str, arguments)), env={**self.environment, "NO_COLOR": "1"},
                                   stdin=slave, stdout=slave, stderr=slave, preexec_fn=take_terminal, close_fds=True)
        os.close(slave)
        if answer:
            os.write(master, answer.encode())
        shown, end = b"", time.monotonic() + seconds * SLOW
        while time.monotonic() < end:
            ready, _, _ = select.select([master], [], [], 0.1)
            if not ready:
                continue
            try:
                data = os.read(master, 65536)
            except OSError:
                data = b""
            if not data:
                break
            shown += data
        os.close(master)
        return OwnerRun(process.wait(timeout=30), shown.decode().replace("\r\n", "\n"))

    def window(self, title, seconds=10, desktop="main"):
        """Waits for a window whose title contains the text."""
        def find():
            windows = self.call("window_list", desktop=desktop)["windows"]
            return next((window for window in windows if title in window["title"]), None)
        return eventually(find, seconds, f"a window titled {title!r}")

    def let_go(self, window_id, desktop="main"):
        """Waits until a window whose program was ended is known no more: until then it is found by its title, and its id may be
        that of the next program's window already."""
        def is_gone():
            answer = self.answer("window_list", desktop=desktop)
            return not answer["ok"] or all(window["window_id"] != window_id for window in answer["result"]["windows"])
        eventually(is_gone, 10, f"the end of the window {window_id}")

    def stop(self):
        """Its status. One that does not end in time is ended by force, and the test fails."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(timeout=30 * SLOW)
        except subprocess.TimeoutExpired:
            self.process.send_signal(signal.SIGCONT)
            self.process.kill()
            self.process.wait(timeout=30)
            raise

    def sanitizer_reports(self):
        """Without the last words of a leak check whose process was killed in the midst of it (a hand that took longer to
        end than it may): they say nothing about leaks."""
        text = "".join(path.read_text() for path in self.home.glob("sanitizer*"))
        return CHECK_WAS_KILLED.sub("", text)

    def audit(self):
        """The bodies of all rows of the audit, in order."""
        if not (self.data / "handfast.db").exists():
            return []
        return json.loads(self.cli("audit", "list", "--json", "--limit", "0", check=True).stdout)

    @property
    def data(self):
        return self.home / "data" / "handfast"

    def data_bytes(self):
        """All that is kept on disk, whatever the file."""
        return b"".join(path.read_bytes() for path in self.data.rglob("*") if path.is_file())

    def log_text(self):
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    def end_programs(self):
        """Ends what was started on somebody's own desktop and outlives its desk."""
        mark = f"--owner={self.runtime}".encode()
        for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
            with contextlib.suppress(OSError):
                if mark in path.read_bytes():
                    os.kill(int(path.parent.name), signal.SIGKILL)

    def remove(self):
        """Deletes its directories. A sanitizer's report is kept elsewhere first, whether the test asks for it or not."""
        self.end_programs()
        reports = self.sanitizer_reports()
        if reports:
            keep_finding("sanitizer", f"{reports}\n---- the desk's log ----\n{self.log_text()}")
        shutil.rmtree(self.home, ignore_errors=True)


# Where `make test` wants to know which tools were called with success, for test_zz_coverage.
TOOLS_CALLED = os.environ.get("HF_TOOLS_CALLED")


def write_down_called(desk):
    """One write for each desk: several processes test at once."""
    if TOOLS_CALLED:
        called = {row["tool"] for row in desk.audit() if row["kind"] == "result" and row["code"] == "OK"}
        with open(TOOLS_CALLED, "a") as file:
            file.write("".join(f"{tool}\n" for tool in sorted(called)))


def hands(desk):
    """The processes that must end with it. Asked on a connection of its own: the test's may be out of step."""
    if desk.process.poll() is not None:
        return []
    bridge = desk.connect()
    try:
        return [entry["hand_pid"] for entry in bridge.manage("desktop.list")["desktops"]]
    finally:
        bridge.close()


def stop_or_tell(desk):
    try:
        return desk.stop()
    except subprocess.TimeoutExpired:
        keep_finding("hang", f"the desk did not end when it was told to\n---- its log ----\n{desk.log_text()}")
        desk.remove()
        raise


def finish(desk):
    """Ends a desk, whatever became of it, and holds it to what every desk must keep: no sanitizer report, no complaint of GLib's,
    no orphan. What is found is kept before the desk's directories are deleted."""
    try:
        pids = hands(desk)
    finally:
        status = stop_or_tell(desk)
    write_down_called(desk)
    reports, log = desk.sanitizer_reports(), desk.log_text()
    complaints = "\n".join(line for line in log.splitlines() if "-CRITICAL **" in line or "-WARNING **" in line)
    if complaints:
        keep_finding("glib", f"{complaints}\n---- the desk's log ----\n{log}")
    orphans = wait_for_ends(pids, 5)
    if orphans:
        keep_finding("orphan", "\n".join(orphans) + f"\n---- the desk's log ----\n{log}")
    desk.remove()
    assert not reports, reports
    assert status == 0, log
    assert not complaints, complaints
    assert not orphans, orphans


def read_line(stream, seconds=10):
    """One line of a program's output, or an assertion after the time."""
    ready, _, _ = select.select([stream], [], [], seconds * SLOW)
    assert ready, "the program did not write anything in time"
    return stream.readline()
