"""What programs tell and what their pictures show is one list: programs that paint themselves are used like any other."""
import http.server
import json
import pathlib
import queue
import subprocess
import threading
import time

import pytest

from handfast import FULL_AUTO, eventually, read_line
from http_client import Client, make_token
from mcp_client import Mcp

FORM = pathlib.Path(__file__).resolve().parents[1] / "apps" / "painted_form.py"
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


@pytest.mark.parametrize("delay", [0.05, 0.2])
def test_a_new_window_is_not_taken_for_what_lies_behind_it(desk, delay):
    """Until it has painted itself, it shows that."""
    late = desk.spawn(APP.with_name("late_painter.py"), str(delay), stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    try:
        assert json.loads(read_line(late.stdout, 20)) == {"event": "ready"}
        behind = desk.window("behind")["window_id"]
        assert "behind" in eventually(lambda: (seen := desk.call("observe", window_id=behind, image=False, max_ms=10000))["listed"] > 1 and seen["elements"],
                                      30, "what lies behind, read")
        late.stdin.write(b"cover\n")
        assert json.loads(read_line(late.stdout, 20)) == {"event": "shown"}
        shown = desk.call("window_list")["windows"]
        window = next(one["window_id"] for one in shown if one["title"] == "late painter")
        seen = desk.call("observe", window_id=window, image=False, max_ms=10000)["elements"]
        assert "ainted" in seen and "behind" not in seen.split("app=", 1)[1], seen
    finally:
        late.kill()
        late.wait()
        late.stdin.close()
        late.stdout.close()


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
    assert "reports no elements" in seen["problem"]
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
    assert seen["listed"] == 0 and "reports no elements" in seen["problem"]


def test_bad_input(desk):
    assert desk.answer("observe", pixels="sometimes")["error"]["code"] == "INVALID_PARAMS"


# ---- shapes ----

def of_role(seen, role):
    return [one for one in seen["element_list"] if one["role"] == role]


@pytest.mark.parametrize("theme", [(), ("--dark",)], ids=["light", "dark"])
def test_frames_boxes_and_icons_are_elements(desk, start, theme):
    painted = start(*theme)
    seen = look(desk)
    for thing in ("save", "cancel", "keep", "delete bob"):
        text, place = painted.places[thing]["text"], painted.places[thing]["place"]
        button, = [one for one in named(seen, text) if near(one["bounds"], place)]
        assert button["role"] == "button" and button["source"] == ["ocr", "pixels"], button
    for thing, label in (("name", "User name"), ("city", "城市名称")):
        field, = [one for one in of_role(seen, "entry") if near(one["bounds"], painted.places[thing]["place"])]
        assert field["source"] == ["pixels"] and field["description"] == label, field
    for thing in ("disc", "triangle", "bars"):
        icon, = [one for one in seen["element_list"] if near(one["bounds"], painted.places[thing]["place"])]
        assert icon["role"] in ("icon", "button") and icon["source"] == ["pixels"] and icon["name"] == "", icon
    things = [one for one in seen["element_list"] if one["role"] not in ("frame", "tool-bar", "table", "table-row")]
    assert len(things) == len(painted.places), [(one["role"], one["name"]) for one in things]


def test_icons_are_clicked_by_reference_and_followed(desk, start):
    painted = start()
    icons = [one for one in look(desk)["element_list"] if not one["name"] and one["role"] in ("icon", "button")]
    triangle = sorted(icons, key=lambda one: one["bounds"]["x"])[1]
    painted.order("move 400 200")
    eventually(lambda: desk.call("window_list")["windows"][0]["bounds"]["x"] > 390, 10, "the move")
    desk.call("left_click", target=triangle["ref"])
    assert painted.clicked() == "triangle"
    painted.order("remove triangle")
    stale = desk.answer("left_click", target=triangle["ref"])["error"]
    assert stale["code"] == "DESKTOP_STALE_SNAPSHOT" and stale["details"]["candidates"], stale


def test_a_field_is_the_same_with_text_in_it(desk, start):
    painted = start()
    field, = [one for one in of_role(look(desk), "entry") if one["description"] == "User name"]
    desk.call("left_click", target=field["ref"])
    assert painted.clicked() == "name"
    desk.call("type_text", text="anna")
    eventually(lambda: painted.next().get("text") == "anna", 10, "the text")
    desk.call("wait_until", target='text "anna"', max_ms=20000)
    desk.call("left_click", target=field["ref"])
    assert painted.clicked() == "name"
    again, = [one for one in of_role(look(desk), "entry") if one["description"] == "User name"]
    assert again["ref"] == field["ref"]


def test_everything_that_takes_a_target_takes_what_is_painted(desk, start):
    painted = start()
    desk.call("mouse_drag", **{"from": 'button "Save all"', "to": 'field "User name"'}, duration=50)
    assert painted.clicked() == "save"
    assert painted.next() == {"event": "dragged", "what": "save", "to": "name"}
    picture = desk.call("screenshot", target='button "保存"')
    left, top, width, height = painted.places["keep"]["place"]
    assert near(picture["region"], (left, top, width, height), 10), picture["region"]
    assert desk.call("read_text", target='button "取消"')["text"] == "取消"
    triangle = next(one for one in look(desk)["element_list"] if near(one["bounds"], painted.places["triangle"]["place"]))
    desk.call("highlight", target=triangle["ref"], duration=100)
    desk.call("mouse_move", target='field "城市名称"')
    at = desk.call("cursor_position")
    left, top, width, height = painted.places["city"]["place"]
    assert left < at["x"] < left + width and top < at["y"] < top + height
    desk.call("wait_until", target='button "Delete" right of "Robert Green"', max_ms=10000)
    painted.order("remove delete bob")
    desk.call("wait_until", target='button "Delete" right of "Robert Green"', until="vanishes", max_ms=10000)
    for action in ("check", "set_value"):
        refused = desk.answer("ui_act", target='field "User name"', action=action, value="x")["error"]
        assert refused["code"] in ("UNSUPPORTED", "INVALID_PARAMS"), refused


def test_a_painted_window_is_the_same_at_every_door(desk, start):
    start()
    look(desk)
    params = {"elements": "objects", "image": False, "max_ms": 20000}
    http = Client(desk, make_token(desk, "painted"))
    mcp = Mcp(desk.environment, "--profile", "all")
    try:
        told = desk.call("observe", **params)["element_list"]
        assert {one["role"] for one in told} >= {"label", "button", "entry", "icon"}
        assert http.call("observe", **params).json["result"]["element_list"] == told
        assert mcp.call("observe", **params)["structuredContent"]["element_list"] == told
        lines = json.loads(desk.cli("observe", "--image", "false", "--json").stdout)
        assert lines["result"]["elements"] == desk.call("observe", image=False)["elements"]
    finally:
        mcp.close()
        http.close()


def test_what_is_looked_for_in_a_picture_takes_no_longer_than_allowed(desk, start):
    start()
    began = time.monotonic()
    desk.call("observe", image=False, max_ms=100)
    assert time.monotonic() - began < 5
    seen = look(desk)
    assert "time" not in seen["truncated"]


@pytest.mark.parametrize("place, hidden, shown", [
    ({"x": 0, "y": 180, "width": 400, "height": 50}, ["save", "cancel", "keep"], ["drop", "later", "name", "disc"]),
    ({"x": 0, "y": 0, "width": 600, "height": 60}, ["disc", "triangle", "bars"], ["save", "name"]),
    (None, ["save", "name", "disc"], []),
], ids=["buttons", "icons", "all"])
def test_what_is_covered_has_no_elements(own_desk, place, hidden, shown):
    listed = {"window": {"title": "Painted"}, **({"rect": place} if place else {})}
    desk = own_desk(config={**FULL_AUTO, "privacy": {"blur": [listed]}})
    painted = Painted(desk)
    try:
        for params in ({}, {"pixels": "always"}, {"everything": True}):
            inner = [one for one in look(desk, **params)["element_list"] if one["role"] != "frame"]
            for thing in hidden + shown:
                found = [one for one in inner if near(one["bounds"], painted.places[thing]["place"])]
                assert bool(found) == (thing in shown), (thing, found)
            if place:
                left, top = painted.places["disc"]["place"][0] - 20 + place["x"], painted.places["disc"]["place"][1] - 14 + place["y"]
                assert not [one for one in inner if left <= one["bounds"]["x"] + one["bounds"]["width"] // 2 < left + place["width"]
                            and top <= one["bounds"]["y"] + one["bounds"]["height"] // 2 < top + place["height"]]
            else:
                assert inner == []
    finally:
        painted.end()


class Form:
    """tests/apps/painted_form.py, and what it saw."""

    def __init__(self, desk):
        self.process = desk.spawn(FORM, "form", stdout=subprocess.PIPE, bufsize=0)
        while self.next(30)["event"] != "ready":
            pass
        self.window = desk.window("Painted form")["window_id"]
        eventually(lambda: any(one["focused"] for one in desk.call("window_list")["windows"]), 10, "the focus")

    def next(self, seconds=10):
        return json.loads(read_line(self.process.stdout, seconds))

    def clicked(self):
        line = self.next()
        assert line["event"] == "clicked", line
        return line["thing"], line["now"]

    def typed(self, text):
        while (line := self.next())["text"] != text:
            assert line["event"] == "typed" and text.startswith(line["text"]), line
        return line["thing"]


@pytest.fixture
def form(desk):
    form = Form(desk)
    yield form
    form.process.kill()
    form.process.wait()
    form.process.stdout.close()
    desk.let_go(form.window)


def test_a_painted_form_is_filled_in_by_names(desk, form):
    desk.call("left_click", target='field "电话"')
    assert form.clicked() == ("phone", "empty_field")
    desk.call("type_text", text="139 1234")
    assert form.typed("139 1234") == "phone"
    desk.call("left_click", target='field right of "Password"')
    assert form.clicked()[0] == "password"
    desk.call("left_click", target='field "搜索客户"')
    assert form.clicked()[0] == "search"
    desk.call("left_click", target='checkbox "接收邮件"')
    assert form.clicked() == ("mail", "checked")
    desk.call("ui_act", target='checkbox "Remember me"', action="press")
    assert form.clicked() == ("remember", "check")
    desk.call("left_click", target='radio "女"')
    assert form.clicked() == ("woman", "radio_on")
    desk.call("left_click", target='button "Delete" right of "李伟"')
    assert form.clicked()[0] == "delete-1"
    desk.call("left_click", target='dropdown "Country"')
    assert form.clicked()[0] == "country"
    desk.call("left_click", target='button "提交"')
    assert form.clicked()[0] == "submit"
    ticked = {one["name"]: "checked" in one["states"] for one in look(desk)["element_list"] if "button" in one["role"] or "box" in one["role"]}
    assert ticked["接收邮件"] and not ticked["Remember me"] and ticked["女"] and not ticked["男"], ticked


def test_painted_boxes_are_ticked_until_their_picture_shows_it(desk, form):
    done = desk.call("ui_act", target='checkbox "接收邮件"', action="check")
    assert form.clicked() == ("mail", "checked")
    assert (done["changed"], done["confirmed"], done["channel"]) == (True, True, "pixels") and "checked" in done["states"], done
    again = desk.call("ui_act", target='checkbox "接收邮件"', action="check")
    assert (again["changed"], again["confirmed"]) == (False, True), again
    assert "checked" not in desk.call("ui_act", target='checkbox "Remember me"', action="uncheck")["states"]
    assert form.clicked() == ("remember", "check")
    assert "checked" in desk.call("ui_act", target='checkbox "Remember me"', action="toggle")["states"]
    assert form.clicked() == ("remember", "checked")
    assert desk.call("ui_act", target='radio "女"', action="check")["confirmed"]
    assert form.clicked() == ("woman", "radio_on")
    stays = desk.answer("ui_act", target='radio "女"', action="uncheck")["error"]
    assert stays["code"] == "VERIFY_FAILED" and "picture" in stays["message"], stays


# ---- pages ----

PAGE = """<!doctype html><meta charset=utf-8><title>Town</title><body style="margin:0;font:14px sans-serif">
<h1>Real heading</h1><button id=real>Real button</button> <label>Mail <input id=mail type=email></label>
<p><canvas id=map width=600 height=240></canvas><script>
const canvas = document.getElementById("map"), brush = canvas.getContext("2d");
const tell = what => fetch("/", {method: "POST", body: JSON.stringify(what)});
const things = [["street", 20, 60, 200, 30], ["search", 20, 120, 120, 36], ["traffic", 20, 180, 16, 16], ["close", 560, 20, 20, 20]];
brush.fillStyle = "#f4f4f4"; brush.fillRect(0, 0, 600, 240); brush.font = "16px sans-serif"; brush.fillStyle = "#111";
brush.fillText("Map of the town", 20, 30); brush.fillText("Street", 20, 54);
brush.strokeStyle = "#777"; brush.strokeRect(20.5, 60.5, 199, 29); brush.strokeRect(20.5, 180.5, 15, 15);
brush.fillText("Show traffic", 46, 194); brush.fillStyle = "#2a6fd6"; brush.fillRect(20, 120, 120, 36);
brush.fillStyle = "#fff"; brush.fillText("Search", 52, 143);
brush.lineWidth = 3; brush.strokeStyle = "#111"; brush.beginPath(); brush.moveTo(562, 22); brush.lineTo(578, 38); brush.moveTo(578, 22);
brush.lineTo(562, 38); brush.stroke();
canvas.onmousedown = event => { const found = things.find(([, x, y, width, height]) => event.offsetX >= x && event.offsetX < x + width
    && event.offsetY >= y && event.offsetY < y + height); tell(found ? found[0] : "ground"); };
document.getElementById("real").onclick = () => tell("real");
window.onload = () => tell("ready");
</script>"""
CHROMIUM = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-sync",
            "--disable-component-update", "--force-renderer-accessibility", "--password-store=basic"]


@pytest.fixture
def town(desk):
    """A page with real elements and a canvas; what it saw comes as a queue."""
    said = queue.Queue()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(PAGE.encode())

        def do_POST(self):
            said.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    process = desk.spawn("chromium", *CHROMIUM, f"--user-data-dir={desk.home}/chromium-town", f"http://127.0.0.1:{server.server_port}/",
                         stderr=subprocess.DEVNULL)
    assert said.get(timeout=40) == "ready"
    eventually(lambda: any(one["name"] == "Real button" for one in look(desk)["element_list"]), 30, "the page's elements")
    yield said
    process.kill()
    process.wait()
    server.shutdown()
    server.server_close()


def test_a_page_is_known_from_its_program_its_dom_and_its_picture(desk, town):
    seen = look(desk, identifiers=True)
    one = {one["name"] or one.get("description"): one for one in reversed(seen["element_list"])}
    assert one["Real button"]["source"] == ["ax", "dom"] and one["Real button"]["dom"] == "button#real", one["Real button"]
    assert one["Mail"]["dom"] == "input#mail[email]" and one["Mail"]["identifier"] == "mail"
    assert one["Real heading"]["dom"] == "h1"
    assert one["Reload"]["source"] == ["ax"] and "dom" not in one["Reload"]
    assert one["Map of the town"]["source"] == ["ocr"]
    assert one["Street"]["role"] in ("label", "entry") and one["Search"]["role"] == "button"
    assert one["Show traffic"]["role"] == "check-box" and one["Show traffic"]["source"] == ["ocr", "pixels"]
    assert ' dom="button#real"' in desk.call("observe", image=False, identifiers=True)["elements"]
    assert "dom=" not in desk.call("observe", image=False)["elements"]
    for target, what in (('button "Search"', "search"), ('field "Street"', "street"), ('checkbox "Show traffic"', "traffic"),
                         ('button "Real button"', "real"), ('icon "x"', "close")):
        desk.call("left_click", target=target)
        assert town.get(timeout=10) == what
