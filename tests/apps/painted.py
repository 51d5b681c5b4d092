#!/usr/bin/python3
"""A program that paints everything itself and tells nobody what it is: buttons, fields, an icon toolbar, rows that look alike,
texts in English and Chinese. It writes down what was clicked and typed, one JSON object a line on stdout, after the places of all
that it shows ("place", in pixels of the screen). A line on stdin changes it: "remove NAME", "rename NAME TEXT", "move X Y".
With --mixed it is a GTK program that tells its elements, in which only a part is painted."""
import json
import os
import sys

MIXED = "--mixed" in sys.argv
DARK = "--dark" in sys.argv
if not MIXED:
    os.environ["NO_AT_BRIDGE"] = "1"

import gi  # noqa: E402

gi.require_version("Gtk", "3.0")
gi.require_version("Gdk", "3.0")
gi.require_version("PangoCairo", "1.0")
from gi.repository import Gdk, GLib, Gtk, Pango, PangoCairo  # noqa: E402

WIDTH, HEIGHT = 640, 430
INK, GROUND, EDGE, FIELD = ((.9, .9, .9), (.15, .16, .18), (.5, .5, .55), (.1, .1, .12)) if DARK else \
                           ((.1, .1, .1), (.94, .94, .93), (.55, .55, .55), (1, 1, 1))

# name: kind, left, top, width, height, text
THINGS = {
    "disc": ("icon", 20, 14, 24, 24, "disc"),
    "triangle": ("icon", 60, 14, 24, 24, "triangle"),
    "bars": ("icon", 100, 14, 24, 24, "bars"),
    "heading": ("text", 20, 56, 300, 24, "Painted settings"),
    "name label": ("text", 20, 100, 90, 24, "User name"),
    "name": ("field", 130, 96, 220, 30, ""),
    "city label": ("text", 20, 144, 90, 24, "城市名称"),
    "city": ("field", 130, 140, 220, 30, ""),
    "save": ("button", 20, 190, 110, 32, "Save all"),
    "cancel": ("button", 150, 190, 110, 32, "Cancel"),
    "keep": ("button", 280, 190, 110, 32, "保存"),
    "drop": ("button", 410, 190, 110, 32, "取消"),
    "later": ("button", 540, 190, 80, 32, "Later"),
    "alice": ("text", 20, 250, 120, 24, "Alice Brown"),
    "delete alice": ("button", 200, 246, 90, 30, "Delete"),
    "bob": ("text", 20, 290, 120, 24, "Robert Green"),
    "delete bob": ("button", 200, 286, 90, 30, "Delete"),
    "carol": ("text", 20, 330, 120, 24, "Carol White"),
    "delete carol": ("button", 200, 326, 90, 30, "Delete"),
    "sentence": ("text", 320, 250, 300, 24, "Open the manual or close it"),
    "status": ("text", 20, 390, 400, 24, "Nothing happened yet"),
}


def say(event, **what):
    print(json.dumps({"event": event, **what}), flush=True)


class Painted:
    def __init__(self):
        self.things = dict(THINGS)
        self.typed = {"name": "", "city": ""}
        self.focus = self.pressed = None
        self.told = False
        self.window = Gtk.Window(title="Mixed" if MIXED else "Painted")
        self.window.connect("destroy", Gtk.main_quit)
        self.window.set_resizable(False)
        self.window.move(100, 60)
        self.area = Gtk.DrawingArea()
        self.area.set_size_request(WIDTH, HEIGHT)
        self.area.add_events(Gdk.EventMask.BUTTON_PRESS_MASK | Gdk.EventMask.BUTTON_RELEASE_MASK)
        self.area.connect("button-release-event", self.release)
        self.area.connect("draw", self.draw)
        self.area.connect("button-press-event", self.press)
        self.window.connect("key-press-event", self.key)
        if MIXED:
            rows = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
            self.real = Gtk.Button(label="Real button")
            self.real.connect("clicked", lambda _: say("clicked", what="real"))
            self.entry = Gtk.Entry(text="typed by hand")
            rows.pack_start(self.real, False, False, 0)
            rows.pack_start(self.entry, False, False, 0)
            rows.pack_start(self.area, True, True, 0)
            self.window.add(rows)
        else:
            self.window.add(self.area)
        GLib.io_add_watch(sys.stdin, GLib.IO_IN | GLib.IO_HUP, self.order)
        self.window.show_all()

    def place(self, name):
        _, x, y, width, height, _ = self.things[name]
        _, left, top = self.area.get_window().get_origin()
        return [left + x, top + y, width, height]

    def tell_places(self):
        for name in self.things:
            kind, *_, text = self.things[name]
            say("place", what=name, kind=kind, text=text, place=self.place(name), ink=self.ink.get(name))
        say("ready")
        return False

    # ---- painting ----

    def text(self, context, name, text, x, y, width, height, centred):
        layout = PangoCairo.create_layout(context)
        layout.set_font_description(Pango.FontDescription("Sans Bold 13" if name == "heading" else "Sans 10"))
        layout.set_text(text, -1)
        ink, logical = layout.get_pixel_extents()
        left = x + (width - logical.width) // 2 if centred else x
        top = y + (height - logical.height) // 2
        context.set_source_rgb(*INK)
        context.move_to(left, top)
        PangoCairo.show_layout(context, layout)
        self.ink[name] = [left + ink.x, top + ink.y, ink.width, ink.height]

    def icon(self, context, shape, x, y, size):
        context.set_source_rgb(.15, .4, .8)
        if shape == "disc":
            context.arc(x + size / 2, y + size / 2, size / 2 - 1, 0, 7)
        elif shape == "triangle":
            context.move_to(x + 2, y + 1)
            context.line_to(x + size - 1, y + size / 2)
            context.line_to(x + 2, y + size - 1)
            context.close_path()
        else:
            context.rectangle(x, y, size, size)
            context.fill()
            context.set_source_rgb(1, 1, 1)
            for line in range(3):
                context.rectangle(x + 4, y + 5 + 6 * line, size - 8, 2)
        context.fill()

    def draw(self, area, context):
        self.ink = {}
        context.set_source_rgb(*GROUND)
        context.paint()
        for name, (kind, x, y, width, height, text) in self.things.items():
            if kind in ("button", "field"):
                context.set_source_rgb(*(FIELD if kind == "field" else GROUND))
                context.rectangle(x, y, width, height)
                context.fill_preserve()
                context.set_source_rgb(*EDGE)
                context.set_line_width(1)
                context.rectangle(x + .5, y + .5, width - 1, height - 1)
                context.stroke()
            if kind == "icon":
                self.icon(context, text, x, y, width)
            elif kind == "field":
                self.text(context, name, self.typed[name], x + 8, y, width - 16, height, False)
            else:
                self.text(context, name, text, x, y, width, height, kind == "button")
        if not self.told:
            self.told = True
            GLib.idle_add(self.tell_places)
        return False

    # ---- what happens ----

    def at(self, x, y):
        for name, (kind, left, top, width, height, _) in self.things.items():
            if left <= x < left + width and top <= y < top + height:
                return name, kind
        return None, None

    def rename(self, name, text):
        self.things[name] = (*self.things[name][:5], text)
        self.area.queue_draw()

    def press(self, area, event):
        name, kind = self.at(event.x, event.y)
        self.pressed = name
        self.focus = name if kind == "field" else self.focus
        say("clicked", what=name, x=int(event.x), y=int(event.y), button=event.button)
        if name == "later":
            GLib.timeout_add(600, lambda: self.rename("status", "Finished at last") and False)
        return True

    def release(self, area, event):
        """Told only where a button was held while the pointer moved to something else."""
        name, _ = self.at(event.x, event.y)
        if name != self.pressed:
            say("dragged", what=self.pressed, to=name)
        return True

    def key(self, window, event):
        if not self.focus:
            return False
        letter = chr(Gdk.keyval_to_unicode(event.keyval) or 0)
        if letter.isprintable():
            self.typed[self.focus] += letter
        say("typed", what=self.focus, text=self.typed[self.focus])
        self.area.queue_draw()
        return True

    def order(self, stream, condition):
        line = stream.readline()
        if not line:
            return False
        verb, _, rest = line.strip().partition(" ")
        if verb == "move":
            self.window.move(*map(int, rest.split()))
        elif verb == "remove":
            self.things.pop(rest)
        elif verb == "rename":
            name, _, text = rest.partition(" = ")
            self.rename(name, text)
        self.area.queue_draw()
        say("done", order=line.strip())
        return True


Painted()
Gtk.main()
