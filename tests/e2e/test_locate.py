"""element_locate through the doors: what a description means is what the program says was used; what is not clear is not
claimed; what is no description gets a clear error."""
import base64
import io
import json
import signal
import subprocess

import pytest
from PIL import Image, ImageDraw, ImageFont, PngImagePlugin

from handfast import APPS, SLOW, eventually, read_line
from mcp_client import Mcp


class People:
    """The program of tests/apps/people.py, which says what was used."""

    def __init__(self, desk, version="3"):
        self.desk = desk
        self.process = desk.spawn("/usr/bin/python3", APPS / "people.py", version, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, bufsize=0)
        self.window = desk.window(f"people {version}", 20)["window_id"]
        while self.told()["event"] != "ready":
            pass
        desk.call("window_focus", window_id=self.window)
        eventually(lambda: desk.call("find", selector='button "Reload"', window_id=self.window)["total"], 15, "the program on the bus")

    def told(self):
        return json.loads(read_line(self.process.stdout))

    def locate(self, description, **params):
        return self.desk.call("element_locate", description=description, max_ms=1000 * SLOW, timeout_ms=60000, **params)

    def end(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


@pytest.fixture(scope="module")
def people(shared_desk):
    program = People(shared_desk)
    yield program
    program.end()


@pytest.mark.parametrize("say, used", [
    ("Reload", {"name": "Reload"}), ("the refresh button", {"name": "Reload"}), ("保存按钮", {"name": "保存(_S)"}),
    ("the Save button", {"name": "保存(_S)"}), ("second Delete button", {"name": "Delete", "row": "Bob"}),
    ("最后一个删除按钮", {"name": "Delete", "row": "Carol"}), ("Delete button in the row of Alice", {"name": "Delete", "row": "Alice"}),
    ("Bob 右边的按钮", {"name": "Delete", "row": "Bob"})])
def test_what_is_located_is_what_is_used(shared_desk, people, say, used):
    found = people.locate(say)
    assert found["found"] and found["confident"], found
    best = found["elements"][0]
    assert best["reasons"] and best["confidence"] > 0.7 and best["bounds"]["x"] < best["center"]["x"], best
    shared_desk.call("left_click", target=best["ref"])
    assert people.told() == {"event": "used", **used}


def test_a_field_by_its_label_takes_the_text(shared_desk, people):
    best = people.locate("the field right of User name")["elements"][0]
    shared_desk.call("ui_act", target=best["ref"], action="set_value", value="li")
    assert people.told() == {"event": "text", "field": "User name", "text": "li"}
    assert people.locate("用户名输入框")["elements"][0]["role"] == "text"
    shared_desk.call("ui_act", target=best["ref"], action="set_value", value="")
    people.told()


def test_what_is_not_clear_is_not_claimed(people):
    several = people.locate("the Delete button")
    assert several["found"] and not several["confident"] and len(several["elements"]) >= 3, several
    assert {each["name"] for each in several["elements"][:3]} == {"Delete"}
    none = people.locate("the Print button")
    assert not none["confident"], none
    assert not people.locate("zxqv wyk")["found"]
    assert several["asked_model"] is False and several["asked_model_reason"] == "no vision model is configured"


def test_what_was_cut_off_may_be_meant(shared_desk, people):
    other = shared_desk.spawn("/usr/bin/python3", APPS / "widgets_gtk3.py", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        eventually(lambda: shared_desk.call("find", selector='check-box "Agree"', everything=True)["total"], 20, "the other program on the bus")
        shared_desk.call("window_focus", window_id=people.window)
        other.send_signal(signal.SIGSTOP)
        found = people.locate("the Reload button", everything=True)
        assert found["truncated"] and found["found"] and found["elements"][0]["name"] == "Reload", found
        assert not found["confident"] and "not compared" in found["reason"] and "truncated" in found["reason"], found
    finally:
        other.kill()
        other.wait()
    assert people.locate("the Reload button")["confident"]


def test_scope_region_and_language(people):
    box = people.locate("Reload")["elements"][0]["bounds"]
    here = [box["x"] - 2, box["y"] - 2, box["x"] + box["width"] + 2, box["y"] + box["height"] + 2]
    assert people.locate("Reload", region=here)["confident"]
    assert not people.locate("Reload", region=[0, 0, 10, 10], window_id=people.window)["found"]
    assert len(people.locate("the Delete button", max_results=1)["elements"]) == 1
    assert people.locate("Reload", window_id=people.window, language="zh")["elements"][0]["reasons"] == \
        ["名称“Reload”与所说的一致"]


def text_picture(*texts, note=None):
    picture = Image.new("RGB", (500, 60 + 60 * len(texts)), "white")
    font = ImageFont.truetype("/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc", 22)
    for number, text in enumerate(texts):
        ImageDraw.Draw(picture).text((40, 40 + 60 * number), text, fill="black", font=font)
    file = io.BytesIO()
    picture.save(file, "PNG", pnginfo=note)
    return base64.b64encode(file.getvalue()).decode()


def test_a_given_picture(shared_desk):
    found = shared_desk.call("element_locate", description="提交", image=text_picture("Cancel order", "Submit order", "Print"), timeout_ms=60000)
    best = found["elements"][0]
    assert best["source"] == ["ocr"] and "submit" in best["name"].lower() and abs(best["center"]["y"] - 115) < 15, found
    assert "ref" not in best and "snapshot_id" not in found


def test_a_large_picture_on_standard_input(shared_desk):
    """An argument of the command line holds 128 KiB at most."""
    note = PngImagePlugin.PngInfo()
    note.add_text("padding", "x" * (200 << 10))
    picture = text_picture("Cancel order", "Submit order", "Print", note=note)
    assert len(picture) > 256 << 10
    shown = shared_desk.cli("element_locate", "--description", "Submit order", "--image", "-", "--json", input=picture.encode())
    assert json.loads(shown.stdout)["result"]["elements"][0]["name"].lower() == "submit order", shown


def cut_out(desk, box):
    """A picture of this part of the screen, pixel for pixel."""
    desk.call("mouse_move", x=5, y=5)
    desk.answer("wait_until", until="settled", max_ms=3000)
    picture = desk.picture(format="png", max_dimension=0)[0]
    return picture.crop((box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"]))


def as_base64(picture):
    file = io.BytesIO()
    picture.save(file, "PNG")
    return base64.b64encode(file.getvalue()).decode()


def test_a_picture_of_a_button_is_found_where_the_window_went(shared_desk, people):
    box = people.locate("Reload")["elements"][0]["bounds"]
    template = cut_out(shared_desk, box)
    shared_desk.call("window_manage", window_id=people.window, action="move", bounds={"x": 237, "y": 119})
    eventually(lambda: people.locate("Reload")["elements"][0]["bounds"] != box, 10, "the window elsewhere")
    shared_desk.answer("wait_until", until="settled", max_ms=3000)
    moved = people.locate("Reload")["elements"][0]["bounds"]
    found = shared_desk.call("element_locate", template=as_base64(template))
    best = found["elements"][0]
    assert found["confident"] and best["source"] == ["pixels"] and best["confidence"] > 0.95, found
    assert abs(best["bounds"]["x"] - moved["x"]) <= 1 and abs(best["bounds"]["y"] - moved["y"]) <= 1, (best, moved)
    shared_desk.call("left_click", **best["center"])
    assert people.told() == {"event": "used", "name": "Reload"}


def test_templates_of_other_sizes_several_and_none(shared_desk, people):
    box = people.locate("second Delete button")["elements"][0]["bounds"]
    template = cut_out(shared_desk, box)
    several = shared_desk.call("element_locate", template=as_base64(template), language="zh")
    assert several["found"] and not several["confident"] and len(several["elements"]) == 3, several
    row = [box["x"] - 4, box["y"] - 4, box["x"] + box["width"] + 4, box["y"] + box["height"] + 4]
    larger = template.resize((template.width * 10 // 9, template.height * 10 // 9))
    one = shared_desk.call("element_locate", template=as_base64(larger), region=row, threshold=0.7)
    assert len(one["elements"]) == 1 and abs(one["elements"][0]["center"]["y"] - box["y"] - box["height"] // 2) <= 3, one
    given = shared_desk.call("element_locate", template=as_base64(template), image=as_base64(shared_desk.picture(format="png", max_dimension=0)[0]))
    assert len(given["elements"]) == 3, given
    strange = Image.effect_noise((40, 40), 90).convert("RGB")
    assert not shared_desk.call("element_locate", template=as_base64(strange))["found"]
    assert shared_desk.call("element_locate", template=as_base64(strange), description="Reload")["confident"], "the words are used then"


@pytest.mark.parametrize("code, params", [
    ("INVALID_PARAMS", {"template": "garbage!"}), ("INVALID_PARAMS", {"template": "AAAA"}),
    ("INVALID_PARAMS", {"template": as_base64(Image.new("RGB", (30, 30), "red"))}),
    ("INVALID_PARAMS", {"template": as_base64(Image.new("RGB", (3, 3), "red"))}),
    ("LIMIT_EXCEEDED", {"template": as_base64(Image.effect_noise((1100, 20), 90))}),
    ("INVALID_PARAMS", {"template": as_base64(Image.effect_noise((40, 40), 90)), "region": [0, 0, 20, 20]}),
    ("INVALID_PARAMS", {"template": as_base64(Image.effect_noise((40, 40), 90)), "threshold": 2}),
    ("INVALID_PARAMS", {}), ("INVALID_PARAMS", {"description": ""}), ("INVALID_PARAMS", {"description": "   "}),
    ("INVALID_PARAMS", {"description": "the a an"}), ("INVALID_PARAMS", {"description": "请点击那个"}),
    ("INVALID_PARAMS", {"description": "x" * 1001}), ("INVALID_PARAMS", {"description": "x" * (1 << 20)}),
    ("INVALID_PARAMS", {"description": 7}), ("INVALID_PARAMS", {"description": "Save", "max_results": 0}),
    ("INVALID_PARAMS", {"description": "Save", "image": "garbage!"}), ("INVALID_PARAMS", {"description": "Save", "image": "AAAA"}),
    ("INVALID_PARAMS", {"description": "Save", "image": "AAAA", "everything": True}),
    ("WINDOW_NOT_FOUND", {"description": "Save", "window_title": "no such window"})])
def test_bad_input_gets_a_clear_error(shared_desk, code, params):
    error = shared_desk.fails(code, "element_locate", **params)
    assert error["message"]


def test_over_mcp_and_the_command_line(shared_desk, people):
    client = Mcp(shared_desk.environment, "--profile", "all")
    answer = client.call("element_locate", description="保存按钮")
    client.close()
    assert answer["structuredContent"]["confident"], answer
    shown = json.loads(shared_desk.cli("element_locate", "--description", "保存按钮", "--json").stdout)
    assert shown["result"]["elements"][0]["role"] == "button"
