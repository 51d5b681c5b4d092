"""A new virtual desktop until the first picture of it, with its window manager there."""
import time

from .desktop import SIZE
from .rounds import Entry, Failed, Job

# To start the program that looks, on a busy machine.
MANAGER_SECONDS = 0.1


class NewDesktops:
    def __init__(self, contenders):
        self.contenders, self.desktop = contenders, contenders.desktop

    def jobs(self):
        entries = [Entry("floor (Xvfb, bus, openbox)", self._bare, floor=True)]
        if self.contenders.ours:
            entries.append(Entry("handfast", self._ours, ours=True))
        return [Job("desktop", "Desktop new until the first screenshot", entries)]

    def _ours(self, number):
        name = f"bench{number}"
        ours = self.contenders.ours
        start = time.monotonic_ns()
        made = ours.request("desktop.new", {"name": name, "width": SIZE[0], "height": SIZE[1]})[1]
        ours.call("screenshot", {"mode": "fullscreen", "desktop": name})
        took = (time.monotonic_ns() - start) / 1e6
        self._must_have_manager(made["environment"])
        ours.request("desktop.remove", {"name": name})
        return took

    def _must_have_manager(self, environment):
        """It has to be there by now, so there is no waiting for it."""
        household = self.desktop.household
        bare = household.add([str(self.desktop.build / "bench/bench-bare")],
                             {**self.desktop.env, **environment})
        start = time.monotonic()
        bare.ask("wm")
        late = time.monotonic() - start
        household.end(bare)
        if late > MANAGER_SECONDS:
            raise Failed(f"the window manager came {late:.2f} s after the first screenshot")

    def _bare(self, number):
        """The same three programs, started by hand, until the window manager is there."""
        household, env = self.desktop.household, dict(self.desktop.env)
        bus_path = self.desktop.runtime / f"bare-bus-{number}"
        start = time.monotonic_ns()
        server = household.add(["Xvfb", "-displayfd", "1", "-screen", "0", f"{SIZE[0]}x{SIZE[1]}x24",
                                "-nolisten", "tcp", "-noreset"], env)
        bus = household.add(["dbus-daemon", "--session", "--nofork", "--nopidfile",
                             f"--address=unix:path={bus_path}", "--print-address=1"], env)
        env["DISPLAY"] = ":" + server.read_line(20).strip()
        env["DBUS_SESSION_BUS_ADDRESS"] = bus.read_line(20).strip()
        manager = household.add(["openbox"], env)
        bare = household.add([str(self.desktop.build / "bench/bench-bare")], env)
        bare.ask("wm")
        took = (time.monotonic_ns() - start) / 1e6
        for child in (bare, manager, bus, server):
            household.end(child)
        return took
