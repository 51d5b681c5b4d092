#!/usr/bin/python3
"""A GTK 3 window of one thing that stirs, at 100, 100: restless_gtk3.py WHAT, where WHAT is

    caret      an entry with the focus             clock      a label with the time, each second
    spinner    a spinner                           progress   a bar that grows by a hundredth each 60 ms
    video      colours that are never the same     draws      the same on SIGUSR1, for one second, and then rests
    still      a label                             same       the same colours, drawn again every 30 ms

Each thing that it does is written to standard output, one JSON object a line; "ready" says where the thing is, in pixels of
the screen, "rested" when it drew last. It uses nothing of ours."""
import json
import random
import signal
import sys
import time

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import GLib, Gtk  # noqa: E402

WHAT = sys.argv[1]
DRAWS_SECONDS = 1.0


def tell(event, **more):
    print(json.dumps({"event": event, "at": time.monotonic(), **more}), flush=True)


class Canvas(Gtk.DrawingArea):
    """Squares of colour; with the same seed always the same."""

    def __init__(self):
        super().__init__()
        self.seed, self.end, self.changed = 1, 0, False
        self.connect("draw", self.on_draw)

    def on_draw(self, _, context):
        dice = random.Random(self.seed)
        for x in range(0, 320, 40):
            for y in range(0, 200, 40):
                context.set_source_rgb(dice.random(), dice.random(), dice.random())
                context.rectangle(x, y, 40, 40)
                context.fill()
        if self.end and self.changed:
            self.changed = False
            tell("drawn")

    def go_on(self):
        if WHAT == "draws" and time.monotonic() >= self.end:
            tell("rested")
            return False
        if WHAT != "same":
            self.seed += 1
            self.changed = True
        self.queue_draw()
        return True

    def begin(self):
        self.end = time.monotonic() + DRAWS_SECONDS
        GLib.timeout_add(30, self.go_on)


class Clock(Gtk.Label):
    def __init__(self):
        super().__init__(label=time.strftime("%H:%M:%S"), xalign=0)
        GLib.timeout_add(1000, self.tick)

    def tick(self):
        self.set_label(time.strftime("%H:%M:%S"))
        tell("ticked")
        return True


class Progress(Gtk.ProgressBar):
    def __init__(self):
        super().__init__(fraction=0.0, valign=Gtk.Align.CENTER)
        GLib.timeout_add(60, self.grow)

    def grow(self):
        self.set_fraction(min(1.0, self.get_fraction() + 0.01))
        return True


def make():
    if WHAT in ("video", "draws", "same"):
        return Canvas()
    return {"caret": lambda: Gtk.Entry(text="some text", valign=Gtk.Align.CENTER), "clock": Clock, "progress": Progress,
            "spinner": Gtk.Spinner, "still": lambda: Gtk.Label(label="nothing happens")}[WHAT]()


def ready():
    _, x, y = widget.get_window().get_origin()
    area = widget.get_allocation()
    if not widget.get_has_window():
        x, y = x + area.x, y + area.y
    tell("ready", area=[x, y, x + area.width, y + area.height])
    return False


def draw():
    tell("begun")
    widget.begin()
    return True


window = Gtk.Window(title="restless")
widget = make()
widget.set_size_request(320, 200)
window.add(widget)
window.connect("destroy", Gtk.main_quit)
window.move(100, 100)
window.show_all()
widget.grab_focus()
if WHAT == "spinner":
    widget.start()
if WHAT in ("video", "same"):
    widget.begin()
window.connect("map-event", lambda *_: GLib.timeout_add(500, ready) and False)
GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal.SIGUSR1, draw)
Gtk.main()
