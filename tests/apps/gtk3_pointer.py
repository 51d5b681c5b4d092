#!/usr/bin/python3
"""A GTK 3 window that writes down what its toolkit made of the mouse, as JSON lines on stdout.

Left half: an area that counts clicks (single, double, triple) with button and modifiers.
Right half: a source and a target for drag and drop, and below them a text with a scroll bar.
Places of the parts are written first, in physical pixels of the screen."""
import json
import sys

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GLib, Gtk  # noqa: E402

KINDS = {Gdk.EventType.BUTTON_PRESS: 1, Gdk.EventType.DOUBLE_BUTTON_PRESS: 2, Gdk.EventType.TRIPLE_BUTTON_PRESS: 3}
MODIFIERS = {"shift": Gdk.ModifierType.SHIFT_MASK, "ctrl": Gdk.ModifierType.CONTROL_MASK, "alt": Gdk.ModifierType.MOD1_MASK,
             "super": Gdk.ModifierType.MOD4_MASK}


def say(event, **facts):
    print(json.dumps({"event": event, **facts}), flush=True)


def pressed(_, event):
    say("press", count=KINDS.get(event.type, 0), button=event.button,
        modifiers=[name for name, mask in MODIFIERS.items() if event.state & mask])
    return True


def area(text):
    box = Gtk.EventBox()
    box.add(Gtk.Label(label=text))
    return box


def place(widget):
    window = widget.get_window()
    _, x, y = window.get_origin()
    scale = widget.get_scale_factor()
    return {"x": x * scale, "y": y * scale, "width": widget.get_allocated_width() * scale,
            "height": widget.get_allocated_height() * scale}


def main():
    window = Gtk.Window(title="GTK 3 pointer")
    window.set_default_size(600, 400)
    window.connect("destroy", Gtk.main_quit)
    clicks, source, target = area("clicks"), area("source"), area("target")
    clicks.connect("button-press-event", pressed)
    targets = [Gtk.TargetEntry.new("text/plain", 0, 0)]
    source.drag_source_set(Gdk.ModifierType.BUTTON1_MASK, targets, Gdk.DragAction.COPY)
    source.connect("drag-begin", lambda *_: say("drag-begin"))
    source.connect("drag-data-get", lambda _, context, data, info, time: data.set_text("cargo", -1))
    target.drag_dest_set(Gtk.DestDefaults.ALL, targets, Gdk.DragAction.COPY)
    target.connect("drag-data-received", lambda _, context, x, y, data, info, time: say("drop", text=data.get_text()))
    text = Gtk.TextView()
    text.get_buffer().set_text("a line of text\n" * 2000)
    scrolled = Gtk.ScrolledWindow()
    scrolled.add(text)
    scrolled.get_vadjustment().connect("value-changed", lambda adjustment: say("scroll", value=adjustment.get_value()))
    grid = Gtk.Grid(column_homogeneous=True, row_homogeneous=True)
    grid.attach(clicks, 0, 0, 1, 3)
    grid.attach(source, 1, 0, 1, 1)
    grid.attach(target, 1, 1, 1, 1)
    grid.attach(scrolled, 1, 2, 1, 1)
    window.add(grid)
    window.show_all()

    def ready(*_):
        say("ready", clicks=place(clicks), source=place(source), target=place(target), text=place(scrolled))
        return False

    # After the window manager has put it where it stays, and it was drawn there.
    window.connect_after("map-event", lambda *_: GLib.timeout_add(200, ready) and False)
    Gtk.main()


sys.exit(main())
