"""The programs of the catalogue: how each is started, found and made to save. Nothing here looks through Handfast."""
import http.server
import json
import os
import re
import subprocess
import sys
import threading
import time
import zipfile

from handfast import APPS, eventually, inner_pid, kill_group

PLACE = re.compile(r"(?P<query>.*?)(?: @(?P<fx>[\d.]+),(?P<fy>[\d.]+)| \+(?P<dx>-?\d+),(?P<dy>-?\d+))?$")
SAVE_SECONDS = 1.5
EMPTY_SHEET = """<?xml version="1.0" encoding="UTF-8"?>
<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"
 office:version="1.3"><office:body><office:spreadsheet><table:table table:name="Sheet1"><table:table-row><table:table-cell/>
</table:table-row></table:table></office:spreadsheet></office:body></office:document-content>"""
MANIFEST = """<?xml version="1.0" encoding="UTF-8"?>
<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" manifest:version="1.3">
<manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.spreadsheet"/>
<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>"""


class ReaderProcess:
    """reader.py on the buses of a desktop."""

    def __init__(self, desk):
        self.process = desk.spawn_piped(sys.executable, os.path.join(os.path.dirname(__file__), "reader.py"))
        self.process.stdout.readline()

    def ask(self, do, **facts):
        self.process.stdin.write(json.dumps({"do": do, **facts}) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def stop(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


class Program:
    """One program on the desktop, started once for all of its rows."""
    name = toolkit = title = None
    environment = {}
    ready_seconds = 60

    def __init__(self, desk, reader):
        self.desk, self.reader = desk, reader
        self.folder = desk.home / f"catalogue-{self.name}"
        self.folder.mkdir()
        self.saved_at = 0
        self.log = self.folder.with_suffix(".log")
        self.prepare()
        environment = {**desk.desktop_environment(), **self.environment}
        self.process = desk.spawn(*self.command(), env=environment, stdout=open(self.log, "wb"), stderr=subprocess.DEVNULL,
                                  start_new_session=True)
        window = eventually(self.find_window, self.ready_seconds, f"the window of {self.name}")
        self.window, self.pid = window["id"], window["pid"] or inner_pid(self.process.pid)
        desk.call("window_focus", window_id=self.window)
        self.wait_ready()

    def prepare(self):
        pass

    def wait_ready(self):
        eventually(lambda: self.reader.ask("dump", pid=self.pid)["lines"][2:], self.ready_seconds, f"the tree of {self.name}")

    def find_window(self):
        windows = self.reader.ask("windows")["windows"]
        return next((window for window in windows if self.title in window["title"]), None)

    def save(self):
        """Makes the program write down what it has; for most there is nothing to do."""

    @property
    def reports(self):
        return [json.loads(line) for line in self.log.read_text().splitlines(keepends=True) if line.endswith("}\n")]

    def find(self, query):
        return self.reader.ask("find", pid=self.pid, query=query)

    def rectangle(self, query):
        """Where an element is, by the independent reader."""
        def found():
            answer = self.find(query)
            return answer if answer["found"] else None
        return eventually(found, 3, f"{query} in {self.name}")["place"]

    def point(self, place):
        """A point of `QUERY`, `QUERY @FX,FY` (parts of its size) or `QUERY +DX,DY` (pixels from its corner)."""
        asked = PLACE.match(place)
        x, y, width, height = self.rectangle(asked["query"])
        if asked["dx"]:
            return x + int(asked["dx"]), y + int(asked["dy"])
        return int(x + width * float(asked["fx"] or 0.5)), int(y + height * float(asked["fy"] or 0.5))

    def fate(self):
        """For what went wrong: whether the program is still there."""
        return "" if self.process.poll() is None else f" (the program has ended: {self.process.returncode})"

    def stop(self):
        kill_group(self.process)
        self.process.wait()


class SavingProgram(Program):
    """An editor of one file, which ctrl+s saves."""

    def save(self):
        if time.monotonic() - self.saved_at > SAVE_SECONDS:
            self.saved_at = time.monotonic()
            if self.desk.answer("window_focus", window_id=self.window)["ok"]:
                self.desk.answer("key_press", keys=["ctrl", "s"])


class Gtk3Factory(Program):
    name, toolkit, title = "gtk3-widget-factory", "GTK 3", "gtk3-widget-factory"

    def command(self):
        return ["gtk3-widget-factory"]


class Gtk4Factory(Program):
    name, toolkit, title = "gtk4-widget-factory", "GTK 4", "GTK Widget Factory"
    environment = {"GSK_RENDERER": "cairo"}

    def command(self):
        return ["gtk4-widget-factory"]


class QtBoard(Program):
    name, toolkit, title = "qt-board", "Qt 5", "Qt board"

    def command(self):
        return [APPS / "board_qt5.py"]


class FeatherPad(SavingProgram):
    name, toolkit, title = "featherpad", "Qt 5", "note.txt"

    def prepare(self):
        settings = self.folder / "config" / "featherpad"
        settings.mkdir(parents=True)
        (settings / "fp.conf").write_text("[text]\nnoIndent=true\nnoSyntaxHighlighting=true\nappendEmptyLine=false\n")
        self.environment = {"XDG_CONFIG_HOME": str(self.folder / "config")}
        (self.folder / "note.txt").write_text("".join(f"line {number}\n" for number in range(200)))

    def command(self):
        return ["featherpad", "--standalone", self.folder / "note.txt"]


class Chromium(Program):
    name, toolkit, title = "chromium", "Chromium", "Web board"
    reports = None

    def prepare(self):
        self.reports, page, reports = [], (APPS / "board.html").read_bytes(), None
        reports = self.reports

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.reply(page if self.path == "/" else b"")

            def do_POST(self):
                reports.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                self.reply(b"")

            def reply(self, body):
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def command(self):
        return ["chromium", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
                "--disable-component-update", "--disable-sync", "--force-renderer-accessibility", "--window-size=1000,800",
                "--window-position=100,60", f"--user-data-dir={self.folder}/profile", f"http://127.0.0.1:{self.server.server_port}/"]

    def wait_ready(self):
        eventually(lambda: self.reports, self.ready_seconds, "the page")
        eventually(lambda: self.find('push button "Send"')["found"], self.ready_seconds, "the tree of the page")

    def stop(self):
        super().stop()
        self.server.shutdown()
        self.server.server_close()


class Calc(SavingProgram):
    name, toolkit, title = "calc", "LibreOffice (GTK 3)", "LibreOffice Calc"
    environment = {"SAL_USE_VCLPLUGIN": "gtk3"}

    def prepare(self):
        self.file = self.folder / "book.ods"
        with zipfile.ZipFile(self.file, "w") as archive:
            archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
            archive.writestr("content.xml", EMPTY_SHEET)
            archive.writestr("META-INF/manifest.xml", MANIFEST)

    def command(self):
        return ["localc", "--norestore", "--nologo", "--nolockcheck", f"-env:UserInstallation=file://{self.folder}/profile", self.file]

    def wait_ready(self):
        eventually(lambda: self.find('table "Sheet Sheet1"')["found"], self.ready_seconds, "the sheet")


class PcManFm(Program):
    """GTK 2 shows its tree only with these modules, as desktops with assistive technologies set them."""
    name, toolkit, title = "pcmanfm", "GTK 2", "files"
    environment = {"GTK_MODULES": "gail:atk-bridge"}

    def prepare(self):
        self.folder = self.folder / "files"
        (self.folder / "inner").mkdir(parents=True)
        for name in ("one.txt", "two.txt", "three.txt", "four.txt"):
            (self.folder / name).write_text(name)
        self.log = self.folder.parent.with_suffix(".log")

    def command(self):
        return ["pcmanfm", "--no-desktop", self.folder]


class Mousepad(SavingProgram):
    name, toolkit, title = "mousepad", "GTK 3", "Mousepad"

    def prepare(self):
        (self.folder / "note.txt").write_text("".join(f"line {number}\n" for number in range(200)))

    def command(self):
        return ["mousepad", "--disable-server", self.folder / "note.txt"]


class WithoutTree(Program):
    """Programs that are on no bus: places come from the program itself."""

    def rectangle(self, query):
        for report in self.reports:
            if report["event"] == "place" and report["widget"] == query:
                return [int(number) for number in report["value"].split()]
        raise AssertionError(f"{self.name} has no {query}")


class XTerm(WithoutTree):
    """A shell whose folder is the witness; the places are those of its window."""
    name, toolkit, title = "xterm", "Xt, no tree", "terminal of the catalogue"

    def command(self):
        return ["xterm", "-u8", "-geometry", "80x24+200+150", "-sb", "-sl", "500", "-T", self.title, "-xrm", "*VT100.allowTitleOps: true",
                "-e", "sh", "-c", f"cd {self.folder}; export PS1='$ '; touch started; exec sh"]

    def wait_ready(self):
        eventually((self.folder / "started").exists, self.ready_seconds, "the shell")

    def rectangle(self, query):
        return next(window["place"] for window in self.reader.ask("windows")["windows"] if window["id"] == self.window)


class TkBoard(WithoutTree):
    name, toolkit, title = "tk-board", "Tk, no tree", "Tk board"

    def command(self):
        return [APPS / "board.tcl"]

    def wait_ready(self):
        eventually(lambda: any(report["event"] == "ready" for report in self.reports), self.ready_seconds, "the board")


PROGRAMS = [Gtk3Factory, Gtk4Factory, QtBoard, FeatherPad, Chromium, Calc, PcManFm, Mousepad, XTerm, TkBoard]
