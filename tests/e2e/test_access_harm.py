"""Looking at elements changes nothing of the session: no setting of accessibility is written, and nothing that was asked of
programs or of the registry outlives the hand, also when it is killed."""
import json
import os
import re
import signal
import subprocess

import pytest

from handfast import APPS, eventually, hands, read_line
from session import Session
from test_harm import attach

STATUS = ("org.a11y.Bus", "/org/a11y/bus", "org.freedesktop.DBus.Properties")


def ask(environment, name, path, method, *arguments, address=None):
    where = ["--address", address] if address else ["--session"]
    told = subprocess.run(["gdbus", "call", *where, "-d", name, "-o", path, "-m", method, *arguments], env=environment,
                          capture_output=True, timeout=20, text=True)
    assert told.returncode == 0, told.stderr
    return told.stdout.strip()


def settings(session):
    """What the session says of accessibility: to programs, and for the next time."""
    kept = session.run("gsettings", "get", "org.gnome.desktop.interface", "toolkit-accessibility")
    return ask(session.environment, *STATUS[:2], f"{STATUS[2]}.GetAll", "org.a11y.Status"), kept


@pytest.mark.parametrize("enabled", ["false", "true"])
def test_settings_of_accessibility_are_the_owners(own_desk, enabled):
    session = Session()
    try:
        ask(session.environment, *STATUS[:2], f"{STATUS[2]}.Set", "org.a11y.Status", "IsEnabled", f"<{enabled}>")
        before = settings(session)
        assert f"'IsEnabled': <{enabled}>" in before[0]
        desk = attach(own_desk, session)
        session.start("/usr/bin/python3", APPS / "elements_gtk.py", "3")
        window = desk.window("elements 3")["window_id"]
        eventually(lambda: desk.call("find", selector='button "Press"', window_id=window)["total"], 20, "its elements")
        desk.call("ui_act", target='button "Press"', action="press", window_id=window)
        for _ in range(4):
            desk.call("observe", window_id=window, image=False)
        assert settings(session) == before
        os.kill(hands(desk)[0], signal.SIGKILL)
        eventually(lambda: desk.answer("observe", window_id=window, image=False)["ok"], 20, "a new hand")
        assert settings(session) == before
        desk.stop()
        assert settings(session) == before
    finally:
        session.stop()


class Eavesdropper:
    """Counts the events that programs send on the accessibility bus of a desktop, whoever asked for them."""

    def __init__(self, environment, path):
        address = re.search(r"'(.*)'", ask(environment, "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus.GetAddress"))[1]
        self.path = path
        self.process = subprocess.Popen(["stdbuf", "-oL", "dbus-monitor", "--address", address,
                                         "type='signal',interface='org.a11y.atspi.Event.Object',member='StateChanged'"],
                                        env=environment, stdout=path.open("w"), stderr=subprocess.DEVNULL)
        eventually(lambda: "NameAcquired" in path.read_text(), 10, "a monitor")

    def count(self):
        return self.path.read_text().count("member=StateChanged")

    def end(self):
        self.process.kill()
        self.process.wait()


class Overheard:
    """A program with a check box, whose events are counted."""

    def __init__(self, desk, folder):
        self.desk = desk
        self.program = desk.spawn("/usr/bin/python3", APPS / "elements_gtk.py", "3", stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL)
        self.window = desk.window("elements 3")["window_id"]
        assert json.loads(read_line(self.program.stdout))
        self.ear = Eavesdropper(desk.desktop_environment(), folder / "events")
        self.check = None

    def find_check(self):
        """By one look, unless the program is slow; that makes it go through its elements."""
        def look():
            elements = self.desk.call("ui_describe", window_id=self.window)["elements"]
            return next((each["bounds"] for each in elements if each.get("name") == "Check"), None)
        bounds = eventually(look, 20, "the check box")
        self.check = {"x": bounds["x"] + bounds["width"] // 2, "y": bounds["y"] + bounds["height"] // 2}

    def press(self, times=1):
        """How many events that made. Without a look, which would ask for more."""
        before = self.ear.count()
        for _ in range(times):
            self.desk.call("left_click", **self.check, verify=False)
            assert json.loads(read_line(self.program.stdout))["name"] == "Check"
        self.desk.call("cursor_position")
        return self.ear.count() - before

    def look_and_press(self, times=1):
        for _ in range(4):
            self.desk.call("observe", window_id=self.window, image=False)
        return self.press(times)

    def end(self):
        self.ear.end()
        self.program.kill()
        self.program.wait()
        self.program.stdout.close()


@pytest.fixture
def overheard(own_desk, tmp_path):
    overheard = Overheard(own_desk(), tmp_path)
    yield overheard
    overheard.end()


def test_what_was_asked_of_a_program_ends_with_the_hand(overheard):
    """A program tells its changes while it is looked at again and again, and no longer than that hand lives."""
    desk = overheard.desk
    overheard.find_check()
    for _ in range(2):
        eventually(overheard.look_and_press, 20, "a program that tells its changes")
        dead = hands(desk)[0]
        os.kill(dead, signal.SIGKILL)
        eventually(lambda: desk.answer("cursor_position")["ok"] and hands(desk)[0] != dead, 30, "a new hand")
        eventually(lambda: overheard.press() == 0, 10, "a program that tells nothing any more")
        assert overheard.press() == 0


@pytest.mark.parametrize("tool, keys", [("key_press", {"keys": ["F8"]}), ("hold_key", {"keys": ["F8"], "duration": 0.05})])
def test_keys_are_not_made_slower_by_listening(overheard, tool, keys):
    """Programs ask whoever listens to them about each key: nobody does while keys are pressed. Several presses: what is told of
    one may be written down while the next is under way."""
    overheard.find_check()
    eventually(lambda: overheard.look_and_press(6), 20, "a program that tells its changes")
    overheard.desk.call(tool, **keys, verify=False)
    eventually(lambda: overheard.press(6) == 0, 0.4, "a program that tells nothing any more")


def test_a_program_that_was_looked_at_once_tells_nothing(overheard):
    """Being connected to makes it go through its elements once, and leaves it as it was."""
    overheard.find_check()
    eventually(lambda: overheard.press() == 0, 10, "a program that tells nothing")
    assert [overheard.press() for _ in range(3)] == [0, 0, 0]
