"""A second pair of eyes on a display: what the X server itself says, and windows of any kind on it."""
import os
import pathlib
import unittest.mock

import Xlib.X
import Xlib.display
import Xlib.ext.xtest


class Screen:
    """One connection of a test's own."""

    def __init__(self, environment):
        with unittest.mock.patch.dict(os.environ, environment):  # Xlib looks for XAUTHORITY there
            self.x = Xlib.display.Display(environment["DISPLAY"])
        self.root = self.x.screen().root
        self.windows = []

    def bounds(self, window_id):
        window = self.x.create_resource_object("window", window_id)
        geometry, place = window.get_geometry(), self.root.translate_coords(window, 0, 0)
        return {"x": place.x, "y": place.y, "width": geometry.width, "height": geometry.height}

    def focused(self):
        """The focus window and all that it lies in."""
        window, chain = self.x.get_input_focus().focus, []
        while hasattr(window, "query_tree") and window != self.root:
            chain.append(window.id)
            window = window.query_tree().parent
        return chain

    def property(self, window_id, name):
        value = self.x.create_resource_object("window", window_id).get_full_property(self.x.intern_atom(name), 0)
        return value.value if value else None

    def window(self, title=None, x=100, y=100, width=200, height=100, kind="UTF8_STRING", transient_for=None, hints=None):
        window = self.root.create_window(x, y, width, height, 0, self.x.screen().root_depth)
        if title is not None:
            name = "WM_NAME" if kind != "UTF8_STRING" else "_NET_WM_NAME"
            for part in range(0, max(len(title), 1), 200000):
                window.change_property(self.x.intern_atom(name), self.x.intern_atom(kind), 8, title[part:part + 200000],
                                       Xlib.X.PropModeAppend)
        if transient_for:
            window.set_wm_transient_for(transient_for)
        if hints:
            window.set_wm_normal_hints(**hints)
        window.map()
        self.x.sync()
        self.windows.append(window)
        return window

    def press(self, keysym):
        """A key of the user's."""
        code = self.x.keysym_to_keycode(keysym)
        for kind in (Xlib.X.KeyPress, Xlib.X.KeyRelease):
            Xlib.ext.xtest.fake_input(self.x, kind, code)
        self.x.sync()

    def close(self):
        for window in self.windows:
            window.destroy()
        self.x.close()


def window_manager(display):
    """The process of openbox on a display."""
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            ours = f"DISPLAY={display}".encode() in (folder / "environ").read_bytes().split(b"\0")
            if ours and (folder / "comm").read_text() == "openbox\n":
                return int(folder.name)
        except OSError:
            continue
    raise AssertionError(f"no openbox on {display}")
