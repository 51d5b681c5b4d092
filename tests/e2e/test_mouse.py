"""The mouse tools on real windows: what the window saw, to the pixel, and every way of being wrong."""
import ctypes
import os
import pathlib
import signal
import subprocess
import threading
import time

import pytest

from handfast import APPS, SLOW, eventually
from witness import RECORDER, Witness

CLICKS = {"left_click": 1, "middle_click": 2, "right_click": 3}


@pytest.fixture
def witness(shared_desk):
    witnesses = []

    def start(*command, desktop="main"):
        witnesses.append(Witness(shared_desk, *command, desktop=desktop))
        return witnesses[-1]

    yield start
    for each in witnesses:
        each.stop()


@pytest.fixture
def screen(witness):
    """A window over the whole screen that no window manager touches."""
    return witness(RECORDER, "--geometry", "1280x800+0+0", "--override")


@pytest.fixture
def gtk(witness):
    return witness("/usr/bin/python3", APPS / "gtk3_pointer.py")


class Display:
    """Somebody else on that display. Xlib itself, since python3-xlib cannot read every cookie."""

    lib = ctypes.CDLL("libX11.so.6")
    lib.XOpenDisplay.restype = ctypes.c_void_p
    lib.XDefaultRootWindow.restype = ctypes.c_ulong

    def __init__(self, desk, desktop="main"):
        environment = desk.desktop_environment(desktop)
        os.environ["XAUTHORITY"] = environment.get("XAUTHORITY", "")
        self.display = ctypes.c_void_p(self.lib.XOpenDisplay(environment["DISPLAY"].encode()))
        assert self.display
        self.root = ctypes.c_ulong(self.lib.XDefaultRootWindow(self.display))

    def held(self):
        """Buttons and modifiers that are down, and keycodes."""
        window, number, mask = ctypes.c_ulong(), ctypes.c_int(), ctypes.c_uint()
        self.lib.XQueryPointer(self.display, self.root, ctypes.byref(window), ctypes.byref(window), ctypes.byref(number),
                               ctypes.byref(number), ctypes.byref(number), ctypes.byref(number), ctypes.byref(mask))
        keys = ctypes.create_string_buffer(32)
        self.lib.XQueryKeymap(self.display, keys)
        codes = [code for code in range(256) if keys.raw[code // 8] >> code % 8 & 1]
        return mask.value & 0x1fff & ~0x12, codes  # Caps Lock and Num Lock are not held

    def warp(self, x, y):
        self.lib.XWarpPointer(self.display, ctypes.c_ulong(0), self.root, 0, 0, 0, 0, x, y)
        self.lib.XSync(self.display, 0)

    def close(self):
        self.lib.XCloseDisplay(self.display)


def held(desk):
    display = Display(desk)
    state = display.held()
    display.close()
    return state


def middle(place):
    return {"x": place["x"] + place["width"] // 2, "y": place["y"] + place["height"] // 2}


def spots(width, height):
    """Corners, edges, the centre and a few places between."""
    right, bottom = width - 1, height - 1
    return [(0, 0), (right, 0), (0, bottom), (right, bottom), (width // 2, height // 2), (width // 2, 0), (0, height // 3),
            (right, height // 3), (width // 3, bottom), (1, 1), (right - 1, bottom - 1), (397, 211), (777, 613)]


def test_clicks_are_seen_where_they_should_be(shared_desk, screen):
    for tool, button in CLICKS.items():
        for x, y in spots(1280, 800):
            result = shared_desk.call(tool, x=x, y=y)
            assert result == {"success": True, "position": {"x": x, "y": y}}
            for kind in ("button_press", "button_release"):
                seen = screen.next(kind)
                assert (seen["x"], seen["y"], seen["button"]) == (x, y, button)


@pytest.mark.parametrize("scale", [1, 1.25, 1.75, 2])
def test_pixel_exact_at_every_scale_in_both_spaces(shared_desk, witness, scale):
    """On a screen of its own with that scale; pictures of it are made smaller and smaller."""
    name = f"scale-{scale}"
    width, height = 1920, 1080
    shared_desk.new_desktop(name, width=width, height=height, scale=scale)
    try:
        window = witness(RECORDER, "--geometry", f"{width}x{height}+0+0", "--override", desktop=name)
        assert shared_desk.call("system_info", desktop=name)["displays"][0]["scale"] == scale
        for x, y in spots(width, height):
            shared_desk.call("left_click", desktop=name, x=x, y=y)
            seen = window.next("button_press")
            assert (seen["x"], seen["y"]) == (x, y)
        for edge in (0, 1568, 1536, 1097, 960):  # full size, the default, and 1 / 1.25, 1 / 1.75, 1 / 2
            picture = shared_desk.call("screenshot", desktop=name, mode="fullscreen", image=False, max_dimension=edge)
            ratio = picture["width"] / width
            for x, y in spots(width, height):
                point = {"x": int((x + 0.5) * ratio), "y": int((y + 0.5) * ratio)}
                shared_desk.call("left_click", desktop=name, space="image", image_id=picture["image_id"], **point)
                seen = window.next("button_press")
                off = 0 if ratio == 1 else 1
                assert abs(seen["x"] - x) <= off and abs(seen["y"] - y) <= off
                # And within the pixel of the picture that was named.
                assert int((seen["x"] + 0.5) * ratio) == point["x"]
    finally:
        shared_desk.remove_desktop(name)


def test_a_point_of_a_windows_picture(shared_desk, witness):
    window = witness(RECORDER, "--geometry", "400x300+321+123", "--title", "pictured")
    known = shared_desk.window("pictured")
    picture = shared_desk.call("screenshot", mode="window", window_title="pictured", image=False, max_dimension=200)
    at = shared_desk.call("left_click", image_id=picture["image_id"], x=picture["width"] // 2, y=picture["height"] // 2)
    seen = window.next("button_press")
    assert at["position"] == {"x": seen["x"], "y": seen["y"]}
    assert abs(seen["window_x"] - 200) <= 20 and abs(seen["window_y"] - 150) <= 20
    shared_desk.call("window_manage", action="move", window_id=known["window_id"], bounds={"x": 50, "y": 60})
    shared_desk.fails("DESKTOP_STALE_SNAPSHOT", "left_click", image_id=picture["image_id"], x=10, y=10)


def test_without_a_point_it_is_where_the_pointer_is(shared_desk, screen):
    shared_desk.call("mouse_move", x=444, y=333, smooth=False)
    assert shared_desk.call("left_click")["position"] == {"x": 444, "y": 333}
    assert shared_desk.call("scroll", direction="up")["position"] == {"x": 444, "y": 333}
    seen = screen.next("button_press")
    assert (seen["x"], seen["y"]) == (444, 333)


def test_a_toolkit_counts_the_clicks(shared_desk, gtk):
    point = middle(gtk.ready["clicks"])
    for tool, count in (("left_click", 1), ("double_click", 2), ("triple_click", 3)):
        shared_desk.call(tool, **point)
        seen = gtk.all(lambda line: line.get("count") == count)
        assert max(line["count"] for line in seen) == count
        time.sleep(0.6)  # longer than a double click may take, so that the next one counts from one
    shared_desk.call("double_click", **point, humanize={"delay_ms": [30, 120]})
    gtk.all(lambda line: line.get("count") == 2)


@pytest.mark.parametrize("duration", [0, 100, 500])
def test_a_toolkit_drags_and_drops(shared_desk, gtk, duration):
    start, end = middle(gtk.ready["source"]), middle(gtk.ready["target"])
    result = shared_desk.call("mouse_drag", from_x=start["x"], from_y=start["y"], to_x=end["x"], to_y=end["y"],
                              duration=duration)
    assert result["position"] == end
    gtk.next("drag-begin")
    assert gtk.next("drop")["text"] == "cargo"


BROWSER = ["chromium", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
           "--disable-background-networking", "--disable-component-update", "--disable-sync"]


def test_a_browser_counts_the_clicks_and_takes_the_drop(desk, tmp_path):
    """Chromium needs time between two presses to count them, and time to begin a drag. A bar of its own may cover
    the first 60 rows of the page."""
    process = desk.spawn(*BROWSER, f"--user-data-dir={tmp_path}", f"--app=file://{APPS}/pointer.html",
                         stderr=subprocess.DEVNULL)

    def said(words):
        return eventually(lambda: desk.window("pointer page")["title"].endswith(words), 10, words)
    try:
        desk.window("pointer page: ready", 30)

        def takes_clicks():  # a new window is shown some time before it stays in its place and hears the mouse
            bounds = desk.window("pointer page")["bounds"]
            desk.call("left_click", x=bounds["x"] + 50, y=bounds["y"] + 150)
            time.sleep(0.7)
            return "click1" in desk.window("pointer page")["title"] and bounds
        place = eventually(takes_clicks, 20, "the first click")
        desk.call("double_click", x=place["x"] + 50, y=place["y"] + 150)
        said("click1 click1 click2 double")
        time.sleep(0.7)
        desk.call("triple_click", x=place["x"] + 50, y=place["y"] + 150)
        said("double click1 click2 double click3")
        desk.call("mouse_drag", from_x=place["x"] + 100, from_y=place["y"] + 330, to_x=place["x"] + 300,
                  to_y=place["y"] + 330, duration=0)
        said("drag drop:cargo")
    finally:
        process.terminate()
        process.wait(timeout=20)


def test_drag_is_a_press_steps_and_a_release(shared_desk, screen):
    shared_desk.call("mouse_drag", from_x=100, from_y=100, to_x=300, to_y=200, duration=200, button="right")
    press = screen.next("button_press")
    assert (press["x"], press["y"], press["button"]) == (100, 100, 3)
    seen = screen.all(lambda line: line["event"] == "button_release")
    motions = [line for line in seen if line["event"] == "motion"]
    assert len(motions) >= 10 and all("button3" in line["modifiers"] for line in motions)
    assert (seen[-1]["x"], seen[-1]["y"]) == (300, 200)
    assert seen[-1]["time"] - press["time"] >= 190


def test_smooth_and_straight_moves(shared_desk, screen):
    shared_desk.call("mouse_move", x=10, y=10, smooth=False)
    screen.all(lambda line: line["event"] == "motion" and (line["x"], line["y"]) == (10, 10))
    shared_desk.call("mouse_move", x=900, y=700)
    smooth = screen.all(lambda line: line["event"] == "motion" and (line["x"], line["y"]) == (900, 700))
    assert len(smooth) >= 8 and smooth[-1]["time"] - smooth[0]["time"] >= 70
    shared_desk.call("mouse_move", x=10, y=10, smooth=False)
    assert len(screen.all(lambda line: line["event"] == "motion" and (line["x"], line["y"]) == (10, 10))) == 1
    shared_desk.call("mouse_move", x=900, y=700, duration=300, humanize={"curve": "arc", "jitter_px": 0})
    curve = screen.all(lambda line: line["event"] == "motion" and (line["x"], line["y"]) == (900, 700))
    # Beside the straight line from 10,10 to 900,700 somewhere on the way.
    assert max(abs((line["y"] - 10) - (line["x"] - 10) * 690 / 890) for line in curve) > 10


def test_humanized_clicks_stay_near(shared_desk, screen):
    for _ in range(3):
        at = shared_desk.call("left_click", x=640, y=400, humanize={"jitter_px": 3, "delay_ms": [10, 30]})["position"]
        press, release = screen.next("button_press"), screen.next("button_release")
        assert at == {"x": press["x"], "y": press["y"]}
        assert abs(press["x"] - 640) <= 3 and abs(press["y"] - 400) <= 3
        assert release["time"] - press["time"] >= 9


def test_scroll_in_every_direction(shared_desk, screen):
    for direction, button in (("up", 4), ("down", 5), ("left", 6), ("right", 7)):
        result = shared_desk.call("scroll", x=50, y=60, direction=direction)
        assert (result["clicks"], result["amount"]) == (4, 300)
        for _ in range(4):
            seen = screen.next("button_press")
            assert (seen["x"], seen["y"], seen["button"]) == (50, 60, button)
    assert shared_desk.call("scroll", x=50, y=60, direction="down", amount=1)["clicks"] == 1
    assert shared_desk.call("scroll", x=50, y=60, direction="down", clicks=7)["clicks"] == 7


def test_a_toolkit_scrolls_and_comes_back(shared_desk, gtk):
    point = middle(gtk.ready["text"])
    shared_desk.call("scroll", **point, direction="down", clicks=10)
    # Ten steps down; GTK may tell of them one by one or together.
    values = [gtk.next("scroll")["value"]]
    step = values[0]
    while values[-1] < 10 * step - 1 and len(values) < 10:
        values.append(gtk.next("scroll")["value"])
    assert values == sorted(values)
    shared_desk.call("scroll", **point, direction="up", clicks=20)
    gtk.all(lambda line: line.get("value") == 0)


def test_modifiers_are_held_around_it(shared_desk, screen, gtk):
    shared_desk.call("left_click", x=20, y=30, modifiers=["ctrl", "shift", "ctrl"])
    seen = screen.next("button_press")
    assert set(seen["modifiers"]) == {"ctrl", "shift"} and (seen["x"], seen["y"]) == (20, 30)
    assert held(shared_desk) == (0, [])
    shared_desk.call("scroll", x=20, y=30, direction="down", clicks=2, modifiers=["alt"])
    assert "alt" in screen.next("button_press")["modifiers"]
    shared_desk.call("mouse_drag", from_x=20, from_y=30, to_x=90, to_y=30, duration=0, modifiers=["cmd"])
    seen = screen.all(lambda line: line["event"] == "button_release" and line["button"] == 1)
    assert "super" in seen[-1]["modifiers"]
    assert held(shared_desk) == (0, [])


def test_a_key_that_was_down_stays_down(shared_desk, screen):
    shared_desk.call("key_down", keys=["shift"])
    try:
        shared_desk.call("left_click", x=20, y=30, modifiers=["shift", "ctrl"])
        assert set(screen.next("button_press")["modifiers"]) == {"ctrl", "shift"}
        shared_desk.call("left_click", x=20, y=30)
        assert screen.next("button_press")["modifiers"] == ["shift"]
    finally:
        shared_desk.call("key_up", keys=["shift"])
    assert held(shared_desk) == (0, [])


def test_a_toolkit_sees_the_modifiers(shared_desk, gtk):
    for modifier in ("ctrl", "shift"):
        shared_desk.call("left_click", **middle(gtk.ready["clicks"]), modifiers=[modifier])
        assert gtk.next("press")["modifiers"] == [modifier]


def test_down_and_up(shared_desk, screen):
    shared_desk.call("mouse_down", x=100, y=200)
    try:
        assert screen.next("button_press")["button"] == 1
        error = shared_desk.fails("PRECONDITION_FAILED", "mouse_down", x=100, y=200)
        assert "mouse_up" in error["suggestion"]
        shared_desk.fails("PRECONDITION_FAILED", "left_click", x=100, y=200)
        shared_desk.call("mouse_move", x=180, y=240, smooth=False)
    finally:
        result = shared_desk.call("mouse_up", x=200, y=250)
    assert result["position"] == {"x": 200, "y": 250}
    seen = screen.all(lambda line: line["event"] == "button_release")
    assert "button1" in [line for line in seen if line["event"] == "motion"][-1]["modifiers"]
    shared_desk.fails("PRECONDITION_FAILED", "mouse_up", button="left")
    shared_desk.fails("PRECONDITION_FAILED", "mouse_up", button="middle")
    assert held(shared_desk) == (0, [])


@pytest.mark.parametrize("tool, params", [
    ("mouse_drag", {"from_x": 100, "from_y": 100, "to_x": 900, "to_y": 500, "duration": 30000}),
    ("mouse_drag", {"from_x": 100, "from_y": 100, "to_x": 900, "to_y": 500, "duration": 30000, "modifiers": ["ctrl"]}),
    ("left_click", {"x": 500, "y": 500, "humanize": {"delay_ms": [5000, 5000]}, "modifiers": ["shift"]}),
    ("scroll", {"x": 500, "y": 500, "direction": "down", "clicks": 500, "humanize": {"delay_ms": [100, 100]},
                "modifiers": ["ctrl"]}),
])
def test_nothing_is_held_after_cancel(shared_desk, screen, tool, params):
    bridge = shared_desk.connect()
    bridge.send("call", {"tool": tool, "params": params}, identity="long")
    if tool == "mouse_drag":
        screen.next("button_press")
    else:
        time.sleep(0.3)
    bridge.send("cancel", {"id": "long"}, identity="stop")
    replies = {reply["id"]: reply["result"] for reply in (bridge.receive(), bridge.receive())}
    assert replies["long"]["error"]["code"] == "DESKTOP_ABORTED"
    assert held(shared_desk) == (0, [])
    if tool == "mouse_drag":
        screen.next("button_release")
    bridge.close()


def test_nothing_is_held_after_a_time_limit(shared_desk, screen):
    shared_desk.fails("DESKTOP_TIMEOUT", "mouse_drag", from_x=10, from_y=10, to_x=900, to_y=500, duration=20000,
                      timeout_ms=200)
    assert held(shared_desk) == (0, [])
    screen.next("button_release")


def test_a_shaking_hand_cannot_make_it_miss(shared_desk, screen):
    """A person moves the mouse without end: a click is at its point, or is not done and says so. Most are done."""
    display = Display(shared_desk)
    going, shaken, clicks = threading.Event(), [0], []

    def shake():
        while not going.is_set():
            display.warp(shaken[0] % 1280, 790)
            shaken[0] += 1
    thread = threading.Thread(target=shake)
    thread.start()
    try:
        for step in range(60):
            answer = shared_desk.answer("left_click", x=10 * step, y=100)
            if answer["ok"]:
                seen = screen.next("button_press")
                clicks.append((seen["x"], seen["y"]))
                assert clicks[-1] == (10 * step, 100)
            else:
                assert answer["error"]["code"] == "VERIFY_FAILED"
                assert answer["error"]["details"]["expected"] == {"x": 10 * step, "y": 100}
    finally:
        going.set()
        thread.join()
        display.close()
    assert shaken[0] > 60, "the hand did not shake: the test proves nothing"
    assert len(clicks) >= 30, f"{len(clicks)} of 60 were done"


def test_cursor_position(desk, witness):
    window = witness(RECORDER, "--geometry", "300x200+500+300", "--title", "under the pointer")
    desk.call("mouse_move", x=600, y=400, smooth=False)
    position = desk.call("cursor_position")
    assert (position["x"], position["y"], position["display"]) == (600, 400, 0)
    assert position["window_title"] == "under the pointer" and position["window_id"] == window.ready["window"]
    desk.call("mouse_move", x=1200, y=780, smooth=False)
    assert "window_id" not in desk.call("cursor_position")


POINTED = ["mouse_move", "left_click", "right_click", "middle_click", "double_click", "triple_click", "mouse_down",
           "mouse_up", "scroll"]
BAD_POINTS = [
    ({"x": "1", "y": 1}, "INVALID_PARAMS"),
    ({"x": 1, "y": None}, "INVALID_PARAMS"),
    ({"x": [1], "y": {}}, "INVALID_PARAMS"),
    ({"x": 1}, "INVALID_PARAMS"),
    ({"y": 1}, "INVALID_PARAMS"),
    ({"x": 1280, "y": 1}, "INVALID_PARAMS"),
    ({"x": 1, "y": 800}, "INVALID_PARAMS"),
    ({"x": -1, "y": 1}, "INVALID_PARAMS"),
    ({"x": 1e308, "y": -1e308}, "INVALID_PARAMS"),
    ({"x": 1, "y": 1, "space": "image"}, "INVALID_PARAMS"),
    ({"x": 1, "y": 1, "space": "elsewhere"}, "INVALID_PARAMS"),
    ({"x": 1, "y": 1, "space": "image", "image_id": "i_nonsense"}, "DESKTOP_STALE_SNAPSHOT"),
    ({"x": 1, "y": 1, "image_id": ""}, "INVALID_PARAMS"),
    ({"x": 1, "y": 1, "image_id": "x" * 100000}, "INVALID_PARAMS"),
    ({"x": 1, "y": 1, "wings": 2}, "INVALID_PARAMS"),
]


@pytest.mark.parametrize("tool", POINTED)
def test_bad_points(shared_desk, tool):
    more = {"direction": "down"} if tool == "scroll" else {}
    before = shared_desk.call("cursor_position")
    for params, code in BAD_POINTS:
        error = shared_desk.fails(code, tool, **{**more, **params})
        if params.get("x") in (1280, -1):
            assert "1280 x 800" in error["message"]
    assert shared_desk.call("cursor_position") == before, "a refused call must not move the pointer"


BAD_PARAMS = [
    ("left_click", {"modifiers": "ctrl"}, "modifiers"),
    ("left_click", {"modifiers": ["q"]}, "modifiers[0]"),
    ("left_click", {"modifiers": ["ctrl"] * 100}, "modifiers"),
    ("left_click", {"humanize": True}, "humanize"),
    ("left_click", {"humanize": {"jitter_px": -1}}, "humanize.jitter_px"),
    ("left_click", {"humanize": {"jitter_px": 1000}}, "humanize.jitter_px"),
    ("left_click", {"humanize": {"delay_ms": [1]}}, "humanize.delay_ms"),
    ("left_click", {"humanize": {"delay_ms": [1, "2"]}}, "humanize.delay_ms[1]"),
    ("left_click", {"humanize": {"curve": "spiral"}}, "humanize.curve"),
    ("left_click", {"humanize": {"wings": 1}}, "humanize.wings"),
    ("mouse_move", {"x": 1, "y": 1, "duration": -1}, "duration"),
    ("mouse_move", {"x": 1, "y": 1, "duration": 1e9}, "duration"),
    ("mouse_move", {"x": 1, "y": 1, "smooth": "yes"}, "smooth"),
    ("mouse_move", {}, "x"),
    ("mouse_down", {"button": "fourth"}, "button"),
    ("mouse_up", {"button": 1}, "button"),
    ("mouse_drag", {"from_x": 1, "from_y": 1, "to_x": 1}, "to_y"),
    ("mouse_drag", {}, "from_x"),
    ("scroll", {}, "direction"),
    ("scroll", {"direction": "sideways"}, "direction"),
    ("scroll", {"direction": "down", "amount": 0}, "amount"),
    ("scroll", {"direction": "down", "amount": 1e12}, "amount"),
    ("scroll", {"direction": "down", "clicks": 0}, "clicks"),
    ("scroll", {"direction": "down", "clicks": 1.5}, "clicks"),
    ("cursor_position", {"x": 1}, "x"),
]


@pytest.mark.parametrize("tool, params, path", BAD_PARAMS)
def test_bad_params(shared_desk, tool, params, path):
    assert shared_desk.fails("INVALID_PARAMS", tool, **params)["details"]["path"] == path


def test_pauses_the_wrong_way_round(shared_desk):
    error = shared_desk.fails("INVALID_PARAMS", "left_click", x=1, y=1, humanize={"delay_ms": [200, 100]})
    assert "delay_ms" in error["message"]


def test_drag_out_of_the_screen_presses_nothing(shared_desk, screen):
    shared_desk.fails("INVALID_PARAMS", "mouse_drag", from_x=10, from_y=10, to_x=5000, to_y=10)
    shared_desk.call("right_click", x=5, y=5)
    assert screen.next("button_press")["button"] == 3, "nothing was pressed before"


def test_a_display_that_goes_away(own_desk):
    """The X server dies in the middle of a drag: an error, and no hand that hangs."""
    desk = own_desk()
    bridge = desk.connect()
    bridge.send("call", {"tool": "mouse_drag", "params": {"from_x": 1, "from_y": 1, "to_x": 500, "to_y": 500,
                                                          "duration": 20000}})
    eventually(lambda: held(desk)[0] != 0, what="the press")
    stage = pathlib.Path(f"/proc/{desk.desktops()['main']['hand_pid']}/stat").read_text().rsplit(")", 1)[1].split()[1]
    server = subprocess.run(["pgrep", "-P", stage, "-x", "Xvfb"], capture_output=True, check=True).stdout
    started = time.monotonic()
    os.kill(int(server), signal.SIGKILL)
    answer = bridge.receive()["result"]
    assert not answer["ok"]
    assert answer["error"]["code"] in ("DESKTOP_UNAVAILABLE", "OUTCOME_UNKNOWN", "DESKTOP_ABORTED")
    assert time.monotonic() - started < 5 * SLOW
    bridge.close()
