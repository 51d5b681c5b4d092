"""The short form of `make locate-truth`: the judge is held to what it must say of an answerer that knows everything, of one that
guesses and of one that never answers; then element_locate is asked for the targets of the two quickest programs. These are of
the set that it was tuned on, so that nobody looks at the other one by accident."""
import pathlib
import random
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "locate"))
import run  # noqa: E402
from judge import EXPECTED, HERE, KINDS, LANGUAGES, Answer, judge, load, misses, score, table, targets  # noqa: E402
from truth import RULES, places  # noqa: E402

QUICK = ("galculator", "painted-form")


@pytest.fixture(scope="module")
def catalogue():
    with run.driver.Catalogue() as catalogue:
        yield catalogue


def knows_all(program, target):
    found = run.truth_of(program, target)
    middle = (found[0][0] + found[0][2] // 2, found[0][1] + found[0][3] // 2) if found else None
    return Answer(middle, True, points=(middle,)) if found else Answer()


def guesses(program, target, dice=random.Random(6)):
    return Answer((dice.randrange(run.SCREEN[0]), dice.randrange(run.SCREEN[1])), True)


def test_quick_programs(catalogue):
    scenes = [scene for scene in load("tune") if scene["program"] in QUICK]
    known, guessed, found = [], [], []
    for program, scene in run.started(scenes, catalogue.desk, catalogue.reader):
        known += run.run_scene(program, scene, knows_all)
        guessed += run.run_scene(program, scene, guesses)
        found += run.run_scene(program, scene, run.ask_handfast)
    assert len(known) == 20 and score(known).is_enough and score(known).precision == 1
    assert score(guessed).precision < 0.2 and not score(guessed).is_enough
    assert score(found).confidently_wrong == 0 and score(found).confident >= 5, f"{table(found)}\n{misses(found)}"


@pytest.mark.parametrize("expect, point, confident, verdict", [
    ("there", (15, 15), True, "right"), ("there", (15, 15), False, "right"), ("there", (10, 10), True, "right"),
    ("there", (30, 15), True, "confidently wrong"), ("there", (9, 15), False, "wrong, unsure"), ("there", None, False, "not found"),
    ("absent", None, False, "right"), ("absent", (15, 15), False, "right"), ("absent", (15, 15), True, "confidently wrong"),
    ("ambiguous", (15, 15), False, "right"), ("ambiguous", (15, 15), True, "confidently wrong")])
def test_verdicts(expect, point, confident, verdict):
    places = [[10, 10, 20, 20]] if expect == "there" else []
    assert judge({"expect": expect}, places, Answer(point, confident)) == verdict


class Told:
    """A program of which the reader tells these places, whatever it is asked for."""
    pid = 1

    def __init__(self, *told):
        self.told, self.reader = told, self

    def ask(self, do, pid, query):
        assert (do, pid, query) == ("find_all", 1, 'spin button "Copies of it" #1')
        return {"found": [{"place": place} for place in self.told]}


def test_a_part_of_an_element():
    rule = 'part: 76,-2,34,30 of spin button "Copies of it" #1'
    assert places(Told([100, 50, 110, 26]), rule) == [[176, 48, 34, 30]]
    assert places(Told(), rule) == []
    assert len(places(Told([0, 0, 9, 9], [20, 0, 9, 9]), rule)) == 2


@pytest.mark.parametrize("name", sorted(path.stem for path in HERE.glob("*.json")))
def test_data_is_whole(name):
    all_of_it = targets(load(name))
    assert all_of_it and [(wrong, target) for program, target in all_of_it if (wrong := find_mistake(program, target))] == []


def find_mistake(program, target):
    """What is wrong with an entry of the data, in a word."""
    expected = target.get("expect", "there")
    is_chinese = any("\u4e00" <= letter <= "\u9fff" for letter in target.get("say", ""))
    mistakes = {"program": program not in run.PROGRAMS, "say": not target.get("say"), "kind": target.get("kind") not in KINDS,
                "language": target.get("language") not in LANGUAGES or (target["language"] != "en") != is_chinese,
                "expect": expected not in EXPECTED, "truth": ("truth" in target) != (expected == "there"),
                "rule": target.get("truth", "tree: x").partition(": ")[0] not in RULES}
    return next((name for name, is_there in mistakes.items() if is_there), None)


@pytest.mark.parametrize("program, change, mistake", [
    ("galculator", {}, None), ("no-such-program", {}, "program"), ("galculator", {"say": ""}, "say"),
    ("galculator", {"kind": "guess"}, "kind"), ("galculator", {"language": "xx"}, "language"),
    ("galculator", {"say": "\u8ba1\u7b97"}, "language"), ("galculator", {"language": "zh"}, "language"),
    ("galculator", {"expect": "maybe"}, "expect"), ("galculator", {"expect": "absent"}, "truth"),
    ("galculator", {"truth": "somewhere: there"}, "rule")])
def test_mistakes_in_the_data_are_found(program, change, mistake):
    good = {"say": "the equals sign", "kind": sorted(KINDS)[0], "language": "en", "truth": 'tree: button "="'}
    assert find_mistake(program, {**good, **change}) == mistake


def test_the_test_set_is_large_and_its_own():
    """The bar is asserted on 200 targets; they are not those that were tuned on, and not all of one kind."""
    mine = targets(load("test"))
    there = [target for _, target in mine if "truth" in target]
    assert len(there) >= 200 and len(mine) - len(there) >= 20
    assert sum(target["language"] != "en" for _, target in mine) >= 0.4 * len(mine)
    assert {target["kind"] for _, target in mine} >= KINDS - {"mixed"}
    tuned = {(program, target["say"]) for name in ("tune", "tune2", "tune3", "tune7") for program, target in targets(load(name))}
    assert not tuned & {(program, target["say"]) for program, target in mine}
    assert not (run.TUNING | run.TUNING3).keys() & run.HELD_OUT.keys()


def test_the_blind_set_shares_no_program():
    """Nothing may have been tuned on a program of the blind set, nor tried on one for the other test set."""
    used = {scene["program"] for path in HERE.glob("*.json") if path.stem != "blind" for scene in load(path.stem)}
    blind = {scene["program"] for scene in load("blind")}
    assert blind == run.BLIND.keys() and not blind & used
