"""Password fields: covered in every picture, and written into only when the owner agrees. What the X server itself shows
is the witness of the pictures, what the program got that of the writing."""
import base64
import contextlib
import io

import pytest
from PIL import Image, ImageChops, ImageStat

from handfast import APPS, FULL_AUTO, Desk, eventually, finish
from http_client import make_token
from screen import Screen
from test_stream import View
from witness import Witness

PROGRAMS = {"gtk3": ("people 3", "people.py", "3"), "gtk4": ("people 4", "people.py", "4"),
            "qt5": ("elements Qt", "elements_qt.py"), "later": ("secret later", "secret_later.py")}
KINDS = ["gtk3", "gtk4", "qt5"]


@pytest.fixture(scope="module")
def desk():
    desk = Desk("--virtual", "--size", "1280x800", "--private-home", config={**FULL_AUTO, "evidence": {"policy": "actions"}})
    yield desk
    finish(desk)


@pytest.fixture
def start(desk):
    programs = []

    def start(kind):
        title, *command = PROGRAMS[kind]
        program = Witness(desk, "/usr/bin/python3", APPS / command[0], *command[1:])
        programs.append(program)
        program.window = desk.window(title)["window_id"]
        desk.call("window_focus", window_id=program.window)
        return program

    yield start
    for program in programs:
        program.stop()


def real_screen(desk):
    """What is on the screen, as the server has it."""
    screen = Screen(desk.desktop_environment())
    try:
        geometry = screen.root.get_geometry()
        raw = screen.root.get_image(0, 0, geometry.width, geometry.height, 2, 0xffffffff).data
        return Image.frombytes("RGB", (geometry.width, geometry.height), raw, "raw", "BGRX")
    finally:
        screen.close()


def field_of(desk, window):
    """Where the password field is: of what is read by structure."""
    def find():
        elements = desk.call("ui_describe", window_id=window)["elements"]
        return next((element["bounds"] for element in elements if element.get("secure")), None)
    return eventually(find, 10, "the password field in the tree")


def inner(bounds, by=6):
    return (bounds["x"] + by, bounds["y"] + by, bounds["x"] + bounds["width"] - by, bounds["y"] + bounds["height"] - by)


def colours(image):
    return len(set(image.getdata()))


def shows_dots(image, box):
    """Whether something is written there."""
    return colours(image.crop(box)) > 4


def different(one, other):
    """Where two pictures differ; None: nowhere."""
    return ImageChops.difference(one, other).getbbox()


def is_covered(picture, real, bounds, area=(0, 0)):
    """In the picture, which begins at `area` of the screen, the field is not what the screen has, and all else is."""
    left, top = area
    whole = real.crop((left, top, left + picture.width, top + picture.height))
    box = different(picture, whole)
    if not box:
        return False
    return (box[0] >= bounds["x"] - left - 2 and box[1] >= bounds["y"] - top - 2 and
            box[2] <= bounds["x"] + bounds["width"] - left + 2 and box[3] <= bounds["y"] + bounds["height"] - top + 2)


@pytest.mark.parametrize("kind", KINDS)
def test_the_first_picture_of_a_window_is_covered(desk, start, kind):
    program = start(kind)
    picture, _ = desk.picture(format="png", cursor=False)
    real = real_screen(desk)
    bounds = field_of(desk, program.window)
    assert shows_dots(real, inner(bounds)), "the program shows no dots: the test would prove nothing"
    covered = is_covered(picture, real, bounds)
    if not covered:  # it may not have been on the accessibility bus yet: then soon
        covered = eventually(lambda: is_covered(desk.picture(format="png", cursor=False)[0], real_screen(desk), bounds), 10,
                             "the field to be covered")
    assert covered


def test_a_field_that_appears_in_a_known_window_is_covered_at_once(desk, start):
    """Its first picture has it covered already, whenever the program answers soon: on a busy machine not each time."""
    program = start("later")
    button = eventually(lambda: desk.call("find", selector='button "Turn"', window_id=program.window)["elements"], 10, "it")[0]
    place = {"x": button["bounds"]["x"] + 20, "y": button["bounds"]["y"] + 10}
    shots = []
    for _ in range(8):
        desk.picture(format="png", cursor=False)  # known as it is
        program.lines.queue.clear()
        desk.call("left_click", **place, verify=False)
        program.next("drawn")
        shots.append(desk.picture(format="png", cursor=False)[0])
        real = real_screen(desk)
        bounds = field_of(desk, program.window)
        assert shows_dots(real, inner(bounds)), "the program shows no dots: the test would prove nothing"
        shots[-1] = is_covered(shots[-1], real, bounds)
        desk.call("left_click", **place, verify=False)
        program.next("hidden")
        eventually(lambda: not different(desk.picture(format="png", cursor=False)[0], real_screen(desk)), 10, "no cover")
    assert shots.count(True) >= 4, shots


def place_of(desk, window, size):
    """Where a picture of this size of the window begins on the screen."""
    frame = next(each for each in desk.call("window_list")["windows"] if each["window_id"] == window)
    for place in (frame["bounds"], frame["frame"]):
        if size == (place["width"], place["height"]):
            return place["x"], place["y"]
    raise AssertionError(f"{size} is neither the frame nor the window: {frame}")


def check_roughly(image, real, bounds, area=(0, 0)):
    """As is_covered, for pictures that are not exact: the field is another, what is above and below it is not."""
    def unlike(box):
        inside = (box[0] - area[0], box[1] - area[1], box[2] - area[0], box[3] - area[1])
        return ImageStat.Stat(ImageChops.difference(image.crop(inside), real.crop(box)).convert("L")).mean[0]
    left, top, right, bottom = inner(bounds, 2)
    assert unlike((left, top, right, bottom)) > 15
    assert unlike((left, top - 24, right, top - 8)) < 10 and unlike((left, bottom + 8, right, bottom + 24)) < 10


@pytest.mark.parametrize("kind", ["gtk3", "qt5"])
def test_every_kind_of_picture_is_covered(desk, start, kind):
    program = start(kind)
    bounds = field_of(desk, program.window)
    region = {"x": bounds["x"] - 20, "y": bounds["y"] - 30, "width": bounds["width"] + 40, "height": bounds["height"] + 60}
    shot = desk.picture(format="png", cursor=False, region=region)[0]
    assert shot.size == (region["width"], region["height"])
    assert is_covered(shot, real_screen(desk), bounds, (region["x"], region["y"]))
    real = real_screen(desk)
    for tool in ("screenshot", "observe"):
        result = desk.call(tool, window_id=program.window, format="png")
        image = Image.open(io.BytesIO(base64.b64decode(result["image"]))).convert("RGB")
        check_roughly(image, real, bounds, place_of(desk, program.window, image.size))
    zoomed = desk.call("zoom", region=region, format="png")
    image = Image.open(io.BytesIO(base64.b64decode(zoomed["image"]))).convert("RGB")
    check_roughly(image.resize((region["width"], region["height"])), real, bounds, (region["x"], region["y"]))


def test_evidence_and_the_live_screen_are_covered(desk, start):
    program = start("gtk3")
    bounds = field_of(desk, program.window)
    desk.call("mouse_move", x=1270, y=790, smooth=False, run_id="covered")
    real = real_screen(desk)
    pictures = list(desk.data.glob("runs/*/covered/screenshots/*.jpg"))
    assert len(pictures) == 2, pictures
    for picture in pictures:
        check_roughly(Image.open(picture).convert("RGB"), real, bounds)
    with contextlib.closing(View(desk, make_token(desk, "eyes", "--role", "observer"))) as view:
        view.settle(lambda: view.picture is not None)
        check_roughly(view.picture, real, bounds)


def test_the_cover_moves_with_the_window_and_goes_with_it(desk, start):
    program = start("gtk3")
    field_of(desk, program.window)
    desk.call("window_manage", window_id=program.window, action="move", bounds={"x": 400, "y": 200})
    bounds = field_of(desk, program.window)
    eventually(lambda: is_covered(desk.picture(format="png", cursor=False)[0], real_screen(desk), bounds), 10, "the cover there")
    program.stop()
    eventually(lambda: not different(desk.picture(format="png", cursor=False)[0], real_screen(desk)), 10, "no cover any more")


def test_the_next_program_with_the_same_window_is_shown(desk, start):
    """The server gives the ids of a program that has ended to the next one, at once."""
    old = start("gtk4")
    field_of(desk, old.window)
    desk.call("screenshot")
    old.process.kill()
    old.process.wait()
    new = Witness(desk, "/usr/bin/python3", APPS / "effects_gtk4.py")
    try:
        assert desk.window("Effects")["window_id"] == old.window, "the id was not given again: the test would prove nothing"
        desk.call("wait_until", until="settled", max_ms=3000)
        assert not different(desk.picture(format="png", cursor=False)[0], real_screen(desk))
    finally:
        new.stop()


def ask_and(desk, program, answer, tool, **params):
    bridge = desk.connect()
    identity = bridge.send("call", {"tool": tool, "params": params})
    notice = bridge.receive()
    assert notice.get("method") == "waiting", notice
    desk.owner_cli(answer, notice["params"]["approval"]["id"])
    reply = bridge.receive()
    assert reply["id"] == identity
    bridge.close()
    return reply["result"]


@pytest.mark.parametrize("method", ["keys", "paste"])
def test_typing_into_a_password_field_asks_the_owner(desk, start, method):
    program = start("gtk3")
    bounds = field_of(desk, program.window)
    desk.call("left_click", x=bounds["x"] + 20, y=bounds["y"] + bounds["height"] // 2)
    program.lines.queue.clear()
    answer = ask_and(desk, program, "deny", "type_text", text="s3sam3", method=method)
    assert not answer["ok"] and answer["error"]["code"] in ("APPROVAL_DENIED", "DENIED", "DANGEROUS_ACTION_BLOCKED"), answer
    assert program.lines.empty(), "nothing may be typed when the owner says no"
    answer = ask_and(desk, program, "approve", "type_text", text="s3sam3", method=method)
    assert answer["ok"], answer
    seen = program.all(lambda line: line["event"] == "text" and "s3sam3" in line["text"])
    assert seen[-1]["field"] == "Password"
    assert b"s3sam3" not in desk.data_bytes(), "what was typed is kept nowhere"


def test_a_macro_that_types_into_a_password_field_asks_once(desk, start):
    program = start("gtk3")
    bounds = field_of(desk, program.window)
    steps = [{"tool": "left_click", "params": {"x": bounds["x"] + 20, "y": bounds["y"] + bounds["height"] // 2}},
             {"tool": "type_text", "params": {"text": "s3sam3", "method": "keys"}},
             {"tool": "type_text", "params": {"text": "0pen", "method": "keys"}}]
    answer = ask_and(desk, program, "deny", "run_macro", steps=steps)
    assert not answer["ok"] and answer["error"]["code"] == "APPROVAL_DENIED", answer
    assert not [line for line in program.lines.queue if line["event"] == "text"], "nothing may be typed then"
    answer = ask_and(desk, program, "approve", "run_macro", steps=steps)
    assert answer["ok"], answer
    assert program.all(lambda line: line["event"] == "text" and "s3sam30pen" in line["text"])[-1]["field"] == "Password"
    # One that was asked about as a whole is not asked about again.
    answer = ask_and(desk, program, "approve", "run_macro", steps=steps, approval="require_approval")
    assert answer["ok"], answer
    assert program.all(lambda line: line["event"] == "text" and "s3sam30pen" in line["text"])
    assert b"s3sam3" not in desk.data_bytes(), "what was typed is kept nowhere"


def test_single_keys_ask_too_and_keys_that_write_nothing_do_not(desk, start):
    program = start("gtk3")
    bounds = field_of(desk, program.window)
    desk.call("left_click", x=bounds["x"] + 20, y=bounds["y"] + bounds["height"] // 2)
    program.lines.queue.clear()
    answer = ask_and(desk, program, "deny", "key_press", keys=["x"])
    assert not answer["ok"] and program.lines.empty(), answer
    assert desk.call("key_press", keys=["Tab"])["success"]
    # The next field is an ordinary one.
    assert desk.call("type_text", text="plain")["success"]
    seen = program.all(lambda line: line["event"] == "text" and "plain" in line["text"])
    assert seen[-1]["field"] == "Notes"
