#!/usr/bin/python3
"""Things that do something and things that do not, in Qt 5: see effects.py."""
from PyQt5 import QtCore, QtWidgets

import effects


class Program(effects.Program):
    def build(self):
        self.application = QtWidgets.QApplication([])
        self.window = QtWidgets.QWidget()
        self.window.setWindowTitle("Effects")
        rows = QtWidgets.QVBoxLayout(self.window)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(0)

        def add(widget):
            widget.setMinimumHeight(effects.ROW)
            widget.setMaximumHeight(effects.ROW)
            rows.addWidget(widget)
        self.make_rows(add)
        self.window.resize(effects.WIDTH, effects.HEIGHT)
        self.window.move(60, 60)
        self.window.show()
        QtCore.QTimer.singleShot(300, self.ready)

    def button(self, text, action):
        button = QtWidgets.QPushButton(text)
        button.clicked.connect(lambda _: action())
        return button

    def check(self, text, action):
        check = QtWidgets.QCheckBox(text)
        check.toggled.connect(action)
        return check

    def label(self, text):
        label = QtWidgets.QLabel(text)
        label.set_label = label.setText
        return label

    def entry(self, text):
        entry = QtWidgets.QLineEdit()
        entry.setAccessibleName(text)
        entry.textChanged.connect(lambda now: self.tell("text", text=now))
        return entry

    def disable(self, widget):
        widget.setEnabled(False)
        return widget

    def dialog(self, modal):
        self.opened = QtWidgets.QDialog(self.window)
        self.opened.setWindowTitle("Effects dialog")
        self.opened.resize(200, 100)
        self.opened.setModal(modal)
        self.opened.show()

    def set_title(self, title):
        self.window.setWindowTitle(title)

    def every(self, milliseconds, action):
        timer = QtCore.QTimer(self.window)
        timer.timeout.connect(action)
        timer.start(milliseconds)

    def run(self):
        self.application.exec_()


Program()
