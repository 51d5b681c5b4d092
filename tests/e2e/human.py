"""A person in front of a display: input from the server's own devices, which is not XTEST's."""
import ctypes
import ctypes.util
import os
import subprocess
import unittest.mock

import Xlib.XK

XTST = ctypes.CDLL(ctypes.util.find_library("Xtst"))
XI = ctypes.CDLL(ctypes.util.find_library("Xi"))
X11 = ctypes.CDLL(ctypes.util.find_library("X11"))
X11.XOpenDisplay.restype = ctypes.c_void_p
X11.XOpenDisplay.argtypes = [ctypes.c_char_p]
X11.XSync.argtypes = [ctypes.c_void_p, ctypes.c_int]
X11.XCloseDisplay.argtypes = [ctypes.c_void_p]
X11.XKeysymToKeycode.argtypes = [ctypes.c_void_p, ctypes.c_ulong]
XI.XOpenDevice.restype = ctypes.c_void_p
XI.XOpenDevice.argtypes = [ctypes.c_void_p, ctypes.c_ulong]
XTST.XTestFakeDeviceKeyEvent.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint, ctypes.c_int,
                                         ctypes.POINTER(ctypes.c_int), ctypes.c_int, ctypes.c_ulong]
XTST.XTestFakeDeviceButtonEvent.argtypes = XTST.XTestFakeDeviceKeyEvent.argtypes
XTST.XTestFakeDeviceMotionEvent.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_int,
                                            ctypes.POINTER(ctypes.c_int), ctypes.c_int, ctypes.c_ulong]

ESCAPE, CONTROL, SHIFT = Xlib.XK.XK_Escape, Xlib.XK.XK_Control_L, Xlib.XK.XK_Shift_L
STOP_CHORD = (CONTROL, SHIFT, ESCAPE)


class Human:
    """The keyboard and mouse of an Xvfb."""

    def __init__(self, environment):
        with unittest.mock.patch.dict(os.environ, environment):  # for XAUTHORITY
            self.display = X11.XOpenDisplay(environment["DISPLAY"].encode())
        self.keyboard = self.open(environment, "Xvfb keyboard")
        self.mouse = self.open(environment, "Xvfb mouse")

    def open(self, environment, name):
        number = subprocess.run(["xinput", "list", "--id-only", name], env=environment, capture_output=True, check=True)
        return XI.XOpenDevice(self.display, int(number.stdout))

    def key(self, keysym, down):
        code = X11.XKeysymToKeycode(self.display, keysym) & 0xff
        assert code, hex(keysym)
        XTST.XTestFakeDeviceKeyEvent(self.display, self.keyboard, code, down, None, 0, 0)
        X11.XSync(self.display, 0)

    def chord(self, *keysyms):
        """Down in order, up in reverse."""
        for keysym in keysyms:
            self.key(keysym, 1)
        for keysym in reversed(keysyms):
            self.key(keysym, 0)

    def press_stop(self):
        self.chord(*STOP_CHORD)

    def move(self, x, y):
        """By so much."""
        axes = (ctypes.c_int * 2)(x, y)
        XTST.XTestFakeDeviceMotionEvent(self.display, self.mouse, 1, 0, axes, 2, 0)
        X11.XSync(self.display, 0)

    def click(self, button=1):
        for down in (1, 0):
            XTST.XTestFakeDeviceButtonEvent(self.display, self.mouse, button, down, None, 0, 0)
        X11.XSync(self.display, 0)

    def close(self):
        X11.XCloseDisplay(self.display)
