"""What app_launch may start, for whom: programs that run what they are told, and grants that hold for what is launched."""
import json
import os
import pathlib
import shutil
import sys

import pytest

from handfast import FULL_AUTO, Desk, eventually, finish

ME = os.path.basename(os.path.realpath(sys.executable))
LEVEL_2 = {"security": {"permission_level": "L4", "client_level": "L2"}}


def use(desk, wanted):
    """Takes this config and waits until it holds."""
    marked = {**wanted, "version": os.urandom(8).hex()}
    desk.write_config(marked)
    eventually(lambda: desk.main_bridge.manage("config.get", path="version")["value"] == marked["version"],
               what="the new config")


def give(desk, identity, *options):
    run = desk.owner_cli("grant", "new", identity, "--json", *options)
    assert run.returncode == 0, run.shown
    return json.loads(run.shown)


@pytest.fixture(scope="module")
def desk():
    desk = Desk("--virtual", "--size", "640x480", verify=False)
    projects = desk.home / "Projects"
    (projects / "in").mkdir(parents=True)
    (desk.home / "private.txt").write_text("secret")
    (projects / "in" / "letter.txt").write_text("dear")
    (projects / "script.sh").write_text("#!/bin/sh\nexit 0\n")
    (projects / "script.sh").chmod(0o755)
    (projects / "mousepad").symlink_to("/bin/bash")
    shutil.copy("/bin/true", projects / "calculator")
    yield desk
    finish(desk)


# ---- programs that run what they are told ----

def told(desk):
    projects = desk.home / "Projects"
    return [
        ("bash", []),
        ("bash", ["-c", "cp a b"]),
        ("/bin/sh", [str(projects / "script.sh")]),
        ("xterm", []),
        ("python3", ["-c", "pass"]),
        ("python3", [str(projects / "x.py")]),
        ("make", ["-f", "x"]),
        ("gcc", ["x.c"]),
        ("perl", ["-e", "1"]),
        ("env", ["xterm"]),
        ("xargs", ["true"]),
        ("find", ["/", "-name", "x"]),
        ("cp", ["a", "b"]),
        ("kill", ["-STOP", "1"]),
        ("chromium", ["--no-sandbox", "--renderer-cmd-prefix=xterm"]),
        ("chromium", ["--remote-debugging-port=9222"]),
        ("mousepad", ["--gtk-module=/tmp/x.so"]),
        (str(projects / "script.sh"), []),  # counts as its interpreter
        (str(projects / "mousepad"), ["-c", "id"]),  # a link to a shell
        (str(projects / "calculator"), []),  # not the system's: it may be a copy of anything
    ]


def test_a_program_that_runs_what_it_is_told_needs_what_a_shell_needs(desk):
    use(desk, LEVEL_2)
    for name, arguments in told(desk):
        answer = desk.answer("app_launch", name=name, args=arguments, wait_ms=0, dry_run=True)
        assert not answer["ok"], (name, arguments, answer)
        error = answer["error"]
        assert error["code"] == "FORBIDDEN", (name, arguments, error)
        assert error["details"]["needs"] == "L3" and error["details"]["has"] == "L2"
        assert "level" in error["suggestion"]


def test_it_is_asked_about_at_the_level_of_shells(desk):
    use(desk, {"security": {"permission_level": "L4", "client_level": "L3"}})
    for name, arguments in told(desk):
        preview = desk.call("app_launch", name=name, args=arguments, wait_ms=0, dry_run=True)
        shown = (name, arguments, preview)
        assert preview["risk"] == "high" and preview["decision"] == "require_approval", shown


def test_ordinary_applications_are_launched_as_before(desk):
    use(desk, LEVEL_2)
    letter = str(desk.home / "Projects" / "in" / "letter.txt")
    for name, arguments in [("mousepad", []), ("mousepad", [letter]), ("/usr/bin/mousepad", [letter]), ("galculator", []),
                            ("chromium", ["http://127.0.0.1:9/"]), ("Mousepad", [])]:
        preview = desk.call("app_launch", name=name, args=arguments, dry_run=True)
        assert preview["risk"] == "medium" and preview["decision"] == "auto_approve", (name, preview)


def test_the_agreement_cannot_be_rewritten_by_a_launched_shell(desk):
    use(desk, LEVEL_2)
    before = desk.config_path.read_bytes()
    desk.fails("FORBIDDEN", "bash_execute", command="id")
    desk.fails("FORBIDDEN", "app_launch", name="bash", args=["-c", "cd ~/conf*/hand* && printf %s '{}' > c*.json"])
    assert desk.config_path.read_bytes() == before


def test_an_entry_of_the_user_is_what_its_line_says(desk):
    """A .desktop file does not make a shell an application."""
    entries = desk.home / "data" / "applications"
    entries.mkdir(parents=True, exist_ok=True)
    (entries / "nice.desktop").write_text("[Desktop Entry]\nType=Application\nName=Nice\nExec=bash -c id\n")
    (entries / "copier.desktop").write_text("[Desktop Entry]\nType=Application\nName=Copier\nExec=cp a b\n")
    use(desk, LEVEL_2)
    desk.fails("FORBIDDEN", "app_launch", name="nice", dry_run=True)
    desk.fails("FORBIDDEN", "app_launch", name="copier", dry_run=True)
    desk.fails("FORBIDDEN", "app_launch", name=str(entries / "nice.desktop"), dry_run=True)


def test_the_descriptors_say_both_risks():
    import subprocess
    from handfast import PROGRAM
    tools = {tool["name"]: tool for tool in
             json.loads(subprocess.run([PROGRAM, "tools", "--json"], capture_output=True, check=True).stdout)}
    assert tools["bash_execute"]["risk"] == "high" and tools["bash_execute"]["risk_inside"] == "medium"
    assert tools["screenshot"]["risk_inside"] == tools["screenshot"]["risk"]
    assert tools["app_launch"]["command"] == {"risk": "high", "level": "L3"}


# ---- grants ----

@pytest.fixture(scope="module")
def grants(desk):
    use(desk, FULL_AUTO)
    give(desk, "small", "--tools", "*", "--dir", desk.home / "Projects" / "in")
    give(desk, "named", "--tools", "*", "--domain", "example.com")
    give(desk, "editor", "--tools", "*", "--app", "mousepad")
    give(desk, "mine", "--tools", "*", "--app", desk.home / "Projects" / "calculator")
    return desk


def bind(desk, grant):
    use(desk, {**FULL_AUTO, "clients": {ME: {"level": "L3", "grant": grant}}})


def test_directories_hold_for_launched_programs(grants):
    desk, home = grants, grants.home
    bind(desk, "small")
    inside = home / "Projects" / "in"
    desk.fails("FORBIDDEN", "file_read", path=str(home / "private.txt"))
    error = desk.fails("FORBIDDEN", "app_launch", name="cp", args=[str(home / "private.txt"), str(inside / "leak2")], wait_ms=2000)
    assert error["details"]["grant"] == "small" and "bash_execute" in error["suggestion"]
    desk.fails("FORBIDDEN", "app_launch", name="bash", args=["-c", "cd; cat private.txt > Projects/in/leak1"], wait_ms=2000)
    assert not list(inside.glob("leak*"))
    link = inside / "way-out"
    link.symlink_to(home / "private.txt")
    for argument in [home / "private.txt", "private.txt", "./private.txt", "~/private.txt", f"file://{home}/private.txt",
                     f"--name={home}/private.txt", "Projects/in/../../private.txt", link, f"file:{home}/private.txt",
                     f"FILE://{home}/private.txt", "--name=private.txt", f"-f{home}/private.txt", "file:///%65tc/passwd"]:
        error = desk.fails("FORBIDDEN", "app_launch", name="mousepad", args=[str(argument)], dry_run=True)
        assert "allowed_directories" in error["message"] and error["details"]["path"] == "args", error
    for argument in [inside / "letter.txt", "Projects/in/letter.txt", f"file://{inside}/letter.txt", "~/Projects/in/new.txt"]:
        desk.call("app_launch", name="mousepad", args=[str(argument)], dry_run=True)
    desk.call("app_launch", name="galculator", dry_run=True)


def test_domains_hold_for_launched_programs(grants):
    desk = grants
    bind(desk, "named")
    for address in ["http://127.0.0.1:9/", "http://example.com@127.0.0.1/", "http://example.org/", "example.com", "127.0.0.1:9",
                    "file:///etc/passwd", "data:text/html,x", "javascript:1"]:
        desk.fails("FORBIDDEN", "app_launch", name="chromium", args=[address], dry_run=True)
    desk.fails("FORBIDDEN", "app_launch", name="chromium", dry_run=True)
    desk.fails("FORBIDDEN", "app_launch", name="bash", args=["-c", "curl 127.0.0.1:17991"], dry_run=True)
    desk.fails("FORBIDDEN", "app_launch", name="curl", args=["http://example.com"], dry_run=True)
    error = desk.fails("FORBIDDEN", "app_launch", name="mousepad", dry_run=True)
    assert "browser_navigate" in error["suggestion"] and error["details"]["grant"] == "named"
    desk.fails("FORBIDDEN", "app_launch", name="chromium", args=["--proxy-server=127.0.0.1:9", "http://example.com/"], dry_run=True)
    desk.call("app_launch", name="chromium", args=["http://example.com/"], dry_run=True)


def test_applications_are_known_by_their_executable(grants):
    desk, home = grants, grants.home
    bind(desk, "editor")
    made = home / "Projects" / "in" / "ga"
    error = desk.fails("APP_NOT_ALLOWED", "app_launch", name=str(home / "Projects" / "mousepad"), args=["-c", f"id > {made}"],
                       wait_ms=2000)
    assert error["details"]["expected"] == ["mousepad"]
    shutil.copy("/bin/bash", home / "Projects" / "in" / "mousepad")
    desk.fails("APP_NOT_ALLOWED", "app_launch", name=str(home / "Projects" / "in" / "mousepad"), args=["-c", f"id > {made}"])
    assert not made.exists()
    desk.call("app_launch", name="mousepad", dry_run=True)
    desk.call("app_launch", name="/usr/bin/mousepad", dry_run=True)
    desk.fails("APP_NOT_ALLOWED", "app_launch", name="xterm", dry_run=True)
    bind(desk, "mine")
    desk.call("app_launch", name=str(home / "Projects" / "calculator"), dry_run=True)
    desk.fails("APP_NOT_ALLOWED", "app_launch", name="galculator", dry_run=True)


def test_a_name_resolves_by_the_path_of_the_desktop(own_desk, tmp_path):
    """A program of the user's that has a listed name, earlier in PATH."""
    shutil.copy("/bin/bash", tmp_path / "galculator2")
    desk = own_desk("--virtual", "--size", "640x480", environment={"PATH": f"{tmp_path}:{os.environ['PATH']}"})
    give(desk, "calc", "--tools", "*", "--app", "galculator2")
    desk.fails("APP_NOT_ALLOWED", "app_launch", name="galculator2", grant="calc", dry_run=True)
