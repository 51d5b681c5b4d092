#!/usr/bin/python3
"""Things that do something and things that do not, in GTK 3: see effects.py."""
import gi

gi.require_version("Gtk", "3.0")
from gi.repository import GLib, Gtk  # noqa: E402

import effects  # noqa: E402


class Program(effects.Program):
    def build(self):
        self.window = Gtk.Window(title="Effects")
        self.window.connect("destroy", Gtk.main_quit)
        rows = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, homogeneous=True)
        self.window.add(rows)
        self.make_rows(lambda widget: rows.pack_start(widget, True, True, 0))
        self.window.set_default_size(effects.WIDTH, effects.HEIGHT)
        self.window.move(60, 60)
        self.window.show_all()
        self.window.connect("map-event", lambda *_: self.ready())

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
        entry.get_accessible().set_name(text)
        entry.connect("changed", lambda _: self.tell("text", text=entry.get_text()))
        return entry

    def disable(self, widget):
        widget.set_sensitive(False)
        return widget

    def dialog(self, modal):
        dialog = Gtk.Dialog(title="Effects dialog", transient_for=self.window, modal=modal)
        dialog.set_default_size(200, 100)
        dialog.get_content_area().add(Gtk.Label(label="waits for you"))
        dialog.add_button("Understood", Gtk.ResponseType.OK)
        dialog.connect("response", lambda *_: self.tell("answered") or dialog.destroy())
        dialog.show_all()

    def every(self, milliseconds, action):
        GLib.timeout_add(milliseconds, lambda: action() or True)

    def run(self):
        Gtk.main()


Program()
