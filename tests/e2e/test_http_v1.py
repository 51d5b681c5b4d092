"""What manages the desk, over HTTP: the same as over the bridge, for those who may."""
import io
import json
import re
import subprocess
import zipfile

import pytest
from PIL import Image

from handfast import FULL_AUTO, ROOT, eventually
from http_client import Client, make_token

ASKING = {"security": {"permission_level": "L4", "client_level": "L4"},
          "projects": {"default_approval_template": "strict"}}


@pytest.fixture(scope="module")
def tokens(shared_desk):
    return {role: make_token(shared_desk, f"v1-{role}", "--role", role) for role in ("client", "observer", "owner")}


@pytest.fixture
def open_client(shared_desk, tokens):
    clients = []

    def start(role="client"):
        clients.append(Client(shared_desk, tokens[role]))
        return clients[-1]

    yield start
    for client in clients:
        client.close()


def test_tools_are_the_bridges(shared_desk, open_client):
    assert open_client().get("/v1/tools").json == shared_desk.main_bridge.request("tools")["result"]


def test_picture_itself(open_client):
    client = open_client()
    for headers, path, media in (({"Accept": "image/jpeg"}, "/v1/tools/screenshot", "image/jpeg"),
                                 ({}, "/v1/tools/screenshot?raw=1", "image/jpeg")):
        reply = client.post(path, {}, **headers)
        assert reply.status == 200 and reply.headers["Content-Type"] == media
        told = json.loads(reply.headers["X-Result"])
        assert told["ok"] and reply.headers["X-Step-Id"] == told["step_id"]
        assert Image.open(io.BytesIO(reply.body)).size == (told["result"]["width"], told["result"]["height"])
    png = client.post("/v1/tools/screenshot?raw=1", {"format": "png"})
    assert png.headers["Content-Type"] == "image/png" and png.body.startswith(b"\x89PNG")
    assert client.post("/v1/tools/wait?raw=1", {"duration": 0}).json["ok"], "without a picture: the answer"


def test_desktops(shared_desk, open_client):
    client = open_client("owner")
    made = client.post("/v1/desktops", {"name": "by-http", "width": 640, "height": 480})
    assert made.status == 200 and made.json["result"]["width"] == 640, made.body
    assert "by-http" in [desktop["name"] for desktop in client.get("/v1/desktops").json["result"]["desktops"]]
    assert client.post("/v1/desktops", {"name": "by-http"}).status == 409
    assert client.request("DELETE", "/v1/desktops/by-http").status == 200
    assert client.request("DELETE", "/v1/desktops/by-http").status == 404
    assert "by-http" not in shared_desk.desktops()


def test_runs_and_their_bundle(own_desk):
    desk = own_desk(config={**FULL_AUTO, "evidence": {"policy": "all"}})
    client = Client(desk, make_token(desk, "runner"))
    assert client.post("/v1/tools/mouse_move", {"x": 3, "y": 4}, **{"X-Run-Id": "r_http"}).status == 200
    assert [run["run"] for run in client.get("/v1/runs").json["result"]["runs"]] == ["r_http"]
    steps = client.get("/v1/runs/r_http").json["result"]["steps"]
    assert steps[0]["tool"] == "mouse_move"
    bundle = client.get("/v1/runs/r_http/bundle.zip")
    assert bundle.headers["Content-Type"] == "application/zip"
    names = zipfile.ZipFile(io.BytesIO(bundle.body)).namelist()
    assert "index.html" in names and "steps.jsonl" in names and "audit.jsonl" in names
    assert client.get("/v1/runs/r_none").status == 404
    assert client.get("/v1/runs/..%2F..%2Fetc/bundle.zip").status == 404
    other = Client(desk, make_token(desk, "other"))
    assert other.get("/v1/runs").json["result"]["runs"] == [], "runs of others are not shown"
    assert other.get("/v1/runs/r_http").status == 404
    watching = Client(desk, make_token(desk, "watching", "--role", "observer"))
    assert watching.get("/v1/runs/r_http").status == 200
    assert not list(desk.runtime.rglob("bundle*")), "nothing is left"
    for each in (client, other, watching):
        each.close()


def test_approval_by_an_owners_token(own_desk):
    desk = own_desk(config=ASKING)
    client, owner = (Client(desk, make_token(desk, role, "--role", role)) for role in ("client", "owner"))
    body = json.dumps({"x": 5, "y": 6}).encode()
    client.connection.request("POST", "/v1/tools/left_click", body=body,
                              headers={"Authorization": f"Bearer {client.token}"})

    def waiting():
        return owner.get("/v1/approvals").json["result"]["approvals"]
    question = eventually(waiting, 10, "the question")[0]
    assert question["tool"] == "left_click"
    second = Client(desk, client.token)
    refused = second.post(f"/v1/approvals/{question['id']}/approve")
    assert refused.status == 403 and refused.code == "FORBIDDEN", "a client answers nothing"
    approved = owner.post(f"/v1/approvals/{question['id']}/approve").json
    assert approved["ok"] and approved["result"]["state"] == "approved", approved
    assert client.connection.getresponse().status == 200
    for each in (client, second, owner):
        each.close()


def test_a_client_that_leaves_calls_its_work_off(own_desk):
    desk = own_desk()
    client = Client(desk, make_token(desk, "leaving"))
    client.connection.request("POST", "/v1/tools/wait", body=b'{"duration": 60}',
                              headers={"Authorization": f"Bearer {client.token}"})
    watcher = Client(desk, make_token(desk, "watcher", "--role", "observer"))
    eventually(lambda: any(row["kind"] == "intent" or row.get("tool") == "wait" for row in desk.audit()) or
               "handfast_http_connections 2" in watcher.get("/metrics").body.decode(), 10, "the call under way")
    client.close()

    def called_off():
        return any(row.get("tool") == "wait" and row.get("code") == "DESKTOP_ABORTED" for row in desk.audit())
    eventually(called_off, 10, "the end of the call")
    watcher.close()


def test_stop_pause_and_resume(own_desk):
    desk = own_desk()
    client, owner = (Client(desk, make_token(desk, role, "--role", role)) for role in ("client", "owner"))
    assert client.post("/v1/stop", {"reason": "enough"}).json["result"]["stopped"] is True
    refused = client.call("wait", duration=0)
    assert refused.status == 423 and refused.code == "STOPPED"
    assert client.post("/v1/resume").status == 403
    assert owner.post("/v1/resume").status == 200
    assert client.call("wait", duration=0).status == 200
    assert client.post("/v1/pause", {"desktop": "main"}).status == 200
    assert client.get("/v1/status").json["result"]["holds"]["paused"][0]["desktop"] == "main"
    client.close()
    owner.close()


def test_config_and_audit(shared_desk, open_client):
    client, owner = open_client(), open_client("owner")
    level = client.get("/v1/config?path=security.permission_level")
    assert level.json["result"]["value"] == "L4"
    change = {"path": "approval.timeout_s", "value": 123}
    assert client.request("PUT", "/v1/config", change).status == 403
    assert owner.request("PUT", "/v1/config", change).status == 200
    assert owner.get("/v1/config?path=approval.timeout_s").json["result"]["value"] == 123
    assert client.get("/v1/config?path=no.such").status == 400
    rows = owner.get("/v1/audit?limit=3").json["result"]["rows"]
    assert len(rows) == 3 and rows[-1]["seq"] > rows[0]["seq"] and len(rows[0]["hash"]) == 64
    client.call("wait", duration=0)
    own = client.get("/v1/audit").json["result"]["rows"]
    assert own and {row["caller"] for row in own} == {"v1-client"}, "a client sees its own rows only"
    assert client.get("/v1/audit?limit=many").status == 400


def test_tokens_over_http(open_client):
    client, owner = open_client(), open_client("owner")
    assert client.get("/v1/tokens").status == 403
    made = owner.post("/v1/tokens", {"name": "made-here", "level": "L1"}).json["result"]
    assert made["token"].startswith("hf_") and len(made["token"]) == 46
    listed = owner.get("/v1/tokens")
    assert made["token"] not in listed.body.decode() and "made-here" in listed.body.decode()
    assert owner.post("/v1/tokens", {"name": "made-here"}).status == 409
    assert owner.request("DELETE", "/v1/tokens/made-here").status == 200
    assert owner.post("/v1/tokens", {"name": "x", "expires_at": "yesterday"}).status == 400
    assert owner.post("/v1/tokens", {"name": "x", "grant": "none-such"}).status == 403


def test_metrics(open_client):
    client, observer = open_client(), open_client("observer")
    assert client.get("/metrics").status == 403

    def ended_in_validate():
        return int(re.search(r'^handfast_guard_ended_total\{step="validate"\} (\d+)$', observer.get("/metrics").body.decode(), re.M)[1])
    before = ended_in_validate()
    client.call("wait", duration=0)
    client.call("no_such_tool_at_all")
    assert ended_in_validate() == before + 1
    text = observer.get("/metrics").body.decode()
    values = dict(re.findall(r"^(\w+(?:\{[^}]*\})?) ([0-9.e+]+)$", text, re.M))
    assert 'handfast_guard_ended_total{step="perform"}' in values and 'handfast_guard_ended_total{step="timing"}' not in values
    assert float(values['handfast_calls_total{tool="wait",code="OK"}']) >= 1
    assert 'handfast_calls_total{tool="unknown",code="UNKNOWN_TOOL"}' in values and "no_such_tool_at_all" not in text
    assert float(values['handfast_call_duration_seconds_bucket{tool="wait",le="+Inf"}']) >= 1
    for name in ("handfast_http_connections", "handfast_desktops", "handfast_audit_rows",
                 "process_resident_memory_bytes"):
        assert float(values[name]) >= 1, name
    for line in text.splitlines():
        assert re.match(r"^(# (HELP|TYPE) .+|\w+(\{[^}]*\})? [0-9.e+]+)$", line), line


def test_openapi_describes_what_there_is(shared_desk, open_client):
    client = open_client()
    document = client.get("/v1/openapi.json").json
    assert document["openapi"] == "3.1.0"
    tools = {tool["name"]: tool for tool in shared_desk.main_bridge.manage("tools")["tools"]}
    for name, tool in tools.items():
        operation = document["paths"][f"/v1/tools/{name}"]["post"]
        assert operation["requestBody"]["content"]["application/json"]["schema"] == tool["params"]
    identities = [operation["operationId"] for item in document["paths"].values() for operation in item.values()]
    assert len(identities) == len(set(identities))
    for path, item in document["paths"].items():
        for operation in item.values():
            parts = {parameter["name"] for parameter in operation["parameters"] if parameter["in"] == "path"}
            assert parts == set(re.findall(r"{(\w+)}", path)), path
        method = next(iter(item)).upper()
        reply = client.request("PATCH", re.sub(r"{\w+}", "x", path))
        assert reply.status == 405 and method in reply.headers["Allow"], path
    for owned_later in ("/v1/tasks", "/v1/schedules"):
        assert owned_later not in document["paths"] and client.get(owned_later).status == 404


@pytest.fixture(scope="module")
def validators():
    """Where the validators of others are (npm, see tests/openapi)."""
    return subprocess.run([ROOT / "tests" / "openapi" / "install"], check=True, capture_output=True, text=True).stdout.strip()


def test_openapi_is_valid(open_client, validators):
    checked = subprocess.run(["node", f"{validators}/validate.mjs"], input=open_client().get("/v1/openapi.json").body,
                             capture_output=True)
    assert checked.returncode == 0 and checked.stdout.strip() == b"3.1", checked.stdout[:2000]


# Bodies of the executor API, and whether its schema lets them pass. The desk says the same of each.
BODIES = [
    ("/window/list", {}, True),
    ("/window/list", {"visibleOnly": True, "titleContains": None, "desktop": None}, True),
    ("/window/list", {"visible": True}, False),
    ("/window/focus", {}, False),
    ("/window/focus", {"match": None}, False),
    ("/window/focus", {"match": {"titleContains": 7}}, False),
    ("/capture", {"mode": "region", "region": {"x": 1, "y": 2, "w": 3, "h": 4}, "format": "jpeg", "quality": 80}, True),
    ("/capture", {"mode": "screen", "region": None, "window": None, "format": None}, True),
    ("/capture", {"mode": "region", "region": {"x": 1, "y": 2, "w": 3}}, False),
    ("/capture", {"format": "bmp"}, False),
    ("/input/mouse", {"kind": "move", "x": 12, "y": 22, "humanize": {"jitterPx": 2, "delayMs": [1, 2], "curve": None}}, True),
    ("/input/mouse", {"kind": "click", "x": "12", "y": 22}, False),
    ("/input/mouse", {"kind": "click", "x": 1, "y": 2, "humanize": {"delayMs": [1]}}, False),
    ("/input/key", {"kind": "press", "keys": []}, False),
    ("/macro/run", {"actions": [{"action": "wait", "ms": 1, "delayMs": [0, 1], "onFailure": None},
                                {"action": "mouse", "kind": "move", "x": 3, "y": 4, "delayMs": 1}], "onFailure": "continue"}, True),
    ("/macro/run", {"actions": []}, False),
    ("/macro/run", {"actions": [{"action": "wait"}]}, False),
    ("/macro/run", {"actions": [{"action": "fly", "ms": 1}]}, False),
    ("/macro/run", {"actions": [{"action": "wait", "ms": 1, "retries": 0}]}, False),
]


def test_openapi_says_what_the_executor_takes(open_client, validators):
    client = open_client()
    paths = client.get("/v1/openapi.json").json["paths"]
    given = [{"schema": paths[path]["post"]["requestBody"]["content"]["application/json"]["schema"], "value": body}
             for path, body, _ in BODIES]
    told = subprocess.run(["node", f"{validators}/values.mjs"], input=json.dumps(given).encode(), capture_output=True, check=True)
    assert json.loads(told.stdout) == [fits for _, _, fits in BODIES]
    for path, body, fits in BODIES:
        assert client.post(path, body).status == (200 if fits else 400), (path, body)
    for path in ("/health", "/env"):
        assert [each["name"] for each in paths[path]["get"]["parameters"]] == ["desktop"]
