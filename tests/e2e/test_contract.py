"""The contract (docs/contract.md): what callers rely on changes only with its version, and the test says how."""
import copy
import json
import sys

import pytest

from handfast import PROGRAM, ROOT

sys.path.insert(0, str(ROOT / "scripts"))
import contract  # noqa: E402


@pytest.fixture(scope="module")
def snapshot():
    return json.loads(contract.SNAPSHOT.read_text())


def test_nothing_has_changed_without_a_version(snapshot):
    told = contract.judge(snapshot, contract.current(PROGRAM))
    assert not told, "\n" + told


def test_every_part_is_there(snapshot):
    least = {"tools": 30, "errors": 40, "commands": 20, "methods": 20, "events": 10, "routes": 20, "method_results": 30, "route_answers": 30}
    assert all(len(snapshot[part]) >= count for part, count in least.items()), {part: len(snapshot[part]) for part in least}
    assert snapshot["config"]["properties"]["security"]["properties"]["permission_level"]["enum"] == ["L1", "L2", "L3", "L4"]


def test_the_desk_says_which_contract_it_keeps(shared_desk, snapshot):
    assert shared_desk.main_bridge.manage("status")["contract"] == snapshot["version"]
    assert shared_desk.cli("--version").stdout.decode().strip().endswith(f"contract {snapshot['version']}")
    assert f"`{snapshot['version']}`" in (ROOT / "docs" / "contract.md").read_text()


def test_methods_of_the_snapshot_exist(shared_desk, snapshot):
    for method in set(snapshot["methods"]) - {"stop", "pause", "cancel", "resume", "mcp.open"}:
        bridge = shared_desk.connect()
        assert bridge.request(method, {}).get("error", {}).get("code") != -32601, method
        bridge.close()


def walk(value, *path):
    for step in path:
        value = value[step]
    return value


WAIT = ("tools", "wait", "params")
RESULT = ("tools", "cursor_position", "result")

# (what is done to the contract, the kind of change, a part of the sentence)
CHANGES = [
    (lambda c: c["tools"].pop("wait"), "breaking", "'wait' is gone"),
    (lambda c: c["tools"].update(new=c["tools"]["wait"]), "compatible", "'new' is new"),
    (lambda c: walk(c, *WAIT, "properties").update(more={"type": "string"}), "compatible", "wait.more is new"),
    (lambda c: walk(c, *WAIT, "properties").pop("duration"), "breaking", "wait.duration is gone"),
    (lambda c: (walk(c, *WAIT, "properties").update(more={"type": "string"}), walk(c, *WAIT)["required"].append("more")),
     "breaking", "wait.more is new and required"),
    (lambda c: walk(c, *WAIT)["required"].append("reason"), "breaking", "wait.reason is required now"),
    (lambda c: walk(c, *WAIT)["required"].remove("duration"), "compatible", "not required any more"),
    (lambda c: walk(c, *WAIT, "properties", "duration").update(type="integer"), "breaking", "wait.duration: type"),
    (lambda c: walk(c, *WAIT, "properties", "duration").update(maximum=10 ** 6), "compatible", "maximum"),
    (lambda c: walk(c, *WAIT, "properties", "duration").update(maximum=1), "breaking", "maximum"),
    (lambda c: walk(c, *WAIT, "properties", "phase")["enum"].append("third"), "compatible", "'third' is new"),
    (lambda c: walk(c, *WAIT, "properties", "phase")["enum"].remove("confirm"), "breaking", "'confirm' is gone"),
    (lambda c: c["tools"]["scroll"]["params"]["properties"]["direction"].update(default="up"), "breaking", "default"),
    (lambda c: walk(c, *RESULT, "properties").update(more={"type": "string"}), "compatible", "result.more is new"),
    (lambda c: walk(c, *RESULT, "properties").pop("x"), "breaking", "result.x is gone"),
    (lambda c: walk(c, *RESULT)["required"].remove("x"), "breaking", "x is not required any more"),
    (lambda c: c["errors"].pop("LOCKED"), "breaking", "'LOCKED' is gone"),
    (lambda c: c["errors"].update(NEW={"retryable": False, "status": 400}), "compatible", "'NEW' is new"),
    (lambda c: c["errors"]["LOCKED"].update(status=500), "breaking", "LOCKED was"),
    (lambda c: c["exit_codes"].update(no_desk=4), "breaking", "no_desk"),
    (lambda c: c["methods"].pop("call"), "breaking", "'call' is gone"),
    (lambda c: walk(c, "methods", "desktop.new", "properties").pop("scale"), "breaking", "desktop.new.scale is gone"),
    (lambda c: walk(c, "methods", "token.new", "properties").update(more={"type": "string"}), "compatible", "token.new.more is new"),
    (lambda c: walk(c, "method_results", "status", "properties").pop("pid"), "breaking", "status result.pid is gone"),
    (lambda c: walk(c, "method_results", "runs.list", "properties", "runs", "items", "properties").update(more={"type": "string"}),
     "compatible", "runs[].more is new"),
    (lambda c: walk(c, "route_answers", "GET /health", "required").remove("state"), "breaking", "state is not required any more"),
    (lambda c: c["method_results"].pop("status"), "breaking", "'status' is gone"),
    (lambda c: c["events"].update(sunrise=[]), "compatible", "'sunrise' is new"),
    (lambda c: c["events"]["call.finished"].remove("code"), "breaking", "event call.finished: 'code' is gone"),
    (lambda c: c["events"]["notice"].append("more"), "compatible", "event notice: 'more' is new"),
    (lambda c: c["routes"].pop("GET /env"), "breaking", "'GET /env' is gone"),
    (lambda c: walk(c, "routes", "POST /input/mouse", "properties").pop("deltaY"), "breaking", "POST /input/mouse.deltaY is gone"),
    (lambda c: walk(c, "routes", "POST /v1/approvals/{id}/deny", "properties").update(more={"type": "string"}), "compatible", "deny.more"),
    (lambda c: c["commands"]["desktop"].remove("--size"), "breaking", "'--size' is gone"),
    (lambda c: c["config"]["properties"]["stop"]["properties"].pop("hotkey"), "breaking", "config.stop.hotkey is gone"),
    (lambda c: c["config"]["properties"].update(more={"type": "object"}), "compatible", "config.more is new"),
]


@pytest.mark.parametrize("change, kind, says", CHANGES, ids=[says for _, _, says in CHANGES])
def test_what_a_change_asks_for(snapshot, change, kind, says):
    changed = copy.deepcopy(snapshot)
    change(changed)
    found = list(contract.compare(snapshot, changed))
    assert [each for each, _ in found] == [kind], found
    assert says in found[0][1]
    major, minor = map(int, snapshot["version"].split("."))
    needed = f"{major + 1}.0" if kind == "breaking" else f"{major}.{minor + 1}"
    told = contract.judge(snapshot, changed)
    assert kind in told and f'HF_CONTRACT to "{needed}"' in told and "make contract" in told
    changed["version"] = needed
    assert "Set HF_CONTRACT" not in contract.judge(snapshot, changed)


def test_words_for_people_may_change(snapshot):
    assert contract.strip({"description": "x", "properties": {"description": {"type": "string", "description": "y"}}}) == \
        {"properties": {"description": {"type": "string"}}}
