"""Icons of the sets that symbols are learnt from: which there are, what each shows, and what it looks like."""
import json
import pathlib
import re

import cairo
import gi
import numpy

gi.require_version("Rsvg", "2.0")
from gi.repository import Rsvg  # noqa: E402

# Pixels along an edge of what an icon is drawn at, to be made smaller later.
FINE = 96
STYLES = r"(outline|outlined|filled|fill|line|sharp|round|solid|regular|bold|light|thin|duotone|twotone|two-tone)"

# Name: package of npm (of Remix the last version under that licence), licence, where its pictures are, whether nothing is learnt from it.
SETS = {
    "lucide": ("lucide-static", "ISC", ["icons/*.svg"], False),
    "mdi": ("@mdi/svg", "Apache-2.0", ["svg/*.svg"], False),
    "bootstrap": ("bootstrap-icons", "MIT", ["icons/*.svg"], False),
    "tabler": ("@tabler/icons", "MIT", ["icons/outline/*.svg", "icons/filled/*.svg"], False),
    "remix": ("remixicon@4.5.0", "Apache-2.0", ["icons/*/*.svg"], False),
    "fa": ("@fortawesome/fontawesome-free", "CC-BY-4.0", ["svgs/solid/*.svg", "svgs/regular/*.svg"], False),
    "feather": ("feather-icons", "MIT", ["dist/icons/*.svg"], False),
    "ion": ("ionicons", "MIT", ["dist/svg/*.svg"], False),
    "hero": ("heroicons", "MIT", ["24/outline/*.svg", "24/solid/*.svg", "16/solid/*.svg"], False),
    "material": ("@material-design-icons/svg", "Apache-2.0",
                 ["filled/*.svg", "outlined/*.svg", "round/*.svg", "sharp/*.svg"], False),
    "phosphor": ("@phosphor-icons/core", "MIT",
                 ["assets/light/*.svg", "assets/regular/*.svg", "assets/bold/*.svg", "assets/fill/*.svg"], False),
    "ant": ("@ant-design/icons-svg", "MIT", ["inline-svg/outlined/*.svg", "inline-svg/filled/*.svg"], False),
    "fluent": ("@fluentui/svg-icons", "MIT", ["icons/*_20_regular.svg", "icons/*_20_filled.svg"], False),
    "iconoir": ("iconoir", "MIT", ["icons/regular/*.svg", "icons/solid/*.svg"], False),
    "ep": ("@iconify-json/ep", "MIT", ["icons.json"], False),
    "carbon": ("@carbon/icons", "Apache-2.0", ["svg/32/*.svg"], True),
    "eva": ("eva-icons", "MIT", ["fill/svg/*.svg", "outline/svg/*.svg"], True),
    "octicons": ("@primer/octicons", "MIT", ["build/svg/*-16.svg", "build/svg/*-24.svg"], True),
    "boxicons": ("boxicons", "MIT", ["svg/regular/*.svg", "svg/solid/*.svg"], True),
}


class Icon:
    """One picture: `concept` is what it shows, "" when that is none of ours, None when it is too near to one."""

    def __init__(self, family, name, text):
        self.family, self.name, self.text = family, name, text
        self.concept = None
        self.fine = None


def base_name(family, name):
    """What the set calls it, without the endings that tell how it is drawn."""
    name = re.sub(r"([a-z0-9])([A-Z])", r"\1-\2", name).lower().replace("_", "-").replace("--", "-")
    if family == "boxicons":
        name = re.sub(r"^bxs?-", "", name)
    if family == "octicons":
        name = re.sub(r"-\d\d$", "", name)
    if family == "fluent":
        name = re.sub(r"-20-(regular|filled)$", "", name)
    if family in ("remix", "phosphor", "bootstrap", "ion", "eva", "octicons", "ep", "mdi"):
        name = re.sub(rf"-{STYLES}$", "", name)
    return name


class Concepts:
    """Which words of which sets mean what."""

    def __init__(self, path):
        self.words = {}
        data = json.loads(pathlib.Path(path).read_text())
        concepts = data["concepts"]
        self.names, self.also = list(concepts), data["also"]
        self.parts = set(data["near"].split())
        for concept, words in concepts.items():
            for word in words.split():
                self._add(concept, word)

    def _add(self, concept, word):
        match = re.match(r"([^@!]+)([@!]?)(.*)$", word)
        base, how, sets = match[1], match[2], match[3].split(",")
        self.parts.update(part for part in base.split("-") if len(part) > 2)
        for family in SETS:
            if not how or (family in sets) == (how == "@"):
                known = self.words.setdefault((family, base), concept)
                if known != concept and how == "@":
                    self.words[family, base] = concept

    def find(self, family, name):
        """The concept; "" for an icon of something else; None for what has to do with a concept."""
        base = base_name(family, name)
        if name.isupper():
            return None  # keys of a keyboard
        for word in (base, base if family == "carbon" else re.sub(r"-\d$", "", base)):
            if (family, word) in self.words:
                return self.words[family, word]
        return None if self.parts & set(base.split("-")) else ""


def _files(folder, family):
    package, _, patterns, _ = SETS[family]
    root = pathlib.Path(folder) / re.sub(r"(.)@.*", r"\1", package)
    for pattern in patterns:
        for path in sorted(root.glob(pattern)):
            if path.suffix == ".json":
                data = json.loads(path.read_text())
                size = f'{data.get("width", 16)} {data.get("height", 16)}'
                for name, icon in data["icons"].items():
                    yield name, f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}">{icon["body"]}</svg>'
            else:
                yield path.stem, path.read_text()


def load(folder, concepts, families):
    """All icons of these sets that show one of the concepts, or something that has nothing to do with any."""
    icons = []
    for family in families:
        for name, text in _files(folder, family):
            icon = Icon(family, name, text)
            icon.concept = concepts.find(family, name)
            if icon.concept is not None:
                icons.append(icon)
    return icons


def render(text, size=FINE):
    """How much is painted where, from 0 to 255; None for what cannot be drawn."""
    text = text.replace("currentColor", "#000")
    match = re.search(r'viewBox="([^"]+)"', text)
    try:
        handle = Rsvg.Handle.new_from_data(text.encode())
    except gi.repository.GLib.Error:
        return None
    surface = cairo.ImageSurface(cairo.FORMAT_A8, size, size)
    context = cairo.Context(surface)
    box = Rsvg.Rectangle()
    numbers = [float(part) for part in re.split(r"[ ,]+", match[1].strip())] if match else [0, 0, 1, 1]
    longer = max(numbers[2], numbers[3])
    box.width, box.height = size * numbers[2] / longer, size * numbers[3] / longer
    box.x, box.y = (size - box.width) / 2, (size - box.height) / 2
    handle.render_document(context, box)
    surface.flush()
    pixels = numpy.frombuffer(surface.get_data(), numpy.uint8).reshape(size, surface.get_stride())[:, :size]
    return pixels.copy() if 40 < pixels.sum() / 255 < 0.97 * size * size else None


def letters(fonts, characters):
    """Pictures of letters and short words, which are no symbols."""
    for font in fonts:
        for weight in (cairo.FONT_WEIGHT_NORMAL, cairo.FONT_WEIGHT_BOLD):
            for text in characters:
                surface = cairo.ImageSurface(cairo.FORMAT_A8, FINE, FINE)
                context = cairo.Context(surface)
                context.select_font_face(font, cairo.FONT_SLANT_NORMAL, weight)
                context.set_font_size(60 / max(1, len(text) * 0.6))
                extents = context.text_extents(text)
                context.move_to(FINE / 2 - extents.width / 2 - extents.x_bearing,
                                FINE / 2 - extents.height / 2 - extents.y_bearing)
                context.show_text(text)
                surface.flush()
                yield numpy.frombuffer(surface.get_data(), numpy.uint8).reshape(FINE, FINE).copy()
