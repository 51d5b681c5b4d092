"""What a caller has read stays with the caller: whatever the connection, the session or a restart of the desk. It does not reach
other callers or other desktops, and the owner can clear it. What came from elsewhere is not run unasked."""
import json
import pathlib
import subprocess

import pytest

from handfast import PROGRAM, Desk, eventually, finish
from http_client import Client, make_token
from mcp_client import MODERN, Mcp
from pages import Pages

CONFIG = {"security": {"permission_level": "L4", "client_level": "L3"}, "http": {"port": 0},
          "limits": {"global": {"per_minute": 0, "per_day": 0}}}
BOTH = {"Accept": "application/json, text/event-stream"}


@pytest.fixture(scope="module")
def desk():
    desk = Desk("--virtual", "--size", "800x600", config=CONFIG)
    desk.tokens = {name: make_token(desk, name, "--level", "L3") for name in ("one", "two")}
    desk.tokens["boss"] = make_token(desk, "boss", "--level", "L4", "--role", "owner")
    desk.new_desktop("second", width=640, height=480)
    yield desk
    finish(desk)


@pytest.fixture(autouse=True)
def clean(desk):
    clear(desk)
    yield


def clear(desk, *arguments):
    run = desk.owner_cli("taint", "clear", *arguments)
    assert run.returncode == 0, run.shown
    return run.shown


def over_http(desk, tool, params, token="one"):
    client = Client(desk, desk.tokens[token])
    try:
        return client.call(tool, **params).json
    finally:
        client.close()


def over_bridge(desk, tool, params):
    bridge = desk.connect()
    try:
        return bridge.answer(tool, params)
    finally:
        bridge.close()


def over_cli(desk, tool, params, session=False):
    run = subprocess.run([PROGRAM, "call", tool, json.dumps(params), "--json"], env=desk.environment, capture_output=True, timeout=120,
                         stdin=subprocess.DEVNULL, start_new_session=session)
    return json.loads(run.stdout or run.stderr)


def over_cli_sessions(desk, tool, params):
    """As agents do that give every command a session of its own."""
    return over_cli(desk, tool, params, True)


def over_stateless_mcp(desk, tool, params):
    client = Client(desk, desk.tokens["one"])
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": tool, "arguments": params, "_meta": {"io.modelcontextprotocol/protocolVersion": MODERN,
                                                     "io.modelcontextprotocol/clientCapabilities": {}}}}
    reply = client.post("/mcp?profile=all", body, **BOTH, **{"MCP-Protocol-Version": MODERN, "Mcp-Method": "tools/call", "Mcp-Name": tool})
    client.close()
    result = reply.json["result"]
    return {"ok": not result.get("isError"), "result": result.get("structuredContent")}


def over_mcp(desk, tool, params):
    client = Mcp(desk.environment, "--profile", "all")
    result = client.call(tool, **params)
    client.close()
    return {"ok": not result.get("isError"), "result": result.get("structuredContent")}


DOORS = [over_http, over_bridge, over_cli, over_cli_sessions, over_stateless_mcp, over_mcp]


def launch(door, desk, **more):
    """How a launch would be decided."""
    answer = door(desk, "app_launch", {"name": "mousepad", "dry_run": True, **more})
    assert answer["ok"], answer
    return answer["result"]


def read(door, desk, **more):
    assert door(desk, "clipboard_read", more)["ok"]


@pytest.mark.parametrize("door", DOORS)
def test_a_new_connection_sheds_nothing(desk, door):
    before = launch(door, desk)
    assert before["decision"] == "auto_approve" and before["tainted"] is False
    read(door, desk)
    after = launch(door, desk)
    assert after["decision"] == "require_approval" and after["decided_by"] == "tainted" and after["tainted"] is True
    assert after["taint"]["reads"] == ["clipboard"] and after["taint"]["tool"] == "clipboard_read" and after["taint"]["since"]
    assert "handfast taint clear" in after["taint"]["clear"]
    assert launch(door, desk, run_id="another-run")["tainted"] is True


@pytest.mark.parametrize("door", DOORS)
def test_another_desktop_is_not_held_back(desk, door):
    read(door, desk, desktop="second")
    assert launch(door, desk)["tainted"] is False
    assert launch(door, desk, desktop="second")["tainted"] is True


def test_another_caller_is_not_held_back(desk):
    read(over_http, desk)
    assert over_http(desk, "app_launch", {"name": "mousepad", "dry_run": True}, "two")["result"]["tainted"] is False
    assert launch(over_bridge, desk)["tainted"] is False
    assert launch(over_cli, desk)["tainted"] is False


def test_the_owner_at_a_terminal_is_not_held_back(desk):
    assert desk.owner_cli("clipboard_read").returncode == 0
    shown = desk.owner_cli("call", "app_launch", '{"name": "mousepad", "dry_run": true}').shown
    assert '"decision": "auto_approve"' in shown, shown


def test_it_survives_the_desk(desk):
    read(over_http, desk)
    read(over_cli, desk)
    desk.process.kill()
    desk.process.wait()
    desk.start()
    assert launch(over_http, desk)["tainted"] is True
    assert launch(over_cli, desk)["tainted"] is True
    assert over_http(desk, "app_launch", {"name": "mousepad", "dry_run": True}, "two")["result"]["tainted"] is False
    desk.new_desktop("second", width=640, height=480)


def test_the_owner_clears_it(desk):
    kept = Client(desk, desk.tokens["one"])
    assert kept.call("clipboard_read", run_id="named").json["ok"]
    read(over_bridge, desk)
    listed = desk.owner_cli("taint", "list").shown
    assert "one" in listed and "clipboard" in listed and "main" in listed, listed
    assert "Tainted" in desk.owner_cli("status").shown
    clear(desk, "one")
    assert kept.call("app_launch", name="mousepad", dry_run=True).json["result"]["tainted"] is False
    assert kept.call("app_launch", name="mousepad", dry_run=True, run_id="named").json["result"]["tainted"] is False
    assert launch(over_bridge, desk)["tainted"] is True
    kept.call("clipboard_read")
    assert kept.call("app_launch", name="mousepad", dry_run=True).json["result"]["tainted"] is True
    clear(desk)
    assert launch(over_bridge, desk)["tainted"] is False
    assert "one" not in desk.owner_cli("taint", "list").shown
    assert desk.owner_cli("taint", "clear", "nobody-of-this-name").returncode != 0
    done = [row["data"] for row in desk.audit() if row.get("event") == "taint-clear"]
    assert [entry.get("what") for entry in done[-3:]] == [{"caller": "one"}, {}, None] and not done[-1]["ok"]
    kept.close()


def test_only_the_owner_clears_it(desk):
    read(over_http, desk)
    client, boss = Client(desk, desk.tokens["one"]), Client(desk, desk.tokens["boss"])
    assert client.post("/v1/taints/clear", {}).status == 403
    assert client.get("/v1/taints").status == 403
    answer = desk.connect().request("taint.clear", {})["result"]
    assert not answer["ok"] and answer["error"]["code"] == "FORBIDDEN"
    assert launch(over_http, desk)["tainted"] is True
    entry, = [each for each in boss.get("/v1/taints").json["result"]["callers"] if each["name"] == "one"]
    assert entry["desktop"] == "main" and entry["reads"] == ["clipboard"] and entry["expires"] > entry["seen"] >= entry["since"]
    assert boss.post("/v1/taints/clear", {"caller": "one"}).json["ok"]
    assert launch(over_http, desk)["tainted"] is False


def test_the_question_says_why(desk):
    read(over_http, desk)
    client, boss = Client(desk, desk.tokens["one"]), Client(desk, desk.tokens["boss"])
    client.connection.request("POST", "/v1/tools/app_launch", json.dumps({"name": "mousepad", "wait_ms": 0}),
                              {"Authorization": f"Bearer {desk.tokens['one']}"})

    def open_question():
        return next(iter(boss.get("/v1/approvals").json["result"]["approvals"]), None)

    question = eventually(open_question, 10, "the question")
    assert question["taint"]["tool"] == "clipboard_read"
    shown = desk.owner_cli("approvals", "show", question["id"]).shown
    assert "clipboard_read" in shown and "handfast taint clear" in shown, shown
    desk.owner_cli("deny", question["id"])
    client.close()


# ---- files that came from elsewhere ----

@pytest.fixture
def pages(desk):
    for old in (desk.home / "Projects").glob("*"):
        old.unlink()
    server = Pages({})
    server.pages["pay0.sh"] = lambda request: request.give(b"echo pwn\n", "application/octet-stream", 200,
                                                            [("Content-Disposition", 'attachment; filename="pay0.sh"')])
    yield server
    server.stop()


@pytest.mark.parametrize("door", DOORS)
def test_a_download_and_its_launch_do_not_go_unasked(desk, pages, door):
    (desk.home / "Projects").mkdir(exist_ok=True)
    answer = door(desk, "browser_navigate", {"url": pages.url("pay0.sh"), "timeout_ms": 60000})
    assert answer["ok"], answer
    path = answer["result"]["downloads"][0]["file"]
    decided = launch(door, desk, name="bash", args=["-c", f". {path} > {path}.txt"])
    assert decided["decision"] == "require_approval" and decided["tainted"] is True
    assert decided["decided_by"] in ("tainted_file", "risk_policies.high") and decided["taint"]["file"] == path


def asks_about(desk, tool, **params):
    """The file because of which the owner would be asked."""
    answer = over_http(desk, tool, {**params, "dry_run": True}, "two")
    assert answer["ok"], answer
    file = answer["result"].get("taint", {}).get("file")
    assert not file or answer["result"]["decision"] in ("require_approval", "always_block"), answer
    assert not file or answer["result"]["decided_by"] in ("tainted_file", "risk_policies.high", "rules"), answer
    return file


def test_a_downloaded_file_is_not_run_unasked(desk, pages):
    folder = desk.home / "Projects"
    folder.mkdir(exist_ok=True)
    answer = over_http(desk, "browser_navigate", {"url": pages.url("pay0.sh"), "timeout_ms": 60000})
    assert answer["ok"], answer
    download, = answer["result"]["downloads"]
    path = pathlib.Path(download["file"])
    link, hard = folder / "harmless", folder / "harmless-too"
    link.symlink_to(path)
    hard.hardlink_to(path)
    path.chmod(0o700)
    for args in (["-c", f". {path} > {folder}/pwned.txt"], [str(path)], ["-c", f"cd {folder}; bash ./pay0.sh"], [str(link)], [str(hard)],
                 ["-c", f"cat {path} | sh"], ["-c", f"sh < {path}"], ["-c", f"cp {path} x; sh x"], ["-c", "cd Proj*; . ./pay*.sh"]):
        assert asks_about(desk, "app_launch", name="bash", args=args) == str(path), args
    assert asks_about(desk, "app_launch", name=str(path)) == str(path)
    assert asks_about(desk, "app_launch", name="python3", args=[str(path)]) == str(path)
    assert asks_about(desk, "app_launch", name="env", args=["bash", str(path)]) == str(path)
    for args in (["/etc/hostname"], [str(folder / "other.sh")]):
        assert asks_about(desk, "app_launch", name="bash", args=args) is None, args
    assert asks_about(desk, "app_launch", name="cat", args=[str(path)]) is None
    assert asks_about(desk, "app_launch", name="mousepad", args=[str(path)]) is None
    listed = desk.owner_cli("taint", "list").shown
    assert str(path) in listed, listed
    clear(desk)
    assert asks_about(desk, "app_launch", name="bash", args=[str(path)]) is None


def test_what_a_tainted_caller_wrote_is_not_run_unasked(desk):
    path = desk.home / "Projects" / "written.sh"
    path.parent.mkdir(exist_ok=True)
    desk.write_config({**CONFIG, "projects": {"items": {"files": {"approval": {"tool_overrides": {"file_write": "auto_approve"}}}}},
                       "clients": {"one": {"projects": ["files"]}, "two": {"projects": ["files"]}}})
    write = {"path": str(path), "content": "echo one\n", "project": "files"}
    eventually(lambda: over_http(desk, "file_write", {**write, "dry_run": True}, "two")["result"]["decision"] == "auto_approve", 10)
    clear(desk)
    assert over_http(desk, "file_write", write, "two")["ok"]
    assert asks_about(desk, "app_launch", name="bash", args=[str(path)]) is None
    read(over_http, desk)
    answer = over_http(desk, "file_write", {**write, "content": "echo two\n"})
    assert answer["ok"], answer
    assert asks_about(desk, "app_launch", name="bash", args=[str(path)]) == str(path)
    desk.stop()
    desk.start()
    assert asks_about(desk, "app_launch", name="bash", args=[str(path)]) == str(path)
    desk.new_desktop("second", width=640, height=480)
