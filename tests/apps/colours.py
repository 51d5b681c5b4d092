#!/usr/bin/python3
"""A window of four known colours, which are drawn when the server asks for it:

    colours.py TITLE WxH+X+Y [--override] [--lazy | --slow]

It draws all four at once: nobody sees a part of them. --override leaves the window manager out; --lazy never draws a second
time; --slow computes for a while between the first and the others. Lines on stdin: `move X Y`, `resize W H`, `swap`
(other colours), `again` (the four colours once more), `paint X Y W H RRGGBB` (a part of the window), `close`; each is answered
by `done`. It uses nothing of ours."""
import re
import select
import sys
import time

import Xlib.display
import Xlib.X
import Xlib.Xutil

COMPUTING_S = 0.1
COLOURS = [(0xd0, 0x20, 0x10), (0x10, 0xc0, 0x40), (0x20, 0x30, 0xe0), (0xe0, 0xe0, 0x20)]


class Colours:
    def __init__(self, title, geometry, override, lazy, slow):
        self.display = Xlib.display.Display()
        screen = self.display.screen()
        self.width, self.height, x, y = map(int, re.match(r"(\d+)x(\d+)([+-]\d+)([+-]\d+)$", geometry).groups())
        # White below: whatever was not drawn can be told from every colour.
        self.window = screen.root.create_window(x, y, self.width, self.height, 0, screen.root_depth,
                                                background_pixel=screen.white_pixel, override_redirect=override,
                                                event_mask=Xlib.X.ExposureMask | Xlib.X.StructureNotifyMask)
        self.window.set_wm_name(title)
        self.window.set_wm_class("colours", "Colours")
        self.window.set_wm_normal_hints(flags=Xlib.Xutil.USPosition | Xlib.Xutil.USSize)
        self.gc = self.window.create_gc()
        self.colours, self.lazy, self.slow, self.drawn, self.painted = COLOURS, lazy, slow, False, []
        self.window.map()

    def pixel(self, rgb):
        return self.display.screen().default_colormap.alloc_color(*(257 * part for part in rgb)).pixel

    def fill(self, drawable, area, colour):
        self.gc.change(foreground=self.pixel(colour))
        drawable.fill_rectangle(self.gc, *area)

    def draw_on(self, drawable):
        for index, colour in enumerate(self.colours):
            self.fill(drawable, (index % 2 * (self.width // 2), index // 2 * (self.height // 2),
                                 self.width, self.height // 2 + 1 if index < 2 else self.height), colour)
            if self.slow and index == 0:
                self.display.sync()
                end = time.monotonic() + COMPUTING_S
                while time.monotonic() < end:
                    pass
        for *area, colour in self.painted:
            self.fill(drawable, area, colour)

    def draw(self):
        if self.slow:
            self.draw_on(self.window)
        else:  # one request shows all of it
            pixmap = self.window.create_pixmap(self.width, self.height, self.display.screen().root_depth)
            self.draw_on(pixmap)
            self.window.copy_area(self.gc, pixmap, 0, 0, self.width, self.height, 0, 0)
            pixmap.free()
        self.display.sync()

    def on_event(self, event):
        if event.type == Xlib.X.ConfigureNotify:
            self.width, self.height = event.width, event.height
        if event.type == Xlib.X.Expose and event.count == 0 and not (self.lazy and self.drawn):
            self.draw()
            if not self.drawn:
                print("ready", flush=True)
            self.drawn = True

    def on_command(self, words):
        if words[0] == "move":
            self.window.configure(x=int(words[1]), y=int(words[2]))
        elif words[0] == "resize":
            self.window.configure(width=int(words[1]), height=int(words[2]))
        elif words[0] == "swap":
            self.colours = self.colours[::-1]
            self.draw()
        elif words[0] == "again":
            self.painted = []
            self.draw()
        elif words[0] == "paint":
            self.painted.append((*map(int, words[1:5]), bytes.fromhex(words[5])))
            self.fill(self.window, self.painted[-1][:-1], self.painted[-1][-1])
        elif words[0] == "close":
            self.window.destroy()
        self.display.sync()
        print("done", flush=True)

    def run(self):
        while True:
            while self.display.pending_events():
                self.on_event(self.display.next_event())
            ready, _, _ = select.select([self.display, sys.stdin], [], [])
            if sys.stdin in ready:
                line = sys.stdin.readline()
                if not line:
                    return
                self.on_command(line.split())


Colours(sys.argv[1], sys.argv[2], "--override" in sys.argv, "--lazy" in sys.argv, "--slow" in sys.argv).run()
