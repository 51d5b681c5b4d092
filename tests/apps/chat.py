#!/usr/bin/python3
"""A field of one line, from which each line is sent with the enter key and written down: chat.py gtk3|qt5."""
import json
import sys


def tell(**said):
    print(json.dumps(said), flush=True)


def run_gtk3():
    import gi
    gi.require_version("Gtk", "3.0")
    from gi.repository import GLib, Gtk

    def send(entry):
        tell(event="line", text=entry.get_text())
        entry.set_text("")

    window, entry = Gtk.Window(title="chat", default_width=600), Gtk.Entry()
    entry.connect("activate", send)
    window.add(entry)
    window.show_all()
    entry.grab_focus()
    window.connect("focus-in-event", lambda *_: GLib.idle_add(lambda: tell(event="ready")) and False)
    Gtk.main()


def run_qt5():
    from PyQt5.QtCore import QTimer
    from PyQt5.QtWidgets import QApplication, QLineEdit

    class Field(QLineEdit):
        def focusInEvent(self, event):
            super().focusInEvent(event)
            QTimer.singleShot(0, lambda: tell(event="ready"))

    def send():
        tell(event="line", text=field.text())
        field.clear()

    app, field = QApplication([]), Field()
    field.setWindowTitle("chat")
    field.setMinimumWidth(600)
    field.returnPressed.connect(send)
    field.show()
    field.activateWindow()
    app.exec_()


{"gtk3": run_gtk3, "qt5": run_qt5}[sys.argv[1]]()
