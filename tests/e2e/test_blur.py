"""privacy.blur: what the owner lists is in no picture, whatever door it leaves by. Two reading engines look at the pictures: they
must not find the listed text, and must find the text beside it. The letters are 48 pixels high."""
import base64
import contextlib
import io
import json
import subprocess
import time

import pytest
from PIL import Image

from handfast import APPS, FULL_AUTO, Desk, ToolError, eventually, finish
from http_client import make_token
from test_stream import View
from witness import Witness

SECRET, OTHER_SECRET, PLAIN = "MANDARIN|ORCHID 7316", "PELICAN|WALNUT 5924", "HARBOUR|MEADOW 2048"
SECRET_AT, PLAIN_AT = (40, 60), (680, 420)
BLUR = {"window": {"title": "salary table"}}


def config(*blur, **more):
    return {**FULL_AUTO, "evidence": {"policy": "actions", "picture_edge": 1280}, "privacy": {"blur": list(blur)}, **more}


@pytest.fixture(scope="module")
def desk():
    desk = Desk("--virtual", "--size", "1280x800", "--private-home", config=config(BLUR))
    yield desk
    finish(desk)


class Billboard(Witness):
    def __init__(self, desk, title, text, place):
        super().__init__(desk, "/usr/bin/python3", APPS / "billboard.py", title, text, *place, stdin=subprocess.PIPE)
        self.desk = desk
        self.window = desk.window(title)["window_id"]

    def tell(self, line):
        self.process.stdin.write(f"{line}\n".encode())
        self.process.stdin.flush()

    def move(self, left, top):
        self.desk.call("window_manage", window_id=self.window, action="move", bounds={"x": left, "y": top})

    def stop(self):
        self.process.stdin.close()
        super().stop()


def agree(desk, *blur):
    """Another agreement, which holds from now on."""
    desk.write_config(config(*blur))
    eventually(lambda: desk.main_bridge.manage("config.get", path="privacy.blur")["value"] == list(blur), 10, "the agreement")


@pytest.fixture
def boards(desk):
    """The listed window and one beside it."""
    agree(desk, BLUR)
    secret = Billboard(desk, "Salary table 2026", SECRET, SECRET_AT)
    plain = Billboard(desk, "Weather", PLAIN, PLAIN_AT)
    yield secret, plain
    secret.stop()
    plain.stop()


def decode(result):
    return Image.open(io.BytesIO(base64.b64decode(result["image"]))).convert("RGB")


def words_in(desk, image):
    """What the two engines make of it."""
    buffer = io.BytesIO()
    image.save(buffer, "png")
    ours = desk.call("screen_ocr", image=base64.b64encode(buffer.getvalue()).decode(), timeout_ms=60000, max_ms=50000)["text"]
    other = subprocess.run(["tesseract", "-", "-", "--psm", "11"], input=buffer.getvalue(), capture_output=True, check=True)
    return ours.split() + other.stdout.decode().split()


def letters(text):
    return text.replace("|", " ").split()


def assert_reads(desk, image, shown=(PLAIN,), hidden=(SECRET,)):
    words = words_in(desk, image)
    for text in hidden:
        assert not [word for word in letters(text) if word in words], words
    for text in shown:
        assert all(word in words for word in letters(text)), words


def shot(desk, **params):
    return decode(desk.call("screenshot", format="png", max_dimension=0, **params))


def test_without_the_list_it_is_read(desk, boards):
    """Otherwise the other tests would prove nothing."""
    agree(desk)
    assert_reads(desk, shot(desk), shown=(PLAIN, SECRET), hidden=())


def test_every_kind_of_picture(desk, boards):
    secret, plain = boards
    assert_reads(desk, shot(desk))
    assert_reads(desk, decode(desk.call("screenshot")))
    assert_reads(desk, shot(desk, region={"x": 20, "y": 30, "width": 1240, "height": 740}))
    assert_reads(desk, shot(desk, window_id=secret.window), shown=())
    assert_reads(desk, shot(desk, window_id=plain.window))
    assert_reads(desk, decode(desk.call("zoom", region={"x": 30, "y": 40, "width": 560, "height": 240}, format="png")), shown=())
    assert_reads(desk, decode(desk.call("zoom", region={"x": 670, "y": 400, "width": 560, "height": 240}, format="png")))
    for marks in (False, True):
        assert_reads(desk, decode(desk.call("observe", everything=True, marks=marks, format="png", max_dimension=0)))
        assert_reads(desk, decode(desk.call("observe", window_id=secret.window, marks=marks, format="png")), shown=())


def test_a_window_that_others_cover(desk, boards):
    secret, plain = boards
    plain.move(60, 80)
    assert_reads(desk, shot(desk))
    assert_reads(desk, shot(desk, window_id=secret.window), shown=())
    desk.call("window_focus", window_id=secret.window)
    assert_reads(desk, shot(desk, window_id=plain.window))
    assert_reads(desk, shot(desk), shown=())


def test_text_is_not_read(desk, boards):
    """Nor remembered: it was read before it was listed."""
    secret, _ = boards
    agree(desk)
    assert "MANDARIN" in desk.call("screen_ocr", timeout_ms=60000, max_ms=50000)["text"]
    told = json.dumps(desk.call("observe", window_id=secret.window, pixels="always", timeout_ms=60000))
    assert "MANDARIN" in told, "without the list it is an element"
    agree(desk, BLUR)
    read = desk.call("screen_ocr", timeout_ms=60000, max_ms=50000)["text"]
    assert "HARBOUR" in read and not [word for word in letters(SECRET) if word in read], read
    for params in ({"window_id": secret.window}, {"everything": True}):
        told = desk.call("observe", pixels="always", timeout_ms=60000, **params)
        assert not [word for word in letters(SECRET) if word in json.dumps({**told, "image": ""})]
    with pytest.raises(ToolError):
        desk.call("left_click", target='label "MANDARIN"', window_id=secret.window, timeout_ms=20000)


def test_evidence(desk, boards):
    run = f"blur-{time.monotonic_ns()}"
    desk.call("mouse_move", x=1270, y=790, smooth=False, run_id=run)
    pictures = eventually(lambda: list(desk.data.glob(f"runs/*/{run}/screenshots/*.jpg")), what="the pictures")
    for picture in pictures:
        assert_reads(desk, Image.open(picture).convert("RGB"))


def approval_picture(desk, tool, **params):
    bridge = desk.connect()
    bridge.send("call", {"tool": tool, "params": {**params, "approval": "require_approval"}})
    question = bridge.receive()["params"]["approval"]
    image = Image.open(question["picture"]).convert("RGB")
    desk.owner_cli("deny", question["id"])
    bridge.receive()
    bridge.close()
    return image


def test_pictures_for_the_owner(desk, boards):
    """Of a call, and of the first step of a macro."""
    assert_reads(desk, approval_picture(desk, "mouse_move", x=1270, y=20, smooth=False))
    steps = [{"tool": "left_click", "params": {"x": 1270, "y": 20}}]
    assert_reads(desk, approval_picture(desk, "run_macro", steps=steps))
    assert_reads(desk, decode(desk.call("left_click", x=1270, y=20, dry_run=True)))


def test_the_live_screen_and_its_reload(desk, boards):
    """A view that has shown it stops to when it is listed, although nothing is drawn."""
    agree(desk)
    with contextlib.closing(View(desk, make_token(desk, "blur-eyes", "--role", "observer"))) as view:
        view.settle(lambda: view.picture is not None)
        assert_reads(desk, view.picture, shown=(PLAIN, SECRET), hidden=())
        frames = len(view.frames)
        agree(desk, BLUR)
        view.settle(lambda: len(view.frames) > frames)
        assert_reads(desk, view.picture)
        frames = len(view.frames)
        agree(desk)
        view.settle(lambda: len(view.frames) > frames)
        assert_reads(desk, view.picture, shown=(PLAIN, SECRET), hidden=())


def test_what_changes_under_it_is_not_told(desk, boards):
    secret, plain = boards
    before = desk.call("screenshot", cursor=False)
    secret.tell(f"text {OTHER_SECRET}")
    secret.next("drawn")
    after = desk.call("screenshot", cursor=False, if_changed_since=before["image_id"])
    assert after["unchanged"] is True and not after["changed"], after
    plain.tell("text HARBOUR|MEADOW 2049")
    plain.next("drawn")
    after = desk.call("screenshot", cursor=False, if_changed_since=before["image_id"], crop="changed", format="png")
    frame = desk.window("Weather")["frame"]
    assert after["changed"], "what changed beside it is told"
    for place in after["changed"]:
        assert place["x"] >= frame["x"] and place["y"] >= frame["y"], after["changed"]


def test_a_reload_is_a_change(desk, boards):
    agree(desk)
    before = desk.call("screenshot", cursor=False)
    agree(desk, BLUR)
    after = desk.call("screenshot", cursor=False, if_changed_since=before["image_id"], format="png", max_dimension=0)
    assert after["unchanged"] is False
    assert_reads(desk, decode(after))


def test_it_moves_with_the_window(desk, boards):
    secret, plain = boards
    for place in ((300, 20), (700, 100), (5, 500)):
        secret.move(*place)
        assert_reads(desk, shot(desk))


def test_pictures_while_it_moves(desk, boards):
    """As a person drags it. A picture shows nothing of it, or there is none for the moment."""
    secret, _ = boards
    environment, pictures = desk.desktop_environment(), []
    mover = subprocess.Popen(["/usr/bin/python3", "-c", f"""
import Xlib.display, time
x = Xlib.display.Display()
window = x.create_resource_object('window', {secret.window})
step = 0
while True:
    window.configure(x=20 + step * 7 % 600, y=20 + step * 3 % 180)
    x.sync()
    time.sleep(.02)
    step += 1
"""], env=environment)

    def enough():
        answer = desk.answer("screenshot", format="png", max_dimension=0, cursor=False)
        if answer["ok"]:
            pictures.append(decode(answer["result"]))
        else:
            assert answer["error"]["code"] == "DESKTOP_UNAVAILABLE" and answer["error"]["retryable"], answer
        return len(pictures) >= 4
    try:
        eventually(enough, 15, "four pictures of a screen on which it moves")
    finally:
        mover.kill()
        mover.wait()
    assert_reads(desk, shot(desk, cursor=False), shown=())
    for picture in pictures:
        assert_reads(desk, picture, shown=())


def test_its_menus(desk, boards):
    secret, _ = boards
    secret.move(20, 400)
    secret.tell("menu")
    secret.next("menu", 10)
    assert_reads(desk, shot(desk))


def test_by_program_and_title(desk, boards):
    """The program of both windows is the same; who names a title too means one of them."""
    agree(desk, {"window": {"app": "python3*"}})
    assert_reads(desk, shot(desk), shown=(), hidden=(SECRET, PLAIN))
    agree(desk, {"window": {"app": "python3*", "title": "sal?ry"}})
    assert_reads(desk, shot(desk))
    agree(desk, {"window": {"app": "firefox", "title": "sal?ry"}})
    assert_reads(desk, shot(desk), shown=(SECRET, PLAIN), hidden=())


def test_a_title_that_comes_later(desk, boards):
    _, plain = boards
    plain.tell("title Salary table too")
    eventually(lambda: len([w for w in desk.call("window_list")["windows"] if "Salary" in w["title"]]) == 2, 10, "the title")
    assert_reads(desk, shot(desk), shown=(), hidden=(SECRET, PLAIN))


def test_a_part_of_a_window(desk, boards):
    """Its second line, wherever the window is and from whichever corner it is measured."""
    secret, _ = boards
    bounds = desk.window("Salary table 2026")["bounds"]
    rect = {"x": 0, "y": 80, "width": 16384, "height": 200}
    upward = {"x": 0, "y": 0, "width": bounds["width"], "height": bounds["height"] - 80}
    for entry in ({**BLUR, "rect": rect}, {**BLUR, "rect": upward, "corner": "bottom-right"}):
        agree(desk, entry)
        for place in ((40, 60), (300, 100)):
            secret.move(*place)
            assert_reads(desk, shot(desk), shown=(PLAIN, "MANDARIN"), hidden=("ORCHID 7316",))
        assert_reads(desk, shot(desk, window_id=secret.window), shown=("MANDARIN",), hidden=("ORCHID 7316",))


def test_a_place_on_the_screen(desk, boards):
    """Whatever is there, on the desktop that it is meant for."""
    secret, plain = boards
    rect = {"x": 0, "y": 0, "width": 640, "height": 400}
    agree(desk, {"rect": rect, "desktop": "main"})
    assert_reads(desk, shot(desk))
    assert_reads(desk, shot(desk, window_id=secret.window), shown=())
    agree(desk, {"rect": rect, "desktop": "another"})
    assert_reads(desk, shot(desk), shown=(SECRET, PLAIN), hidden=())


def test_effects_do_not_tell_where_it_is_drawn(desk, boards):
    """It draws itself anew when it is clicked."""
    secret, _ = boards
    secret.move(5, 5)
    frame = desk.window("Salary table 2026")["frame"]

    def drawn_within():
        answer = desk.answer("left_click", x=frame["x"] + 200, y=frame["y"] + 100, verify=True)
        assert answer["ok"] and answer["effect"]["verdict"] != "no_effect", answer
        return [place for place in answer["effect"].get("rects", [])
                if place["x"] < frame["x"] + frame["width"] and place["x"] + place["width"] > frame["x"] and
                place["y"] < frame["y"] + frame["height"] and place["y"] + place["height"] > frame["y"]]

    agree(desk)
    assert drawn_within(), "without the list it is told"
    agree(desk, BLUR)
    assert not drawn_within()


@pytest.mark.parametrize("blur, says", [
    ([{"rect": {"x": 0, "y": 0, "width": -3, "height": 9}}], "privacy.blur[0].rect.width: expected 1 to 16384"),
    ([{"window": {"title": f"t{number}"}} for number in range(10000)], "privacy.blur: expected 0 to 256 members, not 10000"),
    ("everything", "privacy.blur: expected an array"),
    ([{"window": "x"}], "privacy.blur[0].window: expected an object"),
    ([{}], "privacy.blur[0]: expected a window, a rect, or both"),
])
def test_what_makes_no_sense_is_refused(desk, boards, blur, says):
    """And what held, holds on."""
    held = desk.main_bridge.manage("config.get", path="privacy.blur")["value"]
    desk.write_config({**config(), "privacy": {"blur": blur}}, accept=False)
    eventually(lambda: says in desk.main_bridge.manage("status")["config"].get("problem", {}).get("message", ""), 10, says)
    assert desk.main_bridge.manage("config.get", path="privacy.blur")["value"] == held
    assert_reads(desk, shot(desk))


def test_the_administrator_adds(own_desk):
    desk = own_desk("--virtual", "--size", "1280x800", config=config({"window": {"title": "diary"}}),
                    policy={"privacy": {"blur": [BLUR]}})
    boards = [Billboard(desk, "Salary table", SECRET, SECRET_AT), Billboard(desk, "My diary", PLAIN, PLAIN_AT)]
    try:
        assert_reads(desk, shot(desk), shown=(), hidden=(SECRET, PLAIN))
        desk.write_config(config())
        eventually(lambda: desk.main_bridge.manage("config.get", path="privacy.blur")["value"] == [BLUR], 10, "the agreement")
        assert_reads(desk, shot(desk))
    finally:
        for board in boards:
            board.stop()
