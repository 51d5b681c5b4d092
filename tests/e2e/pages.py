"""A server of pages that tell it what they saw: the witness of tests of the browser. It has two hosts, 127.0.0.1 and localhost,
which are two sites to a browser."""
import base64
import hashlib
import http.server
import json
import pathlib
import queue
import threading
import urllib.parse

HEAD = """<!doctype html><meta charset=utf-8><title>%(title)s</title><script>
const say = (what) => { const r = new XMLHttpRequest(); r.open("POST", "/said", false); r.send(JSON.stringify(what)); };
const later = (what, ms) => { const begin = () => setTimeout(what, ms); if (document.readyState === "complete") begin(); else addEventListener("load", begin); };
</script><body style="margin:8px">"""


def browser_pids(desk, helpers=False):
    """The browsers that run for a desk; with all that they have started, if asked."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        try:
            words = (entry / "cmdline").read_bytes() if entry.name.isdigit() else b""
        except OSError:
            continue
        if str(desk.home).encode() in words and (b"--remote-debugging-pipe" in words and b"--type=" not in words or
                                                 helpers and b"chrom" in words):
            found.append(int(entry.name))
    return found


class Pages:
    """`pages` is name → HTML (with HEAD before it) or a function of the request that answers it all."""

    def __init__(self, pages):
        self.pages, self.said, self.asked = pages, queue.Queue(), []
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                outer.asked.append((self.headers.get("Host", ""), self.path))
                if self.headers.get("Upgrade") == "websocket":
                    return self.greet_socket()
                path = urllib.parse.urlparse(self.path).path.strip("/")
                page = outer.pages.get(path.split("/")[0] if path not in outer.pages else path)
                if callable(page):
                    return page(self)
                if page is None:
                    return self.give("nothing here", "text/plain", 404)
                text = (HEAD % {"title": path}).replace("%%", "%") + page
                return self.give(text.replace("{PORT}", str(outer.port)), "text/html; charset=utf-8")

            def do_POST(self):
                outer.asked.append((self.headers.get("Host", ""), self.path))
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                if self.path == "/said":
                    outer.said.put(json.loads(body))
                else:
                    outer.said.put({"posted": self.path, "body": body.decode("utf-8", "replace")})
                self.give("", "text/plain")

            def give(self, body, kind, status=200, headers=()):
                data = body if isinstance(body, bytes) else body.encode()
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(data)))
                self.send_header("Access-Control-Allow-Origin", "*")
                for name, value in headers:
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(data)

            def greet_socket(self):
                key = self.headers["Sec-WebSocket-Key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
                self.send_response(101)
                self.send_header("Upgrade", "websocket")
                self.send_header("Connection", "Upgrade")
                self.send_header("Sec-WebSocket-Accept", base64.b64encode(hashlib.sha1(key.encode()).digest()).decode())
                self.end_headers()
                self.close_connection = True

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 128

            def handle_error(self, *_):
                pass

        self.server = Server(("127.0.0.1", 0), Handler)
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def url(self, name, host="127.0.0.1"):
        return f"http://{host}:{self.port}/{name}"

    def next(self, seconds=10):
        return self.said.get(timeout=seconds)

    def quiet(self):
        while not self.said.empty():
            self.said.get()

    def was_asked(self, path, host=None):
        return any(asked == path and (host is None or at.startswith(host)) for at, asked in self.asked)

    def stop(self):
        self.server.shutdown()
        self.server.server_close()
