"""What programs tell and what their pictures show is one list: programs that paint themselves are used like any other."""
import json
import pathlib
import subprocess

import pytest

from handfast import eventually, read_line

APP = pathlib.Path(__file__).resolve().parents[1] / "apps" / "painted.py"


class Painted:
    """tests/apps/painted.py, what it shows where, and what it saw."""

    def __init__(self, desk, *arguments):
        self.desk = desk
        self.process = desk.spawn(APP, *arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        self.places = {}
        while (line := self.next(30))["event"] != "ready":
            self.places[line["what"]] = line
        self.window = desk.window("Mixed" if "--mixed" in arguments else "Painted")
        self.id = self.window["window_id"]
        eventually(lambda: any(one["focused"] for one in desk.call("window_list")["windows"]), 10, "the focus")

    def next(self, seconds=10):
        return json.loads(read_line(self.process.stdout, seconds))

    def clicked(self):
        line = self.next()
        assert line["event"] == "clicked", line
        return line["what"]

    def order(self, text):
        self.process.stdin.write(text.encode() + b"\n")
        assert self.next() == {"event": "done", "order": text}
        self.desk.call("wait_until", until="settled")

    def ink(self, name):
        """Where the text of a thing stands on the screen."""
        left, top = self.places[name]["place"][:2]
        own = self.places["disc"]["place"]
        x, y, width, height = self.places[name]["ink"]
        return own[0] - 20 + x, own[1] - 14 + y, width, height

    def end(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()
        self.desk.let_go(self.id)


@pytest.fixture
def start(desk):
    started = []

    def start(*arguments):
        started.append(Painted(desk, *arguments))
        return started[-1]

    yield start
    for one in started:
        one.end()


def look(desk, **params):
    """All that is in the window in front, by name; read to the end."""
    return eventually(lambda: (seen := desk.call("observe", elements="objects", image=False, max_ms=20000, **params))
                      and "time" not in seen["truncated"] and seen, 60, "all lines read")


def named(seen, name):
    return [one for one in seen["element_list"] if one["name"].strip(".‘'") == name]


def near(bounds, place, pixels=4):
    left, top, width, height = place
    return all(abs(a - b) <= pixels for a, b in ((bounds["x"], left), (bounds["y"], top), (
        bounds["x"] + bounds["width"], left + width), (bounds["y"] + bounds["height"], top + height)))


@pytest.mark.parametrize("theme", [(), ("--dark",)], ids=["light", "dark"])
def test_texts_of_a_painted_program_are_listed_where_they_stand(desk, start, theme):
    painted = start(*theme)
    seen = look(desk)
    assert "tells nothing" in seen["problem"]
    for thing in ("heading", "name label", "city label", "sentence"):
        text = painted.places[thing]["text"]
        one, = named(seen, text)
        assert "ocr" in one["source"] and "ax" not in one["source"] and one["window"] == painted.id, one
        assert one["confidence"] > 0.5
        assert near(one["bounds"], painted.ink(thing)), (one, painted.ink(thing))
    assert len(named(seen, "Delete")) == 3
    lines = desk.call("observe", image=False)["elements"]
    assert f'frame "Painted"' in lines and ' ocr\n' in lines


@pytest.mark.parametrize("target, what", [
    ('text "保存"', "keep"), ('text "Save all"', "save"), ("取消", "drop"), ('text "manual"', "sentence"),
    ('"Delete" right of "Robert Green"', "delete bob"), ({"text": {"equals": "later"}}, "later"),
    ('text~/^Can.el$/', "cancel"),
])
def test_targets_are_clicked(desk, start, target, what):
    painted = start()
    result = desk.call("left_click", target=target)
    assert painted.clicked() == what
    assert result["element"]["window"] == painted.id


def test_words_of_a_line_are_clicked_where_they_stand(desk, start):
    painted = start()
    left, _, width, _ = painted.ink("sentence")
    desk.call("left_click", target='text "Open"')
    assert painted.next()["x"] < 320 + width // 4
    desk.call("left_click", target='text "close it"')
    assert painted.next()["x"] > 320 + width * 2 // 3


def test_references_are_followed_and_become_stale(desk, start):
    painted = start()
    seen = look(desk)
    heading, = named(seen, "Painted settings")
    deletes = sorted(named(seen, "Delete"), key=lambda one: one["bounds"]["y"])
    painted.order("move 400 200")
    eventually(lambda: desk.call("window_list")["windows"][0]["bounds"]["x"] > 390, 10, "the move")
    result = desk.call("left_click", target=deletes[1]["ref"])
    assert painted.clicked() == "delete bob" and result["element"]["followed"]
    assert named(look(desk), "Painted settings")[0]["ref"] == heading["ref"]
    painted.order("rename bob = Rachel Black")
    stale = desk.answer("left_click", target=deletes[1]["ref"])["error"]
    assert stale["code"] == "DESKTOP_STALE_SNAPSHOT" and stale["details"]["candidates"], stale
    painted.order("remove heading")
    assert desk.answer("left_click", target=heading["ref"])["error"]["code"] == "DESKTOP_STALE_SNAPSHOT"


def test_what_changed_is_told(desk, start):
    painted = start()
    before = look(desk)
    painted.order("rename status = Everything is done")
    painted.order("remove sentence")
    change = look(desk, since=before["snapshot_id"])["change"]
    assert [one["name"] for one in change["gone"]] == ["Open the manual or close it"], change
    altered, = change["altered"]
    assert altered["what"][0] == "name" and altered["element"]["name"].startswith("Everything is done"), change


def test_find_wait_read_and_act(desk, start):
    painted = start()
    found = desk.call("find", selector='text "User name"')
    assert found["best"] and found["elements"][0]["source"] == ["ocr"]
    assert "User name" in desk.call("read_text", target='window "Painted"')["text"]
    assert desk.call("highlight", target=found["best"], duration=100)
    desk.call("ui_act", target='"Later"', action="press")
    assert painted.clicked() == "later"
    waited = desk.call("wait_until", target='text "Finished at last"', max_ms=20000)
    assert waited["element"]["source"] == ["ocr"]
    desk.call("left_click", target='"Later"')
    desk.call("wait_until", target='text "Nothing happened yet"', until="vanishes", max_ms=20000)
    refused = desk.answer("ui_act", target='"Later"', action="expand")["error"]
    assert refused["code"] == "UNSUPPORTED" and "left_click" in json.dumps(refused)


def test_never(desk, start):
    start()
    seen = desk.call("observe", pixels="never", image=False)
    assert seen["listed"] == 0 and "tells nothing" in seen["problem"]


def test_bad_input(desk):
    assert desk.answer("observe", pixels="sometimes")["error"]["code"] == "INVALID_PARAMS"
