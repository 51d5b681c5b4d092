#!/usr/bin/python3
"""One GTK 3 widget of each kind, with what becomes of it as JSON lines on stdout."""
import json

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GLib, Gtk  # noqa: E402


def say(event, **facts):
    print(json.dumps({"event": event, **facts}), flush=True)


def named(widget, name):
    widget.get_accessible().set_name(name)
    return widget


def item(label, kind=Gtk.MenuItem):
    entry = kind(label=label, use_underline=True)
    entry.connect("activate", lambda _: say("menu", item=label))
    return entry


def menu(*items):
    shell = Gtk.Menu()
    for entry in items:
        shell.append(entry)
    shell.show_all()
    return shell


def under(label, *items):
    entry = Gtk.MenuItem(label=label, use_underline=True)
    entry.set_submenu(menu(*items))
    return entry


def menu_bar():
    bar = Gtk.MenuBar()
    dead = item("Print...")
    dead.set_sensitive(False)
    bar.append(under("_File", item("_Open..."), item("Save _As..."), under("_Recent", item("One"), item("Two")), dead))
    bar.append(under("_View", item("_Wrap", Gtk.CheckMenuItem)))
    return bar


def buttons(box):
    press = Gtk.Button(label="Press me")
    press.connect("clicked", lambda _: say("pressed"))
    agree = Gtk.CheckButton(label="Agree")
    agree.connect("toggled", lambda widget: say("agree", on=widget.get_active()))
    bold = Gtk.ToggleButton(label="Bold")
    bold.connect("toggled", lambda widget: say("bold", on=widget.get_active()))
    power = named(Gtk.Switch(), "Power")
    power.connect("notify::active", lambda widget, _: say("power", on=widget.get_active()))
    dead = Gtk.Button(label="Dead", sensitive=False)
    later = Gtk.Button(label="Later")
    later.connect("clicked", lambda _: GLib.timeout_add(400, arrive, box))
    for widget in (press, agree, bold, power, dead, Gtk.Button(label="Lifeless"), later):
        box.add(widget)


def arrive(box):
    label = Gtk.Label(label="Arrived")
    box.add(label)
    label.show()
    return GLib.SOURCE_REMOVE


def fields(box):
    name = named(Gtk.Entry(), "User name")
    name.connect("changed", lambda widget: say("name", text=widget.get_text()))
    name.connect("focus-in-event", lambda *_: say("focus", on="name"))
    secret = named(Gtk.Entry(visibility=False), "Secret")
    secret.connect("changed", lambda widget: say("secret", text=widget.get_text()))
    notes = named(Gtk.TextView(), "Notes")
    notes.set_size_request(200, 60)
    buffer = notes.get_buffer()
    buffer.connect("changed", lambda each: say("notes", text=each.get_text(*each.get_bounds(), False)))
    notes.connect("populate-popup", lambda *_: say("popup"))
    amount = named(Gtk.SpinButton.new_with_range(0, 100, 5), "Amount")
    amount.connect("value-changed", lambda widget: say("amount", value=widget.get_value()))
    volume = named(Gtk.Scale.new_with_range(Gtk.Orientation.HORIZONTAL, 0, 10, 1), "Volume")
    volume.connect("value-changed", lambda widget: say("volume", value=widget.get_value()))
    locked = named(Gtk.Entry(text="fixed", editable=False), "Locked")
    for widget in (name, secret, notes, amount, volume, locked):
        box.add(widget)


def choices(box):
    colour = named(Gtk.ComboBoxText(), "Colour")
    for text in ("red", "green", "blue"):
        colour.append_text(text)
    colour.set_active(0)
    colour.connect("changed", lambda widget: say("colour", text=widget.get_active_text()))
    fruits = named(Gtk.ListBox(), "Fruits")
    for text in ("apple", "pear", "plum"):
        fruits.add(named(row := Gtk.ListBoxRow(), text))
        row.add(Gtk.Label(label=text))
    fruits.connect("row-selected", lambda _, chosen: chosen and say("fruit", index=chosen.get_index()))
    pages = Gtk.Notebook()
    for text in ("First", "Second"):
        pages.append_page(Gtk.Label(label=f"page {text}"), Gtk.Label(label=text))
    pages.connect("switch-page", lambda _, page, number: say("page", number=number))
    more = Gtk.Expander(label="Details")
    more.add(Gtk.Label(label="inside"))
    more.connect("notify::expanded", lambda widget, _: say("expanded", on=widget.get_expanded()))
    for widget in (colour, fruits, pages, more, tree()):
        box.add(widget)


def tree():
    store = Gtk.TreeStore(str)
    for text in ("animals", "plants"):
        parent = store.append(None, [text])
        store.append(parent, [f"{text} child"])
    view = named(Gtk.TreeView(model=store, headers_visible=False), "Kinds")
    view.append_column(Gtk.TreeViewColumn("kind", Gtk.CellRendererText(), text=0))
    view.connect("row-expanded", lambda *_: say("row", on=True))
    view.connect("row-collapsed", lambda *_: say("row", on=False))
    view.get_selection().connect("changed", lambda chosen: say("kind", count=chosen.count_selected_rows()))
    return view


def rows():
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    for number in range(60):
        button = Gtk.Button(label=f"Row {number}")
        button.connect("clicked", lambda _, each: say("row-pressed", number=each), number)
        box.add(button)
    scrolled = Gtk.ScrolledWindow()
    scrolled.add(box)
    scrolled.get_vadjustment().connect("value-changed", lambda each: say("scrolled", value=each.get_value()))
    return scrolled


def canvas():
    box = Gtk.EventBox()
    box.add(Gtk.Label(label="Canvas"))
    popup = menu(item("_Cut"), item("Co_py"))

    def pressed(_, event):
        if event.button == Gdk.BUTTON_SECONDARY:
            popup.popup_at_pointer(event)

    box.connect("button-press-event", pressed)
    return box


def main():
    window = Gtk.Window(title="GTK 3 widgets")
    window.set_default_size(900, 640)
    window.connect("destroy", Gtk.main_quit)
    columns = [Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=4) for _ in range(3)]
    buttons(columns[0])
    columns[0].add(canvas())
    fields(columns[1])
    choices(columns[2])
    inside = Gtk.Box(spacing=8)
    for column in columns:
        inside.pack_start(column, True, True, 0)
    inside.pack_start(rows(), True, True, 0)
    outside = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    outside.add(menu_bar())
    outside.pack_start(inside, True, True, 0)
    window.add(outside)
    window.show_all()
    window.connect_after("map-event", lambda *_: GLib.timeout_add(200, lambda: say("ready")) and False)
    Gtk.main()


main()
