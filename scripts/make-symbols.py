#!/usr/bin/env python3
"""Learns symbols from the icons of many sets and writes data/symbols.json, and the icons that its test is held against.

    npm install --prefix ICONS <the packages of scripts/symbols/icons.py>
    apt install python3-numpy libopenblas0-pthread python3-gi-cairo gir1.2-rsvg-2.0
    scripts/make-symbols.py ICONS/node_modules            learns, validates, and writes both files
    scripts/make-symbols.py ICONS/node_modules --validate says how well what was learnt does on the sets that are held out

Nothing is learnt from the sets that are held out, and the files that are checked in are made the same way: what the test
says of them holds for icons that were never seen. Needed only to learn anew; the program reads what was written.
"""
import argparse
import base64
import collections
import json
import pathlib
import random
import sys

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "scripts" / "symbols"))
import icons  # noqa: E402
import learn  # noqa: E402
import looks  # noqa: E402

DATA = ROOT / "data" / "symbols.json"
HELD_OUT = ROOT / "tests" / "unit" / "data" / "symbols.json"
# Answers of the hidden layer; how often each icon is varied, at most so often that a concept has so many; rounds.
HIDDEN, MOST_VARIED, PER_CONCEPT, FOREIGN_VARIED, EPOCHS = 224, 14, 260, 4, 14
# Icons of other things, for each set.
FOREIGN = 900
# Of what is held out, how many are checked in, and at which size.
KEPT, KEPT_FOREIGN, KEPT_SIZE = 260, 80, 20
SIZES = (16, 20, 24, 32)
COLOURS = ((0xFFFFFF, 0x202020), (0x2A3A5C, 0xFFFFFF))
FONTS = ["DejaVu Sans", "DejaVu Serif", "Liberation Sans", "Noto Sans CJK SC"]
HELD_OUT_FONTS = ["Liberation Serif", "Cantarell"]
# Without those that are symbols as well: B, I, U, T, X, v, i, ?, !
LETTERS = list("ACDEFGHJKLMNPQRSWYZabcdefghjkmnpqrstuwyz023456789&§")
WORDS = ["OK", "File", "Edit", "View", "on", "Save", "12", "3.5", "to", "ms", "新", "文", "件", "保", "存", "编", "辑", "设", "置", "用",
         "户", "我", "的", "搜", "返回", "No", "Yes", "A4", "px", "kB", "CN", "EN", "GO", "10", "25", "99", "Ag"]
HELD_OUT_WORDS = ["Open", "Hi", "Tab", "删", "除", "号", "Fn", "32"]


def load(folder, concepts, held_out):
    """The icons of the sets that are held out, or of the others, drawn finely."""
    families = [name for name, each in icons.SETS.items() if each[3] == held_out]
    found = icons.load(folder, concepts, families)
    random.Random(5).shuffle(found)
    foreign, kept = collections.Counter(), []
    for icon in found:
        foreign[icon.family] += not icon.concept
        if not icon.concept and foreign[icon.family] > (120 if held_out else FOREIGN):
            continue
        icon.fine = icons.render(icon.text)
        if icon.fine is not None:
            kept.append(icon)
    return kept


def make_lessons(found, concepts):
    """What is learnt: looks, and which concept each shows."""
    dice = numpy.random.default_rng(1)
    number = {name: place for place, name in enumerate(concepts.names)}
    often = collections.Counter(icon.concept for icon in found)
    seen, truth = [], []
    drawn = [(icon.fine, number.get(icon.concept, len(number)),
              max(3, min(MOST_VARIED, round(PER_CONCEPT / often[icon.concept]))) if icon.concept else FOREIGN_VARIED)
             for icon in found]
    drawn += [(letter, len(number), 5) for letter in icons.letters(FONTS, LETTERS + WORDS)]
    for fine, concept, times in drawn:
        for _ in range(times):
            numbers = looks.vary(fine, dice)
            if numbers is not None:
                seen.append(numbers.astype(numpy.float16))
                truth.append(concept)
    return numpy.array(seen).astype(numpy.float32), numpy.array(truth)


def make_trial(held_out, concepts, size):
    """The icons that are held out, at one size, in two pairs of colours and a little beside the pixels."""
    dice = numpy.random.default_rng(size)
    number = {name: place for place, name in enumerate(concepts.names)}
    drawn = [(icon.fine, number.get(icon.concept, len(number))) for icon in held_out]
    drawn += [(letter, len(number)) for letter in icons.letters(HELD_OUT_FONTS, LETTERS + HELD_OUT_WORDS)]
    seen, truth = [], []
    for fine, concept in drawn:
        for colours in COLOURS:
            part = looks.shrink(fine.astype(numpy.float32) / 255, size, (1, 1), tuple(dice.choice(numpy.linspace(-0.4, 0.4, 9), 2)))
            numbers = looks.look_at(part, *colours)
            if numbers is not None:
                seen.append(numbers)
                truth.append(concept)
    return numpy.array(seen), numpy.array(truth)


def validate(network, held_out, concepts):
    for size in SIZES:
        seen, truth = make_trial(held_out, concepts, size)
        figures = learn.judge(network.answer(seen), truth, len(concepts.names))
        print(f"{size} px: " + ", ".join(f"{name} {100 * figure:.1f} %" for name, figure in figures.items()))


def lines_of(data, width=100):
    text = base64.b64encode(data).decode()
    return [text[begin:begin + width] for begin in range(0, len(text), width)]


def write(network, concepts):
    sources = [f"{package} ({licence})" for package, licence, _, held_out in icons.SETS.values() if not held_out]
    data = {"about": "What icons look like, learnt by scripts/make-symbols.py from those of the sets below; to be made "
                     "anew, not to be edited. Font Awesome Free is by Fonticons, Inc.",
            "sets": sources, "names": concepts.names, "also": concepts.also, "hidden": network.weights[1].shape[0],
            "weights": lines_of(network.pack())}
    DATA.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n")


def write_held_out(held_out):
    """Some of them, chosen by lot, in 16 greys: two to a byte."""
    dice = random.Random(11)
    chosen = dice.sample([icon for icon in held_out if icon.concept], KEPT)
    chosen += dice.sample([icon for icon in held_out if not icon.concept], KEPT_FOREIGN)
    rows = []
    for icon in chosen:
        part = looks.shrink(icon.fine.astype(numpy.float32) / 255, KEPT_SIZE)[3:-3, 3:-3]
        greys = numpy.rint(numpy.clip(part, 0, 1) * 15).astype(numpy.uint8).ravel()
        packed = base64.b64encode((greys[::2] << 4 | greys[1::2]).tobytes()).decode()
        rows.append(json.dumps([icon.concept, f"{icon.family}/{icon.name}", packed]))
    sources = [f"{package} ({licence})" for package, licence, _, held in icons.SETS.values() if held]
    about = (f"Icons that nothing was learnt from, {KEPT_SIZE} pixels large, in 16 greys, two to a byte; \"\": none of the "
             "symbols. Made by scripts/make-symbols.py.")
    HELD_OUT.write_text('{\n "about": ' + json.dumps(about) + ',\n "sets": ' + json.dumps(sources)
                        + f',\n "size": {KEPT_SIZE},\n "icons": [\n  ' + ",\n  ".join(rows) + "\n ]\n}\n")


def read():
    """What was written, as it is read: with the weights that are kept."""
    data = json.loads(DATA.read_text())
    return Kept(base64.b64decode("".join(data["weights"])), data["hidden"], len(data["names"]) + 1)


class Kept:
    """The network out of data/symbols.json."""

    def __init__(self, data, hidden, answers):
        filled = (looks.NUMBERS + 15) // 16 * 16
        kinds = [("<f4", looks.NUMBERS), ("<f4", looks.NUMBERS), ("i1", filled * hidden), ("<f4", hidden),
                 ("<f4", hidden), ("i1", hidden * answers), ("<f4", answers), ("<f4", answers)]
        parts, at = [], 0
        for kind, count in kinds:
            parts.append(numpy.frombuffer(data, kind, count, at))
            at += parts[-1].nbytes
        self.mean, self.scale = parts[0], parts[1]
        self.first = parts[2].reshape(hidden, filled)[:, :looks.NUMBERS].T * parts[3]
        self.second = parts[5].reshape(answers, hidden).T * parts[6]
        self.biases = parts[4], parts[7]

    def answer(self, seen):
        inner = numpy.maximum((seen - self.mean) * self.scale @ self.first + self.biases[0], 0)
        return learn.soften(inner @ self.second + self.biases[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", help="node_modules with the icon sets")
    parser.add_argument("--validate", action="store_true", help="write nothing")
    options = parser.parse_args()
    concepts = icons.Concepts(ROOT / "scripts" / "symbols" / "concepts.json")
    held_out = load(options.folder, concepts, True)
    if not options.validate:
        seen, truth = make_lessons(load(options.folder, concepts, False), concepts)
        print(f"{len(seen)} looks of {len(concepts.names)} symbols")
        network = learn.Network(seen, len(concepts.names) + 1, HIDDEN)
        network.learn(seen, truth, EPOCHS)
        write(network, concepts)
        write_held_out(held_out)
    validate(read(), held_out, concepts)


if __name__ == "__main__":
    main()
