"""Programs that ask something or fill the screen, used as a person would: by typing and looking."""
import os
import time

import pytest

from handfast import eventually
from shells import open_desk, walled_desk


PROMPT = "work" + ("$" if os.getuid() else "#")


@pytest.fixture(scope="module")
def walled():
    with walled_desk() as desk:
        yield desk


@pytest.fixture
def terminal(walled):
    made = walled.call("bash_session", action="create", pty=True, rows=20, columns=70)
    assert made["pty"] and made["walls"]["open"] is False

    def use(action="write", **params):
        return walled.call("bash_session", action=action, session_id=made["session_id"], **{"wait_ms": 8000, **params})
    use("read", until=PROMPT)
    yield use
    walled.answer("bash_session", action="kill", session_id=made["session_id"])


def test_a_prompt_and_an_answer(terminal):
    seen = terminal(text="read -p 'Name? ' name && echo \"Hello <$name>\"\n", until="Name? ")
    assert seen["found"]
    seen = terminal(text="中文 Ada\n", until="Hello <中")
    assert "Hello <中文 Ada>" in seen["screen"] and not seen["full_screen"]


def test_what_is_written_comes_to_a_terminal(terminal):
    seen = terminal(text="tty; stty size; [ -t 0 ] && echo 'it is'' one'\n", until="it is one")
    assert "/dev/pts/" in seen["screen"] and "20 70" in seen["screen"]
    assert (seen["rows"], seen["columns"]) == (20, 70)


def test_passwords_are_not_shown(terminal):
    terminal(text="read -s -p 'Secret: ' s; echo; echo got ${#s}\n", until="Secret: ")
    seen = terminal(text="hunter22\n", until="got 8")
    assert "hunter22" not in seen["screen"]


def test_a_text_with_a_space_at_its_end(terminal):
    assert terminal(text="read -p 'PW> ' x\n", until="PW> ")["found"]
    terminal(text="a\n", until=PROMPT + " ")
    assert terminal(text="python3 -q\n", until=">>> ")["found"]
    assert terminal(text="1 + 1\n", until=">>> ")["screen"].endswith("\n2\n>>>")


def test_what_was_there_before_is_not_waited_for(terminal):
    terminal(text="read -s -p 'Word: ' x; echo; sleep 0.7; read -s -p 'Word: ' x; echo; echo got $x\n", until="Word: ")
    began = time.monotonic()
    seen = terminal(text="one\n", until="Word: ")
    assert seen["found"] and seen["screen"].count("\nWord:") == 2 and time.monotonic() - began > 0.6
    seen = terminal(text="two\n", until="Word: ", wait_ms=300)
    assert not seen["found"] and "got two" in seen["screen"]
    assert terminal("read", until="Word:")["found"]  # who only looks is told what there is


def test_what_is_typed_is_not_waited_for(terminal):
    assert terminal(text="sleep 0.5; echo ready\n", until="ready")["screen"].count("ready") == 2
    assert not terminal(text="sleep 1.5; true never\n", until="never", wait_ms=300)["found"]
    assert terminal(text="echo typed only", until="typed only")["found"]


def test_the_usual_terminal_is_no_exception(walled):
    """What is typed before its shell has come up would be echoed twice."""
    for number in range(3):
        seen = walled.call("bash_session", action="write", text=f"sleep 0.5; echo once{number}\n", until=f"once{number}", wait_ms=8000)
        assert seen["screen"].count(f"once{number}") == 2, seen["screen"]
        walled.call("bash_session", action="kill", session_id="terminal")


@pytest.mark.parametrize("command", ["sleep 0.6; echo do''ne", "sleep 0.6; vi -u NONE do''ne.txt", "read -n 1 -t 0.6; echo do''ne"])
def test_the_echo_of_a_command_is_not_its_answer(terminal, command):
    began = time.monotonic()
    seen = terminal(text=command + "\n")
    assert "done" in seen["screen"] and time.monotonic() - began < 6
    if "vi" in command:
        terminal(text=":q!\n", until=PROMPT)


def test_a_prompt_alone_is_an_answer(terminal):
    began = time.monotonic()
    assert terminal(text="cd .\n")["screen"].endswith(PROMPT)
    assert terminal(text="echo a")["screen"].endswith("echo a")
    assert terminal(keys=["enter"])["screen"].endswith(PROMPT)
    assert time.monotonic() - began < 6


def test_an_editor(terminal, walled):
    seen = terminal(text="vi -u NONE work.txt 2>/dev/null || vim work.txt\n", until="work.txt\"")
    assert seen["full_screen"]
    terminal(text="ihello from an editor", until="hello from an editor")
    terminal(keys=["escape"], wait_ms=300)
    terminal(text=":wq\n", until=PROMPT)
    seen = terminal("read", wait_ms=500)
    assert (walled.home / "work" / "work.txt").read_text() == "hello from an editor\n"
    assert not seen["full_screen"]


def test_a_pager(terminal):
    terminal(text="seq 1 500 > numbers; less numbers\n", until="19\n")
    seen = terminal(keys=["pagedown"], until="38\n")
    assert "\n25\n" in seen["screen"] and "\n5\n" not in seen["screen"]
    seen = terminal(text="G", until="500\n")
    seen = terminal(text="q", until=PROMPT)
    assert PROMPT in seen["screen"]


def test_keys_interrupt_and_edit(terminal):
    terminal(text="sleep 100\n", wait_ms=300)
    terminal(keys=["ctrl+c"], until="^C")
    terminal(text="echo ab")
    seen = terminal(keys=["backspace", "c", "home", "end", "enter"], until="\nac\n")
    assert "\nac\n" in seen["screen"]


def test_signals_reach_what_is_in_front(terminal, walled):
    terminal(text="sleep 100; echo \"status $?\"\n", wait_ms=500)
    identity = [entry for entry in walled.call("bash_session", action="list")["sessions"] if entry["pty"]][-1]["session_id"]
    walled.call("bash_session", action="signal", session_id=identity, signal="TERM")
    assert "status 143" in terminal("read", until="status 143")["screen"]


@pytest.mark.parametrize("shell", ["bash", "sh"])
def test_what_a_terminal_is_busy_with_is_told(walled, shell):
    identity = walled.call("bash_session", action="create", pty=True, shell=shell)["session_id"]

    def told():
        return [entry for entry in walled.call("bash_session", action="list")["sessions"] if entry["session_id"] == identity][0]
    begun = walled.call("bash_session", action="read", session_id=identity, until=PROMPT + " ", wait_ms=8000)
    assert begun["found"] and "\\w" not in begun["screen"]
    assert not told()["busy"] and told()["cwd"] == str(walled.home / "work")
    walled.call("bash_session", action="write", session_id=identity, text="cd /usr; sleep 30.5\n", wait_ms=0)
    eventually(lambda: told()["busy"] and told()["cwd"] == "/usr")
    walled.call("bash_session", action="write", session_id=identity, keys=["ctrl+c"], until="/usr" + PROMPT[-1] + " ", wait_ms=8000)
    assert not told()["busy"] and told()["cwd"] == "/usr"
    walled.call("bash_session", action="kill", session_id=identity)


def test_resize_and_lines_that_have_left(terminal):
    seen = terminal("resize", rows=10, columns=40)
    assert (seen["rows"], seen["columns"]) == (10, 40)
    seen = terminal(text="stty size; seq 1 60\n", until="60\n")
    seen = terminal("read", former=100, wait_ms=100)
    assert "10 40" in seen["former"] and "\n30\n" in seen["former"] and seen["scrolled"] > 40


def test_the_usual_terminal_is_made_by_writing(walled):
    seen = walled.call("bash_session", action="write", text="echo here''we\n", until="\nherewe", wait_ms=8000)
    assert seen["found"] and seen["session_id"] == "terminal"
    error = walled.fails("PRECONDITION_FAILED", "bash_execute", command="true", session_id="terminal")
    assert "write" in error["suggestion"]
    walled.call("bash_execute", command="true")
    walled.fails("PRECONDITION_FAILED", "bash_session", action="read", session_id="default")
    seen = walled.call("bash_session", action="write", text="exit\n", until="never there", wait_ms=3000)
    assert seen["ended"] and not seen["found"]


def test_nobody_has_to_look(terminal, walled):
    """A program that writes more than a terminal holds is not held up."""
    terminal(text="seq 1 200000 > /dev/tty; touch done\n", wait_ms=0)
    seen = terminal("read", until="200000\n", wait_ms=20000)
    assert seen["found"]
    terminal("read", wait_ms=300)
    assert (walled.home / "work" / "done").exists()


def test_sh(walled):
    made = walled.call("bash_session", action="create", shell="sh")
    assert made["pty"]
    seen = walled.call("bash_session", action="write", session_id=made["session_id"], text="echo $0 is''here\n", until="ishere\n", wait_ms=5000)
    assert "/bin/sh ishere" in seen["screen"]
    walled.call("bash_session", action="kill", session_id=made["session_id"])


def test_a_display_for_those_with_full_control(walled):
    walled.fails("FORBIDDEN", "bash_session", action="create", display=True)
    with open_desk() as desk:
        made = desk.call("bash_session", action="create", display=True, session_id="shown")
        assert made["walls"]["open"]
        assert desk.call("bash_execute", command="xdpyinfo | grep -c dimensions", session_id="shown")["stdout"] == "1\n"
        assert desk.call("bash_execute", command="echo \"<${DISPLAY-none}>\"")["stdout"] == "<none>\n"
