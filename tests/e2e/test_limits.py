"""Rate limits and queues: what is counted, what is refused and when there is room again, who waits and who does not."""
import json
import os
import sys
import threading
import time

import pytest

from handfast import FULL_AUTO, SLOW, eventually

ME = os.path.basename(os.path.realpath(sys.executable))


def with_limits(**limits):
    return {**FULL_AUTO, "limits": {**FULL_AUTO["limits"], **limits}}


def launch(desk):
    """A task that fails in the hand, after it was counted."""
    return desk.answer("app_launch", name="no-such-program-at-all")["error"]["code"]


def test_tasks_are_counted_and_movements_are_not(own_desk):
    desk = own_desk(config=with_limits(**{"global": {"per_minute": 3, "per_day": 0}}))
    for _ in range(100):
        desk.call("mouse_move", x=5, y=5, smooth=False)
    assert [launch(desk) for _ in range(3)] == ["APP_NOT_FOUND"] * 3
    error = desk.fails("RATE_LIMITED", "app_launch", name="no-such-program-at-all")
    assert 0 < error["details"]["retry_after_ms"] <= 20001 and error["retryable"] is True
    desk.call("mouse_move", x=5, y=5, smooth=False)
    assert desk.answer("app_launch", name="xterm", dry_run=True)["ok"], "what is not done is not counted"
    refusals = [row for row in desk.audit() if row["kind"] == "refusal"]
    assert [(row["code"], row["guard_step"]) for row in refusals] == [("RATE_LIMITED", "rate-limit")]


def test_the_owners_own_limits(own_desk):
    desk = own_desk(config=with_limits(tools={"wait": {"per_minute": 2}}, clients={ME: {"per_minute": 5}},
                                       apps={"XTerm": {"per_minute": 1}}))
    for _ in range(2):
        desk.call("wait", duration=0)
    assert desk.fails("RATE_LIMITED", "wait", duration=0)["details"]["limit"] == "tool 'wait'"
    desk.call("app_launch", name="xterm")
    error = desk.fails("RATE_LIMITED", "app_launch", name="/usr/bin/xterm")
    assert error["details"]["limit"] == "application 'XTerm'"
    desk.call("cursor_position")
    desk.call("cursor_position")
    assert desk.fails("RATE_LIMITED", "cursor_position")["details"]["limit"] == f"client '{ME}'"


def test_room_again_when_promised(own_desk):
    desk = own_desk(config=with_limits(tools={"wait": {"per_minute": 120}}))
    while True:
        answer = desk.answer("wait", duration=0)
        if not answer["ok"]:
            break
    end = time.monotonic() + answer["error"]["details"]["retry_after_ms"] / 1000
    eventually(lambda: time.monotonic() >= end, 5, "the promised time")
    desk.call("wait", duration=0)


def test_days_outlive_the_desk(own_desk):
    desk = own_desk(config=with_limits(tools={"wait": {"per_day": 3}}))
    for _ in range(3):
        desk.call("wait", duration=0)
    assert desk.fails("RATE_LIMITED", "wait", duration=0)["details"]["span"] == "day"
    desk.process.kill()
    desk.process.wait()
    desk.start()
    error = desk.fails("RATE_LIMITED", "wait", duration=0)
    assert 0 < error["details"]["retry_after_ms"] <= 25 * 3600 * 1000


def test_calls_of_a_grant_are_counted_exactly(own_desk):
    desk = own_desk(config=FULL_AUTO)
    run = desk.owner_cli("grant", "new", "ten", "--tools", "wait", "--max-calls", "10")
    assert run.returncode == 0, run.shown
    codes = []

    def work():
        bridge = desk.connect()
        for _ in range(5):
            answer = bridge.answer("wait", {"duration": 0, "grant": "ten"})
            codes.append("OK" if answer["ok"] else answer["error"]["code"])
        bridge.close()
    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(codes) == ["FORBIDDEN"] * 20 + ["OK"] * 10
    desk.process.kill()
    desk.process.wait()
    desk.start()
    assert "used up" in desk.fails("FORBIDDEN", "wait", duration=0, grant="ten")["message"]
    assert json.loads(desk.owner_cli("grant", "show", "ten", "--json").shown)["calls"] == 10


def hold_turn(desk, seconds):
    """Keeps the desktop busy with one call; returns its connection and id."""
    bridge = desk.connect()
    identity = bridge.send("call", {"tool": "hold_key", "params": {"keys": ["shift"], "duration": seconds}})
    return bridge, identity


def test_the_oldest_waiting_is_dropped(own_desk):
    desk = own_desk(config=with_limits(queue={"per_target": 20, "total": 3}))
    holder, held = hold_turn(desk, 3 * SLOW)
    eventually(lambda: [row for row in desk.audit() if row["kind"] == "intent" and row["tool"] == "hold_key"], what="the turn taken")
    bridge, answers = desk.connect(), {}
    sent = [bridge.send("call", {"tool": "mouse_move", "params": {"x": 9, "y": 9, "smooth": False, "reason": str(i)}})
            for i in range(5)]
    for _ in sent:
        reply = bridge.receive()
        answers[reply["id"]] = reply["result"]
    dropped = [identity for identity in sent if not answers[identity]["ok"]]
    assert len(dropped) == 2 and all(answers[one]["error"]["code"] == "QUEUE_OVERFLOW" for one in dropped)
    assert answers[dropped[0]]["error"]["retryable"] is True
    assert holder.receive()["id"] == held
    events = [row for row in desk.audit() if row.get("event") == "queue-overflow"]
    assert len(events) == 2


def test_who_needs_neither_screen_nor_input_never_waits(own_desk):
    desk = own_desk(config=with_limits(queue={"per_target": 1, "total": 1}))
    holder, held = hold_turn(desk, 3 * SLOW)
    eventually(lambda: [row for row in desk.audit() if row["kind"] == "intent" and row["tool"] == "hold_key"], what="the turn taken")
    begun = time.monotonic()
    for _ in range(20):
        desk.call("wait", duration=0)
        desk.call("system_info")
    assert time.monotonic() - begun < 2.5 * SLOW
    holder.socket.settimeout(0.01)
    with pytest.raises(OSError):
        holder.receive(0.01)
    assert holder.receive()["id"] == held
