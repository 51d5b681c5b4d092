"""Searching a large tree, against ripgrep and grep in the same rounds: our tool through the bridge, with its guard and audit, and
the others as the programs that they are. The tree is made of what every Debian has: headers, documents and modules of Perl. All of
it is in memory: the first rounds have read it. Reading and writing a file are measured beside it."""
import os
import shutil
import statistics
import subprocess
import time

from .bridge import Bridge
from .guard import start_desk
from .rounds import Failed

COPIES = 1
SOURCES = ("/usr/include", "/usr/share/doc", "/usr/share/perl")
# What is looked for: an expression in the form that all of them take, and whether without regard to case.
SEARCHES = {
    "a word that is nowhere": ("hf_no_such_word", False),
    "a word that is rare": ("ENOTRECOVERABLE", False),
    "a word with an ending": ("pthread_[a-z]+_destroy", False),
    "a word in any case": ("Recoverable", True),
    "no text that must be there": ("[A-Z][a-z]+[0-9]{6}", False),
}
RIPGREP, GREP = "ripgrep", "grep -r"


def make_tree(folder):
    """The tree, in ~/Projects, which the agreement allows; how many files and bytes it has."""
    for copy in range(COPIES):
        for source in SOURCES:
            if os.path.isdir(source):
                subprocess.run(["cp", "-r", "--no-preserve=all", source, str(folder / f"{os.path.basename(source)}-{copy}")],
                               stderr=subprocess.DEVNULL)
    files = [os.path.join(root, name) for root, _, names in os.walk(folder) for name in names]
    return len(files), sum(os.lstat(path).st_size for path in files)


def peers(pattern, fold, folder):
    """Two threads, as ours; the same files: none that are hidden, no links, no binary ones."""
    found = {}
    if shutil.which("rg"):
        found[RIPGREP] = ["rg", "-n", "-j2", "--no-config", "--no-require-git", *(["-i"] if fold else []), pattern, str(folder)]
    found[GREP] = ["grep", "-rnIE", *(["-i"] if fold else []), pattern, str(folder)]
    return found


def run(command):
    start = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return (time.perf_counter() - start) * 1000, done.stdout.count(b"\n")


def search(bridge, pattern, fold, folder):
    start = time.perf_counter()
    answer = bridge.call("file_search", {"directory": str(folder), "pattern": pattern, "type": "content", "ignore_case": fold,
                                         "max_results": 10000})
    spent = (time.perf_counter() - start) * 1000
    if not answer["ok"]:
        raise Failed(f"file_search: {answer['error']['message']}")
    return spent, len(answer["result"]["matches"])


def measure_search(bridge, folder, title, rounds):
    pattern, fold = SEARCHES[title]
    commands = peers(pattern, fold, folder)
    times, counts = {"handfast": [], **{label: [] for label in commands}}, {}
    for number in range(rounds + 1):
        for label in times:
            spent, counts[label] = search(bridge, pattern, fold, folder) if label == "handfast" else run(commands[label])
            if number > 0:
                times[label].append(spent)
    return {"ms": {label: statistics.median(samples) for label, samples in times.items()}, "lines": counts}


def measure_single(bridge, folder, rounds):
    """One small file, read and written."""
    path, found = str(folder / "single.txt"), {}
    for title, tool, params in (("write 4 KB", "file_write", {"content": "x" * 4096}), ("read 4 KB", "file_read", {})):
        samples = []
        for number in range(rounds):
            more = {"content": f"{number:06d}" + "x" * 4090} if "content" in params else {}
            start = time.perf_counter()
            answer = bridge.call(tool, {"path": path, **more})
            samples.append((time.perf_counter() - start) * 1000)
            if not answer["ok"]:
                raise Failed(f"{tool}: {answer['error']['message']}")
        found[title] = statistics.median(samples)
    return found


def measure(desktop, rounds):
    folder = desktop.home / "Projects"
    folder.mkdir(exist_ok=True)
    files, size = make_tree(folder)
    bridge = Bridge(start_desk(desktop, "files"))
    searches = {title: measure_search(bridge, folder, title, rounds) for title in SEARCHES}
    return {"files": files, "bytes": size, "searches": searches, "single_ms": measure_single(bridge, folder, 20)}


def ratio(told, peer):
    """How long ours takes, in the search where it is the furthest behind."""
    ratios = [entry["ms"]["handfast"] / entry["ms"][peer] for entry in told["searches"].values() if peer in entry["ms"]]
    return max(ratios, default=None)


def lines(told):
    text = [f"files: a search through {told['files']} files, {told['bytes'] / 1e6:.0f} MB (median, ms)"]
    for title, entry in told["searches"].items():
        ours = entry["ms"]["handfast"]
        beside = ", ".join(f"{label} {value:.0f} ({ours / value:.2f} x)" for label, value in entry["ms"].items() if label != "handfast")
        text.append(f"  {title:<28} handfast {ours:6.0f}   {beside}   lines {'/'.join(str(count) for count in entry['lines'].values())}")
    text += [f"  {title:<28} {value:.2f}" for title, value in told["single_ms"].items()]
    return "\n".join(text)
