"""The clipboard through the doors, with real programs on the other side."""
import json
import os
import signal
import subprocess
import threading

import pytest

from handfast import APPS, eventually, process_alive, read_line
from session import Session

LIMIT_PART = 2500000


class Clipper:
    """tests/apps/clipper.py on a desktop: a GTK program that owns, reads and pastes."""

    def __init__(self, desk, desktop):
        self.process = desk.spawn(APPS / "clipper.py", desktop=desktop, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.window = json.loads(read_line(self.process.stdout))["window"]

    def ask(self, do, **command):
        self.process.stdin.write(json.dumps({"do": do, **command}).encode() + b"\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        assert line, f"clipper ended: {self.process.wait()}"
        return json.loads(line)

    def end(self):
        self.process.kill()
        self.process.wait()


@pytest.fixture
def clipper(desk):
    programs = []

    def start(desktop="main"):
        """Its window counts from when the window manager has taken it, which is after the program has shown it."""
        program = Clipper(desk, desktop)
        programs.append((program, desktop))
        eventually(lambda: any(window["window_id"] == program.window
                               for window in desk.call("window_list", desktop=desktop)["windows"]), what="the clipper's window")
        return program

    yield start
    for program, desktop in programs:
        program.end()
        desk.let_go(program.window, desktop)


def xclip(desk, *arguments, data=None):
    return subprocess.run(["xclip", "-selection", "clipboard", *arguments], env=desk.desktop_environment(),
                          input=data, stdout=subprocess.PIPE if data is None else subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, timeout=30)


def copy(desk, text):
    """A program of the user's copies something."""
    xclip(desk, "-i", "-t", "UTF8_STRING", data=text.encode())
    eventually(lambda: xclip(desk, "-o", "-t", "UTF8_STRING").stdout == text.encode(), what="the copy")


TEXTS = ["", "plain", "Grüße, 世界 🎉\nzweite Zeile\t\r\n", "\u202eright to left\u0007", "x" * 300000]


@pytest.mark.parametrize("text", TEXTS)
def test_write_then_read(desk, text):
    assert desk.call("clipboard_write", text=text) == {"success": True, "bytes": len(text.encode())}
    result = desk.call("clipboard_read")
    assert result["text"] == text
    assert result["bytes"] == len(text.encode())
    assert result["truncated"] is False
    assert {"UTF8_STRING", "TARGETS", "text/plain;charset=utf-8"} <= set(result["formats"])
    assert xclip(desk, "-o", "-t", "UTF8_STRING").stdout == text.encode()


@pytest.mark.parametrize("text", TEXTS)
def test_read_what_another_program_copied(desk, text):
    copy(desk, text)
    assert desk.call("clipboard_read")["text"] == text


def test_formats_of_a_picture(desk, clipper):
    clipper().ask("own_image", width=20, height=10)
    result = desk.call("clipboard_read")
    assert result["text"] == ""
    assert {"image/png", "image/jpeg", "image/bmp"} <= set(result["formats"])


def test_several_formats(desk, clipper):
    clipper().ask("own", selection="CLIPBOARD", formats={"text/html": b"<b>fat</b>".hex(), "STRING": b"f\xe4t".hex()})
    result = desk.call("clipboard_read")
    assert result["text"] == "fät"
    assert "text/html" in result["formats"]


def test_primary(desk, clipper):
    clipper().ask("own", selection="PRIMARY", formats={"UTF8_STRING": "marked".encode().hex()})
    copy(desk, "copied")
    assert desk.call("clipboard_read", selection="primary")["text"] == "marked"
    assert desk.call("clipboard_read")["text"] == "copied"


def test_empty(own_desk):
    result = own_desk().call("clipboard_read")
    assert result == {"text": "", "formats": [], "bytes": 0, "truncated": False}


def test_a_long_text_comes_in_parts(desk):
    text = "".join(f"{number} 漢字 ü\n" for number in range(1500000))
    encoded = text.encode()
    copy(desk, text)
    parts, offset = b"", 0
    while True:
        result = desk.call("clipboard_read", offset=offset, max_bytes=LIMIT_PART, timeout_ms=60000)
        assert result["bytes"] == len(encoded)
        parts += result["text"].encode()
        offset = len(parts)
        if not result["truncated"]:
            break
        assert LIMIT_PART - 4 < len(result["text"].encode()) <= LIMIT_PART
    assert parts == encoded
    assert len(encoded) > 20 << 20


def test_parts_never_split_a_character(desk):
    desk.call("clipboard_write", text="a漢b")
    assert desk.call("clipboard_read", max_bytes=0)["text"] == ""
    assert desk.call("clipboard_read", max_bytes=2) == {
        **desk.call("clipboard_read", max_bytes=2), "text": "a", "truncated": True, "bytes": 5}
    assert desk.call("clipboard_read", offset=2)["text"] == "漢b"
    assert desk.call("clipboard_read", offset=4)["text"] == "b"
    assert desk.call("clipboard_read", offset=500)["text"] == ""


def test_a_part_of_the_worst_text_fits_into_a_message(desk):
    copy(desk, "\x01" * 3000000)
    result = desk.call("clipboard_read", max_bytes=LIMIT_PART)
    assert result["text"] == "\x01" * LIMIT_PART
    assert result["truncated"]


def test_a_large_text_is_written(desk):
    text = "漢字 und mehr\n" * 700000
    assert desk.call("clipboard_write", text=text, timeout_ms=60000)["bytes"] == len(text.encode())
    assert xclip(desk, "-o", "-t", "UTF8_STRING").stdout == text.encode()


BAD = [
    ("clipboard_read", {"selection": "secondary"}, "INVALID_PARAMS"),
    ("clipboard_read", {"selection": 1}, "INVALID_PARAMS"),
    ("clipboard_read", {"max_bytes": -1}, "INVALID_PARAMS"),
    ("clipboard_read", {"max_bytes": 1 << 40}, "INVALID_PARAMS"),
    ("clipboard_read", {"offset": -1}, "INVALID_PARAMS"),
    ("clipboard_read", {"text": "x"}, "INVALID_PARAMS"),
    ("clipboard_write", {}, "INVALID_PARAMS"),
    ("clipboard_write", {"text": None}, "INVALID_PARAMS"),
    ("clipboard_write", {"text": 7}, "INVALID_PARAMS"),
    ("clipboard_write", {"text": ["a"]}, "INVALID_PARAMS"),
    ("clipboard_write", {"text": "a", "selection": "secondary"}, "INVALID_PARAMS"),
]


@pytest.mark.parametrize("tool, params, code", BAD)
def test_bad_parameters_change_nothing(desk, tool, params, code):
    copy(desk, "kept")
    desk.fails(code, tool, **params)
    assert desk.call("clipboard_read")["text"] == "kept"


def test_invalid_utf8_from_another_program(desk, clipper):
    clipper().ask("own", selection="CLIPBOARD", formats={"UTF8_STRING": b"a\xff\x00b".hex()})
    assert desk.call("clipboard_read")["text"] == "a\ufffd\ufffdb"


def test_an_owner_that_hangs(desk, clipper):
    owner = clipper()
    owner.ask("own_text", text="out of reach")
    owner.process.send_signal(signal.SIGSTOP)
    try:
        error = desk.fails("DESKTOP_TIMEOUT", "clipboard_read")
        assert "does not answer" in error["message"]
        desk.fails("DESKTOP_TIMEOUT", "clipboard_read", timeout_ms=200)
    finally:
        owner.process.send_signal(signal.SIGCONT)
    assert desk.call("clipboard_read")["text"] == "out of reach"


def test_many_at_once(desk):
    text = "gleichzeitig 漢字\n" * 50000
    desk.call("clipboard_write", text=text)
    seen = []

    def read():
        bridge = desk.connect()
        seen.extend(bridge.call("clipboard_read", max_bytes=LIMIT_PART)["text"] for _ in range(3))
        bridge.close()

    threads = [threading.Thread(target=read) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [text] * 18


def test_written_text_is_pasted(desk, clipper):
    program = clipper()
    desk.call("window_focus", window_id=program.window)
    desk.call("clipboard_write", text="eingefügt 漢字 🎉")
    desk.call("key_press", keys=["ctrl", "v"])
    eventually(lambda: program.ask("text")["text"] == "eingefügt 漢字 🎉", what="the pasted text")


def all_formats(program):
    """What there is in each format. Of TIFF only how long it is: some bytes of what GDK writes differ each time it is asked."""
    formats = program.ask("formats", selection="CLIPBOARD")["formats"]
    values = {name: program.ask("read", selection="CLIPBOARD", target=name) for name in formats
              if name not in ("TARGETS", "MULTIPLE", "TIMESTAMP", "SAVE_TARGETS")}
    return {name: value["length"] if name == "image/tiff" else value for name, value in values.items() if value["length"] >= 0}


def test_typing_by_paste_leaves_a_picture_on_the_clipboard(desk, clipper):
    owner, program = clipper(), clipper()
    owner.ask("own_image", width=320, height=200)
    before = all_formats(program)
    assert "image/png" in before
    desk.call("window_focus", window_id=program.window)
    desk.call("type_text", text="getippt 漢字\n", method="paste")
    eventually(lambda: program.ask("text")["text"] == "getippt 漢字\n", what="the typed text")
    assert all_formats(program) == before


@pytest.fixture
def session():
    sessions = []

    def start():
        sessions.append(Session())
        return sessions[-1]

    yield start
    for each in sessions:
        each.stop()


def holders(session):
    """Processes that hold the clipboard of that display."""
    lines = subprocess.run(["ps", "-eo", "pid=,args="], capture_output=True, text=True).stdout.splitlines()
    return [int(line.split()[0]) for line in lines if f"hold-clipboard {session.display} " in line]


def test_what_was_written_stays_after_the_end(session, own_desk):
    mine = session()
    desk = own_desk("--display", mine.display)
    desk.call("clipboard_write", text="bleibt 漢字")
    assert desk.stop() == 0
    assert mine.clipboard() == "bleibt 漢字".encode()
    pids = holders(mine)
    assert len(pids) == 1
    mine.set_clipboard(b"newer")
    eventually(lambda: not process_alive(pids[0]), what="the end of the holder")


@pytest.mark.parametrize("who", ["hand", "desk", "all"])
def test_what_was_written_survives_kill(session, own_desk, who):
    mine = session()
    desk = own_desk("--display", mine.display)
    desk.call("clipboard_write", text="bleibt")
    hand = desk.desktops()["main"]["hand_pid"]
    if who in ("desk", "all"):
        desk.process.kill()
        desk.process.wait()
    if who in ("hand", "all"):
        try:
            os.kill(hand, signal.SIGKILL)
        except ProcessLookupError:
            pass
    # Whoever asks a program that is just dying waits for its answer for ever.
    eventually(lambda: not process_alive(hand), what="the end of the hand")
    if who == "hand":
        eventually(lambda: desk.desktops()["main"]["hand_pid"] not in (0, None, hand), 20, "the next hand")
    if who != "hand":
        desk.start()
    eventually(lambda: mine.clipboard() == b"bleibt", what="the text")
    assert desk.call("clipboard_read")["text"] == "bleibt"


def test_the_display_goes_away(own_desk):
    mine = Session()
    desk = own_desk("--display", mine.display)
    desk.call("clipboard_write", text="weg")
    mine.stop()
    answer = desk.answer("clipboard_read")
    assert not answer["ok"]
    assert answer["error"]["code"] in ("DESKTOP_UNAVAILABLE", "OUTCOME_UNKNOWN")


def test_command_line(desk):
    done = desk.cli("clipboard-write", "--text", "von der Zeile 漢字")
    assert done.returncode == 0, done.stderr
    done = desk.cli("call", "clipboard_read", "{}")
    assert json.loads(done.stdout)["result"]["text"] == "von der Zeile 漢字"
