#!/usr/bin/python3
"""Paints a messenger or a map, as painted_studio.py does its own: on no accessibility bus, saying where each thing is, one JSON
object a line on stdout. The key d opens and closes a dialog."""
import math
import sys

import painted_form
from painted_form import DARK, LIGHT, show
from painted_studio import StudioBrush

CHAT = {**LIGHT, "ground": (1, 1, 1), "bar": (0.95, 0.96, 0.97), "on_bar": (0.22, 0.24, 0.28), "accent": (0.42, 0.74, 0.5)}
MAP = {**DARK, "accent": (0.2, 0.55, 0.85)}


class ChatBrush(StudioBrush):
    """Knows what people send, and where they go."""

    def icon_phone(self, context):
        context.set_line_width(4)
        self.ring(context, 8, -8, 13, math.pi * 0.58, math.pi * 0.92)
        self.lines(context, ((-5, -5), (-6, -8)), ((5, 5), (8, 6)))

    def icon_video(self, context):
        context.rectangle(-10, -6, 13, 12)
        context.fill()
        self.shape(context, (5, -1), (10, -5), (10, 5), (5, 1))

    def icon_smiley(self, context):
        self.ring(context, 0, 0, 9)
        self.ring(context, 0, 1, 5, 0.3, math.pi - 0.3)
        for x in (-3, 3):
            context.arc(x, -3, 1.3, 0, 2 * math.pi)
            context.fill()

    def icon_mic(self, context):
        self.box_path(context, -3, -10, 6, 12)
        self.ring(context, 0, -1, 6.5, 0, math.pi)
        self.lines(context, ((0, 6), (0, 10)), ((-4, 10), (4, 10)))

    def box_path(self, context, x, y, width, height):
        context.new_sub_path()
        context.arc(x + width / 2, y + width / 2, width / 2, math.pi, 2 * math.pi)
        context.arc(x + width / 2, y + height - width / 2, width / 2, 0, math.pi)
        context.close_path()
        context.fill()

    def icon_plane(self, context):
        self.shape(context, (-10, -9), (11, 0), (-10, 9), (-7, 1), (3, 0), (-7, -1))

    def icon_picture(self, context):
        self.lines(context, ((-9, -8), (9, -8), (9, 8), (-9, 8), (-9, -8)), ((-9, 5), (-3, -1), (2, 4), (5, 1), (9, 5)))
        context.arc(4, -4, 1.8, 0, 2 * math.pi)
        context.fill()

    def icon_pin(self, context):
        context.arc(0, -3, 6.5, math.pi * 0.85, math.pi * 2.15)
        context.line_to(0, 10)
        context.close_path()
        context.stroke()
        context.arc(0, -3, 2.2, 0, 2 * math.pi)
        context.fill()

    def icon_minus(self, context):
        self.lines(context, ((-7, 0), (7, 0)))

    def icon_home(self, context):
        self.lines(context, ((-10, 0), (0, -9), (10, 0)), ((-7, -2), (-7, 9), (7, 9), (7, -2)), ((-2, 9), (-2, 3), (2, 3), (2, 9)))

    def icon_target(self, context):
        self.ring(context, 0, 0, 6)
        self.lines(context, ((0, -10), (0, -6)), ((0, 6), (0, 10)), ((-10, 0), (-6, 0)), ((6, 0), (10, 0)))

    def icon_layers(self, context):
        self.lines(context, ((0, -9), (10, -4), (0, 1), (-10, -4), (0, -9)), ((-10, 1), (0, 6), (10, 1)))

    def icon_swap(self, context):
        self.lines(context, ((-4, 9), (-4, -8)), ((-8, -4), (-4, -8), (0, -4)), ((5, -9), (5, 8)), ((1, 4), (5, 8), (9, 4)))

    def mine(self, words, x, y, width, height):
        self.box(x, y, width, height, "accent", radius=10)
        self.text(words, x + 12, y, width, height)

    def theirs(self, words, x, y, width, height):
        self.box(x, y, width, height, "bar", radius=10)
        self.text(words, x + 12, y, width, height)


def chat():
    """People at the left, their words at the right, pictures above and below these."""
    things = [("bar", "left", "", 0, 0, 250, 560), ("icon_menu", "menu", "", 14, 14, 22, 22), ("empty_field", "find", "Search chats", 48, 10, 150, 30), ("icon_pen", "new-chat", "", 212, 14, 22, 22)]
    for row, (name, words) in enumerate((("nina", "Nina Park"), ("group", "羽毛球群"), ("oskar", "Oskar"), ("mum", "老妈"), ("work", "Project Lynx"))):
        things.append(("chosen" if name == "group" else "item", f"chat-{name}", words, 8, 54 + 48 * row, 234, 42))
    things += [("icon_home", "home", "", 24, 524, 22, 22), ("icon_person", "people", "", 84, 524, 22, 22), ("icon_bell", "bell", "", 144, 524, 22, 22), ("icon_gear", "gear", "", 204, 524, 22, 22),
               ("bar", "head", "", 251, 0, 609, 52), ("on_bar", "who", "羽毛球群", 270, 0, 150, 52), ("icon_search", "lens", "", 660, 14, 24, 24), ("icon_phone", "call", "", 710, 14, 24, 24),
               ("icon_video", "video", "", 760, 14, 24, 24), ("icon_dots", "dots", "", 814, 14, 24, 24),
               ("theirs", "line-1", "周六下午三点，老地方？", 270, 76, 220, 38), ("theirs", "line-2", "I will bring the shuttles", 270, 130, 230, 38),
               ("mine", "line-3", "好的，我订场地", 680, 184, 150, 38), ("link", "retry", "重发", 630, 184, 40, 38), ("theirs", "line-4", "投票：几点开始？", 270, 240, 300, 34),
               ("radio", "vote-2", "14:00", 284, 278, 80, 26), ("radio_on", "vote-3", "15:00", 384, 278, 80, 26), ("radio", "vote-4", "16:00", 484, 278, 80, 26),
               ("button", "vote", "投票", 284, 312, 90, 30), ("faint_button", "end-vote", "结束投票", 390, 312, 110, 30)]
    for number, name in enumerate(("smiley", "picture", "clip", "scissors", "mic")):
        things.append((f"icon_{name}", name, "", 270 + 44 * number, 424, 24, 24))
    return things + [("empty_field", "words", "Write a message…", 264, 458, 500, 40), ("icon_plane", "plane", "", 786, 464, 28, 28),
                     ("checked", "enter", "按 Enter 发送", 264, 514, 150, 28), ("check", "burn", "阅后即焚", 440, 514, 120, 28), ("button", "close", "关闭会话", 740, 512, 104, 32)]


def journey():
    """A route at the left, a map with pictures over it at the right."""
    things = [("field", "map", "", 300, 0, 600, 540), ("icon_menu", "menu", "", 14, 16, 24, 24), ("title", "heading", "Route planner", 52, 12, 160, 32), ("icon_cross", "cross", "", 262, 16, 24, 24)]
    for number, (kind, name, words) in enumerate((("tab_on", "drive", "驾车"), ("tab", "bus", "公交"), ("tab", "walk", "步行"), ("tab", "bike", "Bike"))):
        things.append((kind, f"tab-{name}", words, 10 + 70 * number, 54, 66, 32))
    things += [("label", "from-label", "起点", 14, 100, 44, 32), ("field", "from", "Central Station", 60, 100, 190, 32), ("label", "to-label", "终点", 14, 140, 44, 32), ("empty_field", "to", "", 60, 140, 190, 32),
               ("icon_swap", "swap", "", 262, 124, 24, 24), ("checked", "toll", "避开收费", 14, 186, 110, 26), ("check", "motorway", "No motorways", 140, 186, 140, 26),
               ("main_button", "go", "开始导航", 14, 224, 130, 36), ("button", "stop", "添加途经点", 156, 224, 130, 36), ("title", "saved", "收藏地点", 14, 276, 120, 30)]
    for row, (name, words) in enumerate((("home", "家"), ("office", "Office"), ("gym", "健身房"), ("library", "City library"))):
        top = 312 + 42 * row
        things += [("icon_pin", f"pin-{name}", "", 16, top + 6, 22, 22), ("label", f"place-{name}", words, 50, top, 120, 34), ("icon_pen", f"pen-{name}", "", 214, top + 6, 22, 22), ("icon_trash", f"bin-{name}", "", 258, top + 6, 22, 22)]
    things += [("link", "more", "显示全部", 16, 490, 80, 28), ("empty_field", "find", "搜索地点", 330, 16, 300, 36), ("icon_search", "lens", "", 644, 22, 24, 24), ("icon_star", "star", "", 690, 22, 24, 24),
               ("icon_layers", "layers", "", 850, 22, 26, 26), ("icon_target", "here", "", 850, 400, 26, 26), ("icon_plus", "in", "", 850, 446, 26, 26), ("icon_minus", "out", "", 850, 486, 26, 26)]
    return things + [("checked", "traffic", "实时路况", 330, 496, 110, 28), ("check", "satellite", "Satellite", 460, 496, 110, 28), ("slider", "tilt", "0.3", 600, 496, 180, 28)]


def dialog():
    return [("panel", "dialog", "", 270, 120, 380, 240), ("on_bar", "dialog-title", "新建群聊", 292, 132, 160, 36), ("icon_cross", "dialog-cross", "", 612, 138, 24, 24), ("label", "dialog-name-label", "群名称", 292, 182, 70, 32),
            ("field", "dialog-name", "", 376, 182, 250, 32), ("checked", "dialog-nina", "Nina Park", 292, 228, 120, 28), ("check", "dialog-oskar", "Oskar", 430, 228, 90, 28), ("check", "dialog-mum", "老妈", 540, 228, 80, 28),
            ("link", "dialog-more", "从通讯录添加", 292, 264, 120, 28), ("button", "dialog-cancel", "取消", 400, 308, 100, 36), ("main_button", "dialog-create", "完成", 520, 308, 100, 36)]


if __name__ == "__main__":
    painted_form.dialog = dialog
    show(sys.argv[1], *{"chat": (chat(), CHAT, (860, 560)), "map": (journey(), MAP, (900, 540))}[sys.argv[1]], ChatBrush)
