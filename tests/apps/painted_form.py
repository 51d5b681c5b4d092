#!/usr/bin/python3
"""Paints a form, a music player or a mail program on an empty window and is on no accessibility bus: what is written on it is
all that there is. It says where each thing is that it has painted, and then what was clicked, typed and ticked, one JSON object a
line on stdout. The key d opens and closes a dialog, unless a field was clicked: then it is typed there."""
import json
import math
import os
import sys

os.environ["NO_AT_BRIDGE"] = "1"
import cairo  # noqa: E402
import gi  # noqa: E402

gi.require_version("Gtk", "3.0")
gi.require_version("Gdk", "3.0")
gi.require_version("PangoCairo", "1.0")
from gi.repository import Gdk, GLib, Gtk, Pango, PangoCairo  # noqa: E402

LIGHT = {"ground": (0.96, 0.96, 0.97), "bar": (0.18, 0.24, 0.36), "on_bar": (1, 1, 1), "ink": (0.1, 0.1, 0.12), "line": (0.62, 0.64, 0.68),
         "button": (0.88, 0.89, 0.91), "field": (1, 1, 1), "accent": (0.13, 0.45, 0.85), "faint": (0.55, 0.56, 0.6)}
DARK = {"ground": (0.11, 0.12, 0.14), "bar": (0.16, 0.17, 0.2), "on_bar": (0.92, 0.92, 0.92), "ink": (0.92, 0.92, 0.92), "line": (0.36, 0.37, 0.42),
        "button": (0.24, 0.25, 0.3), "field": (0.08, 0.08, 0.1), "accent": (0.2, 0.6, 0.4), "faint": (0.6, 0.6, 0.64)}

MAIL = {**LIGHT, "bar": (0.86, 0.88, 0.93), "on_bar": (0.12, 0.13, 0.3), "accent": (0.72, 0.82, 1)}


def say(event, **facts):
    print(json.dumps({"event": event, **facts}, ensure_ascii=False), flush=True)


class Brush:
    """Paints one thing at a time in the colours of a look."""

    def __init__(self, context, look):
        self.context, self.look = context, look

    def colour(self, name):
        self.context.set_source_rgb(*self.look[name])

    def box(self, x, y, width, height, fill, line=None, radius=4):
        context = self.context
        context.new_sub_path()
        for number, (cx, cy) in enumerate(((x + width - radius, y + radius), (x + width - radius, y + height - radius),
                                           (x + radius, y + height - radius), (x + radius, y + radius))):
            context.arc(cx, cy, radius, (number - 1) * math.pi / 2, number * math.pi / 2)
        context.close_path()
        self.colour(fill)
        context.fill_preserve()
        if line:
            self.colour(line)
            context.set_line_width(1)
            context.stroke()
        context.new_path()

    def text(self, words, x, y, width, height, colour="ink", size=11, middle=False, bold=False):
        layout = PangoCairo.create_layout(self.context)
        layout.set_font_description(Pango.FontDescription(f"Sans {'Bold ' if bold else ''}{size}"))
        layout.set_text(words, -1)
        wide, high = layout.get_pixel_size()
        self.colour(colour)
        self.context.move_to(x + (width - wide) / 2 if middle else x, y + (height - high) / 2)
        PangoCairo.show_layout(self.context, layout)
        self.context.new_path()

    def icon(self, name, x, y, width, height, colour="on_bar"):
        context = self.context
        context.save()
        context.translate(x + width / 2, y + height / 2)
        context.scale(min(width, height) / 24, min(width, height) / 24)
        self.colour(colour)
        context.set_line_width(2)
        context.set_line_cap(cairo.LINE_CAP_ROUND)
        getattr(self, f"icon_{name}")(context)
        context.restore()
        context.new_path()

    def lines(self, context, *strokes):
        for first, *rest in strokes:
            context.move_to(*first)
            for point in rest:
                context.line_to(*point)
            context.stroke()

    def shape(self, context, *points):
        context.move_to(*points[0])
        for point in points[1:]:
            context.line_to(*point)
        context.close_path()
        context.fill()

    def icon_cross(self, context):
        self.lines(context, ((-6, -6), (6, 6)), ((-6, 6), (6, -6)))

    def icon_plus(self, context):
        self.lines(context, ((-7, 0), (7, 0)), ((0, -7), (0, 7)))

    def icon_menu(self, context):
        self.lines(context, ((-8, -6), (8, -6)), ((-8, 0), (8, 0)), ((-8, 6), (8, 6)))

    def icon_gear(self, context):
        for number in range(8):
            context.save()
            context.rotate(number * math.pi / 4)
            context.rectangle(-2, -10, 4, 5)
            context.fill()
            context.restore()
        context.set_line_width(3.5)
        context.arc(0, 0, 5, 0, 2 * math.pi)
        context.stroke()

    def icon_trash(self, context):
        self.lines(context, ((-8, -6), (8, -6)), ((-3, -6), (-3, -9), (3, -9), (3, -6)), ((-6, -6), (-5, 9), (5, 9), (6, -6)),
                   ((-2, -2), (-2, 6)), ((2, -2), (2, 6)))

    def icon_star(self, context):
        points = [(math.sin(k * math.pi / 5) * (10 if k % 2 == 0 else 4), -math.cos(k * math.pi / 5) * (10 if k % 2 == 0 else 4)) for k in range(10)]
        self.shape(context, *points)

    def icon_search(self, context):
        context.arc(-2, -2, 6, 0, 2 * math.pi)
        context.stroke()
        self.lines(context, ((3, 3), (8, 8)))

    def icon_play(self, context):
        self.shape(context, (-6, -9), (9, 0), (-6, 9))

    def icon_next(self, context):
        self.shape(context, (-8, -8), (4, 0), (-8, 8))
        self.lines(context, ((7, -7), (7, 7)))

    def icon_previous(self, context):
        self.shape(context, (8, -8), (-4, 0), (8, 8))
        self.lines(context, ((-7, -7), (-7, 7)))

    def icon_speaker(self, context):
        self.shape(context, (-9, -3), (-4, -3), (1, -8), (1, 8), (-4, 3), (-9, 3))
        for radius in (4, 8):
            context.arc(2, 0, radius, -0.9, 0.9)
            context.stroke()

    def icon_heart(self, context):
        context.move_to(0, 8)
        context.curve_to(-14, -2, -7, -12, 0, -5)
        context.curve_to(7, -12, 14, -2, 0, 8)
        context.fill()

    def icon_pen(self, context):
        self.lines(context, ((-8, 8), (-6, 2), (4, -8), (8, -4), (-2, 6), (-8, 8)))

    def icon_clip(self, context):
        self.lines(context, ((5, -4), (5, 4), (1, 8), (-3, 8), (-6, 4), (-6, -5), (-3, -8), (0, -8), (2, -5), (2, 3), (0, 5), (-2, 3), (-2, -3)))

    def icon_envelope(self, context):
        self.lines(context, ((-9, -6), (9, -6), (9, 6), (-9, 6), (-9, -6), (0, 2), (9, -6)))

    def icon_back(self, context):
        self.lines(context, ((9, 0), (-8, 0)), ((-2, -6), (-8, 0), (-2, 6)))

    # Things with words.
    def label(self, words, *place):
        self.text(words, *place)

    def title(self, words, *place):
        self.text(words, *place, size=14, bold=True)

    def bar(self, _, *place):
        self.box(*place, "bar", radius=0)

    def on_bar(self, words, *place):
        self.text(words, *place, colour="on_bar", size=13, bold=True)

    def button(self, words, *place):
        self.box(*place, "button", "line")
        self.text(words, *place, middle=True)

    def main_button(self, words, *place):
        self.box(*place, "accent")
        self.text(words, *place, middle=True, colour="on_bar", bold=True)

    def link(self, words, *place):
        self.text(words, *place, colour="accent")

    def field(self, words, *place):
        self.box(*place, "field", "line")
        self.text(words, place[0] + 8, *place[1:])

    def empty_field(self, words, *place):
        self.box(*place, "field", "line")
        self.text(words, place[0] + 8, *place[1:], colour="faint")

    def drop_down(self, words, x, y, width, height):
        self.box(x, y, width, height, "button", "line")
        self.text(words, x + 8, y, width, height)
        self.colour("ink")
        self.shape(self.context, (x + width - 20, y + height / 2 - 3), (x + width - 8, y + height / 2 - 3), (x + width - 14, y + height / 2 + 4))

    def check(self, words, x, y, width, height, on=False):
        self.box(x, y + height / 2 - 8, 16, 16, "accent" if on else "field", "line", 3)
        if on:
            self.context.set_line_width(2)
            self.colour("on_bar")
            self.lines(self.context, ((x + 4, y + height / 2), (x + 7, y + height / 2 + 4), (x + 12, y + height / 2 - 4)))
        self.text(words, x + 24, y, width, height)

    def checked(self, words, *place):
        self.check(words, *place, on=True)

    def radio(self, words, x, y, width, height, on=False):
        for radius, colour in ((8, "line"), (7, "field")) + (((4, "accent"),) if on else ()):
            self.colour(colour)
            self.context.arc(x + 8, y + height / 2, radius, 0, 2 * math.pi)
            self.context.fill()
        self.text(words, x + 24, y, width, height)

    def radio_on(self, words, *place):
        self.radio(words, *place, on=True)

    def chosen(self, words, x, y, width, height):
        self.box(x, y, width, height, "accent")
        self.text(words, x + 12, y, width, height, colour="on_bar")

    def item(self, words, x, y, width, height):
        self.text(words, x + 12, y, width, height)

    def slider(self, words, x, y, width, height):
        part = float(words)
        self.box(x, y + height / 2 - 2, width, 4, "line", radius=2)
        self.box(x, y + height / 2 - 2, width * part, 4, "accent", radius=2)
        self.colour("on_bar")
        self.context.arc(x + width * part, y + height / 2, 7, 0, 2 * math.pi)
        self.context.fill()

    def panel(self, _, *place):
        self.box(*place, "bar", "line", 8)


def form():
    """(kind, name, words, x, y, width, height); kinds that begin with `icon` have no words."""
    things = [("bar", "header", "", 0, 0, 800, 48), ("on_bar", "heading", "客户登记 Customers", 20, 0, 300, 48),
              ("icon_plus", "plus", "", 610, 12, 24, 24), ("icon_trash", "trash", "", 656, 12, 24, 24),
              ("icon_gear", "gear", "", 702, 12, 24, 24), ("icon_cross", "cross", "", 756, 12, 24, 24)]
    for row, (name, words, kind, inside) in enumerate((("user", "用户名", "field", "zhangsan"), ("password", "Password", "field", "••••••"),
                                                       ("phone", "电话", "empty_field", ""), ("country", "Country", "drop_down", "China"))):
        top = 70 + 44 * row
        things += [("label", f"{name}-label", words, 24, top, 90, 30), (kind, name, inside, 130, top, 230, 30)]
    things += [("checked", "remember", "Remember me", 24, 250, 150, 26), ("check", "mail", "接收邮件", 200, 250, 120, 26),
               ("radio_on", "man", "男", 24, 284, 60, 26), ("radio", "woman", "女", 110, 284, 60, 26),
               ("empty_field", "search", "搜索客户…", 420, 70, 356, 32)]
    for row, person in enumerate(("Anna Berg", "李伟", "Tom Fox")):
        top = 120 + 44 * row
        things += [("label", f"person-{row}", person, 420, top, 140, 32), ("link", f"edit-{row}", "Edit", 596, top, 40, 32),
                   ("button", f"delete-{row}", "Delete", 676, top, 100, 32)]
    return things + [("main_button", "submit", "提交", 24, 400, 120, 36), ("button", "cancel", "Cancel", 160, 400, 120, 36),
                     ("button", "help", "帮助", 656, 400, 120, 36)]


def player():
    things = [("bar", "header", "", 0, 0, 900, 52), ("icon_menu", "menu", "", 16, 14, 24, 24), ("icon_back", "back", "", 60, 14, 24, 24),
              ("empty_field", "search", "Search music", 240, 10, 380, 32), ("icon_search", "magnifier", "", 640, 14, 24, 24),
              ("icon_gear", "gear", "", 812, 14, 24, 24), ("icon_cross", "close", "", 860, 14, 24, 24), ("title", "library", "音乐库", 20, 66, 140, 32)]
    for row, (name, words) in enumerate((("songs", "歌曲"), ("albums", "专辑"), ("artists", "Artists"), ("lists", "播放列表"), ("recent", "最近播放"))):
        things.append(("chosen" if name == "albums" else "item", name, words, 12, 104 + 38 * row, 170, 32))
    for row, (song, artist) in enumerate((("Blue Train", "Coltrane"), ("月亮代表我的心", "邓丽君"), ("Waterloo", "ABBA"), ("夜曲", "周杰伦"))):
        top = 76 + 52 * row
        things += [("label", f"song-{row}", song, 220, top, 170, 36), ("label", f"artist-{row}", artist, 400, top, 110, 36),
                   ("icon_heart", f"heart-{row}", "", 540, top + 7, 22, 22), ("button", f"play-{row}", "播放", 600, top, 110, 36),
                   ("button", f"queue-{row}", "Add to queue", 730, top, 150, 36)]
    things += [("checked", "repeat", "循环播放", 220, 310, 120, 28), ("check", "shuffle", "Shuffle", 380, 310, 120, 28),
               ("drop_down", "quality", "High quality", 540, 308, 170, 32)]
    return things + [("bar", "footer", "", 0, 440, 900, 60), ("icon_previous", "previous", "", 30, 456, 28, 28), ("icon_play", "play", "", 80, 454, 32, 32),
                     ("icon_next", "next", "", 134, 456, 28, 28), ("slider", "progress", "0.35", 200, 456, 420, 28),
                     ("icon_speaker", "speaker", "", 660, 456, 28, 28), ("slider", "volume", "0.7", 710, 456, 150, 28)]


def mail():
    things = [("bar", "header", "", 0, 0, 940, 48), ("icon_menu", "menu", "", 14, 12, 24, 24), ("on_bar", "heading", "我的邮箱", 56, 0, 160, 48),
              ("icon_search", "magnifier", "", 780, 12, 24, 24), ("icon_envelope", "envelope", "", 832, 12, 24, 24), ("icon_gear", "gear", "", 892, 12, 24, 24),
              ("main_button", "write", "写邮件", 16, 64, 150, 36)]
    for row, (name, words) in enumerate((("inbox", "收件箱 (3)"), ("starred", "星标邮件"), ("drafts", "Drafts"), ("sent", "已发送"), ("junk", "Junk"), ("bin", "已删除"))):
        things.append(("chosen" if name == "inbox" else "item", name, words, 12, 112 + 36 * row, 158, 30))
    for row, (sender, subject, time) in enumerate((("陈静", "会议改到周四下午", "09:12"), ("Bank of Harbour", "Your statement is ready", "08:40"),
                                                   ("妈妈", "周末回家吃饭吗", "Sun"), ("Peter Lane", "Photos from the trip", "Sat"))):
        top = 64 + 46 * row
        things += [("checked" if row == 2 else "check", f"tick-{row}", "", 196, top, 18, 36), ("icon_star", f"star-{row}", "", 224, top + 7, 22, 22),
                   ("label", f"sender-{row}", sender, 262, top, 140, 36), ("label", f"subject-{row}", subject, 412, top, 230, 36),
                   ("label", f"time-{row}", time, 660, top, 60, 36), ("button", f"reply-{row}", "Reply", 726, top + 2, 90, 32),
                   ("button", f"archive-{row}", "归档", 828, top + 2, 96, 32)]
    return things + [("label", "to-label", "收件人", 196, 262, 70, 30), ("field", "to", "chenjing@example.cn", 280, 262, 360, 30),
                     ("label", "subject-label", "Subject", 196, 302, 70, 30), ("empty_field", "subject", "", 280, 302, 360, 30),
                     ("empty_field", "body", "在此输入正文…", 196, 344, 560, 96), ("icon_clip", "clip", "", 772, 350, 28, 28),
                     ("checked", "receipt", "请求回执", 660, 262, 110, 30), ("check", "urgent", "Urgent", 790, 262, 110, 30),
                     ("drop_down", "signature", "个人签名", 660, 302, 150, 30), ("main_button", "send", "发送", 196, 452, 110, 36),
                     ("button", "save-draft", "存草稿", 320, 452, 110, 36), ("button", "discard", "Discard", 444, 452, 110, 36)]


def dialog():
    return [("panel", "dialog", "", 250, 110, 400, 230), ("on_bar", "dialog-title", "新建播放列表", 274, 122, 200, 36),
            ("icon_cross", "dialog-close", "", 612, 128, 24, 24), ("label", "dialog-name-label", "名称", 274, 176, 60, 32),
            ("field", "dialog-name", "", 350, 176, 270, 32), ("checked", "dialog-public", "公开", 274, 226, 120, 28),
            ("button", "dialog-cancel", "取消", 400, 286, 100, 36), ("main_button", "dialog-create", "创建", 520, 286, 100, 36)]


class Painting(Gtk.DrawingArea):
    def __init__(self, things, look, size, brush=Brush):
        super().__init__()
        self.things, self.look, self.brush, self.open, self.field = things, look, brush, False, None
        self.set_size_request(*size)
        self.connect("draw", self.paint)
        self.add_events(Gdk.EventMask.BUTTON_PRESS_MASK)
        self.connect("button-press-event", self.press)

    def shown(self):
        return self.things + (dialog() if self.open else [])

    def paint(self, _, context):
        brush = self.brush(context, self.look)
        brush.colour("ground")
        context.paint()
        for kind, _, words, *place in self.shown():
            if kind.startswith("icon_"):
                brush.icon(kind[5:], *place)
            else:
                getattr(brush, kind)(words, *place)

    def tell(self):
        _, left, top = self.get_window().get_origin()
        for _, name, _, x, y, width, height in self.shown():
            say("place", thing=name, place=[left + x, top + y, width, height])

    def change(self, name, kind, words=None):
        self.things = [(kind, name, one[2] if words is None else words, *one[3:]) if one[1] == name else one for one in self.things]
        self.queue_draw()

    def press(self, _, event):
        if event.type != Gdk.EventType.BUTTON_PRESS:  # GTK tells of double clicks as well
            return
        kind, name = next(((kind, name) for kind, name, _, x, y, width, height in reversed(self.shown())
                           if x <= event.x < x + width and y <= event.y < y + height), (None, None))
        self.field = name if kind in ("field", "empty_field") else None
        if kind in ("check", "checked"):
            self.change(name, "check" if kind == "checked" else "checked")
        elif kind == "radio":
            for other in [one[1] for one in self.things if one[0] == "radio_on"]:
                self.change(other, "radio")
            self.change(name, "radio_on")
        say("clicked", thing=name, now={one[1]: one[0] for one in self.shown()}.get(name))

    def key(self, _, event):
        letter = chr(Gdk.keyval_to_unicode(event.keyval) or 0)
        if self.field and letter.isprintable():
            words = next(one[2] for one in self.shown() if one[1] == self.field) + letter
            self.change(self.field, "field", words)
            say("typed", thing=self.field, text=words)
        elif letter == "d":
            self.open = not self.open
            self.queue_draw()
            self.tell()


def show(name, things, look, size, brush=Brush):
    window = Gtk.Window(title=f"Painted {name}", resizable=False)
    painting = Painting(things, look, size, brush)
    window.add(painting)
    window.connect("destroy", Gtk.main_quit)
    window.connect("key-press-event", painting.key)
    window.show_all()

    def ready():
        painting.tell()
        say("ready")

    GLib.timeout_add(400, ready)
    Gtk.main()


if __name__ == "__main__":
    show(sys.argv[1], *{"form": (form(), LIGHT, (800, 460)), "player": (player(), DARK, (900, 500)), "mail": (mail(), MAIL, (940, 504))}[sys.argv[1]])
