"""Waiting until the screen is at rest: what blinks and ticks does not count, what goes on does, and rest is cheap. The
programs say themselves when they drew last."""
import signal
import subprocess
import threading
import time

import pytest

from handfast import APPS, SLOW
from test_act import CHROMIUM
from test_wait_until import spent_by
from witness import Witness


class Restless(Witness):
    def __init__(self, desk, *command):
        self.desk = desk
        super().__init__(desk, "/usr/bin/python3", *command)
        self.area = self.ready.get("area")

    def draw(self):
        self.process.send_signal(signal.SIGUSR1)
        self.next("begun")


@pytest.fixture
def restless(desk):
    programs = []

    def start(what):
        programs.append(Restless(desk, APPS / "restless_gtk3.py", what))
        window = desk.window("restless")
        desk.call("window_focus", window_id=window["window_id"])
        desk.call("mouse_move", x=1270, y=790, smooth=False)
        return programs[-1]

    yield start
    for program in programs:
        program.stop()


def settled(desk, **params):
    return desk.call("wait_until", until="settled", **params)


def not_settled(desk, **params):
    return desk.fails("DESKTOP_TIMEOUT", "wait_until", until="settled", **params)


def lies_within(place, area, slack=3):
    return (place["x"] >= area[0] - slack and place["y"] >= area[1] - slack
            and place["x"] + place["width"] <= area[2] + slack and place["y"] + place["height"] <= area[3] + slack)


def test_rest_takes_no_picture_and_no_time(desk, restless):
    program = restless("still")
    settled(desk, rest_ms=600)
    hand = desk.desktops()["main"]["hand_pid"]
    seconds, times = spent_by(hand)
    told = settled(desk, rest_ms=2000)
    now = spent_by(hand)
    assert told["looks"] == 0 and told["noise"] == []
    assert 2000 <= told["waited_ms"] < 2000 + 50 * SLOW
    assert now[0] - seconds < 0.006 * SLOW and now[1] - times < 120, (seconds, times, now)
    assert settled(desk, region=program.area, rest_ms=100)["looks"] == 0


@pytest.mark.parametrize("toolkit", ["gtk3", "gtk4"])
def test_a_caret_is_noise(desk, restless, tmp_path, toolkit):
    """GTK 3 blinks every 600 ms; GTK 4 fades in and out."""
    if toolkit == "gtk3":
        program = restless("caret")
        area = program.area
    else:
        process = desk.spawn("/usr/bin/python3", APPS / "gtk4_entry.py", tmp_path / "text")
        bounds = desk.window("GTK 4 entry")["bounds"]
        area = [bounds["x"], bounds["y"], bounds["x"] + bounds["width"], bounds["y"] + bounds["height"]]
        settled(desk, rest_ms=50)
    desk.call("type_text", text="x", method="keys")  # so that it begins to blink again
    told = settled(desk, rest_ms=1500, max_ms=8000 * SLOW)
    assert told["looks"] >= 3 and len(told["noise"]) == 1, told
    place = told["noise"][0]
    assert place["kind"] in ("blinks", "caret") and place["changes"] >= 3
    assert place["width"] <= 3 and 10 <= place["height"] <= 40 and lies_within(place, area), place
    if toolkit == "gtk4":
        process.kill()
        process.wait()


def test_a_clock_is_noise(desk, restless):
    program = restless("clock")
    told = settled(desk, rest_ms=1600, max_ms=20000)
    assert told["waited_ms"] >= 1600
    assert [place["kind"] for place in told["noise"]] == ["ticks"], told
    assert lies_within(told["noise"][0], program.area), (told, program.area)
    program.next("ticked")


def test_without_a_rest_as_long_as_its_second_a_clock_is_just_at_rest(desk, restless):
    restless("clock").next("ticked")
    told = settled(desk, rest_ms=300)
    assert told["waited_ms"] < 1200 + 100 * SLOW and told["noise"] == []


@pytest.mark.parametrize("what", ["spinner", "progress", "video"])
def test_what_goes_on_is_not_settled_and_it_is_told_where(desk, restless, what):
    program = restless(what)
    error = not_settled(desk, max_ms=1500, rest_ms=600)
    places = error["details"]["restless"]
    assert places and all(lies_within(place, program.area) for place in places), (error, program.area)
    assert places[0]["changes"] >= 3 and places[0]["kind"] == "changes"
    assert "still change" in error["message"] and "ignore" in error["suggestion"]
    if what == "video":
        assert places[0]["width"] >= 300 and places[0]["height"] >= 180
    settled(desk, rest_ms=600, ignore=[program.area])
    left, top, right, bottom = program.area
    assert settled(desk, rest_ms=300, region=[0, 0, left, 700])["looks"] == 0
    not_settled(desk, rest_ms=300, max_ms=1000, region=[left, top, right, bottom])


def test_what_draws_for_a_second_and_rests_then(desk, restless):
    """Never before its last drawing plus the rest, and soon after."""
    late = []
    program = restless("draws")
    settled(desk, rest_ms=600)
    for _ in range(4):
        program.draw()
        told = settled(desk, rest_ms=300, max_ms=20000)
        now = time.monotonic()
        drawn = [line["at"] for line in program.all(lambda line: line["event"] == "rested") if line["event"] == "drawn"]
        assert len(drawn) > 3 and now - drawn[-1] >= 0.28, "it had not rested"
        assert told["waited_ms"] > 1000 and told["looks"] > 3 and told["noise"] == []
        late.append(now - drawn[-1] - 0.3)
    assert min(late) < 0.08 * SLOW, late


def test_what_draws_the_same_again_and_again_is_at_rest(desk, restless):
    restless("same")
    told = settled(desk, rest_ms=700)
    assert told["waited_ms"] < 700 + 400 * SLOW and told["looks"] > 3 and told["noise"] == []


def test_the_pointer_does_not_count(desk, restless):
    restless("still")
    settled(desk, rest_ms=600)
    other, over = desk.connect(), threading.Event()

    def wander():
        step = 0
        while not over.wait(0.03):
            step += 1
            other.call("mouse_move", x=700 + step % 40 * 10, y=500 + step % 7 * 20, smooth=False)
    thread = threading.Thread(target=wander)
    thread.start()
    try:
        told = settled(desk, rest_ms=700, max_ms=5000)
        assert told["noise"] == [] and told["waited_ms"] < 700 + 300 * SLOW
    finally:
        over.set()
        thread.join()
        other.close()


def test_a_window_or_an_element_alone(desk, restless):
    program = restless("video")
    other = desk.spawn("zenity", "--info", "--title", "calm", "--text", "nothing moves here", stderr=subprocess.DEVNULL)
    try:
        calm = desk.window("calm")
        desk.call("window_manage", action="move", window_id=calm["window_id"], bounds={"x": 700, "y": 400})
        told = settled(desk, rest_ms=400, window_id=calm["window_id"])
        assert told["noise"] == []
        settled(desk, rest_ms=400, target='label "nothing moves here"', window_id=calm["window_id"])
        settled(desk, rest_ms=400, pid=calm["pid"])
        error = not_settled(desk, rest_ms=400, max_ms=1000, window_title="restless")
        assert lies_within(error["details"]["restless"][0], program.area, 30), "its frame may come along"
        picture = desk.call("screenshot", max_dimension=640)
        assert picture["scale"] == 0.5
        left, top, right, bottom = (value / 2 for value in program.area)
        settled(desk, rest_ms=300, ignore=[[left, top, right, bottom]], image_id=picture["image_id"])
    finally:
        other.kill()
        other.wait()


def test_a_page_that_loads_beside_a_caret_and_a_clock(desk):
    """Chromium: not at rest before all rows are there, and then, whatever blinks and ticks."""
    process = desk.spawn("chromium", *CHROMIUM, f"--user-data-dir={desk.home}/restless", f"file://{APPS}/restless.html#load",
                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        window = desk.window("restless page", 60)
        told = settled(desk, window_id=window["window_id"], rest_ms=1500, max_ms=30000)
        assert any(one["title"].startswith("restless page loaded") for one in desk.call("window_list")["windows"]), "it was still loading"
        assert {place["kind"] for place in told["noise"]} <= {"blinks", "ticks", "caret"}
        told = settled(desk, window_id=window["window_id"], rest_ms=2500, max_ms=30000)
        ticking = [place for place in told["noise"] if place["kind"] == "ticks"]
        assert len(ticking) == 1 and ticking[0]["height"] < 30, told
    finally:
        process.terminate()
        process.wait(timeout=20)


@pytest.mark.parametrize("params", [
    {"rest_ms": 2000, "max_ms": 1000}, {"rest_ms": 0}, {"rest_ms": "long"}, {"region": [0, 0, 0, 9]}, {"region": [1, 2, 3]},
    {"region": [5000, 5000, 5100, 5100]}, {"region": [0, 0, 9, 9], "target": 'button "OK"'}, {"ignore": [[1, 2, 3]]},
    {"ignore": [[0, 0, 5, 5]], "space": "image"}, {"until": "window", "title": "x", "region": [0, 0, 9, 9]},
    {"until": "appears", "target": "e1", "ignore": [[0, 0, 9, 9]]}], ids=str)
def test_bad_input(desk, params):
    desk.fails("INVALID_PARAMS", "wait_until", **{"until": "settled", **params})
