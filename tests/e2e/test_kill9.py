"""The contract of kill -9: whenever the desk dies, every call that was answered is in the audit, the chain is whole,
the user's session is as it was, and nothing of ours lives on. HF_LONG=1 runs the whole of it."""
import os
import random
import signal
import subprocess
import threading
import time

from handfast import SLOW, eventually, process_alive
from session import Session
from test_harm import attach, eventually_same, everything, open_editor

LONG = bool(os.environ.get("HF_LONG"))
KILLS = 100 if LONG else 8
CALLS = 5000 if LONG else 100
CALLERS = 4

MIX = [
    ("mouse_move", lambda: {"x": random.randrange(700), "y": random.randrange(500), "smooth": False}),
    ("type_text", lambda: {"text": "Größe 你好 ∑", "method": random.choice(["keys", "paste"])}),
    ("key_press", lambda: {"keys": ["ctrl", "a"]}),
    ("mouse_drag", lambda: {"from_x": 300, "from_y": 300, "to_x": 350, "to_y": 320, "duration": 30}),
    ("left_click", lambda: {"x": 300, "y": 300, "modifiers": ["shift"]}),
    ("screenshot", lambda: {"mode": "region", "region": {"x": 0, "y": 0, "width": 64, "height": 64}}),
    ("clipboard_read", dict),
    ("no_such_tool", dict),
]
# Waiting for effects takes most of a call's time: most calls do without, so that kills find them at all points.
LOOKS = ("screenshot", "clipboard_read", "no_such_tool")


def a_call():
    tool, params = random.choice(MIX)
    params = params()
    if tool not in LOOKS and random.random() < 0.8:
        params["verify"] = False
    return tool, params


class Stream:
    """Callers that go on until the desk is gone, and write down what was answered."""

    def __init__(self, desk, calls):
        self.left, self.answered, self.lock = calls, [], threading.Lock()
        self.threads = [threading.Thread(target=self.run, args=(desk,)) for _ in range(CALLERS)]
        for thread in self.threads:
            thread.start()

    def take(self):
        with self.lock:
            self.left -= 1
            return self.left >= 0

    def run(self, desk):
        try:
            bridge = desk.connect()
            while self.take():
                tool, params = a_call()
                answer = bridge.answer(tool, params)
                with self.lock:
                    self.answered.append((answer["step_id"], "OK" if answer["ok"] else answer["error"]["code"]))
        except (OSError, EOFError):
            pass

    def join(self):
        for thread in self.threads:
            thread.join(60)
        return self.answered


def kill_at_a_random_point(desk, calls):
    """One round: the answers that were given, after the desk was killed among them."""
    processes = everything(desk)
    stream = Stream(desk, calls)
    time.sleep(random.uniform(0, 3 if LONG else 0.6) * SLOW)  # a random point of the work
    os.kill(desk.process.pid, signal.SIGKILL)
    desk.process.wait()
    answered = stream.join()
    for pid in processes:
        eventually(lambda: not process_alive(pid), 15, f"the end of process {pid}")
    return answered


def test_kill_of_the_desk_at_random_points(own_desk):
    seed = int(os.environ.get("HF_SEED", time.time()))
    print("HF_SEED", seed)
    random.seed(seed)
    session = Session()
    try:
        desk = attach(own_desk, session)
        open_editor(session, desk)
        session.set_clipboard(b"mine")
        before = session.look()
        answered, rounds = [], 0
        while rounds < KILLS or len(answered) < CALLS:
            answered += kill_at_a_random_point(desk, calls=200)
            rounds += 1
            desk.start()
            eventually_same(session, before, 10)
        verified = desk.cli("audit", "verify")
        assert verified.returncode == 0, verified.stderr
        ended = {row["step"]: row["code"] for row in desk.audit() if row["kind"] in ("result", "refusal")}
        assert len(ended) >= CALLS
        assert not [call for call in answered if ended.get(call[0]) != call[1]]
        print(f"{rounds} kills, {len(answered)} answered calls, {len(ended)} in the audit")
    finally:
        session.stop()


def size_of(pid):
    text = open(f"/proc/{pid}/status").read()
    return int(text.split("VmRSS:")[1].split()[0]) / 1024, len(os.listdir(f"/proc/{pid}/fd"))


def test_many_calls_leave_memory_and_descriptors_flat(own_desk):
    """The short form of `make soak`, which counts 10,000 calls and more."""
    desk = own_desk("--virtual", "--size", "640x480")
    calls = 10000 if LONG else 1500

    def work(count):
        for number in range(count):
            desk.call("mouse_move", x=number % 600, y=10, smooth=False)
            desk.answer("wait", duration=0, idempotency_key=f"k{number % 500}-{count}")

    pids = {"desk": desk.process.pid, "hand": desk.desktops()["main"]["hand_pid"]}
    # The desk's caches are full after some 5,000 calls; sanitizers show nothing of memory anyway.
    work(calls // 4 if SLOW > 1 else 2500)
    early = {name: size_of(pid) for name, pid in pids.items()}
    work(calls // 4)
    late = {name: size_of(pid) for name, pid in pids.items()}
    print(early, late)
    for name in pids:
        # Sanitizers keep what was freed for a while.
        assert SLOW > 1 or late[name][0] - early[name][0] <= 2, (name, early, late)
        assert late[name][1] - early[name][1] <= 2, (name, early, late)
