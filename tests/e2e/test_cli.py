"""The command line as a new user and a script meet it: help, slips, exit codes, --json, colours."""
import json
import os
import pty
import re
import shlex
import subprocess

import pytest

from handfast import PROGRAM, ROOT, Desk

NO_DESK = {"XDG_RUNTIME_DIR": "/nonexistent"}


def commands():
    return json.loads(subprocess.run([PROGRAM, "help", "--json"], capture_output=True, check=True).stdout)


def tools():
    return json.loads(subprocess.run([PROGRAM, "tools", "--json"], capture_output=True, check=True).stdout)


def on_terminal(arguments, environment):
    """What is shown on a terminal."""
    master, slave = pty.openpty()
    process = subprocess.Popen([PROGRAM, *arguments], env=environment, stdin=subprocess.DEVNULL, stdout=slave, stderr=slave)
    os.close(slave)
    shown = b""
    while True:
        try:
            data = os.read(master, 65536)
        except OSError:
            break
        if not data:
            break
        shown += data
    os.close(master)
    process.wait()
    return shown.decode()


# --- help ---

@pytest.mark.parametrize("name", [entry["name"] for entry in commands()] + [tool["name"] for tool in tools()])
def test_everything_has_help(shared_desk, name):
    by_flag, by_name = shared_desk.cli(name, "--help"), shared_desk.cli("help", name)
    assert by_flag.returncode == by_name.returncode == 0
    assert by_flag.stdout == by_name.stdout and not by_flag.stderr
    text = by_flag.stdout.decode()
    assert f"handfast {name}" in text and "Usage" in text
    assert max(map(len, text.splitlines())) < 400


def examples():
    for name in [entry["name"] for entry in commands()] + [tool["name"] for tool in tools()]:
        text = subprocess.run([PROGRAM, "help", name], capture_output=True, text=True).stdout
        for line in text.split("\nExamples\n", 1)[1].splitlines() if "\nExamples\n" in text else []:
            yield line.strip()


@pytest.mark.parametrize("line", examples())
def test_examples_can_be_typed(shared_desk, tmp_path, line):
    """No desk answers, so nothing is done; but the words are those that the command takes."""
    (tmp_path / "letter.txt").write_text("text")
    (tmp_path / "nightly.json").write_text('{"steps": [{"tool": "wait", "params": {"duration": 0}}]}')
    (tmp_path / "request.json").write_text('{"text": "x"}')
    program, *words = shlex.split(re.split(" [<>] ", line)[0])
    assert program == "handfast"
    if words[0] == "serve":
        words = ["help", "serve"]
    result = subprocess.run([PROGRAM, *words], input=b"text", cwd=tmp_path, capture_output=True,
                            env={**shared_desk.environment, **NO_DESK, "XDG_CONFIG_HOME": str(tmp_path)})
    assert result.returncode != 2, result.stderr.decode()


def tool_examples():
    names = {tool["name"] for tool in tools()}
    return [line for line in examples() if shlex.split(re.split(" [<>] ", line)[0])[1] in names]


@pytest.mark.parametrize("line", tool_examples())
def test_examples_of_tools_are_well_formed(shared_desk, tmp_path, line):
    (tmp_path / "letter.txt").write_text("text")
    words = shlex.split(re.split(" [<>] ", line)[0])[1:] + ["--dry_run", "--json"]
    result = subprocess.run([PROGRAM, *words], input=b"text", cwd=tmp_path, capture_output=True, env=shared_desk.environment)
    answer = json.loads(result.stdout)
    assert answer["ok"] or answer["error"]["code"] != "INVALID_PARAMS", answer


# --- slips ---

@pytest.mark.parametrize("words, meant", [
    (["screnshot"], "screenshot"),
    (["desktopp", "list"], "desktop"),
    (["help", "left_clik"], "left_click"),
    (["tools", "left_clik"], "left_click"),
    (["left_click", "--modifier", "ctrl"], "--modifiers"),
    (["left_click", "--timeout_mss", "5"], "--timeout_ms"),
    (["audit", "lits"], "list"),
    (["audit", "list", "--limt", "3"], "--limit"),
])
def test_a_slip_is_told_what_was_meant(shared_desk, words, meant):
    result = shared_desk.cli(*words)
    assert result.returncode == 2 and f"did you mean '{meant}'?" in result.stderr.decode()
    assert not result.stdout
    chinese = shared_desk.cli(*words, environment={"LANGUAGE": "zh_CN"})
    assert f"是不是“{meant}”" in chinese.stderr.decode()


def test_a_language_needs_no_installed_locale(shared_desk):
    """As in a container: LANG names Chinese, but the system has no such locale."""
    for variable in ("LANG", "LC_ALL"):
        told = shared_desk.cli("left_clik", environment={variable: "zh_CN.UTF-8"}).stderr.decode()
        assert "是不是“left_click”" in told, (variable, told)
    mixed = shared_desk.cli("left_clik", environment={"LANG": "zh_CN.UTF-8", "LANGUAGE": "en"}).stderr.decode()
    assert "did you mean" in mixed, "LANGUAGE is the user's own word"


@pytest.mark.parametrize("tool", tools(), ids=lambda tool: tool["name"])
def test_the_help_of_a_tool_speaks_the_language_of_its_reader(tool):
    """For programs it stays English: the same bytes in any language."""
    def run(*words, language):
        return subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=True,
                              env={"PATH": os.environ["PATH"], "LANG": language}).stdout
    name = tool["name"]
    english, chinese = (run(name, "--help", language=language) for language in ("C.UTF-8", "zh_CN.UTF-8"))
    members = [*tool["params"]["properties"].values(), *tool["result"]["properties"].values()]
    texts = [tool["description"]] + [member["description"] for member in members if "description" in member]
    assert len(texts) > 10 and not [text for text in texts if text not in english]
    assert not [text for text in texts if text in chinese]
    assert chinese.count("\n") == english.count("\n") and re.search("[\u4e00-\u9fff]", chinese.splitlines()[1])
    assert run("tools", name, "--json", language="zh_CN.UTF-8") == run("tools", name, "--json", language="C.UTF-8")


def test_completion_explains_flags_in_the_language_of_its_reader():
    def offered(language):
        return subprocess.run([PROGRAM, "completion", "--", "left_click", "--mod"], capture_output=True, text=True, check=True,
                              env={"PATH": os.environ["PATH"], "LANG": language}).stdout
    assert offered("C.UTF-8") == "--modifiers\tKeys to hold down meanwhile\n"
    assert offered("zh_CN.UTF-8") == "--modifiers\t操作期间按住的键\n"


def test_what_people_read_is_plain(shared_desk):
    told = shared_desk.cli("left_click", "30", "40").stdout.decode()
    assert re.search(r"position +30,40$", told, re.M), told
    assert re.search(r"windows +none$", shared_desk.cli("window_list", "--title", "no such title").stdout.decode(), re.M)
    lines = shared_desk.cli("help").stdout.decode().splitlines()
    column = next(line for line in lines if "handfast serve" in line).index("run the desk")
    for line, following in zip(lines, lines[1:]):
        if line.startswith("  handfast "):
            text = line if line[column - 1] == " " else following
            assert text[:column].endswith(" ") and text[column] != " ", "what it is for begins in one column"


def test_numbers_in_json_are_as_the_doors_write_them(shared_desk):
    for _ in range(20):
        said = re.search(r'"duration_ms":([\d.]+)', shared_desk.cli("wait", "0", "--json").stdout.decode())[1]
        assert len(said.partition(".")[2]) <= 6, said


# --- exit codes ---

@pytest.mark.parametrize("words, desk, status", [
    (["wait", "0"], True, 0),
    (["call", "wait", '{"duration": 0}'], True, 0),
    (["status"], True, 0),
    (["wait", "-1"], True, 1),
    (["call", "wait", "{}"], True, 1),
    (["call", "no_such_tool"], True, 1),
    (["desktop", "rm", "nowhere"], True, 1),
    (["runs", "show", "nothing"], True, 1),
    (["wait", "soon"], True, 2),
    (["wait", "0", "0"], True, 2),
    (["call", "wait", "[]"], True, 2),
    (["desktop", "new"], True, 2),
    (["nonsense"], True, 2),
    ([], True, 2),
    (["wait", "0"], False, 3),
    (["call", "wait", "{}"], False, 3),
    (["status"], False, 3),
    (["desktop", "list"], False, 3),
    (["stop"], False, 3),
    (["approve", "x"], False, 3),
    (["help"], False, 0),
    (["--version"], False, 0),
    (["tools"], False, 0),
])
def test_exit_codes(shared_desk, words, desk, status):
    for more in ([], ["--json"] if words else []):
        result = shared_desk.cli(*words, *more, environment=None if desk else NO_DESK)
        assert result.returncode == status, (result.stdout, result.stderr)


# --- --json ---

def one_of_each():
    """Every form of every command with values that stand for nothing."""
    harmless = {"serve", "completion", "mcp", "doctor", "watch", "open"}
    for entry in commands():
        for form in entry["usage"].split("\n") if entry["name"] not in harmless else []:
            needed = re.sub(r"\[[^\]]*\](\.\.\.)?", "", form).split()
            words = [word if word.islower() else "nothing" for word in needed]
            yield [entry["name"], *words]


@pytest.mark.parametrize("words", list(one_of_each()), ids=" ".join)
def test_json_is_one_document_whatever_happens(shared_desk, tmp_path, words):
    """Also of what fails, and without a desk: scripts parse standard output, and look at the exit status."""
    more = {"pause": ["--run", "nothing"], "audit export": ["-o", tmp_path / "audit.jsonl"]}
    words = [*words, *more.get(" ".join(words), [])]
    environment = NO_DESK if words[0] == "stop" else None
    result = shared_desk.cli(*words, "--json", environment=environment)
    document = json.loads(result.stdout)
    assert not result.stderr, result.stderr
    if result.returncode:
        assert document["ok"] is False and document["error"]["code"] and document["error"]["suggestion"]
    if words[0] == "pause":
        shared_desk.owner_cli("resume", "--run", "nothing")


# --- terminals ---

def test_colours_are_for_terminals(shared_desk):
    plain = shared_desk.cli("help").stdout.decode()
    assert "\033" not in plain and "\033" not in shared_desk.cli("desktop", "list").stdout.decode()
    environment = shared_desk.environment
    assert "\033[" in on_terminal(["desktop", "list"], environment)
    assert "\033[" in on_terminal(["nonsense"], environment)
    for words in (["desktop", "list"], ["nonsense"], ["help"], ["audit", "list"]):
        assert "\033" not in on_terminal(words, {**environment, "NO_COLOR": "1"})


def test_json_is_a_line_for_scripts_and_indented_for_people(shared_desk):
    assert shared_desk.cli("status", "--json").stdout.count(b"\n") == 1
    assert on_terminal(["status", "--json"], shared_desk.environment).count("\n") > 5


def test_a_closed_pipe_ends_it_quietly(shared_desk):
    reader = subprocess.Popen([PROGRAM, "tools", "--json"], env=shared_desk.environment, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE)
    reader.stdout.close()
    assert reader.stderr.read() == b""
    reader.wait()


# --- what is installed, and the manual page ---

def test_the_manual_page_is_well_formed():
    page = ROOT / "man" / "handfast.1"
    result = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", str(page)], capture_output=True,
                            env={**os.environ, "LC_ALL": "C.UTF-8", "MANROFFSEQ": ""})
    assert result.returncode == 0 and not result.stderr, result.stderr.decode()
    text = page.read_text()
    for entry in commands():
        assert f"\\fBhandfast {entry['name']}\\fR" in text and f".TP\n.B {entry['name']}\n" in text
    for tool in tools():
        assert tool["name"] in text


def test_both_readmes_say_the_same():
    """The same commands in the same order, and the same pages to read."""
    def shown(name):
        text = (ROOT / name).read_text()
        blocks = re.findall(r"^```sh\n(.*?)^```", text, re.M | re.S)
        commands = [" ".join(line.split("#")[0].split()[:2]) for block in blocks for line in block.splitlines()]
        pages = set(re.findall(r"\((docs/[^)]*)\)", text))
        return commands, pages
    assert shown("README.md") == shown("README.zh-CN.md")


def test_what_to_do_needs_no_name():
    """The first word of a tool that has a list of them, whether it must be given or not."""
    for name in ("browser_tabs", "bash_session"):
        run = subprocess.run([PROGRAM, name, "lst", "--json"], env={**os.environ, **NO_DESK}, capture_output=True)
        assert b"unexpected argument" not in run.stdout + run.stderr, run
        assert "list" in subprocess.run([PROGRAM, "help", name], capture_output=True, text=True).stdout.split("--tab")[0]
    first = subprocess.run([PROGRAM, "help", "browser_tabs"], capture_output=True, text=True).stdout.splitlines()
    assert any("handfast browser_tabs [ACTION]" in line for line in first), first
    run = subprocess.run([PROGRAM, "browser_tabs", "list", "t1"], env={**os.environ, **NO_DESK}, capture_output=True)
    assert run.returncode == 2 and b"unexpected argument" in run.stderr


def test_what_is_described_needs_no_name():
    """The words come first, as nobody would write them elsewhere."""
    shown = subprocess.run([PROGRAM, "help", "element_locate"], capture_output=True, text=True).stdout
    assert "handfast element_locate [DESCRIPTION] [REGION...]" in shown, shown
    run = subprocess.run([PROGRAM, "element_locate", "the Save button", "--json"], env={**os.environ, **NO_DESK},
                         capture_output=True, text=True)
    assert json.loads(run.stdout)["error"]["code"] != "INVALID_PARAMS", run


def test_a_diff_is_shown_as_lines(shared_desk):
    path = shared_desk.home / "Projects" / "shown.txt"
    path.parent.mkdir(exist_ok=True)
    path.write_text("one\ntwo\n")
    shown = shared_desk.cli("file_edit", path, "--old_string", "two", "--new_string", "three", "--dry_run", check=True).stdout.decode()
    assert {"  -two", "  +three"} <= set(shown.splitlines()), shown
    assert path.read_text() == "one\ntwo\n"
