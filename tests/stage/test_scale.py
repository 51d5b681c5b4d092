"""A scaled desktop: every toolkit draws at the scale that was asked for, once and not twice."""
import functools
import os
import signal
import subprocess
import tempfile
import time

import pytest
from stages import Stage

GTK3 = """
import gi, os
gi.require_version("Gtk", "3.0")
from gi.repository import Gtk
window = Gtk.Window(); label = Gtk.Label(label="Hello World"); window.add(label)
def tick(label, clock):
    if not label.get_mapped(): return True
    print(label.get_layout().get_pixel_size().width * window.get_scale_factor(), flush=True)
    os._exit(0)
label.add_tick_callback(tick)
window.show_all(); Gtk.main()
"""

GTK4 = """
import gi, os
gi.require_version("Gtk", "4.0")
from gi.repository import Gtk
application = Gtk.Application()
def tick(label, clock):
    if label.get_width() == 0: return True
    print(label.get_layout().get_pixel_size().width * label.get_scale_factor(), flush=True)
    os._exit(0)
def activate(_):
    window = Gtk.ApplicationWindow(application=application); label = Gtk.Label(label="Hello World")
    window.set_child(label); label.add_tick_callback(tick); window.present()
application.connect("activate", activate); application.run()
"""

QT5 = """
import os
from PyQt5.QtWidgets import QApplication, QLabel
class Label(QLabel):
    def paintEvent(self, event):
        print(self.fontMetrics().horizontalAdvance("Hello World") * self.devicePixelRatioF(), flush=True)
        os._exit(0)
application = QApplication([]); label = Label("Hello World"); label.show(); application.exec_()
"""

PAGE = "<title>x</title><script>document.title = 'ratio ' + devicePixelRatio + ' end'</script>"


def text_width(stage, program):
    done = stage.run("/usr/bin/python3", "-c", program)
    assert done.returncode == 0, done.stderr
    return float(done.stdout)


def chromium_ratio(stage):
    """What a page says its scale is, in its title."""
    page = stage.directory / "page.html"
    page.write_text(PAGE)
    browser = subprocess.Popen(
        ["chromium", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", f"--user-data-dir={stage.directory}/chromium",
         page.as_uri()], env=stage.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    spy = ("for w in $(xprop -root _NET_CLIENT_LIST | grep -o '0x[0-9a-f]*'); "
           "do xprop -id $w _NET_WM_NAME; done")
    try:
        until = time.monotonic() + 20
        while "ratio " not in (titles := stage.run("bash", "-c", spy).stdout):
            assert time.monotonic() < until, titles
        return float(titles.split("ratio ")[1].split(" end")[0])
    finally:
        browser.terminate()
        browser.wait()


@functools.lru_cache
def width_at_scale_one(program):
    with tempfile.TemporaryDirectory(prefix="hf") as runtime:
        stage = Stage(runtime).ready()
        try:
            return text_width(stage, program)
        finally:
            stage.close()


@pytest.mark.parametrize("scale", [1.25, 1.75, 2, 2.5])
@pytest.mark.parametrize("program", [GTK3, GTK4, QT5], ids=["gtk3", "gtk4", "qt5"])
def test_text_grows_by_the_scale(start, program, scale):
    stage = start(scale=scale, own_home=True).ready()
    growth = text_width(stage, program) / width_at_scale_one(program)
    # Glyphs are fitted to whole pixels, which small sizes do unevenly.
    assert growth == pytest.approx(scale, rel=0.06)


@pytest.mark.parametrize("scale", [1.25, 2])
def test_chromium(start, scale):
    stage = start(scale=scale, own_home=True).ready()
    assert chromium_ratio(stage) == scale
    stage.stop()


def test_settings_manager_is_started_again(start):
    stage = start(scale=2).ready()
    os.kill(stage.pids["settings"], signal.SIGKILL)
    message = stage.expect("server-died")
    assert message["which"] == "settings" and message["restarting"]
    assert text_width(stage, GTK4) / width_at_scale_one(GTK4) == pytest.approx(2, rel=0.06)


def test_scale_one_needs_no_settings(start):
    assert "settings" not in start().ready().pids
