"""What it costs a program to be looked at: a person types into tests/apps/heartbeat_gtk3.py, which tells of itself."""
import contextlib
import json
import pathlib
import subprocess
import threading
import time

from handfast import inner_pid
from human import Human

PROGRAM = pathlib.Path(__file__).resolve().parent.parent / "apps" / "heartbeat_gtk3.py"
LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Heartbeat:
    """The program, on the desktop of `environment`, with the focus. `start` starts a program there."""

    def __init__(self, start, environment, await_window, buttons=60):
        self.program = start("/usr/bin/python3", str(PROGRAM), str(buttons), text=True, stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.window = await_window("heartbeat", inner_pid(self.program.pid))
        self.person = Human(environment)

    def order(self, word):
        self.program.stdin.write(word + "\n")
        self.program.stdin.flush()
        return json.loads(self.program.stdout.readline())

    def type(self, keys, pause):
        for number in range(keys):
            self.person.chord(ord(LETTERS[number % len(LETTERS)]))
            time.sleep(pause)

    def measure(self, keys, pause):
        """Types that many keys; {keys, cpu_ms, mean_ms, p95_ms, max_ms} as the program saw it."""
        self.order("begin")
        self.type(keys, pause)
        end = time.monotonic() + 30
        while True:
            told = self.order("tell")
            if told["keys"] == keys or time.monotonic() > end:
                return told
            time.sleep(0.1)

    def end(self):
        self.person.close()
        self.program.kill()
        self.program.wait()
        self.program.stdin.close()
        self.program.stdout.close()


@contextlib.contextmanager
def repeatedly(action, seconds):
    """Does something again and again beside what is in the block; gives the list of what came of it."""
    over, results = threading.Event(), []

    def go_on():
        while not over.wait(seconds):
            results.append(action())
    thread = threading.Thread(target=go_on)
    thread.start()
    try:
        yield results
    finally:
        over.set()
        thread.join()


def measure_ways(start, environment, await_window, look, keys, pause, rest_s=2.0, looks_s=0.5):
    """One round: {"never", "once", "often"} -> what the program told. Each way has a program of its own. Looks see it whole."""
    told = {}
    for way in ("never", "once", "often"):
        heart = Heartbeat(start, environment, await_window)
        try:
            heart.measure(20, pause)  # until everything is loaded
            if way == "never":
                time.sleep(rest_s)
                told[way] = heart.measure(keys, pause)
            elif way == "once":
                look(heart.window)
                time.sleep(rest_s)
                told[way] = heart.measure(keys, pause)
            else:
                for _ in range(3):
                    look(heart.window)
                    time.sleep(looks_s)
                with repeatedly(lambda: look(heart.window), looks_s) as looks:
                    told[way] = heart.measure(keys, pause)
                told[way]["looks"] = len(looks)
        finally:
            heart.end()
    return told
