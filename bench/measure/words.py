"""Typing into mousepad until it has read everything. What arrived is read from the file that
mousepad itself saves, and compared character by character."""
import os
import pathlib
import time

from .desktop import HERE
from .rounds import Entry, Failed, Job

CONTROL, DELETE = 0xFFE3, 0xFFFF
SAVE_PATIENCE = 10.0
SLOW_SECONDS = 120.0
PLAIN_NOTE = "spaces for tabs: auto never pastes a tab, since it is a key"


def wrong_characters(wanted, got):
    """The edit distance: characters wrong, lost or too many."""
    if wanted == got:
        return 0
    before = list(range(len(got) + 1))
    for row, expected in enumerate(wanted, 1):
        line = [row]
        for column, actual in enumerate(got, 1):
            line.append(min(before[column] + 1, line[-1] + 1,
                            before[column - 1] + (expected != actual)))
        before = line
    return before[-1]


class Words:
    def __init__(self, contenders, slow_peers):
        self.contenders, self.desktop = contenders, contenders.desktop
        self.slow_peers = slow_peers
        self.file = self.desktop.root / "typed.txt"
        self.file.write_text("")
        self.editor = self.desktop.household.add(
            ["mousepad", "--disable-server", str(self.file)], self.desktop.env)
        self.window = self.desktop.find("typed.txt")
        self.desktop.activate(self.window)

    def jobs(self):
        return [self._job("ascii", "1,000 ASCII characters into mousepad, drained", "ascii1000.txt"),
                self._job("mixed", "1,000 mixed characters into mousepad, drained", "mixed1000.txt")]

    def _job(self, key, title, name):
        path = HERE / "texts" / name
        text = path.read_text()
        bare, ours, xdotool = self.contenders.bare, self.contenders.ours, self.contenders.commands["xdotool"]
        add = lambda label, act, **more: entries.append(self._entry(label, text, act, **more))
        entries = []
        add("floor (keys)", lambda: bare.do(f"type {self.window} {path}", SLOW_SECONDS), floor=True)
        for method in ("keys", "paste") if ours else ():
            add(f"handfast ({method})", self._ours(ours, text, method), ours=True)
        if ours:
            plain = text.replace("\t", " ")
            entries.append(self._entry("handfast (auto)", plain, self._ours(ours, plain, "auto"),
                                       ours=True, note=PLAIN_NOTE))
        for peer in self.contenders.node.values():
            if peer and "type" in peer.jobs and (peer.key != "cua" or self.slow_peers):
                rounds = 1 if peer.key == "cua" else None
                add(peer.label.removesuffix(" + sharp"), lambda peer=peer: peer.do(
                    "type", SLOW_SECONDS, text=text), rounds=rounds)
        if xdotool:
            add("xdotool --delay 0", lambda: xdotool.do(
                "type", "--delay", "0", "--file", str(path), timeout=SLOW_SECONDS))
            if self.slow_peers:
                add("xdotool (its default)", lambda: xdotool.do(
                    "type", "--file", str(path), timeout=SLOW_SECONDS), rounds=1)
        return Job(key, title, entries)

    @staticmethod
    def _ours(ours, text, method):
        return lambda: ours.call("type_text", {"text": text, "delay": 0, "method": method, "verify": False})[2:]

    def _entry(self, label, text, act, **more):
        def run(number):
            self._empty()
            start, _ = act()
            if not self.desktop.ping(self.window):
                raise Failed("mousepad does not answer any more")
            took = (time.monotonic_ns() - start) / 1e6
            return took, wrong_characters(text, self._saved())

        return Entry(label, run, **more)

    def _empty(self):
        self.desktop.activate(self.window)
        self.desktop.chord(CONTROL, ord("a"))
        self.desktop.chord(0, DELETE)
        self.desktop.ping(self.window)

    def _saved(self):
        before = os.stat(self.file).st_mtime_ns
        self.desktop.chord(CONTROL, ord("s"))
        end = time.monotonic() + SAVE_PATIENCE
        while os.stat(self.file).st_mtime_ns == before:
            if time.monotonic() > end:
                raise Failed("mousepad did not save its text")
            time.sleep(0.005)
        self.desktop.ping(self.window)
        return pathlib.Path(self.file).read_text(errors="replace")

    def end(self):
        self.desktop.household.end(self.editor)
