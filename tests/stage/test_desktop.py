"""What a desktop is like for those who live on it."""
import os
import pathlib
import shutil
import socket
import subprocess
import time

import pytest
from stages import Process, family


def xdpyinfo(stage):
    return stage.run("xdpyinfo").stdout


@pytest.mark.parametrize("depth", [16, 24, 30])
def test_depth_and_size(start, depth):
    stage = start(width=1000, height=700, depth=depth).ready()
    assert (stage.facts["width"], stage.facts["height"], stage.facts["depth"]) == (1000, 700, depth)
    info = xdpyinfo(stage)
    assert f"depth of root window:    {depth} planes" in info
    for extension in ("Composite", "DAMAGE", "MIT-SHM", "RANDR", "XFIXES", "XInputExtension",
                      "XKEYBOARD", "XTEST", "X-Resource", "MIT-SCREEN-SAVER"):
        assert extension in info
    assert "GLX" not in info


def test_opengl_on_demand(start):
    assert "GLX" in xdpyinfo(start(opengl=True).ready())


def test_never_blanks(desktop):
    assert "timeout:  0" in desktop.run("xset", "q").stdout


def test_private(desktop):
    for path in (desktop.base, desktop.directory, desktop.directory / "home"):
        assert path.stat().st_mode & 0o777 == 0o700, path
    for path in desktop.directory.glob("*"):
        if path.is_file():
            assert path.stat().st_mode & 0o077 == 0, path
    stranger = {**desktop.environment, "XAUTHORITY": "/dev/null"}
    refused = subprocess.run(["xdpyinfo"], env=stranger, capture_output=True, text=True)
    assert refused.returncode != 0 and "Authorization required" in refused.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can play another user")
def test_another_user_stays_outside(desktop):
    for command in (["xdpyinfo"], ["dbus-send", "--session", "--print-reply",
                                   "--dest=org.freedesktop.DBus", "/", "org.freedesktop.DBus.GetId"]):
        assert desktop.run(*command).returncode == 0
        other = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", *command]
        assert desktop.run(*other).returncode != 0


def test_chords_are_not_eaten(desktop):
    """No key is grabbed by the window manager: a client of ours can grab any of them."""
    code = """
import sys
from Xlib import X, XK, display, error
d = display.Display(); root = d.screen().root
for names, modifiers in [("Tab F4 F1 Escape space Left", X.Mod1Mask), ("e d Tab F1 1 2 3 4", X.Mod4Mask),
                         ("Tab Delete t Left", X.ControlMask | X.Mod1Mask), ("Print Menu g", 0)]:
    for name in names.split():
        caught = error.CatchError(error.BadAccess)
        root.grab_key(d.keysym_to_keycode(XK.string_to_keysym(name)), modifiers, False,
                      X.GrabModeAsync, X.GrabModeAsync, onerror=caught)
        d.sync()
        if caught.get_error(): sys.exit("grabbed already: " + name)
"""
    done = desktop.run("/usr/bin/python3", "-c", code)
    assert done.returncode == 0, done.stderr


def test_accessibility_starts_when_asked(desktop):
    assert desktop.facts["accessibility"] is True
    assert not [p for p in family(desktop.process.pid) if "at-spi" in repr(p)]
    home = desktop.directory / "home"
    before = sorted(home.rglob("*"))
    asked = desktop.run("gdbus", "call", "--session", "-d", "org.a11y.Bus", "-o", "/org/a11y/bus",
                        "-m", "org.freedesktop.DBus.Properties.Get", "org.a11y.Status", "IsEnabled")
    assert "true" in asked.stdout, asked
    assert [p for p in family(desktop.process.pid) if "at-spi" in repr(p)]
    # The setting lives in that process alone; the user's own is not touched.
    assert [p for p in home.rglob("*") if p.name == "user"] == []
    address = desktop.run("gdbus", "call", "--session", "-d", "org.a11y.Bus", "-o", "/org/a11y/bus",
                          "-m", "org.a11y.Bus.GetAddress").stdout
    assert str(desktop.directory) in address
    desktop.stop()
    assert before is not None and not desktop.directory.exists()


def test_children_are_clean(desktop):
    for name in ("x-server", "session-bus", "window-manager"):
        folder = pathlib.Path(f"/proc/{desktop.pids[name]}")
        status = dict(line.split(":", 1) for line in (folder / "status").read_text().splitlines())
        assert int(status["SigBlk"], 16) & (1 << 14) == 0  # SIGTERM is heard
        targets = [os.readlink(fd) for fd in (folder / "fd").iterdir()]
        assert os.readlink(f"/proc/{desktop.process.pid}/fd/3") not in targets, name
        assert not [t for t in targets if "stage.lock" in t or "signalfd" in t or "pidfd" in t]


def test_foreign_session_does_not_shine_through(start, monkeypatch):
    for name in ("WAYLAND_DISPLAY", "SESSION_MANAGER", "AT_SPI_BUS_ADDRESS", "NO_AT_BRIDGE",
                 "XDG_CONFIG_HOME", "GDK_SCALE", "NOTIFY_SOCKET"):
        monkeypatch.setenv(name, "foreign")
    stage = start(own_home=True).ready()
    names = pathlib.Path(f"/proc/{stage.pids['window-manager']}/environ").read_text().split("\0")
    assert not [item for item in names if item.endswith("=foreign")]
    assert f"HANDFAST_DESKTOP_DIR={stage.directory}" in names
    assert f"HOME={stage.directory}/home" in names


def test_users_home_is_kept_and_left_alone(start, monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    stage = start(own_home=False).ready()
    environment = pathlib.Path(f"/proc/{stage.pids['session-bus']}/environ").read_text()
    assert f"HOME={tmp_path}\0" in environment
    stage.stop()
    assert list(tmp_path.rglob("*")) == []


def test_logs_are_bounded(desktop):
    log = desktop.directory / "session-bus.log"
    desktop.start_inside("import sys\n"
                         "for _ in range(5000): sys.stderr.write('y' * 99 + '\\n')\n"
                         "sys.stderr.write('the end')\nsys.stderr.flush()\n"
                         "print('done', file=answer)")
    until = time.monotonic() + 5
    while not (log.exists() and log.read_text().endswith("the end")):
        assert time.monotonic() < until, "the last words are missing"
    sizes = [path.stat().st_size for path in desktop.directory.glob("session-bus.log*")]
    assert len(sizes) == 2 and max(sizes) <= 64 * 1024 and sum(sizes) > 32 * 1024


def test_broken_server_is_named(start, tmp_path, monkeypatch):
    broken = tmp_path / "bin"
    broken.mkdir()
    for name in ("bash", "dbus-daemon", "openbox", "xkbcomp"):
        os.symlink(shutil.which(name), broken / name)
    monkeypatch.setenv("PATH", str(broken))
    failed = start().expect("failed")
    assert failed["step"] == "x-server" and "apt install xvfb" in failed["error"]["suggestion"]
    script = broken / "Xvfb"
    script.write_text("#!/bin/bash\necho 'no more colours' >&2\nexit 1\n")
    script.chmod(0o755)
    failed = start().expect("failed")
    assert failed["step"] == "x-server" and "no more colours" in failed["error"]["message"]
    script.unlink()
    os.symlink("/usr/bin/Xvfb", script)
    (broken / "openbox").unlink()
    failed = start().expect("failed")
    assert failed["step"] == "window-manager"
    assert "apt install openbox" in failed["error"]["suggestion"]


@pytest.mark.parametrize("text", [b"", b"nonsense", b"[]", b"{\"type\": 7}", b"{\"type\": \"x\"}",
                                  b"{\"type\": \"start-hand\"}", b"{\"type\": \"kill-hand\"}"])
def test_nonsense_does_no_harm(desktop, text):
    if text:
        desktop.channel.send(text)
    ours, theirs = socket.socketpair()
    desktop.send("start-hand", theirs.fileno(), arguments=["no-such-process"])
    while (message := desktop.receive())["type"] != "hand-exited" or message["pid"] == 0:
        pass
    assert message["status"] == 2 << 8
    assert Process(desktop.process.pid).lives()
