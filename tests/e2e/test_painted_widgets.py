"""Switches, sliders, tabs, rows, cards and bars of programs that only paint them, in several looks."""
import json
import pathlib
import subprocess

import pytest

from handfast import eventually, read_line

APP = pathlib.Path(__file__).resolve().parents[1] / "apps" / "painted_panel.py"
SWITCHES = {"wifi": ("Wireless", True), "plane": ("飞行模式", False), "blue": ("Bluetooth", True), "quiet": ("勿扰模式", False)}


class Panel:
    """tests/apps/painted_panel.py: where its things are, and what it was told to do."""

    def __init__(self, desk, look):
        self.desk, self.places = desk, {}
        self.process = desk.spawn(APP, look, stdout=subprocess.PIPE, bufsize=0)
        while (line := self.next(30))["event"] != "ready":
            self.places[line["thing"]] = line["place"]
        self.window = desk.window(f"Painted {look}")["window_id"]
        eventually(lambda: any(one["focused"] for one in desk.call("window_list")["windows"]), 10, "the focus")

    def next(self, seconds=10):
        return json.loads(read_line(self.process.stdout, seconds))

    def look(self):
        """With all that can be read: under a sanitizer the first look is slow."""
        seen = []

        def is_read():
            answer = self.desk.call("observe", elements="objects", image=False, max_ms=20000)
            seen[:] = [answer]
            return "time" not in answer["truncated"]

        eventually(is_read, 30, "everything to be read")
        return seen[0]["element_list"]

    def is_at(self, one, thing):
        x, y, width, height = self.places[thing]
        box = one["bounds"]
        return abs(box["x"] - x) <= 4 and x <= box["x"] + box["width"] / 2 < x + width and y <= box["y"] + box["height"] / 2 < y + height

    def at(self, elements, thing, role):
        found = [one for one in elements if one["role"] == role and self.is_at(one, thing)]
        assert len(found) == 1, (thing, role, [(one["role"], one["name"], one["bounds"]) for one in elements])
        return found[0]

    def end(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.desk.let_go(self.window)


@pytest.fixture
def panel(desk):
    panels = []

    def start(look):
        panels.append(Panel(desk, look))
        return panels[-1]

    yield start
    for one in panels:
        one.end()


def holds(outer, inner):
    a, b = outer["bounds"], inner["bounds"]
    return a["x"] <= b["x"] and a["y"] <= b["y"] and a["x"] + a["width"] >= b["x"] + b["width"] and a["y"] + a["height"] >= b["y"] + b["height"]


@pytest.mark.parametrize("look", ["flat", "night", "raised"])
def test_settings_are_elements_with_their_states(panel, look):
    program = panel(look)
    elements = program.look()
    rows = [one for one in elements if one["role"] == "table-row"]
    assert len(rows) == len(SWITCHES), rows
    for thing, (label, on) in SWITCHES.items():
        switch = program.at(elements, thing, "switch")
        assert ("checked" in switch["states"]) == on and switch["description"] == label, switch
        assert sum(holds(row, switch) for row in rows) == 1, (switch, rows)
    for thing, part in (("volume", 25), ("light", 80)):
        slider = program.at(elements, thing, "slider")
        assert abs(int(slider["value"].split()[0]) - part) <= 4, slider
    tabs = {one["name"]: "selected" in one["states"] for one in elements if one["role"] == "page-tab"}
    assert tabs == {"General": False, "网络": True, "About": False}
    bars = [one for one in elements if one["role"] == "tool-bar"]
    assert len(bars) == 1 and bars[0]["bounds"]["height"] == 46 and bars[0]["bounds"]["width"] == 720, bars


def test_a_switch_is_turned_and_its_picture_says_so(panel, desk):
    program = panel("flat")
    switch = program.at(program.look(), "plane", "switch")
    done = desk.call("ui_act", target=switch["ref"], action="check")
    assert program.next() == {"event": "clicked", "thing": "plane", "now": "switch"}, done
    now = program.at(program.look(), "plane", "switch")
    assert "checked" in now["states"]
    desk.call("ui_act", target=now["ref"], action="check")  # it is so already: a click would undo it
    assert "checked" in program.at(program.look(), "plane", "switch")["states"]
    desk.call("ui_act", target=now["ref"], action="uncheck")
    assert program.next()["now"] == "switch_on"


@pytest.mark.parametrize("say, thing", [("the switch right of 飞行模式", "plane"), ("Bluetooth 的开关", "blue"), ("the slider next to Brightness", "light")])
def test_they_are_found_by_words(panel, desk, say, thing):
    program = panel("night")
    program.look()
    best = desk.call("element_locate", description=say)["elements"][0]
    x, y, width, height = program.places[thing]
    assert x <= best["center"]["x"] < x + width and y <= best["center"]["y"] < y + height, best


def test_cards_hold_what_is_on_them(panel):
    program = panel("shelf")
    elements = program.look()
    cards = [one for one in elements if one["role"] == "panel"]
    assert len(cards) == 4, cards
    for number in range(4):
        card = next(one for one in cards if program.is_at(one, f"card-{number}"))
        for thing in ("star", "pen", "bin"):
            icon = program.at(elements, f"{thing}-{number}", "icon")
            assert holds(card, icon)
    tools = [one for one in elements if one["role"] == "tool-bar" and one["bounds"]["height"] > 150]
    assert len(tools) == 1 and all(holds(tools[0], program.at(elements, f"tool-{name}", "icon")) for name in ("plus", "copy", "star", "heart", "trash"))
