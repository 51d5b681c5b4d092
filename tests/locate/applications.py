"""The programs on which targets are described, beside those of the catalogue: how each is started, and how the places of what
it shows are learnt from itself. Nothing here looks through Handfast."""
import http.server
import json
import os
import pathlib
import sys
import threading
import unicodedata

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "e2e"), str(HERE.parent / "catalogue")]
import programs as catalogue  # noqa: E402
from handfast import APPS, eventually  # noqa: E402

CHINESE = {"LANGUAGE": "zh_CN", "LANG": "C.UTF-8"}
# Tells where everything with an id is, in frames and shadow trees too, as often as it changes. It draws nothing.
TELLER = """<script>(() => {
const places = (root, left, top, told) => {
  for (const each of root.querySelectorAll("*")) {
    const box = each.getBoundingClientRect();
    if (each.id && box.width && box.height) told[each.id] = [left + box.left, top + box.top, box.width, box.height];
    if (each.shadowRoot) places(each.shadowRoot, left, top, told);
    if (each.contentDocument) places(each.contentDocument, left + box.left + each.clientLeft, top + box.top + each.clientTop, told);
  }
  return told;
};
let before = "";
setInterval(() => {
  const now = JSON.stringify(places(document, 0, 0, {}));
  if (now !== before) fetch("/places", {method: "POST", body: before = now});
}, 150);
})()</script>"""


class Galculator(catalogue.Program):
    name, toolkit, title = "galculator", "GTK 3", "galculator"

    def command(self):
        return ["galculator"]


class GalculatorZh(Galculator):
    name, environment = "galculator-zh", CHINESE


class MousepadZh(catalogue.Mousepad):
    name, environment = "mousepad-zh", CHINESE


class PcManFmZh(catalogue.PcManFm):
    name, environment = "pcmanfm-zh", {**catalogue.PcManFm.environment, **CHINESE}


class QtWidgets(catalogue.Program):
    name, toolkit, title = "qt-widgets", "Qt 5", "Qt 5 widgets"

    def command(self):
        return [APPS / "widgets_qt5.py"]


class Page(catalogue.Chromium):
    """A page of ours in Chromium. It tells of its elements in its own coordinates; where it begins, the tree says."""
    title = "Chromium"
    places = None

    def prepare(self):
        self.places, program = {}, self
        settings = self.folder / "profile" / "Default"
        settings.mkdir(parents=True)
        (settings / "Preferences").write_text('{"translate": {"enabled": false}}')
        page = (HERE / "pages" / f"{self.name}.html").read_text() + TELLER

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.reply(page.encode() if self.path == "/" else b"")

            def do_POST(self):
                program.places = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
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

    def wait_ready(self):
        eventually(lambda: self.places, self.ready_seconds, "the page")
        eventually(lambda: self.reader.ask("find_all", pid=self.pid, query="document web")["found"], self.ready_seconds, "the tree of the page")

    def command(self):
        return [*super().command()[:-1], "--test-type", super().command()[-1]]

    def page_places(self, identity):
        if identity not in self.places:
            return []
        left, top = self.reader.ask("find_all", pid=self.pid, query="document web")["found"][0]["place"][:2]
        x, y, width, height = self.places[identity]
        return [[round(left + x), round(top + y), round(width), round(height)]]


class Painted(catalogue.WithoutTree):
    """Programs that paint themselves and say where what they have painted is."""

    def wait_ready(self):
        eventually(lambda: any(report["event"] == "ready" for report in self.reports), self.ready_seconds, f"{self.name}")

    def drawn_places(self, thing):
        """By the last that was told of it: it may have moved."""
        told = [report["place"] for report in self.reports if report["event"] == "place" and report["thing"] == thing]
        return told[-1:]


class PaintedForm(Painted):
    name, toolkit, title = "painted-form", "painted, no tree", "Painted form"

    def command(self):
        return [APPS / "painted_form.py", "form"]


class PaintedPlayer(Painted):
    name, toolkit, title = "painted-player", "painted, no tree", "Painted player"

    def command(self):
        return [APPS / "painted_form.py", "player"]


def cells(text):
    """How many columns of a terminal a text takes."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


class Terminal(catalogue.WithoutTree):
    """A program in an xterm. The terminal itself says which text it shows, and its settings how large a cell is."""
    toolkit, columns, rows = "xterm, no tree", 80, 24
    environment = {**CHINESE, "TERM": "xterm-256color"}

    @property
    def title(self):
        return f"terminal of {self.name}"

    def prepare(self):
        (self.folder / "files").mkdir()
        (self.folder / "config").mkdir()
        for name in self.files:
            (self.folder / "files" / name).write_text(name)
        self.environment = {**self.environment, "HOME": str(self.folder), "XDG_CONFIG_HOME": str(self.folder / "config")}

    files = ()

    def command(self):
        return ["xterm", "-u8", "-fa", "DejaVu Sans Mono", "-fd", "Noto Sans Mono CJK SC", "-fs", "11", "-geometry", f"{self.columns}x{self.rows}+160+90", "-T", self.title,
                "-bw", "0", "-b", "2", "-xrm", f"*printerCommand: cat > {self.folder}/printed", "-xrm", "*printAttributes: 0",
                "-xrm", "*allowTitleOps: false", "-e", "sh", "-c", f"tty > {self.folder}/tty; cd {self.folder}/files; exec {self.line}"]

    def wait_ready(self):
        eventually(lambda: (self.folder / "tty").exists() and (self.folder / "tty").read_text().strip(), self.ready_seconds, "the shell")
        eventually(lambda: any(self.expected in row for row in self.screen()), self.ready_seconds, f"{self.name}")

    def screen(self):
        """What xterm has on its screen, by itself: the sequence for printing makes it write that to a file."""
        printed = self.folder / "printed"
        printed.unlink(missing_ok=True)
        with open((self.folder / "tty").read_text().strip(), "wb", buffering=0) as terminal:
            terminal.write(b"\x1b[i")
        eventually(lambda: printed.exists() and printed.read_text().count("\n") >= self.rows - 1, 3, "the screen of the terminal")
        return printed.read_text().replace("\uffff", "").splitlines()

    def text_places(self, text):
        window = next(each["place"] for each in self.reader.ask("windows")["windows"] if each["id"] == self.window)
        cell = ((window[2] - 4) / self.columns, (window[3] - 4) / self.rows)
        return [[round(window[0] + 2 + cells(row[:at]) * cell[0]), round(window[1] + 2 + number * cell[1]),
                 round(cells(text) * cell[0]), round(cell[1])]
                for number, row in enumerate(self.screen()) for at in range(len(row)) if row.startswith(text, at)]


class Dialog(Terminal):
    name, expected = "dialog", "安装"
    line = ("dialog --backtitle 'Handfast installer' --title '选择组件' --ok-label '安装' --cancel-label '取消' --help-button "
            "--checklist 'Which parts do you want?' 16 60 6 core 'Core files' on docs 'Documentation' off fonts '中文字体' on "
            "games 'Games' off src 'Source code' off")


class Whiptail(Terminal):
    name, expected = "whiptail", "Reboot"
    line = ("whiptail --title 'Boot menu' --ok-button Select --cancel-button 'Go back' --menu 'What shall we do now?' 18 64 8 "
            "1 'Reboot the machine' 2 'Shut down' 3 'Repair the disk' 4 '恢复出厂设置' 5 'Network settings' 6 '语言和时区'")


class Mc(Terminal):
    name, expected, columns, rows = "mc", "readme.txt", 100, 28
    files = ("readme.txt", "report.odt", "photo.jpg", "日记.txt", "budget.ods")
    line = "mc --nomouse ."


OWN = [Galculator, GalculatorZh, MousepadZh, PcManFmZh, QtWidgets, PaintedForm, PaintedPlayer, Dialog, Whiptail, Mc]
PAGES = [type(path.stem, (Page,), {"name": path.stem}) for path in sorted((HERE / "pages").glob("*.html"))]
APPLICATIONS = {kind.name: kind for kind in [*catalogue.PROGRAMS, *OWN, *PAGES]}
