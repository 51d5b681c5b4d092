"""Shows the items of a screen with GTK 3, and tells where each word stands. A specification is a line of JSON on the input; so is
the answer."""
import json
import sys

import gi
gi.require_version("Gtk", "3.0")
from gi.repository import GLib, Gtk, Pango  # noqa: E402


def words_of(text):
    at = 0
    for word in text.split():
        at = text.index(word, at)
        yield word, at
        at += len(word)


class Painter:
    def __init__(self):
        self.window = Gtk.Window(type=Gtk.WindowType.POPUP)
        self.window.move(0, 0)
        self.fixed = None

    def style(self, widget, css):
        provider = Gtk.CssProvider()
        provider.load_from_data(css.encode())
        widget.get_style_context().add_provider(provider, Gtk.STYLE_PROVIDER_PRIORITY_USER)

    def label(self, spec, item):
        label = Gtk.Label(label=item["text"])
        weight = "bold" if item["bold"] else "normal"
        self.style(label, f"label {{ font: {weight} {spec['size']}px '{spec['font']}', '{spec['chinese']}'; color: {item['colour']}; text-shadow: none; }}")
        return label

    def widget(self, spec, item, label):
        if item["kind"] == "label":
            return label
        box = Gtk.Button() if item["kind"] == "button" else Gtk.Box()
        self.style(box, f"* {{ background: {item['ground']}; border: 1px solid {item['colour']}; padding: 3px 9px; box-shadow: none; min-height: 0; }}")
        box.add(label)
        return box

    def show(self, spec):
        if self.fixed:
            self.fixed.destroy()
        self.fixed = Gtk.Fixed()
        self.style(self.window, f"window {{ background: {spec['ground']}; }}")
        labels = []
        for item in spec["items"]:
            label = self.label(spec, item)
            self.fixed.put(self.widget(spec, item, label), item["x"], item["y"])
            labels.append((item, label))
        self.window.add(self.fixed)
        self.window.set_size_request(spec["width"], spec["height"])
        self.window.resize(spec["width"], spec["height"])
        self.window.show_all()
        return labels

    def places(self, labels):
        for number, (item, label) in enumerate(labels):
            layout = label.get_layout()
            left, top = label.get_layout_offsets()
            for word, at in words_of(item["text"]):
                first = len(item["text"][:at].encode())
                last = first + len(word.encode())
                begin, end = layout.index_to_pos(first), layout.index_to_pos(last)
                yield {"item": number, "text": word, "x": left + begin.x / Pango.SCALE, "y": top + begin.y / Pango.SCALE,
                       "width": (end.x - begin.x) / Pango.SCALE, "height": begin.height / Pango.SCALE}


def main():
    painter = Painter()

    def settle(labels, left):
        if left:
            GLib.timeout_add(40, settle, labels, left - 1)
        else:
            print(json.dumps(list(painter.places(labels))), flush=True)
        return False

    def receive(source, condition):
        line = sys.stdin.readline()
        if not line:
            Gtk.main_quit()
            return False
        settle(painter.show(json.loads(line)), 5)
        return True

    GLib.io_add_watch(GLib.IOChannel.unix_new(0), GLib.PRIORITY_DEFAULT, GLib.IOCondition.IN | GLib.IOCondition.HUP, receive)
    Gtk.main()


main()
