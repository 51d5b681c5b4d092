"""Interleaved rounds: in each round every contender does the job once, in turning order, so that
a busy moment of the machine hits all alike."""
import math
import statistics

from .processes import Gone

WARM_UP = 2
# A peer may fail now and then; after this many times it is left out. Ours may not fail.
PATIENCE = 3


class Failed(Exception):
    """A contender could not do the job."""


class Entry:
    """One contender in one job. `run(round)` returns milliseconds, or (milliseconds, wrong)."""

    def __init__(self, label, run, ours=False, floor=False, rounds=None, note=""):
        self.label, self.run, self.ours, self.floor = label, run, ours, floor
        self.rounds, self.note = rounds, note
        self.samples, self.wrong, self.failures, self.problem = [], [], 0, None

    def take(self, number, counted):
        try:
            taken = self.run(number)
        except (Failed, Gone) as problem:
            self.failures += 1
            if self.ours or self.failures == PATIENCE:
                self.problem = str(problem)
            return
        milliseconds, wrong = taken if isinstance(taken, tuple) else (taken, None)
        if counted:
            self.samples.append(milliseconds)
            if wrong is not None:
                self.wrong.append(wrong)

    @property
    def median(self):
        return statistics.median(self.samples) if self.samples else None

    @property
    def p95(self):
        if not self.samples:
            return None
        ordered = sorted(self.samples)
        return ordered[math.ceil(0.95 * len(ordered)) - 1]

    def as_json(self):
        return {"contender": self.label, "ours": self.ours, "floor": self.floor,
                "median_ms": self.median, "p95_ms": self.p95, "samples_ms": self.samples,
                "wrong_characters": self.wrong or None, "note": self.note,
                "failures": self.failures, "problem": self.problem}


IN_A_ROW = "handfast, in a row"
ROW_WARM_UP, ROW = 3, 9


def in_a_row(entry):
    """The same as what a caller gets who calls again and again: the middle of some calls with nobody else's between
    them. Limits in milliseconds are held against this; how we compare with the peers is told by turns with them."""
    def run(number):
        taken = [entry.run(number + 1) for _ in range(ROW_WARM_UP + ROW)]
        return statistics.median(taken[ROW_WARM_UP:])

    return Entry(IN_A_ROW, run, ours=True)


class Job:
    """One piece of work and everyone who does it."""

    def __init__(self, key, title, entries):
        self.key, self.title, self.entries = key, title, entries

    def measure(self, rounds, warm_up=WARM_UP):
        for number in range(rounds + warm_up):
            turn = number % len(self.entries)
            for entry in self.entries[turn:] + self.entries[:turn]:
                if entry.problem or (entry.rounds and number >= entry.rounds + warm_up):
                    continue
                entry.take(number, number >= warm_up)
        return self

    def find(self, label):
        return next((entry for entry in self.entries if entry.label == label), None)

    @property
    def ours(self):
        return next((entry for entry in self.entries if entry.ours), None)

    def as_json(self):
        return {"job": self.key, "title": self.title,
                "results": [entry.as_json() for entry in self.entries]}
