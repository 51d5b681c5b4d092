"""A pytest plugin for scripts/test.py: writes a line of JSON for each phase of each test to the file that HF_OUTCOMES names."""
import json
import os


class Writer:
    def __init__(self, path):
        self.file = open(path, "w", buffering=1)

    def write(self, report, seconds):
        self.file.write(json.dumps({"test": report.nodeid, "outcome": report.outcome, "seconds": seconds}) + "\n")

    def pytest_runtest_logreport(self, report):
        self.write(report, report.duration)

    def pytest_collectreport(self, report):
        if report.failed:
            self.write(report, 0)


def pytest_configure(config):
    # The workers of xdist send their reports to the one process that has no workerinput.
    if "HF_OUTCOMES" in os.environ and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Writer(os.environ["HF_OUTCOMES"]))
