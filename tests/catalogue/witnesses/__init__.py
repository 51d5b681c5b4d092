"""What a program's own state says. Each kind of witness is a file with a class: `before()` is asked before the action and
kept, `holds(before)` is true once the program has got it, `seen()` says in words what there is. None of them uses what it
witnesses for: they read files, pages' reports, the X server, or the tree with a reader of their own."""
from .folder import Folder
from .report import Report
from .saved import Saved
from .sheet import Sheet
from .tree import Tree
from .windows import Windows

KINDS = {"tree": Tree, "saved": Saved, "report": Report, "folder": Folder, "sheet": Sheet, "window": Windows}


def witness(program, spec):
    """The witness that a row names: the key that is the name of a kind."""
    kind = next(kind for kind in spec if kind in KINDS)
    return KINDS[kind](program, spec)
