"""screen_ocr through the bridge: what a terminal really shows, what pictures of known text say, and what bad pictures get."""
import base64
import io
import os
import pathlib
import signal
import struct
import subprocess
import zlib

import pytest
from PIL import Image, ImageDraw, ImageFont

from handfast import APPS, eventually
from witness import Witness

ENGLISH = ["Quarterly report for the northern harbour", "Deployment finished after 42 minutes", "Choose another folder"]
CHINESE = ["请选择需要保存的文件夹", "网络连接已经恢复正常"]
FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"


class Terminal:
    """xterm with lines that the test writes into it, one after another."""

    def __init__(self, desk, lines, folder, title="reading matter"):
        self.title, self.desk, self.pipe = title, desk, folder / "lines"
        os.mkfifo(self.pipe)
        self.process = desk.spawn("xterm", "-T", title, "-fa", "DejaVu Sans Mono:pixelsize=15", "-fd", "Noto Sans Mono CJK SC:pixelsize=15", "-u8",
                                  "-geometry", "60x14+40+60", "-xrm", "*cursorBlink: false", "-e", "sh", "-c", f"printf '\\033[?25l'; exec cat <>{self.pipe}")
        self.window = desk.window(title)
        self.write(lines)

    def write(self, lines):
        with open(self.pipe, "w") as pipe:
            pipe.write("\r\n".join(lines) + "\r\n")

    def read(self, **params):
        return self.desk.call("screen_ocr", window_id=self.window["window_id"], timeout_ms=60000, max_ms=50000, **params)

    def await_text(self, text):
        return eventually(lambda: next((read for read in [self.read()] if text in read["text"]), None), 30, f"'{text}' to be read")

    def end(self):
        self.process.kill()
        self.process.wait()


@pytest.fixture
def terminal(desk, tmp_path):
    terminal = Terminal(desk, ENGLISH + CHINESE, tmp_path)
    yield terminal
    terminal.end()


def test_a_terminal_in_two_languages(desk, terminal):
    terminal.await_text(CHINESE[-1])
    read = terminal.read(detail="words")
    for line in ENGLISH + CHINESE:
        assert line in read["text"].splitlines(), read["text"]
    assert not read["truncated"] and read["lines_unread"] == 0
    frame = read["window"]["frame"]
    lines = [line for block in read["blocks"] for line in block["lines"]]
    assert {"eng", "chi_sim"} <= {line["language"] for line in lines}
    for line in lines:
        assert frame["x"] <= line["bounds"]["x"] and line["bounds"]["x"] + line["bounds"]["width"] <= frame["x"] + frame["width"]
        assert 0 < line["confidence"] <= 1
        assert " ".join(word["text"] for word in line["words"]) == line["text"]
        rights = [word["bounds"]["x"] + word["bounds"]["width"] for word in line["words"]]
        lefts = [word["bounds"]["x"] for word in line["words"]]
        assert all(right <= left for right, left in zip(rights, lefts[1:])), line


def test_a_click_on_a_word_that_was_read(desk, terminal):
    """The place of a word is where it can be clicked: a double click selects it."""
    terminal.await_text(ENGLISH[0])
    words = [word for block in terminal.read(detail="words")["blocks"] for line in block["lines"] for word in line["words"]]
    box = next(word["bounds"] for word in words if word["text"] == "harbour")
    desk.call("double_click", x=box["x"] + box["width"] // 2, y=box["y"] + box["height"] // 2)
    environment = desk.desktop_environment()
    selected = lambda: subprocess.run(["xclip", "-o", "-selection", "primary"], env=environment, capture_output=True, text=True).stdout  # noqa: E731
    eventually(lambda: selected().strip() == "harbour", 10, "the word to be selected")


def test_letters_that_were_read_are_known_in_new_words(desk, terminal):
    """No engine is asked for a line of known letters, and it says the same."""
    lessons = ["the harbour and the northern bridge are closed today", "one hundred trains leave the station before noon",
               "brown letters travel between neighbours and friends", "another day brings another hundred letters to the table"]
    terminal.write(lessons)
    terminal.await_text(lessons[-1])
    new = ["the day another train leaves the harbour", "friends bring brown bread to the table"]
    terminal.write(new)
    read = terminal.await_text(new[-1])
    assert new[0] in read["text"].splitlines() and new[1] in read["text"].splitlines()
    newer = "hundred friends leave the bridge before noon"
    terminal.write([newer])
    by_shape = 0

    def is_read():
        nonlocal by_shape
        read = terminal.read()
        by_shape += read["lines_by_shape"]
        return newer in read["text"].splitlines()

    eventually(is_read, 30, "the last line to be read")
    assert by_shape >= 1


def test_what_did_not_change_is_not_read_again(desk, terminal):
    terminal.await_text(CHINESE[-1])
    first = terminal.read()
    again = terminal.read()
    assert again["unchanged"] and again["lines_read"] == 0 and again["lines_cached"] == first["lines_read"] + first["lines_cached"]
    assert again["text"] == first["text"] and again["blocks"][0]["bounds"] == first["blocks"][0]["bounds"]
    terminal.write(["Something entirely new below"])
    changed = eventually(lambda: next((read for read in [terminal.read()] if "entirely" in read["text"]), None), 30, "the new line")
    assert not changed["unchanged"]
    # Whichever call has read the new line, none has read the old ones again.
    assert changed["lines_read"] <= 1 and changed["lines_cached"] >= len(ENGLISH + CHINESE)
    moved = desk.call("window_manage", action="move", window_id=terminal.window["window_id"], bounds={"x": 300, "y": 200})
    assert moved
    elsewhere = terminal.read()
    assert elsewhere["lines_read"] <= 1, "a line that has moved looks the same"
    assert elsewhere["blocks"][0]["bounds"] != changed["blocks"][0]["bounds"]


def test_a_region_and_a_whole_screen(desk, terminal):
    terminal.await_text(ENGLISH[1])
    lines = [line for block in terminal.read()["blocks"] for line in block["lines"]]
    box = next(line["bounds"] for line in lines if line["text"] == ENGLISH[1])
    region = {"x": box["x"] - 3, "y": box["y"] - 3, "width": box["width"] + 6, "height": box["height"] + 6}
    read = desk.call("screen_ocr", region=region)
    assert read["text"] == ENGLISH[1] and read["region"] == region
    assert abs(read["blocks"][0]["bounds"]["x"] - box["x"]) <= 2
    assert ENGLISH[1] in desk.call("screen_ocr", detail="blocks", timeout_ms=60000, max_ms=50000)["text"]
    assert "lines" not in desk.call("screen_ocr", detail="blocks", region=region)["blocks"][0]


@pytest.mark.parametrize("params, code", [
    ({"region": [0, 0, 10, 10], "display": 0}, "INVALID_PARAMS"),
    ({"region": [5, 5, 5, 5]}, "INVALID_PARAMS"),
    ({"window_title": "no such window anywhere"}, "WINDOW_NOT_FOUND"),
    ({"language": "../../etc/passwd"}, "INVALID_PARAMS"),
    ({"language": "klingon", "image": "given"}, "UNSUPPORTED"),
    ({"image": "given", "window_id": 1}, "INVALID_PARAMS"),
    ({"image": "given", "region": [500, 500, 600, 600]}, "INVALID_PARAMS"),
])
def test_bad_calls(desk, params, code):
    if "image" in params:
        params = {**params, "image": as_base64(picture_of("Plain text"))}
    desk.fails(code, "screen_ocr", **params)


def picture_of(text, size=(400, 60), colours=("white", "black")):
    image = Image.new("RGB", size, colours[0])
    ImageDraw.Draw(image).text((12, 18), text, fill=colours[1], font=ImageFont.truetype(FONT, 16))
    return image


def as_base64(image, kind="PNG", **options):
    buffer = io.BytesIO()
    image.save(buffer, kind, **options)
    return base64.b64encode(buffer.getvalue()).decode()


@pytest.mark.parametrize("kind, options, prefix", [
    ("PNG", {}, ""), ("PNG", {}, "data:image/png;base64,"), ("JPEG", {"quality": 90}, ""), ("JPEG", {"quality": 90, "progressive": True}, "data:image/jpeg;base64,"),
])
def test_given_pictures(desk, kind, options, prefix):
    text = "Invoice 4711 paid in March"
    read = desk.call("screen_ocr", image=prefix + as_base64(picture_of(text), kind, **options), detail="words")
    assert read["text"] == text
    assert read["region"] == {"x": 0, "y": 0, "width": 400, "height": 60} and "window" not in read
    word = read["blocks"][0]["lines"][0]["words"][0]
    assert word["text"] == "Invoice" and abs(word["bounds"]["x"] - 13) <= 4
    part = desk.call("screen_ocr", image=prefix + as_base64(picture_of(text), kind, **options), region=[word["bounds"]["x"] - 4, 0, word["bounds"]["x"] + word["bounds"]["width"] + 3, 60])
    assert part["text"] == "Invoice"
    assert abs(part["blocks"][0]["bounds"]["x"] - word["bounds"]["x"]) <= 2


@pytest.mark.parametrize("mode", ["L", "P", "1", "LA", "RGBA", "I;16"])
def test_kinds_of_png(desk, mode):
    image = picture_of("Archive older mail").convert("L" if mode == "I;16" else mode)
    if mode == "I;16":
        image = Image.frombytes("I;16", image.size, bytes(byte for value in image.tobytes() for byte in (0, value)))
    if mode == "RGBA":  # what is transparent stands on white
        image = Image.new("RGBA", (400, 60), (0, 0, 0, 0))
        ImageDraw.Draw(image).text((12, 18), "Archive older mail", fill=(0, 0, 0, 255), font=ImageFont.truetype(FONT, 16))
    assert desk.call("screen_ocr", image=as_base64(image))["text"] == "Archive older mail"


def png_that_says(width, height, data=b""):
    def chunk(name, content):
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return base64.b64encode(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(data)) + chunk(b"IEND", b"")).decode()


def jpeg_that_says(width, height):
    raw = bytearray(base64.b64decode(as_base64(picture_of("x"), "JPEG")))
    at = raw.index(b"\xff\xc0")
    raw[at + 5:at + 9] = struct.pack(">HH", height, width)
    return base64.b64encode(bytes(raw)).decode()


def cut(text, share):
    raw = base64.b64decode(text)
    return base64.b64encode(raw[:int(len(raw) * share)]).decode()


@pytest.mark.parametrize("image, code", [
    ("%%%%", "INVALID_PARAMS"),
    ("AAA", "INVALID_PARAMS"),
    ("data:image/png;base64,", "INVALID_PARAMS"),
    (base64.b64encode(b"no picture at all" * 50).decode(), "INVALID_PARAMS"),
    (base64.b64encode(b"\x89PNG\r\n\x1a\n").decode(), "INVALID_PARAMS"),
    (base64.b64encode(b"\xff\xd8\xff\xe0").decode(), "INVALID_PARAMS"),
    (cut(as_base64(picture_of("Cut off")), 0.5), "INVALID_PARAMS"),
    (cut(as_base64(picture_of("Cut off"), "JPEG"), 0.6), "INVALID_PARAMS"),
    (png_that_says(0, 0), "INVALID_PARAMS"),
    (png_that_says(0, 10), "INVALID_PARAMS"),
    (png_that_says(30000, 30000), "LIMIT_EXCEEDED"),
    (png_that_says(16000, 16000), "LIMIT_EXCEEDED"),
    (png_that_says(2**31 - 1, 2**31 - 1), "LIMIT_EXCEEDED"),
    (jpeg_that_says(30000, 30000), "LIMIT_EXCEEDED"),
    (png_that_says(5000, 5000, b"\0" * 100), "INVALID_PARAMS"),
])
def test_bad_pictures(desk, image, code):
    error = desk.fails(code, "screen_ocr", image=image)
    assert error["message"].startswith("image: "), error


def hand_memory(desk):
    status = pathlib.Path(f"/proc/{desk.desktops()['main']['hand_pid']}/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


def test_bad_pictures_do_not_take_memory(desk):
    desk.call("screen_ocr", image=as_base64(picture_of("Before")))
    before = hand_memory(desk)
    for image in (png_that_says(30000, 30000), png_that_says(2**31 - 1, 2**31 - 1), jpeg_that_says(30000, 30000)):
        desk.fails("LIMIT_EXCEEDED", "screen_ocr", image=image)
    assert hand_memory(desk) < before + 20, "the highest that it ever was"


def test_time_is_kept_and_told(desk):
    image = Image.new("RGB", (900, 700), "white")
    font = ImageFont.truetype(FONT, 14)
    wanted = [f"Position {number} of {number * 37} costs {number * 113} pounds" for number in range(1, 31)]
    for number, line in enumerate(wanted):
        ImageDraw.Draw(image).text((10, 4 + number * 23), line, fill="black", font=font)
    given = as_base64(image)
    read = desk.call("screen_ocr", image=given, max_ms=60)
    assert read["truncated"] and read["truncated_by"] == "time" and read["lines_unread"] > 0
    assert set(read["text"].splitlines()) <= set(wanted), "what was read is whole"
    whole = desk.call("screen_ocr", image=given, timeout_ms=100000, max_ms=90000)
    assert not whole["truncated"] and whole["lines_unread"] == 0
    assert whole["lines_cached"] == 0 and whole["lines_read"] == len(wanted), "of a given picture nobody learns what was read before"
    assert len(set(whole["text"].splitlines()) & set(wanted)) >= 28


def readers(desk):
    """The reader processes of this desk's hand: by what the desktop marks them with."""
    mark = desk.desktops()["main"]["environment"]["HANDFAST_DESKTOP"]
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if (path / "comm").read_text().strip() == "handfast-reader" and f"HANDFAST_DESKTOP={mark}".encode() in (path / "environ").read_bytes():
                found.append(int(path.name))
        except OSError:
            pass
    return found


def test_readers_come_and_go(own_desk):
    desk = own_desk("--virtual", "--size", "800x600")
    desk.call("screenshot")
    assert not readers(desk), "nothing is started before it is needed"
    assert desk.call("screen_ocr", image=as_base64(picture_of("First of all")))["text"] == "First of all"
    assert 1 <= len(readers(desk)) <= 2
    for pid in readers(desk):
        os.kill(pid, signal.SIGKILL)
    eventually(lambda: not readers(desk), 10, "the readers to be gone")
    assert desk.call("screen_ocr", image=as_base64(picture_of("Second of all")))["text"] == "Second of all"
    for pid in readers(desk):  # one that hangs is ended, and costs its line only
        os.kill(pid, signal.SIGSTOP)
    hung = desk.call("screen_ocr", image=as_base64(picture_of("Third of all")), timeout_ms=60000, max_ms=50000)
    assert hung["truncated"] and hung["truncated_by"] == "engine" and hung["lines_unread"] == 1
    assert desk.call("screen_ocr", image=as_base64(picture_of("Fourth of all")))["text"] == "Fourth of all"


def test_password_fields_are_not_read(desk):
    program = Witness(desk, "/usr/bin/python3", APPS / "people.py", "3")
    try:
        window = desk.window("people 3")["window_id"]
        elements = lambda: desk.call("ui_describe", window_id=window)["elements"]  # noqa: E731
        secure = eventually(lambda: next((one for one in elements() if one.get("secure")), None), 10, "the password field")
        box = secure["bounds"]
        read = desk.call("screen_ocr", region=[box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"]])
        assert read["text"] == "" and read["blocks"] == []
        assert desk.call("screen_ocr", window_id=window, timeout_ms=60000, max_ms=50000)["text"], "the rest of the window is read"
    finally:
        program.stop()


def test_from_the_command_line(desk, terminal):
    terminal.await_text(ENGLISH[2])
    shown = desk.cli("screen_ocr", "--window-title", terminal.title, "--detail", "blocks", "--json")
    assert shown.returncode == 0 and ENGLISH[2] in shown.stdout.decode()
