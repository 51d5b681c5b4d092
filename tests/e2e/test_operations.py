"""Calls in the background: answered at once, done once, heard of until their end, and honest after a crash."""
import base64
import json
import signal
import time

import pytest

from handfast import FULL_AUTO, eventually
from http_client import Client, make_token
from mcp_client import Mcp

ASKING = {**FULL_AUTO, "projects": {"default_approval_template": "full-auto", "items": {
    "p": {"template": "full-auto", "approval": {"tool_overrides": {"clipboard_write": "require_approval"}}}}}}


def begin(bridge, tool, **params):
    answer = bridge.answer(tool, {**params, "async": True})
    assert answer["ok"], answer
    assert answer["operation"]["status"] in ("running", "waiting_approval") and answer["result"] == {}
    return answer


def status(bridge, identity, **params):
    return bridge.call("operation_status", id=identity, **params)


@pytest.fixture
def bridge(desk):
    bridge = desk.connect()
    yield bridge
    bridge.close()


def test_it_answers_at_once_and_then_in_full(desk, bridge):
    began = time.monotonic()
    answer = begin(bridge, "wait", duration=1.5)
    assert time.monotonic() - began < 1
    identity = answer["operation"]["id"]
    now = status(bridge, identity)
    assert now["status"] == "running" and now["tool"] == "wait" and "answer" not in now
    ended = status(bridge, identity, wait_ms=20000)
    assert ended["status"] == "done" and ended["answer"]["ok"] and ended["answer"]["result"]
    assert ended["step_id"] == answer["step_id"] == ended["answer"]["step_id"] and ended["duration_ms"] >= 1400
    kinds = [row["kind"] for row in desk.audit() if row.get("step") == answer["step_id"]]
    assert kinds == ["intent", "result"], "it is one call in the audit, not two"


def test_pictures_come_with_the_answer(bridge):
    identity = begin(bridge, "screenshot")["operation"]["id"]
    ended = status(bridge, identity, wait_ms=20000)
    picture = base64.b64decode(ended["answer"]["result"]["image"])
    assert picture[:2] == b"\xff\xd8" and ended["answer"]["result"]["width"] > 0


def test_what_can_be_refused_at_once_is(desk, bridge):
    for code, tool, params in (("UNKNOWN_TOOL", "nope", {}), ("INVALID_PARAMS", "wait", {"duration": "long"}),
                               ("FORBIDDEN", "wait", {"duration": 0, "grant": "nope"})):
        answer = bridge.answer(tool, {**params, "async": True})
        assert not answer["ok"] and "operation" not in answer and answer["error"]["code"] == code, answer
        rows = [row for row in desk.audit() if row.get("step") == answer["step_id"]]
        assert [row["kind"] for row in rows] == ["refusal"]
    answer = bridge.answer("wait", {"duration": 0, "dry_run": True, "async": True})
    assert answer["dry_run"] and "operation" not in answer
    assert bridge.answer("operation_status", {"id": "o_unknown"})["error"]["code"] == "OPERATION_NOT_FOUND"


def test_a_failure_is_told_in_full(bridge):
    identity = begin(bridge, "window_focus", window_title="no such window at all")["operation"]["id"]
    ended = status(bridge, identity, wait_ms=20000)
    assert ended["status"] == "failed" and ended["answer"]["error"]["code"] == "WINDOW_NOT_FOUND"


def test_it_is_called_off(bridge):
    identity = begin(bridge, "wait", duration=60)["operation"]["id"]
    began = time.monotonic()
    ended = bridge.call("operation_cancel", id=identity, wait_ms=10000)
    assert ended["status"] == "cancelled" and time.monotonic() - began < 5
    assert ended["answer"]["error"]["code"] == "DESKTOP_ABORTED"
    assert bridge.call("operation_cancel", id=identity)["status"] == "cancelled", "a second time changes nothing"


def test_it_outlives_the_connection(desk):
    first = desk.connect()
    identity = begin(first, "wait", duration=0.5)["operation"]["id"]
    first.close()
    second = desk.connect()
    assert status(second, identity, wait_ms=20000)["status"] == "done"
    second.close()


def test_a_key_is_the_same_operation(bridge):
    first = begin(bridge, "wait", duration=0.7, idempotency_key="op-key")
    again = bridge.answer("wait", {"duration": 0.7, "idempotency_key": "op-key", "async": True})
    assert again["replayed"] and again["operation"]["id"] == first["operation"]["id"]
    other = bridge.answer("wait", {"duration": 0.8, "idempotency_key": "op-key", "async": True})
    assert other["error"]["code"] == "CONFLICT"
    assert status(bridge, first["operation"]["id"], wait_ms=20000)["status"] == "done"
    late = bridge.answer("wait", {"duration": 0.7, "idempotency_key": "op-key", "async": True})
    assert late["operation"] == {"id": first["operation"]["id"], "status": "done"}


def test_events_tell_of_it(desk, bridge):
    listener = desk.connect()
    listener.request("events.subscribe", {"types": ["operation.started", "operation.finished"]})
    identity = begin(bridge, "wait", duration=0.1)["operation"]["id"]
    seen = []
    while len(seen) < 2:
        event = listener.receive(20)["params"]
        if event["data"].get("operation") == identity:
            seen.append(event)
    assert [event["type"] for event in seen] == ["operation.started", "operation.finished"]
    assert seen[1]["data"]["status"] == "done" and seen[1]["data"]["code"] == "OK"
    listener.close()


def test_there_are_bounds(own_desk):
    desk = own_desk("--virtual", "--size", "640x480")
    bridge = desk.connect()
    for _ in range(16):
        begin(bridge, "wait", duration=60)
    error = bridge.answer("wait", {"duration": 60, "async": True})["error"]
    assert error["code"] == "RATE_LIMITED" and "operation_cancel" in error["suggestion"]
    listed = bridge.manage("operations.list")["operations"]
    assert len(listed) == 16 and all(each["status"] == "running" for each in listed)
    began = time.monotonic()
    desk.cli("stop", check=True)
    eventually(lambda: all(each["status"] == "failed" for each in bridge.manage("operations.list")["operations"]),
               what="their end by the stop")
    assert time.monotonic() - began < 10
    assert bridge.answer("wait", {"duration": 0, "async": True})["error"]["code"] == "STOPPED"


def test_waiting_for_the_owner_holds_nobody_up(own_desk):
    desk = own_desk("--virtual", "--size", "640x480", config=ASKING)
    bridge = desk.connect()
    identity = begin(bridge, "clipboard_write", text="asked for", project="p")["operation"]["id"]
    waiting = eventually(lambda: (lambda now: now if now["status"] == "waiting_approval" else None)(status(bridge, identity)),
                         what="the question")
    assert waiting["approval"]["id"].startswith("a_")
    assert bridge.call("cursor_position") is not None, "others go on meanwhile"
    assert desk.owner_cli("approve", waiting["approval"]["id"]).returncode == 0
    assert status(bridge, identity, wait_ms=20000)["status"] == "done"
    bridge.close()


def test_others_may_not_ask(own_desk):
    desk = own_desk("--virtual", "--size", "640x480")
    bridge = desk.connect()
    identity = begin(bridge, "wait", duration=5)["operation"]["id"]
    bridge.close()
    shown = desk.cli("operation_status", identity, "--json", text=True)
    assert "FORBIDDEN" in shown.stdout, shown.stdout
    assert desk.cli("operation_cancel", identity, "--json").returncode != 0
    listed = desk.owner_cli("operations")
    assert identity in listed.shown, "the owner sees everybody's"


def test_a_crash_is_told_honestly(own_desk):
    desk = own_desk("--virtual", "--size", "640x480")
    bridge = desk.connect()
    picture = begin(bridge, "screenshot")["operation"]["id"]
    assert status(bridge, picture, wait_ms=20000)["status"] == "done"
    held = begin(bridge, "hold_key", keys=["shift"], duration=30)
    eventually(lambda: [row for row in desk.audit() if row.get("step") == held["step_id"] and row["kind"] == "intent"],
               what="its intent in the audit")
    queued = begin(bridge, "hold_key", keys=["ctrl"], duration=30)  # waits for the first one's turn
    desk.process.send_signal(signal.SIGKILL)
    desk.process.wait()
    desk.start()
    bridge = desk.connect()
    lost = status(bridge, held["operation"]["id"])
    assert lost["status"] == "lost" and lost["answer"]["error"]["code"] == "OUTCOME_UNKNOWN"
    assert lost["answer"]["error"]["details"]["intent_audited"] is True
    never = status(bridge, queued["operation"]["id"])
    assert never["status"] == "lost" and never["answer"]["error"]["retryable"]
    assert never["answer"]["error"]["details"]["intent_audited"] is False
    kept = status(bridge, picture)
    assert base64.b64decode(kept["answer"]["result"]["image"])[:2] == b"\xff\xd8", "what had ended is there in full"
    folder = desk.home / "data" / "handfast" / "operations"
    files = list(folder.iterdir())
    assert files and all(oct(each.stat().st_mode)[-3:] == "600" for each in files)


def test_what_is_secret_stays_in_memory(own_desk):
    desk = own_desk("--virtual", "--size", "640x480")
    bridge = desk.connect()
    bridge.call("clipboard_write", text="never-on-disk-4711")
    identity = begin(bridge, "clipboard_read")["operation"]["id"]
    assert status(bridge, identity, wait_ms=20000)["answer"]["result"]["text"] == "never-on-disk-4711"
    assert b"never-on-disk-4711" not in desk.data_bytes()


def test_other_doors(own_desk):
    desk = own_desk("--virtual", "--size", "640x480", config={**FULL_AUTO, "http": {"enabled": True, "port": 0}})
    shown = desk.cli("wait", "0.2", "--async", "true", check=True, text=True)
    identity = next(word for word in shown.stdout.split() if word.startswith("o_"))
    shown = desk.cli("operation_status", identity, "--wait_ms", "10000", check=True, text=True)
    assert "done" in shown.stdout
    assert identity in desk.cli("operations", check=True, text=True).stdout
    web = Client(desk, make_token(desk, "web"))
    answer = web.post("/v1/tools/screenshot", {"async": True}).json
    ended = web.post("/v1/tools/operation_status", {"id": answer["operation"]["id"], "wait_ms": 20000}).json
    assert base64.b64decode(ended["result"]["answer"]["result"]["image"])[:2] == b"\xff\xd8"
    listed = web.get("/v1/operations").json["result"]["operations"]
    assert [each["id"] for each in listed] == [answer["operation"]["id"]], "its own, and nobody else's"
    assert web.post("/v1/tools/operation_status", {"id": identity}).status == 403
    client = Mcp(desk.environment, "--profile", "all")
    told = client.call("wait", duration=0.1, **{"async": True})
    assert told["structuredContent"]["operation"]["status"] == "running"
    assert json.loads(told["content"][0]["text"])["operation"]["id"].startswith("o_")
    ended = client.call("operation_status", id=told["structuredContent"]["operation"]["id"], wait_ms=20000)
    assert ended["structuredContent"]["status"] == "done"
    client.close()
