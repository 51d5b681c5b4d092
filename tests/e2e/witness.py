"""Programs that write down what they saw."""
import json
import pathlib
import queue
import subprocess
import threading

from handfast import PROGRAM, SLOW

RECORDER = pathlib.Path(PROGRAM).parent / "tests" / "apps" / "recorder"


class Witness:
    """A program that writes down what it saw, one JSON object a line."""

    def __init__(self, desk, *command, desktop="main", **options):
        self.process = desk.spawn(*command, desktop=desktop, stdout=subprocess.PIPE, **options)
        self.lines = queue.Queue()
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()
        self.ready = self.next("ready", 20)

    def read(self):
        for line in self.process.stdout:
            self.lines.put(json.loads(line))

    def all(self, mark, seconds=5):
        """Everything seen until `mark` holds for a line, that one included."""
        seen = []
        while not seen or not mark(seen[-1]):
            try:
                seen.append(self.lines.get(timeout=seconds * SLOW))
            except queue.Empty:
                raise AssertionError(f"not seen by a program that {self.health()}; but these: {seen[-20:]}") from None
        return seen

    def health(self):
        status = self.process.poll()
        return "is still there" if status is None else f"has ended with status {status}"

    def next(self, event, seconds=5):
        """The next event of this kind; others are passed over."""
        return self.all(lambda line: line["event"] == event, seconds)[-1]

    def stop(self):
        self.process.kill()
        self.process.wait()
        self.reader.join()
        self.process.stdout.close()
