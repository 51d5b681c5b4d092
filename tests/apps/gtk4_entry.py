#!/usr/bin/python3
"""A GTK 4 entry that writes its text to a file whenever it has changed: gtk4_entry.py FILE.

The file appears when the entry has the keyboard focus. SIGUSR1 empties the entry."""
import pathlib
import signal
import sys

import gi

gi.require_version("Gtk", "4.0")
from gi.repository import Gio, GLib, Gtk  # noqa: E402

output = pathlib.Path(sys.argv[1])


def write(entry):
    temporary = output.with_suffix(".new")
    temporary.write_text(entry.get_text())
    temporary.rename(output)
    entry.pending = 0
    return GLib.SOURCE_REMOVE


def changed(entry):
    # Once the program has nothing else to do: a thousand characters are not a thousand files.
    if not entry.pending:
        entry.pending = GLib.idle_add(write, entry, priority=GLib.PRIORITY_LOW)


def activate(application):
    window = Gtk.ApplicationWindow(application=application, title="GTK 4 entry", default_width=600)
    entry = Gtk.Entry()
    entry.pending = 0
    entry.set_max_length(0)
    window.set_child(entry)
    entry.connect("changed", changed)
    window.connect("notify::is-active", lambda *_: changed(entry))
    GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal.SIGUSR1, lambda: entry.set_text("") or GLib.SOURCE_CONTINUE)
    window.present()
    entry.grab_focus()


app = Gtk.Application(application_id="org.handfast.Entry", flags=Gio.ApplicationFlags.NON_UNIQUE)
app.connect("activate", activate)
app.run([])
