"""A hostile program on the user's own desktop: it has the user's files, but neither the processes of Handfast nor the owner's rights."""
import json
import os
import pathlib
import uuid

import pytest
import Xlib.X

from handfast import FULL_AUTO, PROGRAM, SLOW, eventually, process_alive
from session import Session
from test_private_desktop import survivors

INTRUDER = pathlib.Path(__file__).with_name("own_intruder.py")


@pytest.fixture
def invaded(default_desk):
    session = Session()
    session.x.set_access_control(Xlib.X.DisableAccess)
    session.x.sync()
    desk = default_desk("--display", session.display, config={**FULL_AUTO, "takeover": {"enabled": False}},
                        environment={"DISPLAY": session.display})
    hand = desk.desktops()["main"]["hand_pid"]
    stage = int(pathlib.Path(f"/proc/{hand}/stat").read_text().rsplit(")", 1)[1].split()[1])
    desk.ours, desk.mark = [desk.process.pid, stage, hand], f"survivor-{uuid.uuid4()}"
    place = desk.home / "intruder"
    place.mkdir()
    (place / "intruder.py").write_bytes(INTRUDER.read_bytes())
    (place / "orders.json").write_text(json.dumps({
        "processes": [f"{PROGRAM} serve", " hand --", "handfast serve", "pytest", "Xvfb", "bwrap"], "pids": [*desk.ours, os.getpid()],
        "program": PROGRAM, "bridge": str(desk.socket_path), "survivor": desk.mark, "root": desk.user.pw_uid == 0}))
    for path in [place, *place.iterdir()]:
        os.chown(path, desk.user.pw_uid, desk.user.pw_gid)
    results = place / "results.json"
    desk.call("app_launch", name="/usr/bin/python3", args=[str(place / "intruder.py"), str(place / "orders.json"), str(results)], wait_ms=0)
    eventually(results.exists, 120, "the intruder's report")
    desk.results = json.loads(results.read_text())
    eventually(lambda: len(survivors(desk.mark)) == 4, 10, "what the intruder leaves behind")
    yield desk
    session.stop()


def test_it_reaches_no_process_and_is_not_the_owner(invaded):
    reached = {name: got for name, got in invaded.results.items() if got is not None}
    assert not reached, json.dumps(reached, indent=1)
    assert len(invaded.results) >= (15 if invaded.user.pw_uid == 0 else 19), "the intruder tried too little to prove anything"
    assert all(process_alive(pid) for pid in invaded.ours)
    assert invaded.desktops()["main"]["restarts"] == 0
    assert json.loads(invaded.config_path.read_text()).get("approval", {}).get("timeout_s") != 200
    assert any(row.get("event") == "refused" for row in invaded.audit())
    places = {os.readlink(f"/proc/{pid}/ns/pid") for pid in survivors(invaded.mark)}
    assert len(places) == 1 and os.readlink(f"/proc/{invaded.process.pid}/ns/pid") not in places


def test_nothing_survives_a_stop(invaded):
    status, shown = invaded.owner_cli("stop")
    assert status == 0, shown
    assert not survivors(invaded.mark)


def test_what_outlives_the_desk_is_still_not_the_owner_and_ends_with_a_stop(invaded):
    invaded.process.kill()
    invaded.process.wait()
    invaded.start()
    assert len(survivors(invaded.mark)) == 4
    assert invaded.owner_cli("stop")[0] == 0
    eventually(lambda: not survivors(invaded.mark), 2 * SLOW, "the end of what it left behind")
