"""What the program sees of an icon: it is painted at some size and in some colours, and looked at by the program's own code."""
import ctypes
import functools
import pathlib
import subprocess
import tempfile

import numpy

from icons import FINE

SOURCE = pathlib.Path(__file__).resolve().parents[2] / "src"
NUMBERS = 8 * 8 * 8 + 12 * 12 + 2


class Image(ctypes.Structure):
    _fields_ = [("width", ctypes.c_int), ("height", ctypes.c_int), ("stride", ctypes.c_int),
                ("pixels", ctypes.c_void_p), ("release", ctypes.c_void_p), ("owner", ctypes.c_void_p)]


class Rect(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int) for name in ("x", "y", "width", "height")]


def _build():
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "glib-2.0"], capture_output=True, text=True, check=True)
    output = pathlib.Path(tempfile.mkdtemp(prefix="symbols-")) / "look.so"
    file = SOURCE / "hand/pixels/shapes/symbol-features.c"
    subprocess.run(["cc", "-O3", "-shared", "-fPIC", f"-I{SOURCE}", file, "-o", output, "-lm", *flags.stdout.split()],
                   check=True)
    return ctypes.CDLL(str(output))


_code = _build()


def look(pixels, box, framed=False):
    """The numbers of what is in a box of a picture (rows of 32-bit pixels); None when nothing is there."""
    image = Image(pixels.shape[1], pixels.shape[0], pixels.strides[0], pixels.ctypes.data, None, None)
    numbers = numpy.empty(NUMBERS, numpy.float32)
    place = numbers.ctypes.data_as(ctypes.POINTER(ctypes.c_float))
    return numbers if _code.hf_symbol_features(ctypes.byref(image), Rect(*box), int(framed), place) else None


@functools.lru_cache(8192)
def _axis(size, scale, offset):
    """How much each fine line adds to each pixel of an icon with ground around it."""
    count, step = size + 6, FINE / (size * scale)
    edges = (numpy.arange(count + 1) - count / 2 + offset) * step + FINE / 2
    lines = numpy.arange(FINE)
    low = numpy.maximum(edges[:-1, None], lines[None])
    high = numpy.minimum(edges[1:, None], lines[None] + 1)
    return (numpy.maximum(high - low, 0) / step).astype(numpy.float32)


def shrink(fine, size, scales=(1, 1), offsets=(0, 0)):
    """The icon at a size of some pixels, with ground around it."""
    return _axis(size, scales[1], offsets[1]) @ fine @ _axis(size, scales[0], offsets[0]).T


@functools.lru_cache(64)
def _shades(ground, ink):
    """From one colour to the other."""
    shades = numpy.zeros(256, numpy.uint32)
    for shift in (0, 8, 16):
        low, high = ground >> shift & 255, ink >> shift & 255
        shades |= (low + (high - low) * numpy.arange(256) / 255 + 0.5).astype(numpy.uint32) << shift
    return shades


def paint(part, ground, ink):
    """Pixels: `part` of the ink on the ground."""
    levels = numpy.minimum(numpy.maximum(part, 0), 1) * 255 + 0.5
    return _shades(ground, ink)[levels.astype(numpy.uint8)]


def look_at(part, ground=0xFFFFFF, ink=0x202020):
    """Of an icon that was made small, in these colours."""
    pixels = paint(part, ground, ink)
    side = part.shape[0]
    return look(pixels, (2, 2, side - 4, side - 4))


def thicken(fine, dice):
    """Strokes a little heavier or lighter than they were drawn."""
    soft = fine
    for _ in range(2):
        soft = (soft + numpy.roll(soft, 1, 0) + numpy.roll(soft, -1, 0)) / 3
        soft = (soft + numpy.roll(soft, 1, 1) + numpy.roll(soft, -1, 1)) / 3
    return numpy.clip((soft - dice.uniform(0.1, 0.6)) * 3 + 0.2, 0, 1)


def _bends(count):
    """Where each fine point is taken from when an icon is turned and slanted a little, as another hand would draw it."""
    dice = numpy.random.default_rng(7)
    middle = FINE / 2
    rows, columns = numpy.mgrid[0:FINE, 0:FINE] - middle
    for _ in range(count):
        turn, slant = dice.uniform(-0.08, 0.08), dice.uniform(-0.06, 0.06)
        x = numpy.clip((columns + (turn + slant) * rows + middle).astype(int), 0, FINE - 1)
        y = numpy.clip((rows - turn * columns + middle).astype(int), 0, FINE - 1)
        yield (y * FINE + x).astype(numpy.int32)


BENDS = list(_bends(64))


SCALES, OFFSETS = numpy.linspace(0.93, 1.07, 8), numpy.linspace(-0.5, 0.5, 9)


def vary(fine, dice):
    """The numbers of the icon at some size, in some colours, drawn a little otherwise."""
    fine = fine.astype(numpy.float32) / 255
    if dice.random() < 0.5:
        fine = fine.ravel()[BENDS[dice.integers(len(BENDS))]].reshape(FINE, FINE)
    if dice.random() < 0.3:
        fine = thicken(fine, dice)
    size = int(dice.choice([14, 16, 16, 18, 20, 20, 22, 24, 24, 28, 32, 40]))
    scales, offsets = dice.choice(SCALES, 2), dice.choice(OFFSETS, 2)
    part = shrink(fine, size, tuple(scales), tuple(offsets))
    part = part * dice.uniform(0.85, 1)
    if dice.random() < 0.2:
        part = part + dice.normal(0, 0.012, part.shape)
    pairs = [(0xFFFFFF, 0x202020), (0x202020, 0xFFFFFF), (0xF4F4F4, 0x2060C0), (0x2060C0, 0xFFFFFF), (0xEEEEEE, 0x808080)]
    return look_at(part, *pairs[dice.integers(len(pairs))])
