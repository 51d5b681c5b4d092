"""Programs, states and languages of the test set alone. What is tuned must not have been tried on them."""
from applications import APPS, CHINESE, Painted, Terminal, catalogue


class Gtk3Demo(catalogue.Program):
    name, toolkit, title = "gtk3-demo", "GTK 3", "Application Class"

    def command(self):
        return ["gtk3-demo"]


class Gtk4Demo(catalogue.Program):
    name, toolkit, title = "gtk4-demo", "GTK 4", "GTK Demo"
    environment = {"GSK_RENDERER": "cairo"}

    def command(self):
        return ["gtk4-demo"]


class ZenityForm(catalogue.Program):
    name, toolkit, title, environment = "zenity-form", "GTK 3", "新建联系人", CHINESE

    def command(self):
        return ["zenity", "--forms", "--title", self.title, "--text", "请填写联系人信息", "--add-entry", "姓名", "--add-entry", "手机号",
                "--add-entry", "E-mail", "--add-combo", "分组", "--combo-values", "家人|朋友|同事", "--add-calendar", "生日"]


class ZenityList(catalogue.Program):
    name, toolkit, title = "zenity-list", "GTK 3", "Pick the updates"

    def command(self):
        return ["zenity", "--list", "--checklist", "--title", self.title, "--text", "These updates are ready", "--width", "640", "--height", "360",
                "--column", "Install", "--column", "Package", "--column", "Size", "TRUE", "Kernel", "62 MB", "FALSE", "Fonts", "8 MB",
                "TRUE", "Web browser", "91 MB", "FALSE", "Office", "140 MB", "--ok-label", "Install now", "--cancel-label", "Not today",
                "--extra-button", "Show details"]


class PaintedDark(Painted):
    """painted.py calls what it has painted `what`."""
    name, toolkit, title = "painted-dark", "painted, no tree", "Painted"

    def command(self):
        return [APPS / "painted.py", "--dark"]

    def drawn_places(self, thing):
        return [report["place"] for report in self.reports if report["event"] == "place" and report["what"] == thing][-1:]


class PaintedMail(Painted):
    name, toolkit, title = "painted-mail", "painted, no tree", "Painted mail"

    def command(self):
        return [APPS / "painted_form.py", "mail"]


class DialogForm(Terminal):
    name, expected = "dialog-radio", "Continue"
    line = ("dialog --backtitle '系统设置' --title '时区' --ok-label 'Continue' --cancel-label 'Back' --extra-button --extra-label '跳过' "
            "--radiolist '请选择您所在的时区' 16 60 6 sh '上海' on hk '香港' off lon 'London' off ny 'New York' off syd 'Sydney' off")


class WhiptailList(Terminal):
    name, expected = "whiptail-list", "Printing"
    line = ("whiptail --title '软件选择' --ok-button '确定' --cancel-button '返回' --checklist 'Choose what to install' 18 64 6 "
            "web 'Web server' OFF print 'Printing' ON ssh '远程登录' ON db '数据库' OFF game 'Games' OFF")


HELD_OUT = {kind.name: kind for kind in (Gtk3Demo, Gtk4Demo, ZenityForm, ZenityList, PaintedDark, PaintedMail, DialogForm, WhiptailList)}
