"""Exactly once: with an idempotency_key a call is done one time, whoever dies in between."""
import os
import signal
import threading
import time

import pytest

from handfast import SLOW, eventually, process_alive


def open_editor(desk, path):
    """A real editor on a file of ours; what it saved is what it saw."""
    path.write_text("")
    process = desk.spawn("mousepad", "--disable-server", path)
    desk.window(path.name)
    desk.call("window_focus", window_title=path.name)
    return process


def saved_text(desk, path):
    desk.call("key_press", keys=["ctrl", "s"])
    return path.read_text()


def test_the_same_call_is_answered_as_before(own_desk, tmp_path):
    desk = own_desk()
    path = tmp_path / "file.txt"
    editor = open_editor(desk, path)
    first = desk.answer("type_text", text="once", method="keys", idempotency_key="k1")
    assert first["ok"] and "replayed" not in first
    again = desk.answer("type_text", text="once", method="keys", idempotency_key="k1")
    assert again["replayed"] is True and again["step_id"] == first["step_id"] and again["result"] == first["result"]
    other = desk.answer("type_text", text="twice", method="keys", idempotency_key="k1")
    assert other["error"]["code"] == "CONFLICT" and "k1" in other["error"]["message"]
    assert desk.answer("type_text", text="once", method="paste", idempotency_key="k1")["error"]["code"] == "CONFLICT"
    eventually(lambda: saved_text(desk, path) == "once", what="the text in the file")
    # Also by another connection, and after the desk was started again.
    bridge = desk.connect()
    assert bridge.answer("type_text", {"text": "once", "method": "keys", "idempotency_key": "k1"})["replayed"]
    bridge.close()
    rows = [row for row in desk.audit() if row.get("replayed")]
    assert len(rows) == 2 and all(row["kind"] == "result" and row["step"] == first["step_id"] for row in rows)
    desk.stop()
    desk.start()
    kept = desk.answer("type_text", text="once", method="keys", idempotency_key="k1")
    assert kept["replayed"] is True and kept["result"] == first["result"] and kept["step_id"] == first["step_id"]
    editor.kill()
    editor.wait()


def test_a_second_one_waits_for_the_first(own_desk):
    desk = own_desk("--virtual", "--size", "640x480")
    answers = []

    def ask():
        bridge = desk.connect()
        answers.append(bridge.answer("hold_key", {"keys": ["shift"], "duration": 0.5, "idempotency_key": "same"}))
        bridge.close()
    threads = [threading.Thread(target=ask) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(answer["ok"] for answer in answers)
    assert len({answer["step_id"] for answer in answers}) == 1
    assert sum(answer.get("replayed", False) for answer in answers) == 4
    assert sum(row["kind"] == "intent" for row in desk.audit()) == 1
    # It waits no longer than its own time.
    bridge = desk.connect()
    bridge.send("call", {"tool": "wait", "params": {"duration": 30, "idempotency_key": "long"}})
    eventually(lambda: desk.audit()[-1]["kind"] == "intent")
    started = time.monotonic()
    desk.fails("DESKTOP_TIMEOUT", "wait", duration=30, idempotency_key="long", timeout_ms=300)
    assert time.monotonic() - started < 3 * SLOW
    bridge.close()


def test_what_was_refused_may_be_tried_again(own_desk):
    desk = own_desk("--virtual", "--size", "640x480")
    desk.fails("INVALID_PARAMS", "wait", duration="x", idempotency_key="k")
    desk.fails("DESKTOP_NOT_FOUND", "mouse_move", x=1, y=1, smooth=False, desktop="later", idempotency_key="k")
    desk.new_desktop("later", width=640, height=480)
    answer = desk.answer("mouse_move", x=1, y=1, smooth=False, desktop="later", idempotency_key="k")
    assert answer["ok"] and "replayed" not in answer
    failed = desk.answer("window_focus", window_title="no such window", idempotency_key="f")
    again = desk.answer("window_focus", window_title="no such window", idempotency_key="f")
    assert again["replayed"] is True and again["error"] == failed["error"]


@pytest.mark.parametrize("key", ["", "x" * 129, 7, None, ["k"]], ids=["empty", "long", "number", "null", "list"])
def test_bad_keys(shared_desk, key):
    assert shared_desk.fails("INVALID_PARAMS", "wait", duration=0, idempotency_key=key)["details"]["path"] == "idempotency_key"


def test_looks_are_repeated_from_memory_and_not_from_disk(own_desk):
    desk = own_desk("--virtual", "--size", "640x480")
    first = desk.answer("screenshot", mode="region", region={"x": 0, "y": 0, "width": 64, "height": 64}, idempotency_key="p")
    again = desk.answer("screenshot", mode="region", region={"x": 0, "y": 0, "width": 64, "height": 64}, idempotency_key="p")
    assert again["replayed"] and again["result"] == first["result"] and again["result"]["image"]
    desk.stop()
    desk.start()
    later = desk.answer("screenshot", mode="region", region={"x": 0, "y": 0, "width": 64, "height": 64}, idempotency_key="p")
    assert later["ok"] and "replayed" not in later


@pytest.mark.parametrize("delay", [0.01, 0.05, 0.15, 0.3])
def test_kill_of_the_desk_in_mid_call(own_desk, tmp_path, delay):
    """After kill -9 the same key gives the recorded answer or OUTCOME_UNKNOWN; the text is there at most once."""
    desk = own_desk()
    text = "exactly once, or it was not at all. " * 8
    bridge = desk.connect()
    params = {"text": text, "method": "keys", "idempotency_key": "crash"}
    bridge.send("call", {"tool": "type_text", "params": params})
    time.sleep(delay * SLOW)  # a random point of the work
    os.kill(desk.process.pid, signal.SIGKILL)
    desk.process.wait()
    desk.start()
    intents = [row for row in desk.audit() if row["kind"] == "intent" and row.get("idempotency_key") == "crash"]
    answer = desk.answer("type_text", **params)
    if intents:
        assert answer.get("replayed") or answer["error"]["code"] == "OUTCOME_UNKNOWN", answer
        assert sum(row["kind"] == "intent" for row in desk.audit() if row.get("tool") == "type_text") == 1
    else:
        assert "replayed" not in answer
    assert desk.cli("audit", "verify").returncode == 0


@pytest.mark.parametrize("delay", [0.01, 0.05, 0.15])
def test_kill_of_the_hand_in_mid_call(own_desk, tmp_path, delay):
    desk = own_desk()
    path = tmp_path / "hand.txt"
    editor = open_editor(desk, path)
    text = "".join(f"{number:04d} " for number in range(100))
    params = {"text": text, "method": "keys", "idempotency_key": "hand"}
    bridge = desk.connect()
    bridge.send("call", {"tool": "type_text", "params": params})
    time.sleep(delay * SLOW)  # a random point of the work
    hand = desk.desktops()["main"]["hand_pid"]
    os.kill(hand, signal.SIGKILL)
    first = bridge.receive()["result"]
    # DESKTOP_UNAVAILABLE: it died before it had the call, and nothing was done.
    untouched = not first["ok"] and first["error"]["code"] == "DESKTOP_UNAVAILABLE"
    assert first["ok"] or untouched or first["error"]["code"] == "OUTCOME_UNKNOWN"
    eventually(lambda: desk.desktops()["main"]["hand_pid"] not in (0, hand) and desk.answer("cursor_position")["ok"], 15)
    desk.call("window_focus", window_title=path.name)
    again = desk.answer("type_text", **params)
    if untouched:
        assert again["ok"] and "replayed" not in again
    else:
        assert again["replayed"] is True and again["ok"] == first["ok"] and again.get("error") == first.get("error")
    written = saved_text(desk, path)
    assert text.startswith(written.rstrip("\n")[:len(text)]) and written.count("0000 ") <= 1
    bridge.close()
    editor.kill()
    editor.wait()
