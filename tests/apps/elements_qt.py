#!/usr/bin/python3
"""A Qt 5 window with a few elements; writes down, as JSON lines on stdout, which of them were used."""
import json
import sys

from PyQt5.QtWidgets import QApplication, QCheckBox, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget


def say(event, **facts):
    print(json.dumps({"event": event, **facts}), flush=True)


app = QApplication(sys.argv)
window = QWidget()
window.setWindowTitle("elements Qt")
layout = QVBoxLayout(window)
for name in ("Press", "Other"):
    button = QPushButton(name)
    button.clicked.connect(lambda _, name=name: say("used", name=name))
    layout.addWidget(button)
check = QCheckBox("Check")
check.toggled.connect(lambda active: say("used", name="Check", active=active))
field, secret = QLineEdit("what is in it"), QLineEdit("hunter2")
secret.setEchoMode(QLineEdit.Password)
for widget in (check, QLabel("Plain"), field, secret):
    layout.addWidget(widget)
window.resize(420, 360)
window.show()
say("ready", parts={})
sys.exit(app.exec_())
