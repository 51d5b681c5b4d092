"""A server that writes down what it is asked. Run as: witness_server.py ADDRESS LOG. It answers HTTP on port 8080 and sends back what
it gets on port 7000; each request and each connection is a line of LOG."""
import http.server
import socketserver
import sys
import threading

ADDRESS, LOG = sys.argv[1:]
lock = threading.Lock()


def note(*words):
    with lock, open(LOG, "a") as log:
        log.write(" ".join(words) + "\n")


class Pages(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, body=b""):
        note(self.command, self.headers.get("Host", "-"), self.path, body.decode())
        text = f"<title>{self.path}</title>hello {self.path} {body.decode()}".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def do_GET(self):
        self.answer()

    def do_POST(self):
        if self.headers.get("Transfer-Encoding") == "chunked":
            body = b""
            while size := int(self.rfile.readline(), 16):
                body += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
            return self.answer(body)
        return self.answer(self.rfile.read(int(self.headers.get("Content-Length", 0))))

    def log_message(self, *_):
        pass


class Echo(socketserver.StreamRequestHandler):
    def handle(self):
        note("connected")
        while line := self.rfile.readline():
            self.wfile.write(line)
        note("ended")


class Threads(socketserver.ThreadingTCPServer):
    allow_reuse_address, daemon_threads = True, True


servers = [Threads((ADDRESS, 8080), Pages), Threads((ADDRESS, 7000), Echo)]
note("ready")
threading.Thread(target=servers[0].serve_forever, daemon=True).start()
servers[1].serve_forever()
