"""What belongs to others: a client neither sees it nor can end or undo it. The owner and observers see everything."""
import json

import pytest

from handfast import Desk, finish
from http_client import Client, make_token


@pytest.fixture(scope="module")
def busy():
    """A desk with two clients, an observer and an owner over HTTP."""
    desk = Desk("--virtual", "--size", "640x480", verify=False)
    yield desk
    finish(desk)


@pytest.fixture(scope="module")
def people(busy):
    assert busy.owner_cli("grant", "new", "mine", "--tools", "*").returncode == 0
    assert busy.owner_cli("grant", "new", "other", "--tools", "cursor_position").returncode == 0
    tokens = {"mine": ("--grant", "mine"), "low": ("--level", "L1"), "plain": (), "observer": ("--role", "observer"),
              "owner": ("--role", "owner")}
    clients = {name: Client(busy, make_token(busy, f"o-{name}", *options)) for name, options in tokens.items()}
    yield clients
    for client in clients.values():
        client.close()


def changes(client):
    return client.get("/v1/ledger").json["result"]["changes"]


def test_the_ledger_shows_ones_own_changes(busy, people):
    step = people["plain"].call("clipboard_write", text="secret", run_id="o-ledger").json["step_id"]
    assert step in [entry["step_id"] for entry in changes(people["plain"])]
    for who in ("mine", "low"):
        assert changes(people[who]) == []
    for who in ("observer", "owner"):
        assert step in [entry["step_id"] for entry in changes(people[who])]
    assert step not in [entry["step_id"] for entry in busy.main_bridge.manage("ledger.list")["changes"]]
    assert step in busy.owner_cli("ledger", "list", "--json").shown


def test_grants_show_ones_own(busy, people):
    def grants(who):
        return {entry["id"] for entry in people[who].get("/v1/grants").json["result"]["grants"]}

    part = people["mine"].post("/v1/grants", {"id": "part", "grant": {"tools": ["cursor_position"]}})
    assert part.status == 200, part.body
    assert grants("mine") == {"mine", "part"}
    assert grants("low") == grants("plain") == set()
    assert grants("owner") >= {"mine", "other", "part"} and grants("observer") >= {"mine", "other", "part"}
    assert people["mine"].get("/v1/grants/part").status == 200
    for who in ("mine", "plain", "low"):
        assert people[who].get("/v1/grants/other").status == 400
    assert people["observer"].get("/v1/grants/other").json["result"]["id"] == "other"
    assert busy.main_bridge.manage("grant.list")["grants"] == []


def test_processes_are_for_the_owner(busy, people):
    for who in ("mine", "low", "plain"):
        status = people[who].get("/v1/status").json["result"]
        listed = people[who].get("/v1/desktops").json["result"]["desktops"]
        assert status["pid"] == 0
        for desktop in status["desktops"] + listed:
            assert desktop["hand_pid"] == 0 and "environment" not in desktop and desktop["state"] == "ready"
        for word in ("XAUTHORITY", str(busy.process.pid)):
            assert word not in json.dumps([status["desktops"], listed])
    for who in ("observer", "owner"):
        status = people[who].get("/v1/status").json["result"]
        assert status["pid"] == busy.process.pid and status["desktops"][0]["hand_pid"] > 1
        assert "XAUTHORITY" in status["desktops"][0]["environment"]


def test_a_client_aborts_its_own_runs_only(busy, people):
    plain, mine = people["plain"], people["mine"]
    assert plain.call("window_focus", window_id="nothing", run_id="o-run").status >= 400, "so that there is evidence of the run"
    refused = mine.post("/v1/abort", {"run_id": "o-run"})
    assert refused.status == 404 and refused.code == "RUN_NOT_FOUND", refused.body
    assert plain.call("cursor_position", run_id="o-run").status == 200
    # Nor a run that is still to come.
    assert mine.post("/v1/abort", {"run_id": "o-later"}).status == 200
    assert mine.call("cursor_position", run_id="o-later").code == "DESKTOP_ABORTED"
    assert plain.call("cursor_position", run_id="o-later").status == 200
    assert plain.post("/v1/abort", {"run_id": "o-run"}).status == 200
    assert plain.call("cursor_position", run_id="o-run").code == "DESKTOP_ABORTED"
    assert plain.call("cursor_position", run_id="o-owner").status == 200
    assert people["owner"].post("/v1/abort", {"run_id": "o-owner"}).status == 200
    assert plain.call("cursor_position", run_id="o-owner").code == "DESKTOP_ABORTED"


def test_a_client_undoes_its_own_steps_only(people):
    plain, mine = people["plain"], people["mine"]
    assert plain.call("clipboard_write", text="before", run_id="o-undo").status == 200
    step = plain.call("clipboard_write", text="after", run_id="o-undo").json["step_id"]
    for tool, params in (("undo_to", {"step_id": step}), ("undo_to", {"step_id": step, "only": True}),
                         ("undo_last", {"scope": "desktop"}), ("undo_last", {"run_id": "o-undo"})):
        refused = mine.call(tool, **params)
        assert refused.code == "PRECONDITION_FAILED", (tool, params, refused.body)
    assert plain.call("clipboard_read").json["result"]["text"] == "after"
    assert plain.call("undo_to", step_id=step, only=True).status == 200
    assert plain.call("clipboard_read").json["result"]["text"] == "before"
    again = plain.call("clipboard_write", text="again", run_id="o-undo").json["step_id"]
    assert people["owner"].call("undo_to", step_id=again, only=True).status == 200
    assert plain.call("clipboard_read").json["result"]["text"] == "before"
