"""Pictures that cost few tokens: without colours, as small as they may cost, only what is new since a look, the same at every
door. What programs painted is the truth."""
import base64
import io

import pytest
from PIL import Image

from http_client import Client, make_token
from mcp_client import Mcp
from test_changes import HEIGHT, WIDTH, X, Y, board, image_of, rect  # noqa: F401 (a fixture)
from test_screenshot import BLUE, GREEN, RED, YELLOW, colours, settle  # noqa: F401 (a fixture)

MODELS = ["anthropic", "anthropic_standard", "openai", "openai_tiles", "ui_tars"]


def raw(result):
    return base64.b64decode(result["image"])


def brightness(colour):
    return round(0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2])


# ---- grey ----

@pytest.mark.parametrize("tool, params", [("screenshot", {}), ("screenshot", {"format": "png"}), ("zoom", {"region": [X, Y, X + WIDTH, Y + HEIGHT]}),
                                          ("observe", {"everything": True})], ids=str)
def test_grey_has_no_colours_and_fewer_bytes(shared_desk, board, tool, params):  # noqa: F811
    colourful, grey = (shared_desk.call(tool, grey=wanted, **params) for wanted in (False, True))
    picture = Image.open(io.BytesIO(raw(grey)))
    assert picture.mode == "L" and picture.size == (colourful["width"], colourful["height"])
    assert len(raw(grey)) < len(raw(colourful))
    assert grey["scale"] == colourful["scale"] and grey["region"] == colourful["region"]
    scale, region = grey["scale"], grey["region"]
    for right, down, colour in ((0.25, 0.25, RED), (0.75, 0.25, GREEN), (0.25, 0.75, BLUE), (0.75, 0.75, YELLOW)):
        at = (int((X + right * WIDTH - region["x"]) * scale), int((Y + down * HEIGHT - region["y"]) * scale))
        assert abs(picture.getpixel(at) - brightness(colour)) <= 2, (at, colour)


def test_grey_is_no_change_but_colours_are_given_to_who_has_none(shared_desk, board):  # noqa: F811
    grey = shared_desk.call("screenshot", grey=True)
    assert shared_desk.call("screenshot", grey=True, if_changed_since=grey["image_id"])["unchanged"] is True
    colourful = shared_desk.call("screenshot", if_changed_since=grey["image_id"])
    assert colourful["unchanged"] is False and colourful["changed"] == [] and image_of(colourful).getpixel((X + 5, Y + 5)) != (0, 0, 0)
    assert shared_desk.call("screenshot", grey=True, if_changed_since=colourful["image_id"])["unchanged"] is True
    board.do("paint", 10, 20, 30, 40, "a0b0c0")
    told = shared_desk.call("screenshot", grey=True, if_changed_since=grey["image_id"], crop="changed")
    assert told["changed"] == [rect(X + 10, Y + 20, 30, 40)] and Image.open(io.BytesIO(raw(told))).mode == "L"


# ---- tokens ----

def test_each_picture_says_what_it_costs(shared_desk, board):  # noqa: F811
    whole = shared_desk.call("screenshot")  # 1280 x 800: 46 x 29 cells, 40 x 25 patches, 1228 x 768 in tiles
    assert whole["vision_tokens"] == {"anthropic": 1334, "anthropic_standard": 1334, "openai": 1200, "openai_tiles": 1105,
                                      "ui_tars": 1334}
    part = shared_desk.call("screenshot", region=[0, 0, 280, 56])
    assert part["vision_tokens"]["anthropic"] == 20 and part["vision_tokens"]["openai_tiles"] == 255
    assert shared_desk.call("zoom", region=[0, 0, 100, 100], max_dimension=280)["vision_tokens"]["anthropic"] == 100
    assert shared_desk.call("observe", everything=True)["vision_tokens"] == whole["vision_tokens"]
    assert "vision_tokens" not in shared_desk.call("screenshot", image=False)
    assert "vision_tokens" not in shared_desk.call("screenshot", if_changed_since=whole["image_id"])


@pytest.mark.parametrize("provider", MODELS)
@pytest.mark.parametrize("tool, params", [("screenshot", {}), ("zoom", {"region": [X, Y, X + 300, Y + 300]}), ("observe", {"everything": True})], ids=str)
def test_a_picture_costs_no_more_than_it_may(shared_desk, board, tool, params, provider):  # noqa: F811
    for most in (300, 800, 100000):
        told = shared_desk.call(tool, max_tokens=most, provider=provider, **params)
        assert told["vision_tokens"][provider] <= most
        assert image_of(told).size == (told["width"], told["height"])
    assert max(told["width"], told["height"]) >= 768, "there is no need to shrink it"


def test_clicks_on_a_shrunk_picture_land_where_they_should(shared_desk, board):  # noqa: F811
    for params in ({"max_tokens": 300}, {"max_tokens": 300, "grey": True}, {"max_tokens": 130, "region": [X, Y, X + WIDTH, Y + HEIGHT]}):
        told = shared_desk.call("screenshot", **params)
        scale, region = told["scale"], told["region"]
        assert scale < 0.6 and told["vision_tokens"]["anthropic"] <= params["max_tokens"]
        assert scale == pytest.approx(told["width"] / region["width"])
        for x, y in ((X + 100, Y + 100), (X + WIDTH - 50, Y + HEIGHT - 50)):
            shared_desk.call("mouse_move", x=(x - region["x"]) * scale, y=(y - region["y"]) * scale, image_id=told["image_id"], smooth=False)
            place = shared_desk.call("cursor_position")
            assert abs(place["x"] - x) <= 1 / scale and abs(place["y"] - y) <= 1 / scale


@pytest.mark.parametrize("tool", ["screenshot", "zoom", "observe"])
@pytest.mark.parametrize("params, word", [
    ({"max_tokens": 0}, "max_tokens"), ({"max_tokens": "few"}, "max_tokens"), ({"provider": "openai"}, "provider"),
    ({"max_tokens": 200, "provider": "openai_tiles"}, "255"), ({"max_tokens": 500, "provider": "nobody"}, "provider"),
    ({"grey": "yes"}, "grey")], ids=str)
def test_bad_budgets(shared_desk, tool, params, word):
    more = {"region": [0, 0, 50, 50]} if tool == "zoom" else {}
    assert word in shared_desk.fails("INVALID_PARAMS", tool, **params, **more)["message"]


# ---- looks ----

def observe(desk, before=None, **params):
    return desk.call("observe", everything=True, pixels="never", **({"since": before["snapshot_id"]} if before else {}), **params)


def test_a_look_at_nothing_new_has_no_picture(shared_desk, board):  # noqa: F811
    first = observe(shared_desk)
    assert "image" in first and "unchanged" not in first and "changed" not in first
    second = observe(shared_desk, first)
    assert second["unchanged"] is True and second["changed"] == [] and second["changed_share"] == 0
    assert "image" not in second and second["image_id"] == first["image_id"] and second["snapshot_id"] != first["snapshot_id"]
    board.do("again")
    assert observe(shared_desk, second)["unchanged"] is True, "it looks as it did"


def test_a_look_tells_what_looks_different(shared_desk, board):  # noqa: F811
    first = observe(shared_desk)
    board.do("paint", 100, 90, 80, 70, "0a0b0c")
    whole = observe(shared_desk, first)
    wanted = [rect(X + 100, Y + 90, 80, 70)]
    assert whole["unchanged"] is False and whole["changed"] == wanted and image_of(whole).size == (1280, 800)
    part = observe(shared_desk, first, crop="changed", format="png")
    assert part["changed"] == wanted and image_of(part).size == (80 + 64, 70 + 64) and part["scale"] == 1
    assert image_of(part).getpixel((32, 32)) == (0x0a, 0x0b, 0x0c)
    assert part["region"] == rect(X + 100 - 32, Y + 90 - 32, 144, 134)
    shared_desk.call("mouse_move", x=32, y=32, image_id=part["image_id"], smooth=False)
    place = shared_desk.call("cursor_position")
    assert (place["x"], place["y"]) == (X + 100, Y + 90)
    assert observe(shared_desk, part)["unchanged"] is True, "it stands for all that was looked at"


def test_what_is_ignored_in_a_look_does_not_count(shared_desk, board):  # noqa: F811
    first = observe(shared_desk)
    board.do("paint", 10, 10, 20, 20, "0a0b0c")
    clock = [[X, Y, X + 40, Y + 40]]
    assert observe(shared_desk, first, ignore=clock)["unchanged"] is True
    half = observe(shared_desk, None, max_dimension=640)
    board.do("paint", 10, 10, 20, 20, "0c0b0a")
    assert observe(shared_desk, half, max_dimension=640, ignore=[[X / 2, Y / 2, X / 2 + 20, Y / 2 + 20]],
                   image_id=half["image_id"])["unchanged"] is True
    board.do("paint", 200, 10, 20, 20, "0a0b0c")
    assert observe(shared_desk, first, ignore=clock)["changed"] == [rect(X + 200, Y + 10, 20, 20)]


def test_without_a_picture_it_is_told_what_has_changed(shared_desk, board):  # noqa: F811
    first = observe(shared_desk, image=False)
    second = observe(shared_desk, first, image=False)
    assert "changed" not in second, "of the first no pixel was looked at"
    board.do("paint", 50, 60, 30, 20, "0a0b0c")
    third = observe(shared_desk, second, image=False)
    assert third["changed"] == [rect(X + 50, Y + 60, 30, 20)] and "image" not in third
    assert observe(shared_desk, third, image=False)["unchanged"] is True
    assert "image" in observe(shared_desk, third), "it never had the picture"


def test_marks_are_always_shown(shared_desk, board):  # noqa: F811
    first = observe(shared_desk, marks=True)
    second = observe(shared_desk, first, marks=True)
    assert "image" in second and second["changed"] == []


def test_another_window_is_no_change(desk):
    terminals = [desk.call("app_launch", name="xterm", args=["-T", title, "-geometry", "40x10"], wait_ms=15000)["window"] for title in ("one", "two")]
    first = desk.call("observe", window_id=terminals[0]["window_id"])
    other = desk.call("observe", window_id=terminals[1]["window_id"], since=first["snapshot_id"])
    assert "changed" not in other and other["unchanged"] is False and "image" in other
    same = desk.call("observe", window_id=terminals[0]["window_id"], since=first["snapshot_id"])
    assert same["unchanged"] is True or same["changed"], same


@pytest.mark.parametrize("params", [{"crop": "changed"}, {"ignore": [[0, 0, 5, 5]]}, {"crop": "all", "since": "s1"}, {"ignore": [[0, 0, 0, 5]]}], ids=str)
def test_bad_looks(shared_desk, params):
    shared_desk.fails("INVALID_PARAMS", "observe", **params)


# ---- every door ----

def test_it_is_the_same_at_every_door(shared_desk, board):  # noqa: F811
    picture, look = shared_desk.call("screenshot"), observe(shared_desk)
    board.do("paint", 90, 80, 70, 60, "0a0b0c")
    common = {"grey": True, "crop": "changed", "max_tokens": 20, "ignore": [[0, 0, 10, 10]]}
    calls = [("screenshot", {"if_changed_since": picture["image_id"], **common}),
             ("observe", {"since": look["snapshot_id"], "everything": True, "pixels": "never", **common}),
             ("zoom", {"region": [X, Y, X + 200, Y + 100], "grey": True, "max_tokens": 20})]
    http = Client(shared_desk, make_token(shared_desk, "cheap"))
    mcp = Mcp(shared_desk.environment, "--profile", "all")
    try:
        for tool, params in calls:
            answers = [shared_desk.call(tool, **params), http.call(tool, **params).json["result"]]
            pictures = [raw(answer) for answer in answers]
            told = mcp.call(tool, **params)
            answers.append(told["structuredContent"])
            pictures.append(base64.b64decode(next(part["data"] for part in told["content"] if part["type"] == "image")))
            alone = http.post(f"/v1/tools/{tool}", params, Accept="image/jpeg")
            assert alone.status == 200 and alone.headers["Content-Type"] == "image/jpeg"
            pictures.append(alone.body)
            for answer in answers:
                if tool != "zoom":
                    assert answer["changed"] == [rect(X + 90, Y + 80, 70, 60)] and answer["changed_share"] > 0
                assert answer["vision_tokens"] == answers[0]["vision_tokens"]
                assert 0 < answer["vision_tokens"]["anthropic"] <= 20
                assert (answer["width"], answer["height"], answer["region"]) == tuple(answers[0][name] for name in ("width", "height", "region"))
            for one in pictures:
                image = Image.open(io.BytesIO(one))
                assert image.mode == "L" and image.size == (answers[0]["width"], answers[0]["height"])
                assert one == pictures[0], "the same picture gives the same bytes"
    finally:
        mcp.close()
        http.close()
