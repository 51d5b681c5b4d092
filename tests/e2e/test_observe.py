"""observe: picture, elements, focus and pointer of one instant, and what has changed since."""
import base64
import io
import re

import pytest
from PIL import Image

from handfast import eventually


def picture_of(seen):
    return Image.open(io.BytesIO(base64.b64decode(seen["image"])))


@pytest.fixture
def factory(desk):
    """gtk3-widget-factory, the window of the shared desk that has the most kinds of elements."""
    window = desk.call("app_launch", name="gtk3-widget-factory", wait_ms=20000)["window"]
    eventually(lambda: (seen := desk.call("observe", image=False))["listed"] > 50 and seen["settled"], 20, "the program's elements, at rest")
    return window


def test_everything_belongs_together(desk, factory):
    desk.call("mouse_move", x=200, y=300, smooth=False)
    seen = desk.call("observe")
    assert seen["snapshot_id"].startswith("s")
    assert seen["focused_window"]["window_id"] == factory["window_id"] == seen["window"]["id"]
    assert seen["front_app"]["pid"] == factory["pid"]
    assert seen["pointer"] == {"x": 200, "y": 300}
    assert seen["truncated"] == [] and seen["listed"] > 50
    assert re.search(r'^\s*e\d+ .*"', seen["elements"], re.M)
    picture = picture_of(seen)
    assert picture.size == (seen["width"], seen["height"])


def test_a_screen_at_rest_is_settled(desk, factory):
    desk.call("app_close", pid=factory["pid"], force=True)
    eventually(lambda: desk.call("observe", image=False)["settled"], 5, "a screen at rest")


def test_references_are_good_for_the_next_call(desk, factory):
    seen = desk.call("observe", elements="objects", image=False)
    check = next(one for one in seen["element_list"] if one["role"] == "check-box" and "disabled" not in one["states"])
    desk.call("left_click", target=check["ref"])
    later = desk.call("observe", since=seen["snapshot_id"], image=False)
    altered = [one["element"]["ref"] for one in later["change"]["altered"]]
    assert check["ref"] in altered, later["change"]
    assert later["summary"] and "elements" not in later


def test_nothing_changed_is_said(desk, factory):
    first = desk.call("observe", image=False)
    second = desk.call("observe", since=first["snapshot_id"], image=False)
    assert second["change"]["counts"] == {"new": 0, "gone": 0, "altered": 0}, second["change"]


def test_marks_are_drawn(desk, factory):
    plain, marked = desk.call("observe", format="png"), desk.call("observe", marks=True, format="png")
    colours = {colour for _, colour in picture_of(marked).convert("RGB").getcolors(1 << 24)}
    assert (0xc2, 0x18, 0x5b) in colours and (0x15, 0x65, 0xc0) in colours
    before = {colour for _, colour in picture_of(plain).convert("RGB").getcolors(1 << 24)}
    assert (0xc2, 0x18, 0x5b) not in before


def test_nothing_open(desk):
    seen = desk.call("observe")
    assert seen["listed"] == 0 and "focused_window" not in seen and seen["width"] > 0


@pytest.mark.parametrize("params, code", [
    ({"since": "7"}, "INVALID_PARAMS"),
    ({"since": "s99999"}, "DESKTOP_STALE_SNAPSHOT"),
    ({"window_id": 4242}, "WINDOW_NOT_FOUND"),
    ({"app": "no-such-program"}, "APP_NOT_FOUND"),
    ({"elements": "all"}, "INVALID_PARAMS"),
])
def test_bad_input(desk, params, code):
    assert desk.answer("observe", **params)["error"]["code"] == code
