#!/usr/bin/python3
"""A page of text in several sizes, as a browser would show it. Usage: page.py FILE"""
import pathlib
import sys

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import GLib, Gtk  # noqa: E402


def markup(text):
    parts = ["<span size='xx-large' weight='bold'>Account overview</span>\n"]
    for number, line in enumerate(text.splitlines()):
        size = ("medium", "small", "large")[number % 3]
        colour = ("#202020", "#1a4f8b", "#6b2020")[number % 3]
        parts.append(f"<span size='{size}' foreground='{colour}'>{GLib.markup_escape_text(line)}</span>")
    return "\n".join(parts)


window = Gtk.Window(title="page", default_width=1000, default_height=760)
label = Gtk.Label(label=markup(pathlib.Path(sys.argv[1]).read_text()), use_markup=True,
                  xalign=0, yalign=0, margin=16, selectable=False)
scrolled = Gtk.ScrolledWindow()
scrolled.add(label)
window.add(scrolled)
window.connect("destroy", Gtk.main_quit)
window.show_all()
Gtk.main()
