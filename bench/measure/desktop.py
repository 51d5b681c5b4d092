"""A private desktop with a realistic screen: its own X server, bus, window manager and home.
All contenders work on it; nothing of the user's session is touched."""
import os
import pathlib
import shutil
import signal
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent.parent
SIZE = (1920, 1080)

# title: x, y, width, height
PLACES = {
    "page": (0, 0, 1000, 760),
    "note": (1010, 0, 890, 400),
    "factory": (1010, 440, 860, 600),
    "terminal": (0, 790, 1000, 260),
}
TYPED_PLACE = (1010, 0, 890, 400)
RECEIVER_PLACE = (300, 820, 300, 200)
REGION = (700, 300, 400, 300)

SETTLE_SECONDS = 0.7
GTK_SETTINGS = "[Settings]\ngtk-cursor-blink=0\ngtk-enable-animations=0\n"


def _rule(match, place):
    x, y, width, height = place
    return (f'<application {match}><position force="yes"><x>{x}</x><y>{y}</y></position>'
            f"<size><width>{width}</width><height>{height}</height></size></application>")


def openbox_config():
    """Debian's own configuration, with a fixed place for each window of the screen."""
    rules = [
        _rule('title="page"', PLACES["page"]),
        _rule('title="*typed.txt*"', TYPED_PLACE),
        _rule('class="Mousepad"', PLACES["note"]),
        _rule('name="gtk3-widget-factory"', PLACES["factory"]),
        _rule('class="XTerm"', PLACES["terminal"]),
    ]
    text = pathlib.Path("/etc/xdg/openbox/rc.xml").read_text()
    return text.replace("</applications>", "".join(rules) + "</applications>")


class Desktop:
    def __init__(self, household, build):
        self.household = household
        self.build = pathlib.Path(build)
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="handfast-bench-"))
        self.home = self.root / "home"
        self.runtime = self.root / "run"
        for folder in (self.home / ".config/openbox", self.home / ".config/gtk-3.0"):
            folder.mkdir(parents=True)
        self.runtime.mkdir(mode=0o700)
        (self.home / ".config/openbox/rc.xml").write_text(openbox_config())
        (self.home / ".config/gtk-3.0/settings.ini").write_text(GTK_SETTINGS)
        self.env = self._environment()

    def _environment(self):
        kept = ("PATH", "TERM")
        env = {name: os.environ[name] for name in kept if name in os.environ}
        env.update(HOME=str(self.home), XDG_RUNTIME_DIR=str(self.runtime), LANG="C.UTF-8",
                   LC_ALL="C.UTF-8", GSETTINGS_BACKEND="memory", NO_AT_BRIDGE="1",
                   XDG_CONFIG_HOME=str(self.home / ".config"),
                   XDG_DATA_HOME=str(self.home / ".local/share"),
                   XDG_STATE_HOME=str(self.home / ".local/state"),
                   XDG_CACHE_HOME=str(self.home / ".cache"),
                   CUA_DRIVER_RS_TELEMETRY_ENABLED="false", CUA_DRIVER_RS_UPDATE_CHECK="false")
        return env

    def start(self):
        width, height = SIZE
        self.server = self._add("Xvfb", "-displayfd", "1", "-screen", "0", f"{width}x{height}x24",
                                "-nolisten", "tcp", "-noreset")
        self.env["DISPLAY"] = ":" + self.server.read_line(20).strip()
        bus = self._add("dbus-daemon", "--session", "--nofork", "--nopidfile",
                        f"--address=unix:path={self.runtime}/bus", "--print-address=1")
        self.env["DBUS_SESSION_BUS_ADDRESS"] = bus.read_line(20).strip()
        self._add("openbox")
        self.bare = self._add(str(self.build / "bench/bench-bare"))
        self._expect(self.bare.ask("wm"), "a window manager")
        self._show_programs()

    def _show_programs(self):
        """What is on the screen: a page of text, an editor, many widgets, a terminal."""
        texts = HERE / "texts"
        self._add("/usr/bin/python3", str(HERE / "page.py"), str(texts / "note.txt"))
        note = self.root / "note.txt"
        shutil.copy(texts / "note.txt", note)
        self._add("mousepad", "--disable-server", str(note))
        factory = self._add("gtk3-widget-factory")
        self._add("xterm", "-T", "terminal", "-fa", "DejaVu Sans Mono", "-fs", "10", "-e", "sh",
                  "-c", 'cat "$0"; exec sleep infinity', str(texts / "ascii1000.txt"))
        self.find("terminal")
        for title in ("page", "note.txt", "factory"):
            self.ping(self.find(title))
        # Its progress bar never rests, and a still screen is part of the measurements. A program
        # cannot be asked whether it has finished painting.
        time.sleep(SETTLE_SECONDS)
        os.kill(factory.pid, signal.SIGSTOP)

    def _add(self, *argv):
        return self.household.add(list(argv), self.env,
                                  log=str(self.root / (os.path.basename(argv[0]) + ".log")))

    @staticmethod
    def _expect(answer, what):
        if answer == "timeout":
            raise RuntimeError(f"{what} did not appear on the benchmark's desktop")
        return answer

    def find(self, title):
        return self._expect(self.bare.ask(f"find {title}"), f"a window titled {title!r}")

    def activate(self, window):
        self._expect(self.bare.ask(f"activate {window}"), "the active window")

    def chord(self, modifier, key):
        self.bare.ask(f"chord {modifier:#x} {key:#x}")

    def ping(self, window):
        return self.bare.ask(f"ping {window}") == "ok"

    def remove(self):
        shutil.rmtree(self.root, ignore_errors=True)
