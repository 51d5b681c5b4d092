"""A spreadsheet that was saved as OpenDocument, opened as the zip archive that it is: {"sheet": CELL, "text": TEXT}, or
{"sheet": "content", "matches": REGEX} on its content.xml, {"sheet": "settings", ...} on its settings.xml."""
import re
import xml.etree.ElementTree
import zipfile

TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"


class Sheet:
    def __init__(self, program, spec):
        self.program, self.spec = program, spec

    def part(self, name):
        try:
            with zipfile.ZipFile(self.program.file) as archive:
                return archive.read(name).decode()
        except (OSError, KeyError, zipfile.BadZipFile):
            return ""

    def cell(self, name):
        """The text of a cell such as B3 of the first sheet."""
        column, row = ord(name[0]) - ord("A"), int(name[1:]) - 1
        content = self.part("content.xml")
        table = xml.etree.ElementTree.fromstring(content).find(f".//{TABLE}table") if content else None
        at = nth(table, f"{TABLE}table-row", "rows", row) if table is not None else None
        at = nth(at, f"{TABLE}table-cell", "columns", column) if at is not None else None
        return "".join(at.itertext()) if at is not None else ""

    def before(self):
        return self.read()

    def read(self):
        name = self.spec["sheet"]
        return self.part(f"{name}.xml") if name in ("content", "settings") else self.cell(name)

    def holds(self, before):
        self.program.save()
        now = self.read()
        if "matches" in self.spec:
            return bool(re.search(self.spec["matches"], now))
        return now == self.spec["text"]

    def seen(self):
        name = self.spec["sheet"]
        if name not in ("content", "settings"):
            return repr(self.read())
        return re.sub(r"\s+", " ", self.part(f"{name}.xml"))[-200:]


def nth(parent, tag, what, index):
    """The index-th child, where equal neighbours are written once with their number."""
    for child in parent.findall(tag):
        index -= int(child.get(f"{TABLE}number-{what}-repeated", 1))
        if index < 0:
            return child
    return None
