#!/usr/bin/python3
"""A Qt 5 window with shortcuts, of the kind that has more to read behind a ping: Qt takes in all that has come before it
looks for the shortcut of a key, and looks with the keymap that it knows by then. It answers pings. With --restless one
of its threads never sleeps.

Says {"event": "ready"} when it has the focus, then {"event": "shortcut", "keys": "Ctrl+S"} for each shortcut and
{"event": "key", "text": ...} for each character; ends with its display."""
import ctypes
import hashlib
import json
import struct
import sys
import threading
import time

import Xlib.display
from PyQt5.QtCore import QAbstractNativeEventFilter
from PyQt5.QtGui import QKeySequence
from PyQt5.QtWidgets import QApplication, QPlainTextEdit, QShortcut

SHORTCUTS = ["Ctrl+S", "Ctrl+Shift+S", "Alt+X"]
PROPERTY_NOTIFY, CLIENT_MESSAGE = 28, 33
BUSY_SECONDS = 0.1


def say(event, **more):
    print(json.dumps({"event": event, **more}), flush=True)


def work(seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


class MoreToRead(QAbstractNativeEventFilter):
    """Puts an event behind every ping, which takes long."""

    def __init__(self, window):
        super().__init__()
        self.window = window
        display = Xlib.display.Display()
        self.ping, self.more = (display.intern_atom(name) for name in ("_NET_WM_PING", "MORE_TO_READ"))
        display.close()

    def nativeEventFilter(self, _, message):
        event = ctypes.string_at(int(message), 32)
        kind = event[0] & 0x7f
        # Qt also sees its own answer, on the root.
        if kind == CLIENT_MESSAGE and struct.unpack_from("I4xI", event, 4) == (self.window, self.ping):
            display = Xlib.display.Display()
            window = display.create_resource_object("window", self.window)
            window.change_property(self.more, self.more, 32, [1])
            display.sync()
            display.close()
        elif kind == PROPERTY_NOTIFY and struct.unpack_from("I", event, 8)[0] == self.more:
            work(BUSY_SECONDS)
        return False, 0


def never_sleep():
    while True:
        hashlib.pbkdf2_hmac("sha256", b"film", b"picture", 100000)


class Window(QPlainTextEdit):
    ready = False

    def focusInEvent(self, event):
        super().focusInEvent(event)
        if not self.ready:
            self.ready = True
            say("ready")

    def keyPressEvent(self, event):
        if event.text():
            say("key", text=event.text())


if "--restless" in sys.argv:
    threading.Thread(target=never_sleep, daemon=True).start()
application = QApplication([])
window = Window()
window.setWindowTitle("Qt 5 shortcuts")
for keys in SHORTCUTS:
    QShortcut(QKeySequence(keys), window).activated.connect(lambda keys=keys: say("shortcut", keys=keys))
more_to_read = MoreToRead(int(window.winId()))
application.installNativeEventFilter(more_to_read)
window.show()
application.exec()
