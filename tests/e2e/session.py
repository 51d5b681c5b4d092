"""The user's own session, played by a private X server, window manager and bus; and a look at all of
it that Handfast must leave as it was."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

import Xlib.X
import Xlib.display
import Xlib.protocol.event

from handfast import eventually, read_line


class Session:
    """An X server with openbox and a session bus, which belong to the user and not to Handfast."""

    def __init__(self, layout=None, size="1280x800", window_manager=True):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="hf-session-"))
        (self.home / "run").mkdir(mode=0o700)
        self.processes = []
        server = self.start("Xvfb", "-displayfd", "1", "-screen", "0", f"{size}x24", "-nolisten", "tcp", "-noreset",
                            environment=os.environ, stdout=subprocess.PIPE)
        self.display = ":" + read_line(server.stdout).decode().strip()
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(self.home), "DISPLAY": self.display,
                            "XDG_RUNTIME_DIR": str(self.home / "run"), "LANG": "C.UTF-8"}
        bus = self.start("dbus-daemon", "--session", "--nofork", "--print-address=1", stdout=subprocess.PIPE)
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = read_line(bus.stdout).decode().strip()
        self.x = Xlib.display.Display(self.display)
        if window_manager:
            self.window_manager = self.start("openbox", "--sm-disable")
            eventually(self.window_is_taken, what="openbox")
        if layout:
            subprocess.run(["setxkbmap", *layout.split()], env=self.environment, check=True)

    def window_is_taken(self):
        """openbox announces itself some time before it heeds anything; windows mapped until then are lost to it."""
        window = self.x.screen().root.create_window(0, 0, 9, 9, 0, self.x.screen().root_depth)
        window.map()
        self.x.sync()
        time.sleep(0.05)
        state = window.get_full_property(self.x.intern_atom("WM_STATE"), Xlib.X.AnyPropertyType)
        window.destroy()
        self.x.sync()
        return state

    def window_manager_listens(self):
        """openbox announces itself before it reads events; a window that is mapped in between stays
        invisible. It has begun once it answers a question."""
        screen = self.x.screen()
        window = screen.root.create_window(0, 0, 1, 1, 0, screen.root_depth)
        ask = Xlib.protocol.event.ClientMessage(window=window, client_type=self.x.intern_atom("_NET_REQUEST_FRAME_EXTENTS"),
                                                data=(32, [0] * 5))
        screen.root.send_event(ask, Xlib.X.SubstructureRedirectMask | Xlib.X.SubstructureNotifyMask)
        self.x.sync()
        try:
            eventually(lambda: window.get_full_property(self.x.intern_atom("_NET_FRAME_EXTENTS"), 0), 0.3)
        except AssertionError:
            return False
        finally:
            window.destroy()
        return True

    def start(self, *command, environment=None, **options):
        options = {"stdout": subprocess.DEVNULL, **options}
        process = subprocess.Popen([str(word) for word in command], env=environment or self.environment,
                                   stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)
        self.processes.append(process)
        return process

    def run(self, *command, **options):
        return subprocess.run(command, env=self.environment, capture_output=True, timeout=20, **options).stdout

    def set_clipboard(self, data, target="UTF8_STRING"):
        """A program of the user's owns the clipboard."""
        process = subprocess.Popen(["xclip", "-quiet", "-selection", "clipboard", "-t", target], env=self.environment,
                                   stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        process.stdin.write(data)
        process.stdin.close()
        self.processes.append(process)
        eventually(lambda: self.clipboard(target) == data, what="the clipboard")

    def clipboard(self, target="UTF8_STRING"):
        return self.run("xclip", "-o", "-selection", "clipboard", "-t", target)

    def clipboard_formats(self):
        """What its owner offers, without the targets of the protocol itself."""
        protocol = {"TARGETS", "MULTIPLE", "TIMESTAMP", "SAVE_TARGETS", "DELETE"}
        return sorted(set(self.clipboard("TARGETS").decode().split()) - protocol)

    def can_grab(self):
        """Nobody else holds the keyboard or the pointer."""
        root = self.x.screen().root
        keyboard = root.grab_keyboard(False, Xlib.X.GrabModeAsync, Xlib.X.GrabModeAsync, Xlib.X.CurrentTime)
        pointer = root.grab_pointer(False, 0, Xlib.X.GrabModeAsync, Xlib.X.GrabModeAsync, 0, 0, Xlib.X.CurrentTime)
        self.x.ungrab_keyboard(Xlib.X.CurrentTime)
        self.x.ungrab_pointer(Xlib.X.CurrentTime)
        self.x.sync()
        return keyboard == 0 and pointer == 0

    def look(self, clipboard=True):
        """All that must be the same before and after."""
        root = self.x.screen().root
        pointer = root.query_pointer()
        state = {
            "keymap": self.run("xkbcomp", "-w", "0", self.display, "-"),
            "core keymap": self.run("xmodmap", "-pke"),
            "modifiers": self.run("xmodmap", "-pm"),
            "held keys": [index for index, byte in enumerate(self.x.query_keymap()) if byte],
            "buttons and modifiers": pointer.mask,
            "leds": self.run("xset", "q").split(b"Auto Repeat")[0],
            "devices": self.run("xinput", "list"),
            "grabs": self.can_grab(),
            "window manager": {name: str(getattr(root.get_full_property(self.x.intern_atom(name), 0), "value", None))
                               for name in ("_NET_NUMBER_OF_DESKTOPS", "_NET_CURRENT_DESKTOP", "_NET_DESKTOP_NAMES",
                                            "RESOURCE_MANAGER")},
            "accessibility": self.run("gdbus", "call", "--session", "-d", "org.freedesktop.DBus", "-o",
                                      "/org/freedesktop/DBus", "-m", "org.freedesktop.DBus.NameHasOwner", "org.a11y.Bus"),
        }
        if clipboard:
            state["clipboard"] = {target: self.clipboard(target) for target in self.clipboard_formats()}
        return state

    def stop(self):
        self.x.close()
        for process in reversed(self.processes):
            process.terminate()
        for process in self.processes:
            try:
                process.wait(timeout=5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        shutil.rmtree(self.home, ignore_errors=True)


def differences(before, after):
    return {name: (before[name], after[name]) for name in before if before[name] != after[name]}
