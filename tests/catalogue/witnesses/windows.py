"""The windows that the X server knows: {"window": TITLE, "there": true | false}; TITLE is a part of it."""


class Windows:
    def __init__(self, program, spec):
        self.program, self.spec = program, spec

    def titles(self):
        return [window["title"] for window in self.program.reader.ask("windows")["windows"]]

    def before(self):
        return self.titles()

    def holds(self, before):
        return any(self.spec["window"] in title for title in self.titles()) == self.spec.get("there", True)

    def seen(self):
        return str(self.titles())[:200]
