"""Programs of the second set to tune on: single demonstrations of GTK, dialogs of zenity, painted programs and terminals."""
from applications import APPS, CHINESE, Painted, Terminal, catalogue
from handfast import inner_pid


class Lone(catalogue.Program):
    """A program with one window, whatever its title is; gtk3-demo has its list of demonstrations behind it."""
    line = ()
    behind = "Application Class"

    def command(self):
        return list(self.line)

    def find_window(self):
        windows = self.reader.ask("windows")["windows"]
        return next((each for each in windows if each["pid"] == inner_pid(self.process.pid) and each["title"] not in ("", self.behind)), None)


def gtk3(demo):
    return {"name": f"gtk3-{demo}", "toolkit": "GTK 3", "line": ("gtk3-demo", f"--run={demo}")}


def gtk4(demo):
    return {"name": f"gtk4-{demo}", "toolkit": "GTK 4", "environment": {"GSK_RENDERER": "cairo"}, "line": ("gtk4-demo", f"--run={demo}")}


def zenity(name, *options, environment={}):
    return {"name": f"zenity-{name}", "toolkit": "GTK 3", "environment": environment, "line": ("zenity", *options)}


DEMOS = [*map(gtk3, ("list_store", "headerbar", "infobar", "assistant", "builder")),
         *map(gtk4, ("headerbar", "infobar", "sidebar", "stack", "spinbutton", "dropdown", "builder", "password_entry"))]
ZENITY = [zenity("question", "--question", "--title=Unsaved changes", "--text=Save the drawing before closing?", "--ok-label=Save",
                 "--cancel-label=Keep editing", "--extra-button=Discard"),
          zenity("scale", "--scale", "--title=屏幕亮度", "--text=调节亮度", "--value=40", environment=CHINESE),
          zenity("colour", "--color-selection", "--title=Pick a colour"),
          zenity("files", "--file-selection", "--title=打开图片", environment=CHINESE),
          zenity("radio", "--list", "--radiolist", "--title=配送方式", "--text=请选择配送方式", "--column=选", "--column=方式", "--column=费用",
                 "FALSE", "普通快递", "8 元", "TRUE", "次日达", "20 元", "FALSE", "门店自取", "免费", "FALSE", "同城急送", "35 元", "--height=300", environment=CHINESE),
          zenity("password", "--password", "--username", "--title=Sign in to the archive")]
TUNING = {facts["name"]: type("Lone_" + facts["name"].replace("-", "_"), (Lone,), facts) for facts in [*DEMOS, *ZENITY]}


class PaintedStudio(Painted):
    name, toolkit, title = "painted-studio", "painted, no tree", "Painted studio"

    def command(self):
        return [APPS / "painted_studio.py", "studio"]


class PaintedTasks(Painted):
    name, toolkit, title = "painted-tasks", "painted, no tree", "Painted tasks"

    def command(self):
        return [APPS / "painted_studio.py", "tasks"]


class DialogMenu(Terminal):
    name, expected = "dialog-menu", "重启"
    line = ("dialog --title 'Rescue system' --ok-label '进入' --cancel-label '返回' --extra-button --extra-label 'Reboot' --menu '选择一项操作' 16 62 7 "
            "1 'Check the disks' 2 '恢复备份' 3 'Open a shell' 4 '网络诊断' 5 '重启到固件'")


class DialogYesNo(Terminal):
    name, expected = "dialog-yesno", "Delete the old"
    line = "dialog --title '确认' --yes-label 'Delete' --no-label '保留' --yesno 'Delete the old kernel?\\n\\nlinux-image-6.1.0-9' 9 50"


class WhiptailRadio(Terminal):
    name, expected = "whiptail-radio", "Wayland"
    line = ("whiptail --title '显示服务' --ok-button 应用 --cancel-button 放弃 --radiolist 'Which display server?' 16 60 5 "
            "x11 'X11' off way 'Wayland' on fb '帧缓冲' off none 'No display' off")


class McMenu(Terminal):
    name, expected, columns, rows = "mc-menu", "letter.txt", 100, 28
    files = ("letter.txt", "music.ogg", "相册.zip", "taxes.ods", "notes.md")
    line = "mc --nomouse ."


TUNING |= {kind.name: kind for kind in (PaintedStudio, PaintedTasks, DialogMenu, DialogYesNo, WhiptailRadio, McMenu)}
