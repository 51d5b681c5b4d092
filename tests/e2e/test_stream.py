"""The live screen: what is shown is what is there, to those who may, and an owner's hands reach it."""
import base64
import contextlib
import http.server
import io
import json
import re
import struct
import subprocess
import sys
import threading
import time

import pytest
from PIL import Image, ImageChops, ImageStat

from handfast import APPS, FULL_AUTO, ROOT, SLOW, eventually
from http_client import Client, address, make_token
from test_stop import resume, witness
from test_system import QUIET, SAVER, lock, mock, quiet  # noqa: F401
from websocket import WebSocket


class View:
    """A watcher that puts the tiles together."""

    def __init__(self, desk, token, query="", desktop="main"):
        self.socket = WebSocket(desk, f"/v1/desktops/{desktop}/stream{query}", token)
        self.picture, self.frames, self.messages = None, [], []

    def put(self, batch):
        magic, frame, width, height, count, flags = struct.unpack(">4sIHHHH", batch[:16])
        assert magic == b"HFS1"
        if self.picture is None or self.picture.size != (width, height):
            assert flags & 1, "the first picture is whole"
            self.picture = Image.new("RGB", (width, height))
        at = 16
        for _ in range(count):
            x, y, tile_width, tile_height, length = struct.unpack(">HHHHI", batch[at:at + 12])
            tile = Image.open(io.BytesIO(batch[at + 12:at + 12 + length])).convert("RGB")
            assert tile.size == (tile_width, tile_height)
            self.picture.paste(tile, (x, y))
            at += 12 + length
        assert at == len(batch)
        self.frames.append((frame, count, len(batch)))

    def step(self, take=True):
        """The next message; a batch is drawn and taken."""
        message = self.socket.receive()
        if isinstance(message, bytes):
            self.put(message)
            if take:
                self.take()
            return {"type": "frame"}
        self.messages.append(message)
        return message

    def take(self):
        self.socket.send({"type": "taken", "frame": self.frames[-1][0]})

    def until(self, kind):
        while (message := self.step())["type"] != kind:
            pass
        return message

    def act(self, **message):
        """Does it and waits for it to be done."""
        self.socket.send({**message, "id": "act"})
        while (answer := self.step()).get("id") != "act":
            pass
        return answer

    def settle(self, condition, seconds=20):
        end = time.monotonic() + seconds * SLOW
        while not condition():
            assert time.monotonic() < end, "not shown in time"
            self.step()

    def close(self):
        self.socket.close()


@contextlib.contextmanager
def view(*arguments, **options):
    watcher = View(*arguments, **options)
    try:
        yield watcher
    finally:
        watcher.close()


@pytest.fixture(scope="module")
def owner(shared_desk):
    return make_token(shared_desk, "hands", "--role", "owner")


@pytest.fixture(scope="module")
def observer(shared_desk):
    return make_token(shared_desk, "eyes", "--role", "observer")


def difference(one, other):
    """The mean difference of the worst tile, of 255."""
    worst = 0
    for x in range(0, one.width, 64):
        for y in range(0, one.height, 64):
            box = (x, y, min(x + 64, one.width), min(y + 64, one.height))
            worst = max(worst, max(ImageStat.Stat(ImageChops.difference(one.crop(box), other.crop(box))).mean))
    return worst


def screenshot(desk):
    return desk.picture(format="png", max_dimension=0, cursor=True)[0]


@contextlib.contextmanager
def colours(desk, geometry="300x200+150+100"):
    program = desk.spawn(sys.executable, APPS / "colours.py", "Colours", geometry, "--override", bufsize=0, stdin=subprocess.PIPE,
                         stdout=subprocess.PIPE)

    def say(line):
        program.stdin.write(line.encode() + b"\n")
        assert program.stdout.readline().strip() == b"done"

    try:
        assert program.stdout.readline().strip() == b"ready"
        yield say
    finally:
        program.kill()
        program.wait()
        program.stdin.close()
        program.stdout.close()


def test_shows_what_is_there(desk, observer):
    with view(desk, observer, "?quality=95&fps=30") as watcher:
        assert watcher.until("live") == {"type": "live", "stream": watcher.messages[0]["stream"], "desktop": "main",
                                         "width": 1280, "height": 800, "fps": 30, "input": False}
        watcher.until("frame")
        before = len(watcher.frames)
        assert before == 1 and watcher.frames[0][:2] == (1, 1)
        with colours(desk) as say:
            watcher.settle(lambda: difference(watcher.picture, screenshot(desk)) < 6)
            say("swap")
            say("move 700 400")
            watcher.settle(lambda: difference(watcher.picture, screenshot(desk)) < 6)
        watcher.settle(lambda: difference(watcher.picture, screenshot(desk)) < 6)
        numbers = [frame[0] for frame in watcher.frames]
        assert numbers == list(range(1, len(numbers) + 1))
        assert min(frame[2] for frame in watcher.frames[1:]) < watcher.frames[0][2] * 2


def test_nothing_is_sent_before_the_last_was_taken(desk, observer):
    with view(desk, observer, "?fps=30") as watcher, colours(desk) as say:
        watcher.until("live")
        watcher.step(take=False)
        for _ in range(5):
            say("swap")
        desk.call("wait", duration=0.3)
        watcher.socket.send({"type": "taken", "frame": 999})
        watcher.socket.send({"type": "taken", "frame": "x"})
        watcher.socket.send("not json")
        assert watcher.step(take=False)["error"]["code"] == "INVALID_PARAMS"  # and no picture before it
        watcher.take()
        assert watcher.step()["type"] == "frame" and watcher.frames[-1][0] == 2


def test_owner_touches(desk, owner):
    with view(desk, owner) as watcher, witness(desk, "--title", "touched") as program:
        assert watcher.until("live")["input"] is True
        window = desk.window("touched")
        x, y = (int(window["bounds"][edge] + window["bounds"][size] / 2) for edge, size in (("x", "width"), ("y", "height")))
        assert watcher.act(type="mouse", action="move", x=x, y=y)["type"] == "done"
        assert watcher.act(type="mouse", action="down")["type"] == "done"
        assert program.next("button_press")
        assert watcher.act(type="mouse", action="up")["type"] == "done"
        assert program.next("button_release")
        assert watcher.act(type="key", action="press", keys=["a"])["type"] == "done"
        assert program.next("key_press")
        refused = watcher.act(type="mouse", action="fly")
        assert refused["type"] == "error" and refused["error"]["code"] == "INVALID_PARAMS"
        assert "mouse scroll" in refused["error"]["suggestion"]
        refused = watcher.act(type="mouse", action="move", x="left")
        assert refused["error"]["code"] == "INVALID_PARAMS"
        other = watcher.act(type="mouse", action="move", x=1, y=1, desktop="elsewhere")
        assert other["type"] == "done"  # a view is of one desktop, whatever is said


def test_observers_look_and_do_not_touch(desk, observer):
    client = make_token(desk, "plain", "--role", "client")
    for token in (observer, client):
        with view(desk, token) as watcher:
            assert watcher.until("live")["input"] is False
            refused = watcher.act(type="mouse", action="move", x=5, y=5)
            assert refused["type"] == "error" and refused["error"]["code"] == "FORBIDDEN"
            assert refused["error"]["suggestion"]


def closes_with(desk, token, code, query="", desktop="main"):
    with view(desk, token, query, desktop=desktop) as watcher:
        with pytest.raises(EOFError) as closed:
            while True:
                watcher.step()
        assert closed.value.args == (1008,)
        assert watcher.messages[-1]["error"]["code"] == code
        assert not watcher.frames


def test_what_cannot_be_seen(desk, observer):
    closes_with(desk, observer, "DESKTOP_NOT_FOUND", desktop="nowhere")
    closes_with(desk, observer, "INVALID_PARAMS", "?fps=31")
    closes_with(desk, observer, "INVALID_PARAMS", "?quality=x")
    reply = Client(desk, observer).get("/v1/desktops/main/stream")
    assert reply.status == 426 and reply.json["error"]["suggestion"]


def test_grants_and_levels_hold(own_desk):
    desk = own_desk()
    assert desk.owner_cli("grant", "new", "deaf", "--tools", "cursor_position").returncode == 0
    narrow = make_token(desk, "narrow", "--grant", "deaf")
    closes_with(desk, narrow, "FORBIDDEN")
    weak = make_token(desk, "weak", "--role", "owner", "--level", "L1")
    with view(desk, weak) as watcher:
        watcher.until("frame")
        refused = watcher.act(type="mouse", action="move", x=5, y=5)
        assert refused["error"]["code"] == "FORBIDDEN" and "level" in refused["error"]["message"]


def test_stop_holds_the_view(own_desk):
    desk = own_desk()
    token = make_token(desk, "hands", "--role", "owner")
    with view(desk, token) as watcher:
        watcher.until("frame")
        desk.connect().send("stop", {"reason": "a test"})
        assert watcher.until("held")["error"]["code"] == "STOPPED"
        assert watcher.act(type="mouse", action="move", x=5, y=5)["error"]["code"] == "STOPPED"
        frames = len(watcher.frames)
        resume(desk)
        watcher.until("live")
        watcher.until("frame")
        assert watcher.frames[frames][:2] == (1, 1), "a whole picture after a hold"


def test_agents_step_back_for_an_owners_hands(own_desk):
    desk = own_desk(config={**FULL_AUTO, "takeover": {"quiet_s": 0.8 * SLOW}})
    token = make_token(desk, "hands", "--role", "owner")
    listener = desk.connect()
    listener.manage("events.subscribe", types=["takeover", "call.waiting"])
    with view(desk, token) as watcher, witness(desk) as program:
        watcher.until("frame")
        typing = desk.connect()
        typing.send("call", {"tool": "type_text", "params": {"text": "x" * 3000, "delay": 20}})
        program.next("key_press", 20)
        assert watcher.act(type="mouse", action="move", x=300, y=300)["type"] == "done"
        answer = typing.receive()["result"]
        assert not answer["ok"] and answer["error"]["code"] == "PAUSED", answer
        takeover = listener.receive()["params"]
        assert (takeover["type"], takeover["data"]) == ("takeover", {"desktop": "main", "interrupted": True})
        began = time.monotonic()
        assert desk.answer("mouse_move", x=10, y=10, smooth=False)["ok"]  # when the person has been quiet
        assert time.monotonic() - began > 0.4
        assert listener.receive()["params"]["data"]["for"] == "person"
        for _ in range(4):  # nobody interrupts themselves: it does not add up to a pause
            assert watcher.act(type="mouse", action="move", x=300, y=300)["type"] == "done"


def test_audit_has_the_beginning_and_the_end(own_desk):
    desk = own_desk()
    token = make_token(desk, "hands", "--role", "owner")
    with view(desk, token) as watcher, colours(desk) as say:
        watcher.until("frame")
        say("swap")
        watcher.until("frame")
        assert watcher.act(type="mouse", action="move", x=50, y=50)["type"] == "done"
        stream = watcher.messages[0]["stream"]

    def rows():
        return [row for row in desk.audit() if row.get("caller") == "hands"]
    eventually(lambda: rows()[-1].get("event") == "stream-closed", 10, "the end in the audit")
    told = [(row["kind"], row.get("tool") or row.get("event")) for row in rows()]
    assert told == [("intent", "screenshot"), ("result", "screenshot"), ("event", "stream-opened"),
                    ("intent", "mouse_move"), ("result", "mouse_move"), ("event", "stream-closed")]
    closed = rows()[-1]["data"]
    assert closed["stream"] == stream and closed["desktop"] == "main" and closed["inputs"] == 1 and closed["frames"] >= 2


def test_what_a_lock_hides_is_not_shown(quiet, mock, owner):
    mock("--session", "--template", "gnome_screensaver", name=SAVER)
    with view(quiet, owner, desktop=QUIET) as watcher:
        watcher.until("frame")
        lock(quiet, "true")
        try:
            quiet.call("cursor_position", desktop=QUIET)
            assert watcher.until("held")["error"]["code"] == "LOCKED"
            assert watcher.act(type="mouse", action="move", x=9, y=9)["error"]["code"] == "LOCKED"
        finally:
            lock(quiet, "false")
        watcher.until("live")
        watcher.until("frame")


def test_owner_is_asked_before_the_first_look(own_desk):
    desk = own_desk()
    run = desk.owner_cli("grant", "new", "asked", "--tools", "*", "--override", "screenshot=require_approval")
    assert run.returncode == 0, run.shown
    token = make_token(desk, "guest", "--grant", "asked")
    with view(desk, token) as watcher:
        approval = watcher.until("waiting")["approval"]
        assert not watcher.frames
        assert desk.owner_cli("approve", approval).returncode == 0
        watcher.until("live")
        watcher.until("frame")
        with colours(desk):
            watcher.until("frame")  # and nobody is asked again
        assert [message["type"] for message in watcher.messages] == ["waiting", "live"]


PAGE = """<!doctype html><canvas></canvas><script>
%s
const canvas = document.querySelector("canvas"), told = [];
watchDesktop(%r, %r, "main", canvas, async (message) => {
  told.push(message);
  if (message.type === "drawn" || message.type === "closed")
    await fetch("/told", {method: "POST", body: JSON.stringify({told, picture: canvas.toDataURL("image/png")})});
});
</script>"""


class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(self.server.page.encode())

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.told.append(body)
        self.send_response(204)
        self.end_headers()

    def log_message(self, *arguments):
        pass


def test_the_documents_client_in_a_browser(desk, observer, tmp_path):
    code = re.search(r"```js\n(.*?)```", (ROOT / "docs" / "stream.md").read_text(), re.S).group(1)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
    server.told = []
    server.page = PAGE % (code, "http://%s:%d" % address(desk), observer)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    browser = subprocess.Popen(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
                                "--disable-background-networking", f"--user-data-dir={tmp_path}",
                                f"http://127.0.0.1:{server.server_port}/"], stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    try:
        with colours(desk):
            told = []

            def shown():
                if len(server.told) == len(told):
                    return False
                told[:] = server.told
                picture = base64.b64decode(json.loads(told[-1])["picture"].split(",", 1)[1])
                return difference(Image.open(io.BytesIO(picture)).convert("RGB"), screenshot(desk)) < 16
            eventually(shown, 60, "the same picture in the browser")
    finally:
        browser.kill()
        browser.wait()
        server.shutdown()
        server.server_close()
