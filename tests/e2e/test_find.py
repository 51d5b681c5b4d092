"""Elements by what they are called: what a selector or a reference means is what the program says was used. Never another."""
import json
import os
import signal
import subprocess
import tempfile
import threading

import pytest

from handfast import APPS, SLOW, ToolError, eventually, read_line
from screen import window_manager

VERSIONS = ["3", "4"]


class People:
    """The program of tests/apps/people.py."""

    def __init__(self, desk, version):
        self.desk = desk
        self.process = desk.spawn("/usr/bin/python3", APPS / "people.py", version, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, bufsize=0)
        self.window = desk.window(f"people {version}", 20)["window_id"]
        assert self.told()["event"] == "text"
        assert self.told()["event"] == "text"
        assert self.told()["event"] == "ready"
        desk.call("window_focus", window_id=self.window)
        eventually(lambda: self.find('button "Reload"')["total"], 15, "the program on the accessibility bus")

    def told(self):
        return json.loads(read_line(self.process.stdout))

    def order(self, *words):
        self.process.stdin.write((" ".join(words) + "\n").encode())
        self.process.stdin.flush()
        assert self.told() == {"event": "done", "order": words[0]}

    def find(self, selector, **params):
        return self.desk.call("find", selector=selector, window_id=self.window, max_ms=1000 * SLOW, **params)

    def ref(self, selector, **params):
        return self.find(selector, **params)["best"]

    def click(self, target):
        return self.desk.call("left_click", target=target)

    def end(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


@pytest.fixture(params=VERSIONS, ids=["gtk3", "gtk4"])
def people(desk, request):
    program = People(desk, request.param)
    yield program
    program.end()


@pytest.fixture
def people3(desk):
    program = People(desk, "3")
    yield program
    program.end()


def test_a_click_on_a_name_is_a_click_on_that_element(people):
    for target, used in (('button "Reload"', "Reload"), ("Reload", "Reload"), ('按钮 "保存"', "保存(_S)"),
                         ({"role": "button", "name": {"regex": "^Rel"}}, "Reload")):
        result = people.click(target)
        assert people.told()["name"] == used
        element, position = result["element"], result["position"]
        bounds = element["bounds"]
        assert element["role"] == "button" and element["window"] == people.window and element["followed"] is False
        assert bounds["x"] <= position["x"] < bounds["x"] + bounds["width"]
        assert bounds["y"] <= position["y"] < bounds["y"] + bounds["height"]


def test_rows_that_look_alike_are_told_apart(people):
    for target, row in (('button "Delete" near "Bob"', "Bob"), ('button "Delete" right of "Carol"', "Carol"),
                        ('button "Delete" nth 1', "Alice"), ('button "Delete" nth 3', "Carol")):
        people.click(target)
        assert people.told() == {"event": "used", "name": "Delete", "row": row}


def test_several_that_fit_are_never_chosen_from(people):
    error = people.desk.fails("ELEMENT_AMBIGUOUS", "left_click", target='button "Delete"')
    candidates = error["details"]["candidates"]
    assert len(candidates) == 3 and {each["name"] for each in candidates} == {"Delete"}
    assert all(each["reasons"] and each["score"] > 60 for each in candidates)
    second = sorted(candidates, key=lambda each: each["bounds"]["y"])[1]
    people.click(second["ref"])
    assert people.told()["row"] == "Bob"
    error = people.desk.fails("DESKTOP_ELEMENT_NOT_FOUND", "left_click", target='button "Reloda"')
    assert error["details"]["candidates"][0]["name"] == "Reload"
    error = people.desk.fails("DESKTOP_ELEMENT_NOT_FOUND", "left_click", target='slider "Reload"')
    assert error["details"]["candidates"][0]["role"] == "button" and error["details"]["total"] == 0
    assert "nearest" in error["suggestion"]
    people.click("Reload")
    assert people.told()["name"] == "Reload", "nothing was pressed in between"


def test_a_field_is_known_by_its_label(people):
    for label, field in (("User name", "User name"), ("用户名", "用户名：")):
        people.click(f'field "{label}"')
        people.desk.call("type_text", text="a")
        said = people.told()
        assert (said["field"], said["text"]) == (field, "a")


def test_keys_do_not_overtake_a_click(people):
    """The window manager sees a click first, and the program gets it when the manager lets go. Keys go straight to the program."""
    people.click('field "User name"')
    manager = window_manager(people.desk.desktop_environment()["DISPLAY"])
    os.kill(manager, signal.SIGSTOP)
    waking = threading.Timer(0.2, os.kill, (manager, signal.SIGCONT))
    waking.start()
    try:
        people.click('field "用户名"')
        people.desk.call("type_text", text="a")
        said = people.told()
    finally:
        waking.join()
    assert (said["field"], said["text"]) == ("用户名：", "a")


def test_a_reference_follows_what_has_moved(people):
    reference = people.ref('button "Reload"')
    before = people.click(reference)["element"]
    assert people.told()["name"] == "Reload"
    people.order("push")
    after = people.click(reference)["element"]
    assert people.told()["name"] == "Reload"
    assert after["followed"] is True and after["bounds"]["y"] > before["bounds"]["y"] and after["ref"] == reference


def test_a_reference_to_a_row_is_to_that_row(people):
    """The widgets stay where they are, and show other people: the reference goes with the person."""
    bob = people.ref('button "Delete" near "Bob"')
    people.order("swap")
    result = people.click(bob)
    assert people.told()["row"] == "Bob"
    assert result["element"]["followed"] is True


def test_what_has_become_something_else_is_refused(people):
    reference = people.ref('button "Reload"')
    people.order("rename", "Reload", "Format")
    error = people.desk.fails("DESKTOP_STALE_SNAPSHOT", "left_click", target=reference)
    details = error["details"]
    assert details["ref"] == reference and details["fate"] == "changed"
    assert details["was"]["name"] == "Reload" and details["now"]["name"] == "Format"
    assert details["candidates"] and 'button "Format"' in details["elements"]
    people.click(details["now"]["ref"])
    assert people.told()["name"] == "Format", "only what the new reference means was pressed"


def test_what_is_gone_is_refused(people):
    bob = people.ref('button "Delete" near "Bob"')
    people.order("remove", "Bob")
    error = people.desk.fails("DESKTOP_STALE_SNAPSHOT", "left_click", target=bob)
    assert error["details"]["fate"] in ("gone", "changed")
    assert {each["name"] for each in error["details"]["candidates"]} == {"Delete"}
    people.click("Reload")
    assert people.told()["name"] == "Reload"


def test_references_end(people3):
    reference = people3.ref('button "Reload"')
    for _ in range(50):
        people3.desk.call("read_text", target=reference)
    error = people3.desk.fails("DESKTOP_STALE_SNAPSHOT", "read_text", target=reference)
    assert error["details"]["fate"] == "expired" and error["details"]["candidates"][0]["name"] == "Reload"
    people3.desk.fails("DESKTOP_STALE_SNAPSHOT", "left_click", target="e999999")


def test_a_closed_window_takes_its_references_along(people3):
    reference = people3.ref('button "Reload"')
    people3.end()
    error = people3.desk.fails("DESKTOP_STALE_SNAPSHOT", "left_click", target=reference)
    assert error["details"]["fate"] == "gone" and error["details"]["was"]["name"] == "Reload"
    people3.process = people3.desk.spawn("true", stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def test_find_says_why(people):
    found = people.find("button")
    assert found["total"] >= 6 and found["ambiguous"] is True and "best" not in found
    disabled = next(each for each in found["elements"] if each["name"] == "Never")
    assert "disabled" in disabled["states"] and "it is disabled" in disabled["reasons"]
    assert people.find('button "Never" enabled')["total"] == 0
    best = people.find('field "User name"', limit=1)
    assert len(best["elements"]) == 1 and "label beside it" in best["elements"][0]["reasons"][0]
    assert best["selector"] == 'field "User name"' and best["snapshot_id"].startswith("s")


def test_a_list_of_lines_costs_little(people):
    described = people.desk.call("ui_describe", window_id=people.window, format="lines")
    lines = described["lines"].splitlines()
    assert described["elements"] == [] and lines[0].split(" ")[1] == "frame"
    reload = next(line for line in lines if "Reload" in line)
    assert reload.split(" ")[1:3] == ["button", '"Reload"'] and sum("Reload" in line for line in lines) == 1
    people.click(reload.split(" ")[0])
    assert people.told()["name"] == "Reload"
    objects = people.desk.call("ui_describe", window_id=people.window)
    assert len(described["lines"]) * 4 < len(json.dumps(objects["elements"]))
    named = {each["ref"]: each for each in objects["elements"]}
    assert named[reload.split(" ")[0]]["name"].startswith("Reload"), "the same element keeps its reference"


def test_text_is_read_as_the_program_has_it(people):
    read = people.desk.call("read_text", target='field "Notes"')
    assert read["text"].startswith("dear Bob, the key is") and "opensesame" not in read["text"] and read["redacted"]
    assert read["from"] in ("text", "value")
    plain = people.desk.call("read_text", target='field "Notes"', redaction=False)
    assert plain["text"] == "dear Bob, the key is password=opensesame" and not plain["truncated"]
    cut = people.desk.call("read_text", target='field "Notes"', redaction=False, limit_bytes=8)
    assert cut["text"] == "dear Bob" and cut["truncated"]
    whole = people.desk.call("read_text", target={"role": "window", "name": {"contains": "people"}})
    assert "Alice" in whole["text"] and "hunter2" not in whole["text"]


def test_a_secret_is_never_read(people):
    error = people.desk.fails("FORBIDDEN", "read_text", target='field "Password"')
    assert "password field" in error["message"] and "hunter2" not in json.dumps(error)
    found = people.find('field "Password"', values=True)
    assert found["elements"][0]["secure"] is True and "hunter2" not in json.dumps(found)


def test_pictures_of_an_element(people3):
    element = people3.find('button "Reload"')["elements"][0]
    picture = people3.desk.call("zoom", target=element["ref"], max_dimension=0, format="png")
    assert picture["element"]["name"] == "Reload"
    assert abs(picture["width"] - element["bounds"]["width"] - 16) <= 2
    shot = people3.desk.call("screenshot", target='button "Reload"', max_dimension=0)
    assert (shot["width"], shot["height"]) == (picture["width"], picture["height"])
    people3.desk.fails("INVALID_PARAMS", "zoom", target="Reload", region=[0, 0, 5, 5])
    people3.desk.fails("INVALID_PARAMS", "zoom")


def test_every_way_to_point_takes_an_element(people3):
    desk, bounds = people3.desk, people3.find('button "Reload"')["elements"][0]["bounds"]
    middle = {"x": bounds["x"] + bounds["width"] // 2, "y": bounds["y"] + bounds["height"] // 2}
    for tool, params in (("mouse_move", {}), ("right_click", {}), ("middle_click", {}), ("scroll", {"direction": "down"})):
        assert desk.call(tool, target='button "Reload"', **params)["position"] == middle
    assert desk.call("double_click", target='button "Reload"')["element"]["name"] == "Reload"
    assert [people3.told()["name"], people3.told()["name"]] == ["Reload", "Reload"]
    desk.call("mouse_down", target='button "保存"')
    desk.call("mouse_up", target="保存")
    assert people3.told()["name"] == "保存(_S)"
    dragged = desk.call("mouse_drag", **{"from": 'label "Alice"', "to": 'label "Carol"'})
    assert (dragged["from_element"]["name"], dragged["to_element"]["name"]) == ("Alice", "Carol")


FRAME = (255, 59, 48)


def frame_pixels(desk):
    image, _ = desk.picture(max_dimension=0, format="png")
    return sum(1 for pixel in image.getdata() if pixel == FRAME)


def test_a_highlight_is_seen_and_goes_by_itself(people3):
    desk = people3.desk
    shown = desk.call("highlight", target='button "Reload"', duration=4000)
    bounds = shown["bounds"]
    assert shown["element"]["name"] == "Reload"
    assert frame_pixels(desk) == (bounds["width"] + 8) * (bounds["height"] + 8) - bounds["width"] * bounds["height"]
    people3.click('button "Reload"')
    assert people3.told()["name"] == "Reload", "it takes no input"
    eventually(lambda: frame_pixels(desk) == 0, 10, "the frame gone")
    desk.fails("INVALID_PARAMS", "highlight")
    desk.fails("INVALID_PARAMS", "highlight", target="Reload", region=[0, 0, 5, 5])


def test_a_highlight_goes_with_its_hand(own_desk):
    desk = own_desk("--virtual", "--size", "640x480")
    desk.call("highlight", region=[100, 100, 200, 200], duration=10000)
    assert frame_pixels(desk) > 0
    before = desk.desktops()["main"]["hand_pid"]
    os.kill(before, signal.SIGKILL)
    eventually(lambda: desk.desktops()["main"]["hand_pid"] not in (0, None, before), 20, "the next hand")
    eventually(lambda: frame_pixels(desk) == 0, 3, "the frame gone")


def test_a_route_keeps_a_call_in_its_window(people3):
    """A second program of the same kind: the route says which of them is meant, and nothing goes to the other."""
    desk = people3.desk
    other = People(desk, "4")
    try:
        for route in ({"window": {"id": people3.window}}, {"window": {"title": {"equals": "people 3"}}},
                      {"window": {"title": {"regex": "^people [3]$"}}}, {"window": {"title": "people 3"}},
                      {"app": {"pid": people3.process.inside}, "window": {"title": {"contains": "PEOPLE"}}, "display": 0}):
            desk.call("window_focus", window_id=other.window)
            assert desk.call("find", selector='button "Reload"', route=route)["elements"][0]["window"] == people3.window
            assert desk.call("left_click", target='button "Reload"', route=route)["element"]["window"] == people3.window
            assert people3.told()["name"] == "Reload"
        desk.call("window_focus", window_id=other.window)
        mine = {"window": {"id": people3.window}}
        for policy in ("require_focused", "fail_if_not_focused"):
            error = desk.fails("DESKTOP_FOCUS_LOST", "type_text", text="x", route={**mine, "focus_policy": policy})
            assert error["details"]["window"]["window_id"] == other.window
            assert error["details"]["wanted"]["window_id"] == people3.window
        desk.call("left_click", target='field "User name"', route=mine)
        desk.call("window_focus", window_id=other.window)
        desk.call("type_text", text="x", route=mine)
        said = people3.told()
        assert (said["field"], said["text"]) == ("User name", "x")
        elsewhere = other.ref('button "Reload"')
        desk.fails("DESKTOP_ELEMENT_NOT_FOUND", "left_click", target=elsewhere, route=mine)
        desk.fails("WINDOW_NOT_FOUND", "left_click", target="Reload", route={"window": {"title": "nobody"}})
        desk.fails("PRECONDITION_FAILED", "left_click", target="Reload", route={**mine, "display": 7})
        desk.fails("INVALID_PARAMS", "left_click", target="Reload", route={"windw": {}})
    finally:
        other.end()


def test_wrong_ways_to_point(people3):
    desk = people3.desk
    for params, says in (({"target": "Reload", "x": 1, "y": 1}, "replaces x and y"), ({"target": 'buton "x"'}, "is not a role"),
                         ({"target": {"naem": "x"}}, "not a member of a selector"), ({"target": 'button "x'}, "not closed")):
        assert says in desk.fails("INVALID_PARAMS", "left_click", **params)["message"]
    assert "no point given" in desk.fails("INVALID_PARAMS", "mouse_move")["message"]
    assert "no point given" in desk.fails("INVALID_PARAMS", "mouse_drag", from_x=1, from_y=1)["message"]


def test_a_dry_run_shows_the_element(people3):
    answer = people3.desk.answer("left_click", target='button "Reload"', dry_run=True)
    assert answer["ok"] and answer["result"]["target"]["element"]["name"] == "Reload"
    for tool, params in (("ui_act", {"action": "press"}), ("ui_focus", {})):
        answer = people3.desk.answer(tool, target='button "Reload"', dry_run=True, **params)
        assert answer["ok"] and answer["dry_run"], answer
    people3.click("保存")
    assert people3.told()["name"] == "保存(_S)", "the dry run pressed nothing"


def test_names_of_others_are_marked(people3):
    answer = people3.desk.answer("left_click", target='button "Reload"')
    assert "programs" in answer["untrusted"]
    position = answer["result"]["position"]
    plain = people3.desk.answer("left_click", x=position["x"], y=position["y"])
    assert "untrusted" not in plain or "element" not in plain["result"]


def test_qt_elements_by_name_and_reference(desk):
    program = desk.spawn("/usr/bin/python3", APPS / "elements_qt.py", stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0)
    try:
        window = desk.window("elements Qt", 20)["window_id"]
        assert json.loads(read_line(program.stdout))["event"] == "ready"
        route = {"window": {"id": window}}
        eventually(lambda: desk.call("find", selector='button "Press"', route=route)["total"], 15, "Qt's elements")
        desk.call("left_click", target='button "Press"', route=route)
        assert json.loads(read_line(program.stdout))["name"] == "Press"
        reference = desk.call("find", selector='check-box "Check"', route=route)["best"]
        desk.call("left_click", target=reference)
        assert json.loads(read_line(program.stdout))["name"] == "Check"
    finally:
        program.kill()
        program.wait()
        program.stdout.close()


def test_chromium_elements_by_name_and_reference(desk):
    with tempfile.TemporaryDirectory(prefix="hf-chromium-", ignore_cleanup_errors=True) as profile:
        program = desk.spawn("chromium", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
                             "--disable-sync", "--force-renderer-accessibility", f"--user-data-dir={profile}",
                             f"file://{APPS}/elements.html", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            route = {"window": {"id": desk.window("elements page", 30)["window_id"]}}
            eventually(lambda: desk.call("find", selector='button "Press"', route=route)["total"], 30, "the page's elements")
            assert desk.call("find", selector='id="press-it"', route=route)["elements"][0]["identifier"] == "press-it"
            desk.call("left_click", target='id="press-it"', route=route)
            desk.window("elements page used Press")
            reference = desk.call("find", selector='check-box "Check"', route=route)["best"]
            desk.call("left_click", target=reference)
            desk.window("elements page used Check")
        finally:
            program.kill()
            program.wait()


def test_no_tree_no_guess(desk):
    """A program without structure: the answer says that nothing was found."""
    with pytest.raises(ToolError) as failed:
        desk.call("left_click", target='button "Nobody has this one"')
    assert failed.value.code == "DESKTOP_ELEMENT_NOT_FOUND"


def test_what_a_program_calls_an_element_itself(desk):
    program = desk.spawn("/usr/bin/python3", APPS / "elements_gtk.py", "3", stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        route = {"window": {"id": desk.window("elements 3", 20)["window_id"]}}
        read_line(program.stdout)
        for _ in range(3):  # also when what was read before is kept
            found = eventually(lambda: desk.call("find", selector='id="press-it"', route=route)["elements"], 20, "the element")
            assert [(each["name"], each["identifier"]) for each in found] == [("Press", "press-it")]
            found = desk.call("find", selector='description="what presses"', route=route)["elements"]
            assert [each["name"] for each in found] == ["Press"]
            desk.call("find", selector='button "Press"', route=route)
        desk.call("left_click", target='id="press-it"', route=route)
        assert json.loads(read_line(program.stdout))["name"] == "Press"
        desk.fails("DESKTOP_ELEMENT_NOT_FOUND", "left_click", target='id="nobody"', route=route)
    finally:
        program.kill()
        program.wait()
        program.stdout.close()
