"""Windows of real programs: what the tools say and do, held against what the X server itself says."""
import os
import signal
import subprocess
import time

import Xlib.Xatom
import Xlib.Xutil
import pytest

from handfast import SLOW, eventually
from screen import Screen
from session import Session


@pytest.fixture
def screen(desk):
    screen = Screen(desk.desktop_environment())
    yield screen
    screen.close()


def listed(desk, window_id, **params):
    return next((window for window in desk.call("window_list", **params)["windows"] if window["window_id"] == window_id), None)


def await_listed(desk, window, **params):
    return eventually(lambda: listed(desk, window.id, visible_only=True, **params), what="the window in the list")


def test_list_says_what_is_there(desk, screen):
    editor = desk.call("app_launch", name="mousepad")
    terminal = desk.call("app_launch", name="xterm", args=["-T", "my terminal"])
    windows = desk.call("window_list")["windows"]
    assert [window["process"] for window in windows] == ["xterm", "mousepad"], "topmost first"
    for window, launched in zip(windows, (terminal, editor)):
        assert window["window_id"] == launched["window"]["window_id"]
        assert window["pid"] == launched["pid"]
        assert window["bounds"] == screen.bounds(window["window_id"])
        left, right, top, bottom = screen.property(window["window_id"], "_NET_FRAME_EXTENTS")
        assert window["frame"] == {"x": window["bounds"]["x"] - left, "y": window["bounds"]["y"] - top,
                                   "width": window["bounds"]["width"] + left + right,
                                   "height": window["bounds"]["height"] + top + bottom}
        assert window["kind"] == "normal" and window["workspace"] == 0 and window["visible"]
    assert windows[0]["focused"] and not windows[1]["focused"]
    assert windows[0]["window_id"] in screen.focused()
    assert windows[0]["title"] == "my terminal" and windows[1]["class"] == "Mousepad"


def test_filters(desk):
    desk.call("app_launch", name="xterm", args=["-T", "First shell"])
    second = desk.call("app_launch", name="xterm", args=["-T", "second Shell"])["window"]
    desk.call("app_launch", name="galculator")

    def titles(**params):
        result = desk.call("window_list", **params)
        assert result["open"] == 3
        return {window["title"] for window in result["windows"]}
    assert titles(title="SHELL") == {"First shell", "second Shell"}
    assert titles(process="XTERM") == {"First shell", "second Shell"}
    assert titles(process="xterm", title="second") == {"second Shell"}
    assert titles(process="term") == set(), "the whole name of a process"
    assert titles(title="nothing like it") == set()
    desk.call("window_manage", window_id=second["window_id"], action="minimize")
    assert titles(title="shell", visible_only=True) == {"First shell"}
    assert len(titles()) == 3


@pytest.mark.parametrize("program", ["xterm", "mousepad", "galculator", "featherpad", "gtk4-widget-factory"])
def test_focus_reaches_the_program(desk, screen, program):
    window = desk.call("app_launch", name=program)["window"]
    other = desk.call("app_launch", name="xterm", args=["-T", "in front"])["window"]
    assert other["window_id"] in screen.focused()
    result = desk.call("window_focus", window_id=window["window_id"])["window"]
    assert result["focused"] and result["visible"]
    assert window["window_id"] in screen.focused()
    assert desk.call("window_list")["windows"][0]["window_id"] == window["window_id"], "raised"
    desk.call("window_manage", window_id=window["window_id"], action="minimize")
    assert not listed(desk, window["window_id"])["visible"]
    assert desk.call("window_focus", window_id=window["window_id"])["window"]["focused"]
    assert window["window_id"] in screen.focused()


@pytest.mark.parametrize("which", [
    {"window_title": "first"}, {"window_title": "FIRST ONE"}, {"window_title": "the first one"},
    {"match": {"title_contains": "FIRST"}}, {"match": {"title_regex": "^the f.rst"}},
    {"match": {"process": "xterm", "title_contains": "first"}}, {"match": {"class": "XTERM", "title_regex": "one$"}},
])
def test_focus_by_description(desk, which):
    first = desk.call("app_launch", name="xterm", args=["-T", "the first one"])["window"]
    desk.call("app_launch", name="xterm", args=["-T", "the second"])
    assert desk.call("window_focus", **which)["window"]["window_id"] == first["window_id"]


def test_which_of_them(desk, screen):
    one = screen.window(b"same name").id
    desk.call("app_launch", name="xterm", args=["-T", "same name"])
    desk.call("app_launch", name="galculator")
    eventually(lambda: listed(desk, one))
    error = desk.fails("WINDOW_AMBIGUOUS", "window_focus", window_title="same name")
    candidates = error["details"]["candidates"]
    assert {candidate["title"] for candidate in candidates} == {"same name"} and len(candidates) == 2
    assert one in [candidate["window_id"] for candidate in candidates]
    desk.call("window_focus", window_id=one)
    assert desk.call("window_focus", window_title="same name")["window"]["window_id"] == one, "the focused one"
    error = desk.fails("WINDOW_NOT_FOUND", "window_focus", window_title="Foo")
    assert error["message"] == "no window titled 'Foo'; see window_list"
    assert "galculator" in error["details"]["titles"]


PLACES = [("move", {"x": 300, "y": 200}), ("move", {"x": 0, "y": 60}), ("move", {"y": 333}), ("move", {"x": -50}),
          ("resize", {"width": 640, "height": 480}), ("resize", {"width": 701}), ("resize", {"height": 399}),
          ("resize", {"x": 120, "y": 90, "width": 555, "height": 444})]


@pytest.mark.parametrize("program", ["mousepad", "featherpad", "galculator"])
def test_moves_to_the_pixel(desk, screen, program):
    window = desk.call("app_launch", name=program)["window"]
    for action, bounds in PLACES:
        before = screen.bounds(window["window_id"])
        result = desk.call("window_manage", window_id=window["window_id"], action=action, bounds=bounds)
        assert result["bounds_before"] == before
        assert result["window"]["bounds"] == {**before, **bounds} == screen.bounds(window["window_id"])
        assert not result["clamped"]


def test_states(desk, screen):
    window = desk.call("app_launch", name="mousepad")["window"]

    def manage(action, **params):
        return desk.call("window_manage", window_title="Mousepad", action=action, **params)["window"]
    large = manage("maximize")
    assert large["maximized"] and large["bounds"]["width"] == 1280 == screen.bounds(window["window_id"])["width"]
    assert manage("maximize")["maximized"], "again changes nothing"
    assert manage("restore")["bounds"] == window["bounds"]
    manage("maximize")
    small = manage("minimize")
    assert small["minimized"] and not small["visible"]
    again = manage("restore")
    assert not again["minimized"] and again["visible"] and again["maximized"], "back to what it was"
    moved = manage("move", bounds={"x": 40, "y": 50})
    assert not moved["maximized"] and (moved["bounds"]["x"], moved["bounds"]["y"]) == (40, 50)
    assert moved["bounds"] == screen.bounds(window["window_id"])


def test_sizes_in_steps(desk, screen):
    window = desk.call("app_launch", name="xterm")["window"]
    result = desk.call("window_manage", window_id=window["window_id"], action="resize", bounds={"width": 600, "height": 400})
    got = result["window"]["bounds"]
    assert result["clamped"] and got == screen.bounds(window["window_id"])
    assert 580 < got["width"] < 600 and 380 < got["height"] <= 400
    error = desk.fails("VERIFY_FAILED", "window_manage", window_id=window["window_id"], action="resize",
                       bounds={"width": got["width"] + 1})
    assert error["details"]["seen"]["bounds"] == got


def test_in_the_pictures_own_pixels(desk, screen):
    window = desk.call("app_launch", name="mousepad")["window"]
    picture = desk.call("screenshot", max_dimension=640)
    result = desk.call("window_manage", window_id=window["window_id"], action="resize", space="image",
                       image_id=picture["image_id"], bounds={"x": 50, "y": 60, "width": 300, "height": 200})
    assert result["window"]["bounds"] == {"x": 100, "y": 120, "width": 600, "height": 400}
    assert result["window"]["bounds"] == screen.bounds(window["window_id"])


def test_fixed_size_says_so(desk, screen):
    fixed = screen.window(b"fixed", hints={"flags": Xlib.Xutil.PMinSize | Xlib.Xutil.PMaxSize, "min_width": 200,
                                           "min_height": 100, "max_width": 200, "max_height": 100})
    await_listed(desk, fixed)
    desk.fails("UNSUPPORTED", "window_manage", window_id=fixed.id, action="resize", bounds={"width": 300})
    desk.fails("UNSUPPORTED", "window_manage", window_id=fixed.id, action="maximize")
    moved = desk.call("window_manage", window_id=fixed.id, action="move", bounds={"x": 10, "y": 70})["window"]
    assert moved["bounds"] == {"x": 10, "y": 70, "width": 200, "height": 100}


BAD = [
    ("window_focus", {}, "INVALID_PARAMS"),
    ("window_focus", {"match": {}}, "INVALID_PARAMS"),
    ("window_focus", {"window_id": "7"}, "INVALID_PARAMS"),
    ("window_focus", {"window_id": 0}, "INVALID_PARAMS"),
    ("window_focus", {"window_id": -1}, "INVALID_PARAMS"),
    ("window_focus", {"window_id": 2**32}, "INVALID_PARAMS"),
    ("window_focus", {"window_id": 1.5}, "INVALID_PARAMS"),
    ("window_focus", {"window_id": 4294967295}, "WINDOW_NOT_FOUND"),
    ("window_focus", {"window_title": ""}, "INVALID_PARAMS"),
    ("window_focus", {"window_title": "x" * 5000}, "INVALID_PARAMS"),
    ("window_focus", {"window_title": ["x"]}, "INVALID_PARAMS"),
    ("window_focus", {"window_title": "\U0001f600 none"}, "WINDOW_NOT_FOUND"),
    ("window_focus", {"match": {"title_regex": "(("}}, "INVALID_PARAMS"),
    ("window_focus", {"match": {"title_regex": "(*LIMIT_MATCH=999999999)^(a+)+$"}}, "WINDOW_NOT_FOUND"),
    ("window_focus", {"match": {"colour": "red"}}, "INVALID_PARAMS"),
    ("window_focus", {"match": {"process": 7}}, "INVALID_PARAMS"),
    ("window_manage", {"window_title": "galculator"}, "INVALID_PARAMS"),
    ("window_manage", {"window_title": "galculator", "action": "explode"}, "INVALID_PARAMS"),
    ("window_manage", {"window_title": "galculator", "action": "close"}, "INVALID_PARAMS"),
    ("window_manage", {"window_title": "galculator", "action": "move"}, "INVALID_PARAMS"),
    ("window_manage", {"window_title": "galculator", "action": "move", "bounds": {}}, "INVALID_PARAMS"),
    ("window_manage", {"window_title": "galculator", "action": "move", "bounds": {"width": 5}}, "INVALID_PARAMS"),
    ("window_manage", {"window_title": "galculator", "action": "resize", "bounds": {"x": 5}}, "INVALID_PARAMS"),
    ("window_manage", {"window_title": "galculator", "action": "resize", "bounds": {"width": 0}}, "INVALID_PARAMS"),
    ("window_manage", {"window_title": "galculator", "action": "resize", "bounds": {"width": 1e9}}, "INVALID_PARAMS"),
    ("window_manage", {"window_title": "galculator", "action": "move", "bounds": {"x": "left"}}, "INVALID_PARAMS"),
    ("window_manage", {"window_title": "galculator", "action": "move", "bounds": [1, 2]}, "INVALID_PARAMS"),
    ("window_manage", {"window_title": "galculator", "action": "maximize", "bounds": {"x": 1}}, "INVALID_PARAMS"),
    ("window_manage", {"window_title": "galculator", "action": "move", "bounds": {"x": 1}, "space": "image"}, "INVALID_PARAMS"),
    ("window_manage", {"window_title": "galculator", "action": "move", "bounds": {"x": 1}, "image_id": "i_no"}, "DESKTOP_STALE_SNAPSHOT"),
    ("window_manage", {"window_title": "nobody", "action": "maximize"}, "WINDOW_NOT_FOUND"),
    ("window_list", {"title": ""}, "INVALID_PARAMS"),
    ("window_list", {"visible_only": "yes"}, "INVALID_PARAMS"),
    ("window_list", {"process": None}, "INVALID_PARAMS"),
]


def test_bad_input(desk):
    before = desk.call("app_launch", name="galculator")["window"]
    for tool, params, code in BAD:
        desk.fails(code, tool, **params)
    assert listed(desk, before["window_id"]) == before, "nothing has happened"


def test_off_the_screen(desk, screen):
    window = desk.call("app_launch", name="galculator")["window"]
    error = desk.fails("VERIFY_FAILED", "window_manage", window_id=window["window_id"], action="move", bounds={"x": 30000, "y": 30000})
    seen = screen.bounds(window["window_id"])
    assert error["details"]["seen"]["bounds"] == seen
    # The window manager keeps a part of every window on the screen.
    assert window["bounds"]["x"] < seen["x"] < 1280 and window["bounds"]["y"] < seen["y"] < 800


@pytest.mark.parametrize("title, kind, expected", [
    (b"bad \xff\xfe bytes", "UTF8_STRING", "bad \ufffd\ufffd bytes"),
    (b"\x1b]0;evil\x07\nnext\tline", "UTF8_STRING", " ]0;evil  next line"),
    ("👩‍👩‍👧‍👦 family".encode(), "UTF8_STRING", "👩‍👩‍👧‍👦 family"),
    ("שלום עולם \u202eabc".encode(), "UTF8_STRING", "שלום עולם \u202eabc"),
    (b"caf\xe9", "STRING", "café"),
    (b"\x1b$(A\x56\x50\x1b(B text", "COMPOUND_TEXT", "中 text"),
    (b"", "UTF8_STRING", ""),
    ("长".encode() * 350000, "UTF8_STRING", "长" * (4096 // 3)),
])
def test_titles_of_all_kinds(desk, screen, title, kind, expected):
    window = screen.window(title, kind=kind)
    assert await_listed(desk, window)["title"] == expected
    if expected:
        assert desk.call("window_focus", window_title=expected)["window"]["window_id"] == window.id


def test_dialog_in_front(desk, screen):
    parent = screen.window(b"document", width=400, height=300)
    await_listed(desk, parent)
    dialog = screen.root.create_window(150, 150, 100, 50, 0, screen.x.screen().root_depth)
    dialog.set_wm_name("Really?")
    dialog.set_wm_transient_for(parent)
    dialog.change_property(screen.x.intern_atom("_NET_WM_STATE"), Xlib.Xatom.ATOM, 32,
                           [screen.x.intern_atom("_NET_WM_STATE_MODAL")])
    dialog.map()
    screen.x.sync()
    screen.windows.append(dialog)
    seen = await_listed(desk, dialog)
    assert seen["modal"] and seen["kind"] == "dialog" and seen["dialog_of"] == parent.id
    error = desk.fails("DESKTOP_MODAL_BLOCKING", "window_focus", window_id=parent.id)
    assert error["details"]["title"] == "Really?" and error["details"]["window_id"] == dialog.id
    assert desk.call("window_focus", window_id=dialog.id)["window"]["focused"]


def test_vanished_window(desk):
    window = desk.call("app_launch", name="xterm")["window"]
    os.kill(desk.host_pid(window["pid"]), signal.SIGKILL)
    eventually(lambda: not listed(desk, window["window_id"]))
    for tool, params in (("window_focus", {}), ("window_manage", {"action": "maximize"})):
        desk.fails("WINDOW_NOT_FOUND", tool, window_id=window["window_id"], **params)


def test_sixty_windows(desk, screen):
    for number in range(60):
        screen.window(f"window {number}".encode(), x=number * 15, y=number * 10)
    eventually(lambda: desk.call("window_list")["open"] == 60)
    times = []
    for _ in range(20):
        start = time.monotonic()
        windows = desk.call("window_list")["windows"]
        times.append(time.monotonic() - start)
        assert {window["title"] for window in windows} == {f"window {number}" for number in range(60)}
    assert sorted(times)[10] < 0.1 * SLOW
    assert desk.call("window_focus", window_title="window 30")["window"]["title"] == "window 30"
    assert desk.call("window_list")["windows"][0]["title"] == "window 30"


@pytest.fixture
def session(request):
    """A display of the user's, with openbox unless the test says otherwise."""
    session = Session(window_manager=getattr(request, "param", True))
    yield session
    session.stop()


def attach(own_desk, session):
    return own_desk("--display", session.display,
                    environment={"DBUS_SESSION_BUS_ADDRESS": session.environment["DBUS_SESSION_BUS_ADDRESS"]})


@pytest.mark.parametrize("session", [False], indirect=True, ids=["no window manager"])
def test_without_a_window_manager(own_desk, session):
    desk = attach(own_desk, session)
    screen = Screen(session.environment)
    calculator = desk.call("app_launch", name="galculator")
    assert calculator["outcome"] == "window"
    terminal = desk.call("app_launch", name="xterm", args=["-T", "bare"])["window"]
    assert {window["window_id"] for window in desk.call("window_list")["windows"]} == \
        {calculator["window"]["window_id"], terminal["window_id"]}
    for window in (calculator["window"], terminal):
        result = desk.call("window_focus", window_id=window["window_id"])["window"]
        assert result["focused"] and window["window_id"] in screen.focused()
        assert desk.call("window_list")["windows"][0]["window_id"] == window["window_id"]
    wanted = {"x": 33, "y": 44, "width": 500, "height": 400}
    result = desk.call("window_manage", window_id=terminal["window_id"], action="resize", bounds=wanted)
    assert result["window"]["bounds"] == wanted == screen.bounds(terminal["window_id"])
    large = desk.call("window_manage", window_id=terminal["window_id"], action="maximize")["window"]["bounds"]
    assert large == {"x": 0, "y": 0, "width": 1280, "height": 800}
    desk.fails("UNSUPPORTED", "window_manage", window_id=terminal["window_id"], action="minimize")
    desk.fails("UNSUPPORTED", "window_manage", window_id=terminal["window_id"], action="restore")
    closed = desk.call("app_close", name="galculator")
    assert closed["windows_closed"] == 1 and not closed["running"]
    os.kill(desk.host_pid(terminal["pid"]), signal.SIGKILL)
    screen.close()


def test_window_manager_dies(own_desk, session):
    desk = attach(own_desk, session)
    window = desk.call("app_launch", name="xterm", args=["-T", "left behind"])["window"]
    session.window_manager.kill()
    session.window_manager.wait()
    seen = desk.call("window_list")["windows"]
    assert [each["window_id"] for each in seen] == [window["window_id"]]
    assert seen[0]["frame"] == seen[0]["bounds"], "nobody draws a frame any more"
    assert desk.call("window_focus", window_id=window["window_id"])["window"]["focused"]
    session.start("openbox", "--sm-disable")
    eventually(lambda: any(each["frame"] != each["bounds"] for each in desk.call("window_list")["windows"]),
               what="a frame of the next window manager")


def test_display_closes(own_desk):
    server = subprocess.Popen(["Xvfb", "-displayfd", "1", "-nolisten", "tcp"], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL)
    display = ":" + server.stdout.readline().decode().strip()
    desk = own_desk("--display", display)
    assert desk.call("window_list")["windows"] == []
    server.kill()
    server.wait()
    for tool, params in (("window_list", {}), ("window_focus", {"window_id": 7}), ("app_list", {})):
        answer = desk.answer(tool, **params)
        assert not answer["ok"] and answer["error"]["code"] in ("DESKTOP_UNAVAILABLE", "OUTCOME_UNKNOWN"), answer
