#!/usr/bin/env python3
"""`make test`: builds with ASan and UBSan, runs every test and clang-tidy, and then a few tests with ThreadSanitizer. Ends with one line of
counts. scripts/verdict.py has the rules by which a run fails; tests/README.md explains them.

scripts/test.py [PYTEST ARGUMENTS]   with arguments: all unit tests, and of the others only those
scripts/test.py --history            which tests have failed on this machine, and how"""
import collections
import concurrent.futures
import contextlib
import datetime
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

from verdict import Finding, choose_run_again, find_wrong_flakes, judge, read_flakes

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build-test"
TSAN_BUILD = ROOT / "build-tsan"
FINDINGS = BUILD / "findings"
HISTORY = BUILD / "test-history.jsonl"
OUTCOMES = BUILD / "pytest-outcomes.jsonl"
KNOWN_FLAKES = ROOT / "tests" / "known-flakes.json"
# -O1 and plain line tables halve the time of the compiler. Sanitizers lose nothing by it.
QUICK_BUILD = ["-Doptimization=1", "-Ddebug=false", "-Dc_args=-g1", "-Db_lundef=false"]
# The longest first, so that no process waits long for another.
PYTEST_FOLDERS = ["tests/e2e/test_mcp_official.py", "tests/e2e/test_typing.py", "tests/e2e/test_ocr_truth.py", "tests/e2e/test_act.py", "tests/e2e/test_effect.py", "tests/e2e/test_catalogue.py", "tests/e2e/test_browser.py", "tests/e2e/test_terminal.py",
                  "tests/e2e/test_mcp.py", "tests/e2e/test_find.py", "tests/house", "tests/runner", "tests/stage", "tests/attack", "tests/e2e"]
COVERAGE_TEST = "tests/e2e/test_zz_coverage.py"
# What many threads do at once: the bridge, the HTTP server, the guard, the hand, and a stop among them.
TSAN_TESTS = ["tests/e2e/test_stop.py", "tests/e2e/test_approvals.py", "tests/e2e/test_operations.py", "tests/e2e/test_bridge.py", "tests/e2e/test_http.py"]
# They wait more than they work: three keep two processors busy.
PROCESSES = 3
SANITIZER_REPORT = re.compile(r"(?:ERROR|WARNING): \w+Sanitizer|runtime error: ")
GLIB_COMPLAINT = re.compile(r"-(?:CRITICAL|WARNING|ERROR) \*\*")
# A leak check in a fork of a program with threads, such as GTestDBus's, cannot see what their stacks hold.
BLIND_LEAK_CHECK = re.compile(r"False leaks are possible\..*?SUMMARY: AddressSanitizer: [^\n]* leaked[^\n]*", re.DOTALL)


class Stage:
    """A part of the run. Says at its end how long it took, and how busy the machine was: what has to be shortened."""

    def __init__(self, name):
        self.name = name

    @staticmethod
    def processor_times():
        times = [int(word) for word in pathlib.Path("/proc/stat").read_text().split("\n")[0].split()[1:]]
        return sum(times[:8]), times[3] + times[4]

    def __enter__(self):
        self.started, self.times = time.monotonic(), self.processor_times()

    def __exit__(self, *_):
        total, idle = (now - before for now, before in zip(self.processor_times(), self.times))
        print(f"{self.name}: {time.monotonic() - self.started:.0f} s, the machine {100 - 100 * idle // max(1, total)} % busy", flush=True)


def build(folder, options, targets=(), run=subprocess.run):
    if not (folder / "build.ninja").exists():
        run(["meson", "setup", folder, *QUICK_BUILD, *options], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    run(["ninja", "-C", folder, "--quiet", *targets], cwd=ROOT, check=True)


class SpareTime:
    """Compiles with ThreadSanitizer and runs clang-tidy while the tests wait for something. Tests measure times, so this has the
    lowest priority, in a session of its own: the kernel shares processors between sessions first, and within them by `nice`."""

    def __init__(self):
        self.children = []
        self.pool = concurrent.futures.ThreadPoolExecutor(1)
        self.built = self.pool.submit(build, TSAN_BUILD, ["-Db_sanitize=thread"], ["handfast", "tests/apps/recorder"], self.run)
        self.lint = self.pool.submit(self.run, ["scripts/lint", "--quick", str(TSAN_BUILD)], cwd=ROOT)

    @staticmethod
    def give_way():
        os.setsid()
        os.nice(19)
        with contextlib.suppress(OSError):
            pathlib.Path("/proc/self/autogroup").write_text("19")

    def run(self, command, check=False, **options):
        child = subprocess.Popen(command, preexec_fn=self.give_way, **options)
        self.children.append(child)
        if child.wait() != 0 and check:
            raise subprocess.CalledProcessError(child.returncode, command)
        return child.returncode

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.pool.shutdown(wait=False, cancel_futures=True)
        for child in self.children:
            if child.poll() is None:
                os.killpg(child.pid, signal.SIGTERM)


def fetch_packages():
    """Starts to get what tests need from npm: that waits for the network, and the compiler does not."""
    return [subprocess.Popen([ROOT / "tests" / name / "install"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            for name in ("mcp", "openapi")]


def keep_unit_finding(name, kind, text):
    """The same form as tests/e2e/handfast.py writes: a line of JSON, then what there is to read."""
    FINDINGS.mkdir(parents=True, exist_ok=True)
    path = FINDINGS / f"{name.replace('/', '-')}-{os.getpid()}-{time.monotonic_ns()}.log"
    path.write_text(json.dumps({"kind": kind, "test": name}) + "\n" + text)


def look_for_unit_finding(name, result):
    """In whatever the test wrote, whether it passed or not: a child of its may have written it."""
    text = f"{result.get('stdout', '')}\n{result.get('stderr', '')}"
    seen = BLIND_LEAK_CHECK.sub("", text)
    if SANITIZER_REPORT.search(seen):
        keep_unit_finding(name, "sanitizer", text)
    elif result["result"] != "OK" and GLIB_COMPLAINT.search(seen):
        keep_unit_finding(name, "glib", text)


def run_unit_tests(names=(), processes=PROCESSES):
    environment = dict(os.environ, ASAN_OPTIONS="detect_stack_use_after_return=1",
                       UBSAN_OPTIONS="halt_on_error=1:print_stacktrace=1")
    subprocess.run(["meson", "test", "-C", BUILD, "--no-rebuild", "--print-errorlogs", "--num-processes", str(processes),
                    "--timeout-multiplier", "3", *names], cwd=ROOT, env=environment)
    outcomes = {}
    for line in (BUILD / "meson-logs" / "testlog.json").read_text().splitlines():
        result = json.loads(line)
        name = "unit/" + result["name"].split(" / ")[-1]
        outcomes[name] = {"OK": "passed", "SKIP": "skipped"}.get(result["result"], "failed")
        look_for_unit_finding(name, result)
    return outcomes


def tell_slowest(seconds, most=15):
    """Whole files, since a process takes one at a time, and single tests."""
    files = collections.Counter()
    for test, took in seconds.items():
        files[pathlib.Path(test.split("::")[0]).stem] += took
    if len(files) > most:
        print("slowest files: " + ", ".join(f"{name} {took:.0f} s" for name, took in files.most_common(most)))
        slowest = sorted(seconds, key=seconds.get, reverse=True)[:most]
        print("slowest tests: " + ", ".join(f"{name.split('/')[-1]} {seconds[name]:.0f} s" for name in slowest))


def run_pytest(arguments, program=BUILD, prefix=""):
    """The outcome of each test. Names of tests begin with `prefix`, here and in what they leave in the folder of findings."""
    OUTCOMES.unlink(missing_ok=True)
    environment = dict(os.environ, HANDFAST=str(program / "handfast"), HF_OUTCOMES=str(OUTCOMES), HF_FINDINGS=str(FINDINGS),
                       HF_TEST_PREFIX=prefix, PYTHONPATH=str(ROOT / "scripts"), HF_TOOLS_CALLED=str(BUILD / "tools-called"))
    status = subprocess.run(["/usr/bin/python3", "-m", "pytest", "-p", "no:cacheprovider", "-p", "pytest_outcomes", "-q", *arguments],
                            cwd=ROOT, env=environment).returncode
    outcomes, seconds = {}, collections.Counter()
    for line in OUTCOMES.read_text().splitlines() if OUTCOMES.exists() else []:
        phase = json.loads(line)
        name, outcome = prefix + phase["test"], phase["outcome"]
        seconds[name] += phase["seconds"]
        if outcomes.get(name) != "failed" and (outcome != "passed" or name not in outcomes):
            outcomes[name] = outcome
    if status not in (0, 1) or (status == 1 and "failed" not in outcomes.values()):
        outcomes[f"{prefix}pytest {' '.join(arguments)}: exit status {status}"] = "failed"
    tell_slowest(seconds)
    return outcomes


class Run:
    """All outcomes of a run: the first of each test, and the second of those that failed."""

    def __init__(self):
        self.first, self.again = {}, {}
        self.old_findings = set(FINDINGS.glob("*.log"))

    def findings(self):
        for path in sorted(set(FINDINGS.glob("*.log")) - self.old_findings):
            head = json.loads(path.open().readline())
            yield Finding(head["kind"], head["test"], str(path.relative_to(ROOT)))

    def take(self, outcomes, run_again):
        """What has failed is run once more, alone, to tell the flaky from the broken."""
        self.first.update(outcomes)
        names = choose_run_again(outcomes, self.findings())
        if names:
            self.again.update(run_again(names))

    def run_unit(self):
        self.take(run_unit_tests(), lambda names: run_unit_tests([name.removeprefix("unit/") for name in names], 1))

    def run_end_to_end(self, arguments):
        """On a few processes, a file at a time. Each writes down which tools it called: at the end they must be all."""
        (BUILD / "tools-called").unlink(missing_ok=True)
        chosen = ["-n", str(PROCESSES), "--dist", "loadfile", f"--ignore={COVERAGE_TEST}", *(arguments or PYTEST_FOLDERS)]
        self.take(run_pytest(chosen), run_pytest)
        if not arguments:
            self.take(run_pytest([COVERAGE_TEST]), run_pytest)

    def run_thread_sanitizer(self):
        def run(names):
            return run_pytest([name.removeprefix("tsan:") for name in names], TSAN_BUILD, "tsan:")
        self.take(run_pytest(["-n", str(PROCESSES), "--dist", "load", *TSAN_TESTS], TSAN_BUILD, "tsan:"), run)


def write_history(verdict, seconds):
    """One line for the run, and one for each test that did not simply pass."""
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout.strip()
    stamp = {"date": datetime.datetime.now().isoformat(timespec="seconds"), "commit": commit}
    rows = [{"run": True, "passed": verdict.passed, "failed": verdict.failures, "seconds": round(seconds)}]
    for outcome in ("failed", "washed", "excused"):
        rows += [{"name": name, "outcome": outcome} for name in getattr(verdict, outcome)]
    rows += [{"name": finding.test, "outcome": finding.kind} for finding in verdict.found]
    with HISTORY.open("a") as file:
        file.write("".join(json.dumps({**stamp, **row}) + "\n" for row in rows))


def show_history():
    rows = [json.loads(line) for line in HISTORY.read_text().splitlines()] if HISTORY.exists() else []
    counts = collections.Counter((row["name"], row["outcome"]) for row in rows if "name" in row)
    print(f"{sum('run' in row for row in rows)} runs")
    for (name, outcome), count in counts.most_common():
        print(f"{count:4} {outcome:9} {name}")


def main(arguments):
    started = time.monotonic()
    fetching = [] if arguments else fetch_packages()
    with Stage("build"):
        build(BUILD, ["-Db_sanitize=address,undefined", "-Dwerror=true", "-Db_pch=true"])
    run = Run()
    with contextlib.nullcontext() if arguments else SpareTime() as spare_time:
        with Stage("unit tests"):
            run.run_unit()
        with Stage("packages from npm"):
            for process in fetching:
                process.wait()  # where one has failed, the test that needs it says why
        with Stage("end-to-end tests"):
            run.run_end_to_end(arguments)
        if spare_time:
            with Stage("rest of the build with ThreadSanitizer"):
                spare_time.built.result()
            with Stage("tests with ThreadSanitizer"):
                run.run_thread_sanitizer()
            with Stage("rest of clang-tidy"):
                run.first["scripts/lint"] = "failed" if spare_time.lint.result() else "passed"
    flakes = read_flakes(KNOWN_FLAKES)
    wrong = find_wrong_flakes(flakes, None if arguments else set(run.first), datetime.date.today())
    verdict = judge(run.first, run.again, list(run.findings()), flakes, wrong)
    write_history(verdict, time.monotonic() - started)
    print(*verdict.lines(), sep="\n")
    return 0 if verdict.is_good else 1


if __name__ == "__main__":
    if sys.argv[1:] == ["--history"]:
        show_history()
    else:
        sys.exit(main(sys.argv[1:]))
