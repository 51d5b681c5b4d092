"""A desk in a process of its own, to be killed: starts a desktop, prints what it was told, and
waits for ever. With a second argument its end of the channel also goes to a child that outlives
it, as by a descriptor that leaked."""
import json
import signal
import subprocess
import sys

from stages import Stage

stage = Stage(sys.argv[1], "v1", own_home=True).ready()
if len(sys.argv) > 2:
    subprocess.Popen(["sleep", "5"], pass_fds=[stage.channel.fileno()])
print(json.dumps({"stage": stage.process.pid, "facts": stage.facts}), flush=True)
signal.pause()
