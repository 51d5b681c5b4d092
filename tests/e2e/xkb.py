"""The keyboard of a desktop, looked at and set as a user's own tools would. Each function connects for
itself: Xlib ends the whole process when a server goes away under it."""
import contextlib
import ctypes
import os
import subprocess

USE_CORE_KEYBOARD = 0x100
LOCK_MASK = 2
REVERT_TO_POINTER_ROOT = 1

xlib = ctypes.CDLL("libX11.so.6")
xlib.XOpenDisplay.restype = ctypes.c_void_p


@contextlib.contextmanager
def display(environment):
    os.environ["XAUTHORITY"] = environment.get("XAUTHORITY", "")
    connection = ctypes.c_void_p(xlib.XOpenDisplay(environment["DISPLAY"].encode()))
    assert connection
    yield connection
    xlib.XSync(connection, 0)
    xlib.XCloseDisplay(connection)


def set_layout(environment, layout):
    subprocess.run(["setxkbmap", "-layout", layout], env=environment, check=True, timeout=20)


def lock(environment, group=0, caps=False):
    """Sets the active group and Caps Lock."""
    with display(environment) as connection:
        xlib.XkbLockGroup(connection, USE_CORE_KEYBOARD, group)
        xlib.XkbLockModifiers(connection, USE_CORE_KEYBOARD, LOCK_MASK, LOCK_MASK if caps else 0)


def focus(environment, window):
    with display(environment) as connection:
        xlib.XSetInputFocus(connection, ctypes.c_ulong(window), REVERT_TO_POINTER_ROOT, ctypes.c_ulong(0))


def keys_down(environment):
    keys = ctypes.create_string_buffer(32)
    with display(environment) as connection:
        xlib.XQueryKeymap(connection, keys)
    return [code for code in range(256) if keys.raw[code // 8] >> code % 8 & 1]


def keymap(environment):
    """The whole keymap, as xkbcomp and xmodmap tell it."""
    def run(*command):
        return subprocess.run(command, env=environment, capture_output=True, check=True, timeout=20).stdout
    return run("xkbcomp", environment["DISPLAY"], "-") + run("xmodmap", "-pke") + run("xmodmap", "-pm")
