"""The owner's agreement: read, set, checked and followed, with a desk and without one."""
import json
import os
import subprocess

import pytest

from handfast import CONTAINER, FULL_AUTO, PROGRAM, ROOT, Desk, eventually


@pytest.fixture
def alone(tmp_path):
    """The command line with directories of its own and no desk."""
    class Alone:
        path = tmp_path / "config" / "handfast" / "config.json"
        policy = tmp_path / "policy.json"

        def run(self, *arguments, **more):
            environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "LANG": "C.UTF-8", "HANDFAST_TEST": "1",
                           "XDG_CONFIG_HOME": str(tmp_path / "config"), "XDG_RUNTIME_DIR": str(tmp_path),
                           "HANDFAST_POLICY": str(self.policy), **more}
            return subprocess.run([PROGRAM, "config", *map(str, arguments)], env=environment, capture_output=True,
                                  text=True, timeout=60)

        def write(self, content, path=None):
            path = path or self.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
            path.chmod(0o600)
    return Alone()


def test_without_a_desk(alone):
    assert alone.run("get", "security.permission_level").stdout == "L3\n"
    assert alone.run("check").returncode == 0 and not alone.path.exists()
    assert alone.run("set", "security.permission_level", "L2").returncode == 0
    assert alone.run("get", "security.permission_level").stdout == "L2\n"
    assert alone.path.stat().st_mode & 0o777 == 0o600
    assert alone.run("set", 'clients."python3.11".level', "L1").returncode == 0
    assert alone.run("set", "security.blocked_apps", '["a", "b"]').returncode == 0
    written = json.loads(alone.path.read_text())
    assert written == {"security": {"permission_level": "L2", "blocked_apps": ["a", "b"]},
                       "clients": {"python3.11": {"level": "L1"}}}
    assert list(written) == ["security", "clients"], "the order in the file stays"
    assert alone.run("set", "security.permission_level", "null").returncode == 0
    assert alone.run("get", "security.permission_level").stdout == "L3\n"
    assert json.loads(alone.run("get").stdout)["limits"]["queue"] == {"per_target": 20, "total": 50}


@pytest.mark.parametrize("arguments, status, says", [
    (["set", "security.permission_level", "L9"], 1, "expected one of: L1, L2, L3, L4"),
    (["set", "security.blocked_apps", "x"], 2, "as JSON"),
    (["set", "security.wings", "2"], 2, "there is no field"),
    (["set", "security..x", "2"], 2, "not a path of a field"),
    (["set", "security", "{}x"], 2, "as JSON"),
    (["set", "security.permission_level"], 2, "handfast help config"),
    (["get", "nope"], 2, "there is no field"),
    (["get", "a", "b"], 2, "handfast help config"),
    (["check", "/nonexistent"], 2, "there is no file"),
    ([], 2, "handfast help config"),
    (["wings"], 2, "handfast help config"),
])
def test_bad_words(alone, arguments, status, says):
    run = alone.run(*arguments)
    assert run.returncode == status and says in run.stderr
    assert not alone.path.exists()


@pytest.mark.parametrize("content, says", [
    (b"", "line 1"),
    (b'{"security": }', "line 1"),
    (b"[1]", "expected an object"),
    (b'{"version": "\xff"}', "UTF-8"),
    (b'{"a":' * 2000 + b"1" + b"}" * 2000, "nests deeper"),
    (b'{"a":' * 200000, "maximum parsing depth"),
    (b" " * (2 << 20), "1 MiB"),
    ({"secruity": {}}, "did you mean 'security'?"),
    ({"security": {"permission_level": "L3", "permission_lvl": 1}}, "security.permission_lvl"),
    ({"projects": {"items": {"p": {"template": "yolo"}}}}, "projects.items.p.template"),
])
def test_check_names_what_is_wrong(alone, tmp_path, content, says):
    alone.write(content)
    for run in (alone.run("check"), alone.run("check", alone.path), alone.run("get")):
        assert run.returncode == 1 and "CONFIG_INVALID" in run.stderr and says in run.stderr
    before = alone.path.read_bytes()
    assert alone.run("set", "ui.theme", "dark").returncode == 1
    assert alone.path.read_bytes() == before, "what cannot be read is not written over"


def test_the_manual_can_be_taken(alone):
    text = (ROOT / "docs" / "policy.md").read_text()
    for example in text.split("```json")[1:]:  # the last one is of everything
        alone.write(example.split("```")[0].encode())
        run = alone.run("check")
        assert run.returncode == 0 and "no such tool" not in run.stdout, run
    holds = json.loads(alone.run("get").stdout)
    assert holds["clients"] == {"python3.11": {"level": "L3"}, "watcher": {"level": "L1", "grant": "looker"}}


def test_defaults_in_the_manual(alone):
    """What docs/policy.md and the seeds promise of a desk without files."""
    holds = json.loads(alone.run("get").stdout)
    assert holds["security"]["permission_level"] == "L3" and holds["security"]["client_level"] == "L2"
    assert holds["projects"]["default_approval_template"] == "development"
    assert holds["limits"]["global"] == {"per_minute": 30, "per_day": 1000}
    assert holds["limits"]["target"] == {"per_minute": 3, "per_day": 100}
    assert holds["limits"]["queue"] == {"per_target": 20, "total": 50}


def test_templates_in_the_manual():
    text = (ROOT / "docs" / "policy.md").read_text()
    for name, template in json.loads((ROOT / "data" / "templates.json").read_text()).items():
        row = next(line for line in text.splitlines() if line.startswith(f"| `{name}`"))
        actions = [template["risk_policies"][risk] for risk in ("low", "medium", "high", "critical")]
        cells = [cell.strip() for cell in row.strip("|").split("|")]
        assert template["names"][1] in cells[0] and cells[1] == template["mode"] and cells[2:6] == actions
        assert cells[6] == {"on": "yes", "off": "no"}[template["tainted"]]


def test_names_of_tools(alone):
    project = {"projects": {"items": {"p": {"approval": {"tool_overrides": {"ide_lsp": "require_approval"}}}}}}
    alone.write(project)
    run = alone.run("check")
    assert run.returncode == 0 and "projects.items.p.approval.tool_overrides.ide_lsp" in run.stdout
    project["projects"]["items"]["p"]["approval"]["tool_overrides"] = {"hotky": "always_block"}
    alone.write(project)
    run = alone.run("check")
    assert run.returncode == 1 and "did you mean 'hotkey'?" in run.stderr


def test_the_administrator_decides(alone):
    alone.write({"security": {"permission_level": "L1"}}, alone.policy)
    assert alone.run("get", "security.permission_level").stdout == "L1\n"
    refused = alone.run("set", "security.permission_level", "L2")
    assert refused.returncode == 1 and str(alone.policy) in refused.stderr and "security.permission_level" in refused.stderr
    alone.write({"security": {"permission_level": "L4"}})
    refused = alone.run("check")
    assert refused.returncode == 1 and str(alone.policy) in refused.stderr
    assert alone.run("check", HANDFAST_TEST="").returncode == 0, "only tests may name another policy"


def test_a_desk_does_not_start_without_an_agreement(own_desk):
    desk = Desk("--virtual", config=b'{"security": {"permission_level": "L7"}}', wait=False)
    assert desk.process.wait(timeout=60) == 1
    assert "security.permission_level" in desk.log.read_text()
    desk.remove()


def test_followed_while_running(own_desk):
    desk = own_desk(config=FULL_AUTO)
    status = desk.main_bridge.manage("status")["config"]
    assert status["file"] == str(desk.config_path) and "problem" not in status
    assert desk.main_bridge.manage("config.get", path="security.client_level")["value"] == "L4"

    def level():
        return desk.main_bridge.manage("config.get", path="security.client_level")["value"]
    desk.write_config({**FULL_AUTO, "security": {"permission_level": "L4", "client_level": "L1"}})
    eventually(lambda: level() == "L1", what="the new level")
    desk.write_config(b'{"security": {"client_level": "L4", "wings": 2}}')
    problem = eventually(lambda: desk.main_bridge.manage("status")["config"].get("problem"), what="a problem")
    assert problem["code"] == "CONFIG_INVALID" and problem["details"]["path"] == "security.wings"
    assert level() == "L1", "not even the good half of a broken file"
    assert b"security.wings" in desk.cli("status").stderr
    desk.config_path.unlink()
    eventually(lambda: "is missing" in desk.main_bridge.manage("status")["config"]["problem"]["message"], what="its loss told")
    assert level() == "L1", "defaults may be looser than what the owner wrote"
    desk.write_config(FULL_AUTO)
    eventually(lambda: level() == "L4", what="the level of before")
    assert "problem" not in desk.main_bridge.manage("status")["config"]


def test_only_the_owner_sets(own_desk):
    desk = own_desk(config=FULL_AUTO)
    refused = desk.cli("config", "set", "security.client_level", "L1")
    assert refused.returncode == 1 and b"FORBIDDEN" in refused.stderr
    answer = desk.main_bridge.request("config.set", {"path": "security.client_level", "value": "L1"})["result"]
    assert answer["error"]["code"] == "FORBIDDEN"
    assert json.loads(desk.config_path.read_text()) == {"container": CONTAINER, **FULL_AUTO}
    run = desk.owner_cli("config", "set", "security.client_level", "L1")
    assert run.returncode == 0, run.shown
    assert desk.main_bridge.manage("config.get", path="security.client_level")["value"] == "L1"
    run = desk.owner_cli("config", "set", "security.client_level", "L8")
    assert run.returncode == 1 and "expected one of" in run.shown


@pytest.mark.parametrize("method, params, code", [
    ("config.get", {"path": "nope"}, "INVALID_PARAMS"),
    ("config.get", {"path": ""}, "INVALID_PARAMS"),
    ("config.get", {"path": 7}, "INVALID_PARAMS"),
    ("config.get", {"wings": 2}, "INVALID_PARAMS"),
    ("config.set", {}, "INVALID_PARAMS"),
    ("config.set", {"path": "ui.theme"}, "FORBIDDEN"),
    ("config.set", {"path": "x" * 100000, "value": 1}, "INVALID_PARAMS"),
])
def test_bad_requests(shared_desk, method, params, code):
    answer = shared_desk.main_bridge.request(method, params)["result"]
    assert not answer["ok"] and answer["error"]["code"] == code


# ---- what loosens waits for a person ----

LEVELS = {"security": {"permission_level": "L3", "client_level": "L2"}}


def field(desk, path):
    return desk.main_bridge.manage("config.get", path=path)["value"]


def held(desk):
    return {change["field"]: change for change in desk.main_bridge.manage("config.held")["held"]}


def test_loosening_is_held(own_desk):
    desk = own_desk(config=LEVELS)
    events = desk.connect()
    events.manage("events.subscribe", types=["config.held"])
    desk.write_config({"security": {"permission_level": "L4", "client_level": "L1"}}, accept=False)
    assert held(desk) == {"security.permission_level": {"field": "security.permission_level", "accepted": "L3", "wanted": "L4"}}
    assert field(desk, "security.permission_level") == "L3" and field(desk, "security.client_level") == "L1", \
        "the half that tightens holds at once"
    event = events.receive()["params"]
    assert event["type"] == "config.held" and event["data"]["fields"] == ["security.permission_level"]
    assert desk.main_bridge.manage("status")["config"]["held"] == ["security.permission_level"]
    assert b"handfast config accept" in desk.cli("status").stdout
    assert b"+ \"L4\"" in desk.cli("config", "held").stdout
    assert any(row.get("event") == "config-held" for row in desk.audit())
    # What was tightened is not taken back without the owner either.
    desk.write_config(LEVELS, accept=False)
    assert list(held(desk)) == ["security.client_level"] and field(desk, "security.client_level") == "L1"


def test_only_the_owner_accepts(own_desk):
    desk = own_desk(config=LEVELS)
    wanted = {"security": {"permission_level": "L4", "client_level": "L4"}, "audit": {"enabled": False}}
    desk.write_config(wanted, accept=False)
    waits = desk.main_bridge.manage("config.held")
    assert sorted(change["field"] for change in waits["held"]) == ["audit.enabled", "security.client_level",
                                                                   "security.permission_level"]
    answer = desk.main_bridge.request("config.accept", {"hash": waits["hash"]})["result"]
    assert answer["error"]["code"] == "FORBIDDEN"
    assert desk.cli("config", "accept", input=b"y\n").returncode == 1
    run = desk.owner_cli("config", "accept", answer="n\n")
    assert run.returncode == 1 and "audit.enabled" in run.shown and "still held" in run.shown
    assert field(desk, "security.client_level") == "L2"
    run = desk.owner_cli("config", "accept", answer="y\n")
    assert run.returncode == 0 and "accepted" in run.shown, run.shown
    assert field(desk, "security.client_level") == "L4" and not held(desk)
    assert "held" not in desk.main_bridge.manage("status")["config"]
    assert any(row.get("event") == "config-accept" for row in desk.audit())
    assert "no change" in desk.owner_cli("config", "accept").shown


def test_what_was_shown_is_accepted(own_desk):
    """The file changes between the question and the answer."""
    import pty
    desk = own_desk(config=LEVELS)
    desk.write_config({"security": {"permission_level": "L3", "client_level": "L3"}}, accept=False)
    pid, master = pty.fork()
    if pid == 0:
        os.execve(PROGRAM, ["handfast", "config", "accept"], desk.environment)
    shown = b""
    while b"[y/N]" not in shown:
        shown += os.read(master, 4096)
    desk.write_config({"security": {"permission_level": "L4", "client_level": "L4"}}, accept=False)
    os.write(master, b"y\n")
    while True:
        try:
            data = os.read(master, 4096)
        except OSError:
            break
        shown += data
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 1
    assert b"CONFLICT" in shown and field(desk, "security.client_level") == "L2"


def test_setting_accepts_only_what_is_set(own_desk):
    desk = own_desk(config=LEVELS)
    desk.write_config({**LEVELS, "audit": {"enabled": False}}, accept=False)
    assert desk.owner_cli("config", "set", "security.client_level", "L3").returncode == 0
    assert field(desk, "security.client_level") == "L3"
    assert list(held(desk)) == ["audit.enabled"] and field(desk, "audit.enabled") is True


def test_held_over_a_restart(own_desk):
    desk = own_desk(config=LEVELS)
    desk.stop()
    desk.write_config({"security": {"permission_level": "L4", "client_level": "L1"}})
    desk.start()
    assert list(held(desk)) == ["security.permission_level"] and field(desk, "security.client_level") == "L1"
    desk.stop()
    desk.config_path.unlink()
    desk.start()
    assert list(held(desk)) == ["security.client_level"], "without the file the defaults would be looser"
    assert desk.owner_cli("config", "accept", answer="y\n").returncode == 0
    desk.stop()
    desk.start()
    assert not held(desk) and field(desk, "security.client_level") == "L2"


def test_a_person_who_starts_the_desk_accepts(own_desk):
    import pty
    desk = own_desk(config=LEVELS)
    desk.stop()
    desk.write_config({"security": {"permission_level": "L4", "client_level": "L2"}})
    desk.start()
    eventually(lambda: "config accept" in desk.log_text() and "security.permission_level" in desk.log_text(), what="the banner")
    assert field(desk, "security.permission_level") == "L3", "nobody was there"
    desk.stop()
    pid, master = pty.fork()
    if pid == 0:
        os.execve(PROGRAM, ["handfast", "serve", *desk.arguments], desk.environment)
    shown = b""
    while b"Ctrl+C" not in shown or b"security.permission_level" not in shown:
        shown += os.read(master, 4096)
    desk.main_bridge = desk.connect()
    assert field(desk, "security.permission_level") == "L4" and not held(desk)
    assert any(row.get("event") == "config-accept" for row in desk.audit())
    os.write(master, b"\x03")
    with pytest.raises(OSError):
        while True:
            os.read(master, 4096)
    os.waitpid(pid, 0)
    desk.start()


def test_the_administrator_needs_no_owner(own_desk):
    desk = own_desk(config=None, policy={"security": {"client_level": "L1"}})
    desk.write_config({"security": {"client_level": "L3"}}, desk.policy_path)
    eventually(lambda: field(desk, "security.client_level") == "L3", what="the administrator's new level")
    assert not held(desk)


@pytest.mark.parametrize("before, after, field_name", [
    ({}, {"projects": {"default_approval_template": "full-auto"}}, "projects.default_approval_template"),
    ({}, {"security": {"allowed_directories": ["/"]}}, "security.allowed_directories"),
    ({}, {"security": {"denied_patterns": []}}, "security.denied_patterns"),
    ({}, {"security": {"blocked_apps": []}}, "security.blocked_apps"),
    ({}, {"clients": {"python3.11": {"may_approve": True}}}, 'clients."python3.11".may_approve'),
    ({}, {"clients": {"python3.11": {"level": "L4"}}}, 'clients."python3.11".level'),
    ({"security": {"bridge": {"allowed_programs": ["/usr/*"]}}}, {}, "security.bridge.allowed_programs"),
    ({}, {"limits": {"global": {"per_minute": 0}}}, "limits.global.per_minute"),
    ({"approval": {"two_phase": "high"}}, {}, "approval.two_phase"),
    ({}, {"http": {"allow": ["0.0.0.0/0"]}}, "http.allow"),
    ({}, {"stop": {"hotkey": "f24"}}, "stop.hotkey"),
])
def test_each_kind(own_desk, before, after, field_name):
    desk = own_desk(config=before)
    was = field(desk, field_name)
    desk.write_config(after, accept=False)
    assert list(held(desk)) == [field_name] and field(desk, field_name) == was
