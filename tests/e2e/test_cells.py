"""Cells of a spreadsheet by their address: a sheet has 17 thousand million of them, so that the one that is meant is asked for.
LibreOffice is large, and on machines that run the catalogue; its file says what came of it."""
import pathlib
import shutil
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "catalogue"))
import driver  # noqa: E402
from handfast import ToolError, eventually  # noqa: E402
from programs import Calc  # noqa: E402
from witnesses import witness  # noqa: E402

pytestmark = pytest.mark.skipif(not shutil.which("localc"), reason="there is no LibreOffice Calc here")


@pytest.fixture(scope="module")
def calc():
    with driver.Catalogue() as catalogue:
        program = Calc(catalogue.desk, catalogue.reader)
        yield program
        program.stop()


def type_into(calc, target, text):
    calc.desk.call("left_click", target=target)
    calc.desk.call("type_text", text=text + "\n")


def assert_saved(calc, cell, text):
    calc.saved_at = 0
    asked = witness(calc, {"sheet": cell, "text": text})
    try:
        eventually(lambda: asked.holds(""), 20)
    except AssertionError:
        raise AssertionError(f"{cell} of the file holds {asked.seen()}") from None


def test_the_first_click_hits(calc):
    """Until the pointer has been in its window, LibreOffice forgets its menu bar when it says where anything is."""
    said = calc.rectangle('table "Sheet Sheet1"')
    type_into(calc, 'cell "C9"', "the first")
    assert_saved(calc, "C9", "the first")
    eventually(lambda: calc.rectangle('table "Sheet Sheet1"') != said, 10, "the program to know better: else the test proves nothing")


@pytest.mark.parametrize("selector, cell", [('table-cell "C3"', "C3"), ('cell "b7"', "B7"), ('cell ="D2"', "D2"), ('单元格 "E5"', "E5")])
def test_a_cell_is_clicked_and_typed_into(calc, selector, cell):
    type_into(calc, selector, f"this is {cell}")
    assert_saved(calc, cell, f"this is {cell}")
    assert calc.desk.call("read_text", target=selector)["text"] == f"this is {cell}"


def test_its_reference_goes_on_meaning_it(calc):
    found = calc.desk.call("find", selector='cell "F4"', window_id=calc.window)["elements"]
    assert [each["name"] for each in found] == ["F4"] and found[0]["role"] == "table-cell"
    assert calc.desk.call("find", selector='cell "A1"')["elements"], "something else is looked at meanwhile"
    type_into(calc, found[0]["ref"], "by its reference")
    assert_saved(calc, "F4", "by its reference")


def test_one_that_does_not_show(calc):
    found = calc.desk.call("find", selector='cell "AB500"')["elements"]
    assert [each["name"] for each in found] == ["AB500"]
    with pytest.raises(ToolError, match="cannot be seen") as failed:
        calc.desk.call("left_click", target='cell "AB500"')
    assert failed.value.code == "DESKTOP_ELEMENT_NOT_FOUND" and "scroll" in failed.value.error["suggestion"]


@pytest.mark.parametrize("name", ["XFE1", "A1048577", "A0", "Nowhere 7"])
def test_there_is_no_such_cell(calc, name):
    assert calc.desk.call("find", selector=f'cell ="{name}"', window_id=calc.window)["elements"] == []
