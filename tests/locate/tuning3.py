"""Programs of the third set to tune on: none of them is in the other sets."""
from applications import APPS, CHINESE, Page, Painted, Terminal, catalogue
from tuning import Lone, gtk3, gtk4
from truth import places

RULES = ("page: ", "drawn: ", "text: ")


class Pointed:
    """A program whose steps may point at what it tells of itself, as its truths do."""

    def rectangle(self, query):
        return catalogue.eventually(lambda: places(self, query), 3, f"{query} in {self.name}")[0] if query.startswith(RULES) else super().rectangle(query)


def yad(name, *options, environment={}):
    return {"name": f"yad-{name}", "toolkit": "GTK 3", "environment": environment, "line": ("yad", *options)}


YAD = [yad("form", "--form", "--title=New contact", "--text=Who is it?", "--field=First name", "--field=Last name", "--field=Phone number",
           "--field=Favourite:CHK", "--field=Group:CB", "--field=Birthday:DT", "--field=Age:NUM", "--field=Remarks:TXT", "--field=Choose a photo:FL", "", "Marsh", "",
           "TRUE", "Family!Friends!Work", "", "30", "", "", "--button=Import:2", "--button=gtk-cancel:1", "--button=gtk-save:0", "--width=460"),
       yad("checklist", "--list", "--checklist", "--title=待导出的报表", "--text=勾选要导出的报表", "--column=导出", "--column=报表", "--column=负责人", "--column=页数",
           "TRUE", "一月销售", "王芳", "12", "FALSE", "库存盘点", "刘强", "8", "TRUE", "Travel costs", "Emma", "5", "FALSE", "客户回访", "赵敏", "21",
           "--button=全选:3", "--button=gtk-cancel:1", "--button=gtk-ok:0", "--width=520", "--height=300", environment=CHINESE)]
DEMOS = [*map(gtk3, ("tree_store", "sizegroup")), gtk4("dialog")]
TUNING3 = {facts["name"]: type("Lone_" + facts["name"].replace("-", "_"), (Lone,), facts) for facts in [*DEMOS, *YAD]}


class L3afpadZh(catalogue.Program):
    name, toolkit, title, environment = "l3afpad-zh", "GTK 3", "shopping.txt", CHINESE

    def prepare(self):
        (self.folder / "shopping.txt").write_text("milk\nbread\ntwo lemons\nsoap\n")

    def command(self):
        return ["l3afpad", self.folder / "shopping.txt"]


class GnomeCalculator(Lone):
    name, toolkit, line = "gnome-calculator", "GTK 4", ("gnome-calculator", "-m", "basic")
    environment = {"GSK_RENDERER": "cairo", "GSETTINGS_BACKEND": "memory"}


class QtLedger(catalogue.Program):
    name, toolkit, title = "qt-ledger", "Qt 5", "家庭账本"

    def command(self):
        return [APPS / "ledger_qt5.py"]


class PaintedChat(Pointed, Painted):
    name, toolkit, title = "painted-chat", "painted, no tree", "Painted chat"

    def command(self):
        return [APPS / "painted_chat.py", "chat"]


class PaintedMap(Pointed, Painted):
    name, toolkit, title = "painted-map", "painted, no tree", "Painted map"

    def command(self):
        return [APPS / "painted_chat.py", "map"]


class Nano(Terminal):
    name, expected, files = "nano", "draft.txt", ("draft.txt",)
    line = "nano --ignorercfiles draft.txt"


class DialogForm(Terminal):
    name, expected = "dialog-form", "网关"
    line = ("dialog --title 'Network setup' --ok-label '保存' --cancel-label '放弃' --extra-button --extra-label 'Test' --form '手动配置网络' 15 56 4 "
            "'IP address' 1 1 '192.168.1.20' 1 14 24 40 '子网掩码' 2 1 '255.255.255.0' 2 14 24 40 '网关' 3 1 '' 3 14 24 40 'DNS' 4 1 '9.9.9.9' 4 14 24 40")


NEW_PAGES = ("wuliu", "yinyue", "postbox", "smarthome")
TUNING3 |= {kind.name: kind for kind in (L3afpadZh, GnomeCalculator, QtLedger, PaintedChat, PaintedMap, Nano, DialogForm)}
TUNING3 |= {name: type(name, (Pointed, Page), {"name": name}) for name in NEW_PAGES}
