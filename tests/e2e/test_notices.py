"""notification_send with buttons, waiting, replacing and closing: what the server itself was given and said."""
import json
import subprocess
import time

import pytest

from handfast import eventually, read_line

DESKTOP = "notices"
# A server that tells what it is given, and does with a notice what it is told on stdin.
SERVER = """
import json, os, sys
from gi.repository import Gio, GLib
NAME, PATH = "org.freedesktop.Notifications", "/org/freedesktop/Notifications"
XML = '''<node><interface name="org.freedesktop.Notifications">
<method name="GetCapabilities"><arg direction="out" type="as"/></method>
<method name="Notify"><arg direction="in" type="s"/><arg direction="in" type="u"/><arg direction="in" type="s"/><arg direction="in" type="s"/><arg direction="in" type="s"/><arg direction="in" type="as"/><arg direction="in" type="a{sv}"/><arg direction="in" type="i"/><arg direction="out" type="u"/></method>
<method name="CloseNotification"><arg direction="in" type="u"/></method>
<signal name="ActionInvoked"><arg type="u"/><arg type="s"/></signal>
<signal name="NotificationClosed"><arg type="u"/><arg type="u"/></signal>
</interface></node>'''
bus = Gio.bus_get_sync(Gio.BusType.SESSION)
count = 0
def say(**what):
    print(json.dumps(what), flush=True)
def emit(name, types, *values):
    bus.emit_signal(None, PATH, NAME, name, GLib.Variant(types, values))
def on_call(bus_, sender, path, interface, method, params, call):
    global count
    if method == "GetCapabilities":
        call.return_value(GLib.Variant("(as)", (sys.argv[1].split(","),)))
    elif method == "Notify":
        app, replaces, icon, title, body, actions, hints, expires = params.unpack()
        count = count if replaces else count + 1
        number = replaces or count
        say(id=number, replaces=replaces, icon=icon, title=title, actions=actions, urgency=hints["urgency"], expires=expires)
        if title == "quick":
            emit("ActionInvoked", "(us)", number, "0")  # before the answer
        call.return_value(GLib.Variant("(u)", (number,)))
    else:
        say(closed=params.unpack()[0])
        if params.unpack()[0] <= count:
            emit("NotificationClosed", "(uu)", params.unpack()[0], 3)
        call.return_value(None)
def on_line(*_):
    data = os.read(0, 65536)
    for line in data.splitlines():
        what = json.loads(line)
        emit(what[0], what[1], *what[2:])
    return bool(data)
bus.register_object(PATH, Gio.DBusNodeInfo.new_for_xml(XML).interfaces[0], on_call, None, None)
Gio.bus_own_name_on_connection(bus, NAME, Gio.BusNameOwnerFlags.NONE, lambda *_: say(ready=True), None)
GLib.io_add_watch(0, GLib.IO_IN | GLib.IO_HUP, on_line)
GLib.MainLoop().run()
"""


@pytest.fixture(scope="module")
def desk(shared_desk):
    shared_desk.new_desktop(DESKTOP, width=640, height=480)
    yield shared_desk
    shared_desk.remove_desktop(DESKTOP)


class Server:
    def __init__(self, desk, capabilities):
        self.process = desk.spawn("/usr/bin/python3", "-c", SERVER, capabilities, desktop=DESKTOP, stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE)
        assert self.next() == {"ready": True}

    def next(self):
        return json.loads(read_line(self.process.stdout, 20))

    def do(self, *what):
        self.process.stdin.write(json.dumps(what).encode() + b"\n")
        self.process.stdin.flush()

    def stop(self):
        self.process.kill()
        self.process.wait()


@pytest.fixture
def server(desk):
    servers = []

    def start(capabilities="actions,body"):
        servers.append(Server(desk, capabilities))
        return servers[-1]

    yield start
    for each in servers:
        each.stop()


def send(desk, **params):
    return desk.call("notification_send", desktop=DESKTOP, **{"title": "t", "body": "b", **params})


def send_in_background(desk, **params):
    """A call under way on its own connection, and how to get its result."""
    bridge = desk.connect()
    bridge.send("call", {"tool": "notification_send", "params": {"desktop": DESKTOP, "title": "t", "body": "b", **params}})

    def result():
        answer = bridge.receive()["result"]
        bridge.close()
        return answer["result"]
    return result


def test_everything_reaches_the_server(desk, server):
    given = server()
    result = send(desk, urgency="critical", actions=["Yes", "No"], icon="dialog-information", expire_ms=1234)
    assert result["outcome"] == "shown" and "action" not in result
    seen = given.next()
    assert seen == {"id": result["id"], "replaces": 0, "icon": "dialog-information", "title": "t",
                    "actions": ["0", "Yes", "1", "No"], "urgency": 2, "expires": 1234}
    again = send(desk, title="new", replaces=result["id"])
    assert again["id"] == result["id"] and given.next()["replaces"] == result["id"]
    assert desk.call("notification_close", id=result["id"], desktop=DESKTOP) == {"success": True}
    assert given.next() == {"closed": result["id"]}
    answer = desk.answer("notification_close", id=999, desktop=DESKTOP)
    assert answer["error"]["code"] == "PRECONDITION_FAILED" and "notification 999" in answer["error"]["message"]


@pytest.mark.parametrize("signal, outcome", [
    (("ActionInvoked", "(us)", "1"), {"outcome": "pressed", "action": "No", "action_index": 1}),
    (("NotificationClosed", "(uu)", 1), {"outcome": "expired"}),
    (("NotificationClosed", "(uu)", 2), {"outcome": "closed"}),
    (("NotificationClosed", "(uu)", 3), {"outcome": "withdrawn"}),
])
def test_what_the_person_does_is_told(desk, server, signal, outcome):
    given = server()
    result = send_in_background(desk, actions=["Yes", "No"], wait_ms=20000)
    number = given.next()["id"]
    given.do(signal[0], signal[1], number + 1000, signal[2])  # another notice's
    given.do(signal[0], signal[1], number, signal[2])
    told = result()
    assert told == {"success": True, "id": number, **outcome}


def test_an_answer_before_the_answer(desk, server):
    server()
    assert send(desk, title="quick", actions=["Only"], wait_ms=20000)["action"] == "Only"


def test_nobody_answers(desk, server):
    server()
    began = time.monotonic()
    assert send(desk, actions=["Yes"], wait_ms=300)["outcome"] == "unanswered"
    assert 0.3 <= time.monotonic() - began < 5


def test_a_liar_on_the_bus_is_not_believed(desk, server):
    given = server()
    result = send_in_background(desk, actions=["Yes", "No"], wait_ms=1500)
    number = given.next()["id"]
    subprocess.run(["gdbus", "emit", "--session", "-o", "/org/freedesktop/Notifications", "-s",
                    "org.freedesktop.Notifications.ActionInvoked", str(number), "0"],
                   env=desk.desktop_environment(DESKTOP), check=True, timeout=20)
    assert result()["outcome"] == "unanswered"


def test_buttons_that_nobody_would_see(desk, server):
    server("body")
    error = desk.fails("UNSUPPORTED", "notification_send", desktop=DESKTOP, title="t", body="b", actions=["Yes"])
    assert "buttons" in error["message"] and "without actions" in error["suggestion"]


def test_it_is_called_off(desk, server):
    given = server()
    bridge = desk.connect()
    answer = bridge.answer("notification_send", {"desktop": DESKTOP, "title": "t", "body": "b", "wait_ms": 60000, "async": True})
    given.next()
    began = time.monotonic()
    ended = bridge.call("operation_cancel", id=answer["operation"]["id"], wait_ms=10000)
    assert ended["status"] == "cancelled" and time.monotonic() - began < 5
    bridge.close()


def test_a_real_server(desk):
    """dunst: one button, pressed by its own command."""
    dunst = desk.spawn("dunst", "-conf", "/dev/null", desktop=DESKTOP)
    environment = desk.desktop_environment(DESKTOP)
    eventually(lambda: subprocess.run(["dunstctl", "count"], env=environment, capture_output=True).returncode == 0, 20, "dunst")
    result = send_in_background(desk, actions=["Go on"], wait_ms=20000, expire_ms=0)
    eventually(lambda: subprocess.run(["dunstctl", "count", "displayed"], env=environment, capture_output=True).stdout.strip() == b"1",
               20, "the notice")
    subprocess.run(["dunstctl", "close"], env=environment, check=True, timeout=20)
    assert result()["outcome"] == "closed"
    assert send(desk, wait_ms=20000, expire_ms=300)["outcome"] == "expired"
    dunst.kill()
    dunst.wait()
