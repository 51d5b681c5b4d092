"""Directories that the desk opens for the file tools of a contained desktop: allowed or created after the desktop was made, used by
file tools at once, refused at once when they are taken away, and seen by no program."""
import json
import os
import pathlib
import signal
import threading

import pytest

from handfast import CONTAINER, FULL_AUTO, SLOW, eventually

SIZE = ("--virtual", "--size", "640x480")


def settings(directories, **container):
    return {**FULL_AUTO, "container": {**CONTAINER, "home": "own", **container},
            "security": {**FULL_AUTO["security"], "allowed_directories": [str(path) for path in directories]}}


@pytest.fixture
def desk(own_desk):
    """With ~/Projects, which programs see, and ~/later, which is neither allowed nor bound in."""
    desk = own_desk(*SIZE, config=settings(["~/Projects"]), wait=False)
    for name in ("Projects", "later"):
        (desk.home / name).mkdir()
    desk.wait_ready()
    desk.remove_desktop("main")
    desk.new_desktop("main", width=640, height=480)
    return desk


def allow(desk, *directories):
    """As the owner does it while everything runs."""
    listed = json.dumps([str(path) for path in directories])
    status, shown = desk.owner_cli("config", "set", "security.allowed_directories", listed)
    assert status == 0, shown
    eventually(lambda: json.loads(desk.cli("config", "get", "security.allowed_directories", "--json").stdout) == json.loads(listed)
               or listed in desk.cli("config", "get", "security.allowed_directories").stdout.decode(), 10, "the new configuration")


def run_inside(desk, script):
    """What a program on the desktop writes."""
    report = desk.home / "Projects" / "report"
    report.unlink(missing_ok=True)
    desk.call("app_launch", name="bash", args=["-c", f"({script}) > {report}.new 2>&1; mv {report}.new {report}"])
    eventually(report.exists, 20, "the report")
    return report.read_text()


def use_everything(desk, folder, run):
    """Every file tool, checked against what is on the disk."""
    path = folder / "notes.txt"
    watch = desk.call("file_watch", path=str(folder), timeout=0)["watch_id"]
    desk.call("file_write", path=str(path), content="first canary\n", run_id=run)
    assert path.read_text() == "first canary\n"
    assert desk.call("file_read", path=str(path))["content"] == "first canary\n"
    desk.call("file_edit", path=str(path), old_string="first", new_string="second", run_id=run)
    assert path.read_text() == "second canary\n"
    desk.call("file_batch", run_id=run, create_directories=True, operations=[
        {"op": "create", "path": str(folder / "new/deep/a.txt"), "content": "a"}, {"op": "move", "path": str(path), "to": str(folder / "moved.txt")}])
    assert (folder / "new/deep/a.txt").read_text() == "a" and (folder / "moved.txt").exists() and not path.exists()
    found = desk.call("file_search", directory=str(folder), pattern="second", type="content")
    assert [match["path"] for match in found["matches"]] == [str(folder / "moved.txt")], found
    seen = desk.call("file_watch", path=str(folder), watch_id=watch, timeout=10)
    assert str(path) in [change["path"] for change in seen["changes"]], seen
    for expected in ("second canary\n", "first canary\n", None):
        desk.call("undo_last", run_id=run)
        assert (path.read_text() if path.exists() else None) == expected
    assert sorted(os.listdir(folder)) == []
    return watch


def refuse_everything(desk, folder, watch):
    (folder / "left.txt").write_text("left")
    for tool, more in (("file_read", {}), ("file_write", {"content": "x"}), ("file_edit", {"old_string": "left", "new_string": "x"}),
                       ("file_watch", {"timeout": 0})):
        assert "outside" in desk.fails("FORBIDDEN", tool, path=str(folder / "left.txt"), **more)["message"]
    desk.fails("FORBIDDEN", "file_search", directory=str(folder), pattern="*")
    desk.fails("FORBIDDEN", "file_watch", path=str(folder), watch_id=watch, timeout=0)
    desk.fails("FORBIDDEN", "file_batch", operations=[{"op": "delete", "path": str(folder / "left.txt")}])
    assert (folder / "left.txt").read_text() == "left"


def test_a_directory_that_is_allowed_while_the_desktop_runs(desk):
    later = desk.home / "later"
    desk.fails("FORBIDDEN", "file_write", path=str(later / "x"), content="x")
    allow(desk, "~/Projects", "~/later")
    watch = use_everything(desk, later, "handed")
    assert desk.desktops()["main"]["restarts"] == 0
    # A program sees neither the directory nor what is kept of it for undo.
    (later / "secret.txt").write_text("for file tools")
    seen = run_inside(desk, f"ls {later}; cat {later}/secret.txt; grep -rl -D skip canary {desk.home} 2>/dev/null; ls {desk.data}; echo over")
    assert "secret.txt: No such file" in seen and "for file tools" not in seen, seen
    assert "notes" not in seen and "objects" not in seen and seen.endswith("over\n"), seen
    desk.call("file_write", path=str(later / "stays"), content="stays", run_id="taken")
    allow(desk, "~/Projects")
    refuse_everything(desk, later, watch)
    assert "outside" in desk.fails("FORBIDDEN", "undo_last", run_id="taken")["message"]
    assert (later / "stays").read_text() == "stays"


def test_a_directory_that_is_created_later(desk):
    allow(desk, "~/Projects", "~/coming")
    coming = desk.home / "coming"
    desk.fails("FORBIDDEN", "file_write", path=str(coming / "x"), content="x")
    coming.mkdir()
    use_everything(desk, coming, "coming")
    coming.rename(desk.home / "gone")  # and another one with the same name
    coming.mkdir()
    desk.call("file_write", path=str(coming / "x"), content="new")
    assert (coming / "x").read_text() == "new" and not (desk.home / "gone" / "x").exists()


def test_by_a_link_of_the_owner(desk):
    (desk.home / "target").mkdir()
    (desk.home / "short").symlink_to("target")
    allow(desk, "~/Projects", "~/short")
    use_everything(desk, desk.home / "target", "by-link")
    answer = desk.call("file_write", path="~/short/a", content="a")
    assert answer["path"] == str(desk.home / "target" / "a") and (desk.home / "target" / "a").read_text() == "a"


def test_what_a_program_calls_the_same_is_not_the_same(desk):
    """In its own home it can give anything the name of the user's directory."""
    later = desk.home / "later"
    run_inside(desk, f"ln -s {desk.home}/Projects {later}; mkdir {desk.home}/deep; ln -s {desk.home}/Projects {desk.home}/deep/er")
    (desk.home / "deep" / "er").mkdir(parents=True)
    allow(desk, "~/Projects", "~/later", "~/deep/er")
    for folder in (later, desk.home / "deep" / "er"):
        assert desk.call("file_write", path=str(folder / "mine"), content="mine")["path"] == str(folder / "mine")
        assert (folder / "mine").read_text() == "mine" and not (desk.home / "Projects" / "mine").exists()
        error = desk.fails("FORBIDDEN", "bash_execute", command="pwd", working_dir=str(folder))
        assert "cannot see" in error["message"] and str(folder) in error["message"]
    run_inside(desk, f"rm {later}; mkdir {later}; touch {later}/planted")
    assert [entry["name"] for entry in desk.call("file_read", path=str(later))["entries"]] == ["mine"]


def test_what_shells_and_programs_are_told(desk):
    allow(desk, "~/Projects", "~/later")
    (desk.home / "later" / "script.sh").write_text("echo ran\n")
    cases = [("bash_execute", {"command": "pwd", "working_dir": str(desk.home / "later")}), ("bash_execute", {"command": "pwd", "working_dir": "~/later"}),
             ("run_script", {"path": str(desk.home / "later" / "script.sh")}),
             ("app_launch", {"name": "bash", "args": [str(desk.home / "later" / "script.sh")]}),
             ("app_launch", {"name": str(desk.home / "later" / "script.sh")}),
             ("bash_session", {"action": "create", "session_id": "s", "working_dir": str(desk.home / "later")})]
    for tool, params in cases:
        error = desk.fails("FORBIDDEN", tool, **params)
        assert f"programs on this desktop cannot see '{desk.home}/later'" in error["message"], error
        assert "file tools" in error["suggestion"] and "handfast desktop new" in error["suggestion"], error
    assert desk.call("bash_execute", command="pwd", working_dir=str(desk.home / "Projects"))["stdout"].strip() == str(desk.home / "Projects")
    # A desktop that is made now shows it.
    desk.new_desktop("two", width=640, height=480)
    assert desk.call("run_script", path=str(desk.home / "later" / "script.sh"), desktop="two")["stdout"] == "ran\n"


def test_a_link_that_a_program_planted_is_not_the_owners(desk):
    """An allowed directory within another one, where programs may write: they can exchange it for a link."""
    secret, inner = desk.home / "private", desk.home / "Projects" / "inner"
    secret.mkdir()
    (secret / "key").write_text("KEY")
    inner.mkdir()
    allow(desk, "~/Projects", "~/Projects/inner")
    desk.call("file_write", path=str(inner / "fine"), content="fine")
    run_inside(desk, f"mv {inner} {inner}.old; ln -s {secret} {inner}")
    for path in (inner / "key", secret / "key"):
        desk.fails("FORBIDDEN", "file_read", path=str(path))
    desk.new_desktop("two", width=640, height=480)
    assert str(secret) not in desk.desktops()["two"]["walls"]["writable"]


def test_nothing_leads_out_of_a_handed_directory(desk):
    later, secret = desk.home / "later", desk.home / "private"
    (later / "real").mkdir()
    secret.mkdir()
    for folder, text in ((later / "real", "inside"), (secret, "outside")):
        (folder / "file").write_text(text)
    (later / "to-secret").symlink_to(secret)
    (later / "up").symlink_to("..")
    (later / "root").symlink_to("/proc/self/root")
    (later / "hard").hardlink_to(secret / "file")
    allow(desk, "~/Projects", "~/later")
    for name in ("to-secret/file", "up/private/file", f"root{secret}/file", "../private/file", "real/../../private/file"):
        desk.fails("FORBIDDEN", "file_read", path=f"{later}/{name}")
        desk.fails("FORBIDDEN", "file_write", path=f"{later}/{name}", content="x")
    desk.fails("FORBIDDEN", "file_write", path=str(later / "hard"), content="x")
    stop = threading.Event()
    (later / "link").symlink_to(secret)

    def exchange():
        """`spot` is a directory, then a link that leads out, then the directory again."""
        while not stop.is_set():
            for name in ("real", "link"):
                os.rename(later / name, later / "spot")
                os.rename(later / "spot", later / name)
    swapper = threading.Thread(target=exchange)
    swapper.start()
    try:
        contents = {desk.answer("file_read", path=str(later / "spot" / "file")).get("result", {}).get("content") for _ in range(300)}
        for number in range(100):
            desk.answer("file_write", path=str(later / "spot" / f"new{number % 5}"), content="x")
    finally:
        stop.set()
        swapper.join()
    assert "inside" in contents and contents <= {"inside", None}, contents
    assert sorted(os.listdir(secret)) == ["file"] and (secret / "file").read_text() == "outside"


def test_no_descriptor_is_left_behind(desk):
    """Neither by calls nor by refusals."""
    allow(desk, "~/Projects", "~/later")
    path = str(desk.home / "later" / "file")
    hand = desk.desktops()["main"]["hand_pid"]

    def work(count):
        for _ in range(count):
            desk.call("file_write", path=path, content="x")
            desk.call("file_read", path=path)
            desk.fails("FORBIDDEN", "file_read", path=str(desk.home / "private"))
            desk.call("file_search", directory=str(desk.home / "later"), pattern="*")

    def opened():
        return [len(os.listdir(f"/proc/{pid}/fd")) for pid in (desk.process.pid, hand)]
    work(5)
    before = opened()
    work(1000 if SLOW == 1 else 300)
    eventually(lambda: all(now <= then + 2 for now, then in zip(opened(), before)), 10, f"no more than {before}")
    assert not [link for link in map(os.readlink, pathlib.Path(f"/proc/{desk.process.pid}/fd").iterdir()) if link.endswith("/later")]


def test_a_grant_narrows_what_is_handed(desk):
    (desk.home / "later" / "part").mkdir()
    allow(desk, "~/Projects", "~/later")
    run = desk.owner_cli("grant", "new", "narrow", "--json", "--tools", "files", "--dir", str(desk.home / "later" / "part"))
    assert run.returncode == 0, run.shown
    part = str(desk.home / "later" / "part" / "a")
    desk.call("file_write", path=part, content="a", grant="narrow")
    assert (desk.home / "later" / "part" / "a").read_text() == "a"
    for path in (desk.home / "later" / "b", desk.home / "Projects" / "b"):
        desk.fails("FORBIDDEN", "file_write", path=str(path), content="b", grant="narrow")
    desk.fails("FORBIDDEN", "file_read", path=str(desk.home / "later" / "part" / ".." / "b"), grant="narrow")
    allow(desk, "~/Projects")  # a grant gives nothing that the configuration does not
    desk.fails("FORBIDDEN", "file_read", path=part, grant="narrow")


def test_handfasts_own_directories_are_never_handed(desk):
    allow(desk, "~/Projects", desk.home, desk.data, desk.runtime / "handfast", desk.home / "config")
    (desk.home / "plain").write_text("plain")
    assert desk.call("file_read", path=str(desk.home / "plain"))["content"] == "plain"
    for path in (desk.config_path, desk.data / "handfast.db", desk.runtime / "handfast", desk.data / "desktops" / "main" / "files"):
        desk.fails("FORBIDDEN", "file_read", path=str(path))


def test_what_a_killed_hand_left_is_completed_where_programs_do_not_see_it(desk):
    later = desk.home / "later"
    allow(desk, "~/Projects", "~/later")
    for round_number in range(4):
        stop, calls = threading.Event(), []

        def change():
            bridge = desk.connect()
            while not stop.is_set():
                number = len(calls)
                bridge.answer("file_batch", {"create_directories": True, "operations": [
                    {"op": "write", "path": str(later / "new" / f"f{index}"), "content": f"{number:08}" * 2000} for index in range(6)]})
                calls.append(number)
        writer = threading.Thread(target=change)
        writer.start()
        eventually(lambda: len(calls) > 1, 30, "a batch")
        hand = desk.desktops()["main"]["hand_pid"]
        os.kill(hand, signal.SIGKILL)
        stop.set()
        writer.join()
        eventually(lambda: desk.answer("wait", duration=0)["ok"] and desk.desktops()["main"]["hand_pid"] != hand, 60, "the next hand")
        left = sorted(os.listdir(later / "new"))
        assert left == [f"f{index}" for index in range(6)], left
        assert len({(later / "new" / name).read_text() for name in left}) == 1
    assert [name for name in os.listdir(desk.data / "desktops" / "main" / "files" / "journal") if name != "lock"] == []
