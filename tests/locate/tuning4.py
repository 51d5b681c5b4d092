"""Programs of the fourth set to tune on: two panels of files, a folder in Chinese and two lists with boxes to tick. The widget
factories of GTK are those of the catalogue."""
import os

from PIL import Image

from applications import CHINESE, PcManFmZh, Terminal
from tuning import Lone, zenity

# The days of files are always the same, so that one of them is the newest: 2024-03-01 and so many days later.
FIRST_DAY, DAY = 1709294400, 86400


def fill_folder(folder, files):
    """Files as NAME: (bytes, days after the first)."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, (size, days) in files.items():
        path = folder / name
        path.write_bytes(b"\n" * size)
        set_day(path, days)


def set_day(path, days):
    os.utime(path, (FIRST_DAY + days * DAY,) * 2)


class McPanels(Terminal):
    """Midnight Commander with another folder in each panel."""
    name, expected, columns, rows = "mc-panels", "invoice.pdf", 100, 28
    line = "mc --nomouse work archive"
    work = {"invoice.pdf": (48211, 40), "letter.odt": (9120, 12), "menu.txt": (310, 3), "setup.sh": (877, 75), "演讲稿.txt": (2048, 31)}
    archive = {"2022.tar.gz": (90233, 1), "2023.tar.gz": (120418, 2), "index.html": (4096, 55), "旧照片.zip": (77120, 9)}

    def prepare(self):
        super().prepare()
        for name, files, inner in (("work", self.work, ("drafts", "图片")), ("archive", self.archive, ("mails",))):
            for index, each in enumerate(inner):
                (self.folder / "files" / name / each).mkdir(parents=True)
                set_day(self.folder / "files" / name / each, 5 + index)
            fill_folder(self.folder / "files" / name, files)
        (self.folder / "files" / "work" / "setup.sh").chmod(0o755)


class PcManFmFolderZh(PcManFmZh):
    """A folder with files of several kinds."""
    name, title = "pcmanfm-folder-zh", "资料"
    files = {"会议记录.txt": (1800, 20), "预算表.ods": (15360, 62), "合同.pdf": (204800, 8), "备份.zip": (524288, 33), "主题曲.mp3": (3145728, 15),
             "整理.py": (640, 47), "网页.html": (2600, 2)}
    inner = {"照片": 5, "音乐": 26, "旧文件": 1}

    def prepare(self):
        log = self.folder.with_suffix(".log")
        self.folder = self.folder / self.title
        fill_folder(self.folder, self.files)
        Image.new("RGB", (320, 200), (30, 120, 220)).save(self.folder / "海边.png")
        set_day(self.folder / "海边.png", 29)
        for name, days in self.inner.items():
            (self.folder / name).mkdir()
            set_day(self.folder / name, days)
        self.log = log


LISTS = [zenity("packages", "--list", "--checklist", "--title=Optional packages", "--text=Choose what to install", "--column=Install", "--column=Package",
                "--column=Version", "--column=Size", "TRUE", "gimp", "2.10.34", "92 MB", "FALSE", "inkscape", "1.2.2", "130 MB", "TRUE", "audacity", "3.2.4", "28 MB",
                "FALSE", "blender", "3.4.1", "310 MB", "FALSE", "scribus", "1.5.8", "64 MB", "TRUE", "vlc", "3.0.20", "41 MB", "--ok-label=Install",
                "--cancel-label=Skip", "--extra-button=Details", "--width=520", "--height=380"),
         zenity("trains", "--list", "--checklist", "--title=车票查询结果", "--text=北京南到上海虹桥，请勾选要预订的车次", "--column=预订", "--column=车次",
                "--column=发车", "--column=到达", "--column=二等座", "--column=余票", "FALSE", "G1", "07:00", "11:29", "673 元", "有", "FALSE", "G5", "08:15", "12:40",
                "662 元", "3 张", "TRUE", "G17", "10:00", "14:28", "673 元", "有", "FALSE", "D717", "13:05", "19:11", "410 元", "无", "FALSE", "G21", "17:00",
                "21:18", "667 元", "12 张", "--ok-label=下单", "--extra-button=刷新", "--width=600", "--height=340", environment=CHINESE)]
TUNING4 = {facts["name"]: type("Lone_" + facts["name"].replace("-", "_"), (Lone,), facts) for facts in LISTS}
TUNING4 |= {kind.name: kind for kind in (McPanels, PcManFmFolderZh)}
