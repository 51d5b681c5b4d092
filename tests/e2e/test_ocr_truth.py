"""The short form of `make ocr-truth`: eight screens of known text, two of each toolkit, read as well as all of them must be. They are
of the set that the reading was tuned on, so that nobody looks at the other one by accident."""
import pathlib
import subprocess

from handfast import PROGRAM, ROOT


def test_known_text_is_read(tmp_path):
    build = pathlib.Path(PROGRAM).resolve().parent
    told = subprocess.run(["/usr/bin/python3", ROOT / "tests/ocr/truth.py", build, "--set", "tune", "--count", "8", "--check", "--misses", "20", "--folder", tmp_path],
                          capture_output=True, text=True, timeout=900)
    assert told.returncode == 0, told.stdout + told.stderr
    assert "8 screens" in told.stdout and all(painter in told.stdout for painter in ("gtk", "qt", "chromium", "xterm")), told.stdout
