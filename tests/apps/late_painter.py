#!/usr/bin/python3
"""Two windows of which one covers a part of the other: the first shows "Lies behind it" at once. At the word "cover" on
standard input the second one is shown over it, without a background of its own, and paints "Painted late" as long afterwards
as the argument says (seconds). Says {"event": "ready"} and {"event": "shown"}; ends with its input."""
import json
import sys
import time

import Xlib.display
import Xlib.X
import Xlib.Xutil

DELAY = float(sys.argv[1])
FONTS = ("-misc-fixed-medium-r-normal--20-*-*-*-*-*-iso10646-1", "10x20", "fixed")

display = Xlib.display.Display()
screen = display.screen()


def font():
    for name in FONTS:
        found = display.open_font(name)
        if found is not None:
            return found
    raise SystemExit("no font")


def window(title, **background):
    made = screen.root.create_window(100, 100, 420, 160, 0, screen.root_depth, event_mask=Xlib.X.ExposureMask, **background)
    made.set_wm_name(title)
    made.set_wm_class("late-painter", "LatePainter")
    made.set_wm_normal_hints(flags=Xlib.Xutil.USPosition | Xlib.Xutil.USSize)
    return made


def paint(on, text):
    white = on.create_gc(foreground=screen.white_pixel)
    black = on.create_gc(foreground=screen.black_pixel, font=font())
    on.fill_rectangle(white, 0, 0, 420, 160)
    on.draw_text(black, 40, 80, text.encode())
    display.sync()


def say(event):
    print(json.dumps({"event": event}), flush=True)


behind = window("behind", background_pixel=screen.white_pixel)
behind.map()
while display.next_event().type != Xlib.X.Expose:
    pass
paint(behind, "Lies behind it")
say("ready")
sys.stdin.readline()
late = window("late painter", background_pixmap=Xlib.X.NONE)
late.map()
while (event := display.next_event()).type != Xlib.X.Expose or event.window != late:
    pass
say("shown")
time.sleep(DELAY)
paint(late, "Painted late")
sys.stdin.readline()
