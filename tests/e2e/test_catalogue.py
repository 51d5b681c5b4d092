"""The short form of the action catalogue: a few rows on each program. `make catalogue` runs them all."""
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "catalogue"))
import driver  # noqa: E402
from programs import PROGRAMS  # noqa: E402

VERBS = {"press", "toggle", "set value", "select", "menu", "type", "scroll", "drag", "wait"}
SHORT = [kind for kind in PROGRAMS if any(row.get("short") for row in driver.load_rows(kind.name))]


@pytest.fixture(scope="module")
def catalogue():
    with driver.Catalogue() as catalogue:
        yield catalogue


@pytest.mark.parametrize("kind", SHORT, ids=lambda kind: kind.name)
def test_short_form(catalogue, kind):
    outcomes = list(catalogue.run([kind.name], chosen=lambda row: row.get("short")))
    assert len(outcomes) >= 1
    assert not [(each.row, each.got, each.verdict, each.detail) for each in outcomes if not each.right]


def test_rows_are_whole():
    """Every row has a known verb and way, a witness and, where it is refused or nothing may happen, the reason."""
    for kind in PROGRAMS:
        for row in driver.load_rows(kind.name):
            assert row["verb"] in VERBS and row["way"] in ("pointer", "tree") and row["do"] and row["witness"], row
            assert row["expect"] == "done" or row.get("why"), row
