"""Where the browser may go: every request that it makes, whatever for, is held to the lists of domains. The server has two names;
what was asked of it by the wrong one is the witness. The same pages under an agreement without lists show that they do ask."""
import itertools
import json
import os
import pathlib
import shutil
import signal
import time

import pytest

from handfast import FULL_AUTO, SLOW, Desk, eventually, finish, process_alive, wait_for_ends
from pages import Pages, browser_pids

THERE = "http://localhost:{PORT}/there/"
# Each wants something from the other host, in its own way.
WANTS = {
    "redirect": lambda request: request.give("", "text/plain", 302, [("Location", f"http://localhost:{request.server.server_port}/there/redirect")]),
    "iframe": f'<iframe src="{THERE}iframe"></iframe>',
    "image": f'<img src="{THERE}image">',
    "style": f'<link rel=stylesheet href="{THERE}style">',
    "script": f'<script src="{THERE}script"></script>',
    "fetch": f'<script>fetch("{THERE}fetch", {{mode: "no-cors"}})</script>',
    "beacon": f'<script>navigator.sendBeacon("{THERE}beacon", "x")</script>',
    "socket": '<script>new WebSocket("ws://localhost:{PORT}/there/socket")</script>',
    "events": f'<script>new EventSource("{THERE}events")</script>',
    "worker": f'<script>new Worker(URL.createObjectURL(new Blob([`fetch("{THERE}worker", {{mode: "no-cors"}})`])))</script>',
    "service_worker": '<script>navigator.serviceWorker.register("/sw.js?service_worker")</script>',
    "prefetch": f'<link rel=prefetch href="{THERE}prefetch">',
    "popup": f'<script>window.open("{THERE}popup")</script>',
    "refresh": f'<meta http-equiv=refresh content="0;url={THERE}refresh">',
    "form": f'<form id=f action="{THERE}form"></form><script>f.submit()</script>',
    "blob_frame": f'<script>{{ const i = document.createElement("iframe"); i.src = URL.createObjectURL(new Blob([`<img src="{THERE}blob_frame">`], {{type: "text/html"}})); document.body.append(i) }}</script>',
    "data_frame": f'<iframe src="data:text/html,<img src=%22{THERE}data_frame%22>"></iframe>',
    "data_frame_socket": '<iframe src="data:text/html,<script>new WebSocket(%22ws://localhost:{PORT}/there/data_frame_socket%22)</script>"></iframe>',
    "media": f'<video src="{THERE}media" autoplay muted></video>',
    "ping": f'<a id=a href="#x" ping="{THERE}ping">X</a><script>a.click()</script>',
}
# What another name for the same machine is to the browser must not matter either.
PAGES = {**WANTS, "home": "<p>Home</p>", "there": lambda request: request.give("x", "text/plain"),
         "sw.js": lambda request: request.give(f'fetch("http://localhost:{request.server.server_port}/there/service_worker", {{mode: "no-cors"}}).catch(() => 0)', "text/javascript")}


@pytest.fixture(scope="module")
def pages():
    served = Pages(PAGES)
    yield served
    served.stop()


def desk_with(**security):
    return Desk("--virtual", "--size", "1024x700", "--private-home", verify=False,
                config={**FULL_AUTO, "security": {**FULL_AUTO["security"], "blocked_domains": [], **security}})


@pytest.fixture(scope="module")
def walled():
    desk = desk_with(allowed_domains=["127.0.0.1"])
    yield desk
    finish(desk)


@pytest.fixture(scope="module")
def shared():
    """A desk without lists, for all that leave it as they found it."""
    desk = desk_with()
    yield desk
    finish(desk)


@pytest.fixture
def free(shared):
    yield shared
    agree(shared)


def agree(desk, **security):
    """Another agreement; it holds when this returns."""
    desk.write_config({**FULL_AUTO, "security": {**FULL_AUTO["security"], "blocked_domains": [], **security}})


def test_nothing_goes_where_it_may_not(walled, pages):
    pages.asked.clear()
    for name in WANTS:
        walled.answer("browser_navigate", url=pages.url(name), timeout_ms=10000)
    told = walled.call("browser_navigate", url=pages.url("image"), wait_until="networkidle")
    assert told["blocked"] == ["localhost"]
    time.sleep(1)  # nothing tells that something has not happened
    assert not [path for host, path in pages.asked if host.startswith("localhost")]
    assert any(path == "/image" for _, path in pages.asked)


def test_the_same_pages_do_ask(free, pages):
    for name in WANTS:
        free.answer("browser_navigate", url=pages.url(name), timeout_ms=10000, wait_until="domcontentloaded")
        eventually(lambda: any(path.rstrip("?") == f"/there/{name}" and host.startswith("localhost") for host, path in pages.asked), 5, name)


def test_what_is_not_allowed_is_said(walled, pages):
    for url in (f"http://localhost:{pages.port}/home", "https://example.com/", "data:text/html,x", "http://LOCALHOST./", "http://0x7f000001.evil.test/"):
        error = walled.fails("FORBIDDEN", "browser_navigate", url=url)
        assert "localhost" in error["message"].lower() or "example" in error["message"] or "data" in error["message"] or "evil" in error["message"]
    error = walled.fails("FORBIDDEN", "browser_navigate", url=pages.url("redirect"))
    assert "localhost" in error["message"]
    assert walled.call("browser_navigate", url=pages.url("home"))["title"] == "home"


def code_of(desk, tool, **params):
    return desk.answer(tool, **params).get("error", {}).get("code")


def test_every_list_must_fit(free, pages):
    agree(free, allowed_domains=["127.*", "localhost"], blocked_domains=["localhost"])
    eventually(lambda: code_of(free, "browser_navigate", url=pages.url("home", "localhost")) == "DANGEROUS_ACTION_BLOCKED", 10, "the refusal")
    told = free.call("browser_navigate", url=pages.url("image"), wait_until="networkidle")
    assert told["blocked"] == ["localhost"]
    assert free.call("browser_navigate", url=pages.url("home"))["complete"]


def test_another_agreement_holds_at_once(free, pages):
    """A page that is open asks on and on; nobody calls a tool when the owner changes the lists."""
    pages.pages["asks_on"] = f'<script>let n = 0; setInterval(() => fetch("{THERE}tick" + n++, {{mode: "no-cors", cache: "no-store"}}), 50)</script>'
    free.call("browser_navigate", url=pages.url("asks_on"))
    ticks = lambda: sum(path.startswith("/there/tick") for _, path in pages.asked)  # noqa: E731
    before = ticks()
    # Each call brings what the agreement says by then.
    eventually(lambda: free.call("browser_tabs") and ticks() > before + 2, 10, "questions")
    agree(free, blocked_domains=["localhost"])

    def has_stopped():
        before = ticks()
        time.sleep(0.5)
        return ticks() == before
    eventually(has_stopped, 10, "the end of the questions")
    # A tab that is where it may not be any more is neither read nor acted on.
    agree(free, blocked_domains=["127.0.0.1"])
    eventually(lambda: code_of(free, "browser_extract", type="text") == "FORBIDDEN", 10, "the refusal")


def type_address(desk, text):
    window = next(window for window in desk.call("window_list")["windows"] if "hromium" in window["title"])
    desk.call("window_focus", window_id=window["window_id"])
    desk.call("key_press", keys=["ctrl", "l"])
    desk.call("type_text", text=text + "\n")


def test_addresses_without_a_network(walled, pages):
    """Typed into the address bar by the keyboard of the desktop, past the tools for pages."""
    for typed in ("file:///etc/hostname", "chrome://version"):
        walled.call("browser_navigate", url=pages.url("home"))
        told = []

        def has_left():
            if not told or told[-1].get("url") == pages.url("home"):
                type_address(walled, typed)
            told.append(walled.answer("browser_extract", type="text").get("result", {}))
            return told[-1].get("url") == "about:blank"
        eventually(has_left, 10, "leaving it")
        assert not [page for page in told if pathlib.Path("/etc/hostname").read_text().strip() in page.get("text", "")]


# ---- its life ----

def is_stopped_crash_handler(pid):
    try:
        folder = pathlib.Path(f"/proc/{pid}")
        return b"crashpad_handler" in (folder / "cmdline").read_bytes() and (folder / "stat").read_text().rsplit(")", 1)[1].split()[0] == "T"
    except OSError:
        return False


def test_a_stop_ends_the_browser(free, pages):
    eventually(lambda: free.answer("browser_navigate", url=pages.url("home"))["ok"], 10, "the agreement without lists")
    pid, = browser_pids(free)
    before = browser_pids(free, helpers=True)
    assert free.cli("stop").returncode == 0
    # Only what watches for crashes, in sessions of its own: it is stopped with all programs, and ends when they go on.
    eventually(lambda: not [each for each in browser_pids(free, helpers=True) if not is_stopped_crash_handler(each)], 5,
               "the end of the browser")
    assert code_of(free, "browser_navigate", url=pages.url("home")) == "STOPPED"
    assert free.owner_cli("resume", answer="y\n").returncode == 0
    assert wait_for_ends(before, 5) == []
    told = free.answer("browser_extract", type="text")["error"]
    assert told["code"] == "DESKTOP_UNAVAILABLE" and "by a stop" in told["message"] and pages.url("home") in [page["url"] for page in told["details"]["pages"]], told
    assert free.call("browser_navigate", url=pages.url("home"))["complete"]
    assert browser_pids(free) != [pid]


@pytest.fixture(scope="module")
def fragile(tmp_path_factory):
    """A desk whose browser cannot run pages as long as there is a file."""
    folder, real = tmp_path_factory.mktemp("program"), shutil.which("chromium")
    crashing, program = folder / "crashing", folder / "chromium"
    program.write_text(f'#!/bin/sh\n[ -e {crashing} ] && set -- "$@" --renderer-cmd-prefix=/bin/false\nexec {real} "$@"\n')
    program.chmod(0o755)
    desk = Desk("--virtual", "--size", "1024x700", "--private-home", verify=False, config=FULL_AUTO,
                environment={"PATH": f"{folder}:{os.environ['PATH']}"})
    desk.crashing = crashing
    yield desk
    if desk.process.poll() is None:
        finish(desk)
    desk.remove()


def test_a_browser_whose_first_page_crashes_is_told_and_started_again(fragile, pages):
    """As it was seen now and then when a browser starts; the next one is as it should be."""
    fragile.crashing.touch()
    began = time.monotonic()
    answer = fragile.answer("browser_navigate", url=pages.url("home"))
    assert time.monotonic() - began < 10 * SLOW, "the crash was waited out"
    assert answer["error"]["code"] == "DESKTOP_UNAVAILABLE" and answer["error"]["retryable"] and "crashed" in answer["error"]["message"], answer
    eventually(lambda: not browser_pids(fragile, helpers=True), 5, "its end")
    fragile.crashing.unlink()
    assert fragile.call("browser_navigate", url=pages.url("home"))["title"] == "home"


def test_no_orphan_is_left(fragile, pages):
    """Whatever is killed: the hand, then the desk with all of it. The last of the fragile desk."""
    fragile.call("browser_navigate", url=pages.url("home"))
    pid, = browser_pids(fragile)
    os.kill(fragile.desktops()["main"]["hand_pid"], signal.SIGKILL)
    eventually(lambda: not process_alive(pid), 5, "the end of the browser")
    assert eventually(lambda: fragile.answer("browser_navigate", url=pages.url("home"))["ok"], 20, "the next one")
    fragile.process.kill()
    fragile.process.wait()
    eventually(lambda: not browser_pids(fragile, helpers=True), 10, "the end of all browsers")


def test_each_caller_has_a_browser_of_its_own(free, pages):
    """Cookies of one are not those of another."""
    pages.pages["cookie"] = "<script>document.title = document.cookie || 'none'; document.cookie = 'seen=1'</script>"
    first = free.call("browser_navigate", url=pages.url("cookie"))["title"]
    again = free.call("browser_navigate", url=pages.url("cookie"))["title"]
    assert (first, again) == ("none", "seen=1")
    told = json.loads(free.cli("browser_navigate", "--url", pages.url("cookie"), "--json").stdout)
    assert (told.get("result") or told)["title"] == "none"
    assert len(browser_pids(free)) == 2


def test_many_pages_leave_nothing_behind(walled, pages):
    """The short form of bench/soak-pages."""
    def descriptors():
        return len(os.listdir(f"/proc/{walled.desktops()['main']['hand_pid']}/fd"))
    walled.call("browser_navigate", url=pages.url("home"))
    before = descriptors()
    for _ in itertools.repeat(None, 12):
        walled.call("browser_navigate", url=pages.url("home"), wait_until="domcontentloaded")
        walled.call("browser_extract", type="text")
    eventually(lambda: descriptors() <= before + 4, 5, "no more descriptors than before")
