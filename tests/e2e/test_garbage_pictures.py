"""Pictures that callers give, as broken as bytes can be: every tool that takes one, at every door, answers clearly and at once, and the
hand takes no memory for what a header only claims."""
import base64
import json
import random
import struct
import subprocess
import zlib

import pytest

from handfast import PROGRAM, SLOW
from http_client import Client, make_token
from mcp_client import Mcp
from test_ocr import as_base64, cut, hand_memory, jpeg_that_says, picture_of, png_that_says

# What else a tool needs.
MORE = {"element_locate": {"description": "the button OK"}}
BROKEN = {"INVALID_PARAMS", "LIMIT_EXCEEDED"}
MEGABYTES = 20


def takers():
    """(tool, parameter) of everything that takes a picture, by what the program itself says."""
    told = json.loads(subprocess.run([PROGRAM, "tools", "--json"], capture_output=True, check=True).stdout)
    for tool in told:
        for name, about in tool["params"]["properties"].items():
            about = about.get("description", "")
            # The clipboard passes on what it is given, and looks into nothing.
            if "base64" in about and "picture" in about and tool["name"] != "clipboard_write":
                yield tool["name"], name


TAKERS = list(takers())


def test_they_are_known():
    assert ("screen_ocr", "image") in TAKERS


def chunk(name, content):
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def png(width, height, *chunks, depth=8, colour=2, interlaced=0):
    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, interlaced)
    return base64.b64encode(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + b"".join(chunks) + chunk(b"IEND", b"")).decode()


def plain(kind):
    return base64.b64decode(as_base64(picture_of("A line of text"), kind))


# (what, picture, codes): what a caller may be told of it.
GARBAGE = [
    ("not base64", "%%%%", {"INVALID_PARAMS"}), ("nearly base64", "AAA", {"INVALID_PARAMS"}), ("spaces", "    ", {"INVALID_PARAMS"}),
    ("nul", base64.b64encode(b"\0" * 100).decode(), {"INVALID_PARAMS"}),
    ("base64 with a hole", as_base64(picture_of("x"))[:50] + "!" + as_base64(picture_of("x"))[51:], {"INVALID_PARAMS"}),
    ("text", base64.b64encode(b"no picture at all" * 50).decode(), {"INVALID_PARAMS"}),
    ("gif", base64.b64encode(b"GIF89a\x01\0\x01\0\0\0\0;").decode(), {"INVALID_PARAMS"}),
    ("only the beginning of png", base64.b64encode(b"\x89PNG\r\n\x1a\n").decode(), {"INVALID_PARAMS"}),
    ("only the beginning of jpeg", base64.b64encode(b"\xff\xd8\xff\xe0").decode(), {"INVALID_PARAMS"}),
    ("png of 0x0", png_that_says(0, 0), {"INVALID_PARAMS"}), ("png of 10x0", png_that_says(10, 0), {"INVALID_PARAMS"}),
    ("jpeg of 0x0", jpeg_that_says(0, 0), {"INVALID_PARAMS"}), ("png without data", png(50, 50), {"INVALID_PARAMS"}),
    ("png of 30000x30000", png_that_says(30000, 30000), {"LIMIT_EXCEEDED"}), ("jpeg of 30000x30000", jpeg_that_says(30000, 30000), {"LIMIT_EXCEEDED"}),
    ("jpeg of 65500x65500", jpeg_that_says(65500, 65500), {"LIMIT_EXCEEDED"}), ("png of 2^31", png_that_says(2**31 - 1, 2**31 - 1), {"LIMIT_EXCEEDED"}),
    ("png of 1x200000", png_that_says(1, 200000), {"LIMIT_EXCEEDED"}),
    ("png that inflates", png(64, 64, chunk(b"IDAT", zlib.compress(b"\0" * 50_000_000, 9))), {"INVALID_PARAMS", None}),
    ("png with a text that inflates", png(64, 64, chunk(b"zTXt", b"a\0\0" + zlib.compress(b"x" * 50_000_000, 9))), {"INVALID_PARAMS"}),
    ("png of a strange kind", png(64, 64, depth=7, colour=5), {"INVALID_PARAMS"}),
    *((f"half a {kind}", cut(as_base64(picture_of("Cut off"), kind), 0.5), {"INVALID_PARAMS"}) for kind in ("PNG", "JPEG")),
]


@pytest.mark.parametrize("tool, name", TAKERS, ids=str)
def test_it_is_said_clearly_and_takes_no_memory(desk, tool, name):
    desk.answer(tool, **{name: as_base64(picture_of("Before"))}, **MORE.get(tool, {}))
    before = hand_memory(desk)
    for what, image, codes in GARBAGE:
        answer = desk.answer(tool, **{name: image}, **MORE.get(tool, {}))
        code = None if answer["ok"] else answer["error"]["code"]
        assert code in codes, (what, answer)
        if code:
            assert answer["error"]["message"].startswith(f"{name}: ") and answer["error"]["suggestion"], (what, answer)
        assert answer["duration_ms"] < 1000 * SLOW, (what, answer["duration_ms"])
        assert hand_memory(desk) < before + MEGABYTES * (2 if SLOW > 1 else 1), (what, "the highest that it ever was")


@pytest.mark.parametrize("tool, name", TAKERS, ids=str)
@pytest.mark.parametrize("kind", ["PNG", "JPEG"])
def test_flipped_and_cut_bytes_harm_nobody(desk, tool, name, kind):
    """Whatever comes of it, it is an answer; the hand stays the same."""
    hand, dice, whole = desk.desktops()["main"]["hand_pid"], random.Random(3), plain(kind)
    for turn in range(30):
        broken = bytearray(whole)
        for _ in range(dice.randrange(1, 6)):
            broken[dice.randrange(8, len(broken))] ^= 1 << dice.randrange(8)
        if turn % 3 == 0:
            broken = broken[: dice.randrange(4, len(broken))]
        answer = desk.answer(tool, **{name: base64.b64encode(broken).decode()}, **MORE.get(tool, {}))
        assert answer["ok"] or answer["error"]["code"] in BROKEN | {"DESKTOP_ELEMENT_NOT_FOUND"}, answer
    assert desk.desktops()["main"]["hand_pid"] == hand


@pytest.mark.parametrize("tool, name", TAKERS, ids=str)
def test_every_door_says_the_same(shared_desk, tool, name):
    http, mcp = Client(shared_desk, make_token(shared_desk, f"garbage-{tool}-{name}")), Mcp(shared_desk.environment, "--profile", "all")
    try:
        for what, image, _ in GARBAGE[::4]:
            bridge = shared_desk.answer(tool, **{name: image}, **MORE.get(tool, {}))
            reply = http.call(tool, **{name: image}, **MORE.get(tool, {})).json
            told = mcp.call(tool, **{name: image}, **MORE.get(tool, {}))
            assert reply["ok"] == bridge["ok"] and bool(told.get("isError")) != bridge["ok"], what
            if not bridge["ok"]:
                assert reply["error"]["code"] == bridge["error"]["code"] and reply["error"]["message"] == bridge["error"]["message"]
                assert bridge["error"]["message"] in json.dumps(told, ensure_ascii=False), (what, told)
    finally:
        mcp.close()
        http.close()
