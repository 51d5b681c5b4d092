#!/usr/bin/env python3
"""`make locate-truth`: asks element_locate for described targets on real programs and judges the answers by where the programs
themselves say that these are.

--set NAME         which descriptions: tune, tune2, tune3 and tune7 may be tuned on; test (the default) and blind are held out
--only PROGRAM     those of one program; may be given several times
--count N          no more than so many scenes' targets in all, in the order of the file
--check            status 1 when fewer than 95 % of the confident answers are right
--check-truth      asks nothing: every truth must be one rectangle on the screen; --pictures FOLDER draws them
--misses FILE      writes what went wrong there instead of printing it; --totals prints no single target at all
--all FILE         writes every outcome there as a line of JSON, as it comes"""
import argparse
import json
import pathlib
import sys

from PIL import ImageDraw

from applications import APPLICATIONS
from blind import BLIND
from held_out import HELD_OUT
from judge import HERE, Answer, Outcome, judge, load, misses, score, table
from truth import places
from tuning import TUNING
from tuning3 import TUNING3
import driver
from handfast import eventually

SCREEN = (1600, 1000)
PROGRAMS = {**APPLICATIONS, **TUNING, **TUNING3, **HELD_OUT, **BLIND}


class BadTruth(Exception):
    """A rule that does not mean one rectangle on the screen."""


def read_answer(answer):
    """What element_locate answered, as the judge wants it."""
    if not answer["ok"]:
        return Answer(said=f"{answer['error']['code']}: {answer['error']['message']}")
    result = answer["result"]
    if not result.get("found") or not result.get("elements"):
        return Answer(said=result.get("reason", "not found"))
    best = result["elements"][0]
    said = {key: best.get(key) for key in ("role", "name", "confidence", "reasons", "source") if best.get(key)}
    points = tuple((each["center"]["x"], each["center"]["y"]) for each in result["elements"][:5])
    said |= {"reason": result.get("reason"), "understood": result.get("understood")}
    return Answer(points[0], result["confident"], json.dumps(said, ensure_ascii=False), points)


def ask_handfast(program, target):
    return read_answer(program.desk.answer("element_locate", description=target["say"]))


def is_one_on_screen(found):
    return len(found) == 1 and all((found[0][0] >= 0, found[0][1] >= 0, found[0][0] + found[0][2] <= SCREEN[0],
                                    found[0][1] + found[0][3] <= SCREEN[1]))


def truth_of(program, target):
    """Where the target is; it may take a moment until all is drawn. What is never one rectangle is a fault of the data."""
    if target.get("expect", "there") != "there":
        return []
    found = []

    def is_there():
        found[:] = places(program, target["truth"])
        return is_one_on_screen(found)

    try:
        eventually(is_there, 3)
    except AssertionError:
        raise BadTruth(f"{program.name}: {target['truth']} is at {found}") from None
    return found


def prepare(program, scene):
    program.desk.call("mouse_move", x=SCREEN[0] - 4, y=SCREEN[1] - 4)
    answer = driver.perform(program, scene.get("first", []), program.desk.main_bridge)
    assert answer["ok"], answer
    if "wait" in scene:
        eventually(lambda: places(program, scene["wait"]), 10, f"{scene['wait']} in {program.name}")
    program.desk.answer("wait_until", until="settled", max_ms=3000)


def draw(program, number, located, folder):
    """A picture of the scene with every truth in it."""
    picture, _ = program.desk.picture(format="png")
    across = picture.width / SCREEN[0]
    pen = ImageDraw.Draw(picture)
    for index, (_, found) in enumerate(located):
        for x, y, width, height in found:
            pen.rectangle([x * across, y * across, (x + width) * across, (y + height) * across], outline=(255, 0, 0))
            pen.text((x * across + 1, y * across + 1), str(index), fill=(255, 0, 255))
    picture.save(pathlib.Path(folder) / f"{number:02}-{program.name}.png")
    for index, (target, found) in enumerate(located):
        print(f"{index:3} {target['say']} -> {target.get('truth', target.get('expect'))} {found}")


def run_scene(program, scene, ask):
    for target in scene["targets"]:
        found = truth_of(program, target)
        answer = ask(program, target)
        yield Outcome(program.name, target, judge(target, found, answer), answer, found)


def leave_out(scene, error):
    print(f"left out, since it could not be prepared: {scene['program']}: {error!r}", file=sys.stderr, flush=True)


def started(scenes, desk, reader):
    """Each scene with its program; one after the other on the same program while it need not be started anew. A program that
    does not start here is named, and its scenes are left out."""
    program, missing = None, set()
    try:
        for scene in scenes:
            if scene["program"] in missing:
                continue
            try:
                if program is None or program.name != scene["program"] or scene.get("anew"):
                    if program:
                        program.stop()
                    program = None
                    program = PROGRAMS[scene["program"]](desk, reader)
                prepare(program, scene)
            except Exception as error:  # whatever a program does must not cost the results of all others
                leave_out(scene, error)
                missing.add(scene["program"])
                continue
            yield program, scene
            driver.perform(program, scene.get("after", []), desk.main_bridge)
    finally:
        if program:
            program.stop()


def chosen(arguments):
    scenes = [scene for scene in load(arguments.set) if not arguments.only or scene["program"] in arguments.only]
    left = arguments.count
    for scene in scenes if left else ():
        scene["targets"] = scene["targets"][:left]
        left -= len(scene["targets"])
    return [scene for scene in scenes if scene["targets"]]


def check_scene(program, scene, wrong):
    located = []
    for target in scene["targets"]:
        try:
            located.append((target, truth_of(program, target)))
        except BadTruth as error:
            wrong.append(str(error))
    return located


def check_truth(scenes, desk, reader, folder):
    wrong, count = [], 0
    for number, (program, scene) in enumerate(started(scenes, desk, reader)):
        located = check_scene(program, scene, wrong)
        count += len(located)
        print(f"{program.name}: {len(located)} truths", flush=True)
        if folder:
            draw(program, number, located, folder)
    print("\n".join([*wrong, f"{count} truths are one rectangle, or none on purpose; {len(wrong)} are not"]))
    return 1 if wrong else 0


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", choices=sorted(path.stem for path in HERE.glob("*.json")), default="test")
    parser.add_argument("--only", action="append")
    parser.add_argument("--count", type=int, default=0)
    for name in ("--check", "--check-truth", "--totals"):
        parser.add_argument(name, action="store_true")
    for name in ("--pictures", "--misses", "--all"):
        parser.add_argument(name)
    return parser.parse_args()


def tell(outcomes, arguments):
    print(table(outcomes))
    if arguments.misses:
        pathlib.Path(arguments.misses).write_text(f"{table(outcomes)}\n\n{misses(outcomes)}\n")
    elif not arguments.totals:
        print(misses(outcomes))


def keep(outcome, path):
    """Every outcome as a line of JSON, as it comes."""
    if path:
        line = {"program": outcome.program, "target": outcome.target, "verdict": outcome.verdict, "confident": outcome.is_confident,
                "among_first": outcome.is_among_first, "answer": outcome.answer.said}
        with open(path, "a") as file:
            print(json.dumps(line, ensure_ascii=False), file=file, flush=True)


def main():
    arguments = options()
    scenes = chosen(arguments)
    if not scenes:
        sys.exit("no such targets")
    with driver.Catalogue() as catalogue:
        if arguments.check_truth:
            status = check_truth(scenes, catalogue.desk, catalogue.reader, arguments.pictures)
            sys.exit(status)
        outcomes = []
        for program, scene in started(scenes, catalogue.desk, catalogue.reader):
            for outcome in run_scene(program, scene, ask_handfast):
                outcomes.append(outcome)
                keep(outcome, arguments.all)
    tell(outcomes, arguments)
    if arguments.check and not score(outcomes).is_enough:
        sys.exit(1)


if __name__ == "__main__":
    main()
