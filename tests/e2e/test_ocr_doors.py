"""screen_ocr through the two doors that models come by, HTTP and MCP: every parameter, on real programs in light and dark and on
given pictures, and what bad ones get there."""
import base64
import io
import random

import pytest
from PIL import Image, ImageDraw, ImageFont

from handfast import FULL_AUTO, Desk, eventually, finish
from http_client import Client, make_token
from mcp_client import Mcp, text_of

LINES = ["Minutes of the harbour committee", "第二季度的预算已经批准", "Next meeting on Thursday at noon", "请在周五之前回复邮件"]
DARK_LINES = ["The backup finished without errors", "备份已经顺利完成"]
FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
BLACK, WHITE = (0, 0, 0), (255, 255, 255)
LONG = {"timeout_ms": 100000, "max_ms": 90000}


class HttpDoor:
    def __init__(self, desk):
        self.client = Client(desk, make_token(desk, "reader", "--level", "L1"))

    def ask(self, **params):
        return self.client.call("screen_ocr", **params)

    def read(self, **params):
        reply = self.ask(**params)
        assert reply.status == 200 and reply.json["ok"], reply.body
        return reply.json["result"]

    def fails(self, **params):
        """The error; it goes by its HTTP status, too."""
        reply = self.ask(**params)
        assert reply.status in (400, 404, 409, 413, 422, 501) and not reply.json["ok"], (reply.status, reply.body)
        return reply.json["error"]

    def close(self):
        self.client.close()


class McpDoor:
    def __init__(self, desk):
        self.mcp = Mcp(desk.environment, "--profile", "all")

    def read(self, **params):
        result = self.mcp.call("screen_ocr", **params)
        assert not result.get("isError"), result
        # What is written on the screen is in the text that a model without structured content gets.
        for line in result["structuredContent"]["text"].splitlines():
            assert line in text_of(result) or line.replace('"', '\\"') in text_of(result), (line, text_of(result))
        return result["structuredContent"]

    def fails(self, **params):
        result = self.mcp.call("screen_ocr", **params)
        assert result["isError"], result
        assert result["_meta"]["handfast/error"]["message"] in text_of(result)
        return result["_meta"]["handfast/error"]

    def close(self):
        self.mcp.close()


DOORS = {"http": HttpDoor, "mcp": McpDoor}


class Scene:
    """mousepad with a text of ours, and a dark dialog with another."""

    def __init__(self):
        self.desk = Desk("--virtual", "--size", "1200x800", "--private-home", config=FULL_AUTO)
        note = self.desk.home / "note.txt"
        note.write_text("\n".join(LINES))
        self.programs = [self.desk.spawn("mousepad", "--disable-server", note),
                         self.desk.spawn("env", "GTK_THEME=Adwaita:dark", "zenity", "--info", "--no-wrap", "--title", "dark dialog", "--text",
                                         "\n".join(DARK_LINES))]
        self.note, self.dark = self.desk.window("note.txt", 60), self.desk.window("dark dialog", 60)
        self.desk.call("window_manage", action="resize", window_id=self.note["window_id"], bounds={"width": 640, "height": 400})
        self.place(self.note, 20, 40)
        self.place(self.dark, 720, 300)
        self.doors = {name: door(self.desk) for name, door in DOORS.items()}
        eventually(lambda: LINES[-1] in self.doors["http"].read(window_id=self.note["window_id"], **LONG)["text"], 30, "the note to be drawn")

    def place(self, window, x, y):
        self.desk.call("window_manage", action="move", window_id=window["window_id"], bounds={"x": x, "y": y})

    def close(self):
        for door in self.doors.values():
            door.close()
        for program in self.programs:
            program.kill()
            program.wait()
        finish(self.desk)


@pytest.fixture(scope="module")
def scene():
    scene = Scene()
    yield scene
    scene.close()


@pytest.fixture(params=DOORS)
def door(scene, request):
    return scene.doors[request.param]


def lines_of(read):
    return [line for block in read["blocks"] for line in block["lines"]]


def is_within(inner, outer, slack=0):
    return all((inner["x"] >= outer["x"] - slack, inner["y"] >= outer["y"] - slack,
                inner["x"] + inner["width"] <= outer["x"] + outer["width"] + slack,
                inner["y"] + inner["height"] <= outer["y"] + outer["height"] + slack))


# ---- a real program ----

def by_id(scene):
    return {"window_id": scene.note["window_id"]}


def by_title(scene):
    return {"window_title": "note.txt"}


def by_description(scene):
    return {"match": {"title_contains": "note.txt", "process": "mousepad"}}


@pytest.mark.parametrize("name_window", [by_id, by_title, by_description])
def test_a_window_of_a_real_program(scene, door, name_window):
    read = door.read(**name_window(scene), **LONG)
    for line in LINES:
        assert line in read["text"].splitlines(), read["text"]
    assert read["window"]["id"] == scene.note["window_id"] and "note.txt" in read["window"]["title"] and read["timestamp"] > 0
    assert not read["truncated"] and "truncated_by" not in read and read["lines_unread"] == 0 and not read["clipped"]
    assert all(is_within(line["bounds"], read["window"]["frame"]) for line in lines_of(read))


def test_how_finely_it_is_told(scene, door):
    blocks, lines, words = (door.read(**by_id(scene), detail=detail, **LONG) for detail in ("blocks", "lines", "words"))
    assert blocks["text"] == lines["text"] == words["text"]
    assert all("lines" not in block for block in blocks["blocks"])
    assert all("words" not in line for line in lines_of(lines))
    line = next(each for each in lines_of(words) if each["text"] == LINES[0])
    assert [word["text"] for word in line["words"]] == LINES[0].split() and line["language"] == "eng"
    assert all(is_within(word["bounds"], line["bounds"], 1) and 0 < word["confidence"] <= 1 for word in line["words"])
    assert next(each for each in lines_of(words) if each["text"] == LINES[1])["language"] == "chi_sim"


def test_a_region_in_both_forms(scene, door):
    box = next(line["bounds"] for line in lines_of(door.read(**by_id(scene), **LONG)) if line["text"] == LINES[2])
    left, top, right, bottom = box["x"] - 3, box["y"] - 3, box["x"] + box["width"] + 3, box["y"] + box["height"] + 3
    as_object = {"x": left, "y": top, "width": right - left, "height": bottom - top}
    for region in (as_object, [left, top, right, bottom]):
        read = door.read(region=region, **LONG)
        assert read["text"] == LINES[2] and read["region"] == as_object, read
        assert is_within(lines_of(read)[0]["bounds"], as_object)


def test_a_region_in_pixels_of_a_picture(scene, door):
    """A model points at what it has seen: the picture is half as large as the screen."""
    shot = scene.desk.call("screenshot", max_dimension=600)
    box = next(line["bounds"] for line in lines_of(door.read(**by_id(scene), **LONG)) if line["text"] == LINES[2])
    region = [box["x"] // 2, (box["y"] - 2) // 2, (box["x"] + box["width"] + 5) // 2, (box["y"] + box["height"] + 3) // 2]
    for space in ({"space": "image"}, {}):
        read = door.read(region=region, image_id=shot["image_id"], **space, **LONG)
        assert read["text"] == LINES[2], read
        assert is_within(lines_of(read)[0]["bounds"], box, 3), "told in pixels of the screen"


def test_an_element(scene, door):
    read = door.read(target="text in window \"note.txt\"", **LONG)
    assert read["text"].splitlines() == LINES and read["element"]["role"] == "text", read


def test_a_display(scene, door):
    read = door.read(display=0, detail="blocks", **LONG)
    for line in LINES + DARK_LINES:
        assert line in read["text"].splitlines(), read["text"]
    assert read["region"] == {"x": 0, "y": 0, "width": 1200, "height": 800} and "window" not in read


def test_a_dark_window(scene, door):
    picture, _ = scene.desk.picture(window_id=scene.dark["window_id"], format="png")
    assert picture.convert("L").getpixel((picture.width // 2, picture.height - 8)) < 90, "it is dark"
    read = door.read(window_title="dark dialog", **LONG)
    for line in DARK_LINES:
        assert line in read["text"].splitlines(), read["text"]


def test_a_covered_window(scene, door):
    scene.place(scene.dark, 40, 60)
    scene.desk.call("window_focus", window_id=scene.dark["window_id"])
    try:
        assert set(LINES) <= set(door.read(**by_id(scene), **LONG)["text"].splitlines())
    finally:
        scene.place(scene.dark, 720, 300)


def test_languages(scene, door):
    english = door.read(**by_id(scene), language="eng", **LONG)
    assert LINES[0] in english["text"].splitlines() and not any("\u4e00" <= letter <= "\u9fff" for letter in english["text"])
    assert {line["language"] for line in lines_of(english)} == {"eng"}
    chinese = door.read(**by_id(scene), language="chi_sim", **LONG)
    assert LINES[1] in chinese["text"].splitlines() and {line["language"] for line in lines_of(chinese)} == {"chi_sim"}
    assert door.read(**by_id(scene), language="auto", **LONG)["text"] == door.read(**by_id(scene), **LONG)["text"]


def test_what_was_read_is_not_read_again_by_another_door(scene):
    scene.doors["http"].read(**by_id(scene), **LONG)
    again = scene.doors["mcp"].read(**by_id(scene), **LONG)
    assert again["unchanged"] and again["lines_read"] == 0 and again["lines_cached"] >= len(LINES)
    assert all(line["cached"] for line in lines_of(again))


# ---- given pictures ----

def picture_of(text, size=(420, 60), ground=WHITE, ink=BLACK):
    image = Image.new("RGB", size, ground)
    ImageDraw.Draw(image).text((12, 18), text, fill=ink, font=ImageFont.truetype(FONT, 16))
    return image


def encoded(image, kind="PNG", **options):
    buffer = io.BytesIO()
    image.save(buffer, kind, **options)
    return buffer.getvalue()


def as_text(data):
    return base64.b64encode(data).decode()


@pytest.mark.parametrize("ground, ink", [(WHITE, BLACK), ((32, 34, 38), (230, 230, 230))])
@pytest.mark.parametrize("kind, prefix", [("PNG", ""), ("JPEG", "data:image/jpeg;base64,")])
def test_a_given_picture(door, kind, prefix, ground, ink):
    text = "Parcel 3381 is on its way"
    given = prefix + as_text(encoded(picture_of(text, ground=ground, ink=ink), kind, **({"quality": 92} if kind == "JPEG" else {})))
    read = door.read(image=given, detail="words", **LONG)
    assert read["text"] == text and read["region"] == {"x": 0, "y": 0, "width": 420, "height": 60}
    assert "window" not in read and "timestamp" not in read
    word = lines_of(read)[0]["words"][0]
    assert word["text"] == "Parcel" and abs(word["bounds"]["x"] - 13) <= 4
    box = word["bounds"]
    part = door.read(image=given, region=[box["x"] - 4, 0, box["x"] + box["width"] + 3, 60], **LONG)
    assert part["text"] == "Parcel"


def test_a_picture_of_some_megabytes(door):
    """As large as a screen with a photograph on it."""
    noise = random.Random(6)
    image = Image.frombytes("RGB", (1600, 900), noise.randbytes(1600 * 900 * 3))
    ImageDraw.Draw(image).rectangle((200, 200, 900, 300), fill="white")
    ImageDraw.Draw(image).text((240, 236), "Written on a noisy ground", fill="black", font=ImageFont.truetype(FONT, 22))
    data = encoded(image)
    assert len(data) > 4_000_000
    assert door.read(image=as_text(data), region=[200, 200, 900, 300], **LONG)["text"] == "Written on a noisy ground"


def test_time_is_kept(door):
    image = Image.new("RGB", (900, 700), "white")
    for number in range(30):
        ImageDraw.Draw(image).text((10, 4 + number * 23), f"{type(door).__name__} number {number * 37} costs {number * 113} pounds", fill="black",
                                   font=ImageFont.truetype(FONT, 14))
    read = door.read(image=as_text(encoded(image)), max_ms=40)
    assert read["truncated"] and read["truncated_by"] == "time" and read["lines_unread"] > 0


PNG, JPEG = encoded(picture_of("Cut off")), encoded(picture_of("Cut off"), "JPEG")


@pytest.mark.parametrize("image, code", [
    ("%%%%", "INVALID_PARAMS"), ("data:image/png;base64,", "INVALID_PARAMS"), ("", "INVALID_PARAMS"), (4711, "INVALID_PARAMS"),
    (as_text(b"no picture at all" * 50), "INVALID_PARAMS"),
    (as_text(PNG[:len(PNG) // 2]), "INVALID_PARAMS"), (as_text(JPEG[:len(JPEG) // 2]), "INVALID_PARAMS"),
    (as_text(PNG[:16] + b"\x00\x00\x75\x30\x00\x00\x75\x30" + PNG[24:]), "LIMIT_EXCEEDED"),  # 30,000 x 30,000
    (as_text(encoded(Image.new("1", (20000, 20000)))), "LIMIT_EXCEEDED")])
def test_garbage(door, image, code):
    error = door.fails(image=image)
    assert error["code"] == code and "image" in error["message"], error


@pytest.mark.parametrize("params, code", [
    ({"region": [0, 0, 10, 10], "display": 0}, "INVALID_PARAMS"), ({"region": [5, 5, 5, 5]}, "INVALID_PARAMS"),
    ({"region": [100, 100, 50]}, "INVALID_PARAMS"), ({"display": 7}, "INVALID_PARAMS"), ({"detail": "letters"}, "INVALID_PARAMS"),
    ({"window_title": "no such window"}, "WINDOW_NOT_FOUND"), ({"target": "button \"nowhere\""}, "DESKTOP_ELEMENT_NOT_FOUND"),
    ({"language": "klingon"}, "UNSUPPORTED"), ({"max_ms": 0}, "INVALID_PARAMS"), ({"image_id": "img_none", "region": [0, 0, 9, 9]}, "DESKTOP_STALE_SNAPSHOT"),
    ({"nonsense": True}, "INVALID_PARAMS"), ({"image": as_text(PNG), "window_id": 1}, "INVALID_PARAMS"),
    ({"image": as_text(PNG), "region": [500, 500, 600, 600]}, "INVALID_PARAMS")])
def test_bad_calls(door, params, code):
    assert door.fails(**params)["code"] == code
