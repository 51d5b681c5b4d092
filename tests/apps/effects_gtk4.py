#!/usr/bin/python3
"""Things that do something and things that do not, in GTK 4: see effects.py."""
import gi

gi.require_version("Gtk", "4.0")
from gi.repository import GLib, Gtk  # noqa: E402

import effects  # noqa: E402


class Program(effects.Program):
    def build(self):
        self.loop = GLib.MainLoop()
        self.window = Gtk.Window(title="Effects", decorated=False)
        rows = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, homogeneous=True)
        self.window.set_child(rows)
        self.make_rows(rows.append)
        self.window.set_default_size(effects.WIDTH, effects.HEIGHT)
        self.window.connect("map", lambda *_: GLib.timeout_add(200, self.ready))
        self.window.present()

    def button(self, text, action):
        button = Gtk.Button(label=text)
        button.connect("clicked", lambda _: action())
        return button

    def check(self, text, action):
        check = Gtk.CheckButton(label=text)
        check.connect("toggled", lambda _: action(check.get_active()))
        return check

    def label(self, text):
        return Gtk.Label(label=text)

    def entry(self, text):
        entry = Gtk.Entry()
        entry.update_property([Gtk.AccessibleProperty.LABEL], [text])
        entry.connect("changed", lambda _: self.tell("text", text=entry.get_text()))
        return entry

    def disable(self, widget):
        widget.set_sensitive(False)
        return widget

    def dialog(self, modal):
        dialog = Gtk.Window(title="Effects dialog", transient_for=self.window, modal=modal)
        dialog.set_default_size(200, 100)
        dialog.present()

    def every(self, milliseconds, action):
        GLib.timeout_add(milliseconds, lambda: action() or True)

    def run(self):
        self.loop.run()


Program()
