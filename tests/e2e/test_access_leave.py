"""A program made with ATK asks the registry about each key, hears that the last listener has left while it waits for the answer,
and crashes. So Handfast leaves no program while a key may be on its way to it."""
import contextlib
import os
import signal
import subprocess
import threading
import time

import pytest

from handfast import APPS, FULL_AUTO, SLOW, eventually
from human import Human
from witness import Witness


@pytest.fixture
def looked_at(own_desk):
    """A program of GTK 3 whose elements were looked at until it is listened to, on a desk where nobody has typed."""
    desk = own_desk(config=FULL_AUTO)
    program = Witness(desk, "/usr/bin/python3", APPS / "widgets_gtk3.py")
    window = desk.window("GTK 3 widgets", 20)["window_id"]
    eventually(lambda: desk.call("find", selector='field "User name"', window_id=window)["total"], 20, "its elements")
    desk.call("ui_focus", target='field "User name"', window_id=window)
    time.sleep(3.2)  # for so long nobody is listened to after keys
    for _ in range(4):
        desk.call("observe", window_id=window, image=False)
    program.desk = desk
    yield program
    program.stop()


def pids_of_registry(desk):
    """Those of the desk's own accessibility bus."""
    address = desk.desktop_environment()["DBUS_SESSION_BUS_ADDRESS"].encode()
    found = subprocess.run(["pgrep", "-f", "at-spi2-registryd"], capture_output=True, text=True).stdout.split()
    return [int(pid) for pid in found if address in open(f"/proc/{pid}/environ", "rb").read()]


@contextlib.contextmanager
def standing_still(pids):
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
        time.sleep(0.5)
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGCONT)


def saw_x(program):
    assert program.all(lambda line: line["event"] == "name" and line["text"].endswith("x"))
    assert program.process.poll() is None, program.health()


def test_a_person_who_begins_to_type_into_it(looked_at):
    registry = pids_of_registry(looked_at.desk)
    assert registry
    person = Human(looked_at.desk.desktop_environment())
    with standing_still(registry):
        person.chord(ord("x"))
    saw_x(looked_at)
    person.close()


def test_our_own_keys_while_it_has_something_else_to_do(looked_at):
    typing = threading.Thread(target=lambda: looked_at.desk.answer("type_text", text="x", method="keys"))
    with standing_still([looked_at.process.pid]):
        typing.start()
    typing.join(20 * SLOW)
    saw_x(looked_at)
