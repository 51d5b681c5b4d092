#!/usr/bin/python3
"""Paints a drawing program or a list of tasks, with more pictures than words, as painted_form.py does its own: on no accessibility
bus, saying where each thing is, one JSON object a line on stdout."""
import math
import sys

from painted_form import DARK, LIGHT, Brush, show

STUDIO = {**LIGHT, "bar": (0.9, 0.9, 0.91), "on_bar": (0.2, 0.2, 0.22), "accent": (0.95, 0.6, 0.1)}
TASKS = {**DARK, "accent": (0.25, 0.5, 0.95)}


class StudioBrush(Brush):
    """Knows further pictures, switches and tabs."""

    def ring(self, context, x, y, radius, first=0, last=2 * math.pi):
        context.new_sub_path()
        context.arc(x, y, radius, first, last)
        context.stroke()

    def icon_eye(self, context):
        context.move_to(-10, 0)
        context.curve_to(-5, -8, 5, -8, 10, 0)
        context.curve_to(5, 8, -5, 8, -10, 0)
        context.stroke()
        context.arc(0, 0, 3, 0, 2 * math.pi)
        context.fill()

    def icon_lock(self, context):
        context.rectangle(-7, -1, 14, 10)
        context.fill()
        self.lines(context, ((-4, -1), (-4, -5)), ((4, -1), (4, -5)))
        self.ring(context, 0, -5, 4, math.pi, 2 * math.pi)

    def icon_undo(self, context):
        self.ring(context, 1, 2, 7, math.pi * 1.1, math.pi * 2.4)
        self.shape(context, (-10, -2), (-2, -3), (-6, 4))

    def icon_redo(self, context):
        context.scale(-1, 1)
        self.icon_undo(context)

    def icon_down(self, context):
        self.lines(context, ((0, -9), (0, 4)), ((-5, -1), (0, 4), (5, -1)), ((-8, 9), (8, 9)))

    def icon_up(self, context):
        self.lines(context, ((0, 4), (0, -9)), ((-5, -4), (0, -9), (5, -4)), ((-8, 9), (8, 9)))

    def icon_folder(self, context):
        self.shape(context, (-10, -7), (-3, -7), (-1, -4), (10, -4), (10, 8), (-10, 8))

    def icon_floppy(self, context):
        self.lines(context, ((-8, -8), (5, -8), (8, -5), (8, 8), (-8, 8), (-8, -8)), ((-4, -8), (-4, -3), (3, -3), (3, -8)), ((-5, 8), (-5, 2), (5, 2), (5, 8)))

    def icon_scissors(self, context):
        self.ring(context, -5, 6, 3)
        self.ring(context, 5, 6, 3)
        self.lines(context, ((-4, 3), (5, -9)), ((4, 3), (-5, -9)))

    def icon_copy(self, context):
        self.lines(context, ((-8, 4), (-8, -8), (3, -8), (3, -5)), ((-4, -4), (8, -4), (8, 9), (-4, 9), (-4, -4)))

    def icon_left(self, context):
        self.lines(context, ((4, -8), (-4, 0), (4, 8)))

    def icon_right(self, context):
        self.lines(context, ((-4, -8), (4, 0), (-4, 8)))

    def icon_bell(self, context):
        self.lines(context, ((-8, 6), (-6, 3), (-6, -2), (-4, -7), (0, -8), (4, -7), (6, -2), (6, 3), (8, 6), (-8, 6)), ((-2, 9), (2, 9)))

    def icon_person(self, context):
        context.arc(0, -4, 4.5, 0, 2 * math.pi)
        context.fill()
        context.arc(0, 10, 9, math.pi, 2 * math.pi)
        context.fill()

    def icon_dots(self, context):
        for x in (-7, 0, 7):
            context.arc(x, 0, 2, 0, 2 * math.pi)
            context.fill()

    def switch(self, _, x, y, width, height, on=False):
        self.box(x, y, width, height, "accent" if on else "line", radius=height / 2)
        self.colour("field" if on else "button")
        self.context.arc(x + (width - height / 2 if on else height / 2), y + height / 2, height / 2 - 3, 0, 2 * math.pi)
        self.context.fill()

    def switch_on(self, words, *place):
        self.switch(words, *place, on=True)

    def tab(self, words, *place):
        self.text(words, *place, middle=True, colour="faint")

    def tab_on(self, words, x, y, width, height):
        self.text(words, x, y, width, height, middle=True, bold=True)
        self.box(x, y + height - 3, width, 3, "accent", radius=1)

    def faint_button(self, words, *place):
        self.box(*place, "ground", "line")
        self.text(words, *place, middle=True, colour="line")


def studio():
    """A row of pictures above, a column of them at the left, layers with an eye and a lock each at the right."""
    things = [("bar", "header", "", 0, 0, 900, 44)]
    for number, name in enumerate(("menu", "folder", "floppy", "undo", "redo", "scissors", "copy", "plus", "trash")):
        things.append((f"icon_{name}", name, "", 14 + 44 * number, 10, 24, 24))
    things += [("icon_search", "magnifier", "", 780, 10, 24, 24), ("icon_gear", "gear", "", 820, 10, 24, 24), ("icon_cross", "cross", "", 864, 10, 24, 24),
               ("bar", "tools", "", 0, 45, 52, 475)]
    for number, name in enumerate(("pen", "star", "heart", "clip", "speaker")):
        things.append((f"icon_{name}", f"tool-{name}", "", 14, 60 + 46 * number, 24, 24))
    things += [("tab", "tab-page-1", "Page 1", 70, 52, 90, 32), ("tab_on", "tab-page-2", "Page 2", 165, 52, 90, 32), ("tab", "tab-cover", "封面", 260, 52, 90, 32),
               ("field", "canvas", "", 70, 92, 540, 400), ("title", "layers", "Layers", 640, 56, 120, 28)]
    for row, (name, words) in enumerate((("sky", "Sky"), ("hills", "Hills"), ("tree", "大树"), ("house", "House"))):
        top = 92 + 40 * row
        things += [("chosen" if name == "tree" else "item", f"layer-{name}", words, 632, top, 150, 34),
                   ("icon_eye", f"eye-{name}", "", 800, top + 6, 22, 22), ("icon_lock", f"lock-{name}", "", 836, top + 6, 22, 22)]
    things += [("icon_plus", "layer-add", "", 640, 262, 22, 22), ("icon_copy", "layer-copy", "", 680, 262, 22, 22), ("icon_trash", "layer-delete", "", 720, 262, 22, 22),
               ("label", "opacity-label", "Opacity", 640, 300, 80, 28), ("slider", "opacity", "0.6", 720, 300, 150, 28),
               ("label", "width-label", "线宽", 640, 340, 60, 30), ("field", "width", "3 px", 720, 340, 150, 30),
               ("checked", "grid", "Show grid", 640, 382, 110, 26), ("check", "snap", "吸附", 770, 382, 90, 26)]
    return things + [("main_button", "export", "导出", 640, 440, 100, 36), ("faint_button", "publish", "Publish", 760, 440, 110, 36)]


def tasks():
    """A list of tasks with a box, a star, a pen and a bin in each row; settings with a switch at the far end of the row."""
    things = [("bar", "header", "", 0, 0, 900, 48), ("icon_back", "back", "", 16, 12, 24, 24), ("on_bar", "heading", "待办事项", 60, 0, 160, 48),
              ("icon_bell", "bell", "", 770, 12, 24, 24), ("icon_person", "person", "", 814, 12, 24, 24), ("icon_dots", "dots", "", 858, 12, 24, 24),
              ("tab_on", "tab-today", "今天", 20, 54, 90, 34), ("tab", "tab-week", "本周", 115, 54, 90, 34), ("tab", "tab-all", "全部", 210, 54, 90, 34)]
    for row, (kind, words) in enumerate((("check", "交电费"), ("checked", "Call the dentist"), ("check", "买菜"), ("check", "Book the train"), ("checked", "写周报"))):
        top = 98 + 44 * row
        things += [(kind, f"tick-{row}", "", 24, top, 18, 36), ("label", f"task-{row}", words, 60, top, 260, 36), ("icon_star", f"star-{row}", "", 700, top + 7, 22, 22),
                   ("icon_pen", f"pen-{row}", "", 760, top + 7, 22, 22), ("icon_trash", f"bin-{row}", "", 820, top + 7, 22, 22)]
    for number, (name, words) in enumerate((("1", "1"), ("2", "2"), ("3", "3"))):
        things.append(("main_button" if name == "2" else "button", f"page-{name}", words, 380 + 44 * number, 326, 36, 30))
    things += [("icon_left", "page-before", "", 340, 329, 24, 24), ("icon_right", "page-after", "", 520, 329, 24, 24)]
    for row, (kind, name, words) in enumerate((("switch_on", "remind", "到期提醒"), ("switch", "sync", "Sync over mobile data"), ("switch_on", "done", "隐藏已完成"))):
        top = 372 + 40 * row
        things += [("label", f"{name}-label", words, 24, top, 240, 30), (kind, name, "", 830, top + 3, 46, 24)]
    return things + [("empty_field", "new", "添加新任务…", 24, 500, 560, 34), ("icon_plus", "add", "", 600, 505, 24, 24), ("button", "clear", "清除已完成", 750, 500, 130, 34)]


if __name__ == "__main__":
    show(sys.argv[1], *{"studio": (studio(), STUDIO, (900, 520)), "tasks": (tasks(), TASKS, (900, 550))}[sys.argv[1]], StudioBrush)
