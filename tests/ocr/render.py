"""Renders the screens of a set on a private X server and writes each as SCREEN.png with SCREEN.json: every word that stands on it
and the box of its ink. Usage: render.py SET FOLDER [COUNT]"""
import http.server
import json
import os
import pathlib
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
import time

from PIL import ImageGrab

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import layout  # noqa: E402

WAIT_S = 40


def start_server():
    read, write = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", f"{layout.WIDTH}x{layout.HEIGHT}x24", "-nolisten", "tcp"],
                              pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    with os.fdopen(read) as told:
        display = ":" + told.readline().strip()
    return server, display


class Piped:
    """A painter that takes specifications on its input."""

    def __init__(self, script, environment):
        self.process = subprocess.Popen([sys.executable, HERE / "painters" / script], env=environment, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)

    def show(self, spec):
        self.process.stdin.write(json.dumps(spec) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def end(self):
        self.process.stdin.close()
        self.process.wait(10)


class Browser:
    """Chromium with one page, which asks for the next specification and posts where the words are."""

    def __init__(self, environment):
        self.wanted, self.found = queue.Queue(), queue.Queue()
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.profile = tempfile.mkdtemp()
        address = f"http://127.0.0.1:{self.server.server_address[1]}/"
        self.process = subprocess.Popen(
            ["chromium", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
             "--disable-sync", "--kiosk", f"--user-data-dir={self.profile}", "--window-position=0,0", f"--window-size={layout.WIDTH},{layout.HEIGHT}", address],
            env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def _handler(self):
        browser = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *unused):
                pass

            def answer(self, status, body=b"", media="text/html; charset=utf-8"):
                self.send_response(status)
                self.send_header("Content-Type", media)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_GET(self):
                if self.path == "/next":
                    spec = browser.wanted.get()
                    self.answer(200 if spec else 410, json.dumps(spec).encode(), "application/json")
                else:
                    self.answer(200, (HERE / "painters/paint.html").read_bytes())

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                browser.found.put(json.loads(body))
                self.answer(200)

        return Handler

    def show(self, spec):
        self.wanted.put(spec)
        return self.found.get(timeout=WAIT_S)

    def end(self):
        self.wanted.put(None)
        self.process.terminate()
        self.process.wait(10)
        self.server.shutdown()
        shutil.rmtree(self.profile, ignore_errors=True)


class Terminal:
    """xterm, started anew for each screen: its font is an option."""

    def __init__(self, environment):
        self.environment, self.process = environment, None

    def show(self, spec):
        self.end()
        size = spec["size"]
        script = tempfile.NamedTemporaryFile("w", suffix=".txt", delete=False)
        cell = self.cell_of(spec)
        words = []
        for number, item in enumerate(spec["items"]):
            row, column = item["y"] // cell[1], item["x"] // cell[0]
            columns = sum(2 if ord(each) > 0x2E80 else 1 for each in item["text"]) + 2
            if column + columns <= layout.WIDTH // cell[0]:
                words += self.write(script, number, item, row, column, cell)
        script.close()
        self.process = subprocess.Popen(
            ["xterm", "-fa", f"{spec['font']}:pixelsize={size}", "-fd", f"{spec['chinese']}:pixelsize={size}", "-b", "2", "-bw", "0", "+sb", "-bg", spec["ground"],
             "-u8", "-geometry", f"{layout.WIDTH // cell[0]}x{layout.HEIGHT // cell[1]}+0+0", "-e", "sh", "-c", f"printf '\\033[?25l'; cat {script.name}; exec sleep 600"],
            env=self.environment, stderr=subprocess.DEVNULL)
        time.sleep(1.2)
        os.unlink(script.name)
        return words

    def cell_of(self, spec):
        """As xterm itself says it: the steps in which its window grows."""
        probe = subprocess.Popen(["xterm", "-fa", f"{spec['font']}:pixelsize={spec['size']}", "-geometry", "10x2+0+0", "-e", "sleep", "60"],
                                 env=self.environment, stderr=subprocess.DEVNULL)
        try:
            for _ in range(100):
                told = subprocess.run(["xprop", "-name", "sleep", "WM_NORMAL_HINTS"], env=self.environment, capture_output=True, text=True).stdout
                if "increment" in told:
                    numbers = told.split("increment:")[1].split("\n")[0]
                    return tuple(int(part) for part in numbers.replace("by", " ").split()[:2])
                time.sleep(0.05)
        finally:
            probe.kill()
            probe.wait()
        raise RuntimeError("xterm does not say how large its cells are")

    def write(self, script, number, item, row, column, cell):
        def colour(kind, value):
            return f"\033[{kind};2;{int(value[1:3], 16)};{int(value[3:5], 16)};{int(value[5:7], 16)}m"
        pad = 0 if item["kind"] == "label" else 1
        script.write(f"\033[{row + 1};{column + 1}H{colour(38, item['colour'])}{colour(48, item['ground'])}{' ' * pad}{item['text']}{' ' * pad}\033[0m")
        at = column + pad
        for index, word in enumerate(item["text"].split()):
            width = sum(2 if ord(each) > 0x2E80 else 1 for each in word)
            at += 1 if index else 0
            yield {"item": number, "text": word, "x": 2 + at * cell[0], "y": 2 + row * cell[1], "width": width * cell[0], "height": cell[1]}
            at += width

    def end(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None


def ink_of(picture, word):
    """The box of what differs from the ground, within the place that the toolkit told; NULL where nothing does."""
    left, top = max(0, round(word["x"]) - 1), max(0, round(word["y"]))
    right, bottom = min(layout.WIDTH, round(word["x"] + word["width"]) + 1), min(layout.HEIGHT, round(word["y"] + word["height"]))
    if right <= left or bottom <= top:
        return None
    part = picture.crop((left, top, right, bottom)).convert("L")
    histogram = part.histogram()
    ground = histogram.index(max(histogram))
    box = part.point(lambda value: 255 if abs(value - ground) > 40 else 0).getbbox()
    return [left + box[0], top + box[1], box[2] - box[0], box[3] - box[1]] if box else None


def take(spec, painter, display, path):
    words = painter.show(spec)
    picture = ImageGrab.grab(xdisplay=display)
    picture.save(path.with_suffix(".png"), compress_level=1)
    for word in words:
        word["ink"] = ink_of(picture, word)
    path.with_suffix(".json").write_text(json.dumps({key: spec[key] for key in ("painter", "language", "size", "font", "ground")} | {"words": [word for word in words if word["ink"]]}, ensure_ascii=False))


def render(name, folder, count=None):
    folder.mkdir(parents=True, exist_ok=True)
    server, display = start_server()
    home = tempfile.mkdtemp()
    environment = {**os.environ, "DISPLAY": display, "HOME": home, "LANG": "C.UTF-8", "NO_AT_BRIDGE": "1", "XDG_RUNTIME_DIR": home, "QT_QPA_PLATFORM": "xcb", "GDK_BACKEND": "x11"}
    specs = list(enumerate(layout.screens(name)))
    if count:
        specs = specs[:: max(1, len(specs) // count) | 1][:count]  # odd: all painters take turns
    makers = {"gtk": lambda: Piped("paint_gtk.py", environment), "qt": lambda: Piped("paint_qt.py", environment),
              "chromium": lambda: Browser(environment), "xterm": lambda: Terminal(environment)}
    try:
        for kind in layout.PAINTERS:
            wanted = [(number, spec) for number, spec in specs if spec["painter"] == kind]
            if not wanted:
                continue
            painter = makers[kind]()
            try:
                for number, spec in wanted:
                    take(spec, painter, display, folder / f"{name}-{number:02d}-{kind}-{spec['language']}-{spec['size']}")
            finally:
                painter.end()
    finally:
        server.terminate()
        server.wait()
        shutil.rmtree(home, ignore_errors=True)
    return len(specs)


if __name__ == "__main__":
    print(render(sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else None), "screens")
