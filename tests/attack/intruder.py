#!/usr/bin/python3
"""What a hostile program tries on a private desktop. It is started there by an ordinary call, reads its orders from a file of JSON
(argv[1]) and writes to another (argv[2]) what it could do: {attempt: null (held) or what it got}. It uses nothing of ours."""
import array
import ctypes
import fcntl
import json
import os
import pathlib
import pty
import signal
import socket
import struct
import subprocess
import sys

libc = ctypes.CDLL(None, use_errno=True)
ORDERS = json.loads(pathlib.Path(sys.argv[1]).read_text())
RESULTS = {}


def attempt(name):
    """Runs it in a child with a time limit: what hangs or kills itself is an attempt that failed."""
    def run(function):
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reader)
            signal.alarm(10)
            try:
                got = function()
            except BaseException as reason:  # noqa: B902  whatever it is, nothing was reached
                got = None if not isinstance(reason, AssertionError) else str(reason)
            os.write(writer, json.dumps(got, default=str).encode()[:4000] or b"null")
            os._exit(0)
        os.close(writer)
        text = b""
        while part := os.read(reader, 4096):
            text += part
        os.close(reader)
        os.waitpid(child, 0)
        RESULTS[name] = json.loads(text or b"null")
        return function
    return run


def readable(path):
    return pathlib.Path(path).read_bytes()[:60].decode(errors="replace") or None


# ---- files ----
for number, path in enumerate(ORDERS["secrets"]):
    attempt(f"read {path}")(lambda path=path: readable(path))
    attempt(f"write {path}")(lambda path=path: "opened" if os.open(path, os.O_WRONLY | os.O_APPEND) >= 0 else None)
for path in ORDERS["folders"]:
    # The way to the desktop's own folders may be seen, nothing beside it.
    attempt(f"list {path}")(lambda path=path: sorted(set(os.listdir(path)) - set(ORDERS["own"])) or None)
    attempt(f"create in {path}")(lambda path=path: os.close(os.open(f"{path}/intruder", os.O_WRONLY | os.O_CREAT)))
attempt("read /etc/shadow")(lambda: readable("/etc/shadow"))
attempt("write /usr")(lambda: os.close(os.open("/usr/bin/intruder", os.O_WRONLY | os.O_CREAT)) or "created")
attempt("write /etc")(lambda: os.close(os.open("/etc/intruder", os.O_WRONLY | os.O_CREAT)) or "created")


@attempt("the root of another process")
def root_of_another():
    for entry in os.listdir("/proc"):
        if entry.isdigit() and int(entry) != os.getpid():
            for way in ("root", "cwd"):
                for secret in ORDERS["secrets"]:
                    try:
                        return readable(f"/proc/{entry}/{way}{secret}")
                    except OSError:
                        pass
    return None


@attempt("uncover by unmounting in a namespace of its own")
def uncover():
    if libc.unshare(0x10000000 | 0x00020000) != 0:  # CLONE_NEWUSER | CLONE_NEWNS
        return None
    for line in pathlib.Path("/proc/self/mounts").read_text().split("\n"):
        if line:
            libc.umount2(line.split()[1].encode(), 2)  # MNT_DETACH
    for secret in ORDERS["secrets"]:
        try:
            return readable(secret)
        except OSError:
            pass
    return None


@attempt("uncover by unmounting")
def uncover_plainly():
    done = [line.split()[1] for line in pathlib.Path("/proc/self/mounts").read_text().split("\n")
            if line and libc.umount2(line.split()[1].encode(), 2) == 0]
    return done or None


@attempt("a handle of a file outside")
def handle_outside():
    handle = struct.pack("iI", 8, 1) + b"\2\0\0\0\0\0\0\0"  # the root of an ext4
    root = os.open(os.environ["HOME"], os.O_RDONLY)
    got = libc.syscall(304, root, ctypes.create_string_buffer(handle), os.O_RDONLY)  # open_by_handle_at
    return os.listdir(got) if got >= 0 else None


@attempt("devices of the machine")
def devices():
    found = [name for name in os.listdir("/dev") if name.startswith(("sd", "vd", "nvme", "mem", "kmsg", "loop", "dm-", "input", "uinput"))]
    return found or None


attempt("make a device")(lambda: os.mknod(f"{os.environ['HOME']}/disk", 0o60600, os.makedev(254, 0)) or "made")
attempt("set a parameter of the kernel")(
    lambda: os.write(os.open("/proc/sys/kernel/core_pattern", os.O_WRONLY), b"|/bin/true") and "written")
attempt("sysrq")(lambda: os.write(os.open("/proc/sysrq-trigger", os.O_WRONLY), b"h") and "written")


# ---- processes ----
@attempt("see processes outside")
def see_processes():
    texts = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                texts[entry] = pathlib.Path(f"/proc/{entry}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            except OSError:
                pass
    return [text for text in texts.values() if any(mark in text for mark in ORDERS["processes"])] or None


for pid in ORDERS["pids"]:
    attempt(f"signal {pid}")(lambda pid=pid: os.kill(pid, 0) or f"{pid} can be signalled"
                             if pid > 400000 or not pathlib.Path(f"/proc/{pid}").exists() else None)


@attempt("end the stage")
def end_stage():
    for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGSTOP):
        os.kill(1, number)
    return None  # the test sees whether the desktop lives


@attempt("trace the stage")
def trace_stage():
    return "attached" if libc.ptrace(0x4206, 1, 0, 0) == 0 else None  # PTRACE_SEIZE


@attempt("memory of the stage")
def memory_of_stage():
    return "opened" if os.open("/proc/1/mem", os.O_RDWR) >= 0 else None


# The hand holds directories of this machine that no program here sees, for file tools.
def hands():
    found = []
    for entry in os.listdir("/proc"):
        try:
            if entry.isdigit() and pathlib.Path(f"/proc/{entry}/comm").read_text().startswith("handfast-hand"):
                found.append(int(entry))
        except OSError:
            pass
    assert found, "there is no hand to attack"
    return found


@attempt("see where descriptors of the hand lead")
def see_descriptors():
    got = []
    for pid in hands():
        for number in range(300):
            try:
                got.append(os.readlink(f"/proc/{pid}/fd/{number}"))
            except OSError:
                pass
    return got or None


@attempt("open a descriptor of the hand")
def open_descriptors():
    got = []
    for pid in hands():
        for number in range(300):
            for name in ("", "/..", "/" + ORDERS["handed"]):
                try:
                    got.append(os.open(f"/proc/{pid}/fd/{number}{name}", os.O_RDONLY | os.O_NONBLOCK))
                except OSError:
                    pass
    return got or None


@attempt("copy a descriptor of the hand")
def copy_descriptors():
    got = []
    for pid in hands():
        handle = os.pidfd_open(pid)
        got += [copy for copy in (libc.syscall(438, handle, number, 0) for number in range(300)) if copy >= 0]  # pidfd_getfd
    return got or None


@attempt("copy a descriptor of the hand from a namespace of its own")
def copy_descriptors_as_root():
    pids = hands()
    return copy_descriptors() if pids and libc.unshare(0x10000000) == 0 else None  # CLONE_NEWUSER


@attempt("trace the hand")
def trace_hand():
    return [pid for pid in hands() if libc.ptrace(0x4206, pid, 0, 0) == 0] or None  # PTRACE_SEIZE


@attempt("memory of the hand")
def memory_of_hand():
    got = []
    for pid in hands():
        try:
            got.append(os.open(f"/proc/{pid}/mem", os.O_RDWR))
        except OSError:
            pass
    return got or None


@attempt("see a directory that only file tools may use")
def see_handed():
    for place in [ORDERS["handed_folder"]] + [f"/proc/{entry}/root{ORDERS['handed_folder']}" for entry in os.listdir("/proc") if entry.isdigit()]:
        try:
            return os.listdir(place)
        except OSError:
            pass
    return None


@attempt("read what is kept for undo")
def read_kept():
    got = []
    for place, folders, files in os.walk(os.path.dirname(ORDERS["folders"][0])):
        for name in files:
            try:
                if b"HANDED" in pathlib.Path(place, name).read_bytes():
                    got.append(f"{place}/{name}")
            except OSError:
                pass
    return got or None


@attempt("enter other namespaces")
def enter_namespaces():
    own = {name: os.stat(f"/proc/self/ns/{name}").st_ino for name in ("pid", "mnt", "user", "net", "ipc")}
    got = []
    for entry in os.listdir("/proc"):
        for name, inode in own.items():
            try:
                handle = os.open(f"/proc/{entry}/ns/{name}", os.O_RDONLY)
            except OSError:
                continue
            # A browser's own sandbox may be a namespace below ours; what is above is what counts.
            if os.fstat(handle).st_ino != inode and libc.setns(handle, 0) == 0:
                got.append(f"{entry} {name}")
            os.close(handle)
    return got or None


# ---- the kernel ----
# What it answers to somebody who may use the call at all: EPERM and ENOSYS are the filter's. The arguments are wrong on purpose.
CALLS = {"bpf": 321, "perf_event_open": 298, "userfaultfd": 323, "keyctl": 250, "add_key": 248, "request_key": 249, "kcmp": 312,
         "process_vm_readv": 310, "process_vm_writev": 311, "pidfd_getfd": 438, "io_uring_setup": 425, "open_by_handle_at": 304,
         "syslog": 103, "acct": 163, "init_module": 175, "kexec_load": 246, "modify_ldt": 154}


def call_kernel(number):
    ctypes.set_errno(0)
    answer = libc.syscall(number, -1, -1, -1, -1, -1, -1)
    return None if answer < 0 and ctypes.get_errno() in (1, 38) else f"answered {answer}, errno {ctypes.get_errno()}"


for name, number in CALLS.items():
    attempt(f"system call {name}")(lambda number=number: call_kernel(number))
for family in (17, 38, 40, 31, 21):  # AF_PACKET, AF_ALG, AF_VSOCK, AF_BLUETOOTH, AF_RDS
    attempt(f"socket of family {family}")(lambda family=family: socket.socket(family, socket.SOCK_DGRAM, 0).fileno())


# ---- the desk, the session, other desktops ----
def connects(address):
    with socket.socket(socket.AF_UNIX) as door:
        door.settimeout(3)
        door.connect(address)
        return f"connected to {address!r}"


for path in ORDERS["sockets"]:
    attempt(f"connect to {path}")(lambda path=path: connects(path))
for number in ORDERS["displays"]:
    attempt(f"connect to display {number}")(lambda number=number: connects(f"/tmp/.X11-unix/X{number}"))
    attempt(f"connect to display {number} by its abstract socket")(lambda number=number: connects(f"\0/tmp/.X11-unix/X{number}"))


@attempt("abstract sockets of this machine")
def abstract_sockets():
    own = os.environ["DISPLAY"].removeprefix(":")
    names = {line.split()[-1] for line in pathlib.Path("/proc/net/unix").read_text().split("\n") if "@" in line}
    return sorted(name for name in names if name != f"@/tmp/.X11-unix/X{own}" and any(mark in name for mark in ORDERS["abstract"])) or None


@attempt("sockets anywhere")
def sockets_anywhere():
    own, found = os.environ["XDG_RUNTIME_DIR"], []
    for folder, _, names in os.walk("/"):
        if folder.startswith(("/proc", "/sys", own, "/usr", "/tmp/.X11-unix")):
            continue
        found += [f"{folder}/{name}" for name in names if "bridge" in name and name.endswith(".sock")]
    return found or None


for host, port in ORDERS["addresses"]:
    attempt(f"connect to {host}:{port}")(lambda host=host, port=port: socket.create_connection((host, port), 3) and "connected")


# ---- the proxy ----
def ask_proxy(request, proof):
    with socket.create_connection(("127.0.0.1", 3128), 8) as way:
        way.sendall(request)
        answer = b""
        while proof not in answer and (part := way.recv(4096)):
            answer += part
    return answer.decode(errors="replace") if proof in answer else None


for host, port in ORDERS.get("forbidden", []):
    name, at = host.encode(), (f"[{host}]:{port}" if ":" in host else f"{host}:{port}").encode()
    socks = b"\5\1\0\5\1\0\3" + bytes([len(name)]) + name + struct.pack("!H", port)
    ways = {"a tunnel": (b"CONNECT " + at + b" HTTP/1.1\r\n\r\n", b" 200 "),
            "a request": (b"GET http://" + at + b"/ HTTP/1.1\r\nHost: example.org\r\n\r\n", b"LISTENER"),
            "SOCKS": (socks, b"\5\0\5\0")}
    for way, (request, proof) in ways.items():
        attempt(f"open a connection to {host}:{port} that the policy forbids, by {way}")(
            lambda request=request, proof=proof: ask_proxy(request, proof))
if "forbidden" in ORDERS:
    attempt("listen in place of the proxy")(lambda: socket.create_server(("127.0.0.1", 3128)).fileno())
    attempt("an interface beside loopback")(lambda: [name for _, name in socket.if_nameindex() if name != "lo"] or None)
    attempt("a datagram to anywhere")(lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("192.0.2.1", 53)))


@attempt("become the owner at a terminal of one's own")
def become_owner():
    child, master = pty.fork()
    if child == 0:
        os.execve(ORDERS["program"], ["handfast", "desktop", "list"], dict(os.environ))
    text = b""
    try:
        while part := os.read(master, 4096):
            text += part
    except OSError:
        pass
    return text.decode(errors="replace") if os.waitpid(child, 0)[1] == 0 else None


@attempt("variables of the user's session")
def variables():
    return [name for name in os.environ if any(mark in name for mark in ORDERS["variables"])] or None


@attempt("put characters into a terminal")
def fake_input():
    master, slave = pty.openpty()
    fcntl.ioctl(slave, 0x5412, array.array("b", b"x"))  # TIOCSTI
    return "it took them"


def survive():
    """Leaves programs behind in every way that there is; the test looks for them."""
    name = ORDERS["survivor"]
    for way in ("plain", "setsid", "double", "empty"):
        if os.fork() == 0:
            if way != "plain":
                os.setsid()
            if way in ("double", "empty") and os.fork():
                os._exit(0)
            for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
                signal.signal(number, signal.SIG_IGN)
            environment = {} if way == "empty" else dict(os.environ)
            os.execve("/usr/bin/python3", ["python3", "-c", f"import time  # {name}\nwhile True: time.sleep(0.05)"], environment)


survive()
temporary = pathlib.Path(sys.argv[2] + ".new")
temporary.write_text(json.dumps(RESULTS))
temporary.rename(sys.argv[2])
subprocess.run(["true"], check=True)
