"""Desks with the default configuration, as root and as an ordinary user."""
import os
import pathlib
import pwd
import socket
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
from handfast import Bridge, Desk, finish  # noqa: E402

# An account that every Debian has and nobody uses.
ORDINARY = "games"


CONNECT = """
import socket, sys
door = socket.socket(socket.AF_UNIX)
door.connect(sys.argv[1])
with socket.socket(fileno=int(sys.argv[2])) as asker:
    socket.send_fds(asker, [b"x"], [door.fileno()])
sys.stdin.read()
"""


class DefaultDesk(Desk):
    """`handfast serve` as a new user has it: no configuration; run by `user`."""

    def __init__(self, user, *arguments, **options):
        self.user, self.connectors = pwd.getpwnam(user), []
        super().__init__(*(arguments or ("--virtual", "--size", "800x600")), **{"config": None, "verify": False, **options})

    def start(self, wait=True):
        if self.process is None:
            for path in [self.home, *self.home.rglob("*")]:
                os.chown(path, self.user.pw_uid, self.user.pw_gid, follow_symlinks=False)
        super().start(wait)

    def connect(self):
        """The desk looks at the process that connects, so that must be one of its user; it passes the connection on to us."""
        if self.user.pw_uid == os.geteuid():
            return super().connect()
        if not self.socket_path.exists():
            raise FileNotFoundError(self.socket_path)
        ours, theirs = socket.socketpair()
        with theirs:
            self.connectors.append(subprocess.Popen(self.command("/usr/bin/python3", "-c", CONNECT, str(self.socket_path), str(theirs.fileno())),
                                                    pass_fds=[theirs.fileno()], stdin=subprocess.PIPE))
        with ours:
            _, descriptors, _, _ = socket.recv_fds(ours, 1, 1)
        if not descriptors:
            raise ConnectionRefusedError(self.socket_path)
        return Bridge(socket.socket(fileno=descriptors[0]), self.verify)

    def remove(self):
        for connector in self.connectors:
            connector.stdin.close()
            connector.wait(timeout=20)
        super().remove()

    def command(self, *words):
        if self.user.pw_uid == os.geteuid():
            return list(words)
        return ["setpriv", f"--reuid={self.user.pw_uid}", f"--regid={self.user.pw_gid}", "--clear-groups", "--", *words]


@pytest.fixture(params=["root", ORDINARY])
def default_desk(request):
    """A function that starts such a desk; all are ended after the test."""
    if os.geteuid() != 0:
        pytest.skip("needs root, to run desks as two users")
    desks = []

    def start(*arguments, **options):
        desks.append(DefaultDesk(request.param, *arguments, **options))
        return desks[-1]

    start.user = request.param
    yield start
    for each in desks:
        finish(each)
