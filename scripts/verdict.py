"""What a run of the tests amounts to: which failures count, and which the list of known flakes excuses.

Nothing here runs a test. The rules are these:
- A test that fails and then passes when it is run again is washed. It fails the run, unless tests/known-flakes.json names it.
- A finding (a sanitizer's report, a process left over, a warning of GLib's) fails the run. Nothing excuses it.
- The list itself fails the run when an entry is past its date, names a test that does not exist, or is one too many."""
import collections
import dataclasses
import datetime
import json

MOST_FLAKES = 10
# More failures than this, or in more files, have one cause. To run them again would only take time.
MOST_RUN_AGAIN = 40
MOST_FILES_RUN_AGAIN = 6


@dataclasses.dataclass(frozen=True)
class Flake:
    test: str
    reason: str
    mend_by: str


@dataclasses.dataclass(frozen=True)
class Finding:
    kind: str  # sanitizer, orphan, hang or glib
    test: str  # "" where nobody knows which
    path: str


@dataclasses.dataclass
class Verdict:
    passed: int
    skipped: int
    failed: list  # of names: twice, or not run again
    washed: list  # failed, then passed, and nothing excuses it
    excused: list  # failed, then passed, and is on the list
    found: list  # of findings
    wrong: list  # with the list of known flakes

    @property
    def failures(self):
        blamed = {finding.test for finding in self.found} - {""}
        nameless = sum(not finding.test for finding in self.found)
        return len({*self.failed, *self.washed, *blamed}) + nameless + len(self.wrong)

    @property
    def is_good(self):
        return self.passed > 0 and self.failures == 0

    def lines(self):
        """What a person should read, the last line being the one that CI reads."""
        yield from (f"failed: {name}" for name in self.failed)
        yield from (f"failed, then passed when run again: {name}" for name in self.washed)
        yield from (f"known flake, passed when run again: {name}" for name in self.excused)
        yield from (f"{finding.kind} finding in {finding.test or 'an unknown test'}: {finding.path}" for finding in self.found)
        yield from (f"known-flakes.json: {problem}" for problem in self.wrong)
        if self.washed or self.excused:
            yield f"passed only when run again: {len(self.washed) + len(self.excused)}, of which known flakes: {len(self.excused)}"
        yield f"{self.passed} passed, {self.failures} failed" + (f", {self.skipped} skipped" if self.skipped else "")


def read_flakes(path):
    return [Flake(**entry) for entry in json.loads(path.read_text())["flakes"]] if path.exists() else []


def find_wrong_flakes(flakes, existing, today):
    """What is wrong with the list. `existing` holds the names of all tests; None where only some tests ran."""
    wrong = [f"{len(flakes)} entries, at most {MOST_FLAKES} are allowed"] if len(flakes) > MOST_FLAKES else []
    for flake in flakes:
        if not flake.reason.strip():
            wrong.append(f"{flake.test} has no reason")
        if datetime.date.fromisoformat(flake.mend_by) < today:
            wrong.append(f"{flake.test} was to be mended by {flake.mend_by}")
        if existing is not None and flake.test not in existing:
            wrong.append(f"there is no test {flake.test}")
    for test, count in collections.Counter(flake.test for flake in flakes).items():
        if count > 1:
            wrong.append(f"{test} is there {count} times")
    return wrong


def choose_run_again(outcomes, findings):
    """The failures whose second run says something. A test with a finding has failed, whatever a second run would say."""
    found = {finding.test for finding in findings}
    names = [name for name, outcome in outcomes.items() if outcome == "failed" and name not in found]
    files = {name.split("::")[0] for name in names if "::" in name}
    return names if len(names) <= MOST_RUN_AGAIN and len(files) <= MOST_FILES_RUN_AGAIN else []


def judge(first, again, findings, flakes, wrong):
    """`first` and `again` map names to "passed", "failed" or "skipped"."""
    known = {flake.test for flake in flakes}
    blamed = {finding.test for finding in findings}
    verdict = Verdict(0, 0, [], [], [], list(findings), list(wrong))
    for name, outcome in first.items():
        if name in blamed:
            continue
        if outcome == "skipped":
            verdict.skipped += 1
        elif outcome == "passed":
            verdict.passed += 1
        elif again.get(name) != "passed":
            verdict.failed.append(name)
        elif name in known:
            verdict.excused.append(name)
            verdict.passed += 1
        else:
            verdict.washed.append(name)
    return verdict
