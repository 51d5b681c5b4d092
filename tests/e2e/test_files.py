"""The file tools through the doors: what is on the disk afterwards, and what is told of it."""
import base64
import copy
import hashlib
import json
import os
import pathlib
import stat
import subprocess
import threading
import time

import pytest

from handfast import CONTAINER, FULL_AUTO, SLOW, eventually


@pytest.fixture
def folder(shared_desk, request):
    """An allowed directory of the test's own: ~/Projects is allowed by default, and ~ is the desk's, not the hand's."""
    path = shared_desk.home / "Projects" / request.node.name[:60]
    path.mkdir(parents=True)
    return path


@pytest.fixture
def desk(shared_desk):
    return shared_desk


def kept_files(desk, desktop="main"):
    """Where the hands of a contained desktop keep what undo needs."""
    return desk.data / "desktops" / desktop / "files"


def sha256(data):
    return hashlib.sha256(data).hexdigest()


# ---- reading ----

def test_reading_in_parts(desk, folder):
    path = folder / "notes.txt"
    path.write_text("".join(f"line {number}\n" for number in range(1, 101)))
    whole = desk.call("file_read", path=str(path))
    assert whole["content"] == path.read_text() and whole["total_lines"] == 100 and not whole["truncated"]
    assert whole["encoding"] == "utf-8" and whole["line_endings"] == "lf" and whole["sha256"] == sha256(path.read_bytes())
    part = desk.call("file_read", path=str(path), offset=11, limit=2)
    assert part["content"] == "line 11\nline 12\n" and part["truncated"] and part["next_offset"] == 13
    rest = desk.call("file_read", path=str(path), offset=100, limit=5)
    assert rest["content"] == "line 100\n" and not rest["truncated"] and "next_offset" not in rest
    beyond = desk.call("file_read", path=str(path), offset=500)
    assert beyond["content"] == "" and beyond["lines"] == 0 and not beyond["truncated"]
    home = desk.call("file_read", path=f"~/Projects/{folder.name}/notes.txt", limit=1)
    assert home["content"] == "line 1\n"


def test_encodings_are_told(desk, folder):
    cases = {"crlf": (b"a\r\nb\r\n", "utf-8", "crlf", "a\r\nb\r\n"), "bom": (b"\xef\xbb\xbfx\n", "utf-8", "lf", "x\n"),
             "utf16": ("\ufeff中文\r\n".encode("utf-16-le"), "utf-16le", "crlf", "中文\r\n"), "empty": (b"", "utf-8", "none", "")}
    for name, (data, encoding, endings, text) in cases.items():
        (folder / name).write_bytes(data)
        read = desk.call("file_read", path=str(folder / name))
        assert (read["encoding"], read["line_endings"], read["content"]) == (encoding, endings, text), name
        assert read["total_bytes"] == len(data)
    data = bytes(range(256)) * 10
    (folder / "binary").write_bytes(data)
    read = desk.call("file_read", path=str(folder / "binary"))
    assert read["encoding"] == "base64" and base64.b64decode(read["content"]) == data
    read = desk.call("file_read", path=str(folder / "binary"), byte_offset=2550)
    assert base64.b64decode(read["content"]) == data[2550:]


def test_a_line_that_is_too_long_is_cut_and_said_to_be(desk, folder):
    (folder / "long").write_text("é" * 1_000_000)
    read = desk.call("file_read", path=str(folder / "long"))
    assert read["truncated"] and read["line_cut"] and set(read["content"]) == {"é"} and len(read["content"]) < 600_000


def test_an_edit_of_what_was_not_shown(desk, folder):
    path = folder / ".env"
    path.write_text("# mine\nDB_PASSWORD=hunter2hunter2\nPLAIN_CODE=4711\n")
    shown = desk.call("file_read", path=str(path))["content"]
    for old in ["PLAIN_CODE=000", *shown.splitlines()[1:], shown]:
        error = desk.fails("PRECONDITION_FAILED", "file_edit", path=str(path), old_string=old + "!", new_string="x")
        assert "hunter2" not in json.dumps(error) and "4711" not in json.dumps(error), error
        if "[redacted]" in old:
            assert "secret" in error["message"] and "read the file" not in error["suggestion"] and "without" in error["suggestion"]
    (folder / "notes").write_text("shown as [redacted], in so many words\n")
    desk.call("file_edit", path=str(folder / "notes"), old_string="as [redacted], in", new_string="as it is, in")
    assert (folder / "notes").read_text().startswith("shown as it is")


def test_directories_are_listed(desk, folder):
    (folder / "sub").mkdir()
    (folder / "b.txt").write_text("12345")
    (folder / "link").symlink_to("b.txt")
    (folder / "node_modules").mkdir()  # denied
    read = desk.call("file_read", path=str(folder))
    assert [(entry["name"], entry["type"]) for entry in read["entries"]] == [("b.txt", "file"), ("link", "link"), ("sub", "directory")]
    assert read["entries"][0]["bytes"] == 5 and read["total_entries"] == 3
    page = desk.call("file_read", path=str(folder), offset=2, limit=1)
    assert [entry["name"] for entry in page["entries"]] == ["link"] and page["next_offset"] == 3


def test_secrets_are_not_shown(desk, folder):
    key = "-----BEGIN RSA PRIVATE KEY-----\nMIIEabcdef\n-----END RSA PRIVATE KEY-----"
    (folder / ".env").write_text("# mine\nDB_PASSWORD=hunter2hunter2\nPLAIN=visible-value\n")
    (folder / "code.py").write_text(f"password = ask()\nkey = '''{key}'''\ntoken = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789'\n")
    env = desk.call("file_read", path=str(folder / ".env"))
    assert env["redacted"] and "hunter2" not in env["content"] and "visible-value" not in env["content"]
    assert env["content"] == "# mine\nDB_PASSWORD=[redacted]\nPLAIN=[redacted]\n"
    code = desk.call("file_read", path=str(folder / "code.py"))
    assert code["redacted"] and "MIIE" not in code["content"] and "ghp_" not in code["content"] and "password = ask()" in code["content"]
    error = desk.fails("PRECONDITION_FAILED", "file_write", path=str(folder / "code.py"), content=code["content"])
    assert "would destroy them" in error["message"] and "MIIE" in (folder / "code.py").read_text()
    edited = desk.call("file_edit", path=str(folder / "code.py"), old_string="ask()", new_string="ask(2)")
    assert "MIIE" in (folder / "code.py").read_text() and "ask(2)" in edited["diff"]
    found = desk.call("file_search", directory=str(folder), pattern="hunter2", type="content", hidden=True)
    assert found["matches"] == [] and found["skipped"]["secret"] == 1
    (folder / "harmless").symlink_to(".env")
    assert "stricter" in desk.fails("FORBIDDEN", "file_read", path=str(folder / "harmless"))["message"]
    everything = b"".join(path.read_bytes() for path in desk.data.rglob("*") if path.is_file() and "files/objects" not in str(path))
    assert b"hunter2hunter2" not in everything


@pytest.mark.parametrize("name", [".ENV", ".Env", "Secrets.YAML", "SERVER.PEM"])
def test_secret_files_are_known_in_any_case(desk, folder, name):
    """As with security.denied_patterns."""
    (folder / name).write_text("PLAIN=visible-value\n")
    read = desk.call("file_read", path=str(folder / name))
    assert read["redacted"] and "visible-value" not in read["content"]


# ---- walls ----

def test_walls(desk, folder):
    outside = desk.home / "outside.txt"
    outside.write_text("outside")
    (folder / "to-outside").symlink_to(outside)
    (folder / "up").symlink_to("../..")
    (folder / "inside.txt").write_text("inside")
    (folder / "to-inside").symlink_to(folder / "inside.txt")
    os.mkfifo(folder / "fifo")
    os.link(outside, folder / "hard")
    assert desk.call("file_read", path=str(folder / "to-inside"))["content"] == "inside"
    wrong = [outside, folder / "../../outside.txt", folder / "to-outside", folder / "up/outside.txt", "/etc/passwd", "/proc/self/environ",
             f"/proc/self/root{outside}", f"/proc/{os.getpid()}/cwd/x", "/dev/zero", folder / "fifo", "~/.ssh/id_rsa", "/"]
    for path in wrong:
        error = desk.fails("FORBIDDEN", "file_read", path=str(path))
        if "outside" in error["message"]:
            assert str(desk.home / "Projects") in error["message"]
        desk.fails("FORBIDDEN", "file_watch", path=str(path), timeout=0)
        desk.fails("FORBIDDEN", "file_write", path=str(path), content="changed")
        desk.fails("FORBIDDEN", "file_edit", path=str(path), old_string="outside", new_string="changed")
        desk.fails("FORBIDDEN", "file_batch", operations=[{"op": "delete", "path": str(path)}])
        desk.fails("FORBIDDEN", "file_batch", operations=[{"op": "move", "path": str(folder / "inside.txt"), "to": str(path)}])
    for path in ("/etc", folder / "up", "/proc/self/cwd"):
        desk.fails("FORBIDDEN", "file_search", directory=str(path), pattern="*")
    error = desk.fails("FORBIDDEN", "file_write", path=str(folder / "hard"), content="changed")
    assert "hard links" in error["message"]
    advice = error["suggestion"].split("`")[1]
    assert subprocess.run(["sh", "-c", advice], cwd=folder, check=True) and (folder / "hard").stat().st_nlink == 1
    desk.call("file_write", path=str(folder / "hard"), content="ours alone")
    assert outside.read_text() != "ours alone"
    desk.fails("INVALID_PARAMS", "file_read", path="relative.txt")
    desk.fails("INVALID_PARAMS", "file_read", path=str(folder / ("n" * 300)))
    desk.fails("FILE_NOT_FOUND", "file_read", path=str(folder / "．．" / "outside.txt"))
    desk.fails("FILE_NOT_FOUND", "file_read", path=str(folder / "none"))
    assert outside.read_text() == "outside" and (folder / "inside.txt").read_text() == "inside"


def test_denied_patterns(desk, folder):
    (folder / "node_modules" / "x").mkdir(parents=True)
    (folder / "node_modules" / "x" / "index.js").write_text("needle")
    (folder / "shortcut").symlink_to("node_modules/x/index.js")
    (folder / "ok.js").write_text("needle")
    desk.fails("FORBIDDEN", "file_read", path=str(folder / "node_modules/x/index.js"))
    desk.fails("FORBIDDEN", "file_read", path=str(folder / "node_modules"))
    desk.fails("FORBIDDEN", "file_read", path=str(folder / "shortcut"))
    desk.fails("FORBIDDEN", "file_write", path=str(folder / "node_modules/new.js"), content="x")
    desk.fails("FORBIDDEN", "file_write", path=str(folder / "NODE_MODULES/new.js"), content="x", create_directories=True)
    found = desk.call("file_search", directory=str(folder), pattern="needle", type="content", ignored=True, hidden=True)
    assert [match["path"] for match in found["matches"]] == [str(folder / "ok.js")]
    assert not any("node_modules" in match["path"] for match in desk.call("file_search", directory=str(folder), pattern="**")["matches"])


def test_a_grant_narrows_the_walls(own_desk):
    desk = own_desk("--virtual", "--size", "640x480")
    (desk.home / "Projects" / "mine").mkdir(parents=True)
    (desk.home / "Projects" / "mine" / "a").write_text("mine")
    (desk.home / "Projects" / "other").write_text("other")
    made = desk.owner_cli("grant", "new", "narrow", "--tools", "files", "--dir", str(desk.home / "Projects" / "mine"))
    assert made.returncode == 0, made.shown
    assert desk.call("file_read", path="~/Projects/mine/a", grant="narrow")["content"] == "mine"
    desk.fails("FORBIDDEN", "file_read", path="~/Projects/other", grant="narrow")
    desk.fails("FORBIDDEN", "file_search", directory="~/Projects", pattern="*", grant="narrow")
    desk.fails("FORBIDDEN", "file_batch", grant="narrow", operations=[
        {"op": "write", "path": "~/Projects/mine/a", "content": "x"}, {"op": "write", "path": "~/Projects/other", "content": "x"}])
    assert (desk.home / "Projects" / "mine" / "a").read_text() == "mine"


def test_levels_and_risks(own_desk):
    config = copy.deepcopy(FULL_AUTO)
    config["security"]["client_level"] = "L2"
    desk = own_desk("--virtual", "--size", "640x480", config=config)
    (desk.home / "Projects").mkdir()
    (desk.home / "Projects" / "a").write_text("a")
    assert desk.call("file_read", path="~/Projects/a")["content"] == "a"
    desk.fails("FORBIDDEN", "file_write", path="~/Projects/a", content="b")
    assert (desk.home / "Projects" / "a").read_text() == "a"


def test_size_limit(own_desk):
    config = copy.deepcopy(FULL_AUTO)
    config["security"]["max_file_size"] = 1000
    desk = own_desk("--virtual", "--size", "640x480", config=config)
    (desk.home / "Projects").mkdir()
    (desk.home / "Projects" / "big").write_text("x" * 1001)
    assert "max_file_size" in desk.fails("LIMIT_EXCEEDED", "file_read", path="~/Projects/big")["message"]
    desk.fails("LIMIT_EXCEEDED", "file_write", path="~/Projects/new", content="x" * 1001)
    assert not (desk.home / "Projects" / "new").exists()
    assert desk.call("file_search", directory="~/Projects", pattern="x", type="content")["skipped"]["large"] == 1


# ---- writing ----

def test_writing(desk, folder):
    path = folder / "new" / "deep" / "a.txt"
    assert "create_directories" in desk.fails("FILE_NOT_FOUND", "file_write", path=str(path), content="x")["suggestion"]
    made = desk.call("file_write", path=str(path), content="größe\n", create_directories=True)
    assert path.read_bytes() == "größe\n".encode() and made["action"] == "create" and made["sha256"] == sha256(path.read_bytes())
    assert made["directories_made"] == [str(folder / "new"), str(folder / "new" / "deep")]
    path.chmod(0o640)
    assert desk.call("file_write", path=str(path), content="second")["action"] == "change"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert desk.call("file_write", path=str(path), content="second")["action"] == "none"
    error = desk.fails("PRECONDITION_FAILED", "file_write", path=str(path), content="third", expect_hash=sha256(b"other"))
    assert "changed since" in error["message"] and path.read_text() == "second"
    desk.call("file_write", path=str(path), content="third", expect_hash=sha256(b"second"))
    desk.call("file_write", path=str(path), content=base64.b64encode(b"\x00\xff").decode(), encoding="base64")
    assert path.read_bytes() == b"\x00\xff"
    link = folder / "link"
    link.symlink_to("new/deep/a.txt")
    assert desk.call("file_write", path=str(link), content="through a link")["path"] == str(path)
    assert link.is_symlink() and path.read_text() == "through a link"
    assert [name for name in os.listdir(path.parent)] == ["a.txt"]
    desk.fails("INVALID_PARAMS", "file_write", path=str(folder), content="x")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root writes to files of others")
def test_what_belongs_to_others_stays_theirs(own_desk):
    """Out of a container, not even root writes to it."""
    for enabled in (False, True):
        desk = own_desk("--virtual", "--size", "640x480", config={**FULL_AUTO, "container": {**CONTAINER, "enabled": enabled}})
        path = desk.home / "Projects" / "theirs.txt"
        path.parent.mkdir()
        path.write_text("first")
        path.chmod(0o640)
        os.chown(path, 12, 34)
        if enabled:
            desk.fails("DESKTOP_PERMISSION_MISSING", "file_write", path=str(path), content="second")
        else:
            assert desk.call("file_write", path=str(path), content="second")["action"] == "change"
        after = path.stat()
        assert (stat.S_IMODE(after.st_mode), after.st_uid, after.st_gid) == (0o640, 12, 34)
        assert path.read_text() == ("first" if enabled else "second")


def test_nobody_sees_half_a_file(desk, folder):
    path, contents = folder / "whole", ["a" * 300_000, "b" * 400_000]
    path.write_text(contents[0])
    seen, stop = set(), threading.Event()

    def look():
        while not stop.is_set():
            seen.add(path.read_text())
    thread = threading.Thread(target=look)
    thread.start()
    for number in range(10):
        desk.call("file_write", path=str(path), content=contents[number % 2])
    stop.set()
    thread.join()
    assert seen <= set(contents)


def test_editing(desk, folder):
    path = folder / "code.c"
    path.write_bytes("\ufeffint first;\r\nint second;\r\nint first;\r\n".encode("utf-16-le"))
    error = desk.fails("PRECONDITION_FAILED", "file_edit", path=str(path), old_string="int first;", new_string="long first;")
    assert error["details"] == {"matches": 2, "lines": [1, 3]} and "2 times: line 1, 3" in error["message"]
    error = desk.fails("PRECONDITION_FAILED", "file_edit", path=str(path), old_string="int  second;", new_string="x")
    assert error["details"]["line"] == 2 and "int second;" in error["message"]
    edited = desk.call("file_edit", path=str(path), old_string="int second;\nint first;", new_string="int 二;\nint 3;")
    assert path.read_bytes() == "\ufeffint first;\r\nint 二;\r\nint 3;\r\n".encode("utf-16-le")
    assert "-int second;" in edited["diff"] and "+int 二;" in edited["diff"]
    assert desk.call("file_edit", path=str(path), old_string="int", new_string="long", replace_all=True)["action"] == "change"
    assert path.read_bytes().decode("utf-16-le").count("long") == 3
    (folder / "binary").write_bytes(b"a\0b")
    desk.fails("PRECONDITION_FAILED", "file_edit", path=str(folder / "binary"), old_string="a", new_string="b")
    desk.fails("INVALID_PARAMS", "file_edit", path=str(path), old_string="", new_string="x")


def test_batches(desk, folder):
    (folder / "a").write_text("one\n")
    (folder / "b").write_text("two\n")
    operations = [{"op": "edit", "path": str(folder / "a"), "old_string": "one", "new_string": "ONE"},
                  {"op": "move", "path": str(folder / "b"), "to": str(folder / "sub" / "c")},
                  {"op": "create", "path": str(folder / "d"), "content": "new\n"}]
    error = desk.fails("PRECONDITION_FAILED", "file_batch", create_directories=True, operations=operations + [
        {"op": "create", "path": str(folder / "a"), "content": "x"}])
    assert "operations[3]" in error["message"] and (folder / "a").read_text() == "one\n" and not (folder / "d").exists()
    done = desk.call("file_batch", operations=operations, create_directories=True)
    assert (folder / "a").read_text() == "ONE\n" and (folder / "sub" / "c").read_text() == "two\n" and not (folder / "b").exists()
    assert [(change["action"], pathlib.Path(change["path"]).name) for change in done["changes"]] == [
        ("change", "a"), ("delete", "b"), ("create", "c"), ("create", "d")]
    assert sorted(os.listdir(folder)) == ["a", "d", "sub"]


def test_a_diff_can_be_applied(desk, folder):
    """What is shown is what `patch` would do."""
    old = [f"line {number}\n" for number in range(200)]
    new = old[:20] + ["added\n"] + old[20:90] + old[95:150] + [line.upper() for line in old[150:160]] + old[160:199] + ["no end"]
    (folder / "a").write_text("".join(old))
    diff = desk.call("file_write", path=str(folder / "a"), content="".join(new), dry_run=True)["target"]["diff"]
    assert (folder / "a").read_text() == "".join(old)
    (folder / "copy").write_text("".join(old))
    subprocess.run(["patch", "-s", str(folder / "copy")], input=diff.encode(), check=True)
    assert (folder / "copy").read_text() == "".join(new)


def test_a_dry_run_changes_nothing(desk, folder):
    (folder / "a").write_text("one\n")
    calls = {"file_write": {"path": str(folder / "x" / "new"), "content": "new\n", "create_directories": True},
             "file_edit": {"path": str(folder / "a"), "old_string": "one", "new_string": "two"},
             "file_batch": {"operations": [{"op": "delete", "path": str(folder / "a")}]}}
    for tool, params in calls.items():
        result = desk.call(tool, **params, dry_run=True)
        assert result["risk"] == "high" and result["target"]["kind"] == "files" and result["target"]["diff"].startswith("--- "), result
        assert [change["action"] for change in result["target"]["changes"]] in (["create"], ["change"], ["delete"])
    critical = desk.call("file_write", path=str(folder / ".env"), content="A=b\n", dry_run=True)
    assert critical["risk"] == "critical" and critical["rules"][0]["id"].startswith("path.secret-file")
    nested = desk.call("file_batch", operations=[{"op": "write", "path": str(folder / ".env"), "content": "A=b\n"}], dry_run=True)
    assert nested["risk"] == "critical"
    assert os.listdir(folder) == ["a"] and (folder / "a").read_text() == "one\n"
    desk.fails("FILE_NOT_FOUND", "file_edit", path=str(folder / "none"), old_string="a", new_string="b", dry_run=True)


# ---- undo ----

def test_undo(desk, folder):
    path, run = folder / "a", "files-undo"
    path.write_text("first")
    path.chmod(0o751)
    first = desk.answer("file_write", path=str(path), content="second", run_id=run)["step_id"]
    desk.call("file_edit", path=str(path), old_string="second", new_string="third", run_id=run)
    desk.call("file_write", path=str(folder / "x" / "y" / "made"), content="new", create_directories=True, run_id=run)
    desk.call("file_batch", run_id=run, operations=[{"op": "delete", "path": str(path)},
                                                    {"op": "create", "path": str(folder / "b"), "content": "b"}])
    assert desk.call("undo_last", run_id=run)["undone"][0]["tool"] == "file_batch"
    assert path.read_text() == "third" and stat.S_IMODE(path.stat().st_mode) == 0o751 and not (folder / "b").exists()
    assert desk.call("undo_last", run_id=run)["undone"][0]["tool"] == "file_write"
    assert sorted(os.listdir(folder)) == ["a"]
    assert [entry["tool"] for entry in desk.call("undo_to", step_id=first, run_id=run)["undone"]] == ["file_edit", "file_write"]
    assert path.read_text() == "first"
    desk.call("file_write", path=str(path), content="first", run_id="files-nothing")  # changes nothing
    assert "no change left" in desk.fails("PRECONDITION_FAILED", "undo_last", run_id="files-nothing")["message"]


def test_undo_keeps_later_work(desk, folder):
    path = folder / "a"
    desk.call("file_write", path=str(path), content="ours", run_id="files-later")
    path.write_text("a person's own")
    error = desk.fails("PRECONDITION_FAILED", "undo_last", run_id="files-later")
    assert "changed since" in error["message"] and str(path) in error["message"]
    assert path.read_text() == "a person's own"
    path.write_text("ours")
    desk.call("undo_last", run_id="files-later")
    assert not path.exists()


def test_a_path_that_names_a_directory_is_no_file(desk, folder):
    (folder / "a").write_text("a")
    wrong = str(folder / "new") + "/"
    assert "directory" in desk.fails("INVALID_PARAMS", "file_write", path=wrong, content="x")["message"]
    for operation in ({"op": "create", "path": wrong, "content": "x"}, {"op": "move", "path": str(folder / "a"), "to": wrong}):
        desk.fails("INVALID_PARAMS", "file_batch", operations=[operation])
    assert os.listdir(folder) == ["a"]
    desk.call("file_batch", operations=[{"op": "mkdir", "path": wrong}])
    assert (folder / "new").is_dir()


def test_searching_from_here_and_for_one(desk, folder):
    (folder / "src").mkdir()
    for number in range(3):
        (folder / "src" / f"{number}.c").write_text("found\n")
    assert len(desk.call("file_search", directory=str(folder), pattern="./src/*.c")["matches"]) == 3
    assert len(desk.call("file_search", directory=str(folder), pattern="found", type="content", include="./src/[01].c")["matches"]) == 2
    for search in ({"pattern": "*.c"}, {"pattern": "found", "type": "content"}):
        one = desk.call("file_search", directory=str(folder), max_results=1, **search)
        assert len(one["matches"]) == 1 and one["truncated"] and one["files"] >= 1


def test_a_watch_that_is_ended_is_not_waited_for(desk, folder):
    watch = desk.call("file_watch", path=str(folder), timeout=0)["watch_id"]
    (folder / "a").write_text("a")
    began = time.monotonic()
    last = desk.call("file_watch", path=str(folder), watch_id=watch, close=True, timeout=60)
    assert last["watch_id"] == "" and [change["event"] for change in last["changes"]][:1] == ["create"]
    watch = desk.call("file_watch", path=str(folder), timeout=0)["watch_id"]
    assert desk.call("file_watch", path=str(folder), watch_id=watch, close=True, timeout=60)["changes"] == []
    assert time.monotonic() - began < 5 * SLOW


def test_undo_keeps_a_mode_that_was_changed_since(desk, folder):
    path = folder / "exec.sh"
    path.write_text("first")
    path.chmod(0o751)
    desk.call("file_write", path=str(path), content="second", run_id="files-mode")
    path.chmod(0o700)
    desk.call("undo_last", run_id="files-mode")
    assert path.read_text() == "first" and stat.S_IMODE(path.stat().st_mode) == 0o700


@pytest.mark.parametrize("since,mode", [(None, 0o600), (0o640, 0o640)])
def test_undo_puts_back_a_mode_that_it_had_changed(desk, folder, since, mode):
    path, other, run = folder / "a", folder / "b", f"files-moved-{since}"
    path.write_text("secret")
    path.chmod(0o600)
    other.write_text("open")
    other.chmod(0o644)
    desk.call("file_batch", run_id=run, operations=[{"op": "delete", "path": str(path)}, {"op": "move", "path": str(other), "to": str(path)}])
    assert path.read_text() == "open" and stat.S_IMODE(path.stat().st_mode) == 0o644
    if since:
        path.chmod(since)
    desk.call("undo_last", run_id=run)
    assert path.read_text() == "secret" and stat.S_IMODE(path.stat().st_mode) == mode
    assert other.read_text() == "open" and stat.S_IMODE(other.stat().st_mode) == 0o644


def test_what_is_deleted_and_made_again_keeps_its_mode(desk, folder):
    path = folder / "a"
    path.write_text("old")
    path.chmod(0o640)
    desk.call("file_batch", operations=[{"op": "delete", "path": str(path)}, {"op": "create", "path": str(path), "content": "new"}])
    assert path.read_text() == "new" and stat.S_IMODE(path.stat().st_mode) == 0o640


def test_undo_of_what_is_gone_already(desk, folder):
    run = "files-gone"
    (folder / "a").write_text("first")
    desk.call("file_write", path=str(folder / "a"), content="second", run_id=run)
    desk.call("file_batch", run_id=run, operations=[{"op": "mkdir", "path": str(folder / "d")}, {"op": "create", "path": str(folder / "d" / "b"), "content": "b"}])
    (folder / "d" / "b").unlink()
    (folder / "d").rmdir()
    assert len(desk.call("undo_last", run_id=run, count=2)["undone"]) == 2
    assert (folder / "a").read_text() == "first" and os.listdir(folder) == ["a"]
    desk.call("file_write", path=str(folder / "a"), content="third", run_id=run)
    (folder / "a").unlink()  # what was there before is not there: nobody knows whether it should be
    assert "removed since" in desk.fails("PRECONDITION_FAILED", "undo_last", run_id=run)["message"]


def test_directories_that_were_made_stay_if_they_are_used(desk, folder):
    desk.call("file_write", path=str(folder / "d" / "a"), content="a", create_directories=True, run_id="files-used")
    (folder / "d" / "other").write_text("other")
    desk.call("undo_last", run_id="files-used")
    assert os.listdir(folder / "d") == ["other"]


def test_what_is_kept_is_private(desk, folder):
    (folder / "a").write_text("kept content 4711")
    for _ in range(2):
        desk.call("file_write", path=str(folder / "a"), content="other", run_id="files-kept")
        desk.call("file_write", path=str(folder / "a"), content="kept content 4711", run_id="files-kept")
    objects = kept_files(desk) / "objects"
    kept = objects / sha256(b"kept content 4711")
    assert kept.read_bytes() == b"kept content 4711" and stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert stat.S_IMODE(objects.stat().st_mode) == 0o700 and not list((kept_files(desk) / "journal").glob("j_*"))
    error = desk.fails("INVALID_PARAMS", "file_batch", operations=[
        {"op": "restore", "path": str(folder / "b"), "kept": f"{sha256(b'kept content 4711')}.644.{'0' * 32}"}])
    assert "kept" in error["message"] and not (folder / "b").exists()


# ---- approvals ----

def test_the_owner_sees_the_difference_and_nothing_else_is_done(own_desk):
    desk = own_desk("--virtual", "--size", "640x480", config={"security": {"permission_level": "L4", "client_level": "L3"}})
    (desk.home / "Projects").mkdir()
    path = desk.home / "Projects" / "a"
    path.write_text("one\n")
    params = {"path": str(path), "old_string": "one", "new_string": "two"}
    for changed in (True, False):
        bridge = desk.connect()
        bridge.send("call", {"tool": "file_edit", "params": params})
        question = bridge.receive()["params"]["approval"]
        assert "-one\n+two\n" in question["target"]["diff"] and question["risk"] == "high"
        if changed:
            path.write_text("one\nand more\n")  # what was shown is no longer what would be done
        assert desk.owner_cli("approve", question["id"]).returncode == 0
        answer = bridge.receive()["result"]
        assert answer["ok"] != changed, answer
        if changed:
            assert answer["error"]["code"] == "PRECONDITION_FAILED" and path.read_text() == "one\nand more\n"
        bridge.close()
    assert path.read_text() == "two\nand more\n"


# ---- searching ----

@pytest.fixture
def tree(folder):
    for name, text in {"src/main.c": "int main(void)\n{\n    return 0;\n}\n", "src/lib/util.c": "int helper;\n", "src/lib/util.h": "extern int helper;\n",
                       "build/out.o": "int main", "README": "main entry\n", ".hidden/x.c": "int hidden;\n", "logs/a.log": "int main\n",
                       "logs/keep.log": "int main kept\n", "中文/文件.txt": "你好 世界\n"}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    (folder / ".gitignore").write_text("build/\n*.log\n!keep.log\n")
    (folder / "src" / "lib" / ".ignore").write_text("util.h\n")
    (folder / "data.bin").write_bytes(b"int main\0binary")
    (folder / "loop").symlink_to(".")
    return folder


def names(result, root):
    return [os.path.relpath(match["path"], root) for match in result["matches"]]


def test_searching_names(desk, tree):
    search = lambda pattern, **more: names(desk.call("file_search", directory=str(tree), pattern=pattern, **more), tree)
    assert search("*.c") == ["src/lib/util.c", "src/main.c"]
    assert search("*.{c,h}") == ["src/lib/util.c", "src/main.c"]
    assert search("src/**/*.h", ignored=True) == ["src/lib/util.h"]
    assert search("*.c", hidden=True) == [".hidden/x.c", "src/lib/util.c", "src/main.c"]
    assert search("*.log") == ["logs/keep.log"]
    assert search("*.log", ignored=True) == ["logs/a.log", "logs/keep.log"]
    assert search("READ*") == ["README"] and search("readme") == [] and search("readme", ignore_case=True) == ["README"]
    assert search("文件.*") == ["中文/文件.txt"]
    limited = desk.call("file_search", directory=str(tree), pattern="**", max_results=2)
    assert len(limited["matches"]) == 2 and limited["truncated"]
    inner = desk.call("file_search", directory=str(tree / "logs"), pattern="*")  # rules of the directories above hold too
    assert names(inner, tree) == ["logs/keep.log"]


def test_searching_lines(desk, tree):
    search = lambda pattern, **more: desk.call("file_search", directory=str(tree), pattern=pattern, type="content", **more)
    found = search(r"int\s+main")
    assert names(found, tree) == ["logs/keep.log", "src/main.c"]
    assert found["matches"][1] | {"path": None} == {"path": None, "line": 1, "column": 1, "text": "int main(void)"}
    assert found["skipped"]["binary"] == 1
    assert names(search("return 0;", literal=True), tree) == ["src/main.c"]
    assert names(search("MAIN", ignore_case=True, include="*.c"), tree) == ["src/main.c"]
    assert names(search("世界"), tree) == ["中文/文件.txt"] and search("世界")["matches"][0]["column"] == 8
    assert names(search("你.", include="*.txt"), tree) == ["中文/文件.txt"]
    assert search("no such thing anywhere")["matches"] == []
    error = desk.fails("INVALID_PARAMS", "file_search", directory=str(tree), pattern="(", type="content")
    assert "regular expression" in error["message"]
    desk.fails("INVALID_PARAMS", "file_search", directory=str(tree / "README"), pattern="x")
    desk.fails("FILE_NOT_FOUND", "file_search", directory=str(tree / "none"), pattern="x")


def test_a_match_between_two_parts_of_a_large_file_is_found(desk, folder):
    for offset in range(131072 - 8, 131072 + 2):
        text = ("x" * 63 + "\n") * 4096
        (folder / f"at{offset}").write_text(text[:offset] + "needle\n" + text[offset:])
    found = desk.call("file_search", directory=str(folder), pattern="needle", type="content")
    assert len(found["matches"]) == 10 and not found["truncated"]
    assert len(desk.call("file_search", directory=str(folder), pattern="n[e]edle", type="content")["matches"]) == 10


def test_an_expression_without_end_is_refused(desk, folder):
    (folder / "a").write_text("a" * 200 + "!\n")
    began = time.monotonic()
    error = desk.fails("LIMIT_EXCEEDED", "file_search", directory=str(folder), pattern="^(a+)+$", type="content")
    assert "too many steps" in error["message"] and time.monotonic() - began < 5 * SLOW


def test_search_finds_what_grep_finds(desk, folder):
    """On a tree of real texts: the same files and lines."""
    subprocess.run(f"cp -rL /usr/include/linux {folder}/inc && rm -rf {folder}/inc/node_modules", shell=True, check=True)
    for pattern in ("struct.*_info", "define\\s+\\w+_MAX", "TODO|FIXME"):
        result = desk.call("file_search", directory=str(folder), pattern=pattern, type="content", max_results=10000)
        ours = {(match["path"], match["line"]) for match in result["matches"]}
        run = subprocess.run(["grep", "-rnIP", pattern, str(folder)], capture_output=True, text=True)
        theirs = {(line.split(":")[0], int(line.split(":")[1])) for line in run.stdout.splitlines()}
        assert ours == theirs, pattern


# ---- watching ----

def kinds(result):
    return [(change["event"], pathlib.Path(change["path"]).name) for change in result["changes"]]


def test_watching_goes_on_without_missing_anything(desk, folder):
    (folder / "old").write_text("x")
    begun = desk.call("file_watch", path=str(folder), timeout=0)
    assert begun["changes"] == [] and begun["watch_id"]
    watch = {"path": str(folder), "watch_id": begun["watch_id"]}
    (folder / "sub").mkdir()
    (folder / "sub" / "new").write_text("y")
    (folder / "old").write_text("z")
    got = []
    while len(got) < 3:
        result = desk.call("file_watch", **watch, timeout=5)
        assert result["changes"], got
        got += kinds(result)
    assert sorted(set(got)) == [("create", "new"), ("create", "sub"), ("modify", "old")], got
    (folder / "old").rename(folder / "sub" / "moved")
    result = desk.call("file_watch", **watch, timeout=5)
    assert kinds(result)[0] == ("move", "moved") and result["changes"][0]["from"] == str(folder / "old")
    (folder / "sub" / "moved").unlink()
    (folder / "sub" / "new").write_text("again")
    result = desk.call("file_watch", **watch, events=["delete"], timeout=5)
    assert kinds(result) == [("delete", "moved")]
    assert desk.call("file_watch", **watch, timeout=0.1)["changes"] == []
    assert desk.call("file_watch", **watch, timeout=0, close=True)["watch_id"] == ""
    assert "no watch" in desk.fails("PRECONDITION_FAILED", "file_watch", **watch)["message"]


def test_watching_waits_for_a_change(desk, folder):
    (folder / "a").write_text("x")
    bridge = desk.connect()
    bridge.send("call", {"tool": "file_watch", "params": {"path": str(folder / "a"), "timeout": 20}})
    time.sleep(0.3)
    (folder / "other").write_text("not this one")
    (folder / "a").write_text("changed")
    result = bridge.receive()["result"]["result"]
    assert kinds(result) == [("modify", "a")]
    bridge.close()
    desk.call("file_watch", path=str(folder / "a"), watch_id=result["watch_id"], close=True, timeout=0)


def test_many_changes_come_in_parts(desk, folder):
    watch = {"path": str(folder), "watch_id": desk.call("file_watch", path=str(folder), timeout=0)["watch_id"]}
    for number in range(1000):
        (folder / f"f{number}").touch()
    seen, more = [], True
    while more or len(seen) < 1000:
        result = desk.call("file_watch", **watch, timeout=5, max_changes=300)
        assert result["changes"] and len(result["changes"]) <= 300 and not result["overflow"], len(seen)
        seen, more = seen + [change["path"] for change in result["changes"] if change["event"] == "create"], result["more"]
    assert seen == [str(folder / f"f{number}") for number in range(1000)]
    desk.call("file_watch", **watch, timeout=0, close=True)


def test_watches_are_bounded_and_end_with_what_they_watch(desk, folder):
    ids = []
    for number in range(16):
        (folder / str(number)).mkdir()
        answer = desk.answer("file_watch", path=str(folder / str(number)), timeout=0)
        assert answer["ok"], answer
        ids.append(answer["result"]["watch_id"])
    desk.fails("LIMIT_EXCEEDED", "file_watch", path=str(folder), timeout=0)
    (folder / "0").rmdir()
    gone = desk.call("file_watch", path=str(folder / "0"), watch_id=ids[0], timeout=5)
    assert gone["gone"] and gone["watch_id"] == ""
    desk.fails("INVALID_PARAMS", "file_watch", path=str(folder / "2"), watch_id=ids[1])
    for number in range(1, 16):
        desk.call("file_watch", path=str(folder / str(number)), watch_id=ids[number], timeout=0, close=True)


# ---- the command line ----

def test_the_command_line(desk, folder):
    (folder / "notes.txt").write_text("one\n\n  two\n")
    run = lambda *words, **more: desk.cli(*words, cwd=folder, **more)
    assert run("file_read", "notes.txt").stdout == b"one\n\n  two\n"
    part = run("file_read", "notes.txt", "--limit", "1")
    assert part.stdout == b"one\n" and b"--offset 2" in part.stderr
    assert run("file_write", "new.txt", "-", input=b"from stdin\n").returncode == 0
    assert (folder / "new.txt").read_text() == "from stdin\n"
    assert run("file_edit", "new.txt", "stdin", "a pipe").returncode == 0 and (folder / "new.txt").read_text() == "from a pipe\n"
    assert "notes.txt" in run("file_search", ".", "*.txt").stdout.decode()
    assert json.loads(run("file_read", "notes.txt", "--json").stdout)["result"]["total_lines"] == 3
    failed = run("file_read", "/etc/passwd")
    assert failed.returncode != 0 and b"FORBIDDEN" in failed.stderr and b"Projects" in failed.stderr


def test_the_owner_is_shown_the_difference_in_the_terminal(own_desk):
    desk = own_desk("--virtual", "--size", "640x480", config={})
    (desk.home / "Projects").mkdir()
    path = desk.home / "Projects" / "a"
    path.write_text("one\ntwo\x1b[31m\n")
    asked = desk.owner_cli("file_edit", path, "one", "1", answer="y\n")
    question = asked.shown.split("Allow it?")[0]
    assert asked.returncode == 0 and "-one\n" in question and "+1\n" in question and "\x1b" not in question
    assert path.read_text() == "1\ntwo\x1b[31m\n"
    undone = desk.owner_cli("undo", answer="y\n")
    assert "-1\n" in undone.shown and "+one\n" in undone.shown and path.read_text() == "one\ntwo\x1b[31m\n"
    assert "\x1b" not in desk.owner_cli("file_read", path).shown and b"\x1b[31m" in desk.cli("file_read", path).stdout
