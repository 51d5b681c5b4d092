"""The owner is a person: nothing that a hand started gets in by the bridge, whatever detour it takes; and what only
the owner may do needs a terminal, its foreground, and hands that are not an agent's."""
import json
import os
import pathlib
import signal
import subprocess
import sys

import pytest

from handfast import CONTAINER, FULL_AUTO, PROGRAM, Desk, eventually, finish
from human import Human
from session import Session

TRY = """import json, os, socket, sys
# Says into a file what the bridge answers to this process.
out, path = sys.argv[1], sys.argv[2]
try:
    s = socket.socket(socket.AF_UNIX)
    s.connect(path)
    s.sendall(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "status"}).encode() + b"\\n")
except OSError:
    pass
try:
    reply = s.makefile().readline() or "nothing" if os.path.exists(path) else "no socket"
except OSError as problem:
    reply = repr(problem)
with open(out + ".new", "w") as file:
    file.write(reply)
os.rename(out + ".new", out)
"""
# How a program that a hand started may try to look like somebody else. {} is the command that tries to get in.
WAYS = {
    "plainly": "#!/bin/sh\n{}\n",
    "in the background": "#!/bin/sh\n{} &\nexit 0\n",
    "with setsid and nohup": "#!/bin/sh\nsh -c 'setsid nohup {} >/dev/null 2>&1 &'\nexit 0\n",
    "without environment": "#!/bin/sh\nenv -i {} &\nexit 0\n",
    "setsid, without environment": "#!/bin/sh\nsetsid env -i setsid env -i {} &\nexit 0\n",
    "forked twice": "#!/usr/bin/python3\nimport os, time\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n"
                    "        time.sleep(.3)\n        os.execve('/bin/sh', ['sh', '-c', '''{}'''], {{}})\n",
    "with a terminal of its own": "#!/usr/bin/python3\nimport pty\npty.spawn(['/usr/bin/env', '-i', 'sh', '-c', '''{}'''])\n",
    "in an xterm": "#!/bin/sh\nexec xterm -e sh -c '{}'\n",
}


def trial(desk, tmp_path, way):
    """The program that tries, and the file that says what came of it."""
    helper = tmp_path / "try.py"
    helper.write_text(TRY)
    out = tmp_path / "out"
    script = tmp_path / "program"
    script.write_text(WAYS[way].format(f"{sys.executable} {helper} {out} {desk.socket_path}"))
    script.chmod(0o755)
    return script, out


def assert_refused(out):
    eventually(out.exists, 20, "the answer")
    reply = json.loads(out.read_text())
    assert "result" not in reply and reply["error"]["data"]["code"] == "UNAUTHENTICATED", reply


@pytest.fixture(scope="module")
def attached():
    """A desk on the user's own display."""
    session = Session()
    desk = Desk("--display", session.display, environment={"DISPLAY": session.display,
                "DBUS_SESSION_BUS_ADDRESS": session.environment["DBUS_SESSION_BUS_ADDRESS"]},
                config={**FULL_AUTO, "takeover": {"enabled": False}})
    yield desk
    finish(desk)
    session.stop()


@pytest.fixture(scope="module")
def uncontained():
    """A desk whose programs find its socket."""
    desk = Desk("--virtual", "--size", "1280x800", verify=False, config={**FULL_AUTO, "container": {**CONTAINER, "enabled": False}})
    yield desk
    finish(desk)


@pytest.mark.parametrize("way", WAYS)
def test_a_hands_program_does_not_get_in(uncontained, tmp_path, way):
    script, out = trial(uncontained, tmp_path, way)
    uncontained.call("app_launch", name=str(script), wait_ms=0)
    assert_refused(out)
    assert any(row.get("event") == "refused" for row in uncontained.audit())


@pytest.mark.parametrize("way", WAYS)
def test_in_a_container_it_finds_no_way_in(shared_desk, tmp_path, way):
    script, out = trial(shared_desk, tmp_path, way)
    shared_desk.call("app_launch", name=str(script), wait_ms=0)
    eventually(out.exists, 20, "the answer")
    assert out.read_text() == "no socket"


@pytest.mark.parametrize("way", WAYS)
def test_nor_does_it_on_an_attached_desktop(attached, tmp_path, way):
    script, out = trial(attached, tmp_path, way)
    attached.call("app_launch", name=str(script), wait_ms=0)
    assert_refused(out)


def test_nor_at_another_desk(uncontained, attached, tmp_path):
    script, out = trial(attached, tmp_path, "forked twice")
    uncontained.call("app_launch", name=str(script), wait_ms=0)
    assert_refused(out)


def test_nor_after_its_stage_has_ended(own_desk, tmp_path):
    session = Session()
    first = own_desk("--virtual", "--size", "640x480")
    first.new_desktop("mine", display=session.display)
    gate = tmp_path / "go"
    helper, out, script = tmp_path / "try.py", tmp_path / "out", tmp_path / "program"
    helper.write_text(TRY)
    script.write_text(f"#!/bin/sh\nwhile [ ! -e {gate} ]; do sleep .05; done\n"
                      f"{sys.executable} {helper} {out} {first.socket_path}\n")
    script.chmod(0o755)
    first.call("app_launch", name=str(script), wait_ms=0, desktop="mine")
    first.remove_desktop("mine")
    gate.touch()
    assert_refused(out)
    session.stop()


def test_a_test_is_an_ordinary_client(uncontained, tmp_path):
    """The same program, started by a test on the same desktop, is let in."""
    script, out = trial(uncontained, tmp_path, "plainly")
    program = uncontained.spawn(script)
    eventually(out.exists, 20, "the answer")
    program.wait()
    assert json.loads(out.read_text())["result"]["ok"]


def test_the_command_says_why(shared_desk, tmp_path):
    out, script = tmp_path / "out", tmp_path / "program"
    script.write_text(f"#!/bin/sh\n{PROGRAM} status >{out}.new 2>&1\necho $? >>{out}.new\nmv {out}.new {out}\n")
    script.chmod(0o755)
    shared_desk.call("app_launch", name=str(script), wait_ms=0)
    eventually(out.exists, 20, "the answer")
    told = out.read_text()
    assert "UNAUTHENTICATED" in told or "no desk is running" in told, told


def test_a_caller_that_has_ended_is_refused(shared_desk):
    """A connection that outlives the process that made it is nobody's."""
    import socket
    ours, theirs = socket.socketpair()
    child = os.fork()
    if child == 0:
        os.kill(shared_desk.process.pid, signal.SIGSTOP)
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(str(shared_desk.socket_path))
        socket.send_fds(theirs, [b"x"], [connection.fileno()])
        os._exit(0)
    _, fds, _, _ = socket.recv_fds(ours, 1, 1)
    os.waitpid(child, 0)
    os.kill(shared_desk.process.pid, signal.SIGCONT)
    connection = socket.socket(fileno=fds[0])
    assert json.loads(connection.makefile().readline())["error"]["data"]["code"] == "UNAUTHENTICATED"


OWNERS = [("approvals.memory", {}), ("audit.rotate_key", {}), ("approvals.approve", {"id": "a_x"}), ("config.set", {"path": "approval.timeout_s", "value": 200})]


@pytest.mark.parametrize("method, params", OWNERS)
def test_a_client_is_no_owner(shared_desk, method, params):
    answer = shared_desk.main_bridge.request(method, params)["result"]
    assert answer["error"]["code"] == "FORBIDDEN", answer


def owner_shell(desk, command):
    """Runs a shell command in the foreground of a terminal of its own; what it shows."""
    import pty
    import select
    pid, master = pty.fork()
    if pid == 0:
        os.execve("/bin/bash", ["bash", "--norc", "-ic", command], {**desk.environment, "PS1": "", "HISTFILE": ""})
    shown = b""
    while select.select([master], [], [], 30)[0]:
        try:
            data = os.read(master, 65536)
        except OSError:
            break
        if not data:
            break
        shown += data
    os.waitpid(pid, 0)
    os.close(master)
    return shown.decode(errors="replace")


@pytest.mark.parametrize("command, owner", [
    ("{} approvals memory", True),
    ("{} approvals memory | cat", True),
    ("{} approvals memory </dev/null", False),
    ("echo y | {} approvals memory", False),
    ("{} approvals memory & sleep .1; wait", False),
    ("setsid -w {} approvals memory", False),
])
def test_the_owner_sits_at_a_terminal(shared_desk, command, owner):
    shown = owner_shell(shared_desk, command.format(PROGRAM))
    assert ("FORBIDDEN" not in shown) == owner, shown


def test_not_while_an_agent_types(attached):
    human = Human(attached.environment)
    attached.call("mouse_move", x=50, y=50, smooth=False)
    run = attached.owner_cli("config", "set", "approval.timeout_s", "200")
    assert run.returncode == 1 and "FORBIDDEN" in run.shown and "agent" in run.shown, run.shown
    assert attached.owner_cli("approvals").returncode == 0, "looking loosens nothing"
    # A mouse that was pushed says nothing about who typed the command; a press does, however soon it follows.
    human.move(30, 30)
    eventually(lambda: attached.call("cursor_position")["x"] != 50, what="the motion")
    assert attached.owner_cli("config", "set", "approval.timeout_s", "200").returncode == 1
    human.click()
    eventually(lambda: attached.owner_cli("config", "set", "approval.timeout_s", "200").returncode == 0, 5,
               "the owner's right after real input")
    attached.call("mouse_move", x=60, y=60, smooth=False)
    assert attached.owner_cli("config", "set", "approval.timeout_s", "200").returncode == 1


def test_a_look_is_no_input(attached):
    human = Human(attached.environment)
    human.click()
    eventually(lambda: attached.owner_cli("config", "set", "approval.timeout_s", "200").returncode == 0)
    attached.call("screenshot")
    attached.call("left_click", x=5, y=5, dry_run=True)
    assert attached.owner_cli("config", "set", "approval.timeout_s", "200").returncode == 0
