"""The structure of programs: what ui_describe tells is what the program itself knows, on a plain desktop and on a scaled one."""
import itertools
import json
import signal
import subprocess
import tempfile
import time

import pytest

from handfast import APPS, SLOW, eventually, read_line

CHROMIUM = ["chromium", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
            "--disable-component-update", "--disable-sync", "--force-renderer-accessibility"]
SCALES = [1, 2]


@pytest.fixture(scope="module", params=SCALES, ids=["scale-1", "scale-2"])
def stage(request, shared_desk):
    """A desktop of that scale: (desk, its name, the scale)."""
    name = f"structure-{request.param}"
    shared_desk.new_desktop(name, width=900 * request.param, height=700 * request.param, scale=request.param)
    yield shared_desk, name, request.param
    shared_desk.remove_desktop(name)


@pytest.fixture
def start(shared_desk):
    """Starts a program that writes JSON lines; all are ended after the test."""
    running = []

    def begin(*command, desktop="main", environment=None):
        everything = {**shared_desk.desktop_environment(desktop), **(environment or {})}
        program = shared_desk.spawn(*command, desktop=desktop, env=everything, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        running.append(program)
        return program

    yield begin
    for program in running:
        program.send_signal(signal.SIGCONT)
        program.kill()
        program.wait()
        program.stdout.close()


def told(program):
    return json.loads(read_line(program.stdout))


def describe(desk, desktop, **params):
    return desk.call("ui_describe", desktop=desktop, max_ms=1000 * SLOW, **params)


def elements(desk, desktop, **params):
    """The first of each name; waits until the program has joined the accessibility bus."""
    def look():
        found = describe(desk, desktop, **params)["elements"]
        named = {each["name"]: each for each in reversed(found) if "name" in each}
        return named if len(found) > 3 else None
    return eventually(look, 15, "a program on the accessibility bus")


def centre(element):
    bounds = element["bounds"]
    assert bounds["width"] > 0 and bounds["height"] > 0, element
    return bounds["x"] + bounds["width"] // 2, bounds["y"] + bounds["height"] // 2


def click(desk, desktop, element):
    x, y = centre(element)
    desk.call("left_click", desktop=desktop, x=x, y=y)


def use_all(desk, desktop, program, found):
    """Clicks the middle of each element, and the program says which of them it was."""
    for name in ("Press", "Other", "Check"):
        click(desk, desktop, found[name])
        used = told(program)
        assert used["name"] == name


@pytest.mark.parametrize("version", ["3", "4"])
def test_gtk_elements_are_where_the_toolkit_put_them(stage, start, version):
    desk, desktop, scale = stage
    program = start("/usr/bin/python3", APPS / "elements_gtk.py", version, desktop=desktop)
    window = desk.window(f"elements {version}", desktop=desktop)
    parts = told(program)["parts"]
    found = elements(desk, desktop, window_id=window["window_id"])
    window = desk.window(f"elements {version}", desktop=desktop)
    for name, (x, y, width, height) in parts.items():
        bounds, corner = found[name]["bounds"], window["bounds"]
        assert found[name]["window"] == window["window_id"]
        assert abs(centre(found[name])[0] - corner["x"] - x - width // 2) <= scale, (name, bounds, window)
        assert abs(centre(found[name])[1] - corner["y"] - y - height // 2) <= scale, (name, bounds, window)
        # GTK 4 tells the inside of an element, without its padding.
        padding = scale if version == "3" else 40 * scale
        assert 0 <= width - bounds["width"] + scale <= padding + scale, (name, bounds)
        assert 0 <= height - bounds["height"] + scale <= padding + scale, (name, bounds)
    use_all(desk, desktop, program, found)


def test_qt_elements_are_where_they_are_clicked(stage, start):
    desk, desktop, _ = stage
    program = start("/usr/bin/python3", APPS / "elements_qt.py", desktop=desktop)
    window = desk.window("elements Qt", desktop=desktop)
    assert told(program)["event"] == "ready"
    found = elements(desk, desktop, window_id=window["window_id"])
    assert found["Press"]["role"] == "button" and "Press" in found["Press"]["actions"]
    use_all(desk, desktop, program, found)


def use_page(desk, desktop, start, *options):
    with tempfile.TemporaryDirectory(prefix="hf-chromium-", ignore_cleanup_errors=True) as profile:
        program = start(*CHROMIUM, *options, f"--user-data-dir={profile}", f"file://{APPS}/elements.html", desktop=desktop)
        window = desk.window("elements page", 30, desktop=desktop)

        def page():
            found = elements(desk, desktop, window_id=window["window_id"])
            return found if "Press" in found else None
        for name in ("Press", "Other", "Check"):
            click(desk, desktop, eventually(page, 20, "the page's elements")[name])
            desk.window(f"elements page used {name}", desktop=desktop)
        program.kill()
        program.wait()


def test_chromium_elements_are_where_they_are_clicked(stage, start):
    desk, desktop, _ = stage
    use_page(desk, desktop, start)


@pytest.fixture(scope="module")
def plain_stage(shared_desk):
    """A large desktop that is not scaled, for programs that scale themselves."""
    shared_desk.new_desktop("structure-plain", width=1800, height=1400)
    yield shared_desk, "structure-plain"
    shared_desk.remove_desktop("structure-plain")


@pytest.mark.parametrize("command, title, environment", [
    (("elements_gtk.py", "3"), "elements 3", {"GDK_SCALE": "2"}),
    (("elements_gtk.py", "4"), "elements 4", {"GDK_SCALE": "2"}),
    (("elements_qt.py",), "elements Qt", {"QT_SCALE_FACTOR": "2"}),
    (("elements_qt.py",), "elements Qt", {"QT_SCALE_FACTOR": "1.5"}),
], ids=["gtk3", "gtk4", "qt", "qt-1.5"])
def test_elements_of_programs_that_scale_themselves(plain_stage, start, command, title, environment):
    desk, desktop = plain_stage
    program = start("/usr/bin/python3", APPS / command[0], *command[1:], desktop=desktop, environment=environment)
    window = desk.window(title, desktop=desktop)
    assert told(program)
    use_all(desk, desktop, program, elements(desk, desktop, window_id=window["window_id"]))


def test_elements_of_a_browser_that_scales_itself(plain_stage, start):
    use_page(*plain_stage, start, "--force-device-scale-factor=2")


@pytest.mark.parametrize("command", [("elements_gtk.py", "3"), ("elements_gtk.py", "4"), ("elements_qt.py",)], ids=" ".join)
def test_secrets_are_never_told_and_texts_when_asked(desk, start, command):
    program = start("/usr/bin/python3", APPS / command[0], *command[1:])
    window = desk.window("elements", 10)
    assert told(program)["event"] == "ready"
    elements(desk, "main", window_id=window["window_id"])
    plain = describe(desk, "main", window_id=window["window_id"])
    full = describe(desk, "main", window_id=window["window_id"], include_text=True)
    assert "what is in it" not in json.dumps(plain["elements"])
    assert "what is in it" in [each.get("value") for each in full["elements"]]
    secret = [each for each in full["elements"] if each["role"] == "password-text"]
    assert len(secret) == 1 and secret[0]["secure"] and "value" not in secret[0]
    assert "hunter2" not in json.dumps(full) and "●" not in json.dumps(full) and "•" not in json.dumps(full)


def test_a_real_program_is_told_as_it_shows(desk):
    desk.call("app_launch", name="mousepad")
    desk.window("Mousepad")
    found = elements(desk, "main")
    assert {"File", "Edit", "Search", "Help"} <= set(found)
    assert "New Window" not in found, "closed menus do not show"
    hidden = describe(desk, "main", include_hidden=True, max_nodes=2000)
    names = [each.get("name", "").strip() for each in hidden["elements"]]
    assert "New Window" in names and hidden["truncated"] == []


def test_limits_are_said(desk):
    desk.call("app_launch", name="gtk3-widget-factory")
    desk.window("gtk3-widget-factory")
    def is_whole():
        whole = describe(desk, "main", max_nodes=5000)
        return whole["truncated"] == [] and whole["nodes"] > 140
    eventually(is_whole, 20, "the whole of a large window")
    few = describe(desk, "main", max_nodes=20)
    assert few["nodes"] == 20 and few["truncated"] == ["nodes"]
    flat = describe(desk, "main", max_depth=2, include_containers=True, max_nodes=5000)
    assert {each["depth"] for each in flat["elements"]} == {0, 1} and flat["truncated"] == ["depth"]


def test_scope_by_window_application_and_everything(desk, start):
    start("/usr/bin/python3", APPS / "elements_gtk.py", "3")
    desk.window("elements 3")
    desk.call("app_launch", name="mousepad")
    pad = desk.window("Mousepad")
    everything = lambda: [program["name"] for program in describe(desk, "main", everything=True)["programs"]]  # noqa: E731
    eventually(lambda: len(everything()) == 2, 15, "two programs")
    assert "Press" in elements(desk, "main", window_title="elements 3")
    assert "File" in elements(desk, "main", app="mousepad")
    assert "File" in elements(desk, "main", pid=pad["pid"])
    assert {"File", "Press"} <= set(elements(desk, "main", everything=True))
    desk.fails("WINDOW_NOT_FOUND", "ui_describe", window_id=4242)
    desk.fails("APP_NOT_FOUND", "ui_describe", app="no such application")
    desk.fails("INVALID_PARAMS", "ui_describe", max_nodes=0)


def test_no_window_is_said(desk):
    error = desk.fails("WINDOW_NOT_FOUND", "ui_describe")
    assert "everything" in error["message"]


def test_a_frozen_program_costs_its_budget_once(desk, start):
    frozen = start("/usr/bin/python3", APPS / "elements_gtk.py", "3")
    desk.window("elements 3")
    desk.call("app_launch", name="mousepad")
    desk.window("Mousepad")
    eventually(lambda: len(describe(desk, "main", everything=True)["elements"]) > 15, 15, "two programs")
    alone = describe(desk, "main", everything=True)
    assert alone["truncated"] == []
    frozen.send_signal(signal.SIGSTOP)
    budget = 600 * SLOW
    began = time.monotonic()
    first = desk.call("ui_describe", everything=True, max_ms=budget)
    assert time.monotonic() - began < (budget + 250 * SLOW) / 1000
    assert "program" in first["truncated"]
    assert "File" in [each.get("name") for each in first["elements"]], "the other program is told whole"
    second = desk.call("ui_describe", everything=True, max_ms=budget)
    assert second["took_ms"] < budget / 2 and "program" in second["truncated"]
    frozen.send_signal(signal.SIGCONT)
    eventually(lambda: describe(desk, "main", everything=True)["truncated"] == [], 5, "the program to be back")


def test_a_program_that_dies_is_forgotten(desk, start):
    program = start("/usr/bin/python3", APPS / "elements_gtk.py", "3")
    desk.window("elements 3")
    assert "Press" in elements(desk, "main", everything=True)
    program.kill()
    program.wait()
    eventually(lambda: describe(desk, "main", everything=True)["programs"] == [], 5, "an empty desktop")


def test_cells_that_were_met_before(desk, start):
    """Looks of another depth read all anew: of a table's cells only what can change is asked again, and is told as it is now."""
    start("/usr/bin/python3", APPS / "widgets_gtk3.py")
    window = desk.window("GTK 3 widgets")["window_id"]
    depths = itertools.cycle(range(100, 200))

    def look():
        found = describe(desk, "main", window_id=window, max_nodes=2000, max_depth=next(depths))
        assert found["truncated"] == []
        cells = {each["name"]: each for each in found["elements"] if each["role"] == "table-cell"}
        return found["calls"], {name: (cell["bounds"], cell["actions"], cell["states"]) for name, cell in cells.items()}

    asked, before = eventually(lambda: (first := look())[1] and first, 15, "a program on the accessibility bus")
    assert set(before) == {"animals", "plants"} and all(actions for _, actions, _ in before.values())
    eventually(lambda: look()[0] <= asked - 14, 10, "a look that asks less")  # seven questions for each of two cells
    assert look()[1] == before
    desk.call("ui_act", target='"animals"', action="expand", window_id=window)
    eventually(lambda: set(look()[1]) == {"animals", "animals child", "plants"}, 10, "the entry that was folded away")
    eventually(lambda: look()[1]["plants"][0]["y"] > before["plants"][0]["y"], 10, "the next one further down")
    now = look()[1]
    assert now["animals"][0] == before["animals"][0]
    assert "expanded" in now["animals"][2] and now["animals child"][1]


def test_what_is_kept_is_what_is_there(desk, start):
    """A second look asks next to nothing, and yet tells all that has changed: by the program, by a click, by the window."""
    program = start("/usr/bin/python3", APPS / "elements_gtk.py", "3")
    window = desk.window("elements 3")
    told(program)
    look = lambda: describe(desk, "main", window_id=window["window_id"])  # noqa: E731
    named = lambda: {each["name"]: each for each in reversed(look()["elements"]) if "name" in each}  # noqa: E731
    found = elements(desk, "main", window_id=window["window_id"])
    eventually(lambda: look()["calls"] <= 3, 5, "a look that asks next to nothing")

    assert "checked" not in found["Check"]["states"]
    click(desk, "main", found["Check"])
    assert told(program)["active"] is True
    assert "checked" in named()["Check"]["states"]

    click(desk, "main", found["Press"])
    told(program)
    assert "Plain 1" in named() and "Plain" not in named() and "Late" not in named()
    click(desk, "main", found["Press"])
    told(program)
    assert {"Plain 2", "Late"} <= set(named())
    click(desk, "main", found["Press"])
    told(program)
    assert "Plain 3" in named() and "Late" not in named()

    before, corner = named(), desk.window("elements 3")["bounds"]
    assert "Row 0" in before and "Row 39" not in before
    desk.call("window_manage", window_id=window["window_id"], action="move", bounds={"x": 300, "y": 90})
    moved, now = named(), desk.window("elements 3")["bounds"]
    assert (now["x"], now["y"]) != (corner["x"], corner["y"])
    for name in ("Press", "Check", "Row 0"):
        assert moved[name]["bounds"]["x"] - before[name]["bounds"]["x"] == now["x"] - corner["x"]
        assert moved[name]["bounds"]["y"] - before[name]["bounds"]["y"] == now["y"] - corner["y"]
    click(desk, "main", moved["Other"])
    assert told(program)["name"] == "Other"

    x, y = centre(moved["Row 0"])
    desk.call("scroll", x=x, y=y, direction="down", amount=60)
    scrolled = eventually(lambda: (found := named()) and "Row 0" not in found and found, 5, "other rows")
    rows = lambda found: [int(name[4:]) for name in found if name.startswith("Row ")]  # noqa: E731
    assert max(rows(scrolled)) > max(rows(moved))

    desk.call("window_manage", window_id=window["window_id"], action="resize", bounds={"width": 600, "height": 500})
    eventually(lambda: named()["Press"]["bounds"]["width"] > moved["Press"]["bounds"]["width"], 5, "a wider button")
    click(desk, "main", named()["Press"])
    assert told(program)["name"] == "Press"


def test_twenty_thousand_elements_stay_within_the_limits(desk, start):
    program = start("/usr/bin/python3", APPS / "elements_gtk.py", "3", "20000", "100")
    window = desk.window("elements 3", 60)
    assert json.loads(read_line(program.stdout, 60))["event"] == "ready"
    shown = elements(desk, "main", window_id=window["window_id"])
    assert "Row 0" in shown and len(shown) < 100, "only what shows"
    began = time.monotonic()
    whole = desk.call("ui_describe", window_id=window["window_id"], include_hidden=True, max_nodes=20000, max_ms=1000)
    assert time.monotonic() - began < 4 * SLOW
    assert whole["nodes"] <= 20000 and whole["truncated"], "all of it is more than may be asked for"
    some = desk.call("ui_describe", window_id=window["window_id"], include_hidden=True, max_nodes=500, max_ms=20000)
    assert some["nodes"] == 500 and "nodes" in some["truncated"]


def test_what_was_not_read_is_not_said_to_be_absent(desk, start):
    """A tree that is cut: whether the element is there is not known, and that is what is answered."""
    program = start("/usr/bin/python3", APPS / "elements_gtk.py", "3", "20000", "100")
    window = desk.window("elements 3", 60)["window_id"]
    assert json.loads(read_line(program.stdout, 60))["event"] == "ready"
    elements(desk, "main", window_id=window)
    error = desk.fails("DESKTOP_ELEMENT_NOT_FOUND", "ui_act", target='button "Absent"', action="press", window_id=window)
    assert error["details"]["truncated"] == []
    program.send_signal(signal.SIGSTOP)
    error = desk.fails("DESKTOP_AX_TRAVERSAL_LIMIT", "ui_act", target='button "Absent"', action="press", window_id=window,
                       timeout_ms=1500 * SLOW)
    assert error["details"]["truncated"] and "does not answer" in error["message"] and error["suggestion"]
    desk.fails("DESKTOP_TIMEOUT", "wait_until", target='button "Absent"', until="vanishes", max_ms=300, window_id=window)
    program.send_signal(signal.SIGCONT)
    eventually(lambda: desk.answer("ui_act", target='button "Absent"', action="press", window_id=window)
               .get("error", {}).get("code") == "DESKTOP_ELEMENT_NOT_FOUND", 20, "a program that answers again")


def test_of_a_long_list_what_shows_is_told(desk, start):
    """Wherever it was scrolled to, and without asking each row of it."""
    program = start("/usr/bin/python3", APPS / "elements_gtk.py", "3", "2000", "2000")
    window = desk.window("elements 3", 60)
    assert json.loads(read_line(program.stdout, 60))["event"] == "ready"

    def look():
        answer = desk.call("ui_describe", window_id=window["window_id"], max_ms=20000)
        assert answer["truncated"] == []
        return {each["name"]: each for each in answer["elements"] if "name" in each}
    shown = eventually(lambda: (found := look()) and "Row 0" in found and found, 20, "the first rows")
    assert "Row 100" not in shown
    x, y = centre(shown["Row 0"])
    desk.call("scroll", x=x, y=y, direction="down", amount=400)
    later = eventually(lambda: (found := look()) and "Row 0" not in found and found, 20, "other rows")
    assert [name for name in later if name.startswith("Row ")]


def test_the_first_program_of_a_desktop_tells_all(shared_desk):
    """A GTK 4 program that moves all the time, on a desktop whose accessibility bus nobody has used before."""
    shared_desk.new_desktop("first")
    try:
        shared_desk.call("app_launch", name="gtk4-widget-factory", desktop="first")
        assert "Page 1" in elements(shared_desk, "first", app="gtk4-widget-factory")
    finally:
        shared_desk.remove_desktop("first")


def test_a_browser_is_started_to_tell_of_its_page(desk, tmp_path):
    """app_launch tells it what it needs; one that was started otherwise is said to be reticent."""
    def observe():
        return desk.call("observe", image=False)

    flags = [flag for flag in CHROMIUM[1:] if "accessibility" not in flag]
    page = "data:text/html,<title>Told</title><button>Press me</button>"
    mute = desk.spawn("chromium", *flags, f"--user-data-dir={tmp_path}/mute", page, stderr=subprocess.DEVNULL)
    try:
        eventually(lambda: "--force-renderer-accessibility" in observe().get("problem", ""), SLOW)
    finally:
        mute.kill()
        mute.wait()
    launched = desk.call("app_launch", name="chromium", args=[*flags, f"--user-data-dir={tmp_path}/told", page])
    assert "--force-renderer-accessibility" in launched["command"]
    eventually(lambda: 'button "Press me"' in str(observe()["elements"]), SLOW)
    assert "problem" not in observe()
    desk.call("app_close", pid=launched["window"]["pid"], force=True)
