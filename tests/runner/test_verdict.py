"""The rules by which a run of the tests fails, with made-up results."""
import datetime
import json
import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
from verdict import (Finding, Flake, MOST_FLAKES, choose_run_again, find_wrong_flakes, judge, read_flakes)  # noqa: E402

TODAY = datetime.date(2030, 5, 17)
A, B = "tests/e2e/test_a.py::test_one", "unit/b"


def flake(test=A, mend_by="2030-06-01", reason="a race"):
    return Flake(test, reason, mend_by)


@pytest.mark.parametrize("first, again, findings, flakes, is_good, last", [
    ({A: "passed", B: "passed"}, {}, [], [], True, "2 passed, 0 failed"),
    ({A: "passed", B: "skipped"}, {}, [], [], True, "1 passed, 0 failed, 1 skipped"),
    ({A: "failed", B: "passed"}, {A: "failed"}, [], [], False, "1 passed, 1 failed"),
    ({A: "failed", B: "passed"}, {}, [], [], False, "1 passed, 1 failed"),  # not run again
    ({A: "failed", B: "passed"}, {A: "skipped"}, [], [], False, "1 passed, 1 failed"),  # a skip is no pass
    ({A: "failed", B: "passed"}, {A: "passed"}, [], [], False, "1 passed, 1 failed"),  # washed
    ({A: "failed", B: "passed"}, {A: "passed"}, [], [flake(B)], False, "1 passed, 1 failed"),  # another is on the list
    ({A: "failed", B: "passed"}, {A: "passed"}, [], [flake()], True, "2 passed, 0 failed"),
    ({A: "failed", B: "passed"}, {A: "failed"}, [], [flake()], False, "1 passed, 1 failed"),  # no flake: broken
    ({A: "passed", B: "passed"}, {}, [Finding("sanitizer", A, "x.log")], [], False, "1 passed, 1 failed"),
    ({A: "failed", B: "passed"}, {A: "passed"}, [Finding("sanitizer", A, "x.log")], [flake()], False, "1 passed, 1 failed"),
    ({A: "passed", B: "passed"}, {}, [Finding("orphan", "", "x.log")], [], False, "2 passed, 1 failed"),
    ({}, {}, [], [], False, "0 passed, 0 failed"),
])
def test_what_fails_a_run(first, again, findings, flakes, is_good, last):
    verdict = judge(first, again, findings, flakes, [])
    assert verdict.is_good == is_good and list(verdict.lines())[-1] == last


def test_what_was_washed_is_named():
    verdict = judge({A: "failed", B: "failed"}, {A: "passed", B: "passed"}, [], [flake(B)], [])
    assert list(verdict.lines()) == [f"failed, then passed when run again: {A}", f"known flake, passed when run again: {B}",
                                     "passed only when run again: 2, of which known flakes: 1", "1 passed, 1 failed"]


def test_findings_are_named_with_their_log():
    lines = list(judge({A: "passed"}, {}, [Finding("glib", A, "build-test/findings/x.log")], [], []).lines())
    assert lines[0] == f"glib finding in {A}: build-test/findings/x.log"


def test_findings_are_not_run_again():
    assert choose_run_again({A: "failed", B: "failed"}, [Finding("sanitizer", A, "x.log")]) == [B]


def test_many_failures_are_not_run_again():
    assert len(choose_run_again({f"f.py::{i}": "failed" for i in range(40)}, [])) == 40
    assert choose_run_again({f"f.py::{i}": "failed" for i in range(41)}, []) == []
    assert choose_run_again({f"{i}.py::x": "failed" for i in range(7)}, []) == []


@pytest.mark.parametrize("flakes, existing, wrong", [
    ([flake()], {A}, []),
    ([flake(mend_by="2030-05-17")], {A}, []),  # its last day
    ([flake(mend_by="2030-05-16")], {A}, [f"{A} was to be mended by 2030-05-16"]),
    ([flake()], {B}, [f"there is no test {A}"]),
    ([flake()], None, []),  # only some tests ran
    ([flake(reason=" ")], {A}, [f"{A} has no reason"]),
    ([flake(), flake()], {A}, [f"{A} is there 2 times"]),
    ([flake(str(i)) for i in range(MOST_FLAKES)], None, []),
    ([flake(str(i)) for i in range(MOST_FLAKES + 1)], None, ["11 entries, at most 10 are allowed"]),
])
def test_what_is_wrong_with_the_list(flakes, existing, wrong):
    assert find_wrong_flakes(flakes, existing, TODAY) == wrong
    verdict = judge({A: "passed"}, {}, [], flakes, wrong)
    assert verdict.is_good == (not wrong) and verdict.failures == len(wrong)


def test_the_list_can_be_read(tmp_path):
    assert read_flakes(tmp_path / "none.json") == []
    (tmp_path / "list.json").write_text(json.dumps({"flakes": [{"test": A, "reason": "a race", "mend_by": "2030-06-01"}]}))
    assert read_flakes(tmp_path / "list.json") == [flake()]
    for entry in read_flakes(ROOT / "tests" / "known-flakes.json"):
        datetime.date.fromisoformat(entry.mend_by)
