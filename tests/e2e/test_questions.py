"""Questions as desktop notices on the owner's own display: a person's press counts, an agent's does not."""
import json
import subprocess

import pytest

from handfast import finish
from handfast import FULL_AUTO, Desk, eventually, read_line
from human import Human
from session import Session

# A notification server that shows a window with two buttons, and does what a server does when they are pressed.
SERVER = """
import sys, gi
gi.require_version("Gtk", "3.0")
from gi.repository import Gio, GLib, Gtk
NAME, PATH = "org.freedesktop.Notifications", "/org/freedesktop/Notifications"
XML = '''<node><interface name="org.freedesktop.Notifications">
<method name="GetCapabilities"><arg direction="out" type="as"/></method>
<method name="GetServerInformation"><arg direction="out" type="s"/><arg direction="out" type="s"/><arg direction="out" type="s"/><arg direction="out" type="s"/></method>
<method name="Notify"><arg direction="in" type="s"/><arg direction="in" type="u"/><arg direction="in" type="s"/><arg direction="in" type="s"/><arg direction="in" type="s"/><arg direction="in" type="as"/><arg direction="in" type="a{sv}"/><arg direction="in" type="i"/><arg direction="out" type="u"/></method>
<method name="CloseNotification"><arg direction="in" type="u"/></method>
<signal name="ActionInvoked"><arg type="u"/><arg type="s"/></signal>
</interface></node>'''
shown = {}
def say(*words):
    print(*words, flush=True)
def on_call(bus, sender, path, interface, method, params, call):
    if method == "GetCapabilities":
        call.return_value(GLib.Variant("(as)", (["actions", "body"],)))
    elif method == "GetServerInformation":
        call.return_value(GLib.Variant("(ssss)", ("test", "test", "1", "1.2")))
    elif method == "Notify":
        _, _, _, title, body, actions, _, _ = params.unpack()
        number = len(shown) + 1
        window = Gtk.Window(title="notice")
        window.set_default_size(400, 300)
        box = Gtk.Box(homogeneous=True)
        for key, label in zip(actions[::2], actions[1::2]):
            button = Gtk.Button(label=label)
            button.connect("clicked", lambda _, key=key: bus.emit_signal(None, PATH, NAME, "ActionInvoked", GLib.Variant("(us)", (number, key))))
            box.add(button)
        window.add(box)
        window.move(0, 0)
        window.show_all()
        shown[number] = window
        call.return_value(GLib.Variant("(u)", (number,)))
        say("shown", repr(title), repr(body), actions)
    elif method == "CloseNotification":
        shown[params.unpack()[0]].destroy()
        call.return_value(None)
        say("closed")
def on_bus(bus, name):
    bus.register_object(PATH, Gio.DBusNodeInfo.new_for_xml(XML).interfaces[0], on_call, None, None)
Gio.bus_own_name(Gio.BusType.SESSION, NAME, 0, on_bus, lambda *_: say("ready"), None)
Gtk.main()
"""


@pytest.fixture
def world():
    """A session with a notification server, a desk attached to it, and the person in front of it."""
    session = Session()
    server = session.start("/usr/bin/python3", "-c", SERVER, stdout=subprocess.PIPE)
    assert read_line(server.stdout).strip() == b"ready"
    address = session.environment["DBUS_SESSION_BUS_ADDRESS"]
    desk = Desk("--display", session.display, environment={"DISPLAY": session.display, "DBUS_SESSION_BUS_ADDRESS": address},
                config={**FULL_AUTO, "takeover": {"enabled": False}, "projects": {
                    "default_approval_template": "full-auto",
                    "items": {"p": {"approval": {"tool_overrides": {"wait": "require_approval", "system_info": "notify_only"}}}}}})
    human = Human(session.environment)
    yield session, server, desk, human
    human.close()
    finish(desk)
    session.stop()


def ask(desk, server):
    bridge = desk.connect()
    bridge.send("call", {"tool": "wait", "params": {"project": "p", "duration": 0}})
    question = bridge.receive()["params"]["approval"]
    told = read_line(server.stdout).decode()
    assert told.startswith("shown") and "wait" in told and "Approve" in told, told
    desk.window("notice")
    return bridge, question


def place(desk, answer):
    """The middle of a button of the notice that is in front."""
    bounds = desk.window("notice")["bounds"]
    return bounds["x"] + bounds["width"] * (1 if answer == "approve" else 3) // 4, bounds["y"] + bounds["height"] // 2


@pytest.mark.parametrize("answer", ["approve", "deny"])
def test_a_person_answers_with_a_button(world, answer):
    session, server, desk, human = world
    bridge, question = ask(desk, server)
    x, y = place(desk, answer)
    pointer = session.x.screen().root.query_pointer()
    human.move(x - pointer.root_x, y - pointer.root_y)
    human.click()
    result = bridge.receive(20)["result"]
    assert result["ok"] == (answer == "approve"), result
    assert read_line(server.stdout).strip() == b"closed"
    row = next(row for row in desk.audit() if row.get("event") == f"approval.{'approved' if answer == 'approve' else 'denied'}")
    assert row["data"]["by"] == "notification on desktop main"


def test_an_agent_cannot_press_the_button(world):
    session, server, desk, human = world
    bridge, question = ask(desk, server)
    x, y = place(desk, "approve")
    human.move(1, 1)
    # The person's mouse moves before and right after our press: a motion is no press.
    desk.call("left_click", x=x, y=y)
    human.move(40, 40)
    human.move(-40, -40)
    eventually(lambda: [row for row in desk.audit() if row.get("event") == "approval.not-a-person"], 10,
               "the refusal of the press")
    assert [row["id"] for row in json.loads(desk.owner_cli("approvals", "--json").shown)] == [question["id"]]
    assert desk.owner_cli("approvals", "show", question["id"]).shown.count("pending") == 1
    desk.call("key_press", keys=["Return"])
    assert json.loads(desk.owner_cli("approvals", "--json").shown)
    bridge.close()
    assert read_line(server.stdout).strip() == b"closed"


def test_only_the_server_itself_is_believed(world):
    """Another program on the bus that says that the button was pressed says nothing."""
    session, server, desk, human = world
    bridge, question = ask(desk, server)
    human.move(3, 3)
    human.click(3)
    subprocess.run(["gdbus", "emit", "--session", "-o", "/org/freedesktop/Notifications", "-s",
                    "org.freedesktop.Notifications.ActionInvoked", "uint32 1", "'approve'"],
                   env=session.environment, check=True)
    assert desk.owner_cli("deny", question["id"]).returncode == 0, "it must still be open"
    assert bridge.receive(20)["result"]["error"]["code"] == "APPROVAL_DENIED"


def test_told_of_what_goes_on(world):
    session, server, desk, human = world
    desk.call("system_info", project="p")
    told = read_line(server.stdout).decode()
    assert told.startswith("shown") and "system_info" in told, told


def test_told_of_a_stop(world):
    """The person reads who stopped everything and why, and how to go on."""
    session, server, desk, human = world
    assert desk.cli("stop", "--reason", "smoke").returncode == 0
    told = read_line(server.stdout).decode()
    assert told.startswith("shown") and "was stopped" in told and "smoke" in told and "handfast resume" in told, told
    human.click()
    eventually(lambda: desk.owner_cli("resume").returncode == 0, what="the owner's resume")
