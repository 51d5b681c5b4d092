"""The rows of a window of things that do something and things that do not, whatever draws them. All rows are equally
high, so that a test knows where they are. Each thing that happens is written to standard output, one JSON object a line:
the witness of whether an action reached the program.

Arguments: `clock` (a label that counts by itself every 100 ms), `title` (so does the title, every 90 ms), `seconds` (the
label, every 700 ms), `quick` (the label, every 20 ms), `now and then` (the label, after 50 to 900 ms, by chance),
`late` (the answer changes by itself a second after a click on the dead button)."""
import json
import random
import sys
import time

ROWS = ["dead", "dialog", "modal", "title", "label", "answer", "check", "entry", "locked entry", "locked button", "clock"]
ROW = 36
WIDTH, HEIGHT = 360, ROW * len(ROWS)


class Program:
    def __init__(self):
        self.count = 0
        self.ticks = 0
        self.armed = 0
        self.pause = 0
        self.build()
        if "late" in sys.argv:
            self.every(500, self.on_late)
        if "clock" in sys.argv or "seconds" in sys.argv:
            self.every(100 if "clock" in sys.argv else 700, self.tick)
        if "quick" in sys.argv:
            self.every(20, self.tick)
        if "now and then" in sys.argv:
            self.every(10, self.tick_by_chance)
        if "title" in sys.argv:
            self.every(90, lambda: self.set_title(f"Effects {self.next_tick()}"))
        self.run()

    def tell(self, event, **more):
        print(json.dumps({"event": event, "at": time.monotonic(), **more}), flush=True)

    def ready(self):
        self.tell("ready")

    def make_rows(self, add):
        makers = {
            "dead": lambda: self.button("Dead", self.on_dead),
            "dialog": lambda: self.button("Dialog", self.on_dialog),
            "modal": lambda: self.button("Modal", lambda: self.dialog(True)),
            "title": lambda: self.button("Title", self.on_title),
            "label": lambda: self.button("Label", self.on_label),
            "answer": lambda: self.keep("answer", self.label("answer 0")),
            "check": lambda: self.check("Check", lambda on: self.tell("checked", on=on)),
            "entry": lambda: self.entry("Field"),
            "locked entry": lambda: self.disable(self.entry("Locked field")),
            "locked button": lambda: self.disable(self.button("Locked", lambda: self.tell("clicked", what="locked"))),
            "clock": lambda: self.keep("clock", self.label("ticks 0")),
        }
        for name in ROWS:
            add(makers[name]())

    def keep(self, name, widget):
        setattr(self, name + "_label", widget)
        return widget

    def next_tick(self):
        self.ticks += 1
        return self.ticks

    def tick(self):
        self.clock_label.set_label(f"ticks {self.next_tick()}")

    def tick_by_chance(self):
        self.pause -= 10
        if self.pause <= 0:
            self.pause = random.randrange(50, 900)
            self.tick()

    def on_dead(self):
        self.armed = 3
        self.tell("clicked", what="dead")

    def on_late(self):
        self.armed -= 1
        if self.armed == 0:
            self.count += 1
            self.answer_label.set_label(f"answer {self.count}")
            self.tell("late")

    def on_dialog(self):
        self.tell("clicked", what="dialog")
        self.dialog(False)

    def on_title(self):
        self.count += 1
        self.set_title(f"Effects number {self.count}")
        self.tell("clicked", what="title")

    def on_label(self):
        self.count += 1
        self.answer_label.set_label(f"answer {self.count}")
        self.tell("clicked", what="label")

    def set_title(self, title):
        self.window.set_title(title)
