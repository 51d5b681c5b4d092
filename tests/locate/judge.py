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
# What must hold: of the targets that are there, and of all descriptions.
LEAST_RIGHT, MOST_CONFIDENTLY_WRONG = 0.90, 0.02
VERDICTS = ("right", "not found", "wrong, unsure", "confidently wrong")


@dataclasses.dataclass
class Answer:
    """The best candidate: its centre, and whether the answer is meant to be acted upon without a second look."""
    point: tuple | None = None
    confident: bool = False
    said: str = ""


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
    """Counts of verdicts; `there` are targets that exist, `else_` those that do not or are not one."""
    there: collections.Counter
    other: collections.Counter

    @property
    def count(self):
        return self.there.total() + self.other.total()

    @property
    def right_part(self):
        return self.there["right"] / self.there.total() if self.there.total() else math.nan

    @property
    def confidently_wrong(self):
        return self.there["confidently wrong"] + self.other["confidently wrong"]

    @property
    def confidently_wrong_part(self):
        return self.confidently_wrong / self.count if self.count else math.nan

    @property
    def is_enough(self):
        return self.count > 0 and self.right_part >= LEAST_RIGHT and self.confidently_wrong_part <= MOST_CONFIDENTLY_WRONG


def score(outcomes):
    there, other = collections.Counter(), collections.Counter()
    for each in outcomes:
        (there if each.is_there else other)[each.verdict] += 1
    return Score(there, other)


def by(outcomes, key):
    groups = collections.defaultdict(list)
    for each in outcomes:
        groups[key(each)].append(each)
    return {name: score(groups[name]) for name in sorted(groups)}


def row(name, each):
    part = f"{100 * each.right_part:5.1f} %" if each.there.total() else "      -"
    counts = "".join(f"{each.there[verdict]:>10}" for verdict in VERDICTS)
    others = f"{each.other['right']:>8} of {each.other.total():<3}" if each.other.total() else "          -   "
    return f"{name:<24}{each.there.total():>6}{counts}{part:>10}{others}"


def table(outcomes):
    """The whole result as text: all, by kind, by language, by program."""
    lines = [f"{'':<24}{'there':>6}{'right':>10}{'not found':>10}{'unsure':>10}{'conf. wr.':>10}{'right':>10}   others left alone",
             row("all", score(outcomes))]
    for title, key in (("kind", lambda each: each.target["kind"]), ("language", lambda each: each.target["language"]),
                       ("program", lambda each: each.program)):
        lines += ["", f"by {title}", *(row(f"  {name}", each) for name, each in by(outcomes, key).items())]
    total = score(outcomes)
    return "\n".join([*lines, "", f"{total.count} descriptions: {100 * total.right_part:.1f} % of {total.there.total()} targets found, "
                      f"{total.confidently_wrong} answers confidently wrong ({100 * total.confidently_wrong_part:.1f} %), "
                      f"{total.other['right']} of {total.other.total()} that are not there or not one thing left alone"])


def misses(outcomes):
    return "\n".join(f"{each.verdict:<18} {each.program:<20} {each.target['kind']:<12} {each.target['say']!r}\n"
                     f"{'':<18} truth {each.target.get('truth', each.target.get('expect'))} at {each.places}; answered {each.answer.point}"
                     f"{' for certain' if each.answer.confident else ''}: {each.answer.said}" for each in outcomes if not each.right)
