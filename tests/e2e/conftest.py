"""Fixtures: a shared desk on a virtual desktop, and desks of one's own. Actions on them do not wait for their effect: tests
that are about effects have desks for that."""
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from handfast import Desk, finish  # noqa: E402

@pytest.fixture(scope="session")
def shared_desk():
    desk = Desk("--virtual", "--size", "1280x800", "--private-home", verify=False)
    yield desk
    finish(desk)


@pytest.fixture(scope="session")
def watchful_desk():
    """One whose actions wait for their effect. What is about effects names it as its shared desk."""
    desk = Desk("--virtual", "--size", "1280x800", "--private-home")
    yield desk
    finish(desk)


@pytest.fixture
def desk(shared_desk):
    """The shared desk; windows that a test leaves open are closed after it. Not those of programs that have just ended, which
    the window manager may still know: the X server gives their ids to the next program, and the order to close would reach
    that one."""
    yield shared_desk
    for app in shared_desk.call("app_list")["apps"]:
        if shared_desk.program_alive(app["pid"]):
            shared_desk.answer("app_close", pid=app["pid"], force=True)
    shared_desk.answer("mouse_move", x=5, y=5, smooth=False)


@pytest.fixture
def own_desk():
    """A function that starts a desk of one's own; all are ended after the test."""
    desks = []

    def start(*arguments, **options):
        desks.append(Desk(*(arguments or ("--virtual", "--size", "1280x800")), **{"verify": False, **options}))
        return desks[-1]

    yield start
    for each in desks:
        finish(each)
