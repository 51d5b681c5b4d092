#!/usr/bin/python3
"""Paints settings and a shelf of cards as painted_form.py does its own, in looks that are unlike each other: flat and light, dark with thin
bars, and with edges that stand out as they did long ago. A click on a switch turns it."""
import math
import sys

from painted_form import DARK, LIGHT, Gdk, Painting, show
from painted_studio import StudioBrush

FLAT = {**LIGHT, "ground": (1, 1, 1), "bar": (0.93, 0.94, 0.96), "on_bar": (0.25, 0.27, 0.3), "accent": (0.2, 0.66, 0.33), "button": (1, 1, 1)}
NIGHT = {**DARK, "ground": (0.06, 0.07, 0.1), "accent": (0.73, 0.53, 0.99), "button": (0.8, 0.8, 0.84)}
RAISED = {**LIGHT, "ground": (0.75, 0.75, 0.75), "bar": (0.66, 0.66, 0.68), "on_bar": (0, 0, 0.1), "ink": (0, 0, 0), "line": (0.5, 0.5, 0.5),
          "button": (0.95, 0.95, 0.95), "accent": (0, 0, 0.5), "faint": (0.3, 0.3, 0.3)}


class PanelBrush(StudioBrush):
    """Knows thin switches, square knobs, raised buttons and cards."""

    def thin(self, _, x, y, width, height, on=False):
        self.box(x, y + height * 0.15, width, height * 0.7, "accent" if on else "line", radius=height * 0.35)
        self.colour("ink" if on else "button")
        self.context.arc(x + (width - height / 2 if on else height / 2), y + height / 2, height / 2, 0, 2 * math.pi)
        self.context.fill()

    def thin_on(self, words, *place):
        self.thin(words, *place, on=True)

    def square_slider(self, words, x, y, width, height):
        part = float(words)
        self.box(x, y + height / 2 - 2, width, 4, "line", radius=1)
        self.box(x + width * part - 5, y + height / 2 - 10, 10, 20, "ink", radius=2)

    def raised(self, words, x, y, width, height):
        self.box(x, y, width, height, "line", radius=0.1)
        self.box(x, y, width - 2, height - 2, "button", radius=0.1)
        self.text(words, x, y, width, height, middle=True)

    def card(self, _, *place):
        self.box(*place, "field", "line", 8)


def settings(switch, slider, button):
    things = [("bar", "header", "", 0, 0, 720, 46), ("icon_menu", "menu", "", 14, 11, 24, 24), ("icon_search", "search", "", 600, 11, 24, 24),
              ("icon_gear", "gear", "", 640, 11, 24, 24), ("icon_cross", "cross", "", 680, 11, 24, 24),
              ("tab", "tab-one", "General", 20, 52, 110, 34), ("tab_on", "tab-two", "网络", 140, 52, 110, 34), ("tab", "tab-three", "About", 260, 52, 110, 34)]
    for row, (name, words, on) in enumerate((("wifi", "Wireless", True), ("plane", "飞行模式", False), ("blue", "Bluetooth", True), ("quiet", "勿扰模式", False))):
        top = 100 + 42 * row
        things += [("label", f"{name}-label", words, 24, top, 200, 30), (f"{switch}_on" if on else switch, name, "", 640, top + 4, 44, 22)]
    things += [("label", "volume-label", "音量", 24, 280, 80, 30), (slider, "volume", "0.25", 160, 280, 200, 30),
               ("label", "light-label", "Brightness", 24, 320, 120, 30), (slider, "light", "0.8", 160, 320, 200, 30)]
    return things + [(button, "apply", "Apply", 480, 380, 100, 34), (button, "close", "关闭", 600, 380, 90, 34)]


def shelf():
    things = []
    for number, name in enumerate(("plus", "copy", "star", "heart", "trash")):
        things.append((f"icon_{name}", f"tool-{name}", "", 12, 20 + 48 * number, 24, 24))
    for number, words in enumerate(("红烧肉", "Apple pie", "蛋炒饭", "Pancakes")):
        left, top = 80 + 320 * (number % 2), 20 + 190 * (number // 2)
        things += [("card", f"card-{number}", "", left, top, 290, 170), ("title", f"name-{number}", words, left + 16, top + 14, 200, 30),
                   ("label", f"time-{number}", f"{15 + number * 10} min", left + 16, top + 60, 120, 24), ("icon_star", f"star-{number}", "", left + 16, top + 130, 22, 22),
                   ("icon_pen", f"pen-{number}", "", left + 60, top + 130, 22, 22), ("icon_trash", f"bin-{number}", "", left + 104, top + 130, 22, 22)]
    return things


WINDOWS = {"flat": (settings("switch", "slider", "button"), FLAT, (720, 430)), "night": (settings("thin", "slider", "button"), NIGHT, (720, 430)),
           "raised": (settings("switch", "square_slider", "raised"), RAISED, (720, 430)), "shelf": (shelf(), {**LIGHT, "on_bar": (0.2, 0.2, 0.25)}, (720, 400))}


def turning(press):
    """What a click does besides being told: it turns a switch."""
    other = {"switch": "switch_on", "switch_on": "switch", "thin": "thin_on", "thin_on": "thin"}

    def turn(self, widget, event):
        press(self, widget, event)
        for kind, name, _, x, y, width, height in self.shown():
            if event.type == Gdk.EventType.BUTTON_PRESS and kind in other and x <= event.x < x + width and y <= event.y < y + height:
                self.change(name, other[kind])

    return turn


if __name__ == "__main__":
    Painting.press = turning(Painting.press)
    show(sys.argv[1], *WINDOWS[sys.argv[1]], PanelBrush)
