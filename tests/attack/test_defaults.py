"""A new installation, no configuration: an agent on a private desktop works without a question, and what it starts changes nothing
outside."""
import json

import pytest

from handfast import eventually


@pytest.fixture
def desk(default_desk):
    desk = default_desk()
    (desk.home / "Projects").mkdir()
    (desk.home / "Projects").chmod(0o777)
    desk.remove_desktop("main")
    desk.new_desktop("main", width=800, height=600)
    return desk


def test_the_first_task_needs_no_answer(desk):
    """Open an editor, write a letter, save it; and a shell, with what was read of others before."""
    desk.call("app_launch", name="mousepad")
    desk.call("type_text", text="Dear all, 你好")
    desk.call("observe", image=False)  # from here on the caller is tainted
    desk.call("file_write", path=str(desk.home / "Projects" / "letter.txt"), content="Dear all")
    assert (desk.home / "Projects" / "letter.txt").read_text() == "Dear all"
    assert desk.call("bash_execute", command="echo $((6 * 7))")["stdout"] == "42\n"
    assert desk.call("app_launch", name="bash", args=["-c", "exit 0"])["outcome"] == "ended"
    assert desk.call("browser_navigate", url="about:blank", timeout_ms=60000)["url"] == "about:blank"
    assert json.loads(desk.cli("approvals", "list", "--json").stdout) == []


def test_a_launched_shell_cannot_rewrite_the_configuration(desk):
    loose = json.dumps({"security": {"permission_level": "L4", "client_level": "L4"}})
    attack = desk.home / "Projects" / "attack.py"  # the text of a command would be refused at once, by its rules
    attack.write_text(f"""import os, pathlib
for folder in (os.path.expanduser("~/.config/handfast"), {str(desk.config_path.parent)!r}):
    os.makedirs(folder, exist_ok=True)
    pathlib.Path(folder, "config.json").write_text({loose!r})
pathlib.Path({str(desk.home / "Projects" / "done")!r}).touch()
""")
    desk.call("app_launch", name="python3", args=[str(attack)])
    eventually((desk.home / "Projects" / "done").exists, 20, "the shell")
    assert not desk.config_path.exists()
    assert not (desk.home / ".config" / "handfast").exists()
    assert "L2" in desk.cli("config", "get", "security.client_level").stdout.decode()
