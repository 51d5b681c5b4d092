#!/usr/bin/python3
"""A Qt 5 program of many widgets that writes down what they saw, one JSON object a line on stdout."""
import json
import sys

from PyQt5.QtCore import QMimeData, Qt, QTimer
from PyQt5.QtGui import QDrag
from PyQt5.QtWidgets import (QApplication, QCheckBox, QComboBox, QLabel, QLineEdit, QListWidget, QMainWindow, QPlainTextEdit,
                             QPushButton, QRadioButton, QSlider, QSpinBox, QTabWidget, QVBoxLayout, QWidget)


def say(event, widget, value=""):
    print(json.dumps({"event": event, "widget": widget, "value": value}), flush=True)


class Source(QLabel):
    """What is dragged off it is cargo."""

    def mouseMoveEvent(self, event):
        drag, cargo = QDrag(self), QMimeData()
        cargo.setText("cargo")
        drag.setMimeData(cargo)
        drag.exec_(Qt.CopyAction)


class Target(QLabel):
    def dragEnterEvent(self, event):
        event.acceptProposedAction()

    def dropEvent(self, event):
        say("dropped", "Target", event.mimeData().text())
        event.acceptProposedAction()


class Board(QMainWindow):
    def __init__(self):
        super().__init__()
        self.setWindowTitle("Qt board")
        self.setGeometry(200, 60, 700, 760)
        self.box = QVBoxLayout()
        self.fill()
        middle = QWidget()
        middle.setLayout(self.box)
        self.setCentralWidget(middle)
        actions = self.menuBar().addMenu("Actions")
        actions.addAction("Count up", lambda: say("menu", "Count up", "picked"))
        bold = actions.addAction("Bold")
        bold.setCheckable(True)
        bold.toggled.connect(lambda on: say("menu", "Bold", on))

    def add(self, widget, name):
        widget.setAccessibleName(name)
        self.box.addWidget(widget)
        return widget

    def fill(self):
        self.add(QPushButton("Send"), "Send").clicked.connect(lambda: say("pressed", "Send"))
        dead = self.add(QPushButton("Disabled"), "Disabled")
        dead.setEnabled(False)
        dead.clicked.connect(lambda: say("pressed", "Disabled"))
        self.add(QCheckBox("Wrap"), "Wrap").toggled.connect(lambda on: say("toggled", "Wrap", on))
        for name in ("Left", "Right"):
            self.add(QRadioButton(name), name).toggled.connect(lambda on, name=name: on and say("toggled", name, on))
        self.add(QSlider(Qt.Horizontal), "Volume").valueChanged.connect(lambda value: say("value", "Volume", value))
        self.add(QSpinBox(), "Count").valueChanged.connect(lambda value: say("value", "Count", value))
        colour = self.add(QComboBox(), "Colour")
        colour.addItems(["Red", "Green", "Blue"])
        colour.currentTextChanged.connect(lambda text: say("selected", "Colour", text))
        fruit = self.add(QListWidget(), "Fruit")
        fruit.addItems(["Apple", "Banana", "Cherry"])
        fruit.setMaximumHeight(80)
        fruit.currentTextChanged.connect(lambda text: say("selected", "Fruit", text))
        tabs = self.add(QTabWidget(), "Pages")
        for name in ("First", "Second"):
            tabs.addTab(QLabel(name), name)
        tabs.currentChanged.connect(lambda index: say("selected", "Pages", tabs.tabText(index)))
        self.add(QLineEdit(), "Name").textChanged.connect(lambda text: say("text", "Name", text))
        long = self.add(QPlainTextEdit("\n".join(f"line {number}" for number in range(300))), "Long")
        long.verticalScrollBar().valueChanged.connect(lambda value: say("scrolled", "Long", value))
        self.add(Source("drag me"), "Source")
        self.add(Target("drop here"), "Target").setAcceptDrops(True)
        self.answer = self.add(QLabel("idle"), "Answer idle")
        self.add(QPushButton("Later"), "Later").clicked.connect(lambda: QTimer.singleShot(700, self.done))

    def done(self):
        self.answer.setText("done")
        self.answer.setAccessibleName("Answer done")
        self.setWindowTitle("Qt board: done")
        say("later", "Later", "done")


application = QApplication(sys.argv)
board = Board()
board.show()
QTimer.singleShot(0, lambda: say("ready", "board"))
application.exec_()
