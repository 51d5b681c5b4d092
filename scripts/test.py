#!/usr/bin/env python3
"""`make test`: builds with ASan and UBSan, runs every test, ends with one line of counts."""
import json
import os
import pathlib
import subprocess
import sys
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build-test"
PYTEST_REPORT = BUILD / "pytest.xml"


def build():
    if not (BUILD / "build.ninja").exists():
        subprocess.run(["meson", "setup", BUILD, "-Db_sanitize=address,undefined", "-Dwerror=true",
                        "-Db_lundef=false"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["ninja", "-C", BUILD, "--quiet"], cwd=ROOT, check=True)


def run_unit():
    environment = dict(os.environ, ASAN_OPTIONS="detect_stack_use_after_return=1",
                       UBSAN_OPTIONS="halt_on_error=1:print_stacktrace=1")
    subprocess.run(["meson", "test", "-C", BUILD, "--no-rebuild", "--print-errorlogs", "--num-processes", "2"],
                   cwd=ROOT, env=environment)
    lines = (BUILD / "meson-logs" / "testlog.json").read_text().splitlines()
    results = [json.loads(line)["result"] for line in lines]
    passed = results.count("OK")
    return passed, len(results) - passed


def run_pytest(arguments):
    PYTEST_REPORT.unlink(missing_ok=True)
    environment = dict(os.environ, HANDFAST=str(BUILD / "handfast"))
    subprocess.run(["/usr/bin/python3", "-m", "pytest", "-p", "no:cacheprovider", "-q", "--durations=10",
                    f"--junitxml={PYTEST_REPORT}", *(arguments or ["tests/house", "tests/stage", "tests/e2e"])],
                   cwd=ROOT, env=environment)
    if not PYTEST_REPORT.exists():
        return 0, 1
    suite = xml.etree.ElementTree.parse(PYTEST_REPORT).getroot().find("testsuite")
    failed = int(suite.get("failures")) + int(suite.get("errors"))
    return int(suite.get("tests")) - failed - int(suite.get("skipped")), failed


def main():
    build()
    unit_passed, unit_failed = run_unit()
    passed, failed = run_pytest(sys.argv[1:])
    print(f"{unit_passed + passed} passed, {unit_failed + failed} failed")
    sys.exit(1 if unit_failed + failed or unit_passed + passed == 0 else 0)


main()
