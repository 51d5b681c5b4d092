#!/usr/bin/python3
"""A window in which a password field comes and goes with each click on a button, in GTK 3. Writes down when it is drawn."""
import json

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import GLib, Gtk  # noqa: E402


def tell(event):
    print(json.dumps({"event": event}), flush=True)


def on_clicked(_):
    if entry.get_visible():
        entry.hide()
        GLib.idle_add(tell, "hidden")
    else:
        entry.show()
        window.get_frame_clock().connect("after-paint", on_painted)


def on_painted(clock):
    if entry.get_mapped() and entry.get_allocated_height() > 1:
        clock.disconnect_by_func(on_painted)
        GLib.idle_add(tell, "drawn")


window = Gtk.Window(title="secret later")
rows = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
button = Gtk.Button(label="Turn")
button.connect("clicked", on_clicked)
entry = Gtk.Entry(visibility=False, text="open sesame", no_show_all=True, can_focus=False)
rows.pack_start(button, False, False, 0)
rows.pack_start(entry, False, False, 0)
window.add(rows)
window.set_default_size(300, 200)
window.connect("map-event", lambda *_: tell("ready"))
window.show_all()
Gtk.main()
