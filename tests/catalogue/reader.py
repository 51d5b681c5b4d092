#!/usr/bin/python3
"""An independent reader of the accessibility tree and of the X server, in a process of its own on the desktop's buses.

One JSON command a line on stdin, one JSON answer a line on stdout. It uses nothing of ours, knows only which object a
query meant before, registers for no event and acts on nothing. It asks over GLib's D-Bus, since pyatspi 2.46 was seen to wait for
itself for ever here. A query is `ROLE "NAME"`, `ROLE`, or `"NAME"`, with `#N` for the N-th that matches (from 0); NAME may
end in `*` (a `*` alone is one). Elements that are not visible, or have no size, are passed over."""
import json
import re
import sys

import Xlib.X
import Xlib.display
import Xlib.error
from gi.repository import Gio, GLib

QUERY = re.compile(r'(?P<role>[^"#]*?)\s*(?:"(?P<name>.*)")?\s*(?:#(?P<nth>\d+))?$')
MOST_LEVELS = 60
MOST_CHILDREN = 200
CALL_MS = 5000
PREFIX = "org.a11y.atspi."
ROOT = "/org/a11y/atspi/accessible/root"
SCREEN, WINDOW = 0, 1
NOWHERE = -(1 << 31)
STATES = """invalid active armed busy checked collapsed defunct editable enabled expandable expanded focusable focused has-tooltip
horizontal iconified modal multi-line multiselectable opaque pressed resizable selectable selected sensitive showing single-line
stale transient vertical visible manages-descendants indeterminate required truncated animated invalid-entry
supports-autocompletion selectable-text is-default visited checkable has-popup read-only""".split()


class Bus:
    """Calls to the accessibility bus, many at once."""

    def __init__(self):
        session = Gio.bus_get_sync(Gio.BusType.SESSION)
        address = session.call_sync("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", None, None,
                                    Gio.DBusCallFlags.NONE, CALL_MS, None).unpack()[0]
        flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
        self.connection = Gio.DBusConnection.new_for_address_sync(address, flags)

    def gather(self, calls):
        """The first value of each answer, None where there was none. A call: ((owner, path), interface, method, arguments)."""
        answers, left = [None] * len(calls), len(calls)

        def answered(connection, result, index):
            nonlocal left
            left -= 1
            try:
                answers[index] = connection.call_finish(result).unpack()[0]
            except (GLib.Error, IndexError):
                pass

        for index, ((owner, path), interface, method, arguments) in enumerate(calls):
            self.connection.call(owner, path, interface, method, arguments, None, Gio.DBusCallFlags.NONE, CALL_MS, None,
                                 answered, index)
        while left:
            GLib.MainContext.default().iteration(True)
        return answers

    def ask(self, *call):
        return self.gather([call])[0]


def call(node, interface, method, signature=None, *arguments):
    return node, PREFIX + interface, method, GLib.Variant(signature, arguments) if signature else None


def get(node, interface, name):
    return node, "org.freedesktop.DBus.Properties", "Get", GLib.Variant("(ss)", (PREFIX + interface, name))


class Element:
    def __init__(self, reference, parent):
        self.reference, self.parent, self.children, self.below = tuple(reference), parent, [], None

    def learn(self, role, name, words, interfaces):
        words = words or [0, 0]
        self.role, self.name = role or "", name or ""
        self.states = [state for bit, state in enumerate(STATES) if words[bit // 32] >> bit % 32 & 1]
        self.interfaces = {each[len(PREFIX):] for each in interfaces or []}
        self.box = (0, 0, 0, 0)

    def all(self):
        yield self
        for child in self.children:
            yield from child.all()


class Reader:
    def __init__(self):
        self.bus = Bus()
        self.display = Xlib.display.Display()
        self.root = self.display.screen().root
        self.known = {}

    # The tree.
    def application(self, pid):
        for owner, path in self.bus.ask(*call(("org.a11y.atspi.Registry", ROOT), "Accessible", "GetChildren")) or []:
            asked = (("org.freedesktop.DBus", "/org/freedesktop/DBus"), "org.freedesktop.DBus", "GetConnectionUnixProcessID",
                     GLib.Variant("(s)", (owner,)))
            if self.bus.ask(*asked) == pid:
                return Element((owner, path), None)
        return None

    def load(self, pid):
        """All that may be on the screen, level by level. GTK 4 calls nothing but its windows showing: there, what has a size."""
        application = self.application(pid)
        if application is None:
            return None
        application.relative = self.bus.ask(*get(application.reference, "Application", "ToolkitName")) == "GTK"
        level = [application]
        for depth in range(MOST_LEVELS):
            self.learn(level)
            inner = [each for each in level if self.worth_a_look(each, depth, application.relative)]
            lists = self.bus.gather([call(each.reference, "Accessible", "GetChildren") for each in inner])
            for each, children in zip(inner, lists):
                each.children = [Element(child, each) for child in (children or [])[:MOST_CHILDREN] if child[0]]
            level = [child for each in inner for child in each.children]
            if not level:
                break
        return application

    def worth_a_look(self, element, depth, relative):
        states = set(element.states)
        if "manages-descendants" in states and element.role in ("table", "document spreadsheet"):
            return self.bus.ask(*get(element.reference, "Accessible", "ChildCount")) in range(1, MOST_CHILDREN)
        if depth < 2:
            return True
        if relative:
            return min(element.box[2:]) > 0
        # An open menu of GTK 2 is not called showing, but it has a place.
        return "showing" in states or (element.role == "menu" and element.box[0] > NOWHERE)

    def learn(self, level):
        calls = [each for node in (element.reference for element in level) for each in (
            call(node, "Accessible", "GetRoleName"), get(node, "Accessible", "Name"), call(node, "Accessible", "GetState"),
            call(node, "Accessible", "GetInterfaces"))]
        answers = self.bus.gather(calls)
        for index, element in enumerate(level):
            element.learn(*answers[4 * index:4 * index + 4])
        placed = [element for element in level if "Component" in element.interfaces]
        boxes = self.bus.gather([call(each.reference, "Component", "GetExtents", "(u)", WINDOW) for each in placed])
        for element, box in zip(placed, boxes):
            element.box = box or element.box

    # The screen.
    def property(self, window, name):
        found = window.get_full_property(self.display.intern_atom(name), 0)
        return found.value if found else None

    def windows(self):
        """Managed windows and their title, pid, place and size, asked of the X server."""
        found = []
        for identity in self.property(self.root, "_NET_CLIENT_LIST") or []:
            window = self.display.create_resource_object("window", identity)
            try:
                name, owner = self.property(window, "_NET_WM_NAME") or self.property(window, "WM_NAME"), self.property(window, "_NET_WM_PID")
                size, place = window.get_geometry(), self.root.translate_coords(window, 0, 0)
                left, right, top, bottom = self.property(window, "_NET_FRAME_EXTENTS") or [0, 0, 0, 0]
            except Xlib.error.XError:
                continue
            title = name.decode(errors="replace") if isinstance(name, bytes) else name or ""
            found.append({"id": int(identity), "title": title, "pid": int(owner[0]) if owner else 0,
                          "place": [place.x, place.y, size.width, size.height], "frame": [left, right, top, bottom]})
        return {"windows": found}

    def popups(self):
        """Places of windows that no window manager touches: what has popped up."""
        for window in self.root.query_tree().children:
            try:
                attributes, size = window.get_attributes(), window.get_geometry()
            except Xlib.error.XError:
                continue
            if attributes.override_redirect and attributes.map_state == Xlib.X.IsViewable and size.width > 1:
                yield size.x, size.y, size.width, size.height

    def margin(self, element, pid):
        """What to add to a place in GTK 4's window: the window's place on the screen, and the border that it draws itself. A
        popover is a window of its own; GTK 4 tells of it as if it lay at its parent's corner."""
        top, popups = element, list(self.popups())
        while top.parent and top.parent.parent:
            for x, y, width, height in popups:
                if (width, height) == tuple(top.box[2:]):
                    return x - top.box[0], y - top.box[1]
            top = top.parent
        for window in self.windows()["windows"]:
            x, y, width, height = window["place"]
            if window["pid"] == pid and window["title"] == top.name:
                return x + (width - top.box[2]) // 2, y + (height - top.box[3]) // 2
        return 0, 0

    def place(self, element, application, pid):
        if not application.relative:
            return list(self.bus.ask(*call(element.reference, "Component", "GetExtents", "(u)", SCREEN)) or (0, 0, 0, 0))
        x, y = self.margin(element, pid)
        return [element.box[0] + x, element.box[1] + y, *element.box[2:]]

    # What may be asked.
    def find(self, pid, query):
        known = self.known.get((pid, query))
        if known and self.is_still_there(known[0], query):
            return self.describe(*known, pid)
        asked, application = QUERY.match(query), self.load(pid)
        if application is None:
            return {"found": False, "why": "the program is not on the bus"}
        found = [each for each in application.all() if matches(each, asked["role"], asked["name"])]
        nth = int(asked["nth"] or 0)
        if nth >= len(found):
            return {"found": False, "why": f"no {query}"}
        self.known[pid, query] = found[nth], application
        return self.describe(found[nth], application, pid)

    def find_all(self, pid, query):
        """All that match, read anew, so that a caller learns whether a query means one thing; `#N` is taken from them."""
        asked, application = QUERY.match(query), self.load(pid)
        found = [each for each in application.all() if matches(each, asked["role"], asked["name"])] if application else []
        if asked["nth"]:
            found = found[int(asked["nth"]):][:1]
        return {"found": [{"role": each.role, "name": each.name, "states": each.states, "place": self.place(each, application, pid)}
                          for each in found]}

    def is_still_there(self, element, query):
        """The object that the query meant before is asked for all that is told of it again."""
        asked = QUERY.match(query)
        self.learn([element])
        return matches(element, asked["role"], asked["name"]) and "defunct" not in element.states

    def describe(self, element, application, pid):
        node, facts = element.reference, {}
        if "Text" in element.interfaces:
            count = self.bus.ask(*get(node, "Text", "CharacterCount")) or 0
            facts["text"] = self.bus.ask(*call(node, "Text", "GetText", "(ii)", 0, count))
        if "Value" in element.interfaces:
            facts["value"] = self.bus.ask(*get(node, "Value", "CurrentValue"))
        if "Selection" in element.interfaces:
            count = self.bus.ask(*get(node, "Selection", "NSelectedChildren")) or 0
            chosen = self.bus.gather([call(node, "Selection", "GetSelectedChild", "(i)", each) for each in range(min(count, 20))])
            facts["selected"] = self.bus.gather([get(tuple(each), "Accessible", "Name") for each in chosen if each])
        return {"found": True, "role": element.role, "name": element.name, "states": element.states,
                "place": self.place(element, application, pid), **facts}

    def dump(self, pid):
        application, lines = self.load(pid), []
        stack = [(application, 0)] if application else []
        while stack:
            element, depth = stack.pop()
            lines.append(f"{'  ' * depth}{element.role} {element.name!r} {element.box} {' '.join(element.states)}")
            stack += [(child, depth + 1) for child in reversed(element.children)]
        return {"lines": lines}

    def serve(self):
        print(json.dumps({"ready": True}), flush=True)
        for line in sys.stdin:
            command = json.loads(line)
            print(json.dumps(getattr(self, command.pop("do"))(**command)), flush=True)


def matches(element, role, name):
    if (role and element.role != role) or "visible" not in element.states or min(element.box[2:]) <= 0:
        return False
    return name is None or (element.name.startswith(name[:-1]) if name[1:].endswith("*") else element.name == name)


if __name__ == "__main__":
    Reader().serve()
