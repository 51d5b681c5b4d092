"""Waiting until something is so: woken by what happens, at nearly no cost while nothing does."""
import pathlib
import time

import pytest

from handfast import SLOW
from test_effect import effects  # noqa: F401 (a fixture)


def spent_by(pid):
    """What all threads of a process have used of the processor so far, and how often they were woken."""
    seconds, times = 0.0, 0
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        try:
            seconds += int((task / "schedstat").read_text().split()[0]) / 1e9
            status = (task / "status").read_text()
        except OSError:  # it has ended
            continue
        times += int(status.split("\nvoluntary_ctxt_switches:")[1].split()[0])
    return seconds, times


@pytest.mark.parametrize("toolkit", ["gtk3", "qt5"])
def test_it_reacts_at_once(desk, effects, toolkit):  # noqa: F811
    program = effects(toolkit, "late")
    late = []
    for number in range(1, 6):
        desk.call("left_click", **program.at("dead"), verify=False)
        desk.call("wait_until", target=f'label "answer {number}"', window_id=program.window["window_id"])
        now = time.monotonic()
        late.append(now - program.next("late")["at"])
    # The best of them: others on this machine may be in the way.
    assert min(late) < 0.05 * SLOW, late


@pytest.mark.parametrize("wanted", [{"target": 'button "Absent"'}, {"until": "window", "title": "absent"}])
def test_waiting_costs_nearly_nothing(desk, effects, wanted):  # noqa: F811
    program = effects("gtk3")
    if "target" in wanted:
        wanted = {**wanted, "window_id": program.window["window_id"]}
    desk.fails("DESKTOP_TIMEOUT", "wait_until", max_ms=300, **wanted)  # what is needed once
    hand = desk.desktops()["main"]["hand_pid"]
    spent = [spent_by(hand)]
    for _ in range(3):
        desk.fails("DESKTOP_TIMEOUT", "wait_until", max_ms=1500, **wanted)
        spent.append(spent_by(hand))
    costs = [(after[0] - before[0], after[1] - before[1]) for before, after in zip(spent, spent[1:])]
    # The least: what a program draws meanwhile costs as well.
    assert min(seconds for seconds, _ in costs) < 0.005 * SLOW and min(times for _, times in costs) < 90, costs


def test_rest_is_reached_when_it_is(desk, effects):  # noqa: F811
    effects("gtk3")
    desk.call("wait_until", until="settled")
    waited = [desk.call("wait_until", until="settled")["waited_ms"] for _ in range(4)]
    assert min(waited) >= 250 and min(waited) < 250 + 25 * SLOW, waited


def test_rest_is_not_reached_while_something_ticks(desk, effects):  # noqa: F811
    effects("gtk3", "clock")
    desk.fails("DESKTOP_TIMEOUT", "wait_until", until="settled", max_ms=1500)


def test_a_title_that_changes_is_seen(desk, effects):  # noqa: F811
    program = effects("gtk3")
    desk.call("left_click", **program.at("title"), verify=False)
    assert desk.call("wait_until", until="window", title="effects number 1")["window"]["title"] == "Effects number 1"


def test_it_ends_at_once_when_it_is_called_off(desk, effects):  # noqa: F811
    program = effects("gtk3")
    bridge = desk.connect()
    for turn in range(5):
        identity = bridge.send("call", {"tool": "wait_until", "params": {
            "target": 'button "Absent"', "max_ms": 60000, "window_id": program.window["window_id"], "run_id": f"w{turn}"}})
        desk.fails("DESKTOP_TIMEOUT", "wait_until", until="window", title="absent", max_ms=200 * SLOW)  # meanwhile it sleeps
        began = time.monotonic()
        assert desk.main_bridge.manage("abort", run_id=f"w{turn}")["calls_called_off"] == 1
        answer = bridge.receive()
        assert answer["id"] == identity and answer["result"]["error"]["code"] == "DESKTOP_ABORTED", answer
        if time.monotonic() - began < 0.05:
            return
    raise AssertionError("it took longer than 50 ms each time")
