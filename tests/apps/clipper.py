#!/usr/bin/python3
"""A GTK 3 program with a text view, driven by tests: one JSON command a line on stdin, one JSON
answer a line on stdout. It owns selections in any formats, reads them, and tells what was typed or
pasted into it. It uses nothing of ours."""
import hashlib
import json
import sys

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GdkPixbuf, GLib, Gtk  # noqa: E402


class Clipper:
    def __init__(self):
        self.window = Gtk.Window(title="clipper")
        self.window.set_default_size(400, 300)
        self.view = Gtk.TextView()
        scrolled = Gtk.ScrolledWindow()
        scrolled.add(self.view)
        self.window.add(scrolled)
        self.window.connect("destroy", Gtk.main_quit)
        self.window.show_all()
        self.view.grab_focus()
        self.window.get_window().get_display().sync()
        self.owners = []
        GLib.io_add_watch(sys.stdin.fileno(), GLib.IO_IN | GLib.IO_HUP, self.on_line)
        self.say(window=self.window.get_window().get_xid())

    def say(self, **answer):
        print(json.dumps(answer), flush=True)

    def on_line(self, _fd, _condition):
        line = sys.stdin.readline()
        if not line:
            Gtk.main_quit()
            return False
        command = json.loads(line)
        self.say(**getattr(self, command.pop("do"))(**command))
        return True

    def text(self):
        buffer = self.view.get_buffer()
        start, end = buffer.get_bounds()
        text = buffer.get_text(start, end, True)
        return {"text": text if len(text) < 5000 else "",
                "sha256": hashlib.sha256(text.encode()).hexdigest()}

    def clear(self):
        self.view.get_buffer().set_text("")
        return {}

    def own(self, selection, formats):
        """formats: {target: hex of bytes}; a value that is a number means that many letters."""
        owner = Gtk.Invisible()
        targets = list(formats)
        values = [b"x" * value if isinstance(value, int) else bytes.fromhex(value)
                  for value in formats.values()]

        def give(_widget, data, info, _time):
            data.set(Gdk.Atom.intern(targets[info], False), 8, values[info])

        atom = Gdk.Atom.intern(selection, False)
        for index, target in enumerate(targets):
            Gtk.selection_add_target(owner, atom, Gdk.Atom.intern(target, False), index)
        owner.connect("selection-get", give)
        self.owners.append(owner)
        return {"owned": Gtk.selection_owner_set(owner, atom, Gdk.CURRENT_TIME)}

    def own_text(self, text):
        clipboard = Gtk.Clipboard.get(Gdk.SELECTION_CLIPBOARD)
        clipboard.set_text(text, -1)
        return {}

    def own_image(self, width, height):
        pixels = bytes((i * 7919 >> 3) & 255 for i in range(width * height * 3))
        image = GdkPixbuf.Pixbuf.new_from_bytes(GLib.Bytes.new(pixels), GdkPixbuf.Colorspace.RGB,
                                                False, 8, width, height, width * 3)
        Gtk.Clipboard.get(Gdk.SELECTION_CLIPBOARD).set_image(image)
        return {}

    def formats(self, selection):
        # GTK remembers the formats until it has looked at the notice that the owner has changed.
        self.window.get_display().sync()
        while Gtk.events_pending():
            Gtk.main_iteration()
        clipboard = Gtk.Clipboard.get(Gdk.Atom.intern(selection, False))
        ok, atoms = clipboard.wait_for_targets()
        return {"formats": [atom.name() for atom in atoms] if ok else []}

    def read(self, selection, target):
        clipboard = Gtk.Clipboard.get(Gdk.Atom.intern(selection, False))
        data = clipboard.wait_for_contents(Gdk.Atom.intern(target, False))
        value = data.get_data() if data and data.get_length() >= 0 else None
        if value is None:
            return {"length": -1}
        return {"length": len(value), "sha256": hashlib.sha256(value).hexdigest(),
                "type": data.get_data_type().name(),
                "text": value.decode(errors="replace") if len(value) < 5000 else ""}


Clipper()
Gtk.main()
