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


def test_what_was_asked_of_a_program_ends_with_the_hand(own_desk, tmp_path):
    """A program tells its changes while it is looked at again and again, and no longer than that hand lives."""
    desk = own_desk()
    program = desk.spawn("/usr/bin/python3", APPS / "elements_gtk.py", "3", stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    window = desk.window("elements 3")["window_id"]
    read_line(program.stdout)
    ear = Eavesdropper(desk.desktop_environment(), tmp_path / "events")

    def press():
        """Without a look, which would ask again."""
        before = ear.count()
        desk.call("left_click", **check, verify=False)
        assert json.loads(read_line(program.stdout))["name"] == "Check"
        return ear.count() - before

    def looked_at_and_pressed():
        for _ in range(4):
            desk.call("observe", window_id=window, image=False)
        return press()
    try:
        found = eventually(lambda: desk.call("find", selector='check-box "Check"', window_id=window)["elements"], 20, "elements")
        bounds = found[0]["bounds"]
        check = {"x": bounds["x"] + bounds["width"] // 2, "y": bounds["y"] + bounds["height"] // 2}
        for _ in range(2):
            eventually(looked_at_and_pressed, 20, "a program that tells its changes")
            dead = hands(desk)[0]
            os.kill(dead, signal.SIGKILL)
            eventually(lambda: desk.answer("cursor_position")["ok"] and hands(desk)[0] != dead, 30, "a new hand")
            eventually(lambda: press() == 0, 10, "a program that tells nothing any more")
            assert press() == 0
    finally:
        ear.end()
        program.kill()
        program.wait()
        program.stdout.close()


@pytest.mark.parametrize("tool, keys", [("key_press", {"keys": ["F8"]}), ("hold_key", {"keys": ["F8"], "duration": 0.05})])
def test_keys_are_not_made_slower_by_listening(own_desk, tmp_path, tool, keys):
    """Programs ask whoever listens to them about each key: nobody does while keys are pressed."""
    desk = own_desk()
    program = desk.spawn("/usr/bin/python3", APPS / "elements_gtk.py", "3", stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    window = desk.window("elements 3")["window_id"]
    read_line(program.stdout)
    ear = Eavesdropper(desk.desktop_environment(), tmp_path / "events")

    def press():
        """Several times: what is told of one press may be written down while the next is under way."""
        before = ear.count()
        for _ in range(6):
            desk.call("left_click", **check, verify=False)
            assert json.loads(read_line(program.stdout))["name"] == "Check"
        return ear.count() - before

    def looked_at_and_pressed():
        for _ in range(4):
            desk.call("observe", window_id=window, image=False)
        return press()
    try:
        found = eventually(lambda: desk.call("find", selector='check-box "Check"', window_id=window)["elements"], 20, "elements")
        bounds = found[0]["bounds"]
        check = {"x": bounds["x"] + bounds["width"] // 2, "y": bounds["y"] + bounds["height"] // 2}
        eventually(looked_at_and_pressed, 20, "a program that tells its changes")
        desk.call(tool, **keys, verify=False)
        eventually(lambda: press() == 0, 0.4, "a program that tells nothing any more")
    finally:
        ear.end()
        program.kill()
        program.wait()
        program.stdout.close()


def test_a_program_that_was_looked_at_once_tells_nothing(own_desk, tmp_path):
    """Being connected to makes it go through its elements once, and leaves it as it was."""
    desk = own_desk()
    program = desk.spawn("/usr/bin/python3", APPS / "elements_gtk.py", "3", stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    window = desk.window("elements 3")["window_id"]
    told = json.loads(read_line(program.stdout))
    assert told
    ear = Eavesdropper(desk.desktop_environment(), tmp_path / "events")
    try:
        found = desk.call("ui_describe", window_id=window)["elements"]
        bounds = next(each["bounds"] for each in found if each.get("name") == "Check")
        check = {"x": bounds["x"] + bounds["width"] // 2, "y": bounds["y"] + bounds["height"] // 2}

        def press():
            before = ear.count()
            desk.call("left_click", **check, verify=False)
            assert json.loads(read_line(program.stdout))["name"] == "Check"
            desk.call("cursor_position")
            return ear.count() - before
        eventually(lambda: press() == 0, 10, "a program that tells nothing")
        assert [press() for _ in range(3)] == [0, 0, 0]
    finally:
        ear.end()
        program.kill()
        program.wait()
        program.stdout.close()
