#!/usr/bin/env python3
"""`make test`: builds with ASan and UBSan, runs every test, ends with one line of counts."""
import collections
import json
import os
import pathlib
import subprocess
import sys
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build-test"
PYTEST_REPORT = BUILD / "pytest.xml"
# The longest first, so that neither process waits long for the other.
PYTEST_FOLDERS = ["tests/e2e/test_typing.py", "tests/e2e/test_act.py", "tests/e2e/test_effect.py", "tests/e2e/test_catalogue.py", "tests/e2e/test_browser.py", "tests/e2e/test_terminal.py",
                  "tests/e2e/test_mcp.py", "tests/e2e/test_find.py", "tests/house", "tests/stage", "tests/e2e"]
COVERAGE_TEST = "tests/e2e/test_zz_coverage.py"
# They wait more than they work: three keep two processors busy.
PYTEST_PROCESSES = 3
UNIT_TRIES = 3
# Failures in more files than this, or more in all, are no accident. One program that dies takes the rest of its file with it.
MOST_FILES_TRIED_AGAIN = 6
MOST_TRIED_AGAIN = 40


def build():
    if not (BUILD / "build.ninja").exists():
        subprocess.run(["meson", "setup", BUILD, "-Db_sanitize=address,undefined", "-Dwerror=true",
                        "-Db_lundef=false"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["ninja", "-C", BUILD, "--quiet"], cwd=ROOT, check=True)


def run_unit_tests(names=()):
    """The names of the tests that ran, and of those that failed."""
    environment = dict(os.environ, ASAN_OPTIONS="detect_stack_use_after_return=1",
                       UBSAN_OPTIONS="halt_on_error=1:print_stacktrace=1")
    subprocess.run(["meson", "test", "-C", BUILD, "--no-rebuild", "--print-errorlogs", "--num-processes", "2",
                    "--timeout-multiplier", "3", *names], cwd=ROOT, env=environment)
    lines = (BUILD / "meson-logs" / "testlog.json").read_text().splitlines()
    results = {json.loads(line)["name"]: json.loads(line)["result"] for line in lines}
    return set(results), {name for name, result in results.items() if result != "OK"}


def run_unit():
    """Tests of real programs depend on a machine that others use too: one that fails is run again,
    alone, and said to have needed it."""
    ran, failed = run_unit_tests()
    for _ in range(UNIT_TRIES - 1):
        if failed:
            _, still = run_unit_tests(sorted(name.split(" / ")[-1] for name in failed))
            tell_again(failed - still)
            failed = still
    return len(ran) - len(failed), len(failed)


def tell_again(names):
    for name in sorted(names):
        print(f"passed only when run again: {name}")


def tell_slowest(suite, most=12):
    """Whole files, since a process takes one at a time: what has to be shortened when the whole takes too long."""
    seconds = collections.Counter()
    for case in suite:
        seconds[case.get("classname")] += float(case.get("time"))
    if len(seconds) > most:
        print("slowest files: " + ", ".join(f"{name.split('.')[-1]} {took:.0f} s" for name, took in seconds.most_common(most)))


def run_pytest_once(arguments):
    """How many passed, how many failed, and in how many files."""
    PYTEST_REPORT.unlink(missing_ok=True)
    environment = dict(os.environ, HANDFAST=str(BUILD / "handfast"), HF_TOOLS_CALLED=str(BUILD / "tools-called"))
    subprocess.run(["/usr/bin/python3", "-m", "pytest", "-o", f"cache_dir={BUILD / 'pytest-cache'}", "-q",
                    "--durations=10", f"--junitxml={PYTEST_REPORT}", *arguments], cwd=ROOT, env=environment)
    if not PYTEST_REPORT.exists():
        return 0, 1, 0
    suite = xml.etree.ElementTree.parse(PYTEST_REPORT).getroot().find("testsuite")
    failed = int(suite.get("failures")) + int(suite.get("errors"))
    tell_slowest(suite)
    files = {case.get("classname") for case in suite if case.find("failure") is not None or case.find("error") is not None}
    return int(suite.get("tests")) - failed - int(suite.get("skipped")), failed, len(files)


def run_pytest(arguments):
    """On a few processes, a file at a time. What fails is run again, alone: tests of real programs depend on
    a machine that others use too."""
    arguments = [f"--ignore={COVERAGE_TEST}", *(arguments or PYTEST_FOLDERS)]
    passed, failed, files = run_pytest_once(["-n", str(PYTEST_PROCESSES), "--dist", "loadfile", *arguments])
    if passed and 0 < failed <= MOST_TRIED_AGAIN and files <= MOST_FILES_TRIED_AGAIN:
        again, still, _ = run_pytest_once(["--last-failed", *arguments])
        tell_again({f"{again} end-to-end tests"} if again else set())
        passed, failed = passed + again, still
    return passed, failed


def run_end_to_end(arguments):
    """Each process writes down which tools it called; at the end they must be all."""
    (BUILD / "tools-called").unlink(missing_ok=True)
    passed, failed = run_pytest(arguments)
    if arguments:
        return passed, failed
    covered, missing, _ = run_pytest_once([COVERAGE_TEST])
    return passed + covered, failed + missing


def main():
    build()
    unit_passed, unit_failed = run_unit()
    passed, failed = run_end_to_end(sys.argv[1:])
    print(f"{unit_passed + passed} passed, {unit_failed + failed} failed")
    sys.exit(1 if unit_failed + failed or unit_passed + passed == 0 else 0)


main()
