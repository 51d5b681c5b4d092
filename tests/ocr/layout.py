"""What the screens of the ground truth show: where which text stands, in which font, size and colour. Two sets that share no
text, mostly other sizes and other fonts, so that what was tuned on one can be judged on the other."""
import pathlib
import random

TEXTS = pathlib.Path(__file__).parent / "texts"
WIDTH, HEIGHT = 1280, 800
PAINTERS = ("gtk", "qt", "chromium", "xterm")
SETS = {
    "tune": {"seed": 11, "sizes": (9, 11, 12, 14, 17, 20), "fonts": ("DejaVu Sans", "Nimbus Sans"),
             "chinese": ("Noto Sans CJK SC",), "mono": "DejaVu Sans Mono"},
    "test": {"seed": 23, "sizes": (9, 10, 12, 13, 15, 16, 18, 24), "fonts": ("DejaVu Sans", "Noto Sans CJK SC", "Nimbus Sans Narrow", "DejaVu Serif"),
             "chinese": ("Noto Sans CJK SC", "Noto Serif CJK SC"), "mono": "DejaVu Sans Mono"},
}
# Background, plain text, faint text, link, then fields: background and text.
LIGHT = [{"ground": "#ffffff", "text": ["#1a1a1a", "#2e3436", "#5f6368", "#1a56c4"], "fields": [("#f2f2f2", "#202020"), ("#1a73e8", "#ffffff"), ("#e8f0fe", "#174ea6")]},
         {"ground": "#f6f5f4", "text": ["#000000", "#333333", "#6b6b6b", "#a51d2d"], "fields": [("#ffffff", "#2e3436"), ("#26a269", "#ffffff"), ("#ddd9d4", "#241f31")]}]
DARK = [{"ground": "#1e1e1e", "text": ["#ffffff", "#d4d4d4", "#9da5b4", "#4fc1ff"], "fields": [("#3c3c3c", "#eeeeee"), ("#0e639c", "#ffffff"), ("#2d2d30", "#dcdcaa")]},
        {"ground": "#242a38", "text": ["#eceff4", "#c8d0e0", "#98a2b8", "#ffcc66"], "fields": [("#3b4252", "#e5e9f0"), ("#bf616a", "#ffffff"), ("#161a24", "#a3be8c")]}]


def lines(name):
    return [line.strip() for line in (TEXTS / name).read_text().splitlines() if line.strip()]


def advance(text, size):
    """At most so wide, in any of the fonts."""
    return sum(size * (1.02 if ord(each) > 0x2E80 else 0.72) for each in text) + 2


class Screen:
    """One screen of items that do not touch each other: columns of labels, buttons, fields and tables."""

    def __init__(self, rules, texts, painter, language, dark, size, seed):
        self.random = random.Random(seed)
        self.painter, self.language, self.size, self.texts = painter, language, size, texts
        self.theme = self.random.choice(DARK if dark else LIGHT)
        self.font = rules["mono"] if painter == "xterm" else self.random.choice(rules["fonts"])
        self.chinese = "Noto Sans Mono CJK SC" if painter == "xterm" else self.random.choice(rules["chinese"])

    def text_for(self, width):
        choice = [text for text in self.texts if advance(text, self.size) <= width - 24]
        return self.random.choice(choice) if choice else None

    def item(self, x, y, width, kind):
        text = self.text_for(width)
        if not text:
            return None
        ground, colour = self.theme["ground"], self.random.choices(self.theme["text"], (4, 4, 1, 1))[0]
        if kind != "label":
            ground, colour = self.random.choice(self.theme["fields"])
        return {"kind": kind, "x": x, "y": y, "text": text, "ground": ground, "colour": colour, "bold": kind == "label" and self.random.random() < 0.1}

    def column(self, x, width):
        y = 8
        pitch = round(self.size * self.random.choice((1.7, 2.0, 2.6)))
        while y + pitch + 12 < HEIGHT:
            kind = self.random.choices(("label", "button", "field"), (8, 2, 1))[0]
            item = self.item(x, y, width, kind)
            if item:
                yield item
            y += pitch if kind == "label" else round(self.size * 1.5) + 18

    def spec(self):
        items, x = [], 10
        while x < WIDTH - 120:
            width = min(self.random.choice((160, 240, 330, 420, 520)) * max(12, self.size) // 12, WIDTH - x - 8)
            items += self.column(x, width)
            x += width + 14
        return {"painter": self.painter, "language": self.language, "size": self.size, "font": self.font, "chinese": self.chinese,
                "width": WIDTH, "height": HEIGHT, "ground": self.theme["ground"], "items": items}


def screens(name, least=60):
    """The specifications of a set: every painter, both themes, all sizes, English, Chinese and both."""
    rules = SETS[name]
    english, chinese = lines(f"{name}-en.txt"), lines(f"{name}-zh.txt")
    texts = {"en": english, "zh": chinese, "mixed": english + chinese}
    number = 0
    while number < least:
        for size in rules["sizes"]:
            for painter in PAINTERS:
                language = ("en", "zh", "mixed")[(number // 4 + number) % 3]
                yield Screen(rules, texts[language], painter, language, (number // 4 + number // 8) % 2, size, rules["seed"] * 1000 + number).spec()
                number += 1
