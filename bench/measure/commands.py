"""Commands in shells: there and back with nothing in between, and with 109 KB of output."""
from .rounds import Entry, Failed, Job, in_a_row

JOBS = (("shell", "A command that does nothing (true), there and back", "true", 0),
        ("shell-output", "A command with 109 KB of output (seq 1 20000)", "seq 1 20000", 108894))


class Commands:
    def __init__(self, contenders):
        self.contenders = contenders

    def jobs(self):
        return [Job(key, title, self._entries(command, length)) for key, title, command, length in JOBS]

    def _entries(self, command, length):
        ours, entries = self.contenders.ours, []
        if ours:
            entries.append(Entry("handfast", lambda number: self._ours(ours, command, length), ours=True))
            entries.append(in_a_row(entries[0]))
        for peer in self.contenders.node.values():
            if peer and "shell" in peer.jobs:
                entries.append(Entry(peer.label, lambda number, peer=peer: self._peer(peer, command)))
        return entries

    @staticmethod
    def _ours(ours, command, length):
        took, result, *_ = ours.call("bash_execute", {"command": command})
        if result["exit_code"] != 0 or len(result["stdout"]) != length:
            raise Failed(f"{command}: {result['exit_code']}, {len(result['stdout'])} characters")
        return took

    @staticmethod
    def _peer(peer, command):
        start, end = peer.do("shell", command=command)
        return (end - start) / 1e6
