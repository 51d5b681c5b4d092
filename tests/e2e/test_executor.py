"""The executor API over HTTP: real programs at scales from 1 to 2, exact places, and clear refusals."""
import base64
import io
import time

import pytest
from PIL import Image

from editors import Mousepad
from handfast import APPS, FULL_AUTO, eventually
from http_client import Client, make_token
from test_system import locked  # noqa: F401  (a fixture)
from witness import RECORDER, Witness

# By scale: which desktop, and its size in pixels.
DESKTOPS = {1: ("main", (1280, 800)), 1.25: ("quarter", (1600, 1000)), 1.75: ("odd", (1750, 1050)), 2: ("double", (1600, 1200))}


@pytest.fixture(scope="module")
def exec_desk():
    """A desk with a desktop for each scale."""
    from handfast import finish
    from handfast import Desk
    desk = Desk("--virtual", "--size", "1280x800", "--private-home", verify=False)
    for scale, (name, (width, height)) in DESKTOPS.items():
        if name != "main":
            desk.new_desktop(name, width=width, height=height, scale=scale)
    yield desk
    finish(desk)


@pytest.fixture(scope="module")
def token(exec_desk):
    return make_token(exec_desk, "controller")


@pytest.fixture
def client(exec_desk, token):
    client = Client(exec_desk, token)
    yield client
    client.close()


def good(reply):
    assert reply.status == 200, reply.body[:2000]
    told = reply.json
    assert told["runId"] and told["stepId"] and abs(told["ts"] - time.time() * 1000) < 120000
    return told


def bad(reply, status, code):
    told = reply.json
    assert reply.status == status and told["error"]["code"] == code, (reply.status, told)
    assert told["runId"] and told["stepId"] and told["ts"]
    assert told["error"]["message"] and told["error"]["suggestion"]
    return told


def picture(told):
    return Image.open(io.BytesIO(base64.b64decode(told["imageB64"]))).convert("RGB")


def test_health(client):
    told = good(client.get("/health"))
    assert told["state"] == "online" and told["version"] and told["locked"] is False
    assert told["paused"] is False and told["stopped"] is False and told["textInput"] is False
    assert told["allowlist"] == {"enforced": True, "ips": ["127.0.0.0/8", "::1"]}


@pytest.mark.parametrize("scale", DESKTOPS)
def test_env(client, scale):
    desktop, size = DESKTOPS[scale]
    told = good(client.get(f"/env?desktop={desktop}"))
    [screen] = told["screens"]
    assert (screen["width"], screen["height"]) == size and screen["rectPx"] == {"x": 0, "y": 0, "w": size[0], "h": size[1]}
    assert screen["scale"] == scale and screen["dpiX"] == screen["dpiY"] == 96 * scale and screen["screenId"] == 0
    assert told["layout"] == "single" and told["coordinateSystem"]["unit"] == "physical pixels"


@pytest.mark.parametrize("scale", DESKTOPS)
def test_clicks_land_on_the_very_pixel(exec_desk, client, scale):
    """The four corners and the middle: what was clicked is what the program got and the picture showed."""
    desktop, (width, height) = DESKTOPS[scale]
    window = Witness(exec_desk, RECORDER, "--geometry", f"{width}x{height}+0+0", "--override", desktop=desktop)
    shown = good(client.post("/capture", {"mode": "screen", "desktop": desktop}))
    assert picture(shown).size == (width, height) == (shown["width"], shown["height"])
    assert shown["scale"] == scale and shown["dpi"] == 96 * scale and shown["screenId"] == 0
    assert shown["regionRectPx"] == {"x": 0, "y": 0, "w": width, "h": height} and shown["windowRectPx"] is None
    for x, y in [(0, 0), (width - 1, 0), (0, height - 1), (width - 1, height - 1), (width // 2, height // 2)]:
        told = good(client.post("/input/mouse", {"kind": "click", "x": x, "y": y, "desktop": desktop}))
        seen = window.next("button_press")
        assert (seen["x"], seen["y"], seen["button"]) == (x, y, 1) and told["position"] == {"x": x, "y": y}
    window.stop()


@pytest.mark.parametrize("scale", DESKTOPS)
def test_a_toolkit_gets_clicks_drags_and_the_wheel(exec_desk, client, scale):
    desktop, _ = DESKTOPS[scale]
    program = Witness(exec_desk, "/usr/bin/python3", APPS / "gtk3_pointer.py", desktop=desktop)

    def middle(part):
        place = program.ready[part]
        return {"x": place["x"] + place["width"] // 2, "y": place["y"] + place["height"] // 2}

    def mouse(kind, **more):
        return good(client.post("/input/mouse", {"kind": kind, "desktop": desktop, **more}))
    mouse("click", **middle("clicks"))
    assert program.next("press")["button"] == 1
    mouse("right", **middle("clicks"))
    assert program.next("press")["button"] == 3
    mouse("click", button="middle", modifiers=["CTRL"], **middle("clicks"))
    seen = program.next("press")
    assert seen["button"] == 2 and seen["modifiers"] == ["ctrl"]
    mouse("double", **middle("clicks"))
    program.all(lambda line: line["event"] == "press" and line["count"] == 2)
    target = middle("target")
    mouse("drag", toX=target["x"], toY=target["y"], **middle("source"))
    assert program.next("drop")["text"] == "cargo"
    mouse("wheel", deltaY=3, **middle("text"))
    assert program.next("scroll")["value"] > 0
    program.stop()


def test_humanize_stays_within_its_bounds(exec_desk, client):
    window = Witness(exec_desk, RECORDER, "--geometry", "1280x800+0+0", "--override")
    for _ in range(5):
        good(client.post("/input/mouse", {"kind": "click", "x": 300, "y": 200, "button": "left",
                                          "humanize": {"jitterPx": 3, "delayMs": [0, 20], "curve": "arc"}}))
        seen = window.next("button_press")
        assert abs(seen["x"] - 300) <= 3 and abs(seen["y"] - 200) <= 3
    good(client.post("/input/mouse", {"kind": "click", "x": 0, "y": 0, "humanize": {"jitterPx": 20, "delayMs": [0, 1]}}))
    seen = window.next("button_press")
    assert 0 <= seen["x"] <= 20 and 0 <= seen["y"] <= 20
    window.stop()


def test_windows(exec_desk, client):
    one = Witness(exec_desk, RECORDER, "--geometry", "300x200+100+100", "--title", "Exec one 会话")
    two = Witness(exec_desk, RECORDER, "--geometry", "300x200+500+100", "--title", "Exec two")
    exec_desk.window("Exec one"), exec_desk.window("Exec two")
    windows = good(client.post("/window/list", {"processName": "recorder", "visibleOnly": True}))["windows"]
    assert {window["title"] for window in windows} == {"Exec one 会话", "Exec two"}
    entry = next(window for window in windows if window["title"] == "Exec two")
    assert entry["processName"] == "recorder" and entry["visible"] and not entry["minimized"]
    frame = exec_desk.window("Exec two")["frame"]
    assert entry["rect"] == {"x": frame["x"], "y": frame["y"], "w": frame["width"], "h": frame["height"]}
    for match in ({"titleContains": "one"}, {"titleRegex": "tw[o]$"}, {"titleContains": "会话", "processName": "recorder"},
                  {"hwnd": entry["hwnd"]}):
        told = good(client.post("/window/focus", {"match": match}))
        assert told["window"]["focused"] and told["windowRectPx"] == told["window"]["rect"]
    assert told["window"]["hwnd"] == entry["hwnd"]
    bad(client.post("/window/focus", {"match": {"titleContains": "nothing like it"}}), 404, "WINDOW_NOT_FOUND")
    bad(client.post("/window/focus", {"match": {}}), 400, "INVALID_PARAMS")
    one.stop()
    two.stop()


def test_capture_in_all_its_forms(exec_desk, client):
    recorder = Witness(exec_desk, RECORDER, "--geometry", "320x240+200+150", "--title", "Shown")
    exec_desk.window("Shown")
    told = good(client.post("/capture", {"mode": "window", "window": {"processName": "Recorder"}, "format": "png", "region": None}))
    frame = exec_desk.window("Shown")["frame"]
    assert picture(told).size == (frame["width"], frame["height"]) and told["format"] == "png" and told["hwnd"]
    assert told["windowRectPx"] == told["regionRectPx"] and told["windowRectPx"]["x"] == frame["x"]
    part = {"x": 100, "y": 200, "w": 300, "h": 100}
    told = good(client.post("/capture", {"mode": "region", "region": part, "format": "jpeg", "quality": 80}))
    assert told["regionRectPx"] == part and picture(told).size == (300, 100) and told["format"] == "jpeg"
    reply = client.post("/capture", {"mode": "region", "region": part}, Accept="image/png")
    assert reply.status == 200 and reply.headers["Content-Type"] == "image/png"
    assert Image.open(io.BytesIO(reply.body)).size == (300, 100)
    headers = reply.headers
    assert headers["X-Region-Rect-Px"] == "100,200,300,100" and headers["X-Scale"] == "1" and headers["X-Dpi"] == "96"
    assert headers["X-Screen-Id"] == "0" and headers["X-Run-Id"] and headers["X-Step-Id"] and int(headers["X-Ts"])
    bad(client.post("/capture", {"mode": "window", "window": {"titleContains": "nothing like it"}}), 404, "WINDOW_NOT_FOUND")
    bad(client.post("/capture", {"mode": "region"}), 400, "INVALID_PARAMS")
    bad(client.post("/capture", {"mode": "screen", "screenId": 7}), 400, "INVALID_PARAMS")
    recorder.stop()


def test_keys(exec_desk, client):
    editor = Mousepad(exec_desk)
    exec_desk.call("type_text", text="abc")
    good(client.post("/input/key", {"kind": "press", "keys": ["CTRL", "A"]}))
    good(client.post("/input/key", {"kind": "press", "keys": ["X"]}))
    editor.assert_holds("x")
    error = bad(client.post("/input/key", {"kind": "type", "text": "typed"}), 403, "TEXT_INPUT_DISABLED")["error"]
    assert "http.text_input" in error["suggestion"]
    bad(client.post("/input/key", {"kind": "press", "keys": ["NOSUCHKEY"]}), 400, "INVALID_PARAMS")
    exec_desk.write_config({**FULL_AUTO, "http": {**FULL_AUTO.get("http", {}), "text_input": True}})
    eventually(lambda: good(client.get("/health"))["textInput"], what="the new agreement")
    good(client.post("/input/key", {"kind": "type", "text": " 打字"}))
    exec_desk.write_config(FULL_AUTO)
    eventually(lambda: not good(client.get("/health"))["textInput"], what="the old agreement")
    editor.assert_holds("x 打字")
    editor.stop()


def test_a_macro(exec_desk, client):
    editor = Mousepad(exec_desk)
    told = good(client.post("/macro/run", {"runId": "r-exec-macro", "actions": [
        {"action": "focus", "match": {"titleContains": "Mousepad"}},
        {"action": "key", "kind": "press", "keys": ["H"]},
        {"action": "key", "kind": "press", "keys": ["I"], "delayMs": [1, 5], "screenshot": "after"},
        {"action": "capture", "mode": "region", "region": {"x": 0, "y": 0, "w": 50, "h": 40}},
        {"action": "focus", "match": {"titleContains": "nothing like it"}, "onFailure": "continue"},
        {"action": "wait", "ms": 1}]}))
    assert told["runId"] == "r-exec-macro" and told["failed"] == 1
    results = told["results"]
    assert [each["action"] for each in results] == ["focus", "key", "key", "capture", "focus", "wait"]
    assert [each["ok"] for each in results] == [True, True, True, True, False, True]
    assert results[0]["result"]["window"]["focused"] and results[4]["error"]["code"] == "WINDOW_NOT_FOUND"
    assert picture(results[3]["result"]).size == (50, 40)
    assert picture(results[2]["screenshots"]["after"]).size == (1280, 800)
    editor.assert_holds("hi")
    failed = bad(client.post("/macro/run", {"actions": [
        {"action": "key", "kind": "press", "keys": ["A"]}, {"action": "focus", "match": {"titleContains": "nothing like it"}},
        {"action": "key", "kind": "press", "keys": ["B"]}]}), 404, "WINDOW_NOT_FOUND")
    assert [each["ok"] for each in failed["results"]] == [True, False]
    bad(client.post("/macro/run", {"actions": [{"action": "key", "kind": "type", "text": "x"}]}), 403, "TEXT_INPUT_DISABLED")
    error = bad(client.post("/macro/run", {"actions": [{"action": "wait", "ms": 1}, {"action": "mouse", "kind": "click"}]}), 400,
                "INVALID_PARAMS")["error"]
    assert error["message"].startswith("actions[1].x")
    editor.assert_holds("hia")
    editor.stop()
    rows = [row["tool"] for row in exec_desk.audit() if row.get("run") == "r-exec-macro" and row["kind"] == "result"]
    assert rows == ["window_focus", "key_press", "key_press", "screenshot", "screenshot", "window_focus", "wait", "run_macro"]


def test_once(exec_desk, client):
    window = Witness(exec_desk, RECORDER, "--geometry", "1280x800+0+0", "--override")
    body = {"kind": "click", "x": 10, "y": 10, "idempotencyKey": "exec-once"}
    first, again = good(client.post("/input/mouse", body)), good(client.post("/input/mouse", body))
    assert first["stepId"] == again["stepId"]
    good(client.post("/input/mouse", {"kind": "right", "x": 10, "y": 10}))
    assert [window.next("button_press")["button"] for _ in range(2)] == [1, 3]
    window.stop()


BAD = {
    "no kind": ("/input/mouse", {}, "kind"),
    "unknown kind": ("/input/mouse", {"kind": "fly", "x": 1, "y": 1}, "kind"),
    "outside": ("/input/mouse", {"kind": "click", "x": 99999, "y": 1}, ""),
    "text for a number": ("/input/mouse", {"kind": "click", "x": "1", "y": 1}, "x"),
    "unknown member": ("/input/mouse", {"kind": "click", "x": 1, "y": 1, "z": 1}, "z"),
    "our own names": ("/input/mouse", {"kind": "click", "x": 1, "y": 1, "run_id": "r"}, "run_id"),
    "delays": ("/input/mouse", {"kind": "click", "x": 1, "y": 1, "humanize": {"delayMs": [9, 1]}}, "humanize"),
    "regex": ("/window/focus", {"match": {"titleRegex": "("}}, ""),
    "no keys": ("/input/key", {"kind": "press"}, "keys"),
    "no actions": ("/macro/run", {"actions": []}, "actions"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input(client, case):
    path, body, member = BAD[case]
    assert bad(client.post(path, body), 400, "INVALID_PARAMS")["error"]["message"].startswith(member)


def test_strangers_stay_outside(exec_desk):
    stranger = Client(exec_desk)
    for method, path in (("GET", "/health"), ("GET", "/env"), ("POST", "/capture"), ("POST", "/input/mouse"), ("POST", "/macro/run")):
        bad(stranger.request(method, path, {} if method == "POST" else None), 401, "UNAUTHENTICATED")
    guess = Client(exec_desk, "hf_wrong")
    told = bad(guess.request("POST", "/capture", {}, {"X-Run-Id": "r-guess"}), 401, "UNAUTHENTICATED")
    assert told["runId"] == "r-guess"
    bad(stranger.request("GET", "/health", None, {"Host": "evil.example"}), 403, "FORBIDDEN")
    stranger.close()
    guess.close()


def test_what_is_no_request_is_told_in_the_same_form(client):
    """Refused before it becomes a call: runId, stepId and ts all the same."""
    for body in (b"{", b"[]", b'{"kind": "click", "kind": "move"}', b'{"text": "\xff"}'):
        bad(client.request("POST", "/input/key", body), 400, "INVALID_PARAMS")
    bad(client.request("GET", "/capture"), 405, "UNSUPPORTED")
    told = bad(client.request("POST", "/capture", {"runId": "r-own", "mode": "none"}), 400, "INVALID_PARAMS")
    assert told["runId"] == "r-own"
    bad(client.request("POST", "/capture", b"[" * 70000 + b"]"), 400, "INVALID_PARAMS")
    bad(client.request("POST", "/capture", None, {"Content-Length": str(1 << 30)}), 413, "LIMIT_EXCEEDED")


def test_paused_and_stopped(exec_desk, client):
    exec_desk.main_bridge.manage("pause", desktop="main")
    told = good(client.get("/health"))
    assert told["paused"] and told["state"] == "paused"
    bad(client.post("/input/mouse", {"kind": "click", "x": 1, "y": 1}), 423, "PAUSED")
    bad(client.post("/macro/run", {"actions": [{"action": "wait", "ms": 0}]}), 423, "PAUSED")
    assert exec_desk.owner_cli("resume", "--desktop", "main").returncode == 0
    assert good(client.get("/health"))["state"] == "online"
    assert exec_desk.cli("stop").returncode == 0
    assert good(client.get("/health"))["state"] == "stopped"
    bad(client.post("/input/key", {"kind": "press", "keys": ["A"]}), 423, "STOPPED")
    assert exec_desk.owner_cli("resume").returncode == 0
    good(client.post("/input/mouse", {"kind": "move", "x": 5, "y": 5}))


def test_a_locked_screen(locked):  # noqa: F811
    desk = locked(lock={"captures": "refuse"})
    client = Client(desk, make_token(desk, "controller"))
    told = good(client.get("/health"))
    assert told["locked"] is True and told["state"] == "locked"
    for path, body in (("/input/mouse", {"kind": "click", "x": 1, "y": 1}), ("/input/key", {"kind": "press", "keys": ["A"]}),
                       ("/macro/run", {"actions": [{"action": "mouse", "kind": "move", "x": 1, "y": 1}]}),
                       ("/capture", {"mode": "screen"})):
        bad(client.post(path, body), 409, "LOCKED")
    client.close()


def test_the_level_of_a_token_holds(exec_desk):
    client = Client(exec_desk, make_token(exec_desk, "looker", "--level", "L1"))
    good(client.post("/window/list", {}))
    bad(client.post("/input/mouse", {"kind": "click", "x": 1, "y": 1}), 403, "FORBIDDEN")
    bad(client.post("/macro/run", {"actions": [{"action": "mouse", "kind": "click", "x": 1, "y": 1}]}), 403, "FORBIDDEN")
    good(client.post("/macro/run", {"actions": [{"action": "list"}]}))
    client.close()
