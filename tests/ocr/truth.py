"""How well screens are read of which every word is known: recall of English words and Chinese letters, how far boxes are off, and
what was taken for what. Usage: truth.py BUILD [--set tune|test] [--count N] [--check] [--folder DIR] [--misses N]

A word is a run of two or more letters and digits, as in the measurements of the peers; case does not count. It is found when it was
read within the row where it stands. Strict recall wants every word with its marks and its case. The set `tune` is what the reading
was tuned on; `test` has other texts and mostly other fonts and sizes, and decides."""
import argparse
import collections
import difflib
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import render  # noqa: E402

WORD_RECALL, LETTER_RECALL, BOX_PIXELS = 0.97, 0.95, 4


def english(text):
    return re.findall(r"[a-z0-9]{2,}", text.lower())


def chinese(text):
    return re.findall(r"[\u4e00-\u9fff]", text)


class Score:
    def __init__(self):
        self.words = self.words_found = self.strict = self.strict_found = self.letters = self.letters_found = 0
        self.extra = 0
        self.errors, self.confusion, self.misses = [], collections.Counter(), []

    def add(self, other):
        for name in ("words", "words_found", "strict", "strict_found", "letters", "letters_found", "extra"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.errors += other.errors
        self.confusion += other.confusion
        self.misses += other.misses

    def line(self):
        part = lambda found, all_: f"{found / all_:.4f}" if all_ else "     -"  # noqa: E731
        boxes = sorted(self.errors)
        far = f"{sum(error <= BOX_PIXELS for error in boxes) / len(boxes):.4f}" if boxes else "     -"
        return (f"words {part(self.words_found, self.words)} of {self.words:5d}   strict {part(self.strict_found, self.strict)}   "
                f"letters {part(self.letters_found, self.letters)} of {self.letters:5d}   boxes within {BOX_PIXELS} px {far}"
                f" (median {statistics.median(boxes) if boxes else 0:.0f}, p99 {boxes[int(len(boxes) * .99)] if boxes else 0})")


def rows_of(truth):
    rows = collections.defaultdict(list)
    for word in truth["words"]:
        rows[word["item"]].append(word)
    for words in rows.values():
        left, top = min(word["ink"][0] for word in words), min(word["ink"][1] for word in words)
        right, bottom = max(word["ink"][0] + word["ink"][2] for word in words), max(word["ink"][1] + word["ink"][3] for word in words)
        yield words, (left, top, right, bottom)


def read_words(page):
    return [word for block in page["blocks"] for line in block["lines"] for word in line["words"]]


def within(word, row):
    box = word["bounds"]
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    return row[0] - 3 < x < row[2] + 3 and row[1] - 4 < y < row[3] + 4


def box_error(ink, box):
    return max(abs(ink[0] - box["x"]), abs(ink[1] - box["y"]), abs(ink[0] + ink[2] - box["x"] - box["width"]), abs(ink[1] + ink[3] - box["y"] - box["height"]))


def confuse(score, wanted, got):
    matcher = difflib.SequenceMatcher(None, wanted, got, autojunk=False)
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind != "equal" and b - a <= 3 and d - c <= 3:
            score.confusion[(wanted[a:b].strip() or "∅", got[c:d].strip() or "∅")] += 1


def common(a, b):
    row = [0] * (len(b) + 1)
    for x in a:
        new = [0]
        for j, y in enumerate(b):
            new.append(row[j] + 1 if x == y else max(row[j + 1], new[j]))
        row = new
    return row[-1]


def score_row(score, words, got, name):
    wanted_text, got_text = " ".join(word["text"] for word in words), " ".join(word["text"] for word in got)
    wanted, found = collections.Counter(english(wanted_text)), collections.Counter(english(got_text))
    hits = sum((wanted & found).values())
    letters, read = chinese(wanted_text), chinese(got_text)
    letter_hits = common(letters, read)
    score.words += sum(wanted.values())
    score.words_found += hits
    score.letters += len(letters)
    score.letters_found += letter_hits
    plain = [word for word in words if word["text"].isascii()]
    score.strict += len(plain)
    score.strict_found += sum((collections.Counter(word["text"] for word in plain) & collections.Counter(word["text"] for word in got)).values())
    for word in words:
        same = [one for one in got if one["text"] == word["text"]]
        if same:
            score.errors.append(min(box_error(word["ink"], one["bounds"]) for one in same))
    if hits < sum(wanted.values()) or letter_hits < len(letters):
        score.misses.append((name, wanted_text, got_text))
        confuse(score, wanted_text.replace(" ", ""), got_text.replace(" ", ""))


def score_screen(path, page):
    truth = json.loads(path.with_suffix(".json").read_text())
    score, read = Score(), read_words(page)
    for words, row in rows_of(truth):
        score_row(score, words, [word for word in read if within(word, row)], path.stem)
    return truth, score


def tell(groups, total, options):
    for (kind, value), score in sorted(groups.items(), key=lambda entry: (entry[0][0], str(entry[0][1]).zfill(3))):
        print(f"{kind:8s} {str(value):9s} {score.line()}")
    print(f"{'all':18s} {total.line()}")
    print("confusion: " + "  ".join(f"{a}→{b} {count}" for (a, b), count in total.confusion.most_common(25)))
    for miss in total.misses[:: max(1, len(total.misses) // options.misses)][: options.misses] if options.misses else []:
        print("  missed:", *miss, sep="  ")


def check(total):
    """What must hold, each with whether it does."""
    within_limit = sum(error <= BOX_PIXELS for error in total.errors) / max(1, len(total.errors))
    return [(f"English words at least {WORD_RECALL}", total.words_found / max(1, total.words) >= WORD_RECALL),
            (f"Chinese letters at least {LETTER_RECALL}", total.letters_found / max(1, total.letters) >= LETTER_RECALL),
            (f"99 of 100 boxes within {BOX_PIXELS} px", within_limit >= 0.99)]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--set", default="test", choices=("tune", "test"))
    parser.add_argument("--count", type=int, help="only so many screens of the set")
    parser.add_argument("--folder", type=pathlib.Path, help="where the screens are kept; made when it is not there")
    parser.add_argument("--misses", type=int, default=0, help="show some rows that were misread")
    parser.add_argument("--check", action="store_true", help="fail when something that must hold does not")
    return parser.parse_args()


def main():
    options = arguments()
    folder = options.folder or pathlib.Path(tempfile.mkdtemp(prefix="hf-ocr-"))
    if not list(folder.glob("*.png")):
        render.render(options.set, folder, options.count)
    pictures = sorted(folder.glob("*.png"))[: options.count]
    read = subprocess.run([options.build / "tests/ocr/read-pictures", *pictures], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    total, groups = Score(), collections.defaultdict(Score)
    for path, line in zip(pictures, read, strict=True):
        truth, score = score_screen(path, json.loads(line))
        total.add(score)
        for kind in ("painter", "size", "language"):
            groups[(kind, truth[kind])].add(score)
    print(f"{len(pictures)} screens of the set {options.set}")
    tell(groups, total, options)
    held = check(total)
    for text, holds in held:
        print(f"{'holds ' if holds else 'FAILS '} {text}")
    return 0 if all(holds for _, holds in held) or not options.check else 1


if __name__ == "__main__":
    sys.exit(main())
