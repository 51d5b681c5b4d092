"""What the guard costs: in each call, the time of its whole way through the desk less the time that it was in the hand,
as the desk itself measures both (in test mode an answer says so in `timing`). The audit is durable: the intent is synced
to the disk before anything happens. How long the disk takes for such a sync alone is measured beside it."""
import os
import statistics
import time

from .bridge import Bridge
from .rounds import Failed

CALLS = {
    "screenshot, whole screen": ("screenshot", {"mode": "fullscreen"}),
    "screenshot, region 400x300": ("screenshot", {"mode": "region", "region": {"x": 700, "y": 300, "width": 400, "height": 300}}),
    "mouse_move": ("mouse_move", {"x": 1500, "y": 200, "smooth": False}),
}
CONFIG = """{"security": {"permission_level": "L4", "client_level": "L4"},
 "projects": {"default_approval_template": "full-auto"}, "evidence": {"policy": "none"},
 "limits": {"global": {"per_minute": 0, "per_day": 0}, "target": {"per_minute": 0, "per_day": 0}}}"""


def configure(config_home):
    """Lets every call pass, and keeps no evidence: what is left is the guard itself."""
    folder = config_home / "handfast"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    path = folder / "config.json"
    path.write_text(CONFIG)
    path.chmod(0o600)


def _spread(samples):
    ordered = sorted(samples)
    return {"median": statistics.median(ordered), "p95": ordered[int(len(ordered) * 0.95)], "n": len(ordered)}


def _sync_ms(folder, count):
    """A synced write into a file that is there already, as SQLite's log has it."""
    path = folder / "sync-probe"
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    os.write(file, bytes(1 << 20))
    os.fsync(file)
    samples = []
    for number in range(count):
        start = time.perf_counter()
        os.pwrite(file, bytes([number % 256]) * 4096, number * 4096 % (1 << 20))
        os.fdatasync(file)
        samples.append((time.perf_counter() - start) * 1000)
    os.close(file)
    path.unlink()
    return samples


def start_desk(desktop, name="guard"):
    """A desk of its own in test mode, on a virtual desktop; its socket."""
    runtime = desktop.root / f"{name}-run"
    runtime.mkdir(mode=0o700)
    environment = {**desktop.env, "HANDFAST_TEST": "1", "XDG_RUNTIME_DIR": str(runtime),
                   "XDG_DATA_HOME": str(desktop.home / f"{name}-data")}
    desk = desktop.household.add([str(desktop.build / "handfast"), "serve", "--virtual"], environment,
                                 log=str(desktop.root / f"{name}-desk.log"))
    socket, end = runtime / "handfast/bridge.sock", time.monotonic() + 20
    while not socket.exists():
        if not desk.alive() or time.monotonic() > end:
            raise Failed(f"handfast serve did not open its socket{desk.last_words()}")
        time.sleep(0.01)
    return socket


def measure(desktop, rounds):
    bridge, found = Bridge(start_desk(desktop)), {}
    for tool, params in CALLS.values():
        for _ in range(20):
            bridge.call(tool, params)
    samples = {title: ([], []) for title in CALLS}
    for _ in range(rounds):
        for title, (tool, params) in CALLS.items():
            answer = bridge.call(tool, params)
            if not answer["ok"]:
                raise Failed(f"{tool}: {answer['error']['message']}")
            if "timing" not in answer:
                raise Failed("the desk does not run in test mode, so it does not tell its times")
            samples[title][0].append(answer["timing"]["guard_us"] / 1000)
            samples[title][1].append(answer["timing"]["perform_us"] / 1000)
    bridge.close()
    for title, (guard, perform) in samples.items():
        found[title] = {"guard": _spread(guard), "hand": _spread(perform)}
    found["a sync alone"] = {"guard": _spread(_sync_ms(desktop.home, rounds))}
    return found


def lines(found):
    rows = [f"  {title:28} {told['guard']['median']:7.2f} {told['guard']['p95']:7.2f}"
            + (f"   {told['hand']['median']:7.2f} {told['hand']['p95']:7.2f}" if "hand" in told else "")
            for title, told in found.items()]
    return "\n".join([f"What the guard adds, audit durable (ms){'':10}p95      in the hand     p95", *rows])
