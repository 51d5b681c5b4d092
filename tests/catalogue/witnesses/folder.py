"""What lies in the file manager's folder: {"folder": ".", "has": [NAME], "lacks": [NAME]}."""


class Folder:
    def __init__(self, program, spec):
        self.spec, self.path = spec, program.folder / spec["folder"]

    def names(self):
        return {each.name for each in self.path.iterdir()} if self.path.exists() else set()

    def before(self):
        return self.names()

    def holds(self, before):
        names = self.names()
        return set(self.spec.get("has", ())) <= names and not names & set(self.spec.get("lacks", ()))

    def seen(self):
        return str(sorted(self.names()))[:200]
