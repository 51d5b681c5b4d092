"""Pages of a browser of ours in looks at the desktop: what a page says of itself is one with what the accessibility bus tells, where
a mouse finds it. The page is the witness: it is clicked at the coordinates that the look gave."""
import time

import pytest

from handfast import FULL_AUTO, SLOW, Desk, eventually, finish
from pages import Pages

PAGE = ('<title>Sights</title><button id=save onclick="say(this.id)">Save</button> <a id=more href="#more" onclick="say(this.id)">More</a>'
        ' <label>Mail <input id=mail value="a@b" onclick="say(this.id)"></label> <input id=pass type=password value=hunter2 aria-label=Secret onclick="say(this.id)">'
        ' <input id=pin value=4711 aria-label=Pin style="-webkit-text-security:disc" onclick="say(this.id)">'
        ' <label><input type=checkbox id=news checked onclick="say(this.id)"> News</label>'
        '<p id=plain onclick="say(this.id)" aria-hidden=true style="background:#ddd;width:200px">Bare to buses</p>'
        '<button id=under>Under</button><div id=h></div><script>{ const r = h.attachShadow({mode: "open"}); r.innerHTML = `<button onclick="say(\'shadow\')">In a shadow</button>` }'
        ' for (const e of [under]) { const o = document.createElement("div"); const b = e.getBoundingClientRect();'
        ' o.style = `position:fixed;background:#fff;left:${b.left}px;top:${b.top}px;width:${b.width}px;height:${b.height}px`; document.body.append(o) }</script>')
PAGES = {
    "sights": PAGE,
    "scrolled": '<title>Scrolled</title><div style="height:1500px">above</div><button id=deep onclick="say(this.id)">Deep</button><div style="height:2000px"></div>'
                '<script>scrollTo(0, 1300)</script>',
    "framed": '<title>Framed</title><p>Outside</p><iframe src="http://localhost:{PORT}/inner" style="margin:10px 20px;width:250px;height:100px"></iframe>'
              '<iframe src="/inner2" style="margin:10px;border:5px solid;width:200px;height:120px"></iframe>',
    "inner": '<button id=inner style="margin:20px" onclick="say(this.id)">Inside there</button>',
    "inner2": '<button id=inner2 style="margin:40px" onclick="say(this.id)">Inside here</button>',
    "hangs": '<title>Hangs</title><button id=b onclick="for (;;);">Hang</button>',
}


@pytest.fixture(scope="module")
def pages():
    served = Pages(PAGES)
    yield served
    served.stop()


@pytest.fixture(scope="module", params=[1, 2], ids=["scale 1", "scale 2"])
def watched(request):
    desk = Desk("--virtual", "--size", "1280x900", "--private-home", *(["--scale", "2"] if request.param == 2 else []), verify=False, config=FULL_AUTO)
    yield desk
    finish(desk)


def show(desk, pages, name):
    desk.call("browser_navigate", url=pages.url(name))
    pages.quiet()


def look(desk, **more):
    window = next(window for window in desk.call("window_list")["windows"] if "hromium" in window["title"])
    return desk.call("observe", window_id=window["window_id"], elements="objects", image=False, **more)


def elements(desk, name):
    return [entry for entry in look(desk)["element_list"] if entry.get("name") == name and entry["role"] not in ("static", "label", "section", "paragraph")]


def only(desk, name):
    """Once, and as an element of the page."""
    found = eventually(lambda: [entry for entry in elements(desk, name) if "dom" in entry["source"]], 5, name)
    assert len(found) == 1, found
    return found[0]


def click_middle(desk, entry):
    box = entry["bounds"]
    desk.call("left_click", x=box["x"] + box["width"] // 2, y=box["y"] + box["height"] // 2)


USED = {"Save": "save", "More": "more", "Mail": "mail", "Secret": "pass", "Pin": "pin", "News": "news", "Bare to buses": "plain", "In a shadow": "shadow"}


def click_all(desk, pages, names):
    """What each of them says when it is clicked where the look has it."""
    said = {}
    for name in names:
        pages.quiet()
        click_middle(desk, only(desk, name))
        said[name] = pages.next()
    return said


def test_each_is_seen_once_and_where_it_is(watched, pages):
    show(watched, pages, "sights")
    assert click_all(watched, pages, USED) == USED


def test_what_is_secret_is_not_told(watched, pages):
    show(watched, pages, "sights")
    only(watched, "Bare to buses")
    told = eventually(lambda: next((told for told in [look(watched, values=True)] if "p#plain" in str(told)), None), 5, "what the page says")
    assert "hunter2" not in str(told) and "4711" not in str(told) and "a@b" in str(told)
    assert {entry["name"]: entry.get("secure", False) for entry in told["element_list"] if entry.get("name") in ("Secret", "Pin", "Mail")} == \
        {"Secret": True, "Pin": True, "Mail": False}


def test_scrolled(watched, pages):
    show(watched, pages, "scrolled")
    click_middle(watched, only(watched, "Deep"))
    assert pages.next() == "deep"


def test_in_frames(watched, pages):
    show(watched, pages, "framed")
    framed = {"Inside there": "inner", "Inside here": "inner2"}
    assert click_all(watched, pages, framed) == framed


def test_zoomed(watched, pages):
    show(watched, pages, "sights")
    window = next(window for window in watched.call("window_list")["windows"] if "hromium" in window["title"])
    watched.call("window_focus", window_id=window["window_id"])
    before = only(watched, "Save")["bounds"]["width"]
    for _ in range(3):
        watched.call("key_press", keys=["ctrl", "plus"])
    try:
        eventually(lambda: only(watched, "Save")["bounds"]["width"] > before * 1.3, 5, "the zoom")
        assert click_all(watched, pages, ["Save", "Pin"]) == {"Save": "save", "Pin": "pin"}
    finally:
        watched.call("key_press", keys=["ctrl", "0"])


def test_found_by_name(watched, pages):
    """By all ways of naming one: also what only the page knows of, which is clicked as anything else that shows."""
    show(watched, pages, "sights")
    only(watched, "Bare to buses")
    found = watched.call("find", selector='text "Bare to buses"')["elements"]
    assert [(entry["name"], entry["source"]) for entry in found] == [("Bare to buses", ["dom"])]
    saved, = watched.call("find", selector='button "Save"')["elements"]
    assert saved["source"] == ["ax", "dom"]
    located = watched.call("element_locate", description="the Bare to buses button")["elements"][0]
    assert located["name"] == "Bare to buses" and "dom" in located["source"]
    watched.call("left_click", target=found[0]["ref"])
    assert pages.next() == "plain"


def names_everywhere(desk):
    return [entry.get("name") for entry in desk.call("observe", everything=True, elements="objects", image=False, pixels="never")["element_list"]]


def test_of_what_the_owner_blocks_no_page_tells(watched, pages):
    show(watched, pages, "sights")
    eventually(lambda: {"Save", "Bare to buses"} <= set(names_everywhere(watched)), 5, "the page")
    try:
        watched.write_config({**FULL_AUTO, "security": {**FULL_AUTO["security"], "blocked_titles": ["sights"]}})
        eventually(lambda: "Reload" not in names_everywhere(watched), 10, "the rule")
        for _ in range(4):  # a page that did not answer in time would say nothing either
            assert not {"Save", "Mail", "Bare to buses"} & set(names_everywhere(watched))
    finally:
        watched.write_config(FULL_AUTO)
    eventually(lambda: "Bare to buses" in names_everywhere(watched), 10, "the page again")


def test_a_page_that_hangs_holds_nothing_up(watched, pages):
    show(watched, pages, "hangs")
    button = only(watched, "Hang")
    click_middle(watched, button)
    eventually(lambda: not watched.answer("browser_extract", type="text", timeout_ms=300)["ok"], 5, "the page that hangs")
    began = time.monotonic()
    told = look(watched)
    assert time.monotonic() - began < 2 * SLOW and "Hang" in [entry.get("name") for entry in told["element_list"]]
    watched.call("browser_tabs", action="new")
    for tab in watched.call("browser_tabs")["tabs"]:
        if not tab["front"]:
            watched.answer("browser_tabs", action="close", tab=tab["tab"])
