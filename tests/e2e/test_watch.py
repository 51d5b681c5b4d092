"""`handfast watch`: events in a terminal and in scripts, over restarts of the desk, until Ctrl+C."""
import fcntl
import json
import os
import pty
import select
import signal
import struct
import subprocess
import termios
import time

import pytest

from handfast import PROGRAM, SLOW, read_line


class Terminal:
    """A program in the foreground of a terminal of its own, as the owner starts it."""

    def __init__(self, desk, *arguments, columns=120, **environment):
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))

        def take_terminal():
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        self.process = subprocess.Popen([PROGRAM, *arguments], env={**desk.environment, **environment}, stdin=slave,
                                        stdout=slave, stderr=slave, preexec_fn=take_terminal, close_fds=True)
        os.close(slave)
        self.shown = ""

    def until(self, text, seconds=30):
        end = time.monotonic() + seconds * SLOW
        while text not in self.shown:
            ready, _, _ = select.select([self.master], [], [], max(0, end - time.monotonic()))
            assert ready, f"{text!r} was not shown, but {self.shown!r}"
            self.shown += os.read(self.master, 65536).decode().replace("\r\n", "\n")
        return self.shown

    def interrupt(self):
        os.write(self.master, b"\x03")
        status = self.process.wait(timeout=30)
        os.close(self.master)
        return status

    def line(self, text):
        self.until(text)
        shown = self.until("\n")
        return next(line for line in shown.split("\n") if text in line)


@pytest.fixture
def watching(desk):
    """Starts `watch` and waits until it is subscribed: what it shows of a first call."""
    terminals = []

    def start(*arguments, **options):
        terminal = Terminal(desk, "watch", *arguments, **options)
        terminals.append(terminal)
        end = time.monotonic() + 30 * SLOW
        while "cursor_position" not in terminal.shown:
            assert time.monotonic() < end, terminal.shown
            desk.call("cursor_position")
            if select.select([terminal.master], [], [], 0.2)[0]:
                terminal.shown += os.read(terminal.master, 65536).decode().replace("\r\n", "\n")
        return terminal

    yield start
    for terminal in terminals:
        if terminal.process.poll() is None:
            assert terminal.interrupt() == 0
        terminal.process.wait(timeout=30)


def test_owner_sees_all_in_colour(desk, watching):
    terminal = watching()
    desk.fails("INVALID_PARAMS", "wait", duration="x")
    line = terminal.line("INVALID_PARAMS")
    assert line.startswith("\x1b[31m") and "✗ wait" in line and "python" in line
    desk.call("wait", duration=0)
    line = terminal.line("✓ wait")
    assert line.startswith("\x1b[32m") and " main " in line and " ms " in line and "ok" in line
    assert desk.cli("system_info").returncode == 0  # another program
    terminal.until("✓ system_info")
    assert terminal.interrupt() == 0
    assert "Traceback" not in terminal.shown and "rror" not in terminal.shown


def test_narrow_terminal_keeps_what_matters(desk, watching):
    terminal = watching(columns=40, NO_COLOR="1")
    desk.fails("INVALID_PARAMS", "wait", duration="x")
    line = terminal.line("✗ wait")
    assert "INVALID_PARAMS" in line and "\x1b" not in line and len(line) <= 40
    assert all(len(line) <= 40 for line in terminal.shown.split("\n"))


def test_chinese(desk, watching):
    terminal = watching("--type", "call", LANGUAGE="zh_CN")
    desk.call("wait", duration=0)
    assert "成功" in terminal.line("✓ wait")


def test_names_give_no_orders_to_the_terminal(desk, watching):
    terminal = watching("--type", "abort", "--type", "call", columns=200)
    desk.main_bridge.manage("abort", run_id="r_evil", reason="\x1b]0;owned\x07\u009b31mred\nlines")
    line = terminal.line("owned")
    assert "\x07" not in line and "\u009b" not in line and "lines" in line
    assert line.count("\x1b") == 2  # our own colour


def lines_of(desk, *arguments, **options):
    return subprocess.Popen([PROGRAM, "watch", *arguments], env=desk.environment, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0, **options)


def end(process, signal_number=signal.SIGINT):
    process.send_signal(signal_number)
    rest, errors = process.communicate(timeout=30)
    assert process.returncode == 0 and errors == b"", errors
    return rest


def last_id(desk):
    """The id of the latest event."""
    listener = desk.connect()
    since = listener.manage("events.subscribe")["since"]
    listener.close()
    return since


def test_json_lines_for_scripts(desk):
    desk.main_bridge.manage("abort", run_id="r_before")
    since = last_id(desk)
    desk.main_bridge.manage("abort", run_id="r_one")
    watch = lines_of(desk, "--json", "--since", str(since), "--type", "abort")
    event = json.loads(read_line(watch.stdout))
    assert (event["id"], event["type"], event["data"]["run_id"]) == (since + 1, "abort", "r_one")
    desk.call("cursor_position")
    desk.main_bridge.manage("abort", run_id="r_two")
    assert json.loads(read_line(watch.stdout))["data"]["run_id"] == "r_two"
    assert end(watch, signal.SIGTERM) == b""


def test_plain_lines_off_a_terminal(desk):
    since = last_id(desk)
    desk.main_bridge.manage("abort", run_id="r_plain")
    watch = lines_of(desk, "--since", str(since))
    columns = read_line(watch.stdout).decode().rstrip("\n").split("\t")
    assert columns[1] == "abort" and columns[0].startswith("20") and len(columns) == 7
    end(watch)


def test_ends_with_its_reader(desk):
    watch = lines_of(desk)
    watch.stdout.close()
    watch.wait(timeout=30)
    watch.stderr.close()


@pytest.mark.parametrize("arguments", [("--type", "calls"), ("--since", "-3"), ("--since", "x"), ("more",)])
def test_bad_words(desk, arguments):
    result = desk.cli("watch", *arguments)
    assert result.returncode == (1 if "calls" in arguments else 2)
    assert b"call.started" in result.stderr if "calls" in arguments else result.stderr


def test_over_a_restart(own_desk):
    desk = own_desk()
    assert desk.cli("watch", environment={"XDG_RUNTIME_DIR": "/nonexistent"}).returncode == 3
    since = last_id(desk)
    desk.main_bridge.manage("abort", run_id="r_1")
    watch = lines_of(desk, "--json", "--since", str(since))
    assert json.loads(read_line(watch.stdout))["data"]["run_id"] == "r_1"
    desk.stop()
    desk.start()
    missed = json.loads(read_line(watch.stdout, 30))
    assert (missed["type"], missed["data"]["since"]) == ("events.missed", since + 1)
    assert json.loads(read_line(watch.stdout))["type"] == "hand.started"
    assert json.loads(read_line(watch.stdout))["type"] == "desktop.added"
    end(watch)
