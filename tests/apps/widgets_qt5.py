#!/usr/bin/python3
"""One Qt 5 widget of each kind, with what becomes of it as JSON lines on stdout."""
import json
import sys

from PyQt5.QtCore import Qt, QTimer
from PyQt5.QtWidgets import (QApplication, QCheckBox, QComboBox, QHBoxLayout, QLabel, QLineEdit, QListWidget, QMainWindow,
                             QMenu, QPlainTextEdit, QPushButton, QScrollArea, QSlider, QSpinBox, QTabWidget, QTreeWidget,
                             QTreeWidgetItem, QVBoxLayout, QWidget)


def say(event, **facts):
    print(json.dumps({"event": event, **facts}), flush=True)


def named(widget, name):
    widget.setAccessibleName(name)
    return widget


def add_action(menu, text):
    action = menu.addAction(text)
    action.triggered.connect(lambda *_: say("menu", item=text))
    return action


def menu_bar(window):
    file = window.menuBar().addMenu("&File")
    add_action(file, "&Open...")
    add_action(file, "Save &As...")
    recent = file.addMenu("&Recent")
    add_action(recent, "One")
    add_action(recent, "Two")
    add_action(file, "Print...").setEnabled(False)
    view = window.menuBar().addMenu("&View")
    add_action(view, "&Wrap").setCheckable(True)


def buttons(layout):
    press = QPushButton("Press me")
    press.clicked.connect(lambda: say("pressed"))
    agree = QCheckBox("Agree")
    agree.toggled.connect(lambda on: say("agree", on=on))
    bold = QPushButton("Bold")
    bold.setCheckable(True)
    bold.toggled.connect(lambda on: say("bold", on=on))
    dead = QPushButton("Dead")
    dead.setEnabled(False)
    later = QPushButton("Later")
    later.clicked.connect(lambda: QTimer.singleShot(400, lambda: layout.addWidget(QLabel("Arrived"))))
    for widget in (press, agree, bold, dead, QPushButton("Lifeless"), later):
        layout.addWidget(widget)


def canvas():
    label = QLabel("Canvas")
    label.setContextMenuPolicy(Qt.CustomContextMenu)

    def show(point):
        menu = QMenu(label)
        add_action(menu, "&Cut")
        add_action(menu, "Co&py")
        menu.popup(label.mapToGlobal(point))

    label.customContextMenuRequested.connect(show)
    return label


def fields(layout):
    name = named(QLineEdit(), "User name")
    name.textChanged.connect(lambda text: say("name", text=text))
    secret = named(QLineEdit(), "Secret")
    secret.setEchoMode(QLineEdit.Password)
    secret.textChanged.connect(lambda text: say("secret", text=text))
    notes = named(QPlainTextEdit(), "Notes")
    notes.setMaximumHeight(80)
    notes.textChanged.connect(lambda: say("notes", text=notes.toPlainText()))
    amount = named(QSpinBox(), "Amount")
    amount.setRange(0, 100)
    amount.setSingleStep(5)
    amount.valueChanged.connect(lambda value: say("amount", value=value))
    volume = named(QSlider(Qt.Horizontal), "Volume")
    volume.setRange(0, 10)
    volume.valueChanged.connect(lambda value: say("volume", value=value))
    locked = named(QLineEdit("fixed"), "Locked")
    locked.setReadOnly(True)
    for widget in (name, secret, notes, amount, volume, locked):
        layout.addWidget(widget)


def choices(layout):
    colour = named(QComboBox(), "Colour")
    colour.addItems(["red", "green", "blue"])
    colour.currentTextChanged.connect(lambda text: say("colour", text=text))
    fruits = named(QListWidget(), "Fruits")
    fruits.addItems(["apple", "pear", "plum"])
    fruits.setMaximumHeight(80)
    fruits.currentRowChanged.connect(lambda index: say("fruit", index=index))
    pages = QTabWidget()
    for text in ("First", "Second"):
        pages.addTab(QLabel(f"page {text}"), text)
    pages.currentChanged.connect(lambda number: say("page", number=number))
    tree = named(QTreeWidget(), "Kinds")
    tree.setMaximumHeight(100)
    for text in ("animals", "plants"):
        parent = QTreeWidgetItem(tree, [text])
        QTreeWidgetItem(parent, [f"{text} child"])
    tree.itemExpanded.connect(lambda each: say("row", on=True, name=each.text(0)))
    tree.itemCollapsed.connect(lambda each: say("row", on=False, name=each.text(0)))
    for widget in (colour, fruits, pages, tree):
        layout.addWidget(widget)


def rows():
    inside = QWidget()
    layout = QVBoxLayout(inside)
    for number in range(60):
        button = QPushButton(f"Row {number}")
        button.clicked.connect(lambda _, each=number: say("row-pressed", number=each))
        layout.addWidget(button)
    area = QScrollArea()
    area.setWidget(inside)
    area.verticalScrollBar().valueChanged.connect(lambda value: say("scrolled", value=value))
    return area


app = QApplication(sys.argv)
window = QMainWindow(windowTitle="Qt 5 widgets")
menu_bar(window)
columns = [QVBoxLayout() for _ in range(3)]
buttons(columns[0])
columns[0].addWidget(canvas())
fields(columns[1])
choices(columns[2])
central = QWidget()
across = QHBoxLayout(central)
for column in columns:
    column.addStretch()
    across.addLayout(column)
across.addWidget(rows())
window.setCentralWidget(central)
window.resize(900, 600)
window.show()
QTimer.singleShot(400, lambda: say("ready"))
sys.exit(app.exec_())
