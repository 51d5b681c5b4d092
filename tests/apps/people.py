#!/usr/bin/python3
"""A window of GTK 3 or GTK 4 (the first argument) whose elements look alike or have no names: rows of people, each with a
button "Delete", and fields that are known by the labels beside them. Says on stdout, as JSON lines, what was used. Takes
orders on stdin, a line each: "swap" (Alice and Bob change places, the widgets stay), "push" (all moves down), "remove Bob",
"rename Reload Again"."""
import json
import sys
import threading

import gi

VERSION = sys.argv[1]
gi.require_version("Gtk", f"{VERSION}.0")
from gi.repository import GLib, Gtk  # noqa: E402


def say(event, **facts):
    print(json.dumps({"event": event, **facts}, ensure_ascii=False), flush=True)


def put(box, widget):
    if VERSION == "3":
        box.pack_start(widget, False, False, 0)
        widget.show_all()
    else:
        box.append(widget)
    return widget


class People:
    def __init__(self, window):
        self.names, self.rows, self.buttons = {}, {}, {}
        window.set_title(f"people {VERSION}")
        window.set_default_size(480, 520)
        self.box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=10)
        self.spacer = put(self.box, Gtk.Label(label=""))
        self.field("User name")
        self.field("用户名：")
        secret = self.field("Password", secret=True)
        secret.set_text("hunter2")
        notes = self.field("Notes")
        notes.set_text("dear Bob, the key is password=opensesame")
        for name in ("Alice", "Bob", "Carol"):
            self.row(name)
        self.button("Reload")
        self.button("保存(_S)")
        self.button("Never").set_sensitive(False)
        if VERSION == "3":
            window.add(self.box)
            window.show_all()
        else:
            window.set_child(self.box)
            window.present()
        threading.Thread(target=self.listen, daemon=True).start()
        GLib.timeout_add(500, lambda: say("ready"))

    def field(self, label, secret=False):
        line = Gtk.Box(spacing=10)
        put(line, Gtk.Label(label=label))
        entry = put(line, Gtk.PasswordEntry() if secret and VERSION == "4" else Gtk.Entry())
        if secret and VERSION == "3":
            entry.set_visibility(False)
        entry.connect("changed", lambda entry: say("text", field=label, text=entry.get_text()))
        put(self.box, line)
        return entry

    def row(self, name):
        line = Gtk.Box(spacing=10)
        self.names[name] = put(line, Gtk.Label(label=name))
        button = put(line, Gtk.Button(label="Delete"))
        label = self.names[name]
        button.connect("clicked", lambda *_: say("used", name="Delete", row=label.get_text()))
        self.rows[name] = put(self.box, line)

    def button(self, name):
        button = put(self.box, Gtk.Button.new_with_mnemonic(name))
        button.connect("clicked", lambda *_: say("used", name=button.get_label()))
        self.buttons[name] = button
        return button

    def obey(self, order, *names):
        if order == "swap":
            one, other = self.names["Alice"], self.names["Bob"]
            first, second = one.get_text(), other.get_text()
            one.set_text(second)
            other.set_text(first)
        elif order == "push":
            self.spacer.set_size_request(-1, 60)
        elif order == "remove":
            self.box.remove(self.rows[names[0]])
        elif order == "rename":
            self.buttons[names[0]].set_label(names[1])
        # Said when it has been drawn: a moment later.
        GLib.timeout_add(300, lambda: say("done", order=order))

    def listen(self):
        for line in sys.stdin:
            GLib.idle_add(lambda words: self.obey(*words), line.split())


def main():
    if VERSION == "3":
        window = Gtk.Window()
        window.connect("destroy", Gtk.main_quit)
        People(window)
        Gtk.main()
    else:
        app = Gtk.Application()
        app.connect("activate", lambda app: People(Gtk.ApplicationWindow(application=app)))
        app.run([])


sys.exit(main())
