"""The container of a private desktop as its owner meets it: what holds, what can be set, what is said where it is missing. What a
hostile program tries is in tests/attack."""
import json
import os
import pathlib
import time

import pytest

from handfast import CONTAINER, FULL_AUTO, eventually

SIZE = ("--virtual", "--size", "800x600")


def contained(**container):
    return {**FULL_AUTO, "container": {**CONTAINER, **container}}


def run_inside(desk, script, desktop="main"):
    """What a program that is started on the desktop writes."""
    report = desk.home / "report"
    report.unlink(missing_ok=True)
    desk.call("app_launch", name="bash", args=["-c", f"({script}) > {report}.new 2>&1; mv {report}.new {report}"], desktop=desktop)
    eventually(report.exists, 20, "the report")
    return report.read_text()


def walls(desk, name="main"):
    return desk.desktops()[name]["walls"]


def test_a_private_desktop_is_a_container(own_desk):
    desk = own_desk(*SIZE)
    assert walls(desk)["contained"] is True
    shown = desk.cli("desktop", "show", "main").stdout.decode()
    assert "its own processes" in shown and "its own display" in shown
    assert "container" in desk.cli("desktop", "list").stdout.decode()
    assert desk.cli("desktop", "show", "nothing").returncode == 1
    # Its first process is the stage, which cannot be ended from inside.
    assert "stage" in run_inside(desk, "tr '\\0' ' ' < /proc/1/cmdline")
    run_inside(desk, "kill -9 1; kill 1; kill -STOP 1")
    assert desk.picture()[0].size == (800, 600)


def test_without_a_container_the_owner_is_told(own_desk):
    desk = own_desk(*SIZE, config=contained(enabled=False))
    assert walls(desk)["contained"] is False
    assert "container.enabled" in walls(desk)["reason"] and "config set" in walls(desk)["suggestion"]
    assert "NO CONTAINER" in desk.cli("desktop", "list").stdout.decode()
    shown = desk.cli("desktop", "show", "main").stdout.decode()
    assert "whatever your user can reach" in shown and "container.enabled" in shown
    assert "walls    NONE" in desk.log_text()


def test_a_machine_without_bubblewrap_is_told_what_to_install(own_desk, tmp_path):
    """Everything of PATH but bwrap."""
    for folder in os.environ["PATH"].split(":"):
        for program in pathlib.Path(folder).iterdir() if os.path.isdir(folder) else []:
            link = tmp_path / program.name
            if program.name != "bwrap" and not link.exists():
                link.symlink_to(program)
    desk = own_desk(*SIZE, environment={"PATH": str(tmp_path)})
    assert walls(desk)["contained"] is False
    assert "apt install bubblewrap" in walls(desk)["suggestion"]
    doctor = desk.cli("doctor").stdout.decode()
    assert "apt install bubblewrap" in doctor


def test_own_home_is_kept_for_the_next_desktop(own_desk):
    desk = own_desk(*SIZE, config=contained(home="own", writable=[*CONTAINER["writable"]]))
    (desk.home / "mine.txt").write_text("mine")
    (desk.home / "shared").mkdir()
    desk.write_config({**contained(home="own"), "security": {**FULL_AUTO["security"], "allowed_directories": [str(desk.home / "shared")]}})
    eventually(lambda: "shared" in desk.cli("config", "get", "security.allowed_directories").stdout.decode(), 10, "the new configuration")
    desk.new_desktop("two", width=640, height=480)
    desk.call("app_launch", name="bash", desktop="two",
              args=["-c", "echo kept > ~/kept.txt; ls -A ~ > ~/shared/seen.new; mv ~/shared/seen.new ~/shared/seen"])
    seen = eventually(lambda: (desk.home / "shared" / "seen").exists() and (desk.home / "shared" / "seen").read_text(), 20, "a report")
    assert "mine.txt" not in seen and "config" not in seen.split() and "shared" in seen
    assert not (desk.home / "kept.txt").exists()
    home = pathlib.Path(walls(desk, "two")["home_directory"])
    assert (home / "kept.txt").read_text() == "kept\n"
    desk.remove_desktop("two")
    desk.new_desktop("two", width=640, height=480)
    desk.call("app_launch", name="bash", desktop="two", args=["-c", "cp ~/kept.txt ~/shared/again.new; mv ~/shared/again.new ~/shared/again"])
    eventually(lambda: (desk.home / "shared" / "again").exists(), 20, "the file from before")


def test_the_user_and_programs_exchange_files(own_desk):
    desk = own_desk(*SIZE, config=contained(home="own", writable=[], network="none"))
    desk.new_desktop("two", width=640, height=480)
    place = desk.home / "Handfast" / "main"
    assert walls(desk)["exchange"] == str(place) and str(place) in desk.cli("desktop", "show", "main").stdout.decode()
    (place / "for-it.txt").write_text("from the user")
    assert "from the user" in json.dumps(desk.call("file_read", path=str(place / "for-it.txt")))
    desk.call("app_launch", name="bash", args=["-c", f"cat {place}/for-it.txt > {place}/new; mv {place}/new {place}/from-it.txt"])
    eventually((place / "from-it.txt").exists, 20, "the file of the program")
    assert (place / "from-it.txt").read_text() == "from the user"
    desk.fails("FORBIDDEN", "file_read", path=str(place / "for-it.txt"), desktop="two")
    desk.call("file_write", path=str(desk.home / "Handfast" / "two" / "note.txt"), content="kept", desktop="two")
    desk.remove_desktop("two")
    assert (desk.home / "Handfast" / "two" / "note.txt").read_text() == "kept"
    desk.new_desktop("three", width=640, height=480)
    assert (desk.home / "Handfast" / "three").is_dir()
    desk.remove_desktop("three")
    assert not (desk.home / "Handfast" / "three").exists(), "nobody has used it"


def test_readable_and_hidden_directories(own_desk):
    desk = own_desk(*SIZE, wait=True, config={**contained(), "security": {**FULL_AUTO["security"], "denied_patterns": ["~/secret/**"]}})
    (desk.home / "secret").mkdir()
    (desk.home / "secret" / "key").write_text("KEY")
    desk.new_desktop("two", width=640, height=480)
    seen = run_inside(desk, "cat ~/secret/key; ls ~/config/handfast ~/data/handfast; touch %s/x" % CONTAINER["readable"][0], "two")
    assert "KEY" not in seen and "config.json" not in seen and "handfast.db" not in seen
    assert "Read-only file system" in seen


@pytest.mark.parametrize("network", ["none", "open"])
def test_this_machines_services_are_out_of_reach(own_desk, network):
    desk = own_desk(*SIZE, config=contained(network=network))
    port = json.loads(desk.cli("status", "--json").stdout)["doors"]["http"]["url"].rsplit(":", 1)[1].strip("/")
    visit = f"import socket; socket.create_connection(('127.0.0.1', {port}), 5); print('REACHED')"
    seen = run_inside(desk, f'python3 -c "{visit}"; echo done')
    assert "REACHED" not in seen and "done" in seen


def test_secrets_of_the_environment_stay_outside(own_desk):
    desk = own_desk(*SIZE, environment={"MY_API_KEY": "canary-1", "SSH_AUTH_SOCK": "/canary-2", "HARMLESS": "shown"})
    seen = run_inside(desk, "env")
    assert "canary" not in seen and "HARMLESS=shown" in seen


def ticks(path):
    try:
        return len(path.read_bytes())
    except OSError:
        return 0


def test_a_stop_freezes_what_was_launched(own_desk):
    """A loop that an agent started goes no further, and goes on when the owner resumes."""
    desk = own_desk(*SIZE)
    loop = desk.home / "ticks"
    desk.call("app_launch", name="bash", args=["-c", f"(setsid bash -c 'while :; do printf x >> {loop}; sleep 0.01; done' &)"])
    eventually(lambda: ticks(loop) > 5, 20, "the loop")
    status, shown = desk.owner_cli("stop")
    assert status == 0, shown
    before = ticks(loop)
    time.sleep(0.5)
    assert ticks(loop) == before, "the loop goes on after the stop"
    status, shown = desk.owner_cli("resume")
    assert status == 0, shown
    eventually(lambda: ticks(loop) > before, 20, "the loop to go on")
