"""Takeover: a person's own input on a desktop makes the agent step back at once, and only that."""
import contextlib
import threading
import time

import Xlib.X
import Xlib.XK
import Xlib.ext.xtest
import pytest

from handfast import FULL_AUTO, SLOW, eventually
from human import Human
from screen import Screen
from test_stop import begin, ended, held, holds, resume, witness

QUIET = 0.8


@pytest.fixture
def taken(own_desk):
    """A desk where a person has to be quiet for a short while only."""
    return own_desk(config={**FULL_AUTO, "takeover": {"quiet_s": QUIET * SLOW}})


@contextlib.contextmanager
def human(desk, desktop="main"):
    person = Human(desk.desktop_environment(desktop))
    try:
        yield person
    finally:
        person.close()


ACTS = {
    "a key": lambda person: person.chord(Xlib.XK.XK_a),
    "a button": lambda person: person.click(3),
    "the mouse": lambda person: person.move(40, 30),
}


@pytest.mark.parametrize("act", ACTS)
def test_real_input_ends_what_is_going_on(taken, act):
    with witness(taken, "--geometry", "1280x800+0+0", "--override") as window, human(taken) as person:
        bridge = begin(taken, "mouse_drag", from_x=100, from_y=100, to_x=900, to_y=600, duration=30000)
        window.next("button_press")
        window.next("motion")
        ACTS[act](person)
        error = ended(bridge, "PAUSED")
        assert error["retryable"] and error["details"]["by"] == "takeover"
        assert 0 < error["details"]["retry_after_ms"] <= QUIET * SLOW * 1000
        assert held(taken) == ([], 0)


def test_typing_says_how_far_it_got(taken):
    with witness(taken, "--geometry", "800x600+0+0") as window, human(taken) as person:
        bridge = begin(taken, "type_text", text="ab" * 2000, method="keys", delay=1)
        window.next("key_press")
        person.move(50, 50)
        error = ended(bridge, "PAUSED")
        assert 0 < error["details"]["done"]["characters"] < 4000


def test_input_waits_until_the_person_is_quiet(taken):
    with human(taken) as person:
        person.move(60, 60)
        touched = time.monotonic()
        eventually(lambda: holds(taken)["takeovers"], what="the takeover")
        started = time.monotonic()
        taken.call("screenshot", image=False)  # looking goes on
        taken.call("window_list")
        assert time.monotonic() - started < QUIET * SLOW
        taken.call("mouse_move", x=10, y=10)
        assert time.monotonic() - touched >= QUIET * SLOW * 0.95
        # Somebody who goes on is waited for.
        done = threading.Event()

        def use():
            while not done.wait(QUIET * SLOW / 4):
                person.move(30, 0)
                person.move(-30, 0)
        user = threading.Thread(target=use)
        person.move(30, 30)
        eventually(lambda: holds(taken)["takeovers"][0]["quiet_in_ms"] > 0, what="the takeover")
        user.start()
        error = taken.fails("PAUSED", "mouse_move", x=20, y=20, timeout_ms=int(2500 * QUIET * SLOW))
        assert error["details"]["retry_after_ms"] > 0
        done.set()
        user.join()


def test_a_person_on_one_desktop_leaves_the_others_alone(taken):
    taken.new_desktop("other", width=640, height=480)
    with human(taken, "other") as person:
        person.move(60, 60)
        eventually(lambda: holds(taken)["takeovers"], what="the takeover")
        started = time.monotonic()
        taken.call("mouse_move", x=10, y=10)
        assert time.monotonic() - started < QUIET * SLOW * 0.9
        taken.fails("PAUSED", "mouse_move", x=10, y=10, desktop="other", timeout_ms=100)


def test_after_some_interruptions_it_waits_for_the_owner(own_desk):
    desk = own_desk(config={**FULL_AUTO, "takeover": {"quiet_s": 0.3 * SLOW, "times": 2}})
    with human(desk) as person:
        for number in range(2):
            bridge = begin(desk, "hold_key", keys=["a"], duration=60)
            eventually(lambda: held(desk)[0], what="the key")
            person.move(50, 50)
            ended(bridge, "PAUSED")
        paused = eventually(lambda: holds(desk)["paused"], what="the pause")
        assert paused[0]["desktop"] == "main" and paused[0]["by"] == "takeover"
    eventually(lambda: all(each["quiet_in_ms"] == 0 for each in holds(desk)["takeovers"]), what="quiet, which ends no pause")
    error = desk.fails("PAUSED", "mouse_move", x=5, y=5)
    assert error["details"]["by"] == "takeover"
    desk.fails("PAUSED", "screenshot", image=False)
    assert desk.cli("resume", "--desktop", "main").returncode == 1
    resume(desk, "--desktop", "main")
    desk.call("mouse_move", x=5, y=5)


def test_using_an_idle_desktop_is_no_interruption(own_desk):
    desk = own_desk(config={**FULL_AUTO, "takeover": {"quiet_s": 0.5 * SLOW, "times": 1}})
    with human(desk) as person:
        for _ in range(4):
            person.move(50, 0)
            eventually(lambda: holds(desk)["takeovers"][0:1] and holds(desk)["takeovers"][0]["quiet_in_ms"] > 0)
            eventually(lambda: holds(desk)["takeovers"][0]["quiet_in_ms"] == 0, what="quiet")
    assert not holds(desk)["paused"]
    desk.call("mouse_move", x=5, y=5)


def test_what_does_not_count(taken):
    """Our own events, other programs' made-up ones, the pointer's warps, key repeat of ours, a mouse that jitters."""
    screen = Screen(taken.desktop_environment())
    with human(taken) as person:
        taken.call("hold_key", keys=["a"], duration=1.2)  # long enough to repeat
        taken.call("mouse_move", x=300, y=300)
        taken.call("left_click", x=310, y=310)
        Xlib.ext.xtest.fake_input(screen.x, Xlib.X.MotionNotify, x=500, y=400)
        screen.root.warp_pointer(200, 200)
        screen.x.sync()
        for _ in range(20):
            person.move(2, 1)
            person.move(-2, -1)
        taken.call("mouse_move", x=100, y=100)
        assert not holds(taken)["takeovers"]
    screen.close()


def test_it_can_be_switched_off_and_on_while_the_desk_runs(taken):
    taken.write_config({**FULL_AUTO, "takeover": {"enabled": False}})
    with human(taken) as person:
        def ignored():
            person.move(50, 50)
            time.sleep(0.05)
            return taken.answer("mouse_move", x=10, y=10, smooth=False, timeout_ms=300)["ok"]
        eventually(ignored, what="the end of takeovers")
        taken.write_config({**FULL_AUTO, "takeover": {"quiet_s": 30}})

        def heeded():
            person.move(50, 50)
            time.sleep(0.05)
            refused = not taken.answer("mouse_move", x=10, y=10, smooth=False, timeout_ms=300)["ok"]
            return refused and any(entry["quiet_in_ms"] > 0 for entry in holds(taken)["takeovers"])  # and not for being slow
        eventually(heeded, what="takeovers again")
        resume(taken)
        taken.call("mouse_move", x=10, y=10)


def test_a_mouse_at_full_speed_costs_the_desk_nothing(taken):
    """A thousand events a second reach neither the desk nor, for the most part, the hand."""
    def processor_ms(pid):
        fields = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) * 10
    hand, desk = taken.desktops()["main"]["hand_pid"], taken.process.pid
    with human(taken) as person:
        person.move(20, 0)
        before = processor_ms(hand), processor_ms(desk)
        end = time.monotonic() + 2
        while time.monotonic() < end:
            person.move(15, 0)
            person.move(-15, 0)
            time.sleep(0.002)
        after = processor_ms(hand), processor_ms(desk)
    assert after[0] - before[0] <= 100 * SLOW, "milliseconds of the hand in two seconds"
    assert after[1] - before[1] <= 50 * SLOW, "milliseconds of the desk in two seconds"
