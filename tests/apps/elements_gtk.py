#!/usr/bin/python3
"""A window of GTK 3 or GTK 4 (the first argument: 3 or 4) with one of each kind of element; for GTK 3 the second and third say
how many rows there are in its list, and in each part of it. Writes down, as JSON lines on
stdout, where the toolkit put them (in physical pixels from the window's own corner) and which of them were used."""
import json
import sys

import gi

VERSION = sys.argv[1]
gi.require_version("Gdk", f"{VERSION}.0")
gi.require_version("Gtk", f"{VERSION}.0")
from gi.repository import GLib, Gtk  # noqa: E402


def say(event, **facts):
    print(json.dumps({"event": event, **facts}), flush=True)


def build():
    parts = {
        "Press": Gtk.Button(label="Press"),
        "Other": Gtk.Button(label="Other"),
        "Check": Gtk.CheckButton(label="Check"),
        "Plain": Gtk.Label(label="Plain"),
        "Late": Gtk.Label(label="Late"),
    }
    if VERSION == "3":
        parts["Press"].get_accessible().set_accessible_id("press-it")
        parts["Press"].get_accessible().set_description("what presses")
    counts = {"Press": 0}

    def press(*_):
        """Renames the label, and lets another come with each second time and go with the next."""
        counts["Press"] += 1
        parts["Plain"].set_text(f"Plain {counts['Press']}")
        parts["Late"].set_visible(counts["Press"] % 2 == 0)
        say("used", name="Press")

    parts["Press"].connect("clicked", press)
    parts["Other"].connect("clicked", lambda *_: say("used", name="Other"))
    parts["Check"].connect("toggled", lambda widget: say("used", name="Check", active=widget.get_active()))
    field, secret = Gtk.Entry(), Gtk.Entry() if VERSION == "3" else Gtk.PasswordEntry()
    field.set_text("what is in it")
    secret.set_text("hunter2")
    if VERSION == "3":
        secret.set_visibility(False)
    return parts, field, secret


def place(window, widget):
    scale = widget.get_scale_factor()
    if VERSION == "3":
        x, y = widget.translate_coordinates(window, 0, 0)
        size = widget.get_allocation()
        return [x * scale, y * scale, size.width * scale, size.height * scale]
    found, bounds = widget.compute_bounds(window)
    offset = window.get_native().get_surface_transform()
    return [round((offset.x + bounds.origin.x) * scale), round((offset.y + bounds.origin.y) * scale),
            round(bounds.size.width * scale), round(bounds.size.height * scale)]


def fill(window):
    window.set_title(f"elements {VERSION}")
    window.set_default_size(420, 360)
    parts, field, secret = build()
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=8)
    for widget in [*parts.values(), field, secret]:
        if VERSION == "3":
            box.pack_start(widget, False, False, 0)
        else:
            box.append(widget)
    if VERSION == "3":
        count, each = (int(word) for word in sys.argv[2:4]) if len(sys.argv) > 3 else (40, 40)
        many = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        for number in range(count):
            if number % each == 0:
                part = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
                many.pack_start(part, False, False, 0)
            part.pack_start(Gtk.Label(label=f"Row {number}"), False, False, 0)
        scrolled = Gtk.ScrolledWindow()
        scrolled.add(many)
        box.pack_start(scrolled, True, True, 0)
        window.add(box)
        window.show_all()
        parts["Late"].hide()
    else:
        window.set_child(box)
        parts["Late"].set_visible(False)
        window.present()

    def ready():
        say("ready", parts={name: place(window, widget) for name, widget in parts.items() if name != "Late"})
        return False

    GLib.timeout_add(500, ready)


def main():
    if VERSION == "3":
        window = Gtk.Window()
        window.connect("destroy", Gtk.main_quit)
        fill(window)
        Gtk.main()
    else:
        app = Gtk.Application()
        app.connect("activate", lambda app: fill(Gtk.ApplicationWindow(application=app)))
        app.run([])


sys.exit(main())
