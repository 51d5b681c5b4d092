#!/usr/bin/python3
"""Writes down how it was started, to the file named by its first argument, and ends without a window."""
import json
import os
import sys


def target(fd):
    try:
        return os.readlink(f"/proc/self/fd/{fd}")
    except OSError:
        return None  # that of the listing itself


status = dict(line.split(":\t", 1) for line in open("/proc/self/status") if ":\t" in line)
seen = {
    "args": sys.argv[2:],
    "cwd": os.getcwd(),
    "env": dict(os.environ),
    "stdio": [target(fd) for fd in (0, 1, 2)],
    "others": [target(fd) for fd in sorted(map(int, os.listdir("/proc/self/fd"))) if fd > 2 and target(fd)],
    "blocked": int(status["SigBlk"], 16),
    "ignored": int(status["SigIgn"], 16),
}
with open(sys.argv[1] + ".part", "w") as report:
    json.dump(seen, report)
os.rename(sys.argv[1] + ".part", sys.argv[1])
