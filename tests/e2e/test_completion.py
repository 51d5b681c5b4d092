"""Completion in the shells themselves: bash, zsh and fish are asked what may follow."""
import os
import pathlib
import pty
import select
import subprocess
import sys
import time

import pytest

from handfast import APPS, PROGRAM, ROOT, SLOW

# The line that is typed, and candidates that must be among those offered; None: anything but those after it.
CASES = [
    ("handfast screensh", {"screenshot"}),
    ("handfast desk", {"desktop"}),
    ("handfast desktop ", {"new", "list", "rm", "attach"}),
    ("handfast desktop new x --", {"--size", "--scale", "--depth", "--private-home", "--json"}),
    ("handfast desktop new x --depth ", {"16", "24", "30"}),
    ("handfast desktop rm ma", {"main"}),
    ("handfast grant new x --max-risk h", {"high"}),
    ("handfast left_click --mod", {"--modifiers"}),
    ("handfast left_click 3 4 --des", {"--desktop"}),
    ("handfast left_click --desktop ", {"main"}),
    ("handfast screenshot --format ", {"jpeg", "png"}),
    ("handfast scroll --direction d", {"down"}),
    ("handfast tools zo", {"zoom"}),
    ("handfast call zo", {"zoom"}),
    ("handfast help dok", set()),
    ("handfast config get security.perm", {"security.permission_level"}),
    ("handfast mcp install c", {"claude-code", "codex"}),
    ("handfast completion ", {"bash", "zsh", "fish"}),
]


@pytest.fixture(scope="module")
def shell(shared_desk, tmp_path_factory):
    """The environment of somebody who has `handfast` in their PATH and the scripts installed."""
    folder = tmp_path_factory.mktemp("shell")
    (folder / "handfast").symlink_to(os.path.realpath(PROGRAM))
    for name in ("bash", "zsh", "fish"):
        script = subprocess.run([PROGRAM, "completion", name], capture_output=True, check=True).stdout
        assert script == (ROOT / "data" / "completions" / f"handfast.{name}").read_bytes()
        (folder / f"script.{name}").write_bytes(script)
    (folder / "letter.txt").write_text("text")
    return folder, {**shared_desk.environment, "PATH": f"{folder}:{os.environ['PATH']}", "TERM": "dumb"}


def by_bash(folder, environment, line):
    words = line.split(" ")
    quoted = " ".join(f"'{word}'" for word in words)
    script = (f"source {folder}/script.bash; COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; COMP_LINE='{line}'; "
              "COMP_POINT=${#COMP_LINE}; _handfast; printf '%s\\n' \"${COMPREPLY[@]}\"")
    result = subprocess.run(["bash", "--norc", "-c", script], env=environment, cwd=folder, capture_output=True, text=True, timeout=60)
    assert not result.stderr, result.stderr
    return set(result.stdout.split("\n")) - {""}


def by_fish(folder, environment, line):
    script = f"source {folder}/script.fish; complete -C '{line}'"
    result = subprocess.run(["fish", "--no-config", "-c", script], env={**environment, "HOME": str(folder)}, cwd=folder,
                            capture_output=True, text=True, timeout=60)
    assert not result.stderr, result.stderr
    return {word.split("\t")[0] for word in result.stdout.split("\n")} - {""}


class Zsh:
    """An interactive zsh on a terminal: its candidates are what it lists for a tab."""

    SETUP = """unset zle_bracketed_paste; unsetopt prompt_cr prompt_sp; autoload -U compinit; compinit -u -D
source {folder}/script.zsh
whole() {{ _main_complete; compstate[insert]=; compstate[list]='list force' }}
LISTMAX=10000; zle -C whole list-choices whole; bindkey '^I' whole; PS1='PROMPT''>'
"""

    def __init__(self, folder, environment):
        self.shown = ""
        self.master, slave = pty.openpty()
        self.process = subprocess.Popen(["zsh", "-f", "-i"], env={**environment, "HOME": str(folder)}, cwd=folder,
                                        stdin=slave, stdout=slave, stderr=slave, start_new_session=True)
        os.close(slave)
        (folder / "setup.zsh").write_text(self.SETUP.format(folder=folder))
        self.send(f"stty rows 1000 columns 200; source {folder}/setup.zsh\n")
        self.read_until("PROMPT>")

    def send(self, text):
        os.write(self.master, text.encode())

    def read_until(self, mark):
        end = time.monotonic() + 30 * SLOW
        while mark not in self.shown:
            ready, _, _ = select.select([self.master], [], [], max(0, end - time.monotonic()))
            assert ready, f"zsh did not show {mark!r} but {self.shown!r}"
            self.shown += os.read(self.master, 65536).decode(errors="replace")
        before, self.shown = self.shown.split(mark, 1)
        return before

    def candidates(self, line):
        # What is typed after the tab is carried out when the list is there.
        self.send(f"{line}\t\x15print -r EN''D\n")
        shown = self.read_until("\nEND\r\n")
        self.read_until("PROMPT>")
        lines = shown.replace("\r", "\n").split("\n")
        return {word.split("  -- ")[0].strip() for word in lines}

    def close(self):
        os.close(self.master)
        self.process.kill()
        self.process.wait()


@pytest.mark.parametrize("line, expected", CASES)
@pytest.mark.parametrize("ask", [by_bash, by_fish])
def test_bash_and_fish(shell, ask, line, expected):
    offered = ask(*shell, line)
    assert offered >= expected
    if not expected:
        assert not offered
    typed = line.rsplit(" ", 1)[1]
    assert all(word.startswith(typed) for word in offered), offered


def test_zsh(shell):
    zsh = Zsh(*shell)
    try:
        for line, expected in CASES:
            offered = zsh.candidates(line)
            assert offered >= expected, (line, offered)
    finally:
        zsh.close()


def test_titles_of_windows(desk, shell, tmp_path):
    """With blanks and quotes, as a shell needs them."""
    title = "Letter to Anna's \"friend\""
    window = desk.spawn(sys.executable, APPS / "window.py", title) if (APPS / "window.py").exists() else \
        desk.spawn("xterm", "-T", title, "-e", "sleep 60")
    desk.window("Letter to")
    words = by_bash(*shell, "handfast window_focus --window_title Let")
    assert len(words) == 1
    back = subprocess.run(["bash", "-c", f"printf %s {words.pop()}"], capture_output=True, text=True).stdout
    assert back == title
    assert title in by_fish(*shell, "handfast window_focus --window_title Let")
    window.kill()
    window.wait()


def test_files(shell):
    folder, environment = shell
    for line in ("handfast screenshot -o let", "handfast config check let", "handfast rules list --file let"):
        assert "letter.txt" in by_bash(folder, environment, line)
        assert "letter.txt" in by_fish(folder, environment, line)


def test_bash_takes_flags_apart_at_the_sign(shell):
    folder, environment = shell
    assert by_bash(folder, environment, "handfast screenshot --format = p") == {"png"}
    assert by_bash(folder, environment, "handfast screenshot --format =") == {"jpeg", "png"}


def test_without_a_desk(shell):
    folder, environment = shell
    alone = {**environment, "XDG_RUNTIME_DIR": "/nonexistent"}
    assert by_bash(folder, alone, "handfast desktop rm ") == set()
    assert "screenshot" in by_bash(folder, alone, "handfast screen")


def test_installation(tmp_path):
    """`meson install` puts everything where it is looked for, and the program finds its catalogue there."""
    build = pathlib.Path(PROGRAM).resolve().parent
    environment = {**os.environ, "DESTDIR": str(tmp_path)}
    result = subprocess.run(["meson", "install", "-C", build, "--no-rebuild", "--quiet"], env=environment, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
    prefix = tmp_path / "usr" / "local"
    for path in ("bin/handfast", "share/man/man1/handfast.1", "share/bash-completion/completions/handfast",
                 "share/zsh/site-functions/_handfast", "share/fish/vendor_completions.d/handfast.fish",
                 "share/locale/zh_CN/LC_MESSAGES/handfast.mo"):
        assert (prefix / path).exists(), path
    shown = subprocess.run([prefix / "bin" / "handfast", "help"], env={"LANG": "C.UTF-8", "LANGUAGE": "zh_CN"},
                           capture_output=True, text=True).stdout
    assert "用法" in shown
