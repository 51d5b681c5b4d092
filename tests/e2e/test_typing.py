"""Text arrives whole and in order, in every toolkit, by every method, on every layout; the keymap is
put back. HF_LONG=1 repeats everything twenty times while the other core is busy."""
import os
import random
import subprocess

import pytest
import Xlib.XK

import xkb
from handfast import finish
from editors import EDITORS
from handfast import APPS, FULL_AUTO, Desk
from human import Human
from witness import Witness

LONG = os.environ.get("HF_LONG") == "1"
REPETITIONS = 20 if LONG else 1
LENGTH = 1000
METHODS = ["keys", "paste", "auto"]
# Layout, active group, Caps Lock.
LAYOUTS = [("us", 0, False), ("de", 0, False), ("fr", 0, False), ("ru", 0, False), ("us,ru", 1, False), ("us", 0, True),
           ("de", 0, True), ("us,ru", 1, True)]

ASCII = [chr(code) for code in range(0x20, 0x7f)]
CHINESE = [chr(code) for code in range(0x4e00, 0x9fa0, 41)]
CYRILLIC = list("абвгдеёжзийклмнопрстуфхцчшщъыьэюяАБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ")
EMOJI = ["😀", "🚀", "👍🏽", "👩🏻‍💻", "👨‍👩‍👧‍👦", "🇩🇪", "🏳️‍🌈", "🤷🏾‍♂️", "☎️", "✅"]
COMBINING = ["e\u0301", "a\u0308", "n\u0303", "o\u0302\u0301", "Z\u0351\u036b", "d\u0323\u0307"]
OTHERS = list("äöüßÄÖÜéèêñçÇ^`~´¨°§€µαΩΣσςŁżİıǅǆœŸ١٢שלกดงา한국어ひらカタ–…“”„•™∞≠→✓½𝔘𝕏𠀀𪚥\u200b")


def make_text(seed, editor, kind):
    """A text of exactly LENGTH characters, with newlines and tabs where the program takes them."""
    pick = random.Random(f"{seed} {kind}")
    space = (["\n"] if editor.newlines else [" "]) + (["\t"] if editor.tabs else [" "])
    sources = [(ASCII, 95), (space, 3)] if kind == "ascii" else [
        (ASCII, 30), (CHINESE, 25), (CYRILLIC, 15), (EMOJI, 8), (COMBINING, 6), (OTHERS, 12), (space, 3)]
    text = "<"
    while len(text) < LENGTH - 1:
        source = pick.choices([each for each, _ in sources], [weight for _, weight in sources])[0]
        piece = pick.choice(source)
        text += piece if len(text) + len(piece) < LENGTH else "."
    return text + ">"


@pytest.fixture(scope="module")
def typing_desk():
    desk = Desk("--virtual", "--size", "1280x800", "--private-home", environment={"GSK_RENDERER": "cairo"},
                config={**FULL_AUTO, "takeover": {"enabled": False}}, verify=False)
    yield desk
    finish(desk)


@pytest.fixture(scope="module")
def busy_core():
    """In the long form, somebody else works on this machine."""
    process = subprocess.Popen(["sh", "-c", "while :; do :; done"]) if LONG else None
    yield
    if process:
        process.kill()
        process.wait()


@pytest.fixture(scope="module", params=EDITORS, ids=lambda editor: editor.__name__)
def editor(request, typing_desk, busy_core):
    editor = request.param(typing_desk)
    yield editor
    editor.stop()


@pytest.fixture
def keyboard(typing_desk):
    """A function that sets the keyboard up; the default one is back after the test."""
    environment = typing_desk.desktop_environment()

    def set_up(layout, group, caps):
        xkb.set_layout(environment, layout)
        xkb.lock(environment, group, caps)
        return environment

    yield set_up
    set_up("us", 0, False)


def type_and_check(editor, text, method):
    editor.focus()
    editor.clear()
    result = editor.desk.call("type_text", text=text, method=method)
    assert result["characters"] == len(text)
    assert result["window"]["id"] == editor.window["window_id"]
    editor.assert_holds(text)
    return result


@pytest.mark.parametrize("kind", ["ascii", "mixed"])
@pytest.mark.parametrize("method", METHODS)
def test_every_method(editor, method, kind):
    for repetition in range(REPETITIONS):
        result = type_and_check(editor, make_text(repetition, editor, kind), method)
        assert result["method"] == method or method == "auto"


@pytest.mark.parametrize("layout, group, caps", LAYOUTS)
def test_every_layout(editor, keyboard, layout, group, caps):
    environment = keyboard(layout, group, caps)
    before = xkb.keymap(environment)
    for repetition in range(REPETITIONS):
        text = make_text(f"{layout} {group} {caps} {repetition}", editor, "mixed")
        type_and_check(editor, text, "keys")
        assert xkb.keymap(environment) == before
        if group == 1 and not caps:  # the program still knows which group is active
            editor.desk.call("key_press", keys=["ы"])
            editor.assert_holds(text + "ы")


@pytest.mark.parametrize("options", [[], ["--elsewhere"]], ids=["late", "elsewhere"])
@pytest.mark.parametrize("human_before", [False, True], ids=["alone", "after a person"])
def test_a_program_that_learns_of_the_map_late(typing_desk, human_before, options):
    """The first key of a new map waits until the program has read that map, also when the map comes to the fore only
    because the last key was another keyboard's."""
    text = "".join(CHINESE[:200]) + "ё"
    witness = Witness(typing_desk, APPS / "late_map.py", *options)
    try:
        human = Human(typing_desk.desktop_environment())
        for repetition in range(REPETITIONS + 2):
            if human_before:
                human.chord(Xlib.XK.XK_q)
                assert witness.next("key")["text"] == "q"
            typing_desk.call("type_text", text=text, method="keys")
            seen = witness.all(lambda line: line.get("text") == text[-1])
            assert "".join(line["text"] for line in seen) == text
    finally:
        witness.stop()


@pytest.mark.parametrize("toolkit", ["gtk3", "qt5"])
def test_a_field_of_one_line_gets_lines(typing_desk, toolkit):
    """A newline is the enter key: pasted with the rest it would be lost in the field, or open a dialog in a sheet."""
    lines = ["你好", "the second line, longer than most", "第三行 👋"]
    witness = Witness(typing_desk, APPS / "chat.py", toolkit)
    try:
        result = typing_desk.call("type_text", text="\n".join(lines) + "\n")
        assert [witness.next("line", 10)["text"] for _ in lines] == lines
        assert result["method"] == "keys" and result["characters"] == sum(len(line) + 1 for line in lines)
    finally:
        witness.stop()


def test_input_methods_are_avoided(typing_desk, editor):
    """One that is switched on would make other text of the keys; pasting goes past it."""
    witness = Witness(typing_desk, APPS / "input_method.py")
    try:
        result = type_and_check(editor, "hello", "auto")
        assert result["method"] == "paste"
        type_and_check(editor, "héllo 中文", "keys")
    finally:
        witness.stop()
    assert type_and_check(editor, "hello", "auto")["method"] == "keys"
