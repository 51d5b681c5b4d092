"""What an answer to a description is worth. Pure: it knows neither programs nor tools."""
import collections
import dataclasses
import json
import math
import pathlib

from truth import contains

HERE = pathlib.Path(__file__).resolve().parent
KINDS = {"name", "synonym", "role", "relation", "ordinal", "position", "state", "icon", "containment", "mixed"}
LANGUAGES = {"en", "zh", "mixed"}
EXPECTED = {"there", "absent", "ambiguous"}
# The bar: of all confident answers, this part is right.
LEAST_PRECISION = 0.95
VERDICTS = ("right", "not found", "wrong, unsure", "confidently wrong")


@dataclasses.dataclass
class Answer:
    """The best candidate: its centre, whether the answer is meant to be acted upon without a second look, and the centres of
    the first five candidates."""
    point: tuple | None = None
    confident: bool = False
    said: str = ""
    points: tuple = ()


@dataclasses.dataclass
class Outcome:
    program: str
    target: dict
    verdict: str
    answer: Answer
    places: list

    @property
    def right(self):
        return self.verdict == "right"

    @property
    def is_there(self):
        return self.target.get("expect", "there") == "there"

    @property
    def is_among_first(self):
        return any(contains(place, point) for place in self.places for point in self.answer.points)

    @property
    def is_confident(self):
        return self.answer.confident and self.answer.point is not None


def load(name):
    scenes = json.loads((HERE / f"{name}.json").read_text())["scenes"]
    return scenes


def targets(scenes):
    return [(scene["program"], target) for scene in scenes for target in scene["targets"]]


def judge(target, places, answer):
    """The verdict on one answer. `places` are where the target is; of what is absent or ambiguous there are none, and any
    answer without confidence is right."""
    wrong = "confidently wrong" if answer.confident else "wrong, unsure"
    if target.get("expect", "there") != "there":
        return "confidently wrong" if answer.point and answer.confident else "right"
    if answer.point is None:
        return "not found"
    return "right" if any(contains(place, answer.point) for place in places) else wrong


@dataclasses.dataclass
class Score:
    """Counts: descriptions, those of something that is there, and how the answers did."""
    count: int = 0
    there: int = 0
    first_right: int = 0
    among_first: int = 0
    confident: int = 0
    confident_right: int = 0

    @property
    def precision(self):
        return self.confident_right / self.confident if self.confident else math.nan

    @property
    def confidently_wrong(self):
        return self.confident - self.confident_right

    @property
    def is_enough(self):
        return self.confident > 0 and self.precision >= LEAST_PRECISION


def score(outcomes):
    total = Score()
    for each in outcomes:
        total.count += 1
        total.there += each.is_there
        total.first_right += each.is_there and each.right
        total.among_first += each.is_there and each.is_among_first
        total.confident += each.is_confident
        total.confident_right += each.is_confident and each.is_there and each.right
    return total


def by(outcomes, key):
    groups = collections.defaultdict(list)
    for each in outcomes:
        groups[key(each)].append(each)
    return {name: score(groups[name]) for name in sorted(groups)}


def part(count, whole):
    return f"{count:>5} ({100 * count / whole:3.0f} %)" if whole else f"{count:>5}        "


def row(name, each):
    return (f"{name:<24}{each.count:>6}{part(each.confident, each.count):>14}{part(each.confident_right, each.confident):>14}"
            f"{part(each.first_right, each.there):>14}{part(each.among_first, each.there):>14}")


def table(outcomes):
    """The whole result as text: all, by kind, by language, by program."""
    lines = [f"{'':<24}{'said':>6}{'confident':>14}{'of them right':>14}{'first right':>14}{'in first 5':>14}", row("all", score(outcomes))]
    for title, key in (("kind", lambda each: each.target["kind"]), ("language", lambda each: each.target["language"]),
                       ("program", lambda each: each.program)):
        lines += ["", f"by {title}", *(row(f"  {name}", each) for name, each in by(outcomes, key).items())]
    total = score(outcomes)
    return "\n".join([*lines, "", f"{total.count} descriptions: {total.confident} answers are confident, and {total.confident_right} of these are "
                      f"right ({100 * total.precision:.1f} %)"])


def misses(outcomes):
    return "\n".join(f"{each.verdict:<18} {each.program:<20} {each.target['kind']:<12} {each.target['say']!r}\n"
                     f"{'':<18} truth {each.target.get('truth', each.target.get('expect'))} at {each.places}; answered {each.answer.point}"
                     f"{' for certain' if each.answer.confident else ''}: {each.answer.said}" for each in outcomes if not each.right)
