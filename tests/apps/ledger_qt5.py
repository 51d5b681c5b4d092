#!/usr/bin/python3
"""A household ledger in Qt 5: menus, a tool bar of pictures, accounts in a tree, entries in a table, a form in a dock."""
import sys

from PyQt5.QtCore import Qt
from PyQt5.QtWidgets import (QAction, QApplication, QCheckBox, QComboBox, QDialog, QDialogButtonBox, QDockWidget, QDoubleSpinBox, QFormLayout, QLabel, QLineEdit,
                             QMainWindow, QPushButton, QRadioButton, QStyle, QTableWidget, QTableWidgetItem, QTabWidget, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget)

ENTRIES = (("06-02", "超市", "日用", "-86.40"), ("06-03", "Salary", "收入", "9200.00"), ("06-05", "地铁充值", "交通", "-100.00"), ("06-09", "Cinema", "娱乐", "-78.00"), ("06-11", "电费", "住房", "-213.60"))
TOOLS = (("新建", QStyle.SP_FileIcon), ("打开", QStyle.SP_DirOpenIcon), ("保存", QStyle.SP_DialogSaveButton), ("删除", QStyle.SP_TrashIcon), ("刷新", QStyle.SP_BrowserReload))


def menus(window):
    for title, items in (("文件(&F)", ("新建账本", "打开…", "导出为 CSV", "退出")), ("Accounts(&A)", ("New account", "Close account", "Transfer…")), ("帮助(&H)", ("使用说明", "关于"))):
        menu = window.menuBar().addMenu(title)
        for item in items:
            menu.addAction(item).setEnabled(item != "Close account")


def tools(window):
    bar = window.addToolBar("工具")
    for name, picture in TOOLS:
        action = QAction(window.style().standardIcon(picture), name, window)
        action.setEnabled(name != "删除")
        bar.addAction(action)
    bar.addSeparator()
    field = QLineEdit()
    field.setPlaceholderText("搜索账目")
    field.setMaximumWidth(160)
    bar.addWidget(field)


def accounts():
    tree = QTreeWidget()
    tree.setHeaderLabels(["账户", "余额"])
    for group, members in (("银行卡", (("工商银行", "12,450"), ("Savings", "30,000"))), ("现金", (("钱包", "320"),)), ("Credit cards", (("Visa", "-1,208"),))):
        top = QTreeWidgetItem(tree, [group])
        for member in members:
            QTreeWidgetItem(top, list(member))
        top.setExpanded(group != "Credit cards")
    tree.setCurrentItem(tree.topLevelItem(0).child(1))
    return tree


def entries():
    table = QTableWidget(len(ENTRIES), 4)
    table.setHorizontalHeaderLabels(["日期", "说明", "类别", "金额"])
    for row, cells in enumerate(ENTRIES):
        for column, words in enumerate(cells):
            table.setItem(row, column, QTableWidgetItem(words))
    return table


def form(open_dialog):
    inside = QWidget()
    rows = QFormLayout(inside)
    amount, cleared, split = QDoubleSpinBox(), QCheckBox("已对账"), QCheckBox("拆分")
    cleared.setChecked(True)
    kind = QComboBox()
    kind.addItems(["日用", "交通", "住房", "娱乐"])
    more, add = QPushButton("More…"), QPushButton("记一笔")
    more.clicked.connect(open_dialog)
    spend, earn = QRadioButton("支出"), QRadioButton("收入")
    spend.setChecked(True)
    for row in (("说明", QLineEdit()), ("金额", amount), ("类别", kind), (spend, earn), (cleared, split), (more, add)):
        rows.addRow(*row)
    return inside


def details(window):
    dialog = QDialog(window)
    dialog.setWindowTitle("重复记账")
    rows = QFormLayout(dialog)
    every = QComboBox()
    every.addItems(["每月", "每周", "每年"])
    ends = QCheckBox("Ends after a year")
    buttons = QDialogButtonBox(QDialogButtonBox.Ok | QDialogButtonBox.Cancel | QDialogButtonBox.Reset)
    for row in (("频率", every), ("开始日期", QLineEdit("2025-07-01")), ("备注", QLineEdit())):
        rows.addRow(*row)
    rows.addRow(ends)
    rows.addRow(buttons)
    dialog.show()


def main():
    application = QApplication(sys.argv)
    window = QMainWindow()
    window.setWindowTitle("家庭账本")
    menus(window)
    tools(window)
    left, right = QDockWidget("账户列表"), QDockWidget("新账目")
    left.setWidget(accounts())
    right.setWidget(form(lambda: details(window)))
    window.addDockWidget(Qt.LeftDockWidgetArea, left)
    window.addDockWidget(Qt.RightDockWidgetArea, right)
    tabs = QTabWidget()
    tabs.addTab(entries(), "六月")
    for name in ("五月", "Year so far"):
        page = QWidget()
        QVBoxLayout(page).addWidget(QLabel("没有账目"))
        tabs.addTab(page, name)
    window.setCentralWidget(tabs)
    window.statusBar().showMessage("本月结余 8,722.00")
    window.resize(1050, 480)
    window.show()
    sys.exit(application.exec_())


if __name__ == "__main__":
    main()
