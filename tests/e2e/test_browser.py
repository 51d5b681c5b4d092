"""Pages in a real Chromium, case by case: each page tells a server of ours what it saw, and that is the witness."""
import os
import pathlib
import signal
import subprocess

import pytest

from handfast import FULL_AUTO, Desk, eventually, finish, process_alive
from pages import Pages, browser_pids

CLICK = 'onclick="say(this.id)"'

# name → (page, steps, what the page says in the end). A step is (action, selector, more parameters).
CASES = {
    "plain": (f'<button id=b {CLICK}>Save</button>', [("click", "#b")], "b"),
    "by_text": (f'<p>Save all</p><button id=b {CLICK}>Save</button>', [("click", 'text="Save"')], "b"),
    "by_part_of_text": (f'<div><span id=b {CLICK}>Read the small print</span></div>', [("click", "text=small PRINT")], "b"),
    "by_role": (f'<a id=x>Save</a><button id=b {CLICK}>Save</button>', [("click", 'role=button[name="Save"]')], "b"),
    "by_name_as_elsewhere": (f'<button>Open</button><button id=b {CLICK}>Save</button>', [("click", 'button "Save"')], "b"),
    "plain_words": (f'<button id=b {CLICK}>Sign in</button>', [("click", "Sign in")], "b"),
    "chinese": (f'<button id=b {CLICK}>保存文件</button>', [("click", "text=保存文件")], "b"),
    "aria_label": (f'<button id=b aria-label="Close window" {CLICK}>×</button>', [("click", 'button "Close window"')], "b"),
    "labelled_by": (f'<span id=l>Delete row</span><div role=button id=b tabindex=0 aria-labelledby=l {CLICK}>D</div>',
                    [("click", 'button "Delete row"')], "b"),
    "nth": (f'<button id=a {CLICK}>X</button><button id=b {CLICK}>X</button>', [("click", "text=X", {"nth": 1})], "b"),
    "nth_from_the_end": (f'<button id=a {CLICK}>X</button><button id=b {CLICK}>X</button>', [("click", "button", {"nth": -1})], "b"),
    "one_of_two_shows": (f'<button id=a hidden {CLICK}>X</button><button id=b {CLICK}>X</button>', [("click", "text=X")], "b"),
    "late": (f'<script>later(() => document.body.innerHTML += `<button id=b {CLICK}>Late</button>`, 200)</script>', [("click", "#b")], "b"),
    "late_to_show": (f'<button id=b style="display:none" {CLICK}>X</button><script>later(() => b.style.display = "", 200)</script>',
                     [("click", "#b")], "b"),
    "invisible_first": (f'<button id=b style="visibility:hidden" {CLICK}>X</button><script>later(() => b.style.visibility = "", 150)</script>',
                        [("click", "#b")], "b"),
    "disabled_first": (f'<button id=b disabled {CLICK}>X</button><script>later(() => b.disabled = false, 200)</script>', [("click", "#b")], "b"),
    "disabled_fieldset": (f'<fieldset id=f disabled><button id=b {CLICK}>X</button></fieldset><script>later(() => f.disabled = false, 150)</script>',
                          [("click", "#b")], "b"),
    "aria_disabled_first": (f'<div id=b role=button aria-disabled=true {CLICK}>X</div><script>later(() => b.removeAttribute("aria-disabled"), 150)</script>',
                            [("click", "#b")], "b"),
    "moving": (f'<button id=b style="position:absolute;left:0;transition:left .6s linear" {CLICK}>X</button>'
               '<script>later(() => b.style.left = "500px", 30)</script>', [("click", "#b")], "b"),
    "animated": (f'<style>@keyframes m{{from{{margin-left:0}}to{{margin-left:400px}}}}#b{{animation:m .5s 1 linear}}</style><button id=b {CLICK}>X</button>',
                 [("click", "#b")], "b"),
    "covered_first": (f'<button id=b {CLICK}>X</button><div id=o onclick="say(this.id)" style="position:fixed;inset:0;background:#ccc8"></div>'
                      '<script>later(() => o.remove(), 200)</script>', [("click", "#b")], "b"),
    "sticky_header": (f'<div style="position:fixed;top:0;left:0;right:0;height:60px;background:#eee" onclick="say(1)">Head</div>'
                      f'<div style="height:2000px"></div><button id=b {CLICK}>X</button><div style="height:2000px"></div>'
                      '<script>scrollTo(0, 1990)</script>', [("click", "#b")], "b"),
    "detached_and_back": (f'<div id=d><button id=b {CLICK}>X</button></div><script>later(() => {{ const o = b; o.remove();'
                          ' later(() => d.append(o), 150) }, 20)</script>', [("click", "#b")], "b"),
    "replaced_again_and_again": (f'<div id=d></div><script>let n = 0; const put = () => {{ d.innerHTML = `<button id=b {CLICK}>X</button>`;'
                                 ' if (++n < 8) later(put, 40) }; put()</script>', [("click", "#b")], "b"),
    "below_the_fold": (f'<div style="height:3000px"></div><button id=b {CLICK}>Down</button>', [("click", "#b")], "b"),
    "in_a_scrolled_box": (f'<div style="height:100px;overflow:auto"><div style="height:900px"></div><button id=b {CLICK}>X</button></div>',
                          [("click", "#b")], "b"),
    "wide_page": (f'<div style="width:5000px"><button id=b style="margin-left:4500px" {CLICK}>X</button></div>', [("click", "#b")], "b"),
    "child_of_a_button": (f'<button id=b {CLICK}><i>icon</i> <span id=s>Save</span></button>', [("click", "#s")], "b"),
    "label_over_a_box": ('<label>Agree <input type=checkbox id=c onchange="say(this.checked)"></label>', [("click", "text=Agree")], True),
    "opaque_is_not_needed": (f'<button id=b style="opacity:0" {CLICK}>X</button>', [("click", "#b")], "b"),
    "pointer_events_none_above": (f'<button id=b {CLICK}>X</button><div style="position:fixed;inset:0;pointer-events:none;background:#0001"></div>',
                                  [("click", "#b")], "b"),
    "rotated": (f'<button id=b style="margin:90px;transform:rotate(45deg)" {CLICK}>Turned</button>', [("click", "#b")], "b"),
    "point_of_a_canvas": ('<canvas id=c width=300 height=200 onclick="say([event.offsetX, event.offsetY])"></canvas>',
                          [("click", "#c", {"at": {"x": 120, "y": 45}})], [120, 45]),
    "right_button": ('<div id=b oncontextmenu="say(\'menu\'); return false">X</div>', [("click", "#b", {"button": "right"})], "menu"),
    "with_modifier": ('<div id=b onclick="say([event.ctrlKey, event.shiftKey])">X</div>', [("click", "#b", {"modifiers": ["shift"]})], [False, True]),
    "double": ('<div id=b ondblclick="say(event.detail)">X</div>', [("double_click", "#b")], 2),
    "trusted": ('<div id=b onclick="say(event.isTrusted)">X</div>', [("click", "#b")], True),
    "open_shadow": (f'<div id=h></div><script>h.attachShadow({{mode: "open"}}).innerHTML = `<button id=b onclick="say(\'b\')">In</button>`</script>',
                    [("click", "#b")], "b"),
    "closed_shadow": ('<div id=h></div><script>{ const r = h.attachShadow({mode: "closed"}); r.innerHTML = `<button>Hidden away</button>`;'
                      ' r.firstChild.onclick = () => say("b") }</script>', [("click", "text=Hidden away")], "b"),
    "nested_shadow": ('<div id=h></div><script>{ const r = h.attachShadow({mode: "open"}); r.innerHTML = "<div id=i></div>";'
                      ' r.firstChild.attachShadow({mode: "open"}).innerHTML = `<button onclick="say(\'b\')">Deep</button>` }</script>',
                      [("click", 'button "Deep"')], "b"),
    "slotted": ('<div id=h><button id=b onclick="say(\'b\')">Slot</button></div><script>h.attachShadow({mode: "open"}).innerHTML = "<div><slot></slot></div>"</script>',
                [("click", "#b")], "b"),
    "frame_same_site": ('<h1>Outside</h1><iframe src=/inner style="margin:50px"></iframe>', [("click", "#inner")], "inner"),
    "frame_other_site": ('<h1>Outside</h1><iframe src="http://localhost:{PORT}/inner" style="margin:70px 40px"></iframe>', [("click", "#inner")], "inner"),
    "frame_in_frame": ('<iframe src="http://localhost:{PORT}/middle" style="width:500px;height:400px"></iframe>', [("click", "#inner")], "inner"),
    "frame_late": ('<div id=d></div><script>later(() => d.innerHTML = `<iframe src=/inner></iframe>`, 150)</script>', [("click", "#inner")], "inner"),
    "frame_covered_first": ('<iframe src="http://localhost:{PORT}/inner"></iframe><div id=o style="position:fixed;inset:0;background:#ccc"></div>'
                            '<script>later(() => o.remove(), 300)</script>', [("click", "#inner")], "inner"),
    "fill": ('<input id=q oninput="this.n = (this.n || 0) + 1" onblur=""><button id=b onclick="say(q.value)">Go</button>',
             [("fill", "#q", {"value": "hello 你好 🎉"}), ("click", "#b")], "hello 你好 🎉"),
    "fill_replaces": ('<input id=q value="old text"><button id=b onclick="say(q.value)">Go</button>',
                      [("fill", "#q", {"value": "new"}), ("click", "#b")], "new"),
    "fill_empties": ('<input id=q value="old text"><button id=b onclick="say(q.value)">Go</button>',
                     [("fill", "#q", {"value": ""}), ("click", "#b")], ""),
    "fill_by_label": ('<label for=q>Your name</label><input id=q><button id=b onclick="say(q.value)">Go</button>',
                      [("fill", 'field "Your name"', {"value": "Ann"}), ("click", "#b")], "Ann"),
    "fill_by_placeholder": ('<input id=q placeholder="Search here"><button id=b onclick="say(q.value)">Go</button>',
                            [("fill", 'textbox "Search here"', {"value": "x"}), ("click", "#b")], "x"),
    "fill_lines": ('<textarea id=q></textarea><button id=b onclick="say(q.value)">Go</button>',
                   [("fill", "#q", {"value": "one\ntwo\n三"}), ("click", "#b")], "one\ntwo\n三"),
    "fill_events": ('<input id=q><script>let e = []; for (const t of ["focus", "input"]) q.addEventListener(t, (x) => e.push(t + x.isTrusted));</script>'
                    '<button id=b onclick="say(e)">Go</button>', [("fill", "#q", {"value": "a"}), ("click", "#b")],
                    ["focustrue", "inputtrue"]),
    "fill_editor_events": ('<div id=q contenteditable>old</div><script>let e = []; for (const t of ["beforeinput", "input"]) q.addEventListener(t, (x) => e.push(t + x.isTrusted));</script>'
                           '<button id=b onclick="say(e)">Go</button>', [("fill", "#q", {"value": "a"}), ("click", "#b")], ["beforeinputtrue", "inputtrue"]),
    "fill_read_only_first": ('<input id=q readonly><script>later(() => q.readOnly = false, 150)</script><button id=b onclick="say(q.value)">Go</button>',
                             [("fill", "#q", {"value": "now"}), ("click", "#b")], "now"),
    "fill_number": ('<input id=q type=number><button id=b onclick="say(q.valueAsNumber)">Go</button>',
                    [("fill", "#q", {"value": "12.5"}), ("click", "#b")], 12.5),
    "fill_date": ('<input id=q type=date><button id=b onclick="say(q.value)">Go</button>',
                  [("fill", "#q", {"value": "2026-11-17"}), ("click", "#b")], "2026-11-17"),
    "fill_range": ('<input id=q type=range min=0 max=10 onchange="say(q.value)">', [("fill", "#q", {"value": "7"})], "7"),
    "fill_editable": ('<div id=q contenteditable>old <b>bold</b></div><button id=b onclick="say(q.innerText.trim())">Go</button>',
                      [("fill", "#q", {"value": "新的 text"}), ("click", "#b")], "新的 text"),
    "fill_in_frame": ('<iframe src="http://localhost:{PORT}/form"></iframe>', [("fill", "#q", {"value": "over there"}), ("click", "#b")], "over there"),
    "select_by_text": ('<select id=s onchange="say(s.value)"><option value=1>One<option value=2>Two</select>', [("select", "#s", {"value": "Two"})], "2"),
    "select_by_value": ('<select id=s onchange="say(s.value)"><option value=1>One<option value=2>Two</select>', [("select", "#s", {"value": "2"})], "2"),
    "select_late_choice": ('<select id=s onchange="say(s.value)"><option>One</select><script>later(() => s.add(new Option("Later")), 200)</script>',
                           [("select", "#s", {"value": "Later"})], "Later"),
    "check": ('<input type=checkbox id=c onchange="say(c.checked)">', [("check", "#c")], True),
    "uncheck": ('<input type=checkbox id=c checked onchange="say(c.checked)">', [("uncheck", "#c")], False),
    "radio": ('<input type=radio name=r checked><input type=radio name=r id=c onchange="say(c.checked)">', [("check", "#c")], True),
    "check_by_label": ('<label><input type=checkbox onchange="say(this.checked)"> I agree</label>', [("check", 'checkbox "I agree"')], True),
    "aria_checkbox": ('<div role=checkbox id=c aria-checked=false onclick="this.setAttribute(\'aria-checked\', true); say(\'on\')">X</div>',
                      [("check", "#c")], "on"),
    "hover_menu": (f'<style>#m{{display:none}}#t:hover #m{{display:block}}</style><div id=t>Menu<div id=m><button id=b {CLICK}>Item</button></div></div>',
                   [("hover", "#t"), ("click", "#b")], "b"),
    "keys": ('<input id=q onkeydown="say([event.key, event.code, event.ctrlKey])">', [("press", "#q", {"keys": "ctrl+k"})], ["Control", "ControlLeft", True]),
    "enter_submits": ('<form onsubmit="say(q.value); return false"><input id=q></form>',
                      [("fill", "#q", {"value": "sent"}), ("press", "#q", {"keys": "enter"})], "sent"),
    "select_all_and_type": ('<input id=q value=abc oninput="say(q.value)">', [("press", "#q", {"keys": "ctrl+a"}), ("press", "#q", {"keys": "z"})], "z"),
    "arrow_keys": ('<input id=q type=number value=4 oninput="say(q.value)">', [("press", "#q", {"keys": "up"})], "5"),
    "keys_without_element": ('<body onkeyup="if (event.key == \'F2\') say(event.key)">', [("press", None, {"keys": "f2"})], "F2"),
    "focus": ('<input id=q onfocus="say(1)">', [("focus", "#q")], 1),
    "scroll_to": ('<div style="height:3000px"></div><p id=p>Far</p><script>new IntersectionObserver((l) => l[0].isIntersecting && say("seen")).observe(p)</script>',
                  [("scroll", "#p")], "seen"),
    "wheel": ('<div style="height:5000px"></div><script>let once; onscroll = () => { if (!once) { once = 1; say("scrolled") } }</script>',
              [("scroll", None, {"delta_y": 400})], "scrolled"),
    "endless": ('<div id=d style="height:1500px">Page 1</div><script>let n = 1; onscroll = () => { if (n < 3 && innerHeight + scrollY > document.documentElement.scrollHeight - 50)'
                ' { n++; d.insertAdjacentHTML("afterend", `<div style="height:1500px" id=n${n}>Page ${n}</div>`); if (n == 3) say(n) } }</script>',
                [("scroll", None, {"delta_y": 9000}), ("scroll", None, {"delta_y": 9000})], 3),
    "drag_and_drop": ('<div id=a draggable=true ondragstart="event.dataTransfer.setData(\'text/plain\', \'load\')" style="width:80px;height:40px;background:#cfc">A</div>'
                      '<div id=z style="margin-top:90px;width:200px;height:100px;background:#ccf" ondragover="event.preventDefault()"'
                      ' ondrop="event.preventDefault(); say(event.dataTransfer.getData(\'text/plain\'))">Z</div>', [("drag", "#a", {"to": "#z"})], "load"),
    "drag_by_pointer": ('<div id=a style="width:50px;height:50px;background:#cfc">A</div><div id=z style="margin:100px;width:100px;height:60px;background:#ccf">Z</div>'
                        '<script>let on; a.onmousedown = (e) => { on = 1; e.preventDefault() }; z.onmouseup = () => on && say("dropped")</script>',
                        [("drag", "#a", {"to": "#z"})], "dropped"),
    "posts_a_form": ('<form method=post action=/taken><input name=q id=q><button id=b>Send</button></form>',
                     [("fill", "#q", {"value": "x y"}), ("click", "#b")], {"posted": "/taken", "body": "q=x+y"}),
    "spa": ('<a id=b href=#two onclick="history.pushState(0, 0, \'/spa-two\'); say(location.pathname); return false">Go</a>', [("click", "#b")], "/spa-two"),
    "huge_table": ('<table><script>document.write(Array.from({length: 2000}, (_, i) => `<tr><td>${i}<td><button onclick="say(${i})">Row ${i}</button></tr>`).join(""))</script></table>',
                   [("click", 'button "Row 1750"')], 1750),
}
OTHERS = {
    "inner": '<button id=inner onclick="say(this.id)">Inside</button>',
    "middle": '<p>Middle</p><iframe src="http://127.0.0.1:{PORT}/inner"></iframe>',
    "twin": '<button id=fb onclick="say(location.search + this.id)">Twin</button><input id=fi oninput="say(location.search + this.value)">',
    "form": '<input id=q><button id=b onclick="say(q.value)">Go</button>',
}


@pytest.fixture(scope="module")
def pages():
    served = Pages({**{name: case[0] for name, case in CASES.items()}, **OTHERS})
    yield served
    served.stop()


@pytest.fixture(scope="module")
def surfer(tmp_path_factory):
    """A desk with a browser, which all cases share."""
    files = tmp_path_factory.mktemp("files")
    desk = Desk("--virtual", "--size", "1280x800", "--private-home", verify=False,
                config={**FULL_AUTO, "security": {**FULL_AUTO["security"], "allowed_directories": [str(files)]}})
    desk.files = files
    yield desk
    finish(desk)


def act(desk, action, selector=None, more=None):
    params = {"action": action, "timeout_ms": 20000, **(more or {})}
    if selector:
        params["selector"] = selector
    return desk.call("browser_interact", **params)


@pytest.mark.parametrize("name", CASES)
def test_case(surfer, pages, name):
    page, steps, said = CASES[name]
    surfer.call("browser_navigate", url=pages.url(name))
    pages.quiet()
    for action, selector, *more in steps:
        act(surfer, action, selector, more[0] if more else None)
    assert pages.next() == said


# ---- what is told ----

def show(desk, pages, name):
    desk.call("browser_navigate", url=pages.url(name))
    pages.quiet()


def test_the_effect_is_told(surfer, pages):
    show(surfer, pages, "check")
    assert act(surfer, "check", "#c")["confirmed"] is True
    again = act(surfer, "check", "#c")
    assert again["confirmed"] and again["changed"] is False and again["checked"] is True
    show(surfer, pages, "fill")
    told = act(surfer, "fill", "#q", {"value": "你好"})
    assert told["value"] == "你好" and told["read_back"] and told["confirmed"] and told["element"]["role"] == "textbox"
    show(surfer, pages, "plain")
    told = act(surfer, "click", "#b")
    assert not told["confirmed"] and told["seen"] == "the element got the click"
    show(surfer, pages, "spa")
    told = act(surfer, "click", "#b")
    assert told["navigated"] and told["url"].endswith("/spa-two")


def refuses(desk, code, tool="browser_interact", **params):
    return desk.fails(code, tool, **{"timeout_ms": 500, **params})


def test_why_it_could_not_be_done(surfer, pages):
    pages.pages["hindered"] = ('<button id=off disabled>Off</button><button id=a>Twice</button><button id=b>Twice</button><button id=u>Under</button>'
                               '<div class=veil style="position:fixed;inset:0;z-index:9">Cookies?</div><input id=r readonly><button id=h hidden>H</button>')
    show(surfer, pages, "hindered")
    assert "is disabled" in refuses(surfer, "DESKTOP_TIMEOUT", action="click", selector="#off")["message"]
    covered = refuses(surfer, "DESKTOP_TIMEOUT", action="click", selector="#u")
    assert "is covered by div.veil" in covered["message"] and "Cookies?" in covered["details"]["by"]
    many = refuses(surfer, "ELEMENT_AMBIGUOUS", action="click", selector="text=Twice")
    assert [entry["name"] for entry in many["details"]["candidates"]] == ["Twice", "Twice"]
    assert "is read-only" in refuses(surfer, "DESKTOP_TIMEOUT", action="fill", selector="#r", value="x")["message"]
    assert "is not visible" in refuses(surfer, "DESKTOP_TIMEOUT", action="click", selector="#h")["message"]
    assert "no element matches" in refuses(surfer, "DESKTOP_ELEMENT_NOT_FOUND", action="click", selector="#none")["message"]
    assert "is not a field" in refuses(surfer, "DESKTOP_TIMEOUT", action="fill", selector="#a", value="x")["message"]


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_all_frames_count(surfer, pages, host):
    """What fits is counted over all frames, the page itself first: nothing is done to the first of several."""
    frames = f'<iframe src=/twin?1></iframe><iframe src="http://{host}:{{PORT}}/twin?2"></iframe><iframe src=/twin?3 style="visibility:hidden"></iframe>'
    pages.pages["twins"] = frames
    pages.pages["triplets"] = '<button id=fb onclick="say(this.id)">Twin</button>' + frames
    show(surfer, pages, "twins")
    for params in ({"action": "click", "selector": "#fb"}, {"action": "fill", "selector": "#fi", "value": "x"}, {"action": "click", "selector": 'button "Twin"'}):
        many = refuses(surfer, "ELEMENT_AMBIGUOUS", **params)
        assert "2 elements match" in many["message"] and len(many["details"]["candidates"]) == 2
    refuses(surfer, "ELEMENT_AMBIGUOUS", "browser_extract", type="text", selector="#fb")
    assert pages.said.empty()
    act(surfer, "click", many["details"]["candidates"][1]["ref"])
    assert pages.next() == "?2fb"
    for nth, said in ((0, "?1"), (1, "?2"), (-1, "?2"), (-2, "?1")):
        act(surfer, "fill", "#fi", {"value": "y", "nth": nth})
        assert pages.next() == said + "y"
        act(surfer, "click", "#fb", {"nth": nth})
        assert pages.next() == said + "fb"
    assert surfer.call("browser_extract", type="text", selector="#fi", nth=1)["text"] == "y"
    show(surfer, pages, "triplets")
    assert "3 elements match" in refuses(surfer, "ELEMENT_AMBIGUOUS", action="click", selector="text=Twin")["message"]
    act(surfer, "click", "#fb", {"nth": 0})
    assert pages.next() == "fb"
    act(surfer, "click", "#fb", {"nth": 2})
    assert pages.next() == "?2fb"
    for tool, params in (("browser_interact", {"action": "click"}), ("browser_extract", {"type": "text"})):
        assert "only 3 elements match" in refuses(surfer, "DESKTOP_ELEMENT_NOT_FOUND", tool, selector="text=Twin", nth=5, **params)["message"]


def test_bad_words_are_refused(surfer, pages):
    show(surfer, pages, "plain")
    for params in ({"action": "click"}, {"action": "fill", "selector": "#b"}, {"action": "click", "selector": "#b["}, {"action": "press", "keys": "nokey"},
                   {"action": "click", "selector": 'text="unfinished'}, {"action": "scroll"}, {"action": "dialog"}, {"action": "drag", "selector": "#b"},
                   {"action": "click", "selector": "#b", "tab": "x"}, {"action": "fly", "selector": "#b"}):
        refuses(surfer, "INVALID_PARAMS", **params)
    refuses(surfer, "DESKTOP_ELEMENT_NOT_FOUND", action="click", selector="#b", tab="t999")
    refuses(surfer, "DESKTOP_STALE_SNAPSHOT", action="click", selector="r987654")
    refuses(surfer, "INVALID_PARAMS", "browser_navigate")
    refuses(surfer, "INVALID_PARAMS", "browser_navigate", url="example.com/x")
    refused = refuses(surfer, "INVALID_PARAMS", "browser_navigate", url="127.0.0.1:8765")
    assert "not a complete address" in refused["message"] and "http://127.0.0.1:8765" in refused["suggestion"]
    for url, rules in (("about:blank", []), ("data:text/html,x", ["url.no-site"])):
        told = surfer.call("browser_navigate", url=url, dry_run=True)
        assert [rule["id"] if isinstance(rule, dict) else rule for rule in told["rules"] or []] == rules, told
    refuses(surfer, "INVALID_PARAMS", "browser_navigate", url="http://127.0.0.1/", action="back")


# ---- reading ----

def test_a_snapshot_names_what_can_be_used(surfer, pages):
    pages.pages["shop"] = ('<h1>Shop</h1><nav><a href=/cart>Cart (2)</a></nav><form><label>E-mail <input id=m value="a@b"></label><input type=password value=hunter2 aria-label=Secret>'
                           '<label><input type=checkbox checked> News</label><select aria-label=Size><option>S<option selected>M</select><button id=b onclick="say(1)" type=button>Order</button></form>'
                           '<table><tr><th>Item<th>Price</tr><tr><td>Tea<td>3</tr></table><p>Thank you</p><iframe src="http://localhost:{PORT}/inner"></iframe>')
    show(surfer, pages, "shop")
    eventually(lambda: "Inside" in surfer.call("browser_extract", type="snapshot")["text"], 5, "the frame")
    told = surfer.call("browser_extract", type="snapshot")
    text = told["text"]
    for part in ('heading "Shop" level 1', 'link "Cart (2)"', 'textbox "E-mail"', '= "a@b"', 'textbox "Secret"', "(secure)", "(checked)", '= "M"', 'row "Tea" | "3"',
                 '"Thank you"', 'button "Inside"'):
        assert part in text, text
    assert "hunter2" not in text and not told["truncated"]
    ref = text.split('button "Order" [')[1].split("]")[0]
    pages.quiet()
    act(surfer, "click", ref)
    assert pages.next() == 1
    inner = text.split('button "Inside" [')[1].split("]")[0]
    act(surfer, "click", inner)
    assert pages.next() == "inner"
    show(surfer, pages, "plain")
    refuses(surfer, "DESKTOP_STALE_SNAPSHOT", action="click", selector=ref)


def test_reading(surfer, pages):
    show(surfer, pages, "shop")
    text = surfer.call("browser_extract", type="text")
    assert "Thank you" in text["text"] and "hunter2" not in text["text"] and text["title"] == "shop"
    assert "hunter2" not in surfer.call("browser_extract", type="html")["text"]
    assert surfer.call("browser_extract", type="text", selector="h1")["text"] == "Shop"
    link, = surfer.call("browser_extract", type="links")["links"]
    assert link["text"] == "Cart (2)" and link["url"].endswith("/cart")
    table, = surfer.call("browser_extract", type="tables")["tables"]
    assert table["header"] and table["rows"] == [["Item", "Price"], ["Tea", "3"]]
    pages.pages["long_table"] = "<table>" + "".join(f"<tr><td>{number}<td><button>Row {number}</button></tr>" for number in range(1000)) + "</table>"
    show(surfer, pages, "long_table")
    cut = surfer.call("browser_extract", type="text", max_chars=500)
    assert len(cut["text"]) == 500 and cut["truncated"] and cut["total"] > 10000
    rows = surfer.call("browser_extract", type="tables", max_chars=1000)
    assert rows["truncated"] and rows["tables"][0]["total_rows"] == 1000 and 0 < len(rows["tables"][0]["rows"]) < 200
    assert surfer.call("browser_extract", type="snapshot", max_chars=1000)["truncated"]


def test_a_page_that_goes_on_is_read_as_what_it_becomes(surfer, pages):
    """One that replaces itself without end for a while: a look in the midst of it is answered all the same."""
    pages.pages["goes_on"] = ("<p>On the way</p><script>const n = +location.hash.slice(1) + 1; if (n < 12) setTimeout(() => { location.hash = n; location.reload() }, 15);"
                              " else document.querySelector('p').textContent = 'There'</script>")
    surfer.call("browser_navigate", url=pages.url("goes_on"), wait_until="domcontentloaded")
    texts = []
    eventually(lambda: texts.append(surfer.call("browser_extract", type="text")["text"]) or "There" in texts[-1], 10, "the last of them")
    assert surfer.call("browser_extract", type="text", selector="p")["text"] == "There"


def test_reading_is_no_gesture(surfer, pages):
    """A page may do more after a gesture of its user (open windows, play, copy): a look must not be taken for one."""
    pages.pages["waits"] = '<p>Read me</p><button id=b onclick="say(navigator.userActivation.hasBeenActive)">B</button>' \
                           '<p id=o></p><script>setInterval(() => { o.textContent = navigator.userActivation.hasBeenActive ? "touched" : "untouched" }, 20)</script>'
    show(surfer, pages, "waits")
    for kind in ("text", "snapshot", "links", "html"):
        surfer.call("browser_extract", type=kind)
    surfer.call("browser_interact", action="click", selector="#b", dry_run=True)
    eventually(lambda: "touched" in surfer.call("browser_extract", type="text", selector="#o")["text"], 5, "its word")
    assert surfer.call("browser_extract", type="text", selector="#o")["text"] == "untouched"
    act(surfer, "click", "#b")
    assert pages.next() is True


def test_what_is_no_text_is_read_all_the_same(surfer, pages):
    """A zero and half of a character, which pages can hold."""
    pages.pages["odd"] = '<p id=o></p><input id=q><script>o.textContent = "a\\0b\\ud83cc"; q.value = "x\\udf89"; document.title = "t\\0\\ud83c"</script>'
    show(surfer, pages, "odd")
    assert surfer.call("browser_extract", type="text", selector="#o")["text"] == "a\ufffdb\ufffdc"
    assert 'textbox' in surfer.call("browser_extract", type="snapshot")["text"]
    assert act(surfer, "focus", "#q")["confirmed"]


def picture(desk, **params):
    import base64
    import io
    from PIL import Image
    told = desk.call("browser_extract", type="screenshot", **params)
    return Image.open(io.BytesIO(base64.b64decode(told["image"]))).convert("RGB"), told


def test_pictures_cover_passwords(surfer, pages):
    pages.pages["vault"] = '<body style="margin:0;background:#fff"><input type=password value=abc style="position:absolute;left:50px;top:40px;width:200px;height:40px;background:#0f0;border:0">'
    show(surfer, pages, "vault")
    image, told = picture(surfer)
    at = image.getpixel((int(150 * told["scale"]), int(60 * told["scale"])))
    assert max(at) - min(at) < 30, at  # grey, where the page is green
    pages.pages["green"] = '<body style="margin:0"><div id=g style="width:3000px;height:2500px;background:#0f0"></div>'
    show(surfer, pages, "green")
    image, told = picture(surfer, full_page=True, max_dimension=500)
    assert max(image.size) <= 500 and image.getpixel((100, 100))[1] > 200
    small, _ = picture(surfer, selector="#g", max_dimension=100)
    assert max(small.size) <= 100


def test_password_fields_ask_the_owner(surfer, pages):
    show(surfer, pages, "vault")
    bridge = surfer.connect()
    identity = bridge.send("call", {"tool": "browser_interact", "params": {"action": "fill", "selector": "input", "value": "topsecret", "timeout_ms": 20000}})
    asked = eventually(lambda: surfer.main_bridge.manage("approvals.list")["approvals"], 10, "the question")[0]
    told = surfer.owner_cli("deny", asked["id"])
    assert told.returncode == 0, told.shown
    reply = bridge.receive()
    while reply.get("id") != identity:
        reply = bridge.receive()
    assert reply["result"]["error"]["code"] in ("APPROVAL_DENIED",), reply
    bridge.close()
    assert b"topsecret" not in surfer.data_bytes()


# ---- going elsewhere ----

def test_navigation(surfer, pages):
    pages.pages["to"] = lambda request: request.give("", "text/plain", 302, [("Location", "/to2")])
    pages.pages["to2"] = lambda request: request.give("", "text/plain", 301, [("Location", "/plain")])
    told = surfer.call("browser_navigate", url=pages.url("to"))
    assert told["url"] == pages.url("plain") and told["status"] == 200 and told["complete"] and told["title"] == "plain"
    assert told["redirects"] == [pages.url("to"), pages.url("to2")]
    pages.pages["leads_on"] = '<form id=f action=/plain></form><script>f.submit()</script>'
    told = surfer.call("browser_navigate", url=pages.url("leads_on"))
    assert told["complete"] and told["url"] == pages.url("plain?") and told["title"] == "plain"
    assert surfer.call("browser_navigate", url=pages.url("nowhere"))["status"] == 404
    assert surfer.call("browser_navigate", action="back")["url"] == pages.url("plain?")
    assert surfer.call("browser_navigate", action="forward")["url"] == pages.url("nowhere")
    assert surfer.call("browser_navigate", action="reload", wait_until="domcontentloaded")["complete"]
    same = surfer.call("browser_navigate", url=pages.url("nowhere") + "#part")
    assert same["same_document"] and same["url"].endswith("#part")
    assert surfer.call("browser_navigate", url=pages.url("plain"), wait_until="networkidle")["complete"]
    assert "cannot be resolved" in refuses(surfer, "DESKTOP_UNAVAILABLE", "browser_navigate", url="http://no-such-host.invalid/", timeout_ms=20000)["message"]
    refused = refuses(surfer, "DESKTOP_UNAVAILABLE", "browser_navigate", url="http://127.0.0.1:5999/", timeout_ms=20000)
    assert "127.0.0.1, port 5999" in refused["message"]
    for url in ("file:///etc/passwd", "chrome://version", "javascript:alert(1)", "view-source:http://127.0.0.1/", "devtools://devtools", "blob:x"):
        refuses(surfer, "FORBIDDEN", "browser_navigate", url=url)


def test_slow_page(surfer, pages):
    import threading
    gate = threading.Event()
    pages.pages["hangs"] = lambda request: gate.wait(20) and request.give("late", "text/html")
    refuses(surfer, "DESKTOP_TIMEOUT", "browser_navigate", url=pages.url("hangs"), timeout=1000, timeout_ms=20000)
    gate.set()
    show(surfer, pages, "plain")


def test_dialogs(surfer, pages):
    pages.pages["asks"] = '<button id=a onclick="alert(\'Hm\'); say(1)">A</button><button id=c onclick="say(confirm(\'Sure?\'))">C</button><button id=p onclick="say(prompt(\'Name?\', \'Bo\'))">P</button>'
    show(surfer, pages, "asks")
    told = act(surfer, "click", "#a")
    assert told["dialog"] == {"type": "alert", "message": "Hm"} and told["confirmed"]
    blocked = refuses(surfer, "DESKTOP_MODAL_BLOCKING", action="click", selector="#c")
    assert blocked["details"]["dialog"]["message"] == "Hm"
    assert surfer.answer("browser_extract", type="text")["error"]["code"] == "DESKTOP_MODAL_BLOCKING"
    answered = act(surfer, "dialog", None, {"dialog": "accept"})
    assert answered["answered"]["message"] == "Hm" and pages.next() == 1
    told = act(surfer, "click", "#c", {"dialog": "accept"})
    assert pages.next() is True
    assert told["dialogs"] == [{"type": "confirm", "message": "Sure?", "answered": "accept"}] and "dialog" not in told
    told = act(surfer, "click", "#c", {"dialog": "dismiss"})
    assert pages.next() is False
    assert told["dialogs"] == [{"type": "confirm", "message": "Sure?", "answered": "dismiss"}]
    told = act(surfer, "click", "#p", {"dialog": "accept", "dialog_text": "安娜"})
    assert pages.next() == "安娜"
    assert told["dialogs"] == [{"type": "prompt", "message": "Name?", "preset": "Bo", "answered": "accept"}]
    assert "dialogs" not in surfer.call("browser_extract", type="text")
    act(surfer, "click", "#p", {"dialog": "accept"})
    assert pages.next() == "Bo"
    refuses(surfer, "PRECONDITION_FAILED", action="dialog", dialog="accept")


def test_leaving_a_page_that_asks(surfer, pages):
    pages.pages["stays"] = '<button id=b onclick="onbeforeunload = (e) => { e.preventDefault(); return 1 }; say(1)">B</button>'
    show(surfer, pages, "stays")
    act(surfer, "click", "#b")
    assert pages.next() == 1
    answer = surfer.answer("browser_navigate", url=pages.url("plain"))
    told = answer.get("result") or answer["error"]["details"]
    assert told["dialog"]["type"] == "beforeunload", answer
    act(surfer, "dialog", None, {"dialog": "dismiss"})
    assert surfer.call("browser_extract", type="text")["url"] == pages.url("stays")
    told = surfer.call("browser_navigate", url=pages.url("plain"), dialog="accept")
    assert told["url"] == pages.url("plain") and [(one["type"], one["answered"]) for one in told["dialogs"]] == [("beforeunload", "accept")]


def test_popups_and_tabs(surfer, pages):
    pages.pages["opens"] = '<a id=a href=/plain target=_blank>New</a><button id=w onclick="window.open(\'/inner\')">W</button>'
    show(surfer, pages, "opens")
    first = surfer.call("browser_extract", type="text")["tab"]
    told = act(surfer, "click", "#a")
    assert told["confirmed"] and told["opened"]["tab"] != first
    eventually(lambda: surfer.call("browser_extract", type="text")["url"] == pages.url("plain"), 5, "the new tab")
    pages.quiet()
    act(surfer, "click", "#b")
    assert pages.next() == "b"
    tabs = surfer.call("browser_tabs")["tabs"]
    assert [tab["front"] for tab in tabs if tab["tab"] == told["opened"]["tab"]] == [True]
    act(surfer, "click", "#w", {"tab": first})
    for tab in surfer.call("browser_tabs")["tabs"]:
        if tab["tab"] != first:
            surfer.call("browser_tabs", action="close", tab=tab["tab"])
    assert [tab["tab"] for tab in surfer.call("browser_tabs")["tabs"]] == [first]
    assert surfer.call("browser_tabs", action="new")["tabs"][-1]["front"]
    surfer.call("browser_tabs", action="select", tab=first)
    assert surfer.call("browser_extract", type="text")["tab"] == first
    refuses(surfer, "INVALID_PARAMS", "browser_tabs", action="close")


def front(desk):
    return [tab["tab"] for tab in desk.call("browser_tabs")["tabs"] if tab["front"]]


def test_the_tab_in_front_is_the_one_that_shows(surfer, pages):
    """One that opens in the background is not; one that keys switch to is. The window's title is the witness."""
    def shown():
        return [window["title"] for window in surfer.call("window_list")["windows"] if "Chromium" in window["title"]]
    pages.pages["leads"] = '<a id=a href=/behind>A</a><button id=w onclick="window.open(\'/inner\', \'\', \'width=300,height=300\')">W</button>'
    pages.pages["behind"] = '<p>Behind</p>'
    show(surfer, pages, "leads")
    first, = front(surfer)
    for tab in surfer.call("browser_tabs")["tabs"]:
        if tab["tab"] != first:
            surfer.call("browser_tabs", action="close", tab=tab["tab"])
    for more in ({"modifiers": ["ctrl"]}, {"button": "middle"}):
        opened = act(surfer, "click", "#a", more)["opened"]
        assert opened["front"] is False
        assert front(surfer) == [first] and "leads" in shown()[0]
        assert surfer.call("browser_extract", type="text")["tab"] == first
        assert "Behind" in eventually(lambda: surfer.call("browser_extract", type="text", tab=opened["tab"])["text"], 5, "its text")
        assert front(surfer) == [opened["tab"]] and "behind" in shown()[0]
        surfer.call("key_press", keys="ctrl+1")
        eventually(lambda: "leads" in shown()[0], 5, "the first tab")
        assert front(surfer) == [first]
        assert surfer.call("browser_extract", type="text")["tab"] == first
        surfer.call("browser_tabs", action="close", tab=opened["tab"])
        assert front(surfer) == [first]
    popup = act(surfer, "click", "#w")["opened"]
    assert popup["front"] is True and front(surfer) == [popup["tab"]]
    surfer.call("browser_tabs", action="close", tab=popup["tab"])
    assert front(surfer) == [first]


# ---- files ----

def serve_file(pages, name="report.txt", size=12):
    pages.pages["file"] = lambda request: request.give(b"x" * size, "application/octet-stream", 200,
                                                       [("Content-Disposition", f'attachment; filename="{name}"')])


def test_downloads(surfer, pages):
    serve_file(pages)
    pages.pages["gives"] = '<a id=a href=/file>Get</a>'
    show(surfer, pages, "gives")
    download, = act(surfer, "click", "#a")["downloads"]
    assert download["state"] == "completed" and download["file"] == str(surfer.files / "report.txt")
    assert pathlib.Path(download["file"]).read_bytes() == b"x" * 12
    second, = surfer.call("browser_navigate", url=pages.url("file"))["downloads"]
    assert second["file"] == str(surfer.files / "report (1).txt")
    (surfer.files / "sub").mkdir()
    third, = act(surfer, "click", "#a", {"download_dir": str(surfer.files / "sub")})["downloads"]
    assert third["file"] == str(surfer.files / "sub" / "report.txt")
    asked = len(pages.asked)
    for place, code in (("/var/tmp", "FORBIDDEN"), (str(surfer.files / "none"), "FILE_NOT_FOUND"), (str(surfer.files / "report.txt"), "INVALID_PARAMS")):
        refuses(surfer, code, action="click", selector="#a", download_dir=place)
        refuses(surfer, code, "browser_navigate", url=pages.url("file"), download_dir=place)
    assert len(pages.asked) == asked and not pathlib.Path("/var/tmp/report.txt").exists()
    serve_file(pages, "../../evil.sh")
    fourth, = act(surfer, "click", "#a")["downloads"]
    assert pathlib.Path(fourth["file"]).parent == surfer.files


def test_uploads(surfer, pages):
    pages.pages["takes"] = ('<input type=file id=f onchange="say([...f.files].map((x) => x.name + x.size))"><button id=b onclick="g.click()">Choose</button>'
                            '<input type=file id=g multiple hidden onchange="say([...g.files].map((x) => x.name))">')
    show(surfer, pages, "takes")
    one, two = surfer.files / "一.txt", surfer.files / "two.txt"
    one.write_text("123")
    two.write_text("4")
    told = act(surfer, "upload", "#f", {"files": [str(one)]})
    assert pages.next() == ["一.txt3"] and told["files"] == ["一.txt"] and told["confirmed"]
    act(surfer, "upload", "#b", {"files": [str(one), str(two)]})
    assert pages.next() == ["一.txt", "two.txt"]
    (surfer.files / "link").symlink_to("/etc/hostname")
    for path, code in (("/etc/hostname", "FORBIDDEN"), (str(surfer.files / "link"), "FORBIDDEN"), (str(surfer.files / "none"), "FILE_NOT_FOUND"),
                       (str(surfer.files / ".." / ".." / "etc"), "FORBIDDEN"), (str(surfer.files), "INVALID_PARAMS")):
        refuses(surfer, code, action="upload", selector="#f", files=[path])
    refuses(surfer, "INVALID_PARAMS", action="upload", selector="#f", files=[str(one), str(two)])


# ---- the browser itself ----

def renderers(browser):
    """Processes of pages: below the browser, by way of its zygotes."""
    lines = [line.split(None, 2) for line in subprocess.run(["ps", "-eo", "pid,ppid,args"], capture_output=True, text=True).stdout.splitlines()[1:]]
    parents = {int(pid): int(parent) for pid, parent, _ in lines}

    def descends(pid):
        while pid > 1 and pid != browser:
            pid = parents.get(pid, 0)
        return pid == browser
    found = [int(pid) for pid, _, command in lines if "--type=renderer" in command and descends(int(pid))]
    assert found
    return found


def test_dry_run_marks_the_element_and_does_nothing(surfer, pages):
    show(surfer, pages, "plain")
    told = surfer.call("browser_interact", action="click", selector="#b", dry_run=True)
    assert told["target"]["element"]["name"] == "Save" and told["target"]["kind"] == "page" and told["image"]
    assert pages.said.empty()


def test_a_dry_run_says_what_the_call_would_meet(surfer, pages):
    def dry(action, **params):
        return surfer.call("browser_interact", action=action, dry_run=True, **params)
    pages.pages["guarded"] = ('<label>Key <input type=password id=p oninput="say(1)"></label><input id=q oninput="say(2)"><input type=file id=f hidden>'
                              '<button id=c onclick="confirm(1)">C</button>')
    show(surfer, pages, "guarded")
    for params in ({"selector": "#p"}, {"selector": 'text=Key'}):
        told = dry("fill", value="topsecret", **params)
        assert told["decision"] == "require_approval" and told["decided_by"] == "secure_field" and told["target"]["asks_owner"], told
    assert dry("press", selector="#p", keys="a")["decision"] == "require_approval"
    assert dry("press", selector="#p", keys="tab")["decision"] == "auto_approve"
    assert dry("click", selector="#p")["decision"] == "auto_approve"
    act(surfer, "focus", "#p")
    assert dry("press", keys="a")["decision"] == "require_approval"
    assert dry("fill", selector="#q", value="x")["decision"] == "auto_approve"
    inside = surfer.files / "inside.txt"
    inside.write_text("1")
    assert dry("upload", selector="#f", files=[str(inside)])["target"]["element"]["tag"] == "input"
    for path, code in (("/etc/passwd", "FORBIDDEN"), (str(surfer.files / "none"), "FILE_NOT_FOUND")):
        refuses(surfer, code, action="upload", selector="#f", files=[path], dry_run=True)
    refuses(surfer, "FORBIDDEN", action="click", selector="#q", download_dir="/etc", dry_run=True)
    refuses(surfer, "INVALID_PARAMS", action="fill", selector="#q", dry_run=True)
    refuses(surfer, "PRECONDITION_FAILED", action="dialog", dialog="accept", dry_run=True)
    act(surfer, "click", "#c")
    assert dry("dialog", dialog="accept")["target"]["dialog"]["message"] == "1"
    act(surfer, "dialog", None, {"dialog": "accept"})
    assert pages.said.empty() and b"topsecret" not in surfer.data_bytes()


def test_a_crashed_page_is_told_and_comes_back(surfer, pages):
    show(surfer, pages, "plain")
    pid, = browser_pids(surfer)
    for each in renderers(pid):
        os.kill(each, signal.SIGKILL)
    answer = eventually(lambda: next((a for a in [surfer.answer("browser_extract", type="text")] if not a["ok"]), None), 5, "the crash")
    assert answer["error"]["code"] == "DESKTOP_UNAVAILABLE" and answer["error"]["retryable"]
    eventually(lambda: "Save" in surfer.answer("browser_extract", type="text").get("result", {}).get("text", ""), 10, "the page again")


def test_a_killed_browser_is_started_again(surfer, pages):
    show(surfer, pages, "plain")
    pid, = browser_pids(surfer)
    os.kill(pid, signal.SIGKILL)
    eventually(lambda: not process_alive(pid), 5, "its end")
    assert surfer.call("screenshot", image=False)
    assert surfer.call("browser_navigate", url=pages.url("plain"))["title"] == "plain"
    assert browser_pids(surfer) != [pid]


def test_the_end_of_a_browser_is_told(surfer, pages):
    """Its pages are gone: an empty one must not be taken for them. Names of tabs do not come again for others."""
    for end, word, call in ((signal.SIGKILL, "signal 9", ("browser_extract", {"type": "text"})), (signal.SIGTERM, "was closed", ("browser_tabs", {})),
                            (signal.SIGKILL, "signal 9", ("browser_navigate", {"action": "reload"}))):
        show(surfer, pages, "plain")
        before = surfer.call("browser_tabs", action="new")["tabs"]
        surfer.call("browser_navigate", url=pages.url("form"))
        pid, = browser_pids(surfer)
        os.kill(pid, end)
        eventually(lambda: not process_alive(pid), 5, "its end")
        tool, params = call
        error = surfer.fails("DESKTOP_UNAVAILABLE", tool, **params)
        assert word in error["message"] and error["retryable"], error
        lost = {page["tab"]: page["url"] for page in error["details"]["pages"]}
        assert set(lost) == {tab["tab"] for tab in before} and {pages.url("plain"), pages.url("form")} <= set(lost.values()), (lost, before)
        tab, = surfer.call("browser_tabs")["tabs"]
        assert tab["url"] == "about:blank" and tab["tab"] not in lost
        assert surfer.call("browser_extract", type="text")["text"] == ""


def test_a_browser_whose_tabs_were_all_closed_shows_no_page(surfer, pages):
    show(surfer, pages, "plain")
    for tab in surfer.call("browser_tabs")["tabs"]:
        surfer.call("browser_tabs", action="close", tab=tab["tab"])
    for tool, params in (("browser_extract", {"type": "text"}), ("browser_interact", {"action": "click", "selector": "#b"})):
        error = surfer.fails("PRECONDITION_FAILED", tool, **params)
        assert "no page is open" in error["message"] and pages.url("plain") in error["message"]
    show(surfer, pages, "plain")
    assert "Save" in surfer.call("browser_extract", type="text")["text"]
