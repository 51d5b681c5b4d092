"""Desks for tests of the terminal: one whose shells have walls, and one whose owner has given full control."""
import contextlib

from handfast import FULL_AUTO, Desk, finish

# Level 3: a caller may run commands, within walls.
WALLED = {
    **FULL_AUTO,
    "security": {"permission_level": "L3", "client_level": "L3", "allowed_directories": ["~/work", "~/more"],
                 "denied_patterns": ["~/.ssh/**", "~/work/secret/**", "~/work/later/**", "**/node_modules/**"]},
}


def prepare(desk):
    """What is there before the first command: a workspace, and things that no command may reach."""
    for name in ("work/secret", "more", ".ssh", "other"):
        (desk.home / name).mkdir(parents=True, exist_ok=True)
    (desk.home / ".ssh" / "id_ed25519").write_text("THE KEY\n")
    (desk.home / "work" / "secret" / "token").write_text("THE TOKEN\n")
    (desk.home / "other" / "diary").write_text("THE DIARY\n")
    (desk.home / "work" / "note.txt").write_text("a note\n")
    return desk


@contextlib.contextmanager
def walled_desk(config=WALLED):
    desk = prepare(Desk("--virtual", "--size", "800x600", verify=False, config=config))
    try:
        yield desk
    finally:
        finish(desk)


@contextlib.contextmanager
def open_desk():
    desk = prepare(Desk("--virtual", "--size", "800x600", verify=False))
    try:
        yield desk
    finally:
        finish(desk)
