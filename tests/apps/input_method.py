#!/usr/bin/python3
"""Announces itself as an input method for XIM, as Fcitx and IBus do, and serves nobody.

Says {"event": "ready"} when it has; ends with its stdin or its display."""
import json

import Xlib.display
import Xlib.X
import Xlib.Xatom

display = Xlib.display.Display()
root = display.screen().root
window = root.create_window(0, 0, 1, 1, 0, display.screen().root_depth)
server = display.intern_atom("@server=handfast-test")
window.set_selection_owner(server, Xlib.X.CurrentTime)
root.change_property(display.intern_atom("XIM_SERVERS"), Xlib.Xatom.ATOM, 32, [server])
display.sync()
print(json.dumps({"event": "ready"}), flush=True)
while True:
    display.next_event()
