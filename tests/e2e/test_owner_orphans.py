"""A program that an agent has started stays one: it becomes nobody else by killing its stage or its desk, by outliving
them, or by a container of its own."""
import json
import os
import signal
import subprocess
import sys

import pytest

from handfast import CONTAINER, FULL_AUTO, SLOW, Desk, eventually, process_alive

# In a container none of this can be tried: tests/attack. What is proved here is the second line of defence.
UNCONTAINED = {**FULL_AUTO, "container": {**CONTAINER, "enabled": False}}

# A daemon without environment, with a terminal of its own. Waits for a gate, sends the signals that it is told, and then asks to be
# the owner again and again. Each answer is a line.
ORPHAN = """#!/usr/bin/python3
import fcntl, json, os, pty, resource, signal, socket, sys, termios, time
here = os.path.dirname(os.path.abspath(sys.argv[0]))
path = open(here + "/socket").read()
if len(sys.argv) == 1:
    if os.fork():
        os._exit(0)
    os.setsid()
    if os.fork():
        os._exit(0)
    os.execve(sys.executable, [sys.executable, sys.argv[0], "again"], {})
master, slave = pty.openpty()
if os.getsid(0) != os.getpid():
    if os.fork():
        os._exit(0)
    os.setsid()
fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
os.dup2(slave, 0)
os.tcsetpgrp(0, os.getpgrp())
with open(here + "/pid.new", "w") as file:
    file.write(str(os.getpid()))
os.rename(here + "/pid.new", here + "/pid")
while not os.path.exists(here + "/gate"):
    time.sleep(.01)
for number, pid in json.load(open(here + "/gate")):
    os.kill(pid, number)
for what in range(16):
    try:
        resource.setrlimit(what, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    except (ValueError, OSError):
        pass
end = time.monotonic() + float(open(here + "/seconds").read())
while time.monotonic() < end:
    try:
        with socket.socket(socket.AF_UNIX) as bridge:
            bridge.settimeout(2)
            bridge.connect(path)
            bridge.sendall(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "config.set", "params": {
                "path": "security.client_level", "value": "L3"}}).encode() + b"\\n")
            reply = bridge.makefile().readline()
    except OSError as problem:
        reply = ""
    if reply:
        with open(here + "/replies", "a") as file:
            file.write(reply)
    time.sleep(.02)
with open(here + "/over", "w") as file:
    file.write("over")
"""


def write_orphan(folder, path, seconds):
    script = folder / "orphan.py"
    script.write_text(ORPHAN)
    script.chmod(0o755)
    (folder / "socket").write_text(str(path))
    (folder / "seconds").write_text(str(seconds))
    return script


class Orphan:
    """The program above, started by `app_launch` and waiting at its gate."""

    def __init__(self, desk, folder, seconds=3, desktop="main", asks=None):
        self.folder = folder
        script = write_orphan(folder, (asks or desk).socket_path, seconds * SLOW / 2)
        desk.call("app_launch", name=str(script), wait_ms=0, desktop=desktop)
        eventually((folder / "pid").exists, 20, "the daemon")
        self.pid = int((folder / "pid").read_text())

    def open_gate(self, *signals):
        (self.folder / "gate.new").write_text(json.dumps(signals))
        os.rename(self.folder / "gate.new", self.folder / "gate")

    def replies(self):
        path = self.folder / "replies"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def wait(self):
        eventually(lambda: (self.folder / "over").exists() or not process_alive(self.pid), 30, "the end of the daemon")

    def assert_refused(self):
        for reply in self.replies():
            assert "result" not in reply and reply["error"]["data"]["code"] == "UNAUTHENTICATED", reply


def stage_of(desk):
    children = subprocess.run(["ps", "--ppid", str(desk.process.pid), "-o", "pid=,args="], capture_output=True, text=True)
    return next(int(line.split()[0]) for line in children.stdout.splitlines() if " stage " in line)


@pytest.fixture
def desk():
    """One that may be killed: whatever is left of it is not held against it."""
    desk = Desk("--virtual", "--size", "640x480", verify=False, config=UNCONTAINED)
    yield desk
    if desk.process.poll() is None:
        desk.stop()
    desk.remove()


def restart(desk):
    desk.process.wait(timeout=20)
    desk.start()


def test_killing_its_stage_ends_it(desk, tmp_path):
    orphan = Orphan(desk, tmp_path)
    orphan.open_gate((signal.SIGKILL, stage_of(desk)))
    orphan.wait()
    orphan.assert_refused()
    assert not (tmp_path / "over").exists(), "the desk ends what a killed stage leaves behind"
    assert desk.main_bridge.manage("config.get", path="security.client_level")["value"] == "L4"


def test_killing_stage_and_desk(desk, tmp_path):
    orphan = Orphan(desk, tmp_path, seconds=6)
    orphan.open_gate((signal.SIGKILL, stage_of(desk)), (signal.SIGKILL, desk.process.pid))
    restart(desk)
    orphan.wait()
    orphan.assert_refused()


def test_killing_the_desk_and_then_the_stage(desk, tmp_path):
    orphan = Orphan(desk, tmp_path, seconds=6)
    stage = stage_of(desk)
    orphan.open_gate((signal.SIGSTOP, stage), (signal.SIGKILL, desk.process.pid), (signal.SIGKILL, stage))
    restart(desk)
    eventually(lambda: orphan.replies() or not process_alive(orphan.pid), 20, "an answer")
    orphan.wait()
    assert orphan.replies(), "it has outlived both, and asked the new desk"
    orphan.assert_refused()


def test_stopping_the_desk_first(desk, tmp_path):
    """The desk cannot adopt anything while it is stopped."""
    orphan = Orphan(desk, tmp_path, seconds=4)
    orphan.open_gate((signal.SIGSTOP, desk.process.pid), (signal.SIGKILL, stage_of(desk)), (signal.SIGCONT, desk.process.pid))
    orphan.wait()
    orphan.assert_refused()


def test_outliving_an_attached_desktop(desk, tmp_path):
    """Programs on the user's own display stay when the desktop is removed, and are still an agent's."""
    from session import Session
    session = Session()
    desk.new_desktop("mine", display=session.display)
    orphan = Orphan(desk, tmp_path, desktop="mine")
    desk.remove_desktop("mine")
    assert process_alive(orphan.pid)
    orphan.open_gate()
    orphan.wait()
    session.stop()
    assert orphan.replies() and (tmp_path / "over").exists()
    orphan.assert_refused()


def test_at_another_desk(desk, own_desk, tmp_path):
    """A desk that has never known its stage refuses it too."""
    other = own_desk("--virtual", "--size", "640x480", config=UNCONTAINED)
    orphan = Orphan(desk, tmp_path, asks=other)
    stage = stage_of(desk)
    orphan.open_gate((signal.SIGSTOP, stage), (signal.SIGKILL, desk.process.pid), (signal.SIGKILL, stage))
    orphan.wait()
    desk.process.wait(timeout=20)
    assert orphan.replies()
    orphan.assert_refused()


def ask_status(command, desk, tmp_path):
    """What the bridge answers to a program that is started with `command` before it."""
    script, out = tmp_path / "ask.py", tmp_path / "out"
    script.write_text("import json, socket, sys\n"
                      "s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1])\n"
                      "try: s.sendall(b'{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"status\"}\\n')\n"
                      "except OSError: pass\n"
                      "print(s.makefile().readline())\n")
    run = subprocess.run([*command, sys.executable, str(script), str(desk.socket_path)], capture_output=True, text=True, timeout=60)
    return run.stdout and json.loads(run.stdout), run.stderr


@pytest.mark.parametrize("flags, what", [
    (["--user", "--map-root-user", "--pid", "--fork", "--mount-proc"], "PID namespace"),
    (["--user", "--map-current-user"], "user namespace"),
    (["--user", "--map-root-user", "--pid", "--fork"], "PID namespace"),
])
def test_nobody_calls_from_a_container(shared_desk, tmp_path, flags, what):
    """Not even a program that no agent has started."""
    if subprocess.run(["unshare", *flags, "true"]).returncode:
        pytest.skip("no namespaces here")
    reply, problem = ask_status(["unshare", *flags], shared_desk, tmp_path)
    assert reply and reply["error"]["data"]["code"] == "UNAUTHENTICATED", (reply, problem)
    assert what in reply["error"]["message"]
    assert "token" in reply["error"]["data"]["suggestion"]


def test_other_programs_of_the_user_still_call(shared_desk, tmp_path):
    """Orphans of the first process, like the server of tmux, are no agents; nor is what has a session of its own."""
    for command in (["setsid", "-w"], ["env", "-i"], ["nohup"], ["setpriv", "--no-new-privs"]):
        reply, problem = ask_status(command, shared_desk, tmp_path)
        assert reply and reply["result"]["ok"], (command, reply, problem)


def test_an_orphan_of_the_users_is_the_owner(shared_desk, tmp_path):
    """As in tmux: a daemon at the first process opens a terminal, and a person works in it."""
    script = write_orphan(tmp_path, shared_desk.socket_path, 0.5)
    (tmp_path / "gate").write_text("[]")
    subprocess.run([script], env={}, timeout=20)
    eventually((tmp_path / "over").exists, 20, "the daemon")
    replies = [json.loads(line) for line in (tmp_path / "replies").read_text().splitlines()]
    assert replies and all(reply["result"]["ok"] for reply in replies), replies
    shared_desk.owner_cli("config", "set", "security.client_level", "L4")
