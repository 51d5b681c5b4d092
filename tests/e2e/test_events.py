"""Events through the bridge: what is told, to whom, in which order, and to those who were away."""
import os
import signal

from handfast import FULL_AUTO, SLOW, eventually

ASKING = {**FULL_AUTO, "projects": {"default_approval_template": "strict"}}


class Listener:
    """A connection of its own that takes events."""

    def __init__(self, desk, **params):
        self.bridge = desk.connect()
        self.since = self.bridge.manage("events.subscribe", **params)["since"]

    def next(self, seconds=30):
        message = self.bridge.receive(seconds * SLOW)
        assert message["method"] == "event" and "id" not in message, message
        return message["params"]

    def until(self, kind, **data):
        """All events up to the first of that type with that data."""
        taken = []
        while True:
            taken.append(self.next())
            told = taken[-1]["data"]
            if taken[-1]["type"] == kind and all(told.get(name) == value for name, value in data.items()):
                return taken


def types(events):
    return [event["type"] for event in events]


def test_call_is_told_without_what_was_said(desk):
    listener = Listener(desk)
    answer = desk.answer("type_text", text="correct horse battery staple", run_id="r_told")
    events = listener.until("call.finished")
    assert types(events) == ["call.started", "call.finished"]
    started, finished = (event["data"] for event in events)
    assert started == {"tool": "type_text", "run_id": "r_told", "step_id": answer["step_id"], "desktop": "main",
                       "caller": finished["caller"], "door": "bridge", "risk": started["risk"]}
    assert finished["ok"] == answer["ok"] and finished["code"] == (answer.get("error") or {"code": "OK"})["code"]
    assert 0 < finished["duration_ms"] < 60000
    assert "horse" not in str(events)
    assert [event["id"] for event in events] == sorted(event["id"] for event in events)
    assert events[0]["ts"] <= events[1]["ts"]


def test_refused_call_has_only_an_end(desk):
    listener = Listener(desk)
    desk.fails("UNKNOWN_TOOL", "no_such_tool")
    desk.fails("INVALID_PARAMS", "wait", duration="long")
    first, second = listener.next(), listener.next()
    assert types([first, second]) == ["call.finished"] * 2
    assert (first["data"]["ok"], first["data"]["code"]) == (False, "UNKNOWN_TOOL")
    assert second["data"]["code"] == "INVALID_PARAMS"


def test_types_and_families(desk):
    finished, calls = Listener(desk, types=["call.finished"]), Listener(desk, types=["call", "stop"])
    desk.call("cursor_position")
    assert types([finished.next()]) == ["call.finished"]
    assert types([calls.next(), calls.next()]) == ["call.started", "call.finished"]
    answer = desk.connect().request("events.subscribe", {"types": ["calls"]})["result"]
    assert answer["error"]["code"] == "INVALID_PARAMS" and "call.started" in answer["error"]["suggestion"]
    for wrong in ({"since": -1}, {"since": "x"}, {"types": "call"}, {"type": ["call"]}):
        answer = desk.connect().request("events.subscribe", wrong)["result"]
        assert answer["error"]["code"] == "INVALID_PARAMS" and answer["error"]["suggestion"]


def test_take_up_where_one_left_off(desk):
    listener = Listener(desk)
    desk.call("cursor_position")
    first = listener.next()
    listener.bridge.close()
    desk.call("wait", duration=0)
    back = Listener(desk, since=first["id"])
    events = back.until("call.finished", tool="wait")
    assert types(events) == ["call.finished", "call.started", "call.finished"]
    assert [event["id"] for event in events] == [first["id"] + 1, first["id"] + 2, first["id"] + 3]
    back.bridge.manage("events.unsubscribe")
    desk.call("cursor_position")
    assert back.bridge.request("status")["result"]["ok"]  # and nothing before it


def test_others_are_not_ones_business(desk):
    listener = Listener(desk)
    assert desk.cli("cursor_position").returncode == 0  # another program
    desk.call("wait", duration=0)
    assert types(listener.until("call.finished")) == ["call.started", "call.finished"]
    assert desk.new_desktop("brief", width=320, height=200)
    assert types(listener.until("desktop.added", desktop="brief")) == ["hand.started", "desktop.added"]
    desk.remove_desktop("brief")
    assert types(listener.until("desktop.removed", desktop="brief")) == ["desktop.removed"]


def test_hand_dies_and_comes_back(desk):
    listener = Listener(desk, types=["hand"])
    pid = desk.desktops()["main"]["hand_pid"]
    os.kill(pid, signal.SIGKILL)
    died, started = listener.next(), listener.next()
    assert (died["type"], died["data"]) == ("hand.died", {"desktop": "main", "pid": pid})
    assert (started["type"], started["data"]["desktop"]) == ("hand.started", "main")
    assert started["data"]["pid"] != pid


def test_approval(own_desk):
    desk = own_desk(config=ASKING)
    listener, asker = Listener(desk), desk.connect()
    asker.send("call", {"tool": "type_text", "params": {"text": "hunter2 hunter2"}})
    opened, waiting = listener.next(), listener.next()
    assert types([opened, waiting]) == ["approval.open", "call.waiting"]
    approval = opened["data"]["approval"]
    assert waiting["data"]["approval"] == approval and waiting["data"]["for"] == "owner"
    assert opened["data"]["expires_ms"] > opened["ts"]
    assert desk.owner_cli("deny", approval).returncode == 0
    closed, finished = listener.next(), listener.next()
    assert (closed["type"], closed["data"]["approval"], closed["data"]["state"]) == ("approval.closed", approval, "denied")
    assert (finished["type"], finished["data"]["code"]) == ("call.finished", "APPROVAL_DENIED")
    asker.send("call", {"tool": "type_text", "params": {"text": "hunter2 hunter2"}})
    approval = listener.until("approval.open")[-1]["data"]["approval"]
    assert desk.owner_cli("approve", approval).returncode == 0
    events = listener.until("call.finished")
    assert types(events) == ["call.waiting", "approval.closed", "call.started", "call.finished"]
    assert events[1]["data"]["state"] == "approved"
    assert "hunter2" not in str([opened, waiting, closed, finished, events])


def test_holds_and_the_agreement(own_desk):
    desk = own_desk()
    listener = Listener(desk)
    desk.main_bridge.manage("pause", desktop="main", reason="lunch")
    paused = listener.until("pause")[-1]["data"]
    assert (paused["desktop"], paused["reason"]) == ("main", "lunch") and "process" in paused["by"]
    assert not desk.main_bridge.request("resume", {})["result"]["ok"]  # not the owner: nothing is told
    assert desk.owner_cli("resume", "--desktop", "main").returncode == 0
    resumed = listener.next()
    assert (resumed["type"], resumed["data"]["by"], resumed["data"]["desktop"]) == ("resume", "the owner", "main")
    desk.main_bridge.manage("abort", run_id="r_1")
    assert listener.until("abort")[-1]["data"]["run_id"] == "r_1"
    desk.write_config({**FULL_AUTO, "takeover": {"enabled": False}})
    changed = listener.until("config.changed")[-1]["data"]
    assert changed["ok"] and changed["policy_hash"]
    desk.write_config(b"{ broken")
    assert listener.until("config.changed", ok=False)[-1]["data"]["problem"]
    stopper = desk.connect()
    stopper.send("stop", {"reason": "enough"})
    assert listener.until("stop")[-1]["data"]["reason"] == "enough"


def test_another_life_of_the_desk(own_desk):
    desk = own_desk()
    listener = Listener(desk)
    desk.call("cursor_position")
    last = listener.until("call.finished")[-1]["id"]
    desk.stop()
    desk.start()
    back = Listener(desk, since=last)
    gap, *rest = back.until("desktop.added")
    assert (gap["type"], gap["data"]) == ("events.missed", {"since": last})
    assert gap["id"] + 1 == rest[0]["id"] > last


def test_slow_reader_holds_nobody_up(own_desk):
    desk = own_desk()
    listener, caller = Listener(desk), desk.connect()
    calls, batch = 4200, 30
    for _ in range(calls // batch):
        for _ in range(batch):
            caller.send("call", {"tool": "cursor_position", "params": {}})
        assert all(caller.receive()["result"]["ok"] for _ in range(batch))
    desk.main_bridge.manage("abort", run_id="r_end")
    events = listener.until("abort")
    gaps = [event for event in events if event["type"] == "events.missed"]
    assert gaps, "nothing was missed: the test is too small"
    missed = sum(gap["data"]["count"] for gap in gaps)
    assert missed + len(events) - len(gaps) == 2 * calls + 1
    for before, after in zip(events, events[1:]):
        assert after["id"] - before["id"] == (after["data"]["count"] if after["type"] == "events.missed" else 1)
    eventually(lambda: desk.answer("cursor_position")["ok"], 5, "a call")
