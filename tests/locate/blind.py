"""Programs of the blind set: real ones, as people have them, and pages. None of them is in another set, and the descriptions were
written from pictures of them by someone who did not know how targets are located."""
import io
import re
import subprocess
import tarfile

from PIL import Image, ImageDraw, ImageFont

from applications import CHINESE, Page, eventually
from truth import part, tree
from tuning import Lone

WINDOW = re.compile(r"(\d+)x(\d+)\+-?\d+\+-?\d+  \+(\d+)\+(\d+)")
SERIF = "/usr/share/fonts/truetype/dejavu/DejaVuSerif.ttf"


class Installed(Lone):
    """A program as it comes, with a home where it has never been before."""
    toolkit = "GTK 3"
    language = {}

    def prepare(self):
        self.environment = {**self.environment, **self.language, "HOME": str(self.folder), "XDG_CONFIG_HOME": str(self.folder / ".config"),
                            "XDG_DATA_HOME": str(self.folder / ".local"), "XDG_CACHE_HOME": str(self.folder / ".cache"), "GSETTINGS_BACKEND": "memory"}
        self.fill()

    def fill(self):
        """Makes the files that the program opens."""

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


class Qalculate(Installed):
    name, line = "qalculate", ("qalculate-gtk",)


class GeanyZh(Installed):
    name, language = "geany-zh", CHINESE
    code = """import csv

LIMIT = 40


class Order:
    def __init__(self, number, price):
        self.number = number
        self.price = price

    def total(self):
        return self.number * self.price


def read_orders(path):
    with open(path) as file:
        return [Order(int(n), float(p)) for n, p in csv.reader(file)]


def print_report(orders):
    for order in orders:
        print(order.number, order.total())
"""

    def fill(self):
        self.write("work/orders.py", self.code)
        self.write("work/README.md", "# Orders\n\nReads orders and prints them.\n")

    def command(self):
        return ["geany", "--new-instance", "--no-session", "--no-msgwin", self.folder / "work/README.md", self.folder / "work/orders.py"]


class Meld(Installed):
    name = "meld"

    def fill(self):
        self.write("old/recipe.txt", "Pancakes\n\n200 g flour\n2 eggs\n300 ml milk\n\nMix all and wait.\nBake in butter.\n")
        self.write("new/recipe.txt", "Pancakes\n\n250 g flour\n2 eggs\n300 ml milk\n1 pinch of salt\n\nMix all and wait.\n")

    def command(self):
        return ["meld", self.folder / "old/recipe.txt", self.folder / "new/recipe.txt"]


class Gtk2Installed(Installed):
    toolkit, environment = "GTK 2", {"GTK_MODULES": "gail:atk-bridge"}


class Sylpheed(Gtk2Installed):
    """It begins with a dialog, in front of which nothing else may come."""
    name, line = "sylpheed", ("sylpheed",)
    behind = "Sylpheed 3.8.0beta1"


class XarchiverZh(Installed):
    name, language = "xarchiver-zh", CHINESE

    def fill(self):
        with tarfile.open(self.folder / "旅行.tar", "w") as archive:
            for name, size in (("行程.txt", 900), ("tickets.pdf", 48000), ("hotel.html", 5200), ("photos/beach.jpg", 91000), ("photos/temple.jpg", 88000)):
                entry = tarfile.TarInfo(name)
                entry.size, entry.mtime = size, 1714984200
                archive.addfile(entry, io.BytesIO(b"x" * size))

    def command(self):
        return ["xarchiver", self.folder / "旅行.tar"]


class QtInstalled(Installed):
    toolkit = "Qt 5"


class SpeedCrunch(QtInstalled):
    name, line = "speedcrunch", ("speedcrunch",)

    def fill(self):
        self.write(".config/SpeedCrunch/SpeedCrunch.ini", "[SpeedCrunch]\nLayout\\KeypadVisible=true\nLayout\\ConstantsDockVisible=true\n")


class GnomeClocks(Installed):
    """Its frame has another name than its window, so that the reader tells of places within the window. The border that it
    draws itself is as wide on all sides."""
    name, toolkit, line, environment = "gnome-clocks", "GTK 4", ("gnome-clocks",), {"GSK_RENDERER": "cairo"}

    def drawn_places(self, rule):
        frame, window = self.reader.ask("find_all", pid=self.pid, query='window "ClocksWindow"')["found"][0]["place"], self.window_place()
        across, down = window[0] + (window[2] - frame[2]) // 2, window[1] + (window[3] - frame[3]) // 2
        return [[x + across, y + down, width, height] for x, y, width, height in (part if " of " in rule else tree)(self, rule)]

    def window_place(self):
        return next(each["place"] for each in self.reader.ask("windows")["windows"] if each["id"] == self.window)

    def rectangle(self, query):
        return eventually(lambda: self.drawn_places(query), 3, f"{query} in {self.name}")[0]


class TransmissionZh(Installed):
    name, line, language = "transmission-zh", ("transmission-gtk",), CHINESE

    def fill(self):
        self.write(".config/transmission/settings.json", '{"user-has-given-informed-consent": true, "dht-enabled": false, "lpd-enabled": false}')


def write_pages(path, texts):
    """A PDF of pictures, a page for each text."""
    pages = []
    for number, text in enumerate(texts, 1):
        page = Image.new("RGB", (595, 842), "white")
        pen = ImageDraw.Draw(page)
        pen.text((70, 80), text, font=ImageFont.truetype(SERIF, 28), fill="black")
        pen.text((70, 150), "\n".join(["The lease runs for twelve months."] * 6), font=ImageFont.truetype(SERIF, 15), fill="black")
        pen.text((290, 790), str(number), font=ImageFont.truetype(SERIF, 14), fill="black")
        pages.append(page)
    pages[0].save(path, save_all=True, append_images=pages[1:])


class Atril(Installed):
    name = "atril"

    def fill(self):
        write_pages(self.folder / "lease.pdf", ["Lease agreement", "Duties of the tenant", "Rent and deposit", "Signatures"])

    def command(self):
        return ["atril", self.folder / "lease.pdf"]


class QPdfView(QtInstalled):
    name = "qpdfview"

    def fill(self):
        write_pages(self.folder / "manual.pdf", ["User manual", "Before you start", "Cleaning"])

    def command(self):
        return ["qpdfview", self.folder / "manual.pdf"]


class Grsync(Installed):
    name, line = "grsync", ("grsync",)


class MinesZh(Installed):
    name, line, language = "gnome-mines-zh", ("/usr/games/gnome-mines",), CHINESE


class XCalc(Installed):
    name, toolkit = "xcalc", "Xaw, no tree"
    line = ("xcalc",)
    keys = """1/x x^2 sqrt CE/C AC INV sin cos tan DRG e EE log ln y^x not and or xor trunc pi x! ( ) base shl D E F shr
        mod A B C / STO 7 8 9 * RCL 4 5 6 - SUM 1 2 3 + EXC 0 . +/- =""".split()
    key_size = (40, 26)

    def find_window(self):
        return next((each for each in self.reader.ask("windows")["windows"] if each["title"] == "Calculator"), None)

    def wait_ready(self):
        eventually(lambda: self.drawn_places("="), self.ready_seconds, "the keys of xcalc")

    def drawn_places(self, key):
        """Every key is a window, so the X server tells its place."""
        asked = subprocess.run(["xwininfo", "-id", str(self.window), "-tree"], env=self.desk.desktop_environment(), capture_output=True, text=True, check=True)
        windows = [tuple(map(int, each)) for each in WINDOW.findall(asked.stdout)]
        found = sorted((y, x, width, height) for width, height, x, y in windows if (width, height) == self.key_size)
        return [[x, y, width, height] for name, (y, x, width, height) in zip(self.keys, found) if name == key]


INSTALLED = (Qalculate, GeanyZh, Meld, Sylpheed, XarchiverZh, SpeedCrunch, GnomeClocks, TransmissionZh, Atril, QPdfView, Grsync, MinesZh,
             XCalc)
NEW_PAGES = ("lampshop", "metrics", "guahao", "kanban")
BLIND = {kind.name: kind for kind in INSTALLED}
BLIND |= {name: type(name, (Page,), {"name": name}) for name in NEW_PAGES}
