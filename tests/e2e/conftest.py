"""Fixtures: a shared desk on a virtual desktop, and desks of one's own."""
import os
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from handfast import Desk, eventually, process_alive  # noqa: E402

# Where `make test` wants to know which tools were called with success, for test_zz_coverage.
TOOLS_CALLED = os.environ.get("HF_TOOLS_CALLED")


def write_down_called(desk):
    """One write for each desk: several processes test at once."""
    if TOOLS_CALLED:
        called = {row["tool"] for row in desk.audit() if row["kind"] == "result" and row["code"] == "OK"}
        with open(TOOLS_CALLED, "a") as file:
            file.write("".join(f"{tool}\n" for tool in sorted(called)))


def finish(desk):
    """Ends a desk and holds it to what every desk must keep: no orphan, no sanitizer report."""
    pids = [entry["hand_pid"] for entry in desk.desktops().values()] if desk.process.poll() is None else []
    status = desk.stop()
    write_down_called(desk)
    reports, log = desk.sanitizer_reports(), desk.log.read_text()
    desk.remove()
    assert not reports, reports
    assert status == 0, log
    for pid in pids:
        eventually(lambda: not process_alive(pid), 5, f"the end of process {pid}")


@pytest.fixture(scope="session")
def shared_desk():
    desk = Desk("--virtual", "--size", "1280x800", "--private-home")
    yield desk
    finish(desk)


@pytest.fixture
def desk(shared_desk):
    """The shared desk; windows that a test leaves open are closed after it."""
    yield shared_desk
    for app in shared_desk.call("app_list")["apps"]:
        shared_desk.answer("app_close", pid=app["pid"], force=True)
    shared_desk.answer("mouse_move", x=5, y=5, smooth=False)


@pytest.fixture
def own_desk():
    """A function that starts a desk of one's own; all are ended after the test."""
    desks = []

    def start(*arguments, **options):
        desks.append(Desk(*(arguments or ("--virtual", "--size", "1280x800")), **options))
        return desks[-1]

    yield start
    for each in desks:
        finish(each)
