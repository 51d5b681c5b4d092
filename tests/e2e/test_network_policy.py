"""The network "policy" of a private desktop: every program reaches the network through our proxy or not at all, and the proxy holds
the owner's lists of domains. A server on another machine says what came through to it."""
import json
import os
import pathlib
import shlex
import signal

import pytest

from handfast import CONTAINER, FULL_AUTO, Desk, eventually, finish, process_alive
from two_machines import HERE, PRIVATE, THERE, TwoMachines

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to make a network")
# A client that speaks to the proxy byte by byte: what it gets is its output.
RAW = "exec 3<>/dev/tcp/127.0.0.1/3128; printf '%b' {} >&3; timeout 20 cat <&3"

RUNNER = """import os, subprocess, sys
with open(sys.argv[2] + ".new", "wb") as report:
    subprocess.run(["bash", sys.argv[1]], stdout=report, stderr=report, stdin=subprocess.DEVNULL)
os.rename(sys.argv[2] + ".new", sys.argv[2])
"""


class NetworkDesk(Desk):
    """A desk on the first of two machines."""

    def __init__(self, machines, **security):
        self.machines = machines
        super().__init__("--virtual", "--size", "800x600", verify=False, config=self.lists(**security))

    def command(self, *words):
        return self.machines.command(words) if "serve" in words else list(words)

    def lists(self, **security):
        return {**FULL_AUTO, "container": {**CONTAINER, "network": "policy"},
                "security": {**FULL_AUTO["security"], "allowed_domains": [], "blocked_domains": [], **security}}

    def inside(self, script):
        """What a program on the desktop writes."""
        report, runner, text = self.home / "report", self.home / "runner.py", self.home / "script"
        report.unlink(missing_ok=True)
        text.write_text(script)
        runner.write_text(RUNNER)  # rules judge the text of commands, and would refuse the names of blocked hosts at once
        self.call("app_launch", name="python3", args=[str(runner), str(text), str(report)])
        eventually(report.exists, 60, "the report")
        return report.read_text(errors="replace")

    def raw(self, text):
        return self.inside(RAW.format(shlex.quote(text)))


@pytest.fixture(scope="module")
def machines(tmp_path_factory):
    both = TwoMachines(tmp_path_factory.mktemp("machines"))
    yield both
    both.end()


@pytest.fixture(scope="module")
def shared(machines):
    desk = NetworkDesk(machines, allowed_domains=["allowed.test", "other.test"], blocked_domains=["other.test"])
    yield desk
    finish(desk)


@pytest.fixture(scope="module")
def free(machines):
    """A desk without lists: only this machine is out of reach."""
    desk = NetworkDesk(machines)
    yield desk
    finish(desk)


@pytest.fixture
def own(machines):
    desks = []

    def start(**security):
        desks.append(NetworkDesk(machines, **security))
        return desks[-1]
    yield start
    for each in desks:
        finish(each)


def test_an_allowed_host_is_reached_by_every_way(shared, machines):
    seen = shared.inside("""
        env | grep -i _proxy
        curl -sS http://allowed.test:8080/plain
        curl -sS -d body=1 http://allowed.test:8080/post
        echo streamed | curl -sS -T - -X POST http://allowed.test:8080/chunked
        curl -sS -p http://allowed.test:8080/tunnel
        curl -sS --proxy $all_proxy http://allowed.test:8080/socks
        python3 -c "import urllib.request; print(urllib.request.urlopen('http://allowed.test:8080/python').read())"
        git ls-remote http://allowed.test:8080/git
    """)
    for path in ("plain", "post body=1", "chunked streamed", "tunnel", "socks", "python"):
        assert f"hello /{path}" in seen, seen
    assert [line for line in machines.saw("there") if "/post" in line] == ["POST allowed.test:8080 /post body=1"]
    assert any("/git/info/refs" in line for line in machines.saw("there"))
    assert "all_proxy=socks5h://127.0.0.1:3128" in seen and "HTTPS_PROXY=http://127.0.0.1:3128" in seen


def test_shells_use_it_too(shared):
    assert "hello /shell" in shared.call("bash_execute", command="curl -sS http://allowed.test:8080/shell")["stdout"]


@pytest.mark.parametrize("host, field", [("forbidden.test", "security.allowed_domains"), ("other.test", "security.blocked_domains"),
                                         ("FORBIDDEN.test.", "security.allowed_domains"), (THERE, "security.allowed_domains")])
def test_a_forbidden_host_is_never_reached(shared, machines, host, field):
    before = len(machines.saw("there"))
    seen = shared.inside(f"""
        curl -sS -w '%{{http_code}}' http://{host}:8080/plain
        curl -sS -p http://{host}:8080/tunnel
        curl -sS --proxy $all_proxy http://{host}:8080/socks
    """)
    assert "403" in seen and host.lower() in seen.lower() and field in seen, seen
    assert "hello" not in seen and len(machines.saw("there")) == before
    assert field in shared.cli("desktop", "show", "main").stdout.decode()


def test_there_is_no_other_way(shared, machines):
    before = len(machines.saw("there"))
    seen = shared.inside(f"""
        curl -sS --noproxy '*' -m 10 http://{THERE}:8080/direct
        curl -sS --noproxy '*' -m 10 http://allowed.test:8080/direct
        exec 3<>/dev/tcp/{THERE}/7000 && echo REACHED
        ls /sys/class/net 2>/dev/null; cut -d: -f1 /proc/net/dev
    """)
    assert "hello" not in seen and "REACHED" not in seen and "cable" not in seen
    assert len(machines.saw("there")) == before


OWN_NAMES = ["inner.test", "127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "[::1]", "0.0.0.0", "127.1", "2130706433", "0x7f000001",
             HERE, "myself.test", f"[::ffff:{HERE}]", "[64:ff9b::7f00:1]"]


def test_this_machine_is_never_reached(free, machines):
    """Not by its addresses, however they are written, nor by names that lead to them."""
    script = "".join(f"""
        curl -sS -m 20 --noproxy '' --proxy $http_proxy 'http://{host}:8080/plain'
        curl -sS -m 20 --noproxy '' --proxy $http_proxy -p 'http://{host}:8080/tunnel'
        curl -sS -m 20 --noproxy '' --proxy $all_proxy 'http://{host}:8080/socks'
    """ for host in OWN_NAMES)
    seen = free.inside(script + "curl -sS http://forbidden.test:8080/but-others")
    assert "hello /but-others" in seen, "the proxy itself works"
    assert seen.count("hello") == 1 and machines.saw("here") == [], seen
    assert "inner.test" in seen and "container.network" in seen


def by_all_ways(host):
    return f"""
        curl -sS -m 20 'http://{host}:8080/plain'
        curl -sS -m 20 -p 'http://{host}:8080/tunnel'
        curl -sS -m 20 --proxy $all_proxy 'http://{host}:8080/socks'
    """


def test_a_private_network_is_reached_by_listed_hosts_only(free, own):
    seen = free.inside(by_all_ways("printer.test") + by_all_ways(PRIVATE) + by_all_ways(f"[::ffff:{PRIVATE}]"))
    assert "hello" not in seen and "private network" in seen and "security.allowed_domains" in seen, seen
    desk = own(allowed_domains=["printer.test"])
    seen = desk.inside(by_all_ways("printer.test") + "echo; echo by address; " + by_all_ways(PRIVATE))
    assert seen.count("hello") == 3 and "hello" not in seen.split("by address")[1], seen


def test_a_host_header_changes_nothing(shared, machines):
    """One request per connection, for the host of its first line."""
    seen = shared.raw("GET http://allowed.test:8080/first HTTP/1.1\\r\\nHost: forbidden.test\\r\\nConnection: keep-alive, x-a\\r\\nX-A: 1\\r\\n\\r\\n"
                      "GET http://forbidden.test:8080/second HTTP/1.1\\r\\nHost: forbidden.test\\r\\n\\r\\n")
    assert "hello /first" in seen and "/second" not in seen
    assert "GET allowed.test:8080 /first " in machines.saw("there")
    assert not [line for line in machines.saw("there") if "/second" in line]


@pytest.mark.parametrize("text", [
    "GET / HTTP/1.1\\r\\nHost: allowed.test\\r\\n\\r\\n",
    "GET http://allowed.test@forbidden.test:8080/ HTTP/1.1\\r\\n\\r\\n",
    "GET http://allowed.test:8080/ HTTP/1.1\\nHost: x\\r\\n\\r\\n",
    "POST http://allowed.test:8080/smuggled HTTP/1.1\\r\\nContent-Length: 5\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n0\\r\\n\\r\\n",
    "CONNECT allowed.test HTTP/1.1\\r\\n\\r\\n",
    "\\x16\\x03\\x01 no http\\r\\n\\r\\n",
])
def test_what_is_ambiguous_is_refused(shared, machines, text):
    before = len(machines.saw("there"))
    assert "400 Bad Request" in shared.raw(text)
    assert len(machines.saw("there")) == before


def test_endless_headers_are_refused(shared):
    seen = shared.inside("{ printf 'GET http://allowed.test/ HTTP/1.1\\r\\nX: '; head -c 100000 /dev/zero | tr '\\0' x; } > big;"
                         "exec 3<>/dev/tcp/127.0.0.1/3128; cat big >&3; cat <&3; rm big")
    assert "431" in seen


def test_a_slow_request_is_cut(shared):
    seen = shared.inside("exec 3<>/dev/tcp/127.0.0.1/3128; printf 'GET http://allowed.test:8080/slow HTTP/1.1\\r\\n' >&3;"
                         "timeout 40 cat <&3; echo ended $?")
    assert "ended 0" in seen and "hello" not in seen


HOLD_MANY = """import pathlib, resource, socket, sys
resource.setrlimit(resource.RLIMIT_NOFILE, (2048, 2048))
held = []
for _ in range(700):
    held.append(socket.create_connection(("127.0.0.1", 3128), 10))
for each in held[512:]:
    each.settimeout(20)
    try:
        assert each.recv(1) == b""
    except ConnectionError:
        pass
print("turned away", len(held) - 512)
"""


def test_many_connections_are_bounded(own, machines):
    desk = own()
    pid, = proxies(desk)
    assert "hello" in desk.inside("curl -sS http://allowed.test:8080/before")
    eventually(lambda: len(threads(pid)) < 10, 10, "the end of its connections")
    before = len(descriptors(pid))
    (desk.home / "many.py").write_text(HOLD_MANY)
    assert "turned away 188" in desk.inside(f"python3 {desk.home}/many.py")
    seen = desk.inside("""
        for i in $(seq 20); do
            curl -sS http://allowed.test:8080/after; curl -sS --proxy $all_proxy http://allowed.test:8080/after
            curl -sS -p http://127.0.0.1.nip.test:8080/ ; curl -sS -p http://inner.test:8080/; curl -sS http://allowed.test:1/
        done 2>/dev/null; head -c 200000 /dev/urandom > /dev/tcp/127.0.0.1/3128
    """)
    assert seen.count("hello /after") == 40, seen
    eventually(lambda: len(descriptors(pid)) <= before, 20, "descriptors of the proxy as before")
    assert proxies(desk) == [pid], "it has not died of it"


def hold_connection(desk):
    """A program that keeps a tunnel; the file says whether it is open."""
    ends = desk.home / "ends"
    script = desk.home / "hold.py"
    script.write_text(f"""import pathlib, socket
way = socket.create_connection(("127.0.0.1", 3128))
way.sendall(b"CONNECT allowed.test:7000 HTTP/1.1\\r\\n\\r\\n")
assert b" 200 " in way.recv(4096)
way.sendall(b"ping\\n")
assert way.recv(4096) == b"ping\\n"
pathlib.Path({str(ends)!r}).write_text("open")
try:
    rest = way.recv(4096)
except ConnectionError:
    rest = b""
pathlib.Path({str(ends)!r}).write_text("closed" if not rest else "more")
""")
    desk.call("app_launch", name="python3", args=[str(script)])
    eventually(lambda: ends.exists() and ends.read_text() == "open", 20, "the connection")
    return ends


def test_another_list_closes_what_is_open(own, machines):
    desk = own()
    ends = hold_connection(desk)
    desk.write_config(desk.lists(blocked_domains=["forbidden.test"]))
    assert "hello /still" in desk.inside("curl -sS http://allowed.test:8080/still")
    assert ends.read_text() == "open", "what is still allowed stays"
    desk.write_config(desk.lists(blocked_domains=["allowed.test"]))
    eventually(lambda: ends.read_text() == "closed", 10, "the end of the connection")
    eventually(lambda: "ended" in machines.saw("there"), 10, "the server's end of it")
    assert "403" in desk.inside("curl -sS -w '%{http_code}' http://allowed.test:8080/later")


def test_the_browser_goes_through_it(shared, machines):
    page = shared.call("browser_navigate", url="http://allowed.test:8080/page", timeout_ms=60000)
    assert page["title"] == "/page"
    assert any("allowed.test:8080 /page" in line for line in machines.saw("there"))
    error = shared.fails("FORBIDDEN", "browser_navigate", url="http://forbidden.test:8080/page")
    assert "forbidden.test" in error["message"]


def test_the_browser_explains_what_the_proxy_refuses(free, machines):
    """No list forbids it: only the proxy knows where the name leads."""
    error = free.fails("FORBIDDEN", "browser_navigate", url="http://inner.test:8080/page", timeout_ms=60000)
    assert "inner.test" in error["message"] and "container.network" in error["message"]
    assert machines.saw("here") == []


def test_a_browser_that_a_program_starts(shared, machines):
    """It finds the proxy in its environment."""
    start = "timeout 60 chromium --headless --no-sandbox --disable-gpu --user-data-dir=$PWD/own-browser --dump-dom"
    seen = shared.inside(f"{start} http://allowed.test:8080/own-browser 2>/dev/null; {start} http://forbidden.test:8080/never 2>/dev/null")
    assert "hello /own-browser" in seen and "hello /never" not in seen
    assert not [line for line in machines.saw("there") if "/never" in line]


def test_servers_on_the_desktop_itself(shared):
    """The loopback of the container is its own."""
    seen = shared.inside("python3 -m http.server 8123 --bind 127.0.0.1 --directory /usr/share/doc/bash >/dev/null 2>&1 & server=$!;"
                         "until curl -sS http://127.0.0.1:8123/ 2>/dev/null; do :; done; kill $server")
    assert "Directory listing" in seen


# ---- its life ----

def descriptors(pid):
    return os.listdir(f"/proc/{pid}/fd")


def threads(pid):
    return os.listdir(f"/proc/{pid}/task")


def proxies(desk):
    """The proxies of a desk, on this machine."""
    found = []
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
            parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
        except OSError:
            continue
        if words[1:2] == [b"proxy"] and parent == desk.process.pid:
            found.append(int(entry.name))
    return found


def test_the_proxy_is_unprivileged_and_comes_back(own):
    desk = own()
    pid, = proxies(desk)
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    assert "Uid:\t65534\t65534\t65534\t65534" in status and "NoNewPrivs:\t1" in status and "CapEff:\t0000000000000000" in status
    assert os.stat(f"/proc/{pid}/maps").st_uid == 0, "it can be traced"
    os.kill(pid, signal.SIGKILL)
    eventually(lambda: [each for each in proxies(desk) if each != pid], 20, "the next one")
    assert "hello /again" in desk.inside("curl -sS --retry 5 --retry-connrefused http://allowed.test:8080/again")
    desk.remove_desktop("main")
    assert not proxies(desk)


def test_its_death_cuts_everything_and_leaks_nothing(own, machines):
    """Without it there is no network at all; the next one has the lists of now."""
    desk = own()
    pid, = proxies(desk)
    before = len(descriptors(desk.process.pid))
    os.kill(pid, signal.SIGSTOP)
    desk.write_config(desk.lists(blocked_domains=["forbidden.test"]))
    seen = desk.inside(f"curl -sS -m 3 http://allowed.test:8080/without; curl -sS -m 3 --noproxy '*' http://{THERE}:8080/without")
    assert "hello" not in seen
    for _ in range(3):
        last, = proxies(desk)
        os.kill(last, signal.SIGKILL)
        eventually(lambda last=last: proxies(desk) not in ([], [last]), 20, "the next one")
    assert "hello /back" in desk.inside("curl -sS --retry 5 --retry-connrefused http://allowed.test:8080/back")
    assert "403" in desk.inside("curl -sS -w '%{http_code}' http://forbidden.test:8080/never")
    eventually(lambda: len(descriptors(desk.process.pid)) <= before, 10, "descriptors of the desk as before")
    last, = proxies(desk)
    desk.stop()
    assert not process_alive(last)
    desk.start()


def test_a_stop_ends_it_until_work_goes_on(own, machines):
    """What a frozen program has already sent does not leave either."""
    desk = own()
    ended = machines.saw("there").count("ended")
    ends = hold_connection(desk)
    assert desk.cli("stop").returncode == 0
    eventually(lambda: not proxies(desk), 5, "the end of the proxy")
    eventually(lambda: machines.saw("there").count("ended") == ended + 1, 5, "the server's end of the connection")
    assert "stopped" in desk.desktops()["main"]["walls"]["network_problem"]
    assert desk.owner_cli("resume").returncode == 0
    assert "hello /resumed" in desk.inside("curl -sS --retry 5 --retry-connrefused http://allowed.test:8080/resumed")
    assert ends.read_text() == "closed" and "network_problem" not in desk.desktops()["main"]["walls"]


def test_a_desktop_that_comes_and_goes_leaves_nothing(own):
    desk = own()
    many = len(proxies(desk))
    counts = []
    for _ in range(4):
        desk.new_desktop("other", width=640, height=480)
        assert len(proxies(desk)) == many + 1
        desk.remove_desktop("other")
        assert len(proxies(desk)) == many
        counts.append(sorted(os.readlink(f"/proc/{desk.process.pid}/fd/{name}").split(":")[0] for name in descriptors(desk.process.pid)))
    # The first one opens what the desk then keeps.
    assert [len(each) for each in counts[1:]] == [len(counts[0])] * 3, counts


def test_the_proxy_ends_with_a_killed_desk(own):
    desk = own()
    pid, = proxies(desk)
    desk.process.kill()
    desk.process.wait()
    eventually(lambda: not process_alive(pid), 10, "the end of the proxy")
    desk.start()


def test_the_owner_sees_it(shared):
    walls = shared.desktops()["main"]["walls"]
    assert walls["network"] == "policy" and "network_problem" not in walls
    shown = shared.cli("desktop", "show", "main").stdout.decode()
    assert "through a proxy" in shown
    findings = {finding["check"]: finding for finding in json.loads(shared.cli("doctor", "--json").stdout)["checks"]}
    assert "security.allowed_domains" in findings["network"]["message"] and findings["network"]["health"] == "ok"
