"""Eyes through the public doors: right colours, right places, right refusals."""
import base64
import io
import re
import subprocess
import time

import pytest
from PIL import Image, ImageChops, ImageStat

from handfast import APPS, SLOW, eventually, read_line

RED, GREEN, BLUE, YELLOW = (0xd0, 0x20, 0x10), (0x10, 0xc0, 0x40), (0x20, 0x30, 0xe0), (0xe0, 0xe0, 0x20)
QUADRANTS = [(0.25, 0.25, RED), (0.75, 0.25, GREEN), (0.25, 0.75, BLUE), (0.75, 0.75, YELLOW)]


class Colours:
    """A window of four colours; see tests/apps/colours.py."""

    def __init__(self, desk, title, geometry, *options, desktop="main"):
        self.process = desk.spawn("/usr/bin/python3", APPS / "colours.py", title, geometry, *options, desktop=desktop, text=True,
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert read_line(self.process.stdout) == "ready\n"
        self.title = title

    def do(self, *words):
        self.process.stdin.write(" ".join(map(str, words)) + "\n")
        self.process.stdin.flush()
        assert read_line(self.process.stdout) == "done\n"

    def end(self):
        self.process.stdin.close()
        self.process.wait(timeout=10)
        self.process.stdout.close()


@pytest.fixture
def colours(shared_desk):
    """A function that opens a window of four colours on the shared desk."""
    windows = []

    def start(title, geometry, *options, **more):
        windows.append(Colours(shared_desk, title, geometry, *options, **more))
        return windows[-1]

    yield start
    for window in windows:
        window.end()


def settle(desk):
    """Waits until nothing is drawn for a while (a window manager decorates when it likes)."""
    def quiet():
        image_id = desk.call("screenshot", image=False)["image_id"]
        time.sleep(0.1)
        return desk.call("screenshot", image=False, if_changed_since=image_id)["unchanged"]
    eventually(quiet, what="a quiet screen")


def near(pixel, colour, tolerance):
    return all(abs(a - b) <= tolerance for a, b in zip(pixel, colour))


def assert_quadrants(image, area=None, tolerance=8):
    """`area` (x, y, width, height) of the picture shows the four colours."""
    x, y, width, height = area or (0, 0, *image.size)
    for right, down, colour in QUADRANTS:
        at = (int(x + right * width), int(y + down * height))
        assert near(image.getpixel(at), colour, tolerance), (at, image.getpixel(at), colour)


def scaled(area, result):
    scale = result["scale"]
    return tuple((value - origin) * scale for value, origin in
                 zip(area, (result["region"]["x"], result["region"]["y"], 0, 0)))


@pytest.mark.parametrize("params, tolerance", [
    ({}, 8), ({"format": "png"}, 0), ({"quality": 100}, 3), ({"quality": 20}, 30), ({"max_dimension": 700}, 8),
    ({"max_dimension": 300, "format": "png"}, 2), ({"max_dimension": 0, "format": "png"}, 0),
    ({"mode": "fullscreen", "display": 0}, 8), ({"display": "0"}, 8),
])
def test_colours_are_right(shared_desk, colours, params, tolerance):
    colours("four", "300x200+111+77", "--override")
    image, result = shared_desk.picture(**params)
    edge = params.get("max_dimension", 1568) or 1280
    assert image.size == (result["width"], result["height"])
    assert max(image.size) == min(1280, edge)
    assert abs(result["scale"] - image.size[0] / 1280) < 1e-4
    assert result["region"] == {"x": 0, "y": 0, "width": 1280, "height": 800}
    assert result["display_scale"] == 1 and result["unchanged"] is False and result["clipped"] is False
    assert abs(result["timestamp"] - time.time() * 1000) < 10000 * SLOW
    assert result["format"] == params.get("format", "jpeg")
    assert base64.b64decode(result["image"])[:2] == (b"\x89P" if result["format"] == "png" else b"\xff\xd8")
    assert_quadrants(image, scaled((111, 77, 300, 200), result), tolerance)


@pytest.mark.parametrize("region, shown", [
    ({"x": 111, "y": 77, "width": 300, "height": 200}, (111, 77, 300, 200)),
    ([111, 77, 411, 277], (111, 77, 300, 200)),
    ({"x": 110.5, "y": 76.2, "width": 301, "height": 202}, (110, 76, 302, 203)),
    ({"x": -50, "y": -20, "width": 461, "height": 297}, (0, 0, 411, 277)),
    ({"x": 1270, "y": 790, "width": 500, "height": 500}, (1270, 790, 10, 10)),
    ([0, 0, 1, 1], (0, 0, 1, 1)),
    ([-100000, -100000, 100000, 100000], (0, 0, 1280, 800)),
])
def test_regions(shared_desk, colours, region, shown):
    colours("four", "300x200+111+77", "--override")
    image, result = shared_desk.picture(mode="region", region=region, max_dimension=0, format="png")
    assert tuple(result["region"][key] for key in ("x", "y", "width", "height")) == shown
    assert image.size == shown[2:]
    asked = (region if isinstance(region, list) else
             [region["x"], region["y"], region["x"] + region["width"], region["y"] + region["height"]])
    outside = asked[0] < 0 or asked[1] < 0 or asked[2] > 1280 or asked[3] > 800
    assert result["clipped"] is outside
    if shown[:2] != (0, 0) and shown[2] > 299:
        assert_quadrants(image, (111 - shown[0], 77 - shown[1], 300, 200), 0)


def test_a_window_with_its_frame(shared_desk, colours):
    colours("framed four", "300x200+400+300")
    window = shared_desk.window("framed four")
    bounds = window["bounds"]
    for named in ({"window_title": "framed"}, {"window_id": window["window_id"]}, {"mode": "window", "window_title": "FRAMED FOUR"}):
        image, result = shared_desk.picture(**named, format="png")
        assert result["window"] == {"id": window["window_id"], "title": "framed four", "frame": window["frame"]}
        assert result["occluded"] is False
        shown = result["region"]
        assert shown["y"] < bounds["y"], "the title bar belongs to it"
        assert_quadrants(image, (bounds["x"] - shown["x"], bounds["y"] - shown["y"], bounds["width"],
                                 bounds["height"]), 0)


def test_a_covered_window_is_seen_whole(shared_desk, colours):
    colours("below", "300x200+200+200")
    colours("above", "500x500+150+100", "--override")
    settle(shared_desk)
    before, _ = shared_desk.picture(format="png")
    focus = next(w["window_id"] for w in shared_desk.call("window_list")["windows"] if w["focused"])
    for _ in range(3):
        image, result = shared_desk.picture(window_title="below", format="png")
        bounds, shown = shared_desk.window("below")["bounds"], result["region"]
        assert result["occluded"] is False
        assert_quadrants(image, (bounds["x"] - shown["x"], bounds["y"] - shown["y"], 300, 200), 0)
    after, _ = shared_desk.picture(format="png")
    assert before.tobytes() == after.tobytes(), "nothing was seen on the screen"
    assert focus == next(w["window_id"] for w in shared_desk.call("window_list")["windows"] if w["focused"])


def test_a_covered_real_program_is_seen_whole(shared_desk, colours):
    editor = shared_desk.spawn("mousepad", "--disable-server", stderr=subprocess.DEVNULL)
    try:
        window = shared_desk.window("Mousepad")["window_id"]
        # Drawn: its last menu is there, and nothing changes for a while. Before that it may still grow, or be empty.
        shared_desk.call("wait_until", until="appears", target='menu "Help"', window_id=window, max_ms=10000 * SLOW, timeout_ms=11000 * SLOW)
        shared_desk.call("wait_until", until="settled", window_id=window, rest_ms=500, max_ms=10000 * SLOW, timeout_ms=11000 * SLOW)
        bounds = shared_desk.window("Mousepad")["bounds"]
        area = [bounds["x"], bounds["y"], bounds["x"] + bounds["width"], bounds["y"] + 40]
        before = shared_desk.picture(region=area, format="png", max_dimension=0)[0].tobytes()
        assert len(set(before)) > 5, "a drawn menu bar"
        colours("lid", f"{bounds['width'] + 200}x{bounds['height'] + 200}+{max(0, bounds['x'] - 100)}+"
                       f"{max(0, bounds['y'] - 100)}", "--override")
        image, result = shared_desk.picture(window_title="Mousepad", format="png", max_dimension=0)
        assert result["occluded"] is False
        shown = result["region"]
        menu = image.crop((bounds["x"] - shown["x"], bounds["y"] - shown["y"],
                           bounds["x"] - shown["x"] + bounds["width"], bounds["y"] - shown["y"] + 40))
        different = sum(a != b for a, b in zip(menu.tobytes(), before))
        assert different < len(before) * 0.02, "its menu bar is as it was before it was covered"
    finally:
        editor.kill()
        editor.wait()


def test_a_covered_window_that_draws_slowly_is_seen_whole(shared_desk, colours):
    """It computes for longer than a moment between what it draws: as long as it does, it is not done."""
    colours("slow", "300x200+200+200", "--slow")
    colours("lid", "500x500+150+100", "--override")
    settle(shared_desk)
    image, result = shared_desk.picture(window_title="slow", format="png")
    bounds, shown = shared_desk.window("slow")["bounds"], result["region"]
    assert result["occluded"] is False
    assert_quadrants(image, (bounds["x"] - shown["x"], bounds["y"] - shown["y"], 300, 200), 0)


def test_a_covered_window_that_does_not_draw(shared_desk, colours):
    colours("stubborn", "300x200+200+200", "--lazy")
    colours("lid", "500x500+150+100", "--override")
    started = time.monotonic()
    result = shared_desk.call("screenshot", window_title="stubborn")
    assert result["occluded"] is True
    assert time.monotonic() - started < 2 * SLOW


def test_windows_that_cannot_be_seen(shared_desk, colours):
    four = colours("fading", "300x200+200+200")
    identity = shared_desk.window("fading")["window_id"]
    shared_desk.call("window_manage", window_id=identity, action="minimize")
    shared_desk.fails("PRECONDITION_FAILED", "screenshot", window_id=identity)
    shared_desk.call("window_manage", window_id=identity, action="restore")
    shared_desk.call("screenshot", window_id=identity, image=False)
    four.do("close")
    shared_desk.fails("WINDOW_NOT_FOUND", "screenshot", window_id=identity)
    shared_desk.fails("WINDOW_NOT_FOUND", "screenshot", window_title="fading")


def test_a_window_half_outside(shared_desk, colours):
    four = colours("half", "300x200+400+300")
    four.do("move", 1130, 650)
    bounds = eventually(lambda: (lambda b: b["x"] > 1000 and b)(shared_desk.window("half")["bounds"]))
    image, result = shared_desk.picture(window_title="half", format="png")
    shown = result["region"]
    assert result["clipped"] is True
    assert (shown["x"] + shown["width"], shown["y"] + shown["height"]) == (1280, 800)
    assert near(image.getpixel((bounds["x"] - shown["x"] + 20, bounds["y"] - shown["y"] + 20)), RED, 0)


@pytest.mark.parametrize("max_dimension", [0, 1024, 914, 731, 640, 333])
def test_points_in_a_picture_are_points_on_the_screen(shared_desk, max_dimension):
    """Scales 1, 1.25, 1.4, 1.75, 2 and an odd one: any pixel of the screen is met within one."""
    result = shared_desk.call("screenshot", max_dimension=max_dimension, image=False)
    for x, y in ((0, 0), (1279, 799), (640, 400), (13, 777), (1001, 3)):
        point = {"x": int((x + 0.5) * result["width"] / 1280), "y": int((y + 0.5) * result["height"] / 800)}
        shared_desk.call("mouse_move", **point, image_id=result["image_id"], smooth=False)
        at = shared_desk.call("cursor_position")
        limit = max(1, 0.5 + 0.5 / result["scale"])
        assert abs(at["x"] - x) <= limit and abs(at["y"] - y) <= limit


def test_a_click_on_what_a_picture_shows(shared_desk, colours):
    """Find a colour in a shrunk picture, point at it, and look what is under the pointer."""
    colours("target", "40x30+903+611", "--override")
    image, result = shared_desk.picture(max_dimension=640, format="png")
    wide, _ = image.size
    spots = [(i % wide, i // wide) for i, pixel in enumerate(image.getdata()) if near(pixel, YELLOW, 12)]
    x, y = spots[len(spots) // 2]
    shared_desk.call("mouse_move", x=x, y=y, space="image", image_id=result["image_id"], smooth=False)
    at = shared_desk.call("cursor_position")
    around, _ = shared_desk.picture(region=[at["x"], at["y"], at["x"] + 1, at["y"] + 1], format="png")
    assert near(around.getpixel((0, 0)), YELLOW, 0)
    shared_desk.fails("INVALID_PARAMS", "mouse_move", x=640, y=0, image_id=result["image_id"])


def test_a_moved_window_makes_its_picture_stale(shared_desk, colours):
    four = colours("moving", "300x200+200+200")
    shot = shared_desk.call("screenshot", window_title="moving", image=False)
    shared_desk.call("mouse_move", x=5, y=5, image_id=shot["image_id"], smooth=False)
    for change in (("move", 210, 200), ("resize", 310, 200)):
        before = shared_desk.window("moving")["bounds"]
        four.do(*change)
        eventually(lambda: shared_desk.window("moving")["bounds"] != before, what=change)
        error = shared_desk.fails("DESKTOP_STALE_SNAPSHOT", "mouse_move", x=5, y=5, image_id=shot["image_id"])
        assert error["retryable"] is True
        shot = shared_desk.call("screenshot", window_title="moving", image=False)
        shared_desk.call("mouse_move", x=5, y=5, image_id=shot["image_id"], smooth=False)
    four.do("close")
    shared_desk.fails("DESKTOP_STALE_SNAPSHOT", "mouse_move", x=5, y=5, image_id=shot["image_id"])
    shared_desk.fails("DESKTOP_STALE_SNAPSHOT", "mouse_move", x=5, y=5, image_id="i_nothing")


def test_nothing_has_changed(shared_desk, colours):
    four = colours("steady", "300x200+200+200")
    shared_desk.call("mouse_move", x=700, y=700, smooth=False)
    settle(shared_desk)
    views = ({}, {"region": [190, 190, 600, 600]}, {"window_title": "steady"}, {"cursor": True}, {"display": 0},
             {"max_dimension": 300}, {"image": False})
    for view in views:
        first = shared_desk.call("screenshot", **view)
        again = shared_desk.call("screenshot", **view, if_changed_since=first["image_id"])
        assert again["unchanged"] is True and "image" not in again, view
        for key in ("image_id", "width", "height", "scale", "region", "timestamp"):
            assert again[key] == first[key]
        four.do("swap")
        changed = shared_desk.call("screenshot", **view, if_changed_since=first["image_id"])
        assert changed["unchanged"] is False and changed["image_id"] != first["image_id"]
        assert ("image" in changed) is view.get("image", True)
    whole = shared_desk.call("screenshot")["image_id"]
    for other in ({"region": [0, 0, 10, 10]}, {"max_dimension": 300}, {"cursor": True}, {"window_title": "steady"}):
        assert "image" in shared_desk.call("screenshot", **other, if_changed_since=whole), "another picture"
    described = shared_desk.call("screenshot", image=False)["image_id"]
    assert "image" in shared_desk.call("screenshot", if_changed_since=described), "it never had the picture"
    assert "image" in shared_desk.call("screenshot", if_changed_since="i_unknown")


def test_the_pointer_counts_only_where_it_is_shown(shared_desk):
    shared_desk.call("mouse_move", x=300, y=300, smooth=False)
    settle(shared_desk)
    plain, shown = shared_desk.call("screenshot"), shared_desk.call("screenshot", cursor=True)
    shared_desk.call("mouse_move", x=600, y=500, smooth=False)
    assert shared_desk.call("screenshot", if_changed_since=plain["image_id"])["unchanged"] is True
    assert shared_desk.call("screenshot", cursor=True, if_changed_since=shown["image_id"])["unchanged"] is False


def test_the_pointer_is_drawn(shared_desk, colours):
    colours("ground", "300x200+200+200")
    shared_desk.call("mouse_move", x=260, y=240, smooth=False)
    settle(shared_desk)
    without, _ = shared_desk.picture(format="png")
    drawn, _ = shared_desk.picture(format="png", cursor=True)
    different = [(i % 1280, i // 1280) for i, (a, b) in enumerate(zip(without.getdata(), drawn.getdata())) if a != b]
    assert 20 < len(different) < 3000
    assert all(abs(x - 260) < 64 and abs(y - 240) < 64 for x, y in different)
    window, result = shared_desk.picture(window_title="ground", format="png", cursor=True)
    x, y = result["region"]["x"], result["region"]["y"]
    assert window.tobytes() == drawn.crop((x, y, x + window.size[0], y + window.size[1])).tobytes()
    small, _ = shared_desk.picture(region=[250, 230, 300, 290], format="png", cursor=True)
    assert small.tobytes() == drawn.crop((250, 230, 300, 290)).tobytes()


COMPARE = """<canvas id=paper></canvas><p id=said></p><img id=jpeg src="@jpeg@"><img id=png src="@png@"><script>
const pixels = image => {
  paper.width = image.width; paper.height = image.height;
  const context = paper.getContext('2d', {willReadFrequently: true});
  context.drawImage(image, 0, 0);
  return context.getImageData(0, 0, image.width, image.height).data;
};
onload = () => {
  const one = pixels(jpeg), other = pixels(png);
  let most = one.length == other.length ? 0 : 999;
  one.forEach((value, i) => { most = Math.max(most, Math.abs(value - other[i])); });
  said.textContent = `${one.length / 4} pixels, ${most} apart`;
};
</script>"""


def data_url(kind, data):
    return f"data:image/{kind};base64,{base64.b64encode(data).decode()}"


def test_a_striped_jpeg_is_the_same_to_everyone(shared_desk, colours, tmp_path):
    """A large JPEG is made in stripes: PIL sees the screen in it, and a browser sees what PIL sees."""
    colours("striped", "900x700+40+40")
    exact, _ = shared_desk.picture(format="png")
    jpeg = base64.b64decode(shared_desk.call("screenshot", quality=90)["image"])
    assert all(bytes([0xff, 0xd0 + stripe]) in jpeg for stripe in range(7)), "not in stripes"
    image = Image.open(io.BytesIO(jpeg)).convert("RGB")
    assert image.size == exact.size == (1280, 800)
    assert max(ImageStat.Stat(ImageChops.difference(image, exact)).mean) < 2
    seen_by_pil = io.BytesIO()
    image.save(seen_by_pil, "png")
    page = tmp_path / "compare.html"
    page.write_text(COMPARE.replace("@jpeg@", data_url("jpeg", jpeg))
                    .replace("@png@", data_url("png", seen_by_pil.getvalue())))
    told = subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
                           "--force-color-profile=srgb", f"--user-data-dir={tmp_path}/profile",
                           "--dump-dom", f"file://{page}"],
                          capture_output=True, text=True, timeout=60 * SLOW).stdout
    seen = re.search(r"(\d+) pixels, (\d+) apart", told)
    assert seen, told[-300:]
    assert int(seen[1]) == 1280 * 800 and int(seen[2]) <= 2


def test_zoom_enlarges(shared_desk, colours):
    colours("tiny", "20x10+600+400", "--override")
    result = shared_desk.call("zoom", region=[600, 400, 620, 410], format="png")
    image = Image.open(io.BytesIO(base64.b64decode(result["image"])))
    assert image.size == (1568, 784) and result["scale"] == pytest.approx(78.4, abs=1e-3)
    assert_quadrants(image, tolerance=1)
    shared_desk.call("mouse_move", x=1567, y=783, image_id=result["image_id"], smooth=False)
    at = shared_desk.call("cursor_position")
    assert (at["x"], at["y"]) == (619, 409)
    assert_quadrants(Image.open(io.BytesIO(base64.b64decode(shared_desk.call(
        "zoom", region={"x": 600, "y": 400, "width": 20, "height": 10}, max_dimension=0, format="png")["image"]))),
        tolerance=0)


def test_zoom_into_a_picture(shared_desk, colours):
    colours("tiny", "40x20+600+400", "--override")
    shot = shared_desk.call("screenshot", max_dimension=640, image=False)
    result = shared_desk.call("zoom", region=[300, 200, 320, 210], image_id=shot["image_id"], format="png",
                              max_dimension=400)
    assert result["region"] == {"x": 600, "y": 400, "width": 40, "height": 20}
    assert_quadrants(Image.open(io.BytesIO(base64.b64decode(result["image"]))), tolerance=2)
    closer = shared_desk.call("zoom", region=[0, 0, 200, 100], image_id=result["image_id"], format="png")
    image = Image.open(io.BytesIO(base64.b64decode(closer["image"])))
    assert closer["region"] == {"x": 600, "y": 400, "width": 20, "height": 10}
    assert near(image.getpixel((800, 400)), RED, 1)


def test_zoom_into_a_covered_window(shared_desk, colours):
    colours("beneath", "300x200+200+200")
    colours("lid", "500x500+150+100", "--override")
    bounds = shared_desk.window("beneath")["bounds"]
    shot = shared_desk.call("screenshot", window_title="beneath", image=False)
    left, top = bounds["x"] - shot["region"]["x"], bounds["y"] - shot["region"]["y"]
    result = shared_desk.call("zoom", region=[left, top, left + 300, top + 200], image_id=shot["image_id"],
                              format="png")
    assert result["window"]["title"] == "beneath", "a part of the window, not of what lies above it"
    assert_quadrants(Image.open(io.BytesIO(base64.b64decode(result["image"]))), tolerance=2)


BAD = [
    ("screenshot", {"mode": "everything"}), ("screenshot", {"mode": 1}), ("screenshot", {"quality": 101}),
    ("screenshot", {"quality": -1}), ("screenshot", {"quality": "good"}), ("screenshot", {"format": "gif"}),
    ("screenshot", {"max_dimension": -1}), ("screenshot", {"max_dimension": 1e9}), ("screenshot", {"cursor": "yes"}),
    ("screenshot", {"mode": "region"}), ("screenshot", {"mode": "window"}),
    ("screenshot", {"region": {"x": 0, "y": 0, "width": 0, "height": 10}}),
    ("screenshot", {"region": {"x": 0, "y": 0, "width": -5, "height": 10}}),
    ("screenshot", {"region": {"x": 0, "y": 0}}), ("screenshot", {"region": [0, 0, 10]}),
    ("screenshot", {"region": [10, 10, 5, 20]}), ("screenshot", {"region": [0, 0, "a", 10]}),
    ("screenshot", {"region": [1280, 0, 1290, 10]}), ("screenshot", {"region": [0, -50, 10, 0]}),
    ("screenshot", {"region": [0, 0, 1e300, 10]}), ("screenshot", {"region": "all"}),
    ("screenshot", {"mode": "fullscreen", "region": [0, 0, 10, 10]}),
    ("screenshot", {"mode": "region", "region": [0, 0, 10, 10], "window_title": "x"}),
    ("screenshot", {"display": 7}), ("screenshot", {"display": "nowhere"}), ("screenshot", {"display": -1}),
    ("screenshot", {"display": 1.5}), ("screenshot", {"display": ""}), ("screenshot", {"window_id": 0}),
    ("screenshot", {"window_title": ""}), ("screenshot", {"if_changed_since": 5}),
    ("screenshot", {"window_title": "x" * 10_000_000}), ("screenshot", {"nonsense": 1}),
    ("screenshot", {"space": "image", "region": [0, 0, 10, 10]}),
    ("zoom", {}), ("zoom", {"region": [5, 5, 5, 5]}), ("zoom", {"region": [2000, 2000, 2100, 2100]}),
    ("zoom", {"region": [0, 0, 10, 10], "space": "image"}), ("zoom", {"region": None}),
]


@pytest.mark.parametrize("tool, params", BAD, ids=lambda value: str(value)[:40])
def test_bad_input(shared_desk, tool, params):
    shared_desk.fails("INVALID_PARAMS", tool, **params)


def test_unknown_windows_and_pictures(shared_desk):
    shared_desk.fails("WINDOW_NOT_FOUND", "screenshot", window_id=4294967295)
    shared_desk.fails("WINDOW_NOT_FOUND", "screenshot", window_title="no such window \u202e\U0001f600")
    shared_desk.fails("DESKTOP_STALE_SNAPSHOT", "zoom", region=[0, 0, 5, 5], image_id="i_nothing")


@pytest.mark.parametrize("depth, tolerance", [(16, 5), (30, 1)])
def test_other_depths(shared_desk, colours, depth, tolerance):
    name = f"depth{depth}"
    shared_desk.new_desktop(name, width=640, height=480, depth=depth)
    try:
        colours("four", "300x200+50+60", desktop=name)
        bounds = shared_desk.window("four", desktop=name)["bounds"]
        colours("lid", "100x100+100+100", "--override", desktop=name)
        image, result = shared_desk.picture(desktop=name, window_title="four", format="png")
        shown = result["region"]
        assert_quadrants(image, (bounds["x"] - shown["x"], bounds["y"] - shown["y"], 300, 200), tolerance)
        image, _ = shared_desk.picture(desktop=name)
        assert_quadrants(image, (100, 100, 100, 100), 12)
    finally:
        shared_desk.remove_desktop(name)


def test_monitors_and_scale(shared_desk, colours):
    shared_desk.new_desktop("two", width=1200, height=600, scale=1.75)
    try:
        environment = shared_desk.desktop_environment("two")
        for name, place, output in (("left", "700/100x600/100+0+0", "screen"), ("right", "500/100x600/100+700+0", "none")):
            subprocess.run(["xrandr", "--setmonitor", name, place, output], env=environment, check=True,
                           stdout=subprocess.DEVNULL)
        colours("four", "200x100+800+100", "--override", desktop="two")
        for display in (1, "1", "right"):
            image, result = shared_desk.picture(desktop="two", display=display, format="png")
            assert image.size == (500, 600) and result["region"]["x"] == 700
            assert result["display_scale"] == 1.75
            assert_quadrants(image, (100, 100, 200, 100), 0)
        error = shared_desk.fails("INVALID_PARAMS", "screenshot", desktop="two", display="middle")
        assert error["details"]["displays"] == ["left", "right"]
    finally:
        shared_desk.remove_desktop("two")


def test_a_new_resolution_makes_pictures_stale(shared_desk):
    shared_desk.new_desktop("shrinking", width=1024, height=768)
    try:
        shot = shared_desk.call("screenshot", desktop="shrinking")
        environment = shared_desk.desktop_environment("shrinking")
        for command in ("--newmode small 10 640 640 640 640 480 480 480 480", "--addmode screen small",
                        "--output screen --mode small"):
            subprocess.run(["xrandr", *command.split()], env=environment, check=True, stdout=subprocess.DEVNULL)
        shared_desk.fails("DESKTOP_STALE_SNAPSHOT", "mouse_move", desktop="shrinking", x=5, y=5,
                          image_id=shot["image_id"])
        again = shared_desk.call("screenshot", desktop="shrinking", if_changed_since=shot["image_id"])
        assert again["unchanged"] is False and (again["width"], again["height"]) == (640, 480)
        shared_desk.fails("INVALID_PARAMS", "screenshot", desktop="shrinking", region=[700, 0, 800, 100])
    finally:
        shared_desk.remove_desktop("shrinking")


def test_the_command_line_saves_a_picture(shared_desk, tmp_path):
    path = tmp_path / "screen.png"
    path.write_bytes(b"a picture that was there, and was longer" * 5000)
    assert shared_desk.cli("screenshot", "--format", "png", "--region", "[0,0,50,40]", "-o", path).returncode == 0
    assert path.stat().st_size < 5000 and path.read_bytes().endswith(b"IEND\xaeB`\x82")
    assert Image.open(path).size == (50, 40)
    assert shared_desk.cli("zoom", "--region", '{"x":0,"y":0,"width":50,"height":40}', "-o", path).returncode == 0
    assert Image.open(path).size == (1568, 1254)
    assert shared_desk.cli("screenshot", "--display", "0", "--no-image").returncode == 0
    assert shared_desk.cli("screenshot", "--region", "[0,0,0,0]").returncode == 1


def test_the_display_is_closed(own_desk, tmp_path):
    """A display that goes away in the middle: a clear error, never a hang."""
    with open(tmp_path / "number", "w+") as number:
        server = subprocess.Popen(["Xvfb", "-displayfd", str(number.fileno()), "-screen", "0", "640x480x24"],
                                  pass_fds=[number.fileno()], stderr=subprocess.DEVNULL)
        display = ":" + eventually(lambda: (tmp_path / "number").read_text().strip(), what="the X server")
    desk = own_desk("--display", display)
    try:
        desk.call("screenshot", image=False)
        server.kill()
        server.wait()
        started = time.monotonic()
        error = desk.answer("screenshot")["error"]
        assert error["code"] in ("DESKTOP_UNAVAILABLE", "DESKTOP_HOST_NOT_RUNNING") and error["retryable"]
        assert time.monotonic() - started < 15 * SLOW
    finally:
        server.kill()
        server.wait()


def test_pictures_of_a_busy_screen(shared_desk, colours):
    """While a window changes its size all the time, every picture is whole."""
    four = colours("restless", "300x200+200+200")
    for step in range(30):
        four.do("resize", 200 + step * 7 % 100, 150 + step * 5 % 90)
        image, result = shared_desk.picture(window_title="restless", format="png")
        assert image.size == (result["region"]["width"], result["region"]["height"])
