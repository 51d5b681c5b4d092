"""The audit: every call is in it, no secret is, and whatever is done to it afterwards shows and is named."""
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import threading
import time

import pytest

from handfast import PROGRAM, ROOT, Desk, eventually, finish

WHOLE, BROKEN = 0, 1


def signed_to_the_end(desk):
    """Waits until the last row has a signed head."""
    def done():
        report = json.loads(desk.cli("audit", "verify", "--json", check=True).stdout)
        return report["last_signed"] == report["last"]
    eventually(done, 5, "a head of the last row")


@pytest.fixture(scope="module")
def chain(tmp_path_factory):
    """A real audit of a real desk: its data directory, an export, its public key and its last head."""
    desk = Desk("--virtual", "--size", "640x480")
    for step in range(12):
        desk.call("mouse_move", x=10 + step, y=20, smooth=False)
    signed_to_the_end(desk)
    desk.fails("UNKNOWN_TOOL", "no_such_tool")
    desk.call("cursor_position")
    assert desk.stop() == 0
    place = tmp_path_factory.mktemp("chain")
    shutil.copytree(desk.data, place / "handfast")
    desk.cli("audit", "export", "-o", place / "export.jsonl", check=True)
    head = desk.cli("audit", "head", check=True).stdout.decode()
    key = desk.cli("audit", "key", check=True).stdout.decode().split()[0]
    finish(desk)
    yield {"data": place / "handfast", "export": place / "export.jsonl", "head": head, "key": key}


def verify(*arguments, data_home="/nonexistent"):
    result = subprocess.run([PROGRAM, "audit", "verify", *map(str, arguments)], capture_output=True, text=True,
                            env={"PATH": os.environ["PATH"], "XDG_DATA_HOME": str(data_home), "LANG": "C.UTF-8"})
    assert result.returncode in (WHOLE, BROKEN), result.stderr
    return result


def lines_of(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def write_lines(path, lines):
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))


def row_at(lines, seq):
    return next(index for index, line in enumerate(lines) if line["type"] == "row" and line["seq"] == seq)


def rehash(rows, before="00" * 32):
    """A forger without the key: bodies and hashes of all rows, made to fit again."""
    import hashlib
    for row in rows:
        before = row["hash"] = hashlib.sha256(bytes.fromhex(before) + row["body"].encode()).hexdigest()


def forge_heads(lines):
    """Signs the chain again with a key of the forger's own."""
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    key = Ed25519PrivateKey.generate()
    name = key.public_key().public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw).hex()
    rows = [line for line in lines if line["type"] == "row"]
    rows[0]["body"] = json.dumps({**json.loads(rows[0]["body"]), "data": {"key": name}})
    rehash(rows)
    hashes = {row["seq"]: row["hash"] for row in rows}
    for line in lines:
        head = line.get("head")
        if head:
            text = f"handfast-audit-head-1\n{head['seq']}\n{hashes[head['seq']]}\n{head['time']}\n"
            head.update(hash=hashes[head["seq"]], key=name, signature=key.sign(text.encode()).hex())


def changed_byte(lines):
    row = lines[row_at(lines, 7)]
    row["body"] = row["body"].replace("mouse_move", "mouse_mope", 1)


def removed_row(lines):
    del lines[row_at(lines, 7)]


def swapped_rows(lines):
    one, two = row_at(lines, 7), row_at(lines, 8)
    lines[one], lines[two] = lines[two], lines[one]


def inserted_row(lines):
    lines.insert(row_at(lines, 7), dict(lines[row_at(lines, 6)], seq=7))


def truncated_tail(lines):
    del lines[row_at(lines, 7):]


def forged_signature(lines):
    head = next(line for line in lines[1:] if line["type"] == "head" and line["head"]["seq"] > 7)["head"]
    head["signature"] = ("0" if head["signature"][0] != "0" else "1") + head["signature"][1:]
    return head["seq"]


def rebuilt_chain(lines):
    rows = [line for line in lines if line["type"] == "row"]
    rows[6]["body"] = rows[6]["body"].replace("mouse_move", "mouse_mope", 1)
    rehash(rows)
    return 2  # from here to the next signed row it could be any


def rebuilt_and_signed(lines):
    forge_heads(lines)
    return 1


CASES = [changed_byte, removed_row, swapped_rows, inserted_row, truncated_tail, forged_signature, rebuilt_chain,
         rebuilt_and_signed]


def names_row(result, row):
    assert result.returncode == BROKEN, result.stdout
    assert f"row {row}:" in result.stderr, result.stderr
    assert "AUDIT_BROKEN" in result.stderr


def test_whole(chain):
    assert verify(chain["export"], "--key", chain["key"]).returncode == WHOLE
    assert verify(chain["export"], "--key", chain["data"] / "audit-key.pub", "--head", chain["head"]).returncode == WHOLE
    assert verify(data_home=chain["data"].parent).returncode == WHOLE
    assert verify(chain["data"] / "handfast.db", "--key", chain["key"]).returncode == WHOLE


@pytest.mark.parametrize("tamper", CASES, ids=lambda case: case.__name__)
def test_tampered_export(chain, tmp_path, tamper):
    lines = lines_of(chain["export"])
    row = tamper(lines) or 7
    path = tmp_path / "tampered.jsonl"
    write_lines(path, lines)
    names_row(verify(path, "--key", chain["key"]), row)


def test_every_changed_byte_of_an_export_shows(chain, tmp_path):
    """Not only in bodies: wherever a byte is changed, except in the number of a version or the like, it is noticed."""
    original = chain["export"].read_bytes()
    path = tmp_path / "changed.jsonl"
    for offset in range(60, len(original), len(original) // 60):
        changed = bytearray(original)
        changed[offset] ^= 1
        path.write_bytes(bytes(changed))
        result = subprocess.run([PROGRAM, "audit", "verify", path, "--key", chain["key"]], capture_output=True)
        context = original[max(0, offset - 40):offset + 10]
        in_first_line = offset < original.index(b"\n")
        assert result.returncode != WHOLE or in_first_line, context


class Tables:
    """The database in the hands of somebody who may write to it."""

    def __init__(self, path):
        self.database = sqlite3.connect(path)
        for (name,) in self.database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            self.database.execute(f"DROP TRIGGER {name}")

    def lines(self):
        rows = [{"type": "row", "seq": seq, "body": body, "hash": digest}
                for seq, body, digest in self.database.execute("SELECT seq, body, hash FROM audit ORDER BY seq")]
        heads = [{"type": "head", "head": json.loads(text)}
                 for (text,) in self.database.execute("SELECT head FROM audit_heads ORDER BY id")]
        return rows + heads

    def write(self, lines):
        for line in lines:
            if line["type"] == "row":
                self.database.execute("UPDATE audit SET body = ?, hash = ?, tool = ? WHERE seq = ?",
                                      (line["body"], line["hash"], json.loads(line["body"]).get("tool"), line["seq"]))
            else:
                self.database.execute("UPDATE audit_heads SET head = ? WHERE seq = ?",
                                      (json.dumps(line["head"]), line["head"]["seq"]))
        self.database.commit()

    def do(self, *statements):
        for statement in statements:
            self.database.execute(statement)
        self.database.commit()


COPY = "SELECT 7, time, kind, caller, agent, project, run, step, tool, event, desktop, risk, decision, code, body, hash FROM audit WHERE seq = 6"
IN_DATABASE = {
    "changed byte": ["UPDATE audit SET body = replace(body, 'mouse_move', 'mouse_mope') WHERE seq = 7"],
    "removed row": ["DELETE FROM audit WHERE seq = 7"],
    "swapped rows": ["UPDATE audit SET seq = -7 WHERE seq = 7", "UPDATE audit SET seq = 7 WHERE seq = 8",
                     "UPDATE audit SET seq = 8 WHERE seq = -7"],
    "inserted row": ["UPDATE audit SET seq = -seq WHERE seq >= 7", "UPDATE audit SET seq = 1 - seq WHERE seq < 0",
                     "INSERT INTO audit " + COPY],
    "truncated tail": ["DELETE FROM audit WHERE seq >= 7", "DELETE FROM audit_heads WHERE seq >= 7"],
    "column that disagrees": ["UPDATE audit SET tool = 'wait' WHERE seq = 7"],
    "time that disagrees": ["UPDATE audit SET time = time + 1 WHERE seq = 7"],
    "emptied column": ["UPDATE audit SET caller = NULL WHERE seq = 7"],
}


@pytest.mark.parametrize("statements", IN_DATABASE.values(), ids=IN_DATABASE.keys())
def test_tampered_database(chain, tmp_path, statements):
    shutil.copytree(chain["data"], tmp_path / "handfast")
    Tables(tmp_path / "handfast" / "handfast.db").do(*statements)
    names_row(verify(data_home=tmp_path), 7)


@pytest.mark.parametrize("tamper", [forged_signature, rebuilt_chain, rebuilt_and_signed], ids=lambda case: case.__name__)
def test_forged_database(chain, tmp_path, tamper):
    shutil.copytree(chain["data"], tmp_path / "handfast")
    tables = Tables(tmp_path / "handfast" / "handfast.db")
    lines = tables.lines()
    row = tamper([{"type": "handfast-audit"}, *lines]) or 7
    tables.write(lines)
    names_row(verify(data_home=tmp_path), row)


def test_a_kept_head_shows_what_all_other_witnesses_hide(chain, tmp_path):
    """Rows, heads and the head of the first line cut off together: only a head that was kept elsewhere tells."""
    lines = lines_of(chain["export"])
    del lines[row_at(lines, 7):]
    last = [line for line in lines[1:] if line["type"] == "head"][-1]["head"]
    del lines[row_at(lines, last["seq"]) + 2:]
    lines[0]["head"] = last
    path = tmp_path / "cut.jsonl"
    write_lines(path, lines)
    assert verify(path, "--key", chain["key"]).returncode == WHOLE
    names_row(verify(path, "--key", chain["key"], "--head", chain["head"]), last["seq"] + 1)


def test_a_part_can_be_exported_and_verified(chain, tmp_path):
    home = tmp_path / "home"
    shutil.copytree(chain["data"], home / "handfast")
    environment = {"PATH": os.environ["PATH"], "XDG_DATA_HOME": str(home)}
    part = tmp_path / "part.jsonl"
    subprocess.run([PROGRAM, "audit", "export", "--since", "1d", "-o", part], env=environment, check=True)
    assert verify(part, "--key", chain["key"]).returncode == WHOLE
    lines = lines_of(part)
    # As if it had begun later.
    start = row_at(lines, 5)
    lines[0].update(first=5, before=lines[row_at(lines, 4)]["hash"])
    write_lines(part, [lines[0], *lines[start:]])
    assert verify(part, "--key", chain["key"]).returncode == WHOLE
    lines[0]["before"] = "11" * 32
    write_lines(part, [lines[0], *lines[start:]])
    names_row(verify(part, "--key", chain["key"]), 5)


@pytest.mark.parametrize("content", ["", "{}", "[]", "{\"type\":\"handfast-audit\",\"version\":1}", "x" * 2000000, "\0" * 100,
                                     "{\"type\":\"handfast-audit\",\"version\":2}"],
                         ids=["empty", "no head", "array", "not whole", "endless line", "zeros", "later version"])
def test_what_is_no_export(chain, tmp_path, content):
    path = tmp_path / "no-export"
    path.write_text(content)
    result = subprocess.run([PROGRAM, "audit", "verify", path, "--key", chain["key"]], capture_output=True)
    assert result.returncode in (1, 2) and result.stderr


def test_another_key_is_refused(chain):
    result = verify(chain["export"], "--key", "ab" * 32)
    names_row(result, 1)
    assert "another chain" in result.stderr


def test_the_published_script_agrees(chain, tmp_path):
    """The twenty lines in the manual, run as they are printed there."""
    text = (ROOT / "docs" / "audit.md").read_text()
    script = tmp_path / "verify.py"
    script.write_text(text.split("```python\n", 1)[1].split("```", 1)[0])
    key = chain["data"] / "audit-key.pub"

    def run(path):
        return subprocess.run(["/usr/bin/python3", script, path, key], capture_output=True, text=True)
    good = run(chain["export"])
    assert good.returncode == 0 and "whole" in good.stdout, good.stderr
    for tamper in CASES:
        lines = lines_of(chain["export"])
        tamper(lines)
        path = tmp_path / f"{tamper.__name__}.jsonl"
        write_lines(path, lines)
        assert run(path).returncode != 0, tamper.__name__


def test_the_table_only_grows(chain, tmp_path):
    path = tmp_path / "handfast.db"
    shutil.copy(chain["data"] / "handfast.db", path)
    database = sqlite3.connect(path)
    for statement in ("UPDATE audit SET tool = 'x'", "DELETE FROM audit", "INSERT OR REPLACE INTO audit " + COPY,
                      "UPDATE audit_heads SET seq = 1", "DELETE FROM audit_heads"):
        with pytest.raises(sqlite3.DatabaseError, match="only grows"):
            database.execute(statement)


def test_files_are_private(chain):
    modes = {path.name: oct(path.stat().st_mode & 0o777) for path in chain["data"].iterdir()}
    assert modes.pop("audit-key.pub") == "0o644"
    assert {name: mode for name, mode in modes.items() if mode != "0o600" and not (chain["data"] / name).is_dir()} == {}


START_REFUSED = {
    "missing key": (lambda data: (data / "audit-key").unlink(), b"is missing; a new key would not prove"),
    "another key": (lambda data: (data / "audit-key").write_text(
        subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519"], capture_output=True, text=True, check=True).stdout),
        b"not the key that signed"),
    "no database": (lambda data: (data / "handfast.db").unlink(), b"cut or changed"),
    "no key file": (lambda data: (data / "audit-key").write_text("x"), b"not an Ed25519 key"),
}


@pytest.mark.parametrize("damage, words", START_REFUSED.values(), ids=START_REFUSED.keys())
def test_the_desk_goes_on_with_no_other_chain(chain, tmp_path, damage, words):
    shutil.copytree(chain["data"], tmp_path / "handfast")
    (tmp_path / "run").mkdir(mode=0o700)
    (tmp_path / "handfast").chmod(0o700)
    damage(tmp_path / "handfast")
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path),
                   "XDG_RUNTIME_DIR": str(tmp_path / "run"), "XDG_CONFIG_HOME": str(tmp_path / "config")}
    result = subprocess.run([PROGRAM, "serve", "--virtual"], env=environment, capture_output=True, timeout=60)
    assert result.returncode == 1 and words in result.stderr, result.stderr


def test_every_refusal_is_written_down(own_desk):
    desk = own_desk("--virtual", "--size", "640x480")
    calls = [("no_such_tool", {}, "UNKNOWN_TOOL", "validate"), ("wait", {"duration": "x"}, "INVALID_PARAMS", "validate"),
             ("wait", {}, "INVALID_PARAMS", "validate"), ("wait", {"duration": 0, "wings": 1}, "INVALID_PARAMS", "validate"),
             ("wait", {"duration": 0, "desktop": "nowhere"}, "DESKTOP_NOT_FOUND", "perform"),
             ("", {}, "UNKNOWN_TOOL", "validate"), ("mouse_move", {"x": [1], "y": {}}, "INVALID_PARAMS", "validate"),
             ("wait", {"duration": 0, "grant": "none-such"}, "FORBIDDEN", "permission"),
             ("wait", {"duration": 9, "timeout_ms": 20}, "DESKTOP_TIMEOUT", "perform")]
    for tool, params, code, guard_step in calls:
        answer = desk.main_bridge.answer(tool, params)
        rows = [row for row in desk.audit() if row.get("step") == answer["step_id"]]
        assert rows and rows[-1]["code"] == code == answer["error"]["code"], (tool, rows)
        assert rows[-1]["kind"] == ("refusal" if len(rows) == 1 else "result")
        assert rows[-1]["guard_step"] == guard_step, (tool, rows)
    done = desk.answer("wait", duration=0)
    assert all("guard_step" not in row for row in desk.audit() if row.get("step") == done["step_id"])


def test_a_row_says_who_what_and_under_which_agreement(own_desk):
    desk = own_desk("--virtual", "--size", "640x480")
    answer = desk.answer("mouse_move", x=1, y=2, smooth=False, run_id="r_who", project="shop", reason="to see")
    intent, result = [row for row in desk.audit() if row.get("step") == answer["step_id"]]
    assert intent["kind"] == "intent" and result["kind"] == "result" and result["code"] == "OK"
    assert intent["params"]["x"] == 1 and intent["run"] == "r_who" and intent["project"] == "shop"
    assert intent["reason"] == "to see" and intent["desktop"] == "main" and intent["risk"]
    assert intent["caller_kind"] == "client" and "python" in intent["caller"] and intent["pid"] == os.getpid()
    assert len(intent["policy"]) == 64 and result["channel"] and result["duration_us"] > 0
    shown = desk.cli("audit", "list", "--run", "r_who").stdout.decode()
    assert shown.count("mouse_move") == 2 and "OK" in shown
    chinese = desk.cli("audit", "list", "--run", "r_who", environment={"LANGUAGE": "zh_CN"}).stdout.decode()
    assert "调用者" in chinese
    listed = json.loads(desk.cli("audit", "list", "--tool", "mouse_move", "--caller", "python", "--since", "1h",
                                 "--limit", "1", "--json").stdout)
    assert [row["kind"] for row in listed] == ["result"]
    assert json.loads(desk.cli("audit", "list", "--run", "nothing", "--json").stdout) == []
    assert desk.cli("audit", "list", "--since", "yesterday").returncode == 2
    assert desk.cli("audit", "fly").returncode == 2


SECRETS = ["hunter2-planted", "ghp_PLANTED0123456789abcdefghijABCDEF", "AKIAPLANTED012345678", "planted.JWT.x",
           "eyJwbGFudGVk.eyJwbGFudGVkIjoxfQ.c2lnbmF0dXJl"]


def test_no_secret_in_any_file(own_desk):
    desk = own_desk("--virtual", "--size", "640x480")
    password, github, amazon, bearer, token = SECRETS
    desk.call("clipboard_write", text=password)
    desk.answer("clipboard_read")
    desk.answer("type_text", text=password, idempotency_key="k1")
    desk.answer("type_text", text=password, method="no_such_method")
    desk.answer("type_txt", text=password)
    desk.answer("wait", duration=0, reason=f"mysql -p{password} and curl -u joe:{password} https://x.org")
    desk.answer("wait", duration=0, reason=f"export PGPASSWORD={password}; Authorization: Bearer {bearer}")
    desk.answer("wait", duration=0, project=f"token={password}")
    desk.answer("wait", duration=0, run_id=f"password={password}")
    desk.answer("wait", duration=0, idempotency_key=f"secret={password}")
    desk.answer("app_launch", name=f"https://joe:{password}@x.org/?token={token}", args=["--password", password, github])
    desk.answer("app_launch", name="no-such-program", args=[f"--password={password}", amazon, token])
    desk.answer("window_focus", window_title=f"no window password={password}")
    desk.answer(f"password={password}")
    desk.answer("wait", **{"duration": 0, "password": password})
    desk.answer("notification_send", title="key", body=f"-----BEGIN PRIVATE KEY-----\n{password}\n-----END PRIVATE KEY-----")
    for when in ("running", "ended"):
        kept = desk.data_bytes()
        assert b"clipboard_write" in kept and b"app_launch" in kept
        for secret in SECRETS:
            assert secret.encode() not in kept, (when, secret)
        if when == "running":
            desk.stop()


def test_huge_parameters_are_not_copied(own_desk):
    desk = own_desk("--virtual", "--size", "640x480")
    desk.answer("no_such_tool", text="x" * 10_000_000)
    desk.answer("app_launch", name="x" * 10_000_000)
    desk.answer("app_launch", name="true", args=["y" * 1000] * 1000)
    rows = desk.audit()
    assert all(len(json.dumps(row)) < 20_000 for row in rows)
    assert sum(path.stat().st_size for path in desk.data.iterdir() if "wal" not in path.name and "shm" not in path.name) < 2_000_000


def test_many_callers_share_a_commit(own_desk):
    """64 callers at once: all their rows are there, in order, and the chain is whole."""
    desk = own_desk("--virtual", "--size", "640x480")

    def call_often():
        bridge = desk.connect()
        for _ in range(10):
            bridge.call("wait", duration=0)
        bridge.close()
    threads = [threading.Thread(target=call_often) for _ in range(64)]
    started = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(f"{640 / (time.monotonic() - started):.0f} calls a second")
    rows = [row for row in desk.audit() if row.get("tool") == "wait"]
    assert len(rows) == 2 * 640
    assert desk.cli("audit", "verify").returncode == WHOLE


def test_what_was_answered_outlives_the_desk(own_desk):
    """The disk is not waited for after an action. The desk may be killed the moment its answer is here all the same."""
    desk = own_desk("--virtual", "--size", "640x480")
    answered = {}
    for number in range(5):
        bridge = desk.connect()
        for tool, params in (("mouse_move", {"x": number, "y": 5, "smooth": False}), ("bash_execute", {"command": "true"})):
            answer = bridge.answer(tool, params)
            answered[answer["step_id"]] = "OK" if answer["ok"] else answer["error"]["code"]
        os.kill(desk.process.pid, signal.SIGKILL)
        desk.process.wait()
        bridge.close()
        desk.start()
        ended = {row["step"]: row["code"] for row in desk.audit() if row["kind"] == "result"}
        assert {step: ended.get(step) for step in answered} == answered
        assert desk.cli("audit", "verify").returncode == WHOLE


def test_a_result_that_cannot_be_written_is_told_and_written_later(own_desk):
    """The disk fills up while something is done: it was done, the answer says what could not be, and nothing more
    is done until it is in the audit."""
    desk = own_desk("--virtual", "--size", "640x480")
    bridge = desk.connect()
    bridge.send("call", {"tool": "wait", "params": {"duration": 2}})
    eventually(lambda: desk.audit()[-1]["kind"] == "intent")
    limit = ["prlimit", f"--pid={desk.process.pid}"]
    subprocess.run([*limit, "--fsize=1:unlimited"], check=True)
    answer = bridge.receive()["result"]
    assert answer["ok"] and answer["warning"]["code"] == "STORAGE_FAILED"
    desk.fails("STORAGE_FAILED", "mouse_move", x=1, y=1, smooth=False)
    subprocess.run([*limit, "--fsize=unlimited:unlimited"], check=True)
    desk.call("cursor_position")
    late = [row for row in desk.audit() if row.get("late")]
    assert [row["step"] for row in late] == [answer["step_id"]] and late[0]["code"] == "OK"
    assert desk.cli("audit", "verify").returncode == WHOLE
    bridge.close()


def test_a_look_that_cannot_be_written_down_is_shown_to_nobody(own_desk):
    """The hand looks while its intent goes to the disk; without the row there is no answer, and nobody waits for it."""
    desk = own_desk("--virtual", "--size", "640x480")
    limit = ["prlimit", f"--pid={desk.process.pid}"]
    subprocess.run([*limit, "--fsize=1:unlimited"], check=True)
    answer = desk.answer("screenshot")
    assert answer["error"]["code"] == "STORAGE_FAILED" and "result" not in answer
    started = time.monotonic()
    desk.fails("STORAGE_FAILED", "wait", duration=30)
    assert time.monotonic() - started < 15, "it was called off in the hand too"
    subprocess.run([*limit, "--fsize=unlimited:unlimited"], check=True)
    desk.call("screenshot")
    assert desk.cli("audit", "verify").returncode == WHOLE


def test_the_owner_can_switch_it_off_and_everybody_can_see_that(own_desk):
    desk = own_desk("--virtual", "--size", "640x480")
    assert b"AUDIT OFF" not in desk.cli("status", check=True).stdout
    assert desk.cli("config", "set", "audit.enabled", "false").returncode == 1, "a client must not"
    run = desk.owner_cli("config", "set", "audit.enabled", "false")
    assert run.returncode == 0, run.shown
    assert b"AUDIT OFF" in desk.cli("status", check=True).stdout
    assert "审计已关闭" in desk.cli("status", environment={"LANGUAGE": "zh_CN"}).stdout.decode()
    assert desk.main_bridge.manage("status")["audit"] == {"enabled": False}
    rows = len(desk.audit())
    desk.call("mouse_move", x=5, y=6, smooth=False)
    desk.fails("UNKNOWN_TOOL", "no_such_tool")
    assert len(desk.audit()) == rows, "calls leave no rows"
    # What an answer promises holds all the same: once, and a way back.
    first = desk.answer("clipboard_write", text="one", run_id="off", idempotency_key="k")
    desk.call("clipboard_write", text="two", run_id="off")
    os.kill(desk.process.pid, signal.SIGKILL)
    desk.process.wait()
    desk.start()
    again = desk.answer("clipboard_write", text="one", run_id="off", idempotency_key="k")
    assert again["replayed"] and again["step_id"] == first["step_id"]
    changes = desk.main_bridge.manage("ledger.list", run_id="off")["changes"]
    assert [change["tool"] for change in changes] == ["clipboard_write"] * 2
    desk.main_bridge.manage("pause", reason="an event")
    desk.owner_cli("resume")
    run = desk.owner_cli("config", "set", "audit.enabled", "true")
    assert run.returncode == 0, run.shown
    desk.call("cursor_position")
    told = [row.get("event") or row["kind"] for row in desk.audit()]
    kept = [what for what in told if what not in ("audit-begin", "config", "config-set")]
    # Told at the change and at the start after it.
    assert kept == ["audit-off", "audit-off", "pause", "resume", "audit-on", "intent", "result"], told
    assert desk.cli("audit", "verify").returncode == WHOLE


def test_an_administrator_can_keep_it_on(own_desk):
    desk = own_desk("--virtual", "--size", "640x480", policy={"audit": {"enabled": True}})
    run = desk.owner_cli("config", "set", "audit.enabled", "false")
    assert run.returncode == 1 and "audit.enabled" in run.shown, run.shown
    desk.call("cursor_position")
    assert [row["kind"] for row in desk.audit()[-2:]] == ["intent", "result"]


def test_another_key(own_desk, tmp_path):
    """The owner goes on with a new key: everything is proven by each of them, here, offline and by the script."""
    desk = own_desk("--virtual", "--size", "640x480")
    keys = [(tmp_path / "key-0.pub")]
    keys[0].write_bytes((desk.data / "audit-key.pub").read_bytes())
    desk.call("wait", duration=0)
    before = tmp_path / "before.jsonl"
    assert desk.cli("audit", "rotate-key").returncode == 1, "a client is not the owner"
    desk.cli("audit", "export", "-o", before, check=True)
    for number in (1, 2):
        run = desk.owner_cli("audit", "rotate-key")
        assert run.returncode == 0 and "new key" in run.shown, run.shown
        keys.append(tmp_path / f"key-{number}.pub")
        keys[-1].write_bytes((desk.data / "audit-key.pub").read_bytes())
        desk.call("wait", duration=0)
    assert len({key.read_bytes() for key in keys}) == 3
    assert sorted(path.name for path in desk.data.glob("audit-key*") if path.suffix != ".pub") == ["audit-key"]
    assert (desk.data / "audit-key").stat().st_mode & 0o777 == 0o600
    desk.stop()
    desk.start()
    desk.call("wait", duration=0)
    desk.stop()
    after = tmp_path / "after.jsonl"
    desk.cli("audit", "export", "-o", after, check=True)
    report = json.loads(desk.cli("audit", "verify", "--json", check=True).stdout)
    assert report["keys"] == 3 and report["last"] == report["last_signed"]
    for key in keys:
        assert verify(after, "--key", key).returncode == WHOLE
    # What was exported before is the old key's; both may be given.
    assert verify(before, "--key", keys[0]).returncode == WHOLE
    assert verify(before, "--key", keys[2]).returncode == BROKEN
    assert verify(before, "--key", keys[2], "--key", keys[0]).returncode == WHOLE
    script = tmp_path / "verify.py"
    script.write_text((ROOT / "docs" / "audit.md").read_text().split("```python\n", 1)[1].split("```", 1)[0])
    for key in keys:
        done = subprocess.run(["/usr/bin/python3", script, after, key], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    # A change that the old key did not sign is none, whatever signs it.
    lines = lines_of(after)
    at = next(i for i, line in enumerate(lines) if line["type"] == "row" and '"audit-key"' in line["body"])
    assert lines[at + 1]["type"] == lines[at + 2]["type"] == "head"
    forged = tmp_path / "forged.jsonl"
    write_lines(forged, lines[:at + 1] + lines[at + 2:])
    result = verify(forged, "--key", keys[2])
    names_row(result, lines[at]["seq"])
    assert subprocess.run(["/usr/bin/python3", script, forged, keys[2]], capture_output=True).returncode != 0
    rows = [row for row in desk.audit() if row.get("event") == "audit-key"]
    assert [row["data"]["by"] for row in rows] == ["owner", "owner"]
    assert [row for row in desk.audit() if row.get("event") == "audit-rotate-key" and not row["data"]["ok"]]
