"""What a desk of an ordinary user must withstand: root's capabilities hide it from all other tests. The programs of that user
cannot trace desk, stage and hand, and the owner's command line is recognised nevertheless."""
import json
import os
import pathlib
import pty
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import pytest

from handfast import CHECK_WAS_KILLED, PROGRAM, SLOW, eventually, process_alive
from test_owner_orphans import ORPHAN, UNCONTAINED

USER = 65534
pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become an ordinary user")


def become_user():
    os.setgroups([])
    os.setresgid(USER, USER, USER)
    os.setresuid(USER, USER, USER)
    # After a change of user a process cannot be traced until it executes another program.


class UserDesk:
    """A desk of an ordinary user. Root is nobody there, so everything goes through programs of that user."""

    def __init__(self):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="hf-user-"))
        for name in ("run", "config/handfast", "out"):
            (self.home / name).mkdir(parents=True, mode=0o700)
        # The build directory may be closed to others.
        self.program = self.home / "handfast"
        shutil.copy(PROGRAM, self.program)
        self.program.chmod(0o755)
        (self.home / "config/handfast/config.json").write_text(json.dumps(UNCONTAINED))
        (self.home / "config/handfast/config.json").chmod(0o600)
        subprocess.run(["chown", "-R", f"{USER}:{USER}", str(self.home)], check=True)
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(self.home), "XDG_RUNTIME_DIR": str(self.home / "run"),
                            "XDG_DATA_HOME": str(self.home / "data"), "XDG_CONFIG_HOME": str(self.home / "config"),
                            "LANG": "C.UTF-8", "HANDFAST_TEST": "1", "HANDFAST_HTTP_PORT": "0",
                            "HANDFAST_POLICY": str(self.home / "policy.json"),
                            "ASAN_OPTIONS": f"log_path={self.home}/sanitizer"}
        self.log = open(self.home / "serve.log", "ab")
        self.start()

    def start(self):
        self.process = subprocess.Popen([self.program, "serve", "--virtual", "--size", "640x480"], env=self.environment,
                                        cwd=self.home, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log,
                                        preexec_fn=become_user)
        eventually(lambda: self.run(self.program, "status").returncode == 0, 30, "the desk")

    def run(self, *command, **options):
        return subprocess.run(list(map(str, command)), env=self.environment, cwd=self.home, preexec_fn=become_user,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, **options)

    def owner(self, *arguments, answer=None, meanwhile=None):
        """The command line in a terminal. `answer` is given when it asks, after `meanwhile` was called with its process id."""
        pid, master = pty.fork()
        if pid == 0:
            become_user()
            os.chdir(self.home)
            os.execve(self.program, ["handfast", *arguments], {**self.environment, "NO_COLOR": "1"})
        shown, end = b"", time.monotonic() + 30 * SLOW
        while time.monotonic() < end:
            if not select.select([master], [], [], 0.1)[0]:
                continue
            try:
                data = os.read(master, 65536)
            except OSError:
                break
            shown += data
            if answer and b"[y/N]" in shown:
                if meanwhile:
                    meanwhile(pid)
                os.write(master, answer.encode())
                answer = None
        os.close(master)
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), shown.decode()

    def family(self):
        """The processes of this desk by their kind: other desks of that user may run beside it."""
        listed = subprocess.run(["ps", "-e", "-o", "pid=,ppid=,args="], capture_output=True, text=True).stdout
        rows = [(int(line.split()[0]), int(line.split()[1]), line.split(None, 2)[2]) for line in listed.splitlines() if len(line.split()) > 2]
        found, ours = {"serve": self.process.pid}, {self.process.pid}
        for _ in range(4):  # generations
            ours |= {pid for pid, parent, _ in rows if parent in ours}
        for pid, _, command in rows:
            for kind in ("stage", "hand"):
                if pid in ours and (f"handfast {kind}" in command or f"exe {kind}" in command or command.startswith(f"handfast-{kind}")):
                    found.setdefault(kind, pid)
        return found

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(timeout=30 * SLOW)
        reports = "".join(path.read_text() for path in self.home.glob("sanitizer*"))
        shutil.rmtree(self.home, ignore_errors=True)
        assert not CHECK_WAS_KILLED.sub("", reports), reports


@pytest.fixture(scope="module")
def user_desk():
    desk = UserDesk()
    yield desk
    desk.stop()


TRACE = """import ctypes, json, sys
libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
pid = int(sys.argv[1])
result = {}
for name in ("mem", "environ"):
    try:
        open(f"/proc/{pid}/{name}", "rb").read(1 if name == "environ" else 0)
        result[name] = True
    except OSError:
        result[name] = False
result["trace"] = libc.ptrace(16, pid, None, None) == 0
if result["trace"]:
    import os
    os.waitpid(pid, 0x40000000)
    libc.ptrace(17, pid, None, None)
print(json.dumps(result))
"""


def try_to_trace(desk, pid):
    return json.loads(desk.run(sys.executable, "-c", TRACE, pid).stdout)


def test_nobody_traces_desk_stage_and_hand(user_desk):
    sleeper = subprocess.Popen(["sleep", "60"], preexec_fn=become_user)
    may = try_to_trace(user_desk, sleeper.pid)
    sleeper.kill()
    sleeper.wait()
    if not may["trace"]:
        pytest.skip("the system lets nobody trace")
    family = user_desk.family()
    assert set(family) == {"serve", "stage", "hand"}, family
    for kind, pid in family.items():
        assert try_to_trace(user_desk, pid) == {"mem": False, "environ": False, "trace": False}, kind
        limits = pathlib.Path(f"/proc/{pid}/limits").read_text()
        assert next(line for line in limits.splitlines() if "core" in line).split()[4] == "0", kind


def test_the_owner_is_recognised_and_not_traced_while_asked(user_desk):
    config = user_desk.home / "config/handfast/config.json"
    config.write_text(json.dumps({**UNCONTAINED, "audit": {"enabled": False}}))
    traced = []
    status, shown = user_desk.owner("config", "accept", answer="y\n",
                                    meanwhile=lambda pid: traced.append(try_to_trace(user_desk, pid)))
    assert status == 0 and "audit.enabled" in shown, shown
    assert traced == [{"mem": False, "environ": False, "trace": False}]
    assert user_desk.owner("config", "set", "audit.enabled", "true")[0] == 0
    refused = user_desk.run(user_desk.program, "config", "set", "audit.enabled", "false")
    assert refused.returncode == 1 and "FORBIDDEN" in refused.stderr


def test_the_program_of_a_client_is_recognised(user_desk):
    assert user_desk.owner("config", "set", "clients.handfast.program", str(user_desk.program))[0] == 0
    run = user_desk.run(user_desk.program, "cursor_position")
    assert run.returncode == 0, run.stderr
    assert user_desk.owner("config", "set", "clients.handfast.program", "/usr/bin/true")[0] == 0
    run = user_desk.run(user_desk.program, "cursor_position")
    assert run.returncode == 1 and "not the pinned one" in run.stderr, run.stderr
    assert user_desk.owner("config", "set", "clients.handfast.program", "null")[0] == 0


def test_tools_work(user_desk):
    for arguments in (["screenshot", "-o", user_desk.home / "out/x.jpg"], ["bash_execute", "echo $((6 * 7))"],
                      ["app_launch", "xterm"]):
        run = user_desk.run(user_desk.program, *arguments)
        assert run.returncode == 0, (arguments, run.stdout, run.stderr)


@pytest.mark.parametrize("kill_desk", [False, True])
def test_an_orphan_is_refused(kill_desk):
    """As in test_owner_orphans.py, where root could have undone the mark."""
    desk = UserDesk()
    folder = desk.home / "out"
    script = folder / "orphan.py"
    script.write_text(ORPHAN)
    script.chmod(0o755)
    (folder / "socket").write_text(str(desk.home / "run/handfast/bridge.sock"))
    (folder / "seconds").write_text(str(6 * SLOW))
    assert desk.run(desk.program, "app_launch", script, "--wait-ms", "0").returncode == 0
    eventually((folder / "pid").exists, 20, "the daemon")
    orphan = int((folder / "pid").read_text())
    stage = desk.family()["stage"]
    signals = [(signal.SIGSTOP, stage), (signal.SIGKILL, desk.process.pid), (signal.SIGKILL, stage)]
    (folder / "gate.new").write_text(json.dumps(signals if kill_desk else [(signal.SIGKILL, stage)]))
    os.rename(folder / "gate.new", folder / "gate")
    if kill_desk:
        desk.process.wait(timeout=20)
        desk.start()
    eventually(lambda: (folder / "over").exists() or not process_alive(orphan), 30, "the end of the daemon")
    replies = (folder / "replies").read_text().splitlines() if (folder / "replies").exists() else []
    assert all("UNAUTHENTICATED" in reply for reply in replies), replies
    assert replies or not kill_desk
    desk.stop()
