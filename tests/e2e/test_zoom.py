"""Zooming as the makers of models define it: a region [x0, y0, x1, y1] of the last screenshot, taken anew at the screen's own
resolution, as large as screenshots are. Through the tool `computer`, with what a program painted as the truth."""
import base64
import io
import math

import pytest
from PIL import Image

from mcp_client import Mcp
from test_mcp import text_of
from test_screenshot import Colours, near

WIDE, HIGH = 2560, 1600
SHOWN = (1389, 868)  # what a model that takes the least is shown of such a screen
X, Y = 1200, 700     # of the window
RED, BLACK = (0xd0, 0x20, 0x10), (0, 0, 0)


@pytest.fixture(scope="module")
def sharp():
    """A screen that is shown smaller than it is, and a window with lines of one pixel on it."""
    from handfast import Desk, finish
    desk = Desk("--virtual", "--size", f"{WIDE}x{HIGH}", verify=False)
    board = Colours(desk, "board", f"600x400+{X}+{Y}", "--override")
    for column in range(100, 140, 2):
        board.do("paint", column, 50, 1, 100, "000000")
    client = Mcp(desk.environment, "--profile", "computer")
    yield desk, client
    client.close()
    board.end()
    finish(desk)


def picture_of(result):
    assert not result.get("isError"), result
    assert [part["type"] for part in result["content"]] == ["image"], "one image and nothing else"
    return Image.open(io.BytesIO(base64.b64decode(result["content"][0]["data"]))).convert("RGB")


def look(client):
    picture = picture_of(client.call("computer", action="screenshot"))
    assert picture.size == SHOWN
    return picture


def shown(x, y):
    return x * SHOWN[0] / WIDE, y * SHOWN[1] / HIGH


def test_it_shows_what_the_screenshot_does_not(sharp):
    _, client = sharp
    whole = look(client)
    left, top = shown(X + 100, Y + 60)
    right, bottom = shown(X + 120, Y + 72.5)
    row = [whole.getpixel((round(left) + step, round(top) + 2)) for step in range(8)]
    assert not any(near(pixel, BLACK, 12) for pixel in row) and not any(near(pixel, RED, 12) for pixel in row), "lines of a pixel are a blur"
    zoomed = picture_of(client.call("computer", action="zoom", region=[left, top, right, bottom]))
    assert 1300 < max(zoomed.size) <= max(SHOWN)
    # Its edges lie between pixels: what it touches is shown, so 20 or 21 of them.
    columns = [zoomed.getpixel((x, zoomed.height // 2)) for x in range(zoomed.width)]
    darkness = [sum(pixel) < 100 for pixel in columns]
    lines = sum(now and not before for before, now in zip([False, *darkness], darkness))
    assert 10 <= lines <= 11, lines
    assert sum(near(pixel, RED, 40) for pixel in columns) > zoomed.width // 8


@pytest.mark.parametrize("part", [(0, 0, *SHOWN), (0, 0, 300, 860), (500, 300, 700, 500), (0, 400, 1389, 440), (10, 10, 11, 11), (0.5, 0.5, 3, 700)], ids=str)
def test_no_model_has_to_shrink_it(sharp, part):
    """The rule of the makers: at most 1568 pixels a side and 1568 cells of 28 x 28, also in another shape than the screen's."""
    _, client = sharp
    look(client)
    zoomed = picture_of(client.call("computer", action="zoom", region=list(part)))
    cells = [math.ceil(edge / 28) for edge in zoomed.size]
    assert cells[0] * cells[1] <= 1568 and max(cells) * 28 <= 1568, zoomed.size
    wanted = (part[2] - part[0]) / (part[3] - part[1])
    if min(part[2] - part[0], part[3] - part[1]) > 30:
        assert zoomed.width / zoomed.height == pytest.approx(wanted, rel=0.04), "in the region's shape"
    assert max(zoomed.size) == max(SHOWN) or cells[0] * cells[1] > 1450, "as large as it may be"


def test_what_is_clicked_next_counts_in_the_screenshot(sharp):
    desk, client = sharp
    look(client)
    client.call("computer", action="zoom", region=[100, 100, 200, 160])
    x, y = shown(X + 300, Y + 200)
    assert text_of(client.call("computer", action="mouse_move", coordinate=[round(x), round(y)])) == "OK"
    place = desk.call("cursor_position")
    assert abs(place["x"] - X - 300) <= 2 and abs(place["y"] - Y - 200) <= 2


def test_what_lies_partly_outside_is_cut_off(sharp):
    _, client = sharp
    look(client)
    inside = picture_of(client.call("computer", action="zoom", region=[1289, 768, 1389, 868]))
    beyond = picture_of(client.call("computer", action="zoom", region=[1289, 768, 1500, 900]))
    assert inside.size == beyond.size and inside.tobytes() == beyond.tobytes()


@pytest.mark.parametrize("region, word", [
    ([100, 100, 100, 200], "empty"), ([100, 100, 200, 100], "empty"), ([200, 100, 100, 200], "swapped"), ([100, 200, 200, 100], "swapped"),
    ([1400, 900, 1500, 1000], "outside"), ([-5, 0, 50, 50], "region"), ([0, 0, 50], "region"), ([0, 0, 50, 50, 50], "region"),
    ([0, 0, "50", 50], "region"), ({"x": 0, "y": 0}, "region"), (None, "region"), ([0, 0, 1e300, 50], "region")], ids=str)
def test_bad_regions(sharp, region, word):
    _, client = sharp
    look(client)
    arguments = {} if region is None else {"region": region}
    result = client.call("computer", action="zoom", **arguments)
    assert result["isError"] and "INVALID_PARAMS" in text_of(result) and word in text_of(result), text_of(result)


def test_a_region_before_any_screenshot(sharp):
    """A model that has seen nothing yet counts in the size that it would be shown."""
    desk, _ = sharp
    fresh = Mcp(desk.environment, "--profile", "computer")
    try:
        left, top = shown(X, Y)
        right, bottom = shown(X + 600, Y + 400)
        zoomed = picture_of(fresh.call("computer", action="zoom", region=[left, top, right, bottom]))
        assert near(zoomed.getpixel((20, 20)), RED, 12) and near(zoomed.getpixel((zoomed.width - 20, zoomed.height - 20)), (0xe0, 0xe0, 0x20), 12)
    finally:
        fresh.close()


def test_physical_pixels_at_their_own_resolution(sharp):
    desk, _ = sharp
    for region in ([X + 100, Y + 50, X + 140, Y + 60], {"x": X + 100, "y": Y + 50, "width": 40, "height": 10}):
        told = desk.call("zoom", region=region, max_dimension=0, format="png")
        image = Image.open(io.BytesIO(base64.b64decode(told["image"]))).convert("RGB")
        assert image.size == (40, 10) and told["scale"] == 1
        assert [image.getpixel((x, 5)) for x in range(40)] == [BLACK, RED] * 20
    whole = desk.call("zoom", region=[0, 0, WIDE, HIGH], max_dimension=0)
    assert (whole["width"], whole["height"]) == (WIDE, HIGH)
    assert "swapped" in desk.fails("INVALID_PARAMS", "zoom", region=[50, 50, 10, 10])["message"]
