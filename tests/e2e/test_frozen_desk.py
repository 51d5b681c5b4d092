"""A desk that gives no sign of life: every command says so within a few seconds, instead of waiting for ever."""
import concurrent.futures
import contextlib
import json
import select
import signal
import socket
import subprocess
import time

import pytest

from handfast import PROGRAM, SLOW, Desk, finish


@pytest.fixture(scope="module")
def frozen():
    desk = Desk("--virtual", "--size", "640x480", verify=False)
    yield desk
    finish(desk)


@contextlib.contextmanager
def no_life(desk):
    desk.process.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        desk.process.send_signal(signal.SIGCONT)


def run_for_a_while(desk, *arguments):
    began = time.monotonic()
    run = subprocess.run([PROGRAM, *arguments], env=desk.environment, capture_output=True, stdin=subprocess.DEVNULL, timeout=25)
    return run, time.monotonic() - began


GIVE_UP = {
    "status": "DESKTOP_TIMEOUT", "desktop list": "DESKTOP_TIMEOUT", "pause": "DESKTOP_TIMEOUT", "approvals": "DESKTOP_TIMEOUT",
    "ledger list": "DESKTOP_TIMEOUT", "config get": "DESKTOP_TIMEOUT", "watch": "DESKTOP_TIMEOUT", "cursor_position": "OUTCOME_UNKNOWN",
}


def test_every_command_gives_up(frozen):
    """All at once, because each takes some seconds."""
    with no_life(frozen), concurrent.futures.ThreadPoolExecutor(len(GIVE_UP)) as pool:
        runs = list(pool.map(lambda words: run_for_a_while(frozen, *words.split()), GIVE_UP))
    for code, (run, seconds) in zip(GIVE_UP.values(), runs):
        said = (run.stdout + run.stderr).decode()
        assert run.returncode == 1 and code in said and "does not answer" in said, run
        assert f"process {frozen.process.pid}" in said and "handfast stop" in said and "handfast doctor" in said
        assert seconds < 7 + SLOW, run


def test_an_agent_gets_an_answer(frozen):
    """`handfast mcp` answers for a desk that does not."""
    opening = {"jsonrpc": "2.0", "id": 1, "method": "initialize",
               "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}}
    process = subprocess.Popen([PROGRAM, "mcp"], env=frozen.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE)
    with no_life(frozen):
        process.stdin.write(json.dumps(opening).encode() + b"\n")
        process.stdin.flush()
        ready, _, _ = select.select([process.stdout, process.stderr], [], [], 20)
        process.stdin.close()
        said = process.stdout.read().decode() + process.stderr.read().decode()
        process.wait(20)
    assert ready and "does not answer" in said, said


def test_a_program_can_read_it(frozen):
    with no_life(frozen):
        run, _ = run_for_a_while(frozen, "status", "--json")
    error = json.loads(run.stdout or run.stderr)
    error = error.get("error", error)
    assert error["code"] == "DESKTOP_TIMEOUT" and error["suggestion"]


def test_the_doctor_says_so(frozen):
    with no_life(frozen):
        run = subprocess.run([PROGRAM, "doctor", "--json"], env=frozen.environment, capture_output=True, timeout=110)
    checks = {check["check"]: check for check in json.loads(run.stdout)["checks"]}
    assert checks["desk"]["health"] == "fail" and "does not answer" in checks["desk"]["message"], checks


def test_a_long_call_is_waited_for(frozen):
    run, seconds = run_for_a_while(frozen, "wait", "9")
    assert run.returncode == 0 and seconds >= 9, run


def test_a_desk_that_freezes_in_a_call(frozen):
    process = subprocess.Popen([PROGRAM, "wait", "60"], env=frozen.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    time.sleep(3)
    with no_life(frozen):
        said = process.communicate(timeout=20)[0].decode()
    assert process.returncode == 1 and "OUTCOME_UNKNOWN" in said, said


def test_a_full_queue_of_connections(frozen):
    """The kernel accepts connections for a frozen desk until its queue is full; then connecting itself would wait."""
    crowd = []
    with no_life(frozen):
        with contextlib.suppress(OSError):
            for _ in range(100):
                bridge = frozen_connection(frozen)
                crowd.append(bridge)
        run, seconds = run_for_a_while(frozen, "status")
    for bridge in crowd:
        bridge.close()
    assert run.returncode == 1 and b"DESKTOP_TIMEOUT" in run.stderr and seconds < 7 + SLOW, run


def frozen_connection(desk):
    connection = socket.socket(socket.AF_UNIX)
    connection.setblocking(False)
    connection.connect(str(desk.socket_path))
    return connection
