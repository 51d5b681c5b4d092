"""A desk of its own on a virtual desktop, as its owner would run it: not in test mode, in which every answer is checked."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

from measure.bridge import Bridge

SECURITY = {"permission_level": "L3", "client_level": "L3", "allowed_directories": ["~/work"]}
CONFIG = {"projects": {"default_approval_template": "full-auto"}, "evidence": {"policy": "none"},
          "limits": {"global": {"per_minute": 0, "per_day": 0}, "target": {"per_minute": 0, "per_day": 0}}}


class Desk:
    def __init__(self, program, size, security=None):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="hf-bench-"))
        self.work = self.home / "work"
        self.work.mkdir()
        (self.home / "run").mkdir(mode=0o700)
        config = self.home / "config/handfast/config.json"
        config.parent.mkdir(parents=True, mode=0o700)
        config.write_text(json.dumps({**CONFIG, "security": {**SECURITY, **(security or {})}}))
        config.chmod(0o600)
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.home), "XDG_RUNTIME_DIR": str(self.home / "run"), "LANG": "C.UTF-8",
                       "XDG_CONFIG_HOME": str(self.home / "config"), "XDG_DATA_HOME": str(self.home / "data"), "HANDFAST_HTTP_PORT": "0"}
        self.process = subprocess.Popen([str(program), "serve", "--virtual", "--size", size], env=environment, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        path, end = self.home / "run/handfast/bridge.sock", time.monotonic() + 20
        while not path.exists():
            assert self.process.poll() is None and time.monotonic() < end, "the desk did not start"
            time.sleep(0.02)
        self.socket = path
        self.bridge = Bridge(path)

    def call(self, tool, **params):
        answer = self.bridge.call(tool, params)
        assert answer["ok"], answer
        return answer["result"]

    def hand(self):
        return next(iter(self.bridge.request("desktop.list", {})["result"]["desktops"]))["hand_pid"]

    def environment(self):
        """What programs on its desktop are started with."""
        text = pathlib.Path(f"/proc/{self.hand()}/environ").read_text()
        return dict(entry.split("=", 1) for entry in text.split("\0") if "=" in entry)

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=30)
        shutil.rmtree(self.home, ignore_errors=True)
