"""What the owner is asked and answers: through the bridge, the command line and a terminal."""
import json
import pathlib
import signal
import stat
import sys
import time

import pytest

from handfast import FULL_AUTO, SLOW, ToolError, eventually

ASK = "require_approval"


def config(timeout_s=300, two_phase="off", **approval):
    """Everything goes on by itself but what the test says; `approval` as a project's."""
    return {**FULL_AUTO, "approval": {"timeout_s": timeout_s, "two_phase": two_phase},
            "projects": {"default_approval_template": "full-auto",
                         "items": {"p": {"template": "full-auto", "approval": approval},
                                   "strict": {"template": "严格模式"}, "watch": {"template": "watch"}}}}


@pytest.fixture(scope="module")
def desk():
    from handfast import Desk
    from handfast import finish
    desk = Desk("--virtual", "--size", "640x480", "--private-home", verify=False, config=config(
        tool_overrides={"wait": ASK, "mouse_move": ASK, "key_press": ASK, "window_focus": ASK, "scroll": "always_block",
                        "cursor_position": "notify_only"},
        confirm=[{"tool": "left_click", "memory": "first_time"}]))
    yield desk
    finish(desk)


def ask(bridge, tool="wait", **params):
    """Sends a call that must wait; returns its id and the question."""
    params = {"duration": 0} if tool == "wait" and not params else params
    identity = bridge.send("call", {"tool": tool, "params": {"project": "p", **params}})
    notice = bridge.receive()
    assert notice["method"] == "waiting" and notice["params"]["id"] == identity, notice
    return identity, notice["params"]["approval"]


def answer_of(bridge, identity):
    reply = bridge.receive()
    assert reply["id"] == identity, reply
    return reply["result"]


def pointer(desk):
    position = desk.call("cursor_position")
    return {"x": position["x"], "y": position["y"]}


def events(desk, approval):
    return [row["event"] for row in desk.audit()
            if row["kind"] == "event" and row.get("data", {}).get("approval") == approval]


def show(desk, approval):
    run = desk.owner_cli("approvals", "show", approval, "--json")
    assert run.returncode == 0, run.shown
    return json.loads(run.shown)


def test_asked_and_approved(desk):
    bridge = desk.connect()
    identity, question = ask(bridge, "mouse_move", x=100, y=120, smooth=False, reason="to see")
    assert question["state"] == "pending" and question["waits_for"] == "owner"
    assert question["params"]["x"] == 100 and question["desktop"] == "main" and question["reason"] == "to see"
    assert question["decided_by"] == "tool_overrides.mouse_move"
    listed = desk.owner_cli("approvals", "--json")
    assert question["id"] in [row["id"] for row in json.loads(listed.shown)]
    assert question["id"] in desk.owner_cli("approvals").shown
    assert pointer(desk) != {"x": 100, "y": 120}, "nothing may happen before the answer"
    run = desk.owner_cli("approve", question["id"])
    assert run.returncode == 0, run.shown
    answer = answer_of(bridge, identity)
    assert answer["ok"], answer
    assert pointer(desk) == {"x": 100, "y": 120}
    assert show(desk, question["id"])["state"] == "consumed"
    assert events(desk, question["id"]) == ["approval.asked", "approval.approved"]
    approved = next(row for row in desk.audit() if row.get("event") == "approval.approved"
                    and row["data"]["approval"] == question["id"])
    assert "owner" in approved["data"]["by"]
    bridge.close()


def test_a_marked_picture_is_kept_for_the_owner_alone(desk):
    from PIL import Image
    bridge = desk.connect()
    identity, question = ask(bridge, "mouse_move", x=320, y=240, smooth=False)
    path = pathlib.Path(question["picture"])
    assert stat.S_IMODE(path.stat().st_mode) == 0o600 and stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    image = Image.open(path).convert("RGB")
    centre = image.crop((310, 230, 330, 250)) if image.width == 640 else image
    assert len(set(centre.getdata())) > 1, "there must be a mark where the pointer would go"
    assert "picture" in desk.owner_cli("approvals", "show", question["id"]).shown
    desk.owner_cli("deny", question["id"])
    assert answer_of(bridge, identity)["error"]["code"] == "APPROVAL_DENIED"
    bridge.close()


def test_the_end_of_input_is_a_no(own_desk):
    """Ctrl-D at the question: nobody will type an answer any more."""
    desk = own_desk("--virtual", "--size", "640x480", config={})
    (desk.home / "Projects").mkdir()
    path = desk.home / "Projects" / "made"
    began = time.monotonic()
    asked = desk.owner_cli("file_write", path, "text", answer="\x04")
    assert time.monotonic() - began < 15 * SLOW, "it waited for the time limit of the question"
    assert asked.returncode == 1 and "Allow it?" in asked.shown and "APPROVAL_DENIED" in asked.shown
    assert not path.exists()


def test_nothing_is_shown_twice(own_desk):
    desk = own_desk("--virtual", "--size", "640x480", config={"security": {"permission_level": "L3", "client_level": "L3"}})
    asked = desk.owner_cli("bash_execute", "echo once", answer="n\n")
    question = asked.shown.split("Allow it?")[0]
    assert asked.returncode == 1 and question.count("echo once") == 1, question


def test_denied_with_a_reason(desk):
    bridge = desk.connect()
    identity, question = ask(bridge)
    assert desk.owner_cli("deny", question["id"], "--reason", "not now").returncode == 0
    error = answer_of(bridge, identity)["error"]
    assert error["code"] == "APPROVAL_DENIED" and "not now" in error["message"]
    assert error["details"]["approval"] == question["id"]
    run = desk.owner_cli("approve", question["id"])
    assert run.returncode == 1 and "CONFLICT" in run.shown, "an answer is given once"
    assert desk.owner_cli("approve", "a_nothing").shown.startswith("PRECONDITION_FAILED")
    bridge.close()


def test_only_the_owner_answers(desk):
    bridge, other = desk.connect(), desk.connect()
    identity, question = ask(bridge)
    for each in (bridge, other):
        with pytest.raises(ToolError) as failure:
            each.manage("approvals.approve", id=question["id"])
        assert failure.value.code == "FORBIDDEN"
    assert desk.cli("approve", question["id"]).returncode == 1
    run = desk.cli("deny", question["id"])
    assert run.returncode == 1 and b"FORBIDDEN" in run.stderr
    assert json.loads(desk.cli("approvals", "--json").stdout) == [], "others see only what they asked themselves"
    assert [row["id"] for row in bridge.manage("approvals.list")["approvals"]] == [question["id"]]
    for method in ("approvals.memory", "approvals.forget"):
        with pytest.raises(ToolError) as failure:
            bridge.manage(method, **({"id": "m_x"} if method.endswith("forget") else {}))
        assert failure.value.code == "FORBIDDEN"
    # Who asked may take it back.
    assert other.manage("approvals.deny", id=question["id"])["state"] == "cancelled"
    assert answer_of(bridge, identity)["error"]["code"] == "DESKTOP_ABORTED"
    bridge.close()
    other.close()


def test_cancelled_or_gone(desk):
    bridge = desk.connect()
    identity, question = ask(bridge)
    bridge.send("cancel", {"id": identity})
    codes = [reply["result"].get("error", {}).get("code") for reply in (bridge.receive(), bridge.receive())]
    assert "DESKTOP_ABORTED" in codes
    assert show(desk, question["id"])["state"] == "cancelled"
    _, question = ask(bridge)
    bridge.close()
    eventually(lambda: show(desk, question["id"])["state"] == "cancelled", what="the end of a question that nobody asks")


def test_expired_after_its_time_and_not_after_the_callers(own_desk):
    desk = own_desk("--virtual", "--size", "640x480", config=config(timeout_s=1, tool_overrides={"wait": ASK}))
    bridge = desk.connect()
    started = time.monotonic()
    identity, question = ask(bridge, duration=0, timeout_ms=100)
    error = answer_of(bridge, identity)["error"]
    assert error["code"] == "APPROVAL_EXPIRED" and 0.9 < time.monotonic() - started < 3 * SLOW
    assert show(desk, question["id"])["state"] == "expired"
    assert events(desk, question["id"]) == ["approval.asked", "approval.expired"]


def test_blocked_and_notified(desk):
    error = desk.fails("DANGEROUS_ACTION_BLOCKED", "scroll", project="p", direction="down", amount=1)
    assert error["details"]["decided_by"] == "tool_overrides.scroll"
    assert desk.call("cursor_position", project="p")


def test_projects_have_policies_of_their_own(desk):
    bridge = desk.connect()
    assert desk.call("wait", duration=0) is not None
    identity, question = ask(bridge, "mouse_move", project="strict", x=1, y=1)
    assert question["decided_by"] == "risk_policies.medium"
    bridge.send("cancel", {"id": identity})
    bridge.receive(), bridge.receive()
    identity, question = ask(bridge, project="watch", duration=0)
    assert desk.owner_cli("approve", question["id"], "--remember").returncode == 0
    assert answer_of(bridge, identity)["ok"]
    identity, again = ask(bridge, project="watch", duration=0)
    assert again["id"] != question["id"], "a lock asks every time"
    bridge.close()


def test_a_caller_cannot_choose_a_milder_project(own_desk):
    """A project's name is the caller's word; what it loosens holds for clients that the owner gave it to."""
    settings = {"security": {"permission_level": "L4", "client_level": "L4"},
                "projects": {"default_approval_template": "strict", "items": {"loose": {"template": "full-auto"}}}}
    desk = own_desk("--virtual", "--size", "640x480", "--private-home", config=settings)
    bridge = desk.connect()
    _, question = ask(bridge, "mouse_move", project="loose", x=1, y=1)
    assert question["decided_by"] == "risk_policies.medium"
    bridge.close()
    me = pathlib.Path(sys.executable).resolve().name
    given = desk.owner_cli("config", "set", f'clients."{me}".projects', '["loose"]')
    assert given.returncode == 0, given.stdout
    assert desk.connect().answer("mouse_move", {"project": "loose", "x": 2, "y": 2})["ok"]
    ask(desk.connect(), "mouse_move", project="", x=3, y=3)


def test_a_call_may_be_stricter_with_itself(desk):
    bridge = desk.connect()
    desk.fails("DANGEROUS_ACTION_BLOCKED", "wait", duration=0, approval="always_block")
    desk.fails("INVALID_PARAMS", "wait", duration=0, approval="auto_approve")
    desk.fails("INVALID_PARAMS", "wait", duration=0, approval={"wait": "auto_approve"})
    identity, question = ask(bridge, "system_info", project="none", approval=ASK)
    assert question["decided_by"] == "call"
    bridge.close()


def test_remembered_until_forgotten(desk):
    bridge = desk.connect()
    identity, question = ask(bridge, duration=0.001)
    run = desk.owner_cli("approve", question["id"], "--remember", "--for", "1h")
    assert run.returncode == 0, run.shown
    assert answer_of(bridge, identity)["ok"]
    assert bridge.answer("wait", {"project": "p", "duration": 0.001})["ok"], "not asked again about the same call"
    identity, other = ask(bridge, duration=0.002)
    assert desk.owner_cli("approve", other["id"], "--remember", "--scope", "tool").returncode == 0
    assert answer_of(bridge, identity)["ok"]
    assert bridge.answer("wait", {"project": "p", "duration": 0.003})["ok"]
    rows = json.loads(desk.owner_cli("approvals", "memory", "--json").shown)
    assert {row["scope"] for row in rows} == {"call", "tool"} and all(row["tool"] == "wait" for row in rows)
    assert "tool" in desk.owner_cli("approvals", "memory").shown
    for row in rows:
        assert desk.owner_cli("approvals", "forget", row["id"]).returncode == 0
    identity, _ = ask(bridge, duration=0.001)
    assert desk.owner_cli("approvals", "forget", rows[0]["id"]).returncode == 1
    bridge.close()


def test_a_memory_ends(desk):
    bridge = desk.connect()
    identity, question = ask(bridge, duration=0.004)
    assert desk.owner_cli("approve", question["id"], "--for", "1s").returncode == 0
    assert answer_of(bridge, identity)["ok"]

    def asked_again():
        identity = bridge.send("call", {"tool": "wait", "params": {"project": "p", "duration": 0.004}})
        return "method" in bridge.receive()
    eventually(asked_again, 5, "the end of the memory")
    assert desk.owner_cli("approve", "x", "--for", "soon").returncode == 2
    bridge.close()


def test_first_time_only(desk):
    bridge = desk.connect()
    identity, question = ask(bridge, "left_click", x=5, y=5)
    assert question["decided_by"] == "confirm.first_time"
    assert desk.owner_cli("approve", question["id"]).returncode == 0
    assert answer_of(bridge, identity)["ok"]
    assert bridge.answer("left_click", {"project": "p", "x": 6, "y": 6})["ok"], "asked once, then known"
    bridge.close()


def test_the_world_is_looked_at_again(desk):
    bridge = desk.connect()
    program = desk.spawn("/usr/bin/xterm", "-T", "front", "-e", "sleep", "60")
    window = desk.window("front")
    desk.call("window_focus", window_id=window["window_id"])
    identity, question = ask(bridge, "key_press", keys=["a"])
    assert question["target"]["window"]["title"] == "front"
    program.kill()
    program.wait()
    eventually(lambda: not [w for w in desk.call("window_list")["windows"] if w["title"] == "front"])
    assert desk.owner_cli("approve", question["id"]).returncode == 0
    assert answer_of(bridge, identity)["error"]["code"] == "PRECONDITION_FAILED"
    bridge.close()


def test_what_is_typed_is_shown_but_not_kept(own_desk):
    desk = own_desk("--virtual", "--size", "640x480", config=config(tool_overrides={"type_text": ASK}))
    bridge = desk.connect()
    identity, question = ask(bridge, "type_text", text="sesam open thyself")
    assert question["params"]["text"] == "sesam open thyself"
    assert "sesam open thyself" in desk.owner_cli("approvals", "show", question["id"]).shown
    assert desk.owner_cli("deny", question["id"]).returncode == 0
    answer_of(bridge, identity)
    assert "sesam" not in desk.owner_cli("approvals", "show", question["id"]).shown
    assert b"sesam" not in desk.data_bytes()


@pytest.mark.parametrize("command", ["printf 'API_SECRET=sesam0pen' > .env", "gpg --passphrase sesam0pen -d x", "echo sesam0pen | sudo -S id",
                                     "curl -H 'Authorization: Bearer sesam0pen' http://localhost/"])
def test_secrets_in_a_command_are_shown_but_not_kept(own_desk, command):
    """Neither as the target, nor in what a rule quotes."""
    desk = own_desk("--virtual", "--size", "640x480", config=config(tool_overrides={"bash_execute": ASK}))
    bridge = desk.connect()
    identity, question = ask(bridge, "bash_execute", command=command)
    assert "sesam0pen" in desk.owner_cli("approvals", "show", question["id"]).shown
    assert desk.owner_cli("deny", question["id"]).returncode == 0
    answer_of(bridge, identity)
    assert "sesam0pen" not in desk.owner_cli("approvals", "show", question["id"]).shown
    assert b"sesam0pen" not in desk.data_bytes()
    bridge.close()


SECRET_CALLS = [
    ("bash_execute", {"command": "printf 'API_SECRET=%s' > .env"}), ("bash_execute", {"command": "gpg --passphrase %s -d x"}),
    ("bash_execute", {"command": "sudo -u x --password %s id"}), ("bash_execute", {"command": "echo %s | sudo -S id"}),
    ("bash_execute", {"command": "curl -b 'session=%s' https://x.example"}),
    ("bash_execute", {"command": "curl 'https://x.example/v1?a=b&key=%s'"}),
    ("bash_execute", {"command": "htpasswd -nb joe %s > ~/.bashrc"}),
    ("bash_execute", {"command": "read PASSWORD <<< %s; export PASSWORD; sudo id"}),
    ("bash_execute", {"command": "prlimit sudo --password %s id"}),
    ("bash_execute", {"command": "ls", "reason": "sign in: the password is %s"}),
    ("bash_execute", {"command": "ls", "reason": "登录，密码是%s，然后继续"}), ("bash_execute", {"command": "ls", "reason": "密码：%s"}),
    ("app_launch", {"name": "curl", "args": ["-b", "session=%s", "https://x.example"]}),
    ("app_launch", {"name": "sh", "args": ["-c", "echo %s | sudo -S id"]}),
]


def test_no_secret_of_a_question_is_in_any_file(own_desk):
    """Whatever quotes the command: the target, the rules, the reason, the audit, the events."""
    desk = own_desk("--virtual", "--size", "640x480", "--private-home",
                    config=config(tool_overrides={"bash_execute": ASK, "app_launch": ASK}))
    bridge = desk.connect()
    for number, (tool, params) in enumerate(SECRET_CALLS):
        canary = f"c4nary{number:02}x"
        filled = json.loads(json.dumps(params, ensure_ascii=False).replace("%s", canary))
        identity, question = ask(bridge, tool, **filled)
        assert desk.owner_cli("deny", question["id"]).returncode == 0
        answer_of(bridge, identity)
    bridge.close()
    kept = desk.data_bytes()
    assert [SECRET_CALLS[number] for number in range(len(SECRET_CALLS)) if f"c4nary{number:02}x".encode() in kept] == []


def test_many_wait_and_nobody_else_does(desk):
    bridge, other = desk.connect(), desk.connect()
    for _ in range(100):
        ask(bridge)
    for each in (bridge, other):
        times = []
        for _ in range(5):
            started = time.monotonic()
            assert each.answer("screenshot")["ok"]
            times.append(time.monotonic() - started)
        assert min(times) < 0.1 * SLOW, times
    assert len(json.loads(desk.owner_cli("approvals", "--json").shown)) >= 100
    for _ in range(28):
        ask(bridge)
    assert bridge.answer("wait", {"project": "p", "duration": 0})["error"]["code"] == "QUEUE_OVERFLOW"
    bridge.close()
    eventually(lambda: json.loads(desk.owner_cli("approvals", "--json").shown) == [], 20, "the end of all questions")
    other.close()


def test_a_crash_cancels_what_was_open(own_desk):
    desk = own_desk("--virtual", "--size", "640x480", config=config(tool_overrides={"wait": ASK}))
    bridge = desk.connect()  # kept open: a caller that goes away cancels by itself
    _, question = ask(bridge)
    desk.process.send_signal(signal.SIGKILL)
    desk.process.wait()
    bridge.close()
    desk.start()
    assert show(desk, question["id"])["state"] == "cancelled"
    assert events(desk, question["id"])[-1] == "approval.cancelled"
    assert desk.owner_cli("approve", question["id"]).returncode == 1


def test_on_a_terminal_it_is_asked_there(desk):
    run = desk.owner_cli("wait", "0", "--project", "p", answer="y\n")
    assert run.returncode == 0 and "[y/N]" in run.shown and "handfast" in run.shown, run.shown
    run = desk.owner_cli("wait", "0", "--project", "p", answer="n\n")
    assert run.returncode == 1 and "APPROVAL_DENIED" in run.shown, run.shown
    run = desk.owner_cli("wait", "0", "--project", "p", answer="\n")
    assert run.returncode == 1 and "APPROVAL_DENIED" in run.shown, "silence is never consent"


def test_elsewhere_it_says_that_it_waits(own_desk):
    desk = own_desk("--virtual", "--size", "640x480", config=config(timeout_s=1, tool_overrides={"wait": ASK}))
    run = desk.cli("wait", "0", "--project", "p", stdin=-3)
    assert run.returncode == 1 and b"handfast approve a_" in run.stderr and b"APPROVAL_EXPIRED" in run.stderr


def test_two_phases(desk):
    prepared = desk.call("mouse_move", x=33, y=44, smooth=False, phase="prepare")
    assert prepared["preview"]["target"]["point"] == {"x": 33, "y": 44} and prepared["expires"] > time.time() * 1000
    assert pointer(desk) != {"x": 33, "y": 44}
    token = prepared["confirm_token"]
    desk.fails("DESKTOP_CONFIRM_REQUIRED", "mouse_move", x=34, y=44, smooth=False, phase="confirm", confirm_token=token)
    desk.fails("DESKTOP_CONFIRM_REQUIRED", "mouse_move", x=33, y=44, smooth=False, phase="confirm", confirm_token=token)
    token = desk.call("mouse_move", x=33, y=44, smooth=False, phase="prepare")["confirm_token"]
    desk.call("mouse_move", x=33, y=44, smooth=False, phase="confirm", confirm_token=token)
    assert pointer(desk) == {"x": 33, "y": 44}
    desk.fails("DESKTOP_CONFIRM_REQUIRED", "mouse_move", x=33, y=44, smooth=False, phase="confirm", confirm_token=token)
    desk.fails("DESKTOP_CONFIRM_REQUIRED", "mouse_move", x=33, y=44, phase="confirm")
    desk.fails("DANGEROUS_ACTION_BLOCKED", "scroll", project="p", direction="down", amount=1, phase="prepare")
    desk.fails("INVALID_PARAMS", "mouse_move", x=33, y=44, phase="later")


def test_two_phases_where_the_owner_wants_them(own_desk):
    desk = own_desk("--virtual", "--size", "640x480", config=config(two_phase="high"))
    error = desk.fails("DESKTOP_CONFIRM_REQUIRED", "hotkey", keys=["ctrl", "a"], reason="test")
    token = error["details"]["confirm_token"]
    desk.call("hotkey", keys=["ctrl", "a"], reason="test", phase="confirm", confirm_token=token)
    assert desk.call("mouse_move", x=1, y=1)


def test_a_stop_calls_off_what_waits(own_desk):
    desk = own_desk("--virtual", "--size", "640x480", config=config(tool_overrides={"wait": ASK}))
    bridge = desk.connect()
    identity, question = ask(bridge)
    assert desk.cli("stop").returncode == 0
    answer = answer_of(bridge, identity)
    assert answer["error"]["code"] in ("STOPPED", "DESKTOP_ABORTED"), answer
    assert show(desk, question["id"])["state"] == "cancelled"
    run = desk.owner_cli("approve", question["id"])
    assert run.returncode == 1 and "CONFLICT" in run.shown


def test_old_questions_go_with_their_pictures(own_desk):
    """At the start of a desk; what was asked lately stays."""
    import os
    import sqlite3
    desk = own_desk("--virtual", "--size", "640x480", config=config(tool_overrides={"mouse_move": ASK}))
    bridge = desk.connect()
    kept = []
    for _ in range(2):
        identity, question = ask(bridge, "mouse_move", x=10, y=10, smooth=False)
        assert desk.owner_cli("deny", question["id"]).returncode == 0
        assert not answer_of(bridge, identity)["ok"]
        kept.append((question["id"], desk.data / "approvals" / f"{question['id']}.jpg"))
    assert all(path.exists() for _, path in kept)
    bridge.close()
    desk.stop()
    long_ago = time.time() - 31 * 86400
    with sqlite3.connect(desk.data / "handfast.db") as database:
        database.execute("UPDATE approvals SET made_ms = ? WHERE id = ?", (int(long_ago * 1000), kept[0][0]))
    database.close()
    os.utime(kept[0][1], (long_ago, long_ago))
    desk.start()
    eventually(lambda: not kept[0][1].exists(), what="the end of the old picture")
    listed = json.loads(desk.owner_cli("approvals", "--all", "--json").shown)
    assert [row["id"] for row in listed] == [kept[1][0]] and kept[1][1].exists()
    assert kept[0][0] in json.dumps(desk.audit()), "the audit keeps it"
