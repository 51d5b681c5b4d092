"""Many equal refusals are counted, so that nobody fills the disk with them."""
from http_client import Client, make_token


def test_refusals_do_not_fill_the_disk(own_desk):
    """An L1 token that repeats a refused call: a few rows, and one that counts the rest. The evidence grows no more either."""
    desk = own_desk("--virtual", "--size", "640x480")
    low = Client(desk, make_token(desk, "flood", "--level", "L1"))
    for number in range(150):
        assert low.call("mouse_move", x=1, y=1, run_id=f"flood-{number}").code == "FORBIDDEN"
        assert low.call(f"nothing_{number}").status == 404
        assert low.post("/v1/grants", {"grant": {}}).status == 403
    low.close()
    desk.stop()
    rows = [row for row in desk.audit() if row.get("caller") == "flood"]
    refusals = [row for row in rows if row["kind"] == "refusal"]
    counts = {(row["data"]["tool"], row["data"]["code"]): row["data"] for row in rows if row.get("event") == "refusals"}
    assert len(rows) < 80 and 2 <= len(refusals) <= 40, len(rows)
    for kind in (("mouse_move", "FORBIDDEN"), ("?", "UNKNOWN_TOOL"), ("grant-new", "FORBIDDEN")):
        assert counts[kind]["count"] == 130 and counts[kind]["first"] <= counts[kind]["last"], counts
    assert len(list((desk.home / "data" / "handfast" / "runs").glob("*/flood-*"))) <= 20
    assert desk.cli("audit", "verify").returncode == 0
    desk.start()
