"""Memory at rest: our desk and its hand, and the Node processes that do the same work."""
import time

from .processes import Gone, command_line, descendants, memory_of
from .rounds import Failed

PICTURES = 20
# Without a call for this long, a process is at rest.
REST_SECONDS = 5


# What our processes call themselves, and how they are started again by one another.
ROLES = {"serve": "desk", "hand": "hand", "stage": "stage"}


def role_of(pid, program):
    """desk, hand, stage: the part that our program plays; None for other programs."""
    words = command_line(pid)
    if len(words) < 2 or words[0] not in (program, "handfast", "/proc/self/exe"):
        return None
    return ROLES.get(words[1])


def ours_now(ours):
    """{role: {rss, pss}} of every process of ours that belongs to the desk."""
    found = {}
    for pid in descendants(ours.desk.pid):
        role = role_of(pid, ours.program)
        if role:
            total = found.setdefault(role, {"rss": 0.0, "pss": 0.0})
            for kind, size in memory_of(pid).items():
                total[kind] += size
    return found


def together(found, roles=("desk", "hand")):
    return {kind: sum(found[role][kind] for role in roles if role in found) for kind in ("rss", "pss")}


def _take_pictures(contenders):
    for _ in range(PICTURES if contenders.ours else 0):
        contenders.ours.call("screenshot", {"mode": "fullscreen"})
    rested = []
    for peer in filter(None, contenders.node.values()):
        try:
            for _ in range(PICTURES):
                peer.do("shot" if "shot" in peer.jobs else "png")
            rested.append(peer)
        except (Failed, Gone):
            continue
    return rested


def measure(contenders):
    """Everyone takes twenty pictures and then has nothing to do for a while."""
    memory = {}
    peers = _take_pictures(contenders)
    time.sleep(REST_SECONDS)
    if contenders.ours:
        found = ours_now(contenders.ours)
        memory["handfast"] = {"parts": found, "desk + hand": together(found)}
    for peer in peers:
        memory[peer.label] = memory_of(peer.child.pid)
    return memory


def lines(memory):
    told = [f"Memory at rest, {REST_SECONDS} s after {PICTURES} pictures (MB)"]
    rows = []
    for name, sizes in memory.items():
        if "parts" in sizes:
            rows.append((f"{name}: desk + hand", sizes["desk + hand"]))
            rows += [(f"  {role}", part) for role, part in sizes["parts"].items()]
        else:
            rows.append((name, sizes))
    width = max((len(name) for name, _ in rows), default=0)
    for name, sizes in rows:
        told.append(f"  {name.ljust(width)}  {sizes['rss']:7.1f} resident  {sizes['pss']:7.1f} proportional")
    return "\n".join(told)
