"""When text still reads: the screens of truth.py as callers are sent them, in some qualities, without colours and smaller, read by our
own reading. Usage: legible.py BUILD FOLDER [--count N]; FOLDER has the screens (truth.py --folder makes them). The table in
docs/pictures.md comes from it."""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import truth  # noqa: E402

# Quality, grey, scale.
WAYS = [("png", 0, 1), ("png", 1, 1), (90, 0, 1), (80, 0, 1), (70, 0, 1), (50, 0, 1), (30, 0, 1), (80, 1, 1), (70, 1, 1), (50, 1, 1), (30, 1, 1),
        ("png", 0, 0.75), ("png", 1, 0.75), (80, 0, 0.75), (50, 1, 0.75), ("png", 1, 0.5), (80, 0, 0.5)]


def scaled_back(page, scale):
    for word in truth.read_words(page):
        word["bounds"] = {name: value / scale for name, value in word["bounds"].items()}
    return page


def measure(build, pictures, way, folder):
    """(Score of small text, of the rest, bytes)"""
    quality, grey, scale = way
    sent = [folder / f"{path.stem}.sent" for path in pictures]
    for path, to in zip(pictures, sent):
        subprocess.run([build / "tests/ocr/send-picture", str(quality), str(grey), str(scale), path, to], check=True)
    read = subprocess.run([build / "tests/ocr/read-pictures", *sent], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    scores = {"small": truth.Score(), "rest": truth.Score()}
    for path, line in zip(pictures, read, strict=True):
        told, score = truth.score_screen(path, scaled_back(json.loads(line), scale))
        scores["small" if told["size"] <= 12 else "rest"].add(score)
    return scores["small"], scores["rest"], sum(to.stat().st_size for to in sent)


def share(found, of):
    return f"{100 * found / of:5.1f} %" if of else "      -"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--count", type=int)
    options = parser.parse_args()
    pictures = sorted(options.folder.glob("*.png"))[: options.count]
    whole = None
    for way in WAYS:
        with tempfile.TemporaryDirectory() as folder:
            small, rest, size = measure(options.build, pictures, way, pathlib.Path(folder))
        whole = whole or size
        cells = [cell for score in (small, rest) for cell in (share(score.words_found, score.words), share(score.letters_found, score.letters))]
        print(f"{way[0]}{', grey' if way[1] else ''}{f', scale {way[2]}' if way[2] != 1 else ''}".ljust(28), *cells,
              f"{100 * size / whole:4.0f} %", sep=" | ", flush=True)


if __name__ == "__main__":
    main()
