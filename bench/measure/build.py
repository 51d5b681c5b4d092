"""The release build that is measured, with the measuring programs."""
import subprocess

from .desktop import HERE

PROGRAMS = ("bare", "client", "floor", "receiver")


def build(folder):
    quiet = {"stdout": subprocess.DEVNULL}
    if not (folder / "build.ninja").exists():
        subprocess.run(["meson", "setup", "--buildtype=release", str(folder), str(HERE.parent)],
                       check=True, **quiet)
    targets = ["handfast", *(f"bench/bench-{name}" for name in PROGRAMS)]
    subprocess.run(["ninja", "-C", str(folder), *targets], check=True, **quiet)
