"""Links that a program leaves in the home of its desktop: the next container must not follow them out."""
import pytest

from handfast import eventually

PLANT = """import os, pathlib, shutil, sys
home, outside = pathlib.Path(sys.argv[1]), sys.argv[2]
for name in ("data", ".local", "Documents", "tools"):
    path = home / name
    for way in (lambda: shutil.rmtree(path), lambda: os.rename(path, home / (name + ".old")), path.unlink):
        try:
            way()
        except OSError:
            pass
    for target in ("/oldroot" + outside, outside):
        try:
            os.symlink(target, path)
        except OSError:
            pass
(home / "Projects" / "planted").touch()
"""


def test_the_next_container_follows_no_link_of_the_last(default_desk):
    desk = default_desk()
    outside, projects = desk.home / "outside", desk.home / "Projects"
    for folder in (outside, projects):
        folder.mkdir()
        folder.chmod(0o777)
    desk.remove_desktop("main")
    desk.new_desktop("main", width=640, height=480)
    (projects / "plant.py").write_text(PLANT)
    desk.call("app_launch", name="python3", args=[str(projects / "plant.py"), str(desk.home), str(outside)])
    eventually((projects / "planted").exists, 20, "the links")
    desk.remove_desktop("main")
    (desk.home / "Documents").mkdir()  # is bound in now, where a link was planted
    (desk.home / "Documents").chmod(0o777)
    desk.new_desktop("main", width=640, height=480)
    assert list(outside.iterdir()) == []
    (projects / "look.sh").write_text(f"ls -ld {desk.home}/Documents > {projects}/seen.new; mv {projects}/seen.new {projects}/seen\n")
    desk.call("app_launch", name="bash", args=[str(projects / "look.sh")])
    eventually((projects / "seen").exists, 20, "a look at the directory")
    assert (projects / "seen").read_text().startswith("d")
