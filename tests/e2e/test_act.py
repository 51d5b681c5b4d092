"""Acting on elements, in every toolkit; what the program itself saw is the witness."""
import http.server
import json
import queue
import subprocess
import threading

import pytest

from handfast import APPS, FULL_AUTO, Desk, ToolError, eventually, finish
from witness import Witness

CHROMIUM = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
            "--disable-component-update", "--disable-sync", "--force-renderer-accessibility", "--window-size=1000,700"]


class Page(Witness):
    """The page in Chromium, which tells a server of ours what it saw."""

    def __init__(self, desk):
        self.lines = queue.Queue()
        page = (APPS / "widgets.html").read_bytes()
        lines = self.lines

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(page)

            def do_POST(self):
                lines.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.process = desk.spawn("chromium", *CHROMIUM, f"--user-data-dir={desk.home}/chromium",
                                  f"http://127.0.0.1:{self.server.server_port}/", stderr=subprocess.DEVNULL)
        self.ready = self.next("ready", 40)

    def stop(self):
        self.process.kill()
        self.process.wait()
        self.server.shutdown()
        self.server.server_close()


class Program:
    """A program with one widget of each kind, and a desk to act on it."""

    def __init__(self, desk, toolkit):
        self.desk, self.toolkit, self.title = desk, toolkit, f"{NAMES[toolkit]} widgets"
        self.witness = Page(desk) if toolkit == "chromium" else Witness(
            desk, "/usr/bin/python3", APPS / f"widgets_{toolkit}.py")
        self.window = desk.window(self.title, 20)["window_id"]
        # Programs tell their elements some time after their window is there.
        eventually(lambda: any(element.get("name") == "Press me" for element in desk.call(
            "ui_describe", window_id=self.window, max_nodes=3000)["elements"]), 20, "its elements")

    def quiet(self):
        while not self.witness.lines.empty():
            self.witness.lines.get()

    def act(self, target, action="press", **params):
        self.quiet()
        return self.desk.call("ui_act", target=target, action=action, window_id=self.window, **params)

    def refuses(self, code, target, action="press", **params):
        self.quiet()
        with pytest.raises(ToolError) as caught:
            self.desk.call("ui_act", target=target, action=action, window_id=self.window, **params)
        assert caught.value.code == code, caught.value
        return caught.value.error

    def saw(self, event):
        return self.witness.next(event)


NAMES = {"gtk3": "GTK 3", "gtk4": "GTK 4", "qt5": "Qt 5", "chromium": "Chromium"}


@pytest.fixture(scope="module")
def act_desk():
    desk = Desk("--virtual", "--size", "1280x800", "--private-home", environment={"GSK_RENDERER": "cairo"},
                config={**FULL_AUTO, "takeover": {"enabled": False}}, verify=False)
    yield desk
    finish(desk)


@pytest.fixture(scope="module", params=list(NAMES))
def lasting_program(request, act_desk):
    """The same one for all tests. One that dies fails its own test, and not those after it."""
    made = [Program(act_desk, request.param)]
    yield made
    made[0].witness.stop()


@pytest.fixture
def program(lasting_program):
    yield lasting_program[0]
    if lasting_program[0].witness.process.poll() is not None:
        status = lasting_program[0].witness.health()
        lasting_program[0].witness.stop()
        lasting_program[0] = Program(lasting_program[0].desk, lasting_program[0].toolkit)
        pytest.fail(f"the program {status}")


def test_press(program):
    result = program.act('button "Press me"')
    assert program.saw("pressed")
    assert result["channel"] == "structure" and not result["confirmed"]


def test_check_and_uncheck(program):
    result = program.act('checkbox "Agree"', "check")
    assert program.saw("agree")["on"] is True
    assert result["confirmed"] and result["changed"]
    # GTK 4.8 gives check boxes no action.
    assert result["channel"] == ("pixels" if program.toolkit == "gtk4" else "structure")
    again = program.act('checkbox "Agree"', "check")
    assert again["confirmed"] and not again["changed"]
    assert program.act('checkbox "Agree"', "uncheck")["confirmed"]
    assert program.saw("agree")["on"] is False


def test_toggle(program):
    for on in (True, False):
        assert program.act('"Bold"', "toggle")["confirmed"]
        assert program.saw("bold")["on"] is on


def test_set_text(program):
    for text in ("plain", "żółć 中文 😀", ""):
        result = program.act('field "User name"', "set_value", value=text)
        assert result["confirmed"] and result["changed"]
        assert program.witness.all(lambda line: line["event"] == "name" and line["text"] == text)
        assert result["channel"] == ("pixels" if program.toolkit == "chromium" else "structure")


def test_set_text_of_several_lines(program):
    text = "first\nsecond 第二\n\nfourth"
    assert program.act('field "Notes"', "set_value", value=text)["confirmed"]
    assert program.witness.all(lambda line: line["event"] == "notes" and line["text"] == text)
    error = program.refuses("INVALID_PARAMS", 'field "User name"', "set_value", value="a\nb")
    assert "one line" in error["message"]


def test_set_number(program):
    for name, event in (("Amount", "amount"), ("Volume", "volume")):
        result = program.act(f'"{name}"', "set_value", value="5")
        assert result["confirmed"] and result["channel"] == "structure"
        assert program.saw(event)["value"] == 5
    program.refuses("INVALID_PARAMS", '"Amount"', "set_value", value="many")
    program.refuses("INVALID_PARAMS", '"Amount"', "set_value", value="101")


def test_step(program):
    program.act('"Amount"', "set_value", value="20")
    assert program.act('"Amount"', "increment")["confirmed"]
    assert program.witness.all(lambda line: line["event"] == "amount" and line["value"] == 25)
    assert program.act('"Amount"', "decrement")["confirmed"]
    assert program.witness.all(lambda line: line["event"] == "amount" and line["value"] == 20)


def test_what_cannot_be_done_is_refused(program):
    program.refuses("PRECONDITION_FAILED", 'button "Dead"')
    program.refuses("PRECONDITION_FAILED", 'field "Locked"', "set_value", value="x")
    program.refuses("DESKTOP_ELEMENT_NOT_FOUND", 'button "Absent"')
    program.refuses("VERIFY_FAILED", 'button "Lifeless"', "toggle")


def test_passwords_are_for_the_owner(program):
    error = program.refuses("DESKTOP_CONFIRM_REQUIRED", '"Secret"', "set_value", value="hush")
    assert error["details"]["secure"] and "hush" not in str(error)
    assert not [line for line in program.witness.lines.queue if line["event"] == "secret"]


def test_select_an_entry(program):
    result = program.act('"pear"' if program.toolkit == "chromium" else 'list-item "pear"', "select")
    assert result["confirmed"]
    assert program.saw("fruit")["index"] == 1
    assert result["channel"] == ("pixels" if program.toolkit == "qt5" else "structure")


def test_select_in_a_list(program):
    assert program.act('"Fruits"', "select", value="plum")["confirmed"]
    assert program.saw("fruit")["index"] == 2
    error = program.refuses("DESKTOP_ELEMENT_NOT_FOUND", '"Fruits"', "select", value="melon")
    assert {"apple", "pear", "plum"} <= set(error["details"]["entries"])


def test_choose_in_a_drop_down_list(program):
    if program.toolkit == "gtk4":
        assert program.act('"Shape"', "select", value="star")["confirmed"]
        assert program.saw("shape")["number"] == 2
        return
    combo = 'combo-box "red"' if program.toolkit == "qt5" else '"Colour"'
    assert program.act(combo, "set_value", value="blue")["confirmed"]
    assert program.saw("colour")["text"] == "blue"


def test_page_tabs(program):
    if program.toolkit == "chromium":
        pytest.skip("a page has no tabs")
    if program.toolkit == "gtk4":  # all of its tabs are called "Tab"
        assert program.act('"Tab list"', "select", value="Second")["confirmed"]
    else:
        assert program.act('page-tab "Second"', "select")["confirmed"]
    assert program.saw("page")["number"] == 1


def test_expand_and_collapse(program):
    if program.toolkit == "qt5":
        assert program.act('"animals"', "expand")["confirmed"]
        assert program.saw("row") == {"event": "row", "on": True, "name": "animals"}
        assert program.act('"animals"', "collapse")["confirmed"]
        return
    target = 'button "Details"' if program.toolkit == "gtk4" else '"Details"'
    for action, on in (("expand", True), ("collapse", False)):
        assert program.act(target, action)["confirmed"]
        assert program.saw("expanded")["on"] is on


def test_scroll_into_view(program):
    result = program.act('button "Row 57"', "scroll_into_view")
    assert result["confirmed"] and result["changed"]
    assert program.saw("scrolled")["value"] > 0
    program.act('button "Row 57"')
    assert program.saw("row-pressed")["number"] == 57
    assert not program.act('button "Row 57"', "scroll_into_view")["changed"]


def test_focus(program):
    for target in ('field "User name"', 'button "Press me"'):
        result = program.desk.call("ui_focus", target=target, window_id=program.window)
        assert result["confirmed"] and "focused" in result["states"]
    program.quiet()
    program.desk.call("ui_focus", target='field "User name"', window_id=program.window)
    program.desk.call("hotkey", keys=["ctrl", "a"], reason="to replace it")
    program.desk.call("type_text", text="here", method="keys")
    assert program.witness.all(lambda line: line["event"] == "name" and line["text"].endswith("here"))


def test_covered_and_behind(program):
    """What lies behind another window is brought to the front before it is clicked."""
    cover = program.desk.spawn("xterm", "-geometry", "200x60+0+0", "-title", "cover")
    program.desk.window("cover")
    try:
        assert program.act('checkbox "Agree"', "check")["confirmed"]
        assert program.saw("agree")["on"] is True
        program.act('checkbox "Agree"', "uncheck")
        assert program.saw("agree")["on"] is False
    finally:
        cover.kill()
        cover.wait()


def test_dry_run_shows_the_element(program):
    program.quiet()
    answer = program.desk.answer("ui_act", target='button "Press me"', window_id=program.window, dry_run=True)
    assert answer["ok"], answer
    assert not [line for line in program.witness.lines.queue if line["event"] == "pressed"]


def test_undo_of_a_value(program):
    program.act('field "User name"', "set_value", value="before")
    program.act('field "User name"', "set_value", value="after")
    program.desk.call("undo_last")
    assert program.witness.all(lambda line: line["event"] == "name" and line["text"] == "before")


def test_menu_bar(program):
    if program.toolkit == "chromium":
        pytest.skip("a page has no menu bar")
    for path, item in (("File > Save As...", "saveas"), (["file", "recent", "Two"], "two"), (["File > Save As..."], "saveas")):
        program.quiet()
        result = program.desk.call("menu_pick", path=path, window_id=program.window)
        seen = program.saw("menu")["item"]
        assert "".join(letter for letter in seen.lower() if letter.isalpha()) == item
        assert result["channel"] == ("pixels" if program.toolkit == "gtk4" else "structure")


def test_menu_entries_that_cannot_be_picked(program):
    if program.toolkit == "chromium":
        pytest.skip("a page has no menu bar")
    program.quiet()
    error = program.desk.fails("DESKTOP_ELEMENT_NOT_FOUND", "menu_pick", path="File > Explode", window_id=program.window)
    assert {"Open...", "Save As..."} <= set(error["details"]["entries"])
    program.desk.fails("PRECONDITION_FAILED", "menu_pick", path="File > Print", window_id=program.window)
    # Nothing is left open: the next press reaches its button.
    program.act('checkbox "Agree"', "check")
    assert program.saw("agree")["on"] is True
    program.act('checkbox "Agree"', "uncheck")


def test_context_menu(program):
    if program.toolkit == "chromium":
        program.desk.call("menu_pick", path=["Copy link address"], target='link "A link"', window_id=program.window)
        eventually(lambda: "#there" in program.desk.call("clipboard_read").get("text", ""), 5, "the link on the clipboard")
        return
    program.quiet()
    if program.toolkit == "qt5":  # tells nothing of menus that a program pops up by itself
        program.desk.fails("VERIFY_FAILED", "menu_pick", path="Cut", target='"Canvas"', window_id=program.window)
        return
    program.desk.call("menu_pick", path="Cut", target='"Canvas"', window_id=program.window)
    assert "ut" in program.saw("menu")["item"]


def test_wait_for_an_element(program):
    program.desk.fails("DESKTOP_TIMEOUT", "wait_until", target='"Arrived"', window_id=program.window, max_ms=100)
    program.act('button "Later"')
    result = program.desk.call("wait_until", target='"Arrived"', window_id=program.window, max_ms=8000)
    assert result["element"]["name"] == "Arrived" and result["waited_ms"] < 8000


def test_wait_for_windows_and_rest(act_desk):
    act_desk.fails("DESKTOP_TIMEOUT", "wait_until", until="window", title="late one", max_ms=50)
    xterm = act_desk.spawn("xterm", "-title", "Late One")
    assert act_desk.call("wait_until", until="window", title="late one")["window"]["title"] == "Late One"
    xterm.kill()
    xterm.wait()
    assert act_desk.call("wait_until", until="window_gone", title="late one")["success"]
    assert act_desk.call("wait_until", until="settled", max_ms=20000)["waited_ms"] >= 240
    act_desk.fails("INVALID_PARAMS", "wait_until", until="window")


def test_type_through_the_tree(program):
    """Long texts go in by an order where the field takes it, and are read back."""
    text = "The quick brown fox jumps over the lazy dog, 敏捷的棕狐 😀. " * 4
    program.act('field "User name"', "set_value", value="")
    program.desk.call("ui_focus", target='field "User name"', window_id=program.window)
    program.quiet()
    result = program.desk.call("type_text", text=text)
    assert program.witness.all(lambda line: line["event"] == "name" and line["text"] == text)
    assert result["characters"] == len(text)
    if program.toolkit == "chromium":
        assert result["method"] != "tree"
    else:
        assert result["method"] == "tree" and result["read_back"]
    program.desk.call("type_text", text="more", method="keys")
    assert program.witness.all(lambda line: line["event"] == "name" and line["text"] == text + "more")


def test_passwords_are_not_typed_through_the_tree(program):
    program.desk.call("ui_focus", target='"Secret"', window_id=program.window)
    program.quiet()
    # And not at all before the owner has agreed.
    bridge = program.desk.connect()
    bridge.send("call", {"tool": "type_text", "params": {"text": "x" * 30}})
    waiting = bridge.receive()
    assert waiting["method"] == "waiting" and waiting["params"]["approval"]["decided_by"] == "secure_field", waiting
    assert program.witness.lines.empty()
    program.desk.owner_cli("approve", waiting["params"]["approval"]["id"])
    assert bridge.receive()["result"]["result"]["method"] != "tree"
    bridge.close()
    assert program.witness.all(lambda line: line["event"] == "secret" and len(line["text"]) == 30)
