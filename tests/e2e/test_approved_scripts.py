"""An approval is for the content of the scripts that a call runs: a file that changes before the answer is not run."""
import json

import pytest

from handfast import Desk, eventually, finish

CONFIG = {"security": {"permission_level": "L4", "client_level": "L3"}}


@pytest.fixture(scope="module")
def desk():
    desk = Desk("--virtual", "--size", "640x480", verify=False, config=CONFIG)
    (desk.home / "Projects" / "below").mkdir(parents=True)
    yield desk
    finish(desk)


def ask(bridge, tool, **params):
    identity = bridge.send("call", {"tool": tool, "params": params})
    notice = bridge.receive()
    assert notice.get("method") == "waiting", notice
    return identity, notice["params"]["approval"]


def answer_of(bridge, identity):
    reply = bridge.receive()
    assert reply["id"] == identity, reply
    return reply["result"]


def approve(desk, question, *options):
    run = desk.owner_cli("approve", question["id"], *options)
    assert run.returncode == 0, run.shown


def command(text):
    return "bash_execute", {"command": text}


def write(path, word, made):
    path.write_text(f"#!/bin/sh\necho {word}\necho {word} > {made}\n")
    path.chmod(0o755)


def ways(projects):
    script = projects / "t.sh"
    return {
        "an argument of a shell": command(f"bash {script}"),
        "the command itself": command(f"{script}"),
        "sourced": command(f". {script}"),
        "sourced by its long name": command(f"source {script} x"),
        "a shell's input": command(f"sh < {script}"),
        "through a pipe": command(f"cat {script} | sh"),
        "in the home directory": command("bash ~/Projects/t.sh"),
        "in a variable": command("bash $HOME/Projects/t.sh"),
        "relative, after cd": command(f"cd {projects} && ./t.sh"),
        "relative to working_dir": ("bash_execute", {"command": "bash t.sh", "working_dir": str(projects)}),
        "wrapped": command(f"env A=1 nice bash -e {script}"),
        "nested": command(f"bash -c '. {script}'"),
        "sourced by a script that is run": command(f"bash {projects}/outer.sh"),
        "run_script, sourced by it": ("run_script", {"path": str(projects / "outer.sh")}),
        "launched by a shell": ("app_launch", {"name": "bash", "args": [str(script)], "wait_ms": 3000}),
        "launched itself": ("app_launch", {"name": str(script), "wait_ms": 3000}),
        "launched by a shell, relative": ("app_launch", {"name": "bash", "args": ["Projects/t.sh"], "wait_ms": 3000}),
    }


@pytest.mark.parametrize("way", ways(__import__("pathlib").Path("/")))
def test_a_changed_script_is_not_run(desk, way):
    projects = desk.home / "Projects"
    tool, params = ways(projects)[way]
    script, made = projects / "t.sh", projects / "made.txt"
    made.unlink(missing_ok=True)
    (projects / "outer.sh").write_text(f". {script}\n")
    write(script, "asked", made)
    bridge = desk.connect()
    identity, question = ask(bridge, tool, **params)
    shown = {entry["path"]: entry for entry in question["scripts"]}
    assert "echo asked" in shown[str(script)]["content"] and len(shown[str(script)]["sha256"]) == 64, question["scripts"]
    write(script, "ALTERED", made)
    approve(desk, question)
    answer = answer_of(bridge, identity)
    assert not answer["ok"], answer
    assert answer["error"]["code"] == "PRECONDITION_FAILED" and str(projects) in answer["error"]["message"], answer["error"]
    assert "again" in answer["error"]["suggestion"]
    assert not made.exists()
    # Unchanged, it runs as it was shown.
    identity, question = ask(bridge, tool, **params)
    approve(desk, question)
    answer = answer_of(bridge, identity)
    assert answer["ok"], answer
    eventually(lambda: made.exists() and made.read_text() == "ALTERED\n", what="its output")
    bridge.close()


def test_another_interpreter(desk):
    script = desk.home / "Projects" / "t.py"
    script.write_text("print('asked')\n")
    bridge = desk.connect()
    identity, question = ask(bridge, "bash_execute", command=f"python3 -u {script} data")
    assert [entry["content"] for entry in question["scripts"] if entry["path"] == str(script)] == ["print('asked')\n"]
    script.write_text("print('ALTERED')\n")
    approve(desk, question)
    assert answer_of(bridge, identity)["error"]["code"] == "PRECONDITION_FAILED"
    bridge.close()


def test_a_script_that_appears_meanwhile(desk):
    script = desk.home / "Projects" / "later.sh"
    script.unlink(missing_ok=True)
    bridge = desk.connect()
    identity, question = ask(bridge, "bash_execute", command=f"bash {script}")
    script.write_text("echo ALTERED\n")
    approve(desk, question)
    assert answer_of(bridge, identity)["error"]["code"] == "PRECONDITION_FAILED"
    bridge.close()


def test_what_is_remembered_is_the_content(desk):
    script = desk.home / "Projects" / "often.sh"
    script.write_text("echo one\n")
    bridge = desk.connect()
    for options in ([], ["--remember"]):  # the first answer taints the run: what is remembered was asked after it
        identity, question = ask(bridge, "bash_execute", command=f"bash {script}")
        approve(desk, question, *options)
        assert answer_of(bridge, identity)["result"]["stdout"] == "one\n"
    assert bridge.call("bash_execute", command=f"bash {script}")["stdout"] == "one\n"
    script.write_text("echo two\n")
    identity, question = ask(bridge, "bash_execute", command=f"bash {script}")
    desk.owner_cli("deny", question["id"])
    assert answer_of(bridge, identity)["error"]["code"] == "APPROVAL_DENIED"
    bridge.close()


def test_a_step_of_a_macro(desk):
    script, made = desk.home / "Projects" / "t.sh", desk.home / "Projects" / "made.txt"
    made.unlink(missing_ok=True)
    write(script, "asked", made)
    bridge = desk.connect()
    steps = [{"tool": "wait", "params": {"duration": 0}}, {"tool": "bash_execute", "params": {"command": f"bash {script}"}}]
    identity, question = ask(bridge, "run_macro", steps=steps)
    write(script, "ALTERED", made)
    approve(desk, question)
    answer = answer_of(bridge, identity)
    assert "PRECONDITION_FAILED" in json.dumps(answer), answer
    assert not made.exists()
    bridge.close()


def test_the_owner_sees_the_beginning(desk):
    script = desk.home / "Projects" / "long.sh"
    script.write_text("echo first\n" + "# padding\n" * 20000)
    bridge = desk.connect()
    identity, question = ask(bridge, "bash_execute", command=f"bash {script}")
    assert question["scripts"][0]["content"].startswith("echo first\n") and len(question["scripts"][0]["content"]) < 10000
    assert "echo first" in desk.owner_cli("approvals", "show", question["id"]).shown
    assert desk.owner_cli("deny", question["id"]).returncode == 0
    answer_of(bridge, identity)
    kept = json.loads(desk.owner_cli("approvals", "show", question["id"], "--json").shown)
    assert kept["scripts"][0]["sha256"] and "content" not in kept["scripts"][0]
    bridge.close()


def test_a_question_shows_nothing_that_its_caller_may_not_read(desk):
    """The caller gets the question, too."""
    secret = desk.home / "id_secret"
    secret.write_text("very-secret-key\n")
    bridge = desk.connect()
    for tool, params in [command(f"bash {secret}"), ("app_launch", {"name": "bash", "args": [str(secret)], "wait_ms": 0})]:
        identity, question = ask(bridge, tool, **params)
        assert "very-secret-key" not in json.dumps(question)
        desk.owner_cli("deny", question["id"])
        answer_of(bridge, identity)
    bridge.close()
