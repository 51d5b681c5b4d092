"""What has changed on the screen: exactly what a program has painted, and nothing else."""
import base64
import io
import random

import pytest
from PIL import Image

from http_client import Client, make_token
from mcp_client import Mcp
from test_screenshot import colours, settle  # noqa: F401 (a fixture)

X, Y, WIDTH, HEIGHT = 200, 150, 700, 500  # of the window


def rect(x, y, width, height):
    return {"x": x, "y": y, "width": width, "height": height}


@pytest.fixture
def board(shared_desk, colours):  # noqa: F811
    """A window without a frame that paints what it is told."""
    program = colours("board", f"{WIDTH}x{HEIGHT}+{X}+{Y}", "--override")
    settle(shared_desk)
    return program


def look(desk, since, **params):
    return desk.call("screenshot", if_changed_since=since["image_id"], **params)


def image_of(result):
    return Image.open(io.BytesIO(base64.b64decode(result["image"]))).convert("RGB")


PAINTED = [
    [(10, 20, 1, 1)], [(0, 0, 5, 5)], [(130, 40, 1, 17)], [(31, 9, 300, 33)], [(40, 300, 180, 90)],
    [(10, 10, 20, 20), (400, 10, 20, 20)], [(10, 10, 50, 20), (10, 300, 50, 20), (500, 400, 9, 9)],
]


@pytest.mark.parametrize("painted", PAINTED, ids=str)
def test_it_is_what_was_painted(shared_desk, board, painted):
    before = shared_desk.call("screenshot")
    for area in painted:
        board.do("paint", *area, "a0b0c1")
    after = look(shared_desk, before)
    assert after["unchanged"] is False and "image" in after
    wanted = [rect(X + x, Y + y, width, height) for x, y, width, height in painted]
    assert sorted(after["changed"], key=str) == sorted(wanted, key=str)
    pixels = sum(width * height for _, _, width, height in painted)
    assert after["changed_share"] == pytest.approx(pixels / (1280 * 800), abs=2e-6)
    again = look(shared_desk, after)
    assert again["unchanged"] is True and again["changed"] == [] and again["changed_share"] == 0


def test_what_is_drawn_and_looks_the_same_is_no_change(shared_desk, board):
    before = shared_desk.call("screenshot")
    for _ in range(3):
        board.do("again")
        same = look(shared_desk, before)
        assert same["unchanged"] is True and "image" not in same and same["changed"] == []
        assert same["image_id"] == before["image_id"]
    board.do("paint", 5, 5, 3, 3, "010203")
    assert look(shared_desk, before)["changed"] == [rect(X + 5, Y + 5, 3, 3)]
    board.do("again")
    assert look(shared_desk, before)["unchanged"] is True, "it looks as it did"


def test_noise_is_told_in_few(shared_desk, board):
    before = shared_desk.call("screenshot", format="png", max_dimension=0)
    dice = random.Random(7)
    for _ in range(150):
        board.do("paint", dice.randrange(WIDTH), dice.randrange(HEIGHT), 2, 2, f"{dice.randrange(1 << 24):06x}")
    after = look(shared_desk, before, format="png", max_dimension=0)
    assert 1 < len(after["changed"]) <= 32
    was, now = image_of(before).load(), image_of(after).load()
    different = [(x, y) for y in range(800) for x in range(1280) if was[x, y] != now[x, y]]
    assert len(different) > 300
    for x, y in different:
        assert any(r["x"] <= x < r["x"] + r["width"] and r["y"] <= y < r["y"] + r["height"] for r in after["changed"])


def test_only_what_changed_is_shown(shared_desk, board):
    before = shared_desk.call("screenshot")
    board.do("paint", 300, 200, 40, 30, "102030")
    part = look(shared_desk, before, crop="changed", format="png")
    assert part["region"] == rect(X + 300 - 32, Y + 200 - 32, 40 + 64, 30 + 64) and part["scale"] == 1
    image = image_of(part)
    assert image.size == (104, 94) == (part["width"], part["height"])
    assert image.getpixel((32, 32)) == image.getpixel((71, 61)) == (0x10, 0x20, 0x30) != image.getpixel((31, 31))
    # What is read from it can be clicked in it.
    shared_desk.call("mouse_move", x=32, y=32, image_id=part["image_id"], smooth=False)
    place = shared_desk.call("cursor_position")
    assert (place["x"], place["y"]) == (X + 300, Y + 200)
    # It stands for all of the screen: with the picture before it the caller knows everything.
    same = look(shared_desk, part, crop="changed")
    assert same["unchanged"] is True and same["image_id"] == part["image_id"] and same["region"] == part["region"]
    board.do("paint", 600, 450, 10, 10, "405060")
    assert look(shared_desk, part)["changed"] == [rect(X + 600, Y + 450, 10, 10)]
    assert look(shared_desk, part, crop="changed")["region"]["x"] == X + 600 - 32


def test_most_of_it_is_all_of_it(shared_desk, board):
    before = shared_desk.call("screenshot", region=[X, Y, X + WIDTH, Y + HEIGHT])
    board.do("paint", 0, 0, WIDTH, HEIGHT, "102030")
    after = look(shared_desk, before, crop="changed", region=[X, Y, X + WIDTH, Y + HEIGHT])
    assert after["region"] == rect(X, Y, WIDTH, HEIGHT)
    assert after["changed"] == [rect(X, Y, WIDTH, HEIGHT)] and after["changed_share"] == 1


def test_what_is_ignored_does_not_count(shared_desk, board):
    before = shared_desk.call("screenshot")
    clock = [X + 600, Y, X + WIDTH, Y + 30]
    for number in range(3):
        board.do("paint", 610, 5, 60, 16, f"00000{number + 1}")
        same = look(shared_desk, before, ignore=[clock])
        assert same["unchanged"] is True and same["changed"] == [] and same["image_id"] == before["image_id"]
    whole = look(shared_desk, before)
    assert whole["unchanged"] is False and whole["changed"] == [rect(X + 610, Y + 5, 60, 16)]
    board.do("paint", 10, 400, 20, 20, "111111")
    found = look(shared_desk, before, ignore=[[0, 0, 5, 5], rect(X + 600, Y, 100, 30)])
    assert found["changed"] == [rect(X + 10, Y + 400, 20, 20)]
    # One pixel beside it does.
    last = shared_desk.call("screenshot")
    board.do("paint", 610, 30, 60, 1, "777777")
    assert look(shared_desk, last, ignore=[clock])["changed"] == [rect(X + 610, Y + 30, 60, 1)]


def test_what_is_ignored_counts_in_pixels_of_a_picture_too(shared_desk, board):
    before = shared_desk.call("screenshot", max_dimension=640)
    board.do("paint", 610, 5, 60, 16, "000001")
    # Half the size: the window's corner is at 100, 75.
    ignored = look(shared_desk, before, max_dimension=640, image_id=before["image_id"], ignore=[[400, 75, 450, 90]])
    assert ignored["unchanged"] is True
    beside = look(shared_desk, before, max_dimension=640, image_id=before["image_id"], ignore=[[300, 75, 380, 90]])
    assert beside["unchanged"] is False


def test_windows_and_regions_have_their_own(shared_desk, colours, board):  # noqa: F811
    colours("lid", f"100x100+{X + 20}+{Y + 20}", "--override")
    framed = colours("framed", "300x200+930+400")
    settle(shared_desk)
    window = shared_desk.call("screenshot", window_title="framed")
    part = shared_desk.call("screenshot", region=[X + 400, Y, X + 500, Y + 100])
    board.do("paint", 410, 10, 20, 20, "123456")
    assert look(shared_desk, window, window_title="framed")["unchanged"] is True, "it was drawn elsewhere"
    assert look(shared_desk, part, region=[X + 400, Y, X + 500, Y + 100])["changed"] == [rect(X + 410, Y + 10, 20, 20)]
    bounds = shared_desk.window("framed")["bounds"]
    framed.do("paint", 30, 40, 50, 60, "654321")
    changed = look(shared_desk, window, window_title="framed", crop="changed")
    assert changed["changed"] == [rect(bounds["x"] + 30, bounds["y"] + 40, 50, 60)]
    left, top = max(changed["window"]["frame"]["x"], bounds["x"] - 2), bounds["y"] + 8
    assert changed["region"] == rect(left, top, bounds["x"] + 112 - left, 124)
    framed.do("move", 940, 380)
    settle(shared_desk)
    moved = look(shared_desk, window, window_title="framed", crop="changed")
    assert moved["unchanged"] is False and "changed" not in moved and "image" in moved, "it is another part"


def test_a_covered_window_is_compared_by_what_it_shows(shared_desk, colours):  # noqa: F811
    below = colours("below", "300x200+300+300")
    colours("above", "400x300+250+250", "--override")
    settle(shared_desk)
    before = shared_desk.call("screenshot", window_title="below")
    assert look(shared_desk, before, window_title="below")["unchanged"] is True
    bounds = shared_desk.window("below")["bounds"]
    below.do("paint", 50, 60, 7, 8, "0a0b0c")
    after = look(shared_desk, before, window_title="below")
    assert after["changed"] == [rect(bounds["x"] + 50, bounds["y"] + 60, 7, 8)] and after["occluded"] is False


def test_without_the_picture(shared_desk, board):
    before = shared_desk.call("screenshot")
    board.do("paint", 1, 2, 3, 4, "0a0b0c")
    told = look(shared_desk, before, image=False)
    assert told["changed"] == [rect(X + 1, Y + 2, 3, 4)] and "image" not in told and told["unchanged"] is False
    assert "image" in look(shared_desk, told), "it never had the picture"
    assert look(shared_desk, told, image=False)["unchanged"] is True


def test_pictures_that_say_nothing_of_it(shared_desk, board):
    whole = shared_desk.call("screenshot")
    for since, params in ((whole, {"region": [0, 0, 50, 50]}), (whole, {"cursor": True}),
                          ({"image_id": "i_unknown"}, {}), ({"image_id": "i_unknown"}, {"crop": "changed"}),
                          (shared_desk.call("zoom", region=[0, 0, 50, 50]), {"region": [0, 0, 50, 50]})):
        other = look(shared_desk, since, **params)
        assert other["unchanged"] is False and "changed" not in other and "image" in other
    smaller = look(shared_desk, whole, max_dimension=300)
    assert smaller["unchanged"] is False and smaller["changed"] == [] and "image" in smaller, "it is another picture"


def test_many_pictures_do_not_pile_up(shared_desk, board):
    first = shared_desk.call("screenshot")
    for number in range(70):
        board.do("paint", 0, 0, WIDTH, HEIGHT, f"{number:06x}")
        last = shared_desk.call("screenshot", region=[X, Y, X + WIDTH, Y + HEIGHT], max_dimension=100)
    assert "changed" not in look(shared_desk, first), "it was forgotten"
    assert look(shared_desk, last, region=[X, Y, X + WIDTH, Y + HEIGHT], max_dimension=100)["unchanged"] is True


@pytest.mark.parametrize("params", [
    {"crop": "changed"}, {"ignore": [[0, 0, 5, 5]]}, {"crop": "everything"}, {"crop": True},
    *({"if_changed_since": "i_1", **bad} for bad in (
        {"ignore": "all"}, {"ignore": [5]}, {"ignore": [[1, 2, 3]]}, {"ignore": [[5, 5, 5, 9]]}, {"ignore": [{"x": 1}]},
        {"ignore": [[0, 0, 1e300, 5]]}, {"ignore": [[0, 0, 5, 5]] * 65}, {"ignore": [["0", "0", "5", "5"]]},
        {"ignore": [[0, 0, 5, 5]], "space": "image"}, {"ignore": [[[0, 0, 5, 5]]]})),
], ids=lambda value: str(value)[:60])
def test_bad_input(shared_desk, params):
    shared_desk.fails("INVALID_PARAMS", "screenshot", **params)


def test_a_desktop_of_twice_the_size(shared_desk, colours):  # noqa: F811
    shared_desk.new_desktop("sharp", width=2560, height=1600, scale=2)
    try:
        program = colours("board", "1400x1000+400+300", "--override", desktop="sharp")
        before = shared_desk.call("screenshot", desktop="sharp")
        assert before["width"] == 1568 and before["display_scale"] == 2
        program.do("paint", 601, 403, 33, 21, "102030")
        part = look(shared_desk, before, desktop="sharp", crop="changed", format="png")
        assert part["changed"] == [rect(1001, 703, 33, 21)] and part["scale"] == 1
        assert image_of(part).getpixel((32, 32)) == (0x10, 0x20, 0x30)
        shared_desk.call("mouse_move", desktop="sharp", x=32, y=32, image_id=part["image_id"], smooth=False)
        place = shared_desk.call("cursor_position", desktop="sharp")
        assert (place["x"], place["y"]) == (1001, 703)
    finally:
        shared_desk.remove_desktop("sharp")


def test_it_is_the_same_over_http_and_mcp(shared_desk, board):
    before = shared_desk.call("screenshot")
    board.do("paint", 90, 80, 70, 60, "0a0b0c")
    wanted = [rect(X + 90, Y + 80, 70, 60)]
    params = {"if_changed_since": before["image_id"], "crop": "changed", "ignore": [[0, 0, 10, 10]]}
    http = Client(shared_desk, make_token(shared_desk, "changes"))
    answer = http.call("screenshot", **params).json["result"]
    assert answer["changed"] == wanted and image_of(answer).size == (134, 124)
    http.close()
    client = Mcp(shared_desk.environment, "--profile", "all")
    try:
        result = client.call("screenshot", **params)
        assert result["structuredContent"]["changed"] == wanted
        picture = next(part for part in result["content"] if part["type"] == "image")
        assert Image.open(io.BytesIO(base64.b64decode(picture["data"]))).size == (134, 124)
    finally:
        client.close()
