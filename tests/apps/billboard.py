#!/usr/bin/python3
"""A window with large painted text that no program tells of. Arguments: title, text (lines parted by |), left, top. Says "ready"
with its text, then "drawn" whenever it has drawn another one; a click changes its ground a little. A line on stdin: "text LINES", "title TITLE", "menu" (opens a menu that
shows the text, too)."""
import json
import os
import sys

os.environ["NO_AT_BRIDGE"] = "1"

import gi  # noqa: E402

gi.require_version("Gtk", "3.0")
gi.require_version("Gdk", "3.0")
from gi.repository import Gdk, GLib, Gtk  # noqa: E402

LETTERS, LINE = 48, 70


def say(event, **what):
    print(json.dumps({"event": event, **what}), flush=True)


class Billboard:
    def __init__(self, title, text, left, top):
        self.text, self.said, self.ground = text, None, 1
        self.window = Gtk.Window(title=title)
        self.window.set_default_size(520, 2 * LINE + 30)
        self.area = Gtk.DrawingArea()
        self.area.connect("draw", self.draw)
        self.area.add_events(Gdk.EventMask.BUTTON_PRESS_MASK)
        self.area.connect("button-press-event", self.press)
        self.window.add(self.area)
        self.window.connect("destroy", Gtk.main_quit)
        self.window.move(left, top)
        self.window.show_all()
        GLib.io_add_watch(sys.stdin, GLib.IO_IN, self.hear)

    def draw(self, _area, context):
        context.set_source_rgb(self.ground, self.ground, self.ground)
        context.paint()
        context.set_source_rgb(0, 0, 0)
        context.select_font_face("DejaVu Sans")
        context.set_font_size(LETTERS)
        for number, line in enumerate(self.text.split("|")):
            context.move_to(20, (number + 1) * LINE)
            context.show_text(line)
        if self.said != self.text:
            GLib.timeout_add(50, self.tell, self.text)

    def press(self, *_):
        self.ground = 1.9 - self.ground
        self.area.queue_draw()

    def tell(self, text):
        if self.said != text:
            say("ready" if self.said is None else "drawn", text=text)
            self.said = text

    def hear(self, *_):
        word, _, rest = sys.stdin.readline().rstrip("\n").partition(" ")
        if word == "text":
            self.text = rest
            self.area.queue_draw()
        elif word == "title":
            self.window.set_title(rest)
        elif word == "menu":
            self.pop_up()
        return bool(word)

    def pop_up(self):
        """Beside the window, so that it does not lie under the same cover."""
        menu = Gtk.Menu()
        label = Gtk.Label()
        label.set_markup(f"<span font='DejaVu Sans 30'>{self.text.split('|')[0]}</span>")
        item = Gtk.MenuItem()
        item.add(label)
        menu.append(item)
        menu.show_all()
        menu.connect("map", lambda *_: GLib.timeout_add(200, say, "menu"))
        menu.popup_at_rect(self.window.get_window(), Gdk.Rectangle(), Gdk.Gravity.NORTH_WEST, Gdk.Gravity.SOUTH_WEST, None)


Billboard(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
Gtk.main()
