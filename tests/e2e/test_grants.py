"""Levels and grants: who may what, how a grant is given, handed on, used up and ended."""
import json
import sys

import pytest

from handfast import FULL_AUTO, eventually
from witness import RECORDER, Witness

# The name under which the tests' own connections are known.
import os
ME = os.path.basename(os.path.realpath(sys.executable))


def config(**security):
    return {**FULL_AUTO, "security": {**FULL_AUTO["security"], **security}}


@pytest.fixture(scope="module")
def granting():
    """A desk for the tests of this file; each writes its own config."""
    from handfast import finish
    from handfast import Desk
    desk = Desk("--virtual", "--size", "640x480")
    yield desk
    finish(desk)


def use(desk, wanted):
    """Takes this config and waits until it holds."""
    marked = {**wanted, "version": os.urandom(8).hex()}
    desk.write_config(marked)
    eventually(lambda: desk.main_bridge.manage("config.get", path="version")["value"] == marked["version"],
               what="the new agreement")


LEVELS = [
    # ceiling, level of clients, tool, level it needs, allowed
    ("L4", "L1", "screenshot", "L1", True),
    ("L4", "L1", "mouse_move", "L2", False),
    ("L4", "L2", "mouse_move", "L2", True),
    ("L4", "L2", "hotkey", "L3", False),
    ("L4", "L3", "hotkey", "L3", True),
    ("L2", "L4", "hotkey", "L3", False),
    ("L1", "L4", "mouse_move", "L2", False),
]
PARAMS = {"mouse_move": {"x": 1, "y": 1, "smooth": False}, "hotkey": {"keys": ["shift"], "reason": "test"},
          "screenshot": {}}


@pytest.mark.parametrize("ceiling, level, tool, needs, allowed", LEVELS)
def test_levels(granting, ceiling, level, tool, needs, allowed):
    use(granting, config(permission_level=ceiling, client_level=level))
    if allowed:
        granting.call(tool, **PARAMS[tool])
        return
    error = granting.fails("FORBIDDEN", tool, **PARAMS[tool])
    assert error["details"] == {"needs": needs, "has": min(ceiling, level), "ceiling": ceiling}
    assert tool in error["message"] and needs in error["message"] and min(ceiling, level) in error["message"]
    assert ("security.permission_level" if ceiling < needs else "clients.") in error["suggestion"]
    refused = [row for row in granting.audit() if row["kind"] == "refusal"][-1]
    assert refused["tool"] == tool and refused["code"] == "FORBIDDEN"


def test_a_client_of_its_own_level(granting):
    use(granting, {**config(client_level="L1"), "clients": {ME: {"level": "L2"}}})
    granting.call("mouse_move", **PARAMS["mouse_move"])
    use(granting, {**config(client_level="L4"), "clients": {ME: {"level": "L1"}}})
    granting.fails("FORBIDDEN", "mouse_move", **PARAMS["mouse_move"])


def test_the_owner_has_the_ceiling(granting):
    use(granting, config(permission_level="L3", client_level="L1"))
    run = granting.owner_cli("mouse_move", "5", "5", "--no-smooth")
    assert run.returncode == 0, run.shown
    assert b"FORBIDDEN" in granting.cli("mouse_move", "5", "5").stderr, "no terminal: a client like any other"
    use(granting, config(permission_level="L1"))
    assert "FORBIDDEN" in granting.owner_cli("mouse_move", "5", "5").shown


def test_programs_that_may_connect(granting):
    use(granting, config(bridge={"allowed_programs": ["/usr/bin/nothing*"]}))
    error = granting.fails("FORBIDDEN", "wait", duration=0)
    assert "allowed_programs" in error["suggestion"]
    use(granting, config(bridge={"allowed_programs": ["*python*"]}))
    granting.call("wait", duration=0)


def give(desk, identity, *options):
    run = desk.owner_cli("grant", "new", identity, "--json", *options)
    assert run.returncode == 0, run.shown
    return json.loads(run.shown)


def test_only_the_owner_gives(granting):
    use(granting, FULL_AUTO)
    run = granting.cli("grant", "new", "mine", "--tools", "*")
    assert run.returncode == 1 and b"FORBIDDEN" in run.stderr
    answer = granting.main_bridge.request("grant.new", {"id": "mine", "grant": {"tools": ["*"]}})["result"]
    assert answer["error"]["code"] == "FORBIDDEN"
    give(granting, "tmp1", "--tools", "wait")
    answer = granting.main_bridge.request("grant.revoke", {"id": "tmp1"})["result"]
    assert answer["error"]["code"] == "FORBIDDEN"
    assert [row for row in granting.audit() if row.get("event") == "grant-new" and not row["data"]["ok"]]


def test_a_grant_bounds_a_client(granting):
    given = give(granting, "looker", "--tools", "toolset:look,left_click", "--max-risk", "low")
    assert given["grant"] == {"tools": ["toolset:look", "left_click"], "restrictions": {"max_risk_level": "low"},
                              "approval_overrides": {}}
    use(granting, {**FULL_AUTO, "clients": {ME: {"grant": "looker"}}})
    granting.call("screenshot")
    error = granting.fails("FORBIDDEN", "mouse_move", **PARAMS["mouse_move"])
    assert error["details"]["grant"] == "looker"
    error = granting.fails("FORBIDDEN", "left_click", x=1, y=1)
    assert error["details"]["max_risk_level"] == "low" and error["details"]["risk"] == "medium"
    assert granting.owner_cli("grant", "revoke", "looker").returncode == 0
    assert "revoked" in granting.fails("FORBIDDEN", "screenshot")["message"]
    assert "looker" in granting.owner_cli("grant", "list").shown
    assert json.loads(granting.owner_cli("grant", "show", "looker", "--json").shown)["revoked"] is True
    use(granting, {**FULL_AUTO, "clients": {ME: {"grant": "nowhere"}}})
    assert "there is no grant 'nowhere'" in granting.fails("FORBIDDEN", "screenshot")["message"]


def test_applications_of_a_grant(granting):
    give(granting, "editor", "--tools", "app_launch,app_list", "--app", "mouse*")
    use(granting, {**FULL_AUTO, "clients": {ME: {"grant": "editor"}}})
    error = granting.fails("APP_NOT_ALLOWED", "app_launch", name="xterm")
    assert error["details"]["expected"] == ["mouse*"]
    granting.fails("APP_NOT_ALLOWED", "app_launch", name="/usr/bin/xterm")
    granting.call("app_launch", name="mousepad")


def test_handed_on_only_smaller(granting):
    give(granting, "whole", "--tools", "mouse,wait", "--max-risk", "medium")
    use(granting, {**FULL_AUTO, "clients": {ME: {"grant": "whole"}}})
    bridge = granting.main_bridge
    part = bridge.manage("grant.new", id="part", grant={"tools": ["wait"]})
    assert part["grant"]["restrictions"] == {"max_risk_level": "medium"}, "what is not said is inherited"
    granting.call("wait", duration=0, grant="part")
    error = granting.fails("FORBIDDEN", "mouse_move", **PARAMS["mouse_move"], grant="part")
    assert error["details"]["grant"] == "part"
    granting.call("mouse_move", **PARAMS["mouse_move"])
    for wanted in ({"tools": ["*"]}, {"tools": ["wait", "screenshot"]},
                   {"tools": ["wait"], "restrictions": {"max_risk_level": "high"}}):
        answer = bridge.request("grant.new", {"id": "more", "grant": wanted})["result"]
        assert answer["error"]["code"] == "FORBIDDEN", answer
    give(granting, "other", "--tools", "*")
    error = granting.fails("FORBIDDEN", "screenshot", grant="other")
    assert "not derived from 'whole'" in error["message"]
    assert granting.owner_cli("grant", "revoke", "whole").returncode == 0
    assert "'whole' was revoked" in granting.fails("FORBIDDEN", "wait", duration=0, grant="part")["message"]


def test_anyone_may_bind_themselves(granting):
    use(granting, FULL_AUTO)
    give(granting, "self", "--tools", "wait")
    granting.call("wait", duration=0, grant="self")
    granting.fails("FORBIDDEN", "screenshot", grant="self")
    granting.fails("FORBIDDEN", "screenshot", grant="nowhere")
    granting.fails("INVALID_PARAMS", "screenshot", grant="")
    granting.fails("INVALID_PARAMS", "screenshot", grant=7)


def test_expiry_is_checked_at_each_call(granting):
    use(granting, FULL_AUTO)
    give(granting, "short", "--tools", "wait", "--expires", "2s")
    granting.call("wait", duration=0, grant="short")

    def expired():
        answer = granting.answer("wait", duration=0, grant="short")
        return not answer["ok"] and answer["error"]
    error = eventually(expired, 10, "its end")
    assert error["code"] == "FORBIDDEN" and "expired" in error["message"]


@pytest.mark.parametrize("params, code", [
    ({}, "INVALID_PARAMS"),
    ({"grant": {}}, "FORBIDDEN"),
    ({"grant": 7}, "INVALID_PARAMS"),
    ({"grant": {"tools": ["wait"]}, "id": ""}, "INVALID_PARAMS"),
    ({"grant": {"tools": ["wait"]}, "id": "x" * 1000}, "INVALID_PARAMS"),
    ({"grant": {"tools": ["wait"]}, "wings": 2}, "INVALID_PARAMS"),
])
def test_bad_requests(granting, params, code):
    use(granting, FULL_AUTO)
    answer = granting.main_bridge.request("grant.new", params)["result"]
    assert not answer["ok"] and answer["error"]["code"] == code


@pytest.mark.parametrize("options, says", [
    (["--tools", "no_such_tool"], "no_such_tool"),
    (["--tools", "wait", "--max-risk", "huge"], "--max-risk"),
    (["--tools", "wait", "--expires", "tomorrow"], "expires_at"),
    (["--tools", "wait", "--override", "wait"], "TOOL=ACTION"),
    (["--tools", "wait", "--override", "wait=maybe"], "approval_overrides.wait"),
    (["--max-calls", "5"], "tools"),
    (["--tools", "wait", "--from", "nowhere"], "there is no grant"),
    (["--tools", "wait", "--wings"], "wings"),
])
def test_bad_words(granting, options, says):
    use(granting, FULL_AUTO)
    run = granting.owner_cli("grant", "new", "bad", *options)
    assert run.returncode != 0 and says in run.shown


def refused(desk, method, **params):
    answer = desk.main_bridge.request(method, params)["result"]
    assert not answer["ok"], answer
    return answer["error"]


def test_desktops_are_not_for_everyone(granting):
    """Making one starts programs, removing one ends them: no tool does that, but it is asked all the same."""
    display = granting.desktops()["main"]["display"]
    use(granting, config(client_level="L1"))
    assert refused(granting, "desktop.new", name="mine")["code"] == "FORBIDDEN"
    assert "L2" in refused(granting, "desktop.remove", name="main")["message"]
    use(granting, config(client_level="L3"))
    assert "L4" in refused(granting, "desktop.new", name="mine", display=display)["message"]
    give(granting, "narrow", "--tools", "*")
    use(granting, {**FULL_AUTO, "clients": {ME: {"grant": "narrow"}}})
    assert "narrow" in refused(granting, "desktop.remove", name="main")["message"]
    use(granting, config(bridge={"allowed_programs": ["/usr/bin/nothing*"]}))
    assert refused(granting, "desktop.remove", name="main")["code"] == "FORBIDDEN"
    use(granting, FULL_AUTO)
    assert "main" in granting.desktops()
    rows = [row for row in granting.audit() if row.get("event") in ("desktop-new", "desktop-remove")]
    assert len(rows) == 5 and not any(row["data"]["ok"] for row in rows)


def test_desktops_wait_while_everything_is_stopped(granting):
    use(granting, FULL_AUTO)
    granting.cli("stop", check=True)
    try:
        assert refused(granting, "desktop.new", name="mine")["code"] == "STOPPED"
        assert refused(granting, "desktop.remove", name="main")["code"] == "STOPPED"
    finally:
        assert granting.owner_cli("resume").returncode == 0
    granting.new_desktop("mine")
    granting.remove_desktop("mine")
    done = [row["event"] for row in granting.audit() if row.get("event", "").startswith("desktop-") and row["data"]["ok"]]
    assert done == ["desktop-new", "desktop-remove"]


INPUT = "mouse,keyboard,windows,screen,app_close"


def click_into(window):
    return {"x": window["bounds"]["x"] + 30, "y": window["bounds"]["y"] + 30}


def test_only_windows_of_the_grants_applications_get_input(granting):
    """Whatever is in front, whoever put it there: what each window saw decides."""
    use(granting, FULL_AUTO)
    inside = Witness(granting, RECORDER, "--geometry", "200x150+20+40", "--title", "Notes of the grant")
    outside = Witness(granting, RECORDER, "--geometry", "200x150+300+40", "--title", "Somebody else")
    try:
        mine, other = granting.window("Notes of the grant"), granting.window("Somebody else")
        give(granting, "notes", "--tools", INPUT, "--app", "*notes of*")
        use(granting, {**FULL_AUTO, "clients": {ME: {"grant": "notes"}}})
        # `outside` came last and is in front: it gets no key, and hides nothing of what it is.
        for tool, params in [("type_text", {"text": "x"}), ("key_press", {"keys": "a"}), ("left_click", click_into(other)),
                             ("window_focus", {"window_id": other["window_id"]}),
                             ("app_close", {"pid": outside.process.inside, "force": True})]:
            error = granting.fails("APP_NOT_ALLOWED", tool, **params)
            assert error["details"]["rule"] == "grant.allowed-apps", tool
        granting.call("window_focus", window_id=mine["window_id"])
        granting.call("left_click", **click_into(mine))
        granting.call("type_text", text="ok")
        inside.all(lambda line: line["event"] == "button_press")
        granting.fails("APP_NOT_ALLOWED", "left_click", **click_into(other))
        assert not [line for line in list(outside.lines.queue) if line["event"] in ("key_press", "button_press")]
    finally:
        inside.stop()
        outside.stop()


def test_a_workspace_binds_its_windows(granting, tmp_path):
    """By where the program works, or by what the title says."""
    use(granting, FULL_AUTO)
    workspace = tmp_path / "meadow"
    (workspace / "below").mkdir(parents=True)
    titled = Witness(granting, RECORDER, "--geometry", "150x100+20+40", "--title", "a.txt - meadow - Bound")
    elsewhere = Witness(granting, RECORDER, "--geometry", "150x100+420+40", "--title", "a.txt - meadow2 - Bound")
    # The third is told by nothing but where it works.
    here = os.getcwd()
    os.chdir(workspace / "below")
    try:
        working = Witness(granting, RECORDER, "--geometry", "150x100+220+40", "--title", "untitled - Bound")
    finally:
        os.chdir(here)
    try:
        windows = [granting.window(title) for title in ("meadow - Bound", "untitled - Bound", "meadow2 - Bound")]
        given = give(granting, "meadow", "--tools", INPUT, "--app", "*bound", "--workspace", workspace)
        assert given["grant"]["restrictions"]["allowed_apps"] == [{"app": "*bound", "workspace": str(workspace)}]
        use(granting, {**FULL_AUTO, "clients": {ME: {"grant": "meadow"}}})
        for window, witness in zip(windows[:2], (titled, working)):
            granting.call("window_focus", window_id=window["window_id"])
            granting.call("left_click", **click_into(window))
            witness.all(lambda line: line["event"] == "button_press")
        error = granting.fails("APP_NOT_ALLOWED", "window_focus", window_id=windows[2]["window_id"])
        assert error["details"]["rule"] == "grant.allowed-apps"
        granting.fails("APP_NOT_ALLOWED", "left_click", **click_into(windows[2]))
        assert not [line for line in list(elsewhere.lines.queue) if line["event"] == "button_press"]
        run = granting.owner_cli("grant", "new", "nothing", "--tools", "wait", "--workspace", "/tmp")
        assert run.returncode == 2 and "--app" in run.shown
    finally:
        for witness in (titled, working, elsewhere):
            witness.stop()
