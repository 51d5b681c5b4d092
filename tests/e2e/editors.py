"""Real programs to type into, each read back by its own means."""
import http.server
import os
import pathlib
import signal
import threading

from handfast import APPS, eventually, kill_group


class Editor:
    """A program on a desk's desktop. `newlines` and `tabs`: its field takes them as characters."""
    newlines = tabs = True
    title = None

    def __init__(self, desk):
        self.desk = desk
        self.file = desk.home / f"typed-{type(self).__name__}.txt"
        self.process = self.start()
        self.window = desk.window(self.title, seconds=60)
        desk.call("window_focus", window_id=self.window["window_id"])
        self.wait_ready()

    def wait_ready(self):
        pass

    def stop(self):
        self.process.kill()
        self.process.wait()
        self.desk.let_go(self.window["window_id"])

    def focus(self):
        self.desk.call("window_focus", window_id=self.window["window_id"])

    def clear(self):
        self.desk.call("key_press", keys=["ctrl", "a"])
        self.desk.call("key_press", keys=["delete"])

    def read(self):
        return self.file.read_text(encoding="utf-8", errors="replace")

    def expected(self, text):
        return text

    def settle(self):
        """Makes the program write down what it has."""

    def assert_holds(self, text, seconds=60):
        """What it has is the text, at once or when it has worked off what it was sent and saved it, which takes long on
        a busy machine."""
        expected, seen = self.expected(text), None
        self.settle()

        def arrived():
            nonlocal seen
            seen = self.read()
            return seen == expected
        try:
            eventually(arrived, seconds)
        except AssertionError:
            raise AssertionError(describe(expected, seen)) from None


def describe(expected, seen):
    """The first differences, readable in any terminal."""
    wrong = [(at, a, b) for at, (a, b) in enumerate(zip(expected, seen)) if a != b]
    parts = [f"at {at}: {ascii(a)} became {ascii(b)}" for at, a, b in wrong[:10]]
    return f"{len(seen)} characters of {len(expected)}, {len(wrong)} differ: {'; '.join(parts)}"


class FileEditor(Editor):
    """Saves with ctrl+s; some end the file with a newline of their own."""

    def start(self):
        self.file.write_text("")
        return self.desk.spawn(*self.command, self.file, **quiet())

    def settle(self):
        self.desk.call("key_press", keys=["ctrl", "s"])

    def read(self):
        return super().read().rstrip("\n")

    def expected(self, text):
        return text.rstrip("\n")


class Mousepad(FileEditor):
    command = ["mousepad", "--disable-server"]
    title = "Mousepad"


class FeatherPad(FileEditor):
    command = ["featherpad", "--standalone"]
    title = "typed-FeatherPad"

    def start(self):
        # Indenting lines by itself is a fine thing, but not what was typed.
        environment = self.desk.desktop_environment()
        folder = pathlib.Path(environment.get("XDG_CONFIG_HOME") or environment["HOME"] + "/.config") / "featherpad"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "fp.conf").write_text("[text]\nnoIndent=true\nnoSyntaxHighlighting=true\nappendEmptyLine=false\n")
        return super().start()


class Gtk4Entry(Editor):
    newlines = tabs = False
    title = "GTK 4 entry"

    def start(self):
        return self.desk.spawn(APPS / "gtk4_entry.py", self.file, **quiet())

    def wait_ready(self):
        eventually(self.file.exists, 20, "the entry's focus")

    def clear(self):
        self.process.send_signal(signal.SIGUSR1)
        eventually(lambda: self.read() == "", what="an empty entry")


class XTerm(Editor):
    """cat behind a terminal in raw mode: the enter key comes as a carriage return."""
    title = "typed-XTerm"

    def start(self):
        command = f"stty raw -echo; exec cat >> {self.file}"
        return self.desk.spawn("xterm", "-u8", "-T", self.title, "-e", "sh", "-c", command, **quiet())

    def wait_ready(self):
        eventually(self.file.exists, what="the terminal's program")

    def clear(self):
        os.truncate(self.file, 0)

    def read(self):
        with open(self.file, encoding="utf-8", errors="replace", newline="") as file:
            return file.read()

    def expected(self, text):
        return text.replace("\n", "\r")


class Chromium(Editor):
    """A text area whose page tells a small server what it holds."""
    tabs = False
    title = "Field"
    arguments = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
                 "--disable-component-update", "--disable-sync", "--password-store=basic", "--disable-extensions",
                 "--window-size=900,700", "--window-position=50,20"]

    def start(self):
        self.value = None
        editor = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.reply((APPS / "field.html").read_bytes())

            def do_POST(self):
                editor.value = self.rfile.read(int(self.headers["Content-Length"])).decode()
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
        return self.desk.spawn("chromium", *self.arguments, f"--user-data-dir={self.desk.home}/chromium",
                               f"http://127.0.0.1:{self.server.server_port}/", start_new_session=True, **quiet())

    def wait_ready(self):
        eventually(lambda: self.value == "", 60, "the field's focus")

    def stop(self):
        kill_group(self.process)
        self.process.wait()
        self.server.shutdown()
        self.server.server_close()

    def read(self):
        return self.value

    def clear(self):
        super().clear()
        eventually(lambda: self.value == "", what="an empty field")


def quiet():
    null = open(os.devnull, "wb")
    return {"stdout": null, "stderr": null}


EDITORS = [Mousepad, Gtk4Entry, FeatherPad, XTerm, Chromium]
