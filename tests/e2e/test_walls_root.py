"""What root could do in a container and must not, and what passes into it because the owner says so."""
from handfast import CONTAINER, FULL_AUTO, eventually

SIZE = ("--virtual", "--size", "640x480")
CAP_SYS_ADMIN = 1 << 21


def run_script(desk, text):
    """What a script writes that is started as a program on the desktop."""
    script, report = desk.home / "script", desk.home / "report"
    script.write_text(f"#!/bin/bash\n({text}) > {report}.new 2>&1\nmv {report}.new {report}\n")
    script.chmod(0o755)
    desk.call("app_launch", name=str(script), wait_ms=0)
    eventually(report.exists, 20, "the report")
    return report.read_text()


def test_settings_of_the_machine_cannot_be_written(own_desk):
    """To root, the kernel would allow it: the files belong to the same root."""
    desk = own_desk(*SIZE)
    seen = run_script(desk, "for file in /proc/sys/kernel/core_pattern /proc/sys/vm/drop_caches $(find / -xdev -path '*/sys/kernel/core_pattern'"
                            " 2>/dev/null); do (exec 3>>$file) 2>/dev/null && echo WRITABLE $file; done; echo over")
    assert seen == "over\n"


def test_programs_cannot_mount(own_desk):
    """The stage has that right when it starts, and nobody after it."""
    desk = own_desk(*SIZE)
    rights = dict(line.split(":\t") for line in run_script(desk, "grep -E '^(Cap|NoNewPrivs)' /proc/self/status; grep CapEff /proc/1/status | sed s/Eff/OfOne/").splitlines())
    assert all(int(rights[name], 16) & CAP_SYS_ADMIN == 0 for name in ("CapPrm", "CapEff", "CapInh", "CapAmb", "CapOfOne")), rights
    assert rights["NoNewPrivs"] == "1"


def test_variables_that_the_owner_names_pass(own_desk):
    desk = own_desk(*SIZE, environment={"BUILD_TOKEN": "given", "OTHER_TOKEN": "kept back"},
                    config={**FULL_AUTO, "container": CONTAINER, "shell": {"environment": ["BUILD_TOKEN"]}})
    assert run_script(desk, "echo $BUILD_TOKEN $OTHER_TOKEN") == "given\n"
