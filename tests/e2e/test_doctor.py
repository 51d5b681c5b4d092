"""`handfast doctor`: well on a healthy machine; on one that is really broken it says what, and how to mend it."""
import json
import os
import pathlib
import re
import shutil
import socket
import sqlite3
import subprocess

import pytest

from handfast import FULL_AUTO, PROGRAM, SLOW, eventually


def left_behind():
    return set(pathlib.Path("/tmp").glob("hf-doctor-*"))


class Patient:
    """A user of their own."""

    def __init__(self, home):
        self.home = home
        self.run = home / "run"
        self.run.mkdir(mode=0o700)
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(home), "XDG_RUNTIME_DIR": str(self.run), "LANG": "C.UTF-8",
                            "HF_PATIENT": str(home)}

    def doctor(self, *arguments, environment=None, **options):
        return subprocess.run([PROGRAM, "doctor", *arguments], env={**self.environment, **(environment or {})},
                              capture_output=True, text=True, timeout=120 * SLOW, **options)

    def findings(self, **options):
        before = left_behind()
        result = self.doctor("--json", **options)
        report = json.loads(result.stdout)
        assert report["ok"] == (result.returncode == 0)
        assert left_behind() <= before
        return {finding["check"]: finding for finding in report["checks"]}


@pytest.fixture
def patient(tmp_path):
    return Patient(tmp_path)


def failed(findings):
    return {name for name, finding in findings.items() if finding["health"] == "fail"}


def test_healthy(patient):
    findings = patient.findings()
    assert not failed(findings) - {"port"}
    assert all(finding["message"] for finding in findings.values())
    assert all("repair" in finding for finding in findings.values() if finding["health"] != "ok")
    assert "640 x 480" in findings["picture"]["message"] and "123,321" in findings["pointer"]["message"]
    assert findings["window-manager"]["health"] == "ok" and findings["store-write"]["health"] == "ok"
    assert findings["accessibility"]["health"] == "ok"
    elements = re.fullmatch(r"mousepad reports (\d+) elements", findings["accessibility"]["message"])
    assert elements and int(elements[1]) > 5, "a real program's tree was read"
    assert {path.name for path in patient.home.iterdir()} == {"run"}, "nothing is written in the user's home"


def test_no_accessibility(patient, tmp_path):
    """A machine without the service that programs tell their elements to. It has no bubblewrap either: a container would not show
    the program that stands for it."""
    bin = tmp_path / "bin"
    bin.mkdir()
    for folder in os.environ["PATH"].split(os.pathsep):
        for program in pathlib.Path(folder).glob("*"):
            if not (bin / program.name).exists() and program.name not in ("mousepad", "bwrap"):
                (bin / program.name).symlink_to(program)
    fake = bin / "mousepad"
    fake.write_text("#!/bin/sh\nexec xterm\n")
    fake.chmod(0o755)
    findings = patient.findings(environment={"PATH": str(bin)})
    assert failed(findings) - {"port"} == {"accessibility"}, "a program that tells nothing is noticed"
    assert "at-spi2-core" in findings["accessibility"]["repair"]


def test_for_people(patient):
    result = patient.doctor()
    assert "ok    picture" in result.stdout and "\033" not in result.stdout and "failed" in result.stdout
    chinese = patient.doctor(environment={"LANGUAGE": "zh_CN"})
    assert "虚拟桌面" in chinese.stdout


def test_no_x_server(patient):
    findings = patient.findings(environment={"PATH": "/nonexistent"})
    assert failed(findings) >= {"programs", "picture", "pointer", "window-manager", "accessibility"}
    assert "Xvfb" in findings["programs"]["message"] and "apt install xvfb" in findings["programs"]["repair"]
    assert "Xvfb" in findings["picture"]["message"]
    assert findings["browser"]["health"] == findings["ocr"]["health"] == "warn"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be another user for a moment")
def test_home_cannot_be_written(patient):
    patient.home.chmod(0o755)
    os.chown(patient.run, 65534, 65534)
    for path in patient.home.parents:
        if path.stat().st_mode & 0o005 != 0o005:
            path.chmod(0o755)
    program = shutil.copy(PROGRAM, "/tmp/hf-test-doctor")
    try:
        result = subprocess.run([program, "doctor", "--json"], env=patient.environment, capture_output=True, user=65534, group=65534,
                                extra_groups=[], timeout=120 * SLOW)
    finally:
        os.unlink(program)
    findings = {finding["check"]: finding for finding in json.loads(result.stdout)["checks"]}
    assert result.returncode == 1 and "folders" in failed(findings)
    assert str(patient.home) in findings["folders"]["message"] and "chmod" in findings["folders"]["repair"]


def test_corrupt_store(patient):
    store = patient.home / ".local" / "share" / "handfast" / "handfast.db"
    store.parent.mkdir(parents=True, mode=0o700)
    store.write_bytes(b"SQLite format 3\0" + b"nonsense" * 1000)
    store.chmod(0o600)
    findings = patient.findings()
    assert failed(findings) >= {"store", "audit"} and str(store) in findings["store"]["message"]
    assert "cp -a" in findings["store"]["repair"]
    assert findings["store-write"]["health"] == "ok", "the doctor's own store is another"


def test_changed_audit(own_desk):
    desk = own_desk()
    desk.call("wait", duration=0)
    findings = {finding["check"]: finding for finding in json.loads(desk.cli("doctor", "--json").stdout)["checks"]}
    assert findings["audit"]["health"] == "ok" and findings["desk"]["health"] == "ok"
    desk.stop()
    with sqlite3.connect(desk.data / "handfast.db") as database:
        table = "audit" if database.execute("select 1 from sqlite_master where name = 'audit'").fetchone() else None
        assert table, database.execute("select name from sqlite_master").fetchall()
        database.execute("drop trigger if exists audit_no_update")
        for (name,) in database.execute("select name from sqlite_master where type = 'trigger'").fetchall():
            database.execute(f"drop trigger {name}")
        database.execute("update audit set body = replace(body, 'wait', 'wiat')")
    findings = {finding["check"]: finding for finding in json.loads(desk.cli("doctor", "--json").stdout)["checks"]}
    assert findings["audit"]["health"] == "fail" and findings["audit"]["repair"] == "handfast audit verify"


def test_invalid_config(patient):
    path = patient.home / ".config" / "handfast" / "config.json"
    path.parent.mkdir(parents=True)
    path.write_text('{"security": {"permission_level": "L9"}}')
    path.chmod(0o600)
    findings = patient.findings()
    assert failed(findings) - {"port"} == {"config"} and "permission_level" in findings["config"]["message"]
    assert findings["config"]["repair"] == "handfast config check"


def test_files_open_to_others(patient):
    path = patient.home / ".config" / "handfast" / "config.json"
    path.parent.mkdir(parents=True)
    path.write_text("{}")
    path.chmod(0o644)
    findings = patient.findings()
    assert failed(findings) - {"port"} == {"permissions"}
    subprocess.run(findings["permissions"]["repair"], shell=True, check=True)
    assert not failed(patient.findings()) - {"port"}, "what it said to type has mended it"


def test_port_is_taken(patient):
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(("127.0.0.1", 17890))
        except OSError:
            pytest.skip("a desk of this machine has the port")
        listener.listen()
        finding = patient.findings()["port"]
    assert finding["health"] == "fail" and "17890" in finding["message"] and finding["repair"].startswith("ss ")


def test_display_that_is_not_there(patient):
    findings = patient.findings(environment={"DISPLAY": ":4999"})
    assert failed(findings) - {"port"} == {"display"} and ":4999" in findings["display"]["message"]


def test_nothing_moves_on_an_attached_desktop(own_desk):
    """With a desk on a display that stands for the user's own: its pointer stays, its windows stay."""
    desk = own_desk()
    desk.call("mouse_move", x=77, y=88, smooth=False)
    display = desk.desktop_environment()
    before = desk.call("window_list")["windows"], desk.desktops()
    result = subprocess.run([PROGRAM, "doctor", "--json"], env={**desk.environment, "DISPLAY": display["DISPLAY"],
                            "XAUTHORITY": display.get("XAUTHORITY", "")}, capture_output=True, timeout=120 * SLOW)
    findings = {finding["check"]: finding for finding in json.loads(result.stdout)["checks"]}
    assert findings["display"]["health"] == findings["desk"]["health"] == "ok"
    assert "1280 x 800" in findings["display"]["message"]
    assert desk.call("cursor_position") == {**desk.call("cursor_position"), "x": 77, "y": 88}
    assert (desk.call("window_list")["windows"], desk.desktops()) == before


def test_a_desk_that_refuses_is_no_failure(own_desk):
    desk = own_desk(config={**FULL_AUTO, "security": {"bridge": {"allowed_programs": ["/nothing"]}}})
    findings = {finding["check"]: finding for finding in json.loads(desk.cli("doctor", "--json").stdout)["checks"]}
    assert findings["desk"]["health"] == "warn" and findings["picture"]["health"] == "ok"


def test_its_desk_ends_with_it(patient):
    """Killed in the middle: the desk that it had started does not stay."""
    before = left_behind()
    process = subprocess.Popen([PROGRAM, "doctor"], env=patient.environment, stdout=subprocess.DEVNULL)

    def desks():
        found = []
        for path in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if f"HF_PATIENT={patient.home}".encode() in (path / "environ").read_bytes() and int(path.name) != process.pid:
                    found.append(int(path.name))
            except OSError:
                pass
        return found

    eventually(desks, 20, "the doctor's desk")
    process.kill()
    process.wait()
    eventually(lambda: not desks(), 30, "the end of all that it had started")
    for path in left_behind() - before:
        shutil.rmtree(path)
