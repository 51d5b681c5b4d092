"""Two machines in one: the desk has a network of its own, with a cable to another network where a server writes down what it is
asked. Needs root; this machine's own network is left alone."""
import pathlib
import subprocess
import sys

from handfast import eventually

HERE, THERE = "203.0.113.1", "203.0.113.2"  # the desk's machine, and the other one: addresses of the internet, for documentation
PRIVATE_HERE, PRIVATE = "10.99.0.1", "10.99.0.2"  # the same, as in a home
NAMES = f"""127.0.0.1 localhost inner.test
{HERE} myself.test
{THERE} allowed.test forbidden.test other.test
{PRIVATE} printer.test
"""
SERVER = pathlib.Path(__file__).with_name("witness_server.py")


class TwoMachines:
    """`there` and `here` are what the servers of both machines saw."""

    def __init__(self, folder):
        self.processes = []
        self.hosts = folder / "hosts"
        self.hosts.write_text(NAMES)
        self.logs = {"here": folder / "here.log", "there": folder / "there.log"}
        self.near, self.far = self.hold(), self.hold()
        self.ip(self.near, "link", "add", "cable", "type", "veth", "peer", "name", "cable", "netns", str(self.far))
        for pid, addresses in ((self.near, (HERE, PRIVATE_HERE)), (self.far, (THERE, PRIVATE))):
            self.ip(pid, "link", "set", "lo", "up")
            for address in addresses:
                self.ip(pid, "address", "add", f"{address}/24", "dev", "cable")
            self.ip(pid, "link", "set", "cable", "up")
        self.serve(self.near, "0.0.0.0", self.logs["here"])
        self.serve(self.far, "0.0.0.0", self.logs["there"])

    def spawn(self, *words, **options):
        self.processes.append(subprocess.Popen(words, **options))
        return self.processes[-1]

    def hold(self):
        """A process that keeps a new network."""
        process = self.spawn("unshare", "--net", "sh", "-c", "echo; exec cat", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        process.stdout.readline()
        return process.pid

    def ip(self, pid, *words):
        subprocess.run(["nsenter", "-t", str(pid), "-n", "ip", *words], check=True)

    def serve(self, pid, address, log):
        self.spawn("nsenter", "-t", str(pid), "-n", sys.executable, str(SERVER), address, str(log))
        eventually(lambda: log.exists() and "ready" in log.read_text(), 20, "the server")

    def saw(self, where):
        return self.logs[where].read_text().splitlines()[1:]

    def command(self, words):
        """How a program runs on the desk's machine, where the names above are known."""
        return ["nsenter", "-t", str(self.near), "-n", "unshare", "--mount", "sh", "-c",
                'mount --bind "$0" /etc/hosts && exec "$@"', str(self.hosts), *words]

    def end(self):
        for process in reversed(self.processes):
            process.kill()
            process.wait()
