#!/usr/bin/python3
"""What a hostile program tries on the user's own desktop. Like intruder.py: orders in argv[1], results to argv[2], {attempt: null (held)
or what it got}. It has the user's files; it must not reach the processes of Handfast, and not pass as the owner."""
import ctypes
import json
import os
import pathlib
import pty
import signal
import socket
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
            signal.alarm(20)
            try:
                got = function()
            except BaseException:  # noqa: B902  whatever it is, nothing was reached
                got = None
            os.write(writer, json.dumps(got, default=str).encode()[:4000])
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


def see_outside():
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            words = pathlib.Path(f"/proc/{entry}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            found += [words] if any(mark in words for mark in ORDERS["processes"]) else []
    return found or None


def signal_outside():
    for pid in ORDERS["pids"]:
        if not pathlib.Path(f"/proc/{pid}").exists():  # else it is one of ours with that number
            os.kill(pid, 0)
            return pid
    return None


attempt("see processes outside")(see_outside)
for number in range(len(ORDERS["pids"])):
    attempt(f"signal process {number}")(lambda number=number: os.kill(ORDERS["pids"][number], 0) or "signalled"
                                        if not pathlib.Path(f"/proc/{ORDERS['pids'][number]}").exists() else None)
    attempt(f"trace process {number}")(lambda number=number: "traced" if libc.ptrace(0x4206, ORDERS["pids"][number], 0, 0) == 0
                                       and not pathlib.Path(f"/proc/{ORDERS['pids'][number]}").exists() else None)


@attempt("signal all")
def signal_all():
    os.setsid()
    os.kill(1, signal.SIGKILL)
    os.kill(1, signal.SIGSTOP)
    return None  # the test sees whether everything lives


def at_terminal(*words):
    """Whether the command line does that for somebody at a terminal of one's own, with an empty environment."""
    def run():
        keep = {name: os.environ[name] for name in ("PATH", "HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME") if name in os.environ}
        child, master = pty.fork()
        if child == 0:
            os.execve(ORDERS["program"], ["handfast", *words], keep)
        text = b""
        try:
            while part := os.read(master, 4096):
                text += part
        except OSError:
            pass
        return text.decode(errors="replace") if os.waitpid(child, 0)[1] == 0 else None
    return run


for words in (["config", "set", "approval.timeout_s", "200"], ["approvals"], ["resume"], ["desktop", "list"], ["token", "new", "x"]):
    attempt("handfast " + " ".join(words))(at_terminal(*words))


@attempt("use the bridge")
def use_bridge():
    with socket.socket(socket.AF_UNIX) as door:
        door.settimeout(5)
        door.connect(ORDERS["bridge"])
        door.sendall(b'{"jsonrpc":"2.0","id":1,"method":"status"}\n')
        answer = json.loads(door.makefile().readline())
        return answer if "result" in answer else None


if not ORDERS["root"]:
    @attempt("trace the first process")
    def trace_first():
        return "traced" if libc.ptrace(0x4206, 1, 0, 0) == 0 else None

    @attempt("uncover the processes of this machine")
    def uncover():
        if libc.unshare(0x10000000 | 0x00020000) != 0:  # CLONE_NEWUSER | CLONE_NEWNS
            return None
        for _ in range(3):
            libc.umount2(b"/proc", 2)  # MNT_DETACH
        return see_outside() or signal_outside()

    @attempt("uncover by binding the root again")
    def bind_again():
        if libc.unshare(0x10000000 | 0x00020000) != 0:
            return None
        place = f"{os.environ['HOME']}/root"
        os.makedirs(place, exist_ok=True)
        libc.mount(b"/", place.encode(), None, 0x1000, None)  # MS_BIND, without what is mounted below
        return [name for name in os.listdir(f"{place}/proc") if name.isdigit()] or None

    @attempt("enter other namespaces")
    def enter():
        own, got = os.stat("/proc/self/ns/pid").st_ino, []
        for entry in os.listdir("/proc"):
            try:
                handle = os.open(f"/proc/{entry}/ns/pid", os.O_RDONLY)
            except OSError:
                continue
            if os.fstat(handle).st_ino != own and libc.setns(handle, 0) == 0:
                got.append(entry)
        return got or None


def survive():
    for way in ("plain", "setsid", "double", "empty"):
        if os.fork() == 0:
            if way != "plain":
                os.setsid()
            if way in ("double", "empty") and os.fork():
                os._exit(0)
            for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
                signal.signal(number, signal.SIG_IGN)
            os.execve("/usr/bin/python3", ["python3", "-c", f"import time  # {ORDERS['survivor']}\nwhile True: time.sleep(0.05)"],
                      {} if way == "empty" else dict(os.environ))


survive()
temporary = pathlib.Path(sys.argv[2] + ".new")
temporary.write_text(json.dumps(RESULTS))
temporary.rename(sys.argv[2])
