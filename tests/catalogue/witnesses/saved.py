"""A file that the program wrote: {"saved": NAME, "text": TEXT | "has": TEXT | "exists": true}; NAME is a file in the program's
folder. An editor is made to save first, by its own shortcut, unless the row is about saving ("by_itself": true)."""


class Saved:
    def __init__(self, program, spec):
        self.program, self.spec = program, spec
        self.file = program.folder / spec["saved"]

    def read(self):
        return self.file.read_text(errors="replace").rstrip("\n") if self.file.exists() else None

    def before(self):
        return self.read()

    def holds(self, before):
        if not self.spec.get("by_itself"):
            self.program.save()
        now, spec = self.read(), self.spec
        if now is None:
            return False
        if "text" in spec:
            return now == spec["text"]
        return spec["has"] in now if "has" in spec else True

    def seen(self):
        return repr(self.read())[:200]
