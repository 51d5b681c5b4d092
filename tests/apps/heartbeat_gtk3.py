#!/usr/bin/python3
"""A GTK 3 program that tells what typing into it costs: how long a key waits until it is used, and the processor time.
"begin" on stdin starts anew, "tell" writes one JSON line on stdout. The argument is how many buttons it has besides."""
import json
import statistics
import sys
import time

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import GLib, Gtk  # noqa: E402

COLUMNS = 12


class Heart:
    def __init__(self, buttons):
        self.waits, self.cpu = [], time.process_time()
        window = Gtk.Window(title="heartbeat", default_width=700, default_height=500)
        window.connect("destroy", Gtk.main_quit)
        grid = Gtk.Grid()
        for number in range(buttons):
            grid.attach(Gtk.Button(label=f"Button {number}"), number % COLUMNS, number // COLUMNS, 1, 1)
        self.text = Gtk.TextView(expand=True, wrap_mode=Gtk.WrapMode.CHAR)
        # Before anything else: keys that the toolkit tells others first wait until those have answered.
        self.text.connect("key-press-event", self.on_key)
        box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        box.pack_start(grid, False, False, 0)
        box.pack_start(self.text, True, True, 0)
        window.add(box)
        window.show_all()
        self.text.grab_focus()
        GLib.io_add_watch(sys.stdin, GLib.IO_IN | GLib.IO_HUP, self.on_order)

    def on_key(self, _, event):
        """The server's clock is the monotonic one, in milliseconds of 32 bits."""
        self.waits.append((GLib.get_monotonic_time() / 1000 - event.time) % (1 << 32))
        return False

    def on_order(self, stream, _):
        order = stream.readline().strip()
        if not order:
            Gtk.main_quit()
        elif order == "begin":
            self.text.get_buffer().set_text("")
            self.waits, self.cpu = [], time.process_time()
            print(json.dumps({"began": True}), flush=True)
        else:
            waits = sorted(self.waits) or [0]
            print(json.dumps({"keys": len(self.waits), "cpu_ms": 1000 * (time.process_time() - self.cpu),
                              "mean_ms": statistics.fmean(waits), "p95_ms": waits[int(len(waits) * 0.95)],
                              "max_ms": waits[-1]}), flush=True)
        return True


heart = Heart(int(sys.argv[1]) if len(sys.argv) > 1 else 60)
Gtk.main()
