"""Programs that change by themselves, at any time: nothing of that may ever confirm an action."""
import os
import random
import signal
import threading

import pytest

from test_effect import TOOLKITS, effects  # noqa: F401 (a fixture)

NOTHING = ("no_effect", "unverified")
CLICKS = {"gtk3": 30, "gtk4": 12, "qt5": 15}


class Stalls:
    """A program that gets the processor for a moment at a time, as on a machine that has too much to do."""

    def __init__(self, pid, seed=1):
        self.pid, self.random, self.over = pid, random.Random(seed), threading.Event()
        self.thread = threading.Thread(target=self.run)

    def run(self):
        while not self.over.is_set():
            os.kill(self.pid, signal.SIGSTOP)
            self.over.wait(self.random.uniform(0.05, 0.6))
            os.kill(self.pid, signal.SIGCONT)
            self.over.wait(self.random.uniform(0.02, 0.2))

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.thread.join()


@pytest.fixture
def shared_desk(watchful_desk):
    return watchful_desk


@pytest.mark.parametrize("toolkit", TOOLKITS)
def test_a_program_that_stalls_confirms_nothing(effects, toolkit):  # noqa: F811
    program = effects(toolkit, "clock", "title")
    seen = []
    with Stalls(program.process.pid):
        for turn in range(12):
            seen.append(program.click(["dead", "answer", "locked button"][turn % 3]))
    assert [effect for effect in seen if effect["verdict"] not in NOTHING] == []


@pytest.mark.parametrize("habit", ["seconds", "clock", "quick", "now and then"])
@pytest.mark.parametrize("toolkit", TOOLKITS)
def test_what_changes_at_any_time_confirms_nothing(effects, toolkit, habit):  # noqa: F811
    """Clicks as quick as they can be done: most changes fall right after one."""
    program = effects(toolkit, habit)
    seen = [program.click(["dead", "answer", "locked button"][turn % 3]) for turn in range(CLICKS[toolkit])]
    assert [effect for effect in seen if effect["verdict"] not in NOTHING] == []


@pytest.mark.parametrize("toolkit", ["gtk3", "qt5"])
def test_the_first_click_into_a_window_is_judged_by_its_elements(effects, toolkit):  # noqa: F811
    """A busy machine may be too slow for that; then the first click into another window shows it."""
    seen = []
    for _ in range(6):
        program = effects(toolkit)
        seen.append(program.click("label"))
        program.stop()
        if seen[-1]["verdict"] == "confirmed":
            break
    assert seen[-1]["verdict"] == "confirmed" and "answer 1" in seen[-1]["why"], seen
