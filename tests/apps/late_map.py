#!/usr/bin/python3
"""A program that learns of a new keymap late: it asks for it when it is told of the change, goes on
with the events that it has, and takes the answer afterwards. With --elsewhere it is told on a second
connection, which it looks at when there is nothing else to do, as Chromium does with GTK's. It
answers pings.

Says {"event": "ready"} when its window has the focus, then {"event": "key", "text": ...} for each
character; ends with its display."""
import json
import select
import sys
import time

import Xlib.display
import Xlib.X
import Xlib.Xutil
from Xlib.protocol.event import ClientMessage

FIRST, LAST = 8, 255
# Before it reads anything, so that what comes meanwhile is read in one go.
BUSY_SECONDS = 0.03
# Without an event, before it looks elsewhere.
QUIET_SECONDS = 0.1


def work(seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


class LateMap:
    def __init__(self, elsewhere):
        self.display = Xlib.display.Display()
        self.other = Xlib.display.Display() if elsewhere else None
        screen = self.display.screen()
        self.root = screen.root
        self.window = screen.root.create_window(300, 200, 300, 200, 0, screen.root_depth,
                                                event_mask=Xlib.X.KeyPressMask | Xlib.X.FocusChangeMask)
        self.protocols, self.ping = (self.display.intern_atom(name) for name in ("WM_PROTOCOLS", "_NET_WM_PING"))
        self.window.set_wm_name("late map")
        self.window.set_wm_class("late-map", "LateMap")
        self.window.set_wm_hints(flags=Xlib.Xutil.InputHint, input=1)
        self.window.set_wm_protocols([self.ping])
        self.ready, self.changed = False, False
        self.read_map()
        self.window.map()

    def read_map(self):
        self.map = self.display.get_keyboard_mapping(FIRST, LAST - FIRST + 1)

    def say(self, event, **more):
        print(json.dumps({"event": event, **more}), flush=True)

    def on_key(self, event):
        symbols = self.map[event.detail - FIRST]
        column = bool(event.state & Xlib.X.ShiftMask) + 4 * bool(event.state & Xlib.X.Mod5Mask)
        symbol = symbols[column] if column < len(symbols) else 0
        if symbol >= 0x1000000 or 0x20 <= symbol < 0x100:
            self.say("key", text=chr(symbol & 0xffffff))

    def on_event(self, event):
        if event.type == Xlib.X.MappingNotify:
            self.changed = not self.other
        elif event.type == Xlib.X.KeyPress:
            self.on_key(event)
        elif event.type == Xlib.X.FocusIn and not self.ready:
            self.ready = True
            self.say("ready")
        elif event.type == Xlib.X.ClientMessage and event.data[1][0] == self.ping:
            answer = ClientMessage(window=self.root, client_type=self.protocols, data=(32, list(event.data[1])))
            self.root.send_event(answer, event_mask=Xlib.X.SubstructureNotifyMask | Xlib.X.SubstructureRedirectMask)

    def look_elsewhere(self):
        for _ in range(self.other.pending_events()):
            self.changed = self.other.next_event().type == Xlib.X.MappingNotify or self.changed

    def wait(self):
        if self.other and not select.select([self.display], [], [], QUIET_SECONDS)[0]:
            self.look_elsewhere()
        if not self.changed:
            select.select([each for each in (self.display, self.other) if each], [], [])

    def run(self):
        while True:
            if not self.display.pending_events():  # asking writes what is still to be written
                self.wait()
            work(BUSY_SECONDS)
            for _ in range(self.display.pending_events()):
                self.on_event(self.display.next_event())
            if self.changed:
                self.changed = False
                self.read_map()


LateMap("--elsewhere" in sys.argv).run()
