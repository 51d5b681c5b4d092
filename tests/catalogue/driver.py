"""Runs rows of the catalogue through the public door and asks their witnesses. It decides what came of a row; it knows
nothing of any program or tool."""
import dataclasses
import json
import pathlib
import subprocess
import sys
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "e2e"))
from handfast import FULL_AUTO, SLOW, Desk, eventually, finish  # noqa: E402
from programs import PROGRAMS, ReaderProcess  # noqa: E402
from witnesses import witness  # noqa: E402

WITNESS_SECONDS = 6
QUIET_SECONDS = 0.7
MEANWHILE_SECONDS = 0.4
ENABLE = ["gdbus", "call", "--session", "-d", "org.a11y.Bus", "-o", "/org/a11y/bus", "-m", "org.freedesktop.DBus.Properties.Set",
          "org.a11y.Status", "IsEnabled", "<true>"]


class CatalogueDesk(Desk):
    def __init__(self):
        super().__init__("--virtual", "--size", "1600x1000", "--private-home",
                         config={**FULL_AUTO, "takeover": {"enabled": False}})

    def spawn_piped(self, *command):
        return self.spawn(*command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


@dataclasses.dataclass
class Outcome:
    """What came of a row: `got` is done, nothing, a code, or what else went wrong."""
    program: str
    toolkit: str
    row: dict
    got: str
    verdict: str = ""
    detail: str = ""
    why: str = ""

    @property
    def right(self):
        return self.got in self.row["expect"].split("|") and not self.false_confirmation

    @property
    def false_confirmation(self):
        return self.verdict == "confirmed" and self.got != "done"

    @property
    def missed(self):
        return self.verdict == "no_effect" and self.got == "done"


def load_rows(name):
    rows = json.loads((HERE / "rows" / f"{name}.json").read_text())
    for row in rows:
        row.setdefault("expect", "done")
    return rows


def is_possible(row, tools):
    """Whether the program under test has the tools and parameters that a row calls for."""
    steps = [*row.get("first", []), *row["do"], *row.get("meanwhile", [])]
    ours = {"at", "at_from", "at_to"}
    return all(tool in tools and set(params) - ours - {"timeout_ms"} <= tools[tool] for tool, params in steps)


def fill(program, params):
    """Places become coordinates, and $words what they stand for."""
    filled = {}
    for key, value in params.items():
        if key == "at":
            filled["x"], filled["y"] = program.point(value)
        elif key in ("at_from", "at_to"):
            filled[f"{key[3:]}_x"], filled[f"{key[3:]}_y"] = program.point(value)
        elif value == "$window":
            filled[key] = program.window
        elif isinstance(value, dict):
            filled[key] = fill(program, value)
        else:
            filled[key] = value
    return filled


def perform(program, steps, bridge):
    """Makes the calls one after the other; the last answer, or the first that failed."""
    answer = {"ok": True, "result": {}}
    for tool, params in steps:
        answer = bridge.answer(tool, fill(program, params))
        if not answer["ok"]:
            break
    return answer


def act(program, row):
    """The calls of the row; with `meanwhile`, other calls are made while the first of them is under way."""
    bridge = program.desk.main_bridge
    if "meanwhile" not in row:
        return perform(program, row["do"], bridge)
    answers, other = [], program.desk.connect()
    waiting = threading.Thread(target=lambda: answers.append(perform(program, row["do"], other)))
    waiting.start()
    time.sleep(MEANWHILE_SECONDS)
    early = not waiting.is_alive()
    meant = perform(program, row["meanwhile"], bridge)
    waiting.join()
    other.close()
    if early and answers[0]["ok"]:
        return {"ok": False, "error": {"code": "TOO_EARLY", "message": "it came back before anything had happened"}}
    return answers[0] if meant["ok"] else meant


def was_witnessed(asked, before, seconds):
    try:
        eventually(lambda: asked.holds(before), seconds)
        return True
    except AssertionError:
        return False


def verdict_of(answer):
    """What the last call said of its own effect, and why; tools that only look say nothing of it."""
    effect = answer.get("effect", {})
    return effect.get("verdict", ""), effect.get("why", "")


def run_row(program, row):
    asked = witness(program, row["witness"])
    result = lambda *facts: Outcome(program.name, program.toolkit, row, *facts)  # noqa: E731
    try:
        first = perform(program, row.get("first", []), program.desk.main_bridge)
        if not first["ok"]:
            return result("not prepared", "", str(first["error"]))
        before = asked.before()
        if asked.holds(before):
            return result("so before", "", asked.seen())
        program.saved_at = 0
        answer = act(program, row)
        outcome = result(*judge(row, asked, before, answer))
        if not outcome.right:
            outcome.detail += program.fate()
        return outcome
    except AssertionError as error:
        return result("no place", "", f"{error}{program.fate()}")
    finally:
        tidy(program, row)


def judge(row, asked, before, answer):
    """What the row came to, the verdict that was given, what was seen, and what the verdict rests on."""
    if not answer["ok"]:
        error = answer["error"]
        happened = asked.holds(before)
        return error["code"] + (" but done" if happened else ""), "refused", error["message"]
    seconds = WITNESS_SECONDS if "done" in row["expect"] else QUIET_SECONDS / SLOW
    done = was_witnessed(asked, before, seconds)
    got = "done" if done else "nothing"
    verdict, why = verdict_of(answer)
    return got, verdict, "" if got in row["expect"].split("|") else asked.seen(), why


def tidy(program, row):
    try:
        perform(program, row.get("after", []), program.desk.main_bridge)
    except AssertionError:
        pass


def run_program(desk, reader, kind, chosen=lambda row: True, tell=lambda outcome: None):
    rows = [row for row in load_rows(kind.name) if chosen(row)]
    if not rows:
        return []
    program, outcomes = kind(desk, reader), []
    try:
        for row in rows:
            outcomes.append(run_row(program, row))
            tell(outcomes[-1])
    finally:
        program.stop()
    return outcomes


class Catalogue:
    """A desk and a reader for as long as the rows run."""

    def __enter__(self):
        self.desk = CatalogueDesk()
        subprocess.run(ENABLE, env=self.desk.desktop_environment(), check=True, stdout=subprocess.DEVNULL)
        self.reader = ReaderProcess(self.desk)
        described = json.loads(self.desk.cli("tools", "--json", check=True).stdout)
        self.tools = {tool["name"]: set(tool["params"]["properties"]) for tool in described}
        return self

    def __exit__(self, *_):
        self.reader.stop()
        finish(self.desk)

    def run(self, names=(), chosen=lambda row: True, **options):
        """The outcomes of the rows that are chosen and possible."""
        for kind in PROGRAMS:
            if not names or kind.name in names:
                yield from run_program(self.desk, self.reader, kind,
                                       chosen=lambda row: chosen(row) and is_possible(row, self.tools), **options)

    def waiting(self):
        """The rows that no tool is there for."""
        return [row for kind in PROGRAMS for row in load_rows(kind.name) if not is_possible(row, self.tools)]
