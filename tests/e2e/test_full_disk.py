"""What tightens works on a full disk, and says that it will be lost when the desk ends. What loosens does not."""
import contextlib
import json
import subprocess
import time
import uuid

import pytest

from handfast import Desk, finish
from http_client import Client, make_token

ASKING = {"security": {"permission_level": "L4", "client_level": "L4"},
          "projects": {"default_approval_template": "strict"},
          "limits": {"global": {"per_minute": 0, "per_day": 0}}}


@contextlib.contextmanager
def full_disk(desk):
    """A limit of the size of files stands in for it: the kernel refuses further bytes in the same way."""
    subprocess.run(["prlimit", f"--pid={desk.process.pid}", "--fsize=1:unlimited"], check=True)
    try:
        yield
    finally:
        subprocess.run(["prlimit", f"--pid={desk.process.pid}", "--fsize=unlimited:unlimited"], check=True)


@contextlib.contextmanager
def asked(desk):
    """A call that waits for the owner: the id of its question, and a function that gives its answer."""
    bridge = desk.connect()
    bridge.send("call", {"tool": "app_launch", "params": {"name": "true"}})
    notice = bridge.receive()
    assert notice["method"] == "waiting", notice

    def answer():
        while "id" not in (reply := bridge.receive()):
            pass
        return reply["result"]

    try:
        yield notice["params"]["approval"]["id"], answer
    finally:
        bridge.close()


@pytest.fixture(scope="module")
def asking():
    desk = Desk("--virtual", "--size", "640x480", config=ASKING, verify=False)
    yield desk
    finish(desk)


def resume(desk, *arguments):
    run = desk.owner_cli("resume", *arguments)
    assert run.returncode == 0, run.shown


def test_pause_holds_and_says_that_it_will_be_lost(asking):
    with full_disk(asking):
        run = asking.cli("pause", "--reason", "no room")
        assert run.returncode == 0 and b"lost when the desk ends" in run.stdout, run
        assert json.loads(asking.cli("pause", "--json").stdout)["durable"] is False
        asking.fails("PAUSED", "cursor_position")
        status = asking.cli("status")
        assert status.returncode == 0 and b"no room" in status.stdout, status
    assert json.loads(asking.cli("pause", "--json").stdout)["durable"] is True
    resume(asking)


def test_abort_holds_and_says_that_it_will_be_lost(asking):
    with full_disk(asking):
        run = asking.owner_cli("abort", "full-1")
        assert run.returncode == 0 and "lost when the" in run.shown, run
        asking.fails("DESKTOP_ABORTED", "cursor_position", run_id="full-1")
        assert asking.main_bridge.manage("abort", run_id="full-2")["durable"] is False
    assert asking.main_bridge.manage("abort", run_id="full-3")["durable"] is True


def test_stop_holds_and_says_that_it_will_be_lost(asking):
    with full_disk(asking):
        run = asking.cli("stop")
        assert run.returncode == 0 and b"lost when the desk ends" in run.stdout, run
        asking.fails("STOPPED", "cursor_position")
    resume(asking)


def test_a_question_is_listed_and_denied(asking):
    with asked(asking) as (question, answer), full_disk(asking):
        assert question in asking.owner_cli("approvals").shown
        assert "pending" in asking.owner_cli("approvals", "show", question).shown
        assert asking.owner_cli("approve", question).returncode == 1, "what loosens is refused"
        run = asking.owner_cli("deny", question, "--reason", "no room")
        assert run.returncode == 0 and "the disk does not take it" in run.shown.replace("\n", " "), run
        failed = answer()["error"]
        assert failed["code"] == "APPROVAL_DENIED" and "no room" in failed["message"]
        run = asking.owner_cli("approve", question)
        assert run.returncode == 1 and "STORAGE_FAILED" in run.shown, run
    run = asking.owner_cli("approve", question)
    assert run.returncode == 1 and "CONFLICT" in run.shown, run
    listed = json.loads(asking.owner_cli("approvals", "list", "--all", "--json").shown)
    assert {entry["id"]: entry["state"] for entry in listed}[question] == "denied"
    asking.answer("cursor_position")  # the next row takes those along that waited for room
    assert asking.cli("audit", "verify").returncode == 0
    denials = [row for row in asking.audit() if row.get("event") == "approval.denied"]
    assert denials[-1]["data"]["approval"] == question and denials[-1]["late"] is True


def test_a_question_is_taken_back(asking):
    with asked(asking) as (question, answer), full_disk(asking):
        taken = asking.connect()
        answered = taken.request("approvals.deny", {"id": question})["result"]
        assert answered["result"] == {"id": question, "state": "cancelled", "durable": False}, answered
        assert answer()["error"]["code"] == "DESKTOP_ABORTED"
        taken.close()


def test_over_http(asking):
    owner, client = Client(asking, make_token(asking, "full-owner", "--role", "owner")), Client(asking, make_token(asking, "full-client"))
    with asked(asking) as (question, answer), full_disk(asking):
        assert question in [entry["id"] for entry in owner.get("/v1/approvals").json["result"]["approvals"]]
        reply = owner.post(f"/v1/approvals/{question}/deny")
        assert reply.status == 200 and reply.json["result"]["durable"] is False, reply.body
        assert answer()["error"]["code"] == "APPROVAL_DENIED"
        assert client.post("/v1/pause", {"run_id": "full-http"}).json["result"]["durable"] is False
        assert client.get("/v1/status").status == 200
    resume(asking, "--run", "full-http")


def test_a_nonce_that_could_not_be_stored_is_used_only_once(asking):
    request = {"jsonrpc": "2.0", "id": 1, "method": "status", "nonce": uuid.uuid4().hex, "expires": int(time.time() * 1000) + 20000}
    bridge = asking.connect()

    def send(**more):
        bridge.send_raw(json.dumps({**request, **more}).encode())
        return bridge.receive()

    with full_disk(asking):
        assert send()["result"]["ok"]
        assert send()["error"]["data"]["code"] == "REQUEST_REPLAYED"
        refused = send(method="call", nonce=uuid.uuid4().hex, params={"tool": "cursor_position", "params": {}})
        assert refused["error"]["data"]["code"] == "STORAGE_FAILED"
    assert send()["error"]["data"]["code"] == "REQUEST_REPLAYED"
    # With room on the disk, the next nonce takes the earlier one with it.
    assert send(nonce=uuid.uuid4().hex)["result"]["ok"]
    bridge.close()
    asking.stop()
    asking.start()
    bridge = asking.connect()
    assert send()["error"]["data"]["code"] == "REQUEST_REPLAYED"
    bridge.close()
