#!/usr/bin/python3
"""An editor with unsaved work: asked to close, it asks back. "stubborn" as argument: it ignores SIGTERM, too."""
import signal
import sys

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk  # noqa: E402

stubborn = "stubborn" in sys.argv
if stubborn:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
window = Gtk.Window(title="Unsaved work")


def ask(*_):
    if not stubborn:
        dialog = Gtk.MessageDialog(parent=window, modal=True, text="Save changes?", buttons=Gtk.ButtonsType.YES_NO)
        dialog.set_title("Save changes?")
        dialog.connect("response", lambda *_: Gtk.main_quit())
        dialog.show()
    return True


window.connect("delete-event", ask)
window.set_default_size(300, 200)
window.show_all()
Gtk.main()
