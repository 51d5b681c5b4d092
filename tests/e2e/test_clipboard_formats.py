"""The clipboard's other formats: markup, pictures, files and any format by its name, with GTK, Qt and xclip on the other side."""
import base64
import hashlib
import io
import json
import subprocess

import pytest
from PIL import Image

from test_clipboard import clipper, xclip  # noqa: F401 (a fixture)

QT = """
import sys
from PyQt5.QtWidgets import QApplication
app = QApplication(sys.argv)
mime = app.clipboard().mimeData()
print(repr((mime.html(), mime.text(), [url.toLocalFile() for url in mime.urls()], mime.hasImage())))
"""


def picture(width=40, height=30, colour=(200, 10, 60)):
    buffer = io.BytesIO()
    Image.new("RGB", (width, height), colour).save(buffer, "PNG")
    return buffer.getvalue()


def as_base64(data):
    return base64.b64encode(data).decode()


def qt_sees(desk):
    shown = subprocess.run(["/usr/bin/python3", "-c", QT], env=desk.desktop_environment(), capture_output=True, timeout=60)
    return eval(shown.stdout.decode())  # what the line above printed


def test_markup_both_ways(desk, clipper):  # noqa: F811
    program = clipper()
    desk.call("clipboard_write", text="fat", html="<b>fat</b>")
    assert program.ask("read", selection="CLIPBOARD", target="text/html")["text"] == "<b>fat</b>"
    assert program.ask("read", selection="CLIPBOARD", target="UTF8_STRING")["text"] == "fat"
    html, text, _, _ = qt_sees(desk)
    assert html == "<b>fat</b>" and text == "fat"
    program.ask("own", selection="CLIPBOARD", formats={"text/html": ("\ufeff<i>schön</i>".encode("utf-16-le")).hex()})
    result = desk.call("clipboard_read", format="html")
    assert result["text"] == "<i>schön</i>" and result["format"] == "text/html"


def test_pictures_both_ways(desk, clipper):  # noqa: F811
    program = clipper()
    data = picture()
    desk.call("clipboard_write", image=as_base64(data))
    assert program.ask("read", selection="CLIPBOARD", target="image/png")["sha256"] == hashlib.sha256(data).hexdigest()
    assert qt_sees(desk)[3], "Qt takes it for a picture"
    assert base64.b64decode(desk.call("clipboard_read", format="image")["image"]) == data
    program.ask("own_image", width=20, height=10)
    result = desk.call("clipboard_read", format="image")
    assert result["format"] == "image/png" and Image.open(io.BytesIO(base64.b64decode(result["image"]))).size == (20, 10)


def test_files_both_ways(desk, clipper):  # noqa: F811
    program = clipper()
    paths = ["/tmp/a file.txt", "/tmp/größe.png"]
    desk.call("clipboard_write", files=paths)
    listed = program.ask("read", selection="CLIPBOARD", target="text/uri-list")["text"]
    assert listed.split() == ["file:///tmp/a%20file.txt", "file:///tmp/gr%C3%B6%C3%9Fe.png"]
    assert program.ask("read", selection="CLIPBOARD", target="x-special/gnome-copied-files")["text"].startswith("copy\nfile:///")
    assert qt_sees(desk)[2] == paths
    assert desk.call("clipboard_read", format="files")["files"] == paths
    program.ask("own", selection="CLIPBOARD", formats={
        "x-special/gnome-copied-files": b"cut\nfile:///tmp/x%20y\nsftp://host/z".hex()})
    assert desk.call("clipboard_read", format="files")["files"] == ["/tmp/x y", "sftp://host/z"]


def test_any_format_and_large_ones(desk, clipper):  # noqa: F811
    program = clipper()
    large = bytes(range(256)) * 20000  # far beyond one property: sent and read in pieces
    desk.call("clipboard_write", formats={"application/x-ours": as_base64(large)}, timeout_ms=60000)
    assert program.ask("read", selection="CLIPBOARD", target="application/x-ours")["sha256"] == hashlib.sha256(large).hexdigest()
    result = desk.call("clipboard_read", format="application/x-ours", timeout_ms=60000)
    assert base64.b64decode(result["data"]) == large and result["bytes"] == len(large)
    program.ask("own", selection="CLIPBOARD", formats={"image/png": 3000000})
    assert desk.call("clipboard_read", format="image", timeout_ms=60000)["bytes"] == 3000000


def test_the_primary_selection(desk, clipper):  # noqa: F811
    desk.call("clipboard_write", text="copied")
    desk.call("clipboard_write", text="marked", selection="primary")
    assert desk.call("clipboard_read", selection="primary")["text"] == "marked"
    assert desk.call("clipboard_read")["text"] == "copied"
    shown = subprocess.run(["xclip", "-o", "-selection", "primary"], env=desk.desktop_environment(), capture_output=True, timeout=20)
    assert shown.stdout == b"marked"


def test_what_is_wrong_is_said(desk):
    desk.call("clipboard_write", text="kept")
    for params, path in (({}, "one of them"), ({"image": "no base64!"}, "image"), ({"image": as_base64(b"GIF89a")}, "PNG or JPEG"),
                         ({"files": ["relative/path"]}, "files[0]"), ({"formats": {"a/b": "***"}}, "formats.a/b")):
        assert path in desk.fails("INVALID_PARAMS", "clipboard_write", **params)["message"]
    error = desk.fails("PRECONDITION_FAILED", "clipboard_read", format="image")
    assert "UTF8_STRING" in error["details"]["formats"] and "formats" in error["suggestion"]
    assert desk.call("clipboard_read")["text"] == "kept"


def test_all_formats_come_back(desk, clipper):  # noqa: F811
    """An undo gives back more than text, and only while nobody else has copied something."""
    program = clipper()
    data = picture(colour=(1, 2, 3))
    program.ask("own", selection="CLIPBOARD", formats={"image/png": data.hex(), "text/html": b"<p>x</p>".hex(), "UTF8_STRING": b"x".hex()})
    desk.call("clipboard_write", image=as_base64(picture()), run_id="cf-undo")
    desk.call("undo_last", run_id="cf-undo")
    assert base64.b64decode(desk.call("clipboard_read", format="image")["image"]) == data
    assert desk.call("clipboard_read", format="html")["text"] == "<p>x</p>" and desk.call("clipboard_read")["text"] == "x"
    desk.call("clipboard_write", image=as_base64(picture()), run_id="cf-other")
    desk.call("clipboard_write", image=as_base64(picture(9, 9)), run_id="cf-somebody")
    assert "clipboard has changed" in desk.fails("PRECONDITION_FAILED", "undo_last", run_id="cf-other")["message"]
    assert as_base64(data).encode() not in desk.data_bytes(), "kept in memory alone"


def test_the_command_line_takes_text_as_before(desk):
    assert desk.cli("clipboard_write", "by hand").returncode == 0
    assert desk.call("clipboard_read")["text"] == "by hand"
    assert json.loads(desk.cli("clipboard_read", "--format", "text", "--json").stdout)["result"]["text"] == "by hand"
