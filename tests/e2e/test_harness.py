"""What the tests themselves stand on: a desk ends with its test, whatever the test has left behind."""
import signal
import subprocess

import pytest

import handfast
from handfast import Desk, finish, process_alive


def test_a_desk_whose_bridge_is_out_of_step_ends():
    desk = Desk("--virtual", "--size", "320x200")
    desk.main_bridge.send("status")  # and its answer is never read
    finish(desk)
    assert desk.process.poll() == 0


def test_a_desk_that_does_not_end_is_ended(monkeypatch):
    desk = Desk("--virtual", "--size", "320x200")
    monkeypatch.setattr(handfast, "SLOW", 0.01)
    desk.process.send_signal(signal.SIGSTOP)
    with pytest.raises(subprocess.TimeoutExpired):
        desk.stop()
    assert not process_alive(desk.process.pid)
    desk.remove()
