"""The same with Qt 5."""
import json
import sys

from PyQt5.QtCore import QSocketNotifier, Qt, QTimer
from PyQt5.QtGui import QFont, QFontMetricsF
from PyQt5.QtWidgets import QApplication, QLabel, QPushButton, QWidget


def words_of(text):
    at = 0
    for word in text.split():
        at = text.index(word, at)
        yield word, at
        at += len(word)


def font_of(spec, item):
    font = QFont(spec["font"])
    font.setFamilies([spec["font"], spec["chinese"]])
    font.setPixelSize(spec["size"])
    font.setBold(item["bold"])
    return font


class Painter:
    def __init__(self):
        self.window = None

    def show(self, spec):
        old = self.window
        self.window = QWidget(None, Qt.X11BypassWindowManagerHint | Qt.FramelessWindowHint)
        self.window.setGeometry(0, 0, spec["width"], spec["height"])
        self.window.setStyleSheet(f"QWidget {{ background: {spec['ground']}; }}")
        found = []
        for number, item in enumerate(spec["items"]):
            found += self.add(spec, number, item)
        self.window.show()
        if old:
            old.close()
        return found

    def add(self, spec, number, item):
        kind = QPushButton if item["kind"] == "button" else QLabel
        widget = kind(item["text"], self.window)
        font = font_of(spec, item)
        widget.setFont(font)
        metrics = QFontMetricsF(font)
        border = f"border: 1px solid {item['colour']};" if item["kind"] != "label" else ""
        widget.setStyleSheet(f"background: {item['ground']}; color: {item['colour']}; {border}")
        pad_x, pad_y = (10, 4) if item["kind"] != "label" else (0, 0)
        width, height = round(metrics.horizontalAdvance(item["text"])) + 2, round(metrics.height())
        widget.setGeometry(item["x"], item["y"], width + 2 * pad_x, height + 2 * pad_y)
        widget.setAlignment(Qt.AlignCenter) if kind is QLabel and pad_x else None
        for word, at in words_of(item["text"]):
            left = metrics.horizontalAdvance(item["text"][:at])
            yield {"item": number, "text": word, "x": item["x"] + pad_x + left, "y": item["y"] + pad_y,
                   "width": metrics.horizontalAdvance(item["text"][:at + len(word)]) - left, "height": height}


def main():
    application = QApplication(sys.argv)
    painter = Painter()

    def receive():
        line = sys.stdin.readline()
        if not line:
            application.quit()
            return
        found = painter.show(json.loads(line))
        QTimer.singleShot(200, lambda: print(json.dumps(found), flush=True))

    notifier = QSocketNotifier(0, QSocketNotifier.Read)
    notifier.activated.connect(receive)
    application.exec_()


main()
