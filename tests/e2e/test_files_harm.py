"""kill -9 of the hand while it changes files: every file is wholly old or wholly new, a batch wholly done or not, and nothing of
ours is left between them. HF_LONG=1 kills five hundred times."""
import os
import random
import signal
import subprocess
import threading
import time

import pytest

from handfast import ToolError, eventually

KILLS = 500 if os.environ.get("HF_LONG") else 12
FILES = 8


def content(number):
    return f"{number:08d}" + "x" * 20_000


def batch(folder, number):
    return {"operations": [{"op": "write", "path": str(folder / f"f{index}"), "content": content(number)} for index in range(FILES)]
            + [{"op": "delete", "path": str(folder / f"gone{number - 1}")}, {"op": "create", "path": str(folder / f"gone{number}"), "content": "x"}]}


def states(folder):
    """The numbers that the files have."""
    found = set()
    for index in range(FILES):
        text = (folder / f"f{index}").read_text()
        assert text == content(int(text[:8])), f"f{index} is neither old nor new"
        found.add(int(text[:8]))
    return found


def hand_of(desk, desktop):
    return desk.desktops()[desktop]["hand_pid"]


class Writer(threading.Thread):
    """Changes files without end: single ones and batches, each with the next number."""

    def __init__(self, desk, desktop, folder, single, number):
        super().__init__()
        self.desk, self.folder, self.single, self.number = desk, folder, single, number
        self.common = {"verify": False, "desktop": desktop}
        self.stop, self.done = threading.Event(), 0

    def run(self):
        bridge = self.desk.connect()
        while not self.stop.is_set():
            try:
                answer = self.change(bridge)
            except (OSError, EOFError):  # the desk itself was killed
                break
            if not answer["ok"]:
                assert answer["error"]["code"] in ("OUTCOME_UNKNOWN", "DESKTOP_UNAVAILABLE", "DESKTOP_ABORTED"), answer
                break
            self.number += 1
            self.done += 1
        bridge.close()

    def change(self, bridge):
        if not self.single:
            return bridge.answer("file_batch", {**batch(self.folder, self.number + 1), **self.common})
        text = content(self.number + 1)
        path = str(self.folder / "single")
        if self.number % 2:
            return bridge.answer("file_write", {"path": path, "content": text, **self.common})
        return bridge.answer("file_edit", {"path": path, "old_string": content(self.number)[:8], "new_string": text[:8], **self.common})


def kill_hand(desk, desktop, writers):
    """At any moment of their work; then waits for the next hand."""
    eventually(lambda: writers[0].done > 0, 30, "a batch")
    time.sleep(random.uniform(0, 0.15))
    pid = hand_of(desk, desktop)
    os.kill(pid, signal.SIGKILL)
    for writer in writers:
        writer.stop.set()
        writer.join()

    def ready():
        try:
            desk.call("wait", duration=0, desktop=desktop)
        except ToolError:
            return False
        return hand_of(desk, desktop) != pid
    eventually(ready, 60, "the next hand")


def make_files(desk):
    folder = desk.home / "Projects"
    folder.mkdir()
    for index in range(FILES):
        (folder / f"f{index}").write_text(content(0))
    (folder / "single").write_text(content(0))
    (folder / "gone0").write_text("x")
    return folder


def check_files(folder, writers):
    """The numbers of the batch and of the single file: of the last change that was answered, or of the one that was under way."""
    left = sorted(os.listdir(folder))
    assert not [name for name in left if name.startswith(".")], left
    found = states(folder)
    assert len(found) == 1, f"half a batch: {found}"
    now = found.pop()
    assert now in (writers[0].number, writers[0].number + 1)
    assert [name for name in left if name.startswith("gone")] == [f"gone{now}"]
    text = (folder / "single").read_text()
    single = int(text[:8])
    assert text == content(single) and single in (writers[1].number, writers[1].number + 1)
    return now, single


def test_kill9_while_files_change(own_desk):
    """On a desktop of its own each time: a hand that dies often is held back."""
    desk = own_desk("--virtual", "--size", "640x480")
    folder = make_files(desk)
    number = single = 0
    for kill in range(KILLS):
        desktop = f"k{kill}"
        desk.new_desktop(desktop, width=320, height=240)
        writers = [Writer(desk, desktop, folder, False, number), Writer(desk, desktop, folder, True, single)]
        for writer in writers:
            writer.start()
        kill_hand(desk, desktop, writers)
        number, single = check_files(folder, writers)
        desk.remove_desktop(desktop)
    places = list((desk.data / "desktops").glob("*/files/journal"))
    assert number >= KILLS and len(places) >= KILLS and not [left for place in places for left in place.glob("j_*")]


def test_a_batch_that_was_cut_off_is_finished_by_the_next_desk(own_desk):
    """Also when everything is killed: what was under way is in the desk's data."""
    desk = own_desk("--virtual", "--size", "640x480")
    folder = make_files(desk)
    writers = [Writer(desk, "main", folder, False, 0), Writer(desk, "main", folder, True, 0)]
    for writer in writers:
        writer.start()
    eventually(lambda: writers[0].done > 0, 20, "a batch")
    hand = hand_of(desk, "main")
    os.kill(desk.process.pid, signal.SIGKILL)
    os.kill(hand, signal.SIGKILL)
    desk.process.wait()
    for writer in writers:
        writer.stop.set()
        writer.join()
    desk.start()
    desk.call("wait", duration=0)
    check_files(folder, writers)


@pytest.mark.skipif(os.geteuid() != 0, reason="mounting takes root")
def test_a_full_disk_leaves_the_old_file(own_desk):
    """On a desktop that is made after the disk is there: what is mounted later is not seen in containers."""
    desk = own_desk("--virtual", "--size", "640x480")
    folder = desk.home / "Projects"
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "none", folder], check=True)
    try:
        desk.new_desktop("small", width=320, height=240)
        (folder / "a").write_text("old a")
        (folder / "b").write_text("old b")
        desk.fails("STORAGE_FAILED", "file_write", desktop="small", path=str(folder / "a"), content="x" * 1_000_000)
        desk.fails("STORAGE_FAILED", "file_batch", desktop="small", operations=[
            {"op": "write", "path": str(folder / "b"), "content": "new b"}, {"op": "write", "path": str(folder / "a"), "content": "y" * 1_000_000}])
        assert (folder / "a").read_text() == "old a" and (folder / "b").read_text() == "old b" and sorted(os.listdir(folder)) == ["a", "b"]
        desk.call("file_write", desktop="small", path=str(folder / "a"), content="small")
        assert (folder / "a").read_text() == "small"
    finally:
        subprocess.run(["umount", "-l", folder], check=True)
