#!/usr/bin/python3
"""One GTK 4 widget of each kind, with what becomes of it as JSON lines on stdout."""
import json

import gi

gi.require_version("Gtk", "4.0")
from gi.repository import Gio, GLib, Gtk  # noqa: E402


def say(event, **facts):
    print(json.dumps({"event": event, **facts}), flush=True)


def named(widget, name):
    widget.update_property([Gtk.AccessibleProperty.LABEL], [name])
    return widget


def buttons(box):
    press = Gtk.Button(label="Press me")
    press.connect("clicked", lambda _: say("pressed"))
    agree = Gtk.CheckButton(label="Agree")
    agree.connect("toggled", lambda widget: say("agree", on=widget.get_active()))
    bold = Gtk.ToggleButton(label="Bold")
    bold.connect("toggled", lambda widget: say("bold", on=widget.get_active()))
    power = named(Gtk.Switch(halign=Gtk.Align.START), "Power")
    power.connect("notify::active", lambda widget, _: say("power", on=widget.get_active()))
    dead = Gtk.Button(label="Dead", sensitive=False)
    later = Gtk.Button(label="Later")
    later.connect("clicked", lambda _: GLib.timeout_add(400, arrive, box))
    for widget in (press, agree, bold, power, dead, Gtk.Button(label="Lifeless"), later):
        box.append(widget)


def arrive(box):
    box.append(Gtk.Label(label="Arrived"))
    return GLib.SOURCE_REMOVE


def fields(box):
    name = named(Gtk.Entry(), "User name")
    name.connect("changed", lambda widget: say("name", text=widget.get_text()))
    secret = named(Gtk.PasswordEntry(), "Secret")
    secret.connect("changed", lambda widget: say("secret", text=widget.get_text()))
    notes = named(Gtk.TextView(), "Notes")
    notes.set_size_request(200, 60)
    buffer = notes.get_buffer()
    buffer.connect("changed", lambda each: say("notes", text=each.get_text(*each.get_bounds(), False)))
    amount = named(Gtk.SpinButton.new_with_range(0, 100, 5), "Amount")
    amount.connect("value-changed", lambda widget: say("amount", value=widget.get_value()))
    volume = named(Gtk.Scale.new_with_range(Gtk.Orientation.HORIZONTAL, 0, 10, 1), "Volume")
    volume.connect("value-changed", lambda widget: say("volume", value=widget.get_value()))
    locked = named(Gtk.Entry(text="fixed", editable=False), "Locked")
    for widget in (name, secret, notes, amount, volume, locked):
        box.append(widget)


def choices(box):
    colour = named(Gtk.ComboBoxText(), "Colour")
    for text in ("red", "green", "blue"):
        colour.append_text(text)
    colour.set_active(0)
    colour.connect("changed", lambda widget: say("colour", text=widget.get_active_text()))
    shape = named(Gtk.DropDown.new_from_strings(["circle", "square", "star"]), "Shape")
    shape.connect("notify::selected", lambda widget, _: say("shape", number=widget.get_selected()))
    fruits = named(Gtk.ListBox(), "Fruits")
    for text in ("apple", "pear", "plum"):
        row = named(Gtk.ListBoxRow(), text)
        row.set_child(Gtk.Label(label=text))
        fruits.append(row)
    fruits.connect("row-selected", lambda _, chosen: chosen and say("fruit", index=chosen.get_index()))
    pages = Gtk.Notebook()
    for text in ("First", "Second"):
        pages.append_page(Gtk.Label(label=f"page {text}"), Gtk.Label(label=text))
    pages.connect("switch-page", lambda _, page, number: say("page", number=number))
    more = Gtk.Expander(label="Details")
    more.set_child(Gtk.Label(label="inside"))
    more.connect("notify::expanded", lambda widget, _: say("expanded", on=widget.get_expanded()))
    for widget in (colour, shape, fruits, pages, more):
        box.append(widget)


def rows():
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    for number in range(60):
        button = Gtk.Button(label=f"Row {number}")
        button.connect("clicked", lambda _, each: say("row-pressed", number=each), number)
        box.append(button)
    scrolled = Gtk.ScrolledWindow(hexpand=True)
    scrolled.set_child(box)
    scrolled.get_vadjustment().connect("value-changed", lambda each: say("scrolled", value=each.get_value()))
    return scrolled


def model(*names):
    made = Gio.Menu()
    for name in names:
        made.append(name, f"win.{''.join(letter for letter in name.lower() if letter.isalpha())}")
    return made


def menus():
    file = model("Open...", "Save As...")
    file.append_submenu("Recent", model("One", "Two"))
    file.append("Print...", "win.absent")
    bar = Gio.Menu()
    bar.append_submenu("File", file)
    bar.append_submenu("View", model("Wrap"))
    return bar


def canvas():
    label = Gtk.Label(label="Canvas")
    popover = Gtk.PopoverMenu.new_from_model(model("Cut", "Copy"))
    popover.set_parent(label)
    click = Gtk.GestureClick(button=3)
    click.connect("pressed", lambda *_: popover.popup())
    label.add_controller(click)
    return label


def activate(application):
    window = Gtk.ApplicationWindow(application=application, title="GTK 4 widgets", default_width=900, default_height=640)
    for name in ("open", "saveas", "one", "two", "wrap", "cut", "copy"):
        action = Gio.SimpleAction.new(name, None)
        action.connect("activate", lambda _, parameter, each: say("menu", item=each), name)
        window.add_action(action)
    columns = [Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=4, hexpand=True) for _ in range(3)]
    buttons(columns[0])
    columns[0].append(canvas())
    columns[0].append(named(Gtk.MenuButton(menu_model=menus()), "Main menu"))
    fields(columns[1])
    choices(columns[2])
    inside = Gtk.Box(spacing=8, vexpand=True)
    for column in columns:
        inside.append(column)
    inside.append(rows())
    outside = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    outside.append(Gtk.PopoverMenuBar.new_from_model(menus()))
    outside.append(inside)
    window.set_child(outside)
    window.connect("map", lambda *_: GLib.timeout_add(300, lambda: say("ready")))
    window.present()


app = Gtk.Application(application_id="org.handfast.Widgets", flags=Gio.ApplicationFlags.NON_UNIQUE)
app.connect("activate", activate)
app.run([])
