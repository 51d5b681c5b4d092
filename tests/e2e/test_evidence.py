"""Evidence: what a run leaves on the disk under each policy, how it is listed, exported and played."""
import hashlib
import io
import json
import os
import pathlib
import re
import shutil
import stat
import subprocess
import zipfile

import pytest
from PIL import Image

from handfast import FULL_AUTO, eventually
from witness import RECORDER, Witness

HOSTILE = "</script><img src=x onerror=alert(1)>'\"&<!--"


def config(**evidence):
    return {**FULL_AUTO, "evidence": evidence}


@pytest.fixture
def desk_with(own_desk):
    def start(**evidence):
        return own_desk("--virtual", "--size", "800x600", config=config(**evidence))
    return start


def runs_of(desk):
    return sorted((desk.home / "data" / "handfast" / "runs").glob("*/*"))


def run_of(desk, name):
    return next(path for path in runs_of(desk) if path.name == name)


def steps_of(path):
    return [json.loads(line) for line in (path / "steps.jsonl").read_text().splitlines()]


def audit_rows(desk, run):
    return json.loads(desk.cli("audit", "list", "--run", run, "--limit", "0", "--json").stdout)


def check_hashes(desk, run, path):
    """The audit names the hash of each line, also of those that were written only when something failed."""
    rows = {row["step"]: row for row in audit_rows(desk, run) if row["kind"] in ("result", "refusal")}
    for line in (path / "steps.jsonl").read_text().splitlines():
        assert rows[json.loads(line)["step_id"]]["evidence"] == hashlib.sha256(line.encode()).hexdigest()


def test_actions_keep_lines_and_pictures(desk_with):
    desk = desk_with(policy="actions")
    witness = Witness(desk, RECORDER, "--geometry", "400x300+100+100", "--title", "Seen")
    desk.call("window_list", run_id="one")
    desk.call("left_click", x=200, y=200, run_id="one", reason="because")
    witness.next("button_press")
    desk.fails("WINDOW_NOT_FOUND", "window_focus", window_title="nowhere", run_id="one")
    path = run_of(desk, "one")
    steps = steps_of(path)
    assert [step["tool"] for step in steps] == ["window_list", "left_click", "window_focus"]
    assert [step["step"] for step in steps] == [1, 2, 3]
    assert "pictures" not in steps[0] and steps[0]["untrusted"] == ["programs"]
    click = steps[1]
    assert click["reason"] == "because" and click["risk"] == "medium" and click["ok"]
    assert click["decision"]["action"] == "auto_approve" and click["tainted"]
    assert click["result"]["position"] == {"x": 200, "y": 200} and click["duration_ms"] > 0
    for which in ("before", "after"):
        kept = click["pictures"][which]
        data = (path / kept["file"]).read_bytes()
        assert kept["file"] == f"screenshots/002_{which}.jpg"
        assert hashlib.sha256(data).hexdigest() == kept["sha256"]
        assert Image.open(io.BytesIO(data)).size == (800, 600)
    assert steps[2]["error"]["code"] == "WINDOW_NOT_FOUND" and "after" in steps[2]["pictures"]
    environment = json.loads((path / "env.json").read_text())
    assert environment["width"] == 800 and environment["window_manager"] == "Openbox" and environment["layout"]
    assert environment["run_id"] == "one" and environment["handfast"] and "front_window" in environment
    eventually(lambda: "| failures | 1 |" in (path / "summary.md").read_text(), what="the summary")
    check_hashes(desk, "one", path)
    for below in [path, *path.rglob("*")]:
        assert stat.S_IMODE(below.lstat().st_mode) == (0o700 if below.is_dir() else 0o600), below
    witness.stop()


def test_failures_keep_nothing_until_something_fails(desk_with):
    desk = desk_with(policy="failures")
    desk.call("mouse_move", x=10, y=10, smooth=False, run_id="quiet")
    assert runs_of(desk) == []
    for index in range(40):
        desk.call("wait", duration=0, run_id="loud")
    desk.fails("WINDOW_NOT_FOUND", "window_focus", window_title="nowhere", run_id="loud")
    desk.call("mouse_move", x=10, y=10, smooth=False, run_id="loud")
    assert [path.name for path in runs_of(desk)] == ["loud"]
    path = run_of(desk, "loud")
    steps = steps_of(path)
    assert len(steps) == 32 + 2 and steps[-2]["step"] == 41
    assert [step["step"] for step in steps if "pictures" in step] == [41]
    assert list(steps[-2]["pictures"]) == ["after"]
    assert json.loads((path / "env.json").read_text())["width"] == 800
    check_hashes(desk, "loud", path)


def test_none_keeps_nothing(desk_with):
    desk = desk_with(policy="none")
    desk.call("mouse_move", x=10, y=10, smooth=False, run_id="x")
    desk.fails("WINDOW_NOT_FOUND", "window_focus", window_title="nowhere", run_id="x")
    assert runs_of(desk) == []
    assert all("evidence" not in row for row in audit_rows(desk, "x"))


def test_all_keeps_looks_too_and_the_same_picture_once(desk_with):
    desk = desk_with(policy="all", settle_ms=0)
    for _ in range(3):
        desk.call("window_list", run_id="looks")
    path = run_of(desk, "looks")
    files = [path / step["pictures"]["after"]["file"] for step in steps_of(path)]
    assert len(files) == 3 and len({file.stat().st_ino for file in files}) == 1


def test_no_screenshots_writes_no_picture(desk_with):
    desk = desk_with(policy="all", no_screenshots=True)
    desk.call("left_click", x=20, y=20, run_id="blind")
    path = run_of(desk, "blind")
    kept = steps_of(path)[0]["pictures"]
    assert len(kept["after"]["sha256"]) == 64 and "file" not in kept["after"]
    assert not list(path.rglob("*.jpg")) and not (path / "screenshots").exists()


def test_secrets_stay_out(desk_with):
    desk = desk_with(policy="all", no_screenshots=True)
    desk.call("clipboard_write", text="correct horse battery", run_id="s")
    desk.call("clipboard_read", run_id="s")
    desk.answer("type_text", text="correct horse battery", run_id="s")
    text = "".join(file.read_text() for file in run_of(desk, "s").iterdir() if file.is_file())
    assert "correct horse" not in text and text


@pytest.mark.parametrize("run_id", ["../x", "../../../../tmp/hf-evil", "/etc/x", ".", "..", "-rf", "a\nb", "😀" * 16, "a/../../b", "%2e%2e/x"])
def test_hostile_run_ids_stay_inside(desk_with, run_id):
    desk = desk_with(policy="actions")
    before = set(pathlib.Path("/tmp").glob("hf-evil*"))
    assert desk.answer("wait", duration=0, run_id=run_id)["run_id"] == run_id
    assert len(runs_of(desk)) == 1 and (runs_of(desk)[0] / "steps.jsonl").exists()
    top = {path.name for path in (desk.home / "data" / "handfast").iterdir()}
    assert top <= {"runs", "handfast.db", "handfast.db-wal", "handfast.db-shm", "audit-key", "audit-key.pub",
                   "audit-heads.jsonl", "approvals", "grants.json", "files", "operations", "browser", "desktops"}, top
    assert set(pathlib.Path("/tmp").glob("hf-evil*")) == before
    shown = desk.cli("runs", "show", "--", run_id) if run_id.startswith("-") else desk.cli("runs", "show", run_id)
    assert shown.returncode == 0, shown.stderr
    request = desk.main_bridge
    request.send_raw(b'{"jsonrpc":"2.0","id":77,"method":"call","params":{"tool":"wait","params":{"duration":0,"run_id":"a\\u0000b"}}}')
    assert "error" in request.receive()


def test_a_full_disk_loses_no_result(own_desk):
    desk = own_desk("--virtual", "--size", "800x600", config=config(policy="actions"))
    desk.call("mouse_move", x=10, y=10, smooth=False, run_id="full")
    path = run_of(desk, "full")
    # As good as a full disk: nothing can be written into the folder any more.
    (path / "steps.jsonl").unlink()
    (path / "steps.jsonl").mkdir()
    answer = desk.answer("mouse_move", x=30, y=30, smooth=False, run_id="full")
    assert answer["ok"] and answer["result"]["position"] == {"x": 30, "y": 30}
    assert answer["warning"]["code"] == "STORAGE_FAILED" and "steps.jsonl" in answer["warning"]["message"]
    last = [row for row in audit_rows(desk, "full") if row["kind"] == "result"][-1]
    assert "steps.jsonl" in last["evidence_problem"] and "evidence" not in last


def test_a_run_goes_on_after_a_restart(desk_with):
    desk = desk_with(policy="actions")
    desk.call("mouse_move", x=10, y=10, smooth=False, run_id="long")
    desk.stop()
    desk.start()
    desk.call("mouse_move", x=20, y=20, smooth=False, run_id="long")
    assert [step["step"] for step in steps_of(run_of(desk, "long"))] == [1, 2]


def test_the_oldest_runs_go_first(desk_with):
    desk = desk_with(policy="actions", max_megabytes=1)
    root = desk.home / "data" / "handfast" / "runs"
    desk.stop()
    for index, name in enumerate(["oldest", "older", "old"]):
        path = root / f"2026-01-0{index + 1}" / name
        path.mkdir(parents=True, mode=0o700)
        (path / "steps.jsonl").write_text('{"ok":true}\n')
        (path / "big").write_bytes(b"x" * 450_000)
        for below in [path / "big", path / "steps.jsonl", path]:
            os.utime(below, (1_767_000_000 + index * 100 + 10**8, 1_767_000_000 + index * 100 + 10**8))
    for path in [root, *root.glob("*")]:
        path.chmod(0o700)
    desk.start()
    eventually(lambda: not (root / "2026-01-01").exists(), what="the end of the oldest")
    assert (root / "2026-01-03" / "old").exists()


def test_runs_are_listed(desk_with):
    desk = desk_with(policy="actions")
    desk.call("wait", duration=0, run_id="first")
    desk.call("wait", duration=0, run_id="second")
    desk.fails("WINDOW_NOT_FOUND", "window_focus", window_title="nowhere", run_id="second")
    listed = json.loads(desk.cli("runs", "--json").stdout)
    assert [(run["run"], run["steps"], run["failures"]) for run in listed] == [("second", 2, 1), ("first", 1, 0)]
    table = desk.cli("runs").stdout.decode()
    assert "second" in table and "KiB" in table
    shown = json.loads(desk.cli("runs", "show", "second", "--json").stdout)
    assert len(shown["steps"]) == 2 and shown["environment"]["run_id"] == "second"
    missing = desk.cli("runs", "show", "third")
    assert missing.returncode == 1 and b"RUN_NOT_FOUND" in missing.stderr
    assert desk.cli("export", "third").returncode == 1
    assert desk.cli("runs", "wrong").returncode == 2 and desk.cli("export").returncode == 2


def exported(desk, run, tmp_path):
    file = tmp_path / "run.zip"
    made = desk.cli("export", run, "-o", file)
    assert made.returncode == 0, made.stderr
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with zipfile.ZipFile(file) as archive:
        assert archive.testzip() is None
        archive.extractall(tmp_path / "run")
    return tmp_path / "run"


def dom(page, size="1280,800"):
    """What Chromium made of the page, after its script ran."""
    result = subprocess.run(["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--lang=en",
                             f"--user-data-dir={page.parent / 'profile'}", f"--window-size={size}", "--virtual-time-budget=3000",
                             "--dump-dom", page.as_uri()], capture_output=True, timeout=120)
    return result.stdout.decode()


def test_the_page_plays_in_a_browser_and_takes_text_as_text(desk_with, tmp_path):
    desk = desk_with(policy="actions")
    witness = Witness(desk, RECORDER, "--geometry", "400x300+100+100", "--title", f"Title {HOSTILE}")
    desk.call("window_list", run_id="page")
    desk.call("left_click", x=200, y=200, run_id="page", reason=HOSTILE, project=HOSTILE[:60])
    desk.fails("WINDOW_NOT_FOUND", "window_focus", window_title=f"nowhere {HOSTILE}", run_id="page")
    folder = exported(desk, "page", tmp_path)
    witness.stop()
    source = (folder / "index.html").read_text()
    assert "<img src=x" not in source and source.count("</script>") == 2
    assert not re.search(r"https?://(?!www\.w3\.org)", source)
    seen = dom(folder / "index.html")
    assert "onerror=alert" not in re.sub(r"&lt;img src=x onerror=alert\(1\)&gt;|<script.*?</script>", "", seen, flags=re.S)
    assert seen.count("<li") == 3 and "Step 1 of 3" in seen and "names this hash" in seen
    assert {path.name for path in folder.iterdir()} >= {"index.html", "steps.jsonl", "env.json", "summary.md", "audit.jsonl", "screenshots"}
    shutil.rmtree(folder / "profile", ignore_errors=True)


def test_a_changed_step_is_told(desk_with, tmp_path):
    desk = desk_with(policy="actions")
    desk.call("wait", duration=0, run_id="forged", reason="honest")
    path = run_of(desk, "forged")
    (path / "steps.jsonl").write_text((path / "steps.jsonl").read_text().replace("honest", "forged"))
    folder = exported(desk, "forged", tmp_path)
    assert "names another hash" in dom(folder / "index.html")


def test_a_thousand_steps(desk_with, tmp_path):
    desk = desk_with(policy="actions")
    desk.call("mouse_move", x=10, y=10, smooth=False, run_id="many")
    path = run_of(desk, "many")
    line = json.loads((path / "steps.jsonl").read_text())
    with (path / "steps.jsonl").open("a") as file:
        for number in range(2, 1001):
            file.write(json.dumps({**line, "step": number, "step_id": f"s_{number}"}) + "\n")
    folder = exported(desk, "many", tmp_path)
    assert len(list((folder / "screenshots").iterdir())) <= 2
    seen = dom(folder / "index.html")
    assert seen.count("<li") == 1000 and "Step 1 of 1000" in seen
