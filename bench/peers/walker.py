#!/usr/bin/python3
"""Walks a program's tree as users of these libraries do: walker.py pyatspi|libatspi PROGRAM. Each line asks for one walk of all
of it: role, name, states, place. Each answer is a JSON line; times are nanoseconds of the monotonic clock."""
import json
import sys
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi  # noqa: E402

LIBRARY, WANTED = sys.argv[1:3]
sys.setrecursionlimit(10000)
MOST_CHILDREN = 10000  # a sheet says that it has 2,147,483,647 cells


def roots():
    if LIBRARY == "pyatspi":
        import pyatspi
        return [root for root in pyatspi.Registry.getDesktop(0) if root]
    desktop = Atspi.get_desktop(0)
    return [desktop.get_child_at_index(i) for i in range(desktop.get_child_count())]


def walk_pyatspi(node):
    import pyatspi
    node.getRole(), node.name, node.getState().getStates()
    try:
        node.queryComponent().getExtents(pyatspi.DESKTOP_COORDS)
    except NotImplementedError:
        pass
    count = 1
    children = node.childCount
    for i in range(children if children < MOST_CHILDREN else 0):
        child = node.getChildAtIndex(i)
        count += walk_pyatspi(child) if child else 0
    return count


def walk_libatspi(node):
    node.get_role(), node.get_name(), node.get_state_set().get_states()
    component = node.get_component_iface()
    if component:
        component.get_extents(Atspi.CoordType.SCREEN)
    count = 1
    children = node.get_child_count()
    for i in range(children if children < MOST_CHILDREN else 0):
        child = node.get_child_at_index(i)
        count += walk_libatspi(child) if child else 0
    return count


walk = {"pyatspi": walk_pyatspi, "libatspi": walk_libatspi}[LIBRARY]
for _ in sys.stdin:
    try:
        root = next(root for root in roots() if root and WANTED in (root.get_name() or "").lower())
        start = time.monotonic_ns()
        nodes = walk(root)
        print(json.dumps({"start": start, "end": time.monotonic_ns(), "nodes": nodes}), flush=True)
    except Exception as problem:  # a peer's failure is told, whatever it is
        print(json.dumps({"error": repr(problem)}), flush=True)
