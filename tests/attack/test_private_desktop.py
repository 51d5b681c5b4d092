"""A hostile program on a private desktop of a new installation: nothing that it tries gets out."""
import json
import os
import pathlib
import socket
import threading
import uuid

import pytest

from handfast import PROGRAM, SLOW, eventually, process_alive

# `make attack`; the short form is for every change.
long_form = pytest.mark.skipif(not os.environ.get("HF_LONG"), reason="in the long form only: make attack")
INTRUDER = pathlib.Path(__file__).with_name("intruder.py")


def prepare_home(desk):
    """Secrets of a user where they usually are; and Projects, which the default configuration lets agents use."""
    secrets = {".ssh/id_ed25519": "KEY", ".bashrc": "# mine\n", "private.txt": "PRIVATE", ".config/tool/token": "TOKEN"}
    for name, text in secrets.items():
        path = desk.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (desk.home / "Projects").mkdir()
    for path in [desk.home, *desk.home.rglob("*")]:
        if "run" not in path.parts:
            os.chown(path, desk.user.pw_uid, desk.user.pw_gid, follow_symlinks=False)
    return [str(desk.home / name) for name in secrets]


@pytest.fixture
def listener():
    """Something that listens on this machine and counts who comes."""
    server = socket.create_server(("", 0))
    visits = []

    def serve():
        while True:
            try:
                client, address = server.accept()
                visits.append(address)
                client.sendall(b"LISTENER")
                client.close()
            except OSError:
                return

    threading.Thread(target=serve, daemon=True).start()
    yield server.getsockname()[1], visits
    server.close()


def survivors(mark):
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and mark.encode() in (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
        except OSError:
            pass
    return found


def hand_over(desk):
    """A directory that the desktop's programs do not see, because it came later; the hand has it open while it is watched."""
    folder = desk.home / "Documents"
    folder.mkdir()
    os.chown(folder, desk.user.pw_uid, desk.user.pw_gid)
    for text in ("HANDED once", "HANDED twice"):
        desk.call("file_write", path=str(folder / "note.txt"), content=text)
    desk.call("file_watch", path=str(folder), timeout=0)
    return folder


def send_intruder(desk, listener, **more):
    """Starts the intruder by an ordinary call; its results, and the mark of what it left behind."""
    mark = f"survivor-{uuid.uuid4()}"
    projects = desk.home / "Projects"
    data, config, runtime = desk.home / "data" / "handfast", desk.home / "config" / "handfast", desk.runtime / "handfast"
    handed = hand_over(desk)
    other = desk.new_desktop("other", width=640, height=480)
    orders = {
        "secrets": desk.secrets + [str(data / "handfast.db"), str(data / "audit-key"), str(config / "config.json"),
                                   str(desk.log), str(runtime / "desktops" / "other" / "Xauthority")],
        "folders": [str(data), str(config), str(runtime), str(runtime / "desktops" / "other"), str(desk.home / ".ssh")],
        "own": ["main", "desktops", "state", "desktop-main", "files"],
        "processes": ["handfast serve", "pytest", "bwrap"],
        "pids": [desk.process.pid, os.getpid(), desk.desktops()["other"]["hand_pid"]],
        "sockets": [str(desk.socket_path), str(runtime / "desktops" / "other" / "bus"), "/run/dbus/system_bus_socket",
                    f"/run/user/{desk.user.pw_uid}/bus"],
        "displays": [0, 1, int(other["display"].removeprefix(":"))],
        "abstract": ["X11-unix", "dbus", "ibus"],
        "addresses": [["127.0.0.1", listener[0]], ["10.0.2.2", listener[0]], ["::1", listener[0]]],
        "variables": ["SSH_AUTH_SOCK", "API_KEY", "GITHUB_TOKEN", "DBUS_SYSTEM"],
        "program": PROGRAM,
        "survivor": mark,
        "handed_folder": str(handed), "handed": "note.txt",
        **more,
    }
    (projects / "intruder.py").write_bytes(INTRUDER.read_bytes())
    (projects / "orders.json").write_text(json.dumps(orders))
    results = projects / "results.json"
    answer = desk.call("app_launch", name="python3",
                       args=[str(projects / "intruder.py"), str(projects / "orders.json"), str(results)])
    assert answer["pid"] > 0
    eventually(results.exists, 120, "the intruder's report")
    return json.loads(results.read_text()), mark


@pytest.fixture
def invaded(default_desk, listener):
    desk = default_desk(environment={"SSH_AUTH_SOCK": "/nonexistent", "ANTHROPIC_API_KEY": "sk-canary", "GITHUB_TOKEN": "canary"})
    desk.secrets = prepare_home(desk)
    desk.remove_desktop("main")
    desk.new_desktop("main", width=800, height=600)
    desk.results, desk.mark = send_intruder(desk, listener)
    desk.visits = listener[1]
    eventually(lambda: len(survivors(desk.mark)) == 4, 10, "what the intruder leaves behind")
    return desk


def test_nothing_gets_out(invaded):
    # A build with sanitizers can be traced: LeakSanitizer needs that.
    allowed = {"trace the stage", "memory of the stage"} if SLOW > 1 else set()
    reached = {name: got for name, got in invaded.results.items() if got is not None and name not in allowed}
    # Its own home has a .bashrc of its own, perhaps; the user's is as it was.
    assert (invaded.home / ".bashrc").read_text() == "# mine\n"
    assert not [path for path in invaded.home.rglob("intruder") if "desktops" not in path.parts]
    assert not reached, json.dumps(reached, indent=1)
    assert (invaded.home / "Documents" / "note.txt").read_text() == "HANDED twice"
    assert len(invaded.results) > 40, "the intruder tried too little to prove anything"
    assert not invaded.visits, "somebody came through to this machine's loopback"
    assert invaded.desktops()["main"]["state"] == "ready", "the desktop outlives what tries to end it"
    assert not (invaded.config_path).exists()


def own_address():
    """An address of this machine in its network; loopback if it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return "127.0.0.2"
        return probe.getsockname()[0]


def test_no_way_around_the_network_policy(default_desk, listener):
    """The same intruder where container.network is "policy": its proxy opens nothing that the lists or this machine forbid."""
    config = {"container": {"network": "policy"}, "security": {"blocked_domains": ["*.blocked.test", "192.0.2.*"]}}
    desk = default_desk(config=config)
    desk.secrets = prepare_home(desk)
    desk.remove_desktop("main")
    assert desk.new_desktop("main", width=800, height=600)["walls"]["network"] == "policy"
    hosts = ["127.0.0.1", "localhost", "::1", "0.0.0.0", own_address(), socket.gethostname(), "127.1", "a.blocked.test", "192.0.2.7"]
    results, _ = send_intruder(desk, listener, forbidden=[[host, listener[0]] for host in hosts],
                               addresses=[[host, listener[0]] for host in ("127.0.0.1", "10.0.2.2", own_address(), "1.1.1.1")])
    allowed = {"trace the stage", "memory of the stage"} if SLOW > 1 else set()
    reached = {name: got for name, got in results.items() if got is not None and name not in allowed}
    assert not reached, json.dumps(reached, indent=1)
    assert len([name for name in results if "policy forbids" in name]) == 3 * len(hosts)
    assert not listener[1], "somebody came through to this machine"
    assert desk.desktops()["main"]["walls"]["refused"], "the owner sees what was refused"


@long_form
def test_nothing_survives_the_desktop(invaded):
    invaded.remove_desktop("main")
    eventually(lambda: not survivors(invaded.mark), 2, "the end of what it left behind")


def test_nothing_runs_on_after_a_stop(invaded):
    left = survivors(invaded.mark)
    status, shown = invaded.owner_cli("stop")
    assert status == 0, shown
    states = {pid: pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] for pid in left if process_alive(pid)}
    assert all(state in "TZX" for state in states.values()), states


@long_form
def test_nothing_survives_the_desk(invaded):
    invaded.process.kill()
    invaded.process.wait()
    eventually(lambda: not survivors(invaded.mark), 3 * SLOW, "the end of what it left behind")
    invaded.start()
