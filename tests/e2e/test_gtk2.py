"""Programs of GTK 2: what is in an open menu is never called showing by them, and can be used nevertheless."""
import pytest

from handfast import eventually


@pytest.fixture
def files(desk, tmp_path):
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "one.txt").write_text("1")
    home = tmp_path / "home"
    home.mkdir()
    process = desk.spawn("env", "GTK_MODULES=gail:atk-bridge", f"HOME={home}", f"XDG_CONFIG_HOME={home}", "pcmanfm", "--no-desktop", folder)
    window = desk.window("files", 20)["window_id"]
    desk.call("window_focus", window_id=window)
    eventually(lambda: desk.call("find", selector='menu "View"', window_id=window)["total"], 15, "the program on the accessibility bus")
    yield window
    process.terminate()
    process.wait(10)


def test_an_open_menu_is_told_and_used(desk, files):
    def entries():
        return desk.call("find", selector='check-menu-item "Show Hidden"', window_id=files)["total"]

    assert entries() == 0
    desk.call("left_click", target='menu "View"')
    eventually(lambda: entries() == 1, 5, "the menu's entries")
    desk.call("key_press", keys=["Escape"])
    eventually(lambda: entries() == 0, 5, "the menu to be gone")
