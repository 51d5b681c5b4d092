/* SPDX-License-Identifier: Apache-2.0 */
/* What the words of a description mean: kinds, numbers, states, colours, places, relations. */
#include "hand/locate/lexicon.h"

#include <string.h>

/* Words with '|' between them. Those of an earlier line win. */
static const struct {
    HfMeaning means;
    const char *words;
} lexicon[] = {
    {{HF_TERM_NAME, 0, FALSE},
     "one more|one less|one fewer|文本文件|纯文本|往上的|往下的|往左的|往右的|朝上的|朝下的|full "
     "screen|full-screen|chain "
     "link|page number|page numbers|page arrow|插入图片|全屏|text "
     "message|table of contents|check mark|search bar icon"},
    {{HF_TERM_KIND, HF_KIND_BUTTON, FALSE},
     "button|buttons|push button|toggle button|toggle "
     "buttons|切换按钮|btn|key|按钮|按键|按键盘|键|钮"},
    {{HF_TERM_KIND, HF_KIND_CHIP, FALSE}, "chip|chips|pill|筛选标签|胶囊按钮"},
    {{HF_TERM_KIND, HF_KIND_CARD, FALSE}, "card|cards|tile|卡片|那张卡片|这张卡片|那张卡|一张卡片"},
    {{HF_TERM_KIND, HF_KIND_NAVIGATION, FALSE},
     "navigation bar|nav bar|navbar|navigation|navigation menu|导航栏|导航|导航条|导航菜单"},
    {{HF_TERM_KIND, HF_KIND_POPUP, FALSE},
     "popup menu|pop-up menu|context menu|right-click menu|dropdown menu that is open|弹出菜单|"
     "右键菜单|快捷菜单|弹出的菜单|上下文菜单"},
    {{HF_TERM_KIND, HF_KIND_FIELD, FALSE},
     "where i type in|where i type|where you type|where to type|where i enter|where you "
     "enter|where to "
     "enter|where i write|where you write|place to type|place to enter|"
     "field|text field|input field|input|text box|textbox|input box|entry field|entry box|text "
     "entry|edit box|text "
     "input|输入框|文本框|编辑框|输入栏|文本输入框|输入区|填写框"},
    {{HF_TERM_KIND, HF_KIND_CHECKBOX, FALSE},
     "checkbox|check box|check button|tick box|tickbox|checkboxes|复选框|勾选框|多选框|复选"},
    {{HF_TERM_KIND, HF_KIND_RADIO, FALSE},
     "radio button|radio option|单选项|radio|radio box|option button|单选按钮|单选框|单选|单选钮"},
    {{HF_TERM_KIND, HF_KIND_SWITCH, FALSE}, "switch|toggle|toggle switch|开关|切换开关"},
    {{HF_TERM_KIND, HF_KIND_SLIDER, FALSE},
     "slider|scale|滑块|滑动条|滑条|滑杆|调节条|拖动条|拉条"},
    {{HF_TERM_KIND, HF_KIND_SPIN, FALSE},
     "spin box|spinbox|spin button|spinner|number field|stepper|微调框|数字框|数值框|计数器"},
    {{HF_TERM_KIND, HF_KIND_COMBO, FALSE},
     "combo box|combobox|combo|drop-down|drop down|dropdown|drop-down list|dropdown list|drop-down "
     "menu|dropdown menu|select "
     "box|selector|picker|下拉框|下拉列表|下拉菜单|下拉选择框|组合框|选择器|下拉"},
    {{HF_TERM_KIND, HF_KIND_LINK, FALSE}, "link|hyperlink|链接|超链接|连接"},
    {{HF_TERM_KIND, HF_KIND_TAB, FALSE}, "tab|tabs|page tab|标签页|选项卡|标签|页签"},
    {{HF_TERM_KIND, HF_KIND_TABS, FALSE},
     "tab bar|tab strip|row of tabs|tab row|set of tabs|group of tabs|notebook|那组标签|这组标签|"
     "标签栏|标签条|那排标签|一排标签"},
    {{HF_TERM_KIND, HF_KIND_MENU, FALSE}, "menu|菜单"},
    {{HF_TERM_KIND, HF_KIND_MENU_ITEM, FALSE}, "menu item|menu entry|menu option|菜单项|菜单选项"},
    {{HF_TERM_KIND, HF_KIND_MENU_BAR, FALSE}, "menu bar|menubar|菜单栏"},
    {{HF_TERM_KIND, HF_KIND_LIST, FALSE}, "list|listbox|list box|列表|列表框|清单"},
    {{HF_TERM_KIND, HF_KIND_ITEM, FALSE},
     "item|entry|option|list item|list "
     "entry|element|choice|line|选项|条目|列表项|项目|一项|项|那一项|那项|这一项|一条"},
    {{HF_TERM_KIND, HF_KIND_TABLE, FALSE}, "table|grid|表格|表"},
    {{HF_TERM_KIND, HF_KIND_ROW, FALSE}, "row|行|一行|一排|那一排"},
    {{HF_TERM_KIND, HF_KIND_COLUMN, FALSE}, "column|列|一列"},
    {{HF_TERM_KIND, HF_KIND_CELL, FALSE}, "cell|单元格|格子|格"},
    {{HF_TERM_KIND, HF_KIND_HEADER, FALSE},
     "column header|header|table header|header cell|column "
     "heading|表头|列的表头|列的标题|列标题|列头"},
    {{HF_TERM_KIND, HF_KIND_TREE, FALSE}, "tree|tree view|树|树形列表"},
    {{HF_TERM_KIND, HF_KIND_ICON, FALSE},
     "icon|image|picture|logo|symbol|图标|图片|图像|标志|小图标"},
    {{HF_TERM_KIND, HF_KIND_LABEL, FALSE},
     "label|text|line of text|text "
     "line|caption|那句话|一句话|那句提示|一行字|那一行字|那行字|一段文字|那段文字|文字|文本|字样|"
     "标识"},
    {{HF_TERM_KIND, HF_KIND_HEADING, FALSE}, "heading|title|headline|标题|大标题"},
    {{HF_TERM_KIND, HF_KIND_WINDOW, FALSE}, "window|窗口|视窗"},
    {{HF_TERM_KIND, HF_KIND_DIALOG, FALSE},
     "dialog|dialogue|dialog box|popup|pop-up|popup window|modal|message "
     "box|对话框|弹窗|弹出框|弹框|提示框|消息框"},
    {{HF_TERM_KIND, HF_KIND_TOOL_BAR, FALSE},
     "toolbar|tool bar|tool column|tool strip|工具栏|工具条"},
    {{HF_TERM_KIND, HF_KIND_STATUS_BAR, FALSE}, "status bar|statusbar|状态栏|状态条"},
    {{HF_TERM_KIND, HF_KIND_TITLE_BAR, FALSE}, "title bar|titlebar|header bar|headerbar|标题栏"},
    {{HF_TERM_KIND, HF_KIND_SCROLL_BAR, FALSE}, "scroll bar|scrollbar|滚动条"},
    {{HF_TERM_KIND, HF_KIND_PROGRESS, FALSE}, "progress bar|progressbar|进度条"},
    {{HF_TERM_KIND, HF_KIND_EDITOR, FALSE},
     "text area|textarea|editor|typing area|scrolling text|scrollable "
     "text|可以滚动的文字|可滚动的文字|滚动的文字|area where the text is typed|area where you "
     "type|可以打字的区域|打字区|打字的区域|可以输入文字的区域|打字的地方|写字的地方|"
     "输入文字的地方|text view|edit area|editing area|main text "
     "area|document "
     "area|文本区|文本区域|编辑区|编辑区域|文本编辑区|正文|编辑器|文本编辑器|多行文本框"},
    {{HF_TERM_KIND, HF_KIND_PANEL, FALSE},
     "panel|section|那一节|这一节|一节|一栏|那一栏|这一栏|group|pane|form|area|frame|"
     "区域|面板|分组|栏目|部分|表单|窗格"},
    {{HF_TERM_KIND, HF_KIND_SIDE_BAR, FALSE},
     "sidebar|side bar|side pane|left menu|left-hand menu|menu on the "
     "left|左边菜单|侧边菜单|左边栏|侧栏|侧边栏|左侧栏|右侧栏|side menu|左侧菜单"},
    {{HF_TERM_KIND, HF_KIND_BOX, FALSE}, "box|框|选择框|选框|方框|小方框|方格"},
    {{HF_TERM_KIND, HF_KIND_BAR, FALSE}, "bar|栏|条"},
    {{HF_TERM_KIND, HF_KIND_SCREEN, FALSE}, "screen|desktop|屏幕|桌面"},
    {{HF_TERM_KIND, HF_KIND_PAGE, FALSE}, "page|web page|webpage|网页|页面|页"},
    {{HF_TERM_KIND, HF_KIND_DISPLAY, FALSE},
     "display|display area|readout|value|显示屏|显示区|显示框|数值|的值"},
    {{HF_TERM_FILLER, 0, FALSE},
     "the|a|an|this|that|these|those|please|click on|click|press|tap on|tap|locate|which is|that "
     "is|that's|who is|called|named|labelled|labeled|titled|that says|saying|with the text|with "
     "text|with the label|with label|with the "
     "name|marked|one|ones|very|far|there|is|are|showing|with "
     "a|点击|单击|点一下|那个|这个|一个|名为|名叫|叫做|"
     "叫|"
     "写着|带有|带着|带|唯一的|唯一|那张|那段|那块|用来|用于|长长的|大大的|小小的|的地方|黑色的|"
     "黑色|白色的|白色|白字的|"
     "白字|黑字的|"
     "黑字|两个|三个|四个|五个|六个|标着|标有|标签为|显示为|是|我要|找到|找|的那个|在|位于|处于"},
    {{HF_TERM_FILLER, 0, FALSE}, "给|把|帮我"},
    {{HF_TERM_FILLER, 0, FALSE},
     "from the top|from top|from the left|from left|counting from the top|counting from the left|"
     "从上往下数|从上往下|从上到下|从上数|从上面数|从左往右数|从左往右|从左到右|从左数|从左边数|"
     "左起|左数"},
    {{HF_TERM_BACK, 0, FALSE},
     "from the bottom|from bottom|from the right|from right|from the end|counting from the "
     "bottom|从下往上数|从下往上|从下到上|从下数|从下面数|从右往左数|从右往左|从右到左|从右数|"
     "从右边数|右起|右数"},
    {{HF_TERM_NTH, 1, FALSE}, "first|首个|头一个|1st"},
    {{HF_TERM_NTH, 2, FALSE}, "second|2nd"},
    {{HF_TERM_NTH, 3, FALSE}, "third|3rd"},
    {{HF_TERM_NTH, 4, FALSE}, "fourth"},
    {{HF_TERM_NTH, 5, FALSE}, "fifth"},
    {{HF_TERM_NTH, 6, FALSE}, "sixth"},
    {{HF_TERM_NTH, 7, FALSE}, "seventh"},
    {{HF_TERM_NTH, 8, FALSE}, "eighth"},
    {{HF_TERM_NTH, 9, FALSE}, "ninth"},
    {{HF_TERM_NTH, 10, FALSE}, "tenth"},
    {{HF_TERM_NTH, -1, FALSE}, "last|final|最后一个|最后的|最后|最末|last one|倒数第一个"},
    {{HF_TERM_NTH, -2, FALSE},
     "second to last|second last|last but one|penultimate|next to last|倒数第二个|倒数第二"},
    {{HF_TERM_NTH, -3, FALSE}, "third to last|third last|倒数第三个|倒数第三"},
    {{HF_TERM_IS, HF_IS_TICKED, FALSE},
     "checked|ticked|打上勾的|打上勾|已经打上勾的|已经勾选的|打了勾的|"
     "已经勾上的|勾上|already checked|勾选的|勾选|已勾选|已勾选的|"
     "勾上的|打勾的|打勾|打了勾|已打勾"},
    {{HF_TERM_IS, HF_IS_CHECKED, FALSE},
     "pressed in|pushed in|we are on|we are in|in use|that is chosen|现在打开着的|"
     "打开着的|打开着|现在开着的|正打开着的|that is open now|"
     "that is chosen now|chosen now|open now|currently open|选上的|选上|"
     "已经选上的|已经选中的|现在打开的|现在选中的|现在选的|"
     "正在显示的|按下去的|按下去了的|按下去了|按下去|按下的|"
     "被按下的|当前所在的|我们所在的|现在所在的|现在的|正在用的|"
     "highlighted|pressed|marked as current|current|active|当前|高亮的|高亮|"
     "当前选中的|当前打开的|selected|turned on|switched on|activated|chosen|"
     "currently selected|that is on|选中的|选中|已选中|已选|打开的|已打开|"
     "开着的|已开启|开启的|当前选中|激活的|被选中"},
    {{HF_TERM_IS, HF_IS_UNCHECKED, FALSE},
     "that isn't ticked|isn't ticked|that is not ticked|that isn't checked|isn't checked|that is "
     "not "
     "checked|that isn't selected|isn't selected|not turned on|that isn't pressed in|isn't pressed "
     "in|that isn't pressed|isn't pressed|not pressed in|unchecked|unticked|unselected|not "
     "checked|not selected|not ticked|turned off|switched "
     "off|没打开的|没有打开的|未打开的|没开着的|还没打勾的|还没打勾|还没勾的|还没勾选的|还没选的|"
     "没选上的|没选上|没打上勾的|没打上勾|没按下的|没有按下的|not "
     "pressed|没勾上的|没勾上|没选的|关闭的|关着|没开的|deselected|that is "
     "off|未选中|未选中的|未勾选|未勾选的|没勾选|没有勾选|没选中|没有选中|未选|没打勾|没有打勾|"
     "没勾|关着的|未开启|已关闭的|未打勾|没有被选中|未被选中"},
    {{HF_TERM_IS, HF_IS_ENABLED, FALSE},
     "enabled|clickable|available|usable|that can still be clicked|that can be clicked|that can "
     "still be "
     "used|that can be used|not greyed out|not grey|not gray|not "
     "disabled|可用的|可用|可点击的|可以点击的|"
     "可以点的|能点的|还能点的|还可以点的|能用的|可以用的|还能用的|没有变灰的|没变灰的|没灰掉的|"
     "不是灰色的|没有被禁用的"},
    {{HF_TERM_IS, HF_IS_DISABLED, FALSE},
     "that can't be pressed|can't be pressed|cannot be pressed|that cannot be "
     "pressed|不能按的|按不动的|that can't be clicked|can't be clicked|that cannot be "
     "clicked|cannot be clicked|that can't "
     "be "
     "used|can't be used|not clickable|点不了的|现在点不了的|点不动的|按不了的|用不了的|不让点的|"
     "disabled|greyed out|grayed "
     "out|greyed|grayed|greyed-out|grayed-out|inactive|unavailable|dimmed|grey|gray|not "
     "enabled|灰色的|灰色|灰掉的|置灰的|置灰|变灰的|变灰|禁用的|禁用|被禁用的|被禁用|不可用的|"
     "不可用|不能点的|不可点击的|灰的|已禁用"},
    {{HF_TERM_IS, HF_IS_FOCUSED, FALSE},
     "有光标的|光标在的|正在输入的|"
     "focused|has focus|with focus|with the focus|having "
     "focus|有焦点的|获得焦点的|聚焦的|有焦点|焦点所在的|光标所在的"},
    {{HF_TERM_IS, HF_IS_EXPANDED, FALSE}, "expanded|unfolded|展开的|已展开的|已展开"},
    {{HF_TERM_IS, HF_IS_COLLAPSED, FALSE}, "collapsed|folded|折叠的|收起的|已折叠的"},
    {{HF_TERM_IS, HF_IS_EMPTY, FALSE},
     "还没填的|还没填|没填的|未填写的|未填的|没有填的|not filled "
     "in|unfilled|empty|blank|空的|空白的|空白|空"},
    {{HF_TERM_IS, HF_IS_WORDLESS, FALSE},
     "without words|without text|without any text|without a label|with no text|with no "
     "label|unlabelled|unlabeled|nameless|没有文字的|没有文字|不带文字的|无文字的|没有字的|没字的"},
    {{HF_TERM_IS, HF_IS_UPRIGHT, FALSE},
     "vertical|upright|竖直的|竖直|垂直的|垂直|竖向的|竖向|纵向的|纵向|竖着的|竖着|竖的"},
    {{HF_TERM_IS, HF_IS_LEVEL, FALSE}, "horizontal|水平的|水平|横向的|横向|横着的|横着|横的"},
    {{HF_TERM_COLOUR, HF_COLOUR_RED, FALSE}, "red|红色的|红色|红的|红底的|红底"},
    {{HF_TERM_COLOUR, HF_COLOUR_ORANGE, FALSE},
     "orange|橙色的|橙色|橘色的|橘色|橘黄色的|橙底的|橙底"},
    {{HF_TERM_COLOUR, HF_COLOUR_YELLOW, FALSE},
     "yellow|golden|黄色的|黄色|金色的|金色|黄底的|黄底"},
    {{HF_TERM_COLOUR, HF_COLOUR_GREEN, FALSE}, "green|绿色的|绿色|绿的|绿底的|绿底"},
    {{HF_TERM_COLOUR, HF_COLOUR_BLUE, FALSE}, "blue|蓝色的|蓝色|蓝的|蓝底的|蓝底"},
    {{HF_TERM_COLOUR, HF_COLOUR_PURPLE, FALSE}, "purple|violet|紫色的|紫色|紫底的|紫底"},
    {{HF_TERM_COLOUR, HF_COLOUR_PINK, FALSE}, "pink|粉色的|粉色|粉红色的|粉红色|粉底的|粉底"},
    {{HF_TERM_SPOT, HF_SPOT_LEFT, FALSE},
     "left|far left|very left|靠左的|靠左|开头|最前面|leftmost|left-hand|left "
     "hand|最左边|最左侧|最左面|最左|左端|左边缘"},
    {{HF_TERM_SPOT, HF_SPOT_RIGHT, FALSE},
     "right|far right|very right|at the end|at the very end|at its "
     "end|靠右的|靠右|末尾|最后面|rightmost|right-hand|right "
     "hand|最右边|最右侧|最右面|最右|右端|右边缘"},
    {{HF_TERM_SPOT, HF_SPOT_TOP, FALSE},
     "top|very "
     "top|upper|topmost|uppermost|顶部|顶端|顶上|最上面|最上方|最上边|最顶部|最上端|上端|上部|"
     "最顶上|最上|顶"},
    {{HF_TERM_SPOT, HF_SPOT_BOTTOM, FALSE},
     "bottom|very "
     "bottom|lower|bottommost|lowest|lowermost|底部|底端|最下面|最下方|最下边|最底部|最下端|下端|"
     "下部|最底下|最下|底"},
    {{HF_TERM_SPOT, HF_SPOT_MIDDLE, FALSE},
     "middle|center|centre|central|中间|中央|正中|正中间|正中央|中部|中心"},
    {{HF_TERM_SPOT, HF_SPOT_RIGHT | HF_SPOT_TOP, FALSE}, "右上角|右上方|右上侧|右上边|右上部|右上"},
    {{HF_TERM_SPOT, HF_SPOT_RIGHT | HF_SPOT_BOTTOM, FALSE},
     "右下角|右下方|右下侧|右下边|右下部|右下"},
    {{HF_TERM_SPOT, HF_SPOT_LEFT | HF_SPOT_TOP, FALSE}, "左上角|左上方|左上侧|左上边|左上部|左上"},
    {{HF_TERM_SPOT, HF_SPOT_LEFT | HF_SPOT_BOTTOM, FALSE},
     "左下角|左下方|左下侧|左下边|左下部|左下"},
    {{HF_TERM_PART, 0, FALSE},
     "corner|side|edge|end|part|half|region|hand side|角|角落|一侧|一边|位置|处"},
    {{HF_TERM_TIE, HF_TIE_NOT, FALSE},
     ", not|, but not|but not|rather than|instead of|，不是|, 不是|,不是|而不是|不是"},
    {{HF_TERM_TIE, HF_TIE_LEFT, TRUE}, "'s left neighbour|'s left neighbor|’s left neighbour"},
    {{HF_TERM_TIE, HF_TIE_RIGHT, TRUE}, "'s right neighbour|'s right neighbor|’s right neighbour"},
    {{HF_TERM_TIE, HF_TIE_LEFT, FALSE}, "left neighbour of|left neighbor of|neighbour left of"},
    {{HF_TERM_TIE, HF_TIE_RIGHT, FALSE}, "right neighbour of|right neighbor of|neighbour right of"},
    {{HF_TERM_TIE, HF_TIE_RIGHT, FALSE},
     "right of|to the right of|on the right of|at the right of|to the right-hand side "
     "of|immediately right of|just right of|to the right side of|after"},
    {{HF_TERM_TIE, HF_TIE_LEFT, FALSE},
     "left of|in front of|to the left of|on the left of|at the left of|immediately left of|just "
     "left of|to the "
     "left side of|before"},
    {{HF_TERM_TIE, HF_TIE_ABOVE, FALSE},
     "above|over|right above|on top of|higher than|just above|directly above"},
    {{HF_TERM_TIE, HF_TIE_BELOW, FALSE},
     "below|under|beneath|underneath|lower than|just below|directly below|right below|right under"},
    {{HF_TERM_TIE, HF_TIE_BESIDE, FALSE},
     "next to|beside|near|close to|adjacent to|alongside|by|nearest to|near to|besides|belonging "
     "to|associated with"},
    {{HF_TERM_TIE, HF_TIE_BETWEEN, FALSE}, "between|in between|in the middle of"},
    {{HF_TERM_TIE, HF_TIE_IN, FALSE}, "in|inside|within|on|from|inside of|belonging in"},
    {{HF_TERM_TIE, HF_TIE_ROW, FALSE},
     "in the row of|for|in the row with|in the row that starts with|in the row starting with|in "
     "the row "
     "that begins with|in the row beginning with|in the line that starts with|in the same row "
     "as|in the row for|in row of|on the row "
     "of|on "
     "the row with|in the line of|on the line of|in the same line as|on the same line as|in the "
     "line with|on the line with|on the same row as|in the row that contains|in the row "
     "containing|in the row that says|in the entry of|for the row of"},
    {{HF_TERM_TIE, HF_TIE_COLUMN, FALSE}, "in the column of|in the same column as|in column"},
    {{HF_TERM_TIE, HF_TIE_RIGHT, TRUE},
     "右边|右侧|右面|右方|右手边|右边紧挨着|的右边|的右侧|的右面|后面|之后"},
    {{HF_TERM_TIE, HF_TIE_LEFT, TRUE}, "左边|左侧|左面|左方|左手边|的左边|的左侧|的左面|前面|之前"},
    {{HF_TERM_TIE, HF_TIE_ABOVE, TRUE},
     "正上方|正上面|上面|上方|上边|上头|的上面|的上方|的上边|之上"},
    {{HF_TERM_TIE, HF_TIE_BELOW, TRUE},
     "正下方|正下面|下面|下方|下边|底下|的下面|的下方|的下边|之下|下头"},
    {{HF_TERM_TIE, HF_TIE_BESIDE, TRUE},
     "旁边|旁|边上|附近|隔壁|一旁|的旁边|的附近|临近|后边|对应的|对应"},
    {{HF_TERM_TIE, HF_TIE_BETWEEN, TRUE}, "之间|的中间|当中间"},
    {{HF_TERM_TIE, HF_TIE_IN, TRUE}, "里|里面|里边|里头|当中|之中|中|内|之内|内部|的里面|上的"},
    {{HF_TERM_TIE, HF_TIE_ROW, TRUE},
     "那一行里|那行里|这一行里|这行里|那一行里面|那行前面|那一行前面|那行开头|那一行开头|"
     "那行最前面|那一行最前面|那行后面|那一行后面|"
     "那天|那一天|当天|那单|那一单|这一单|那封|那一封|那封邮件|那封信|那份|那一份|那份文件|那笔|"
     "那一笔|那条消息|"
     "那条记录|"
     "那首|那首歌|那一首|那个文件|那个联系人|那位|那一位|那件|那件商品|那台|那个任务|那个人|"
     "那个用户|"
     "那一行|这一行|所在行|所在的行|所在的那一行|同一行|那行|这行|那一条|那条|该行|"
     "所在的一行"},
    {{HF_TERM_TIE, HF_TIE_COLUMN, TRUE}, "那一列|这一列|所在列|所在的列|同一列|那列"},
    {{HF_TERM_TIE, HF_TIE_OF, TRUE}, ": its|, its|; its|：它的|，它的|,它的"},
    {{HF_TERM_OF, 0, FALSE}, "of"},
    {{HF_TERM_OF, 0, TRUE}, "的|'s|’s|之"},
    {{HF_TERM_AND, 0, FALSE}, "and|和|与|跟|及|以及|&"},
};

static GHashTable *make_table(void)
{
    GHashTable *table = g_hash_table_new(g_str_hash, g_str_equal);
    for (gsize i = 0; i < G_N_ELEMENTS(lexicon); i++) {
        g_auto(GStrv) words = g_strsplit(lexicon[i].words, "|", -1);
        for (char **word = words; *word; word++)
            if (!g_hash_table_contains(table, *word))
                g_hash_table_insert(table, g_strdup(*word), GSIZE_TO_POINTER(i + 1));
    }
    return table;
}

/* "the two switches": what it is of each. From 1 on; 0: it is none. */
static gsize look_up_plural(GHashTable *table, char *word)
{
    for (int ending = 1; ending <= 2; ending++) {
        gsize length = strlen(word);
        if (length < 4 || !g_str_has_suffix(word, ending == 1 ? "s" : "e"))
            return 0;
        word[length - 1] = '\0';
        gsize found = GPOINTER_TO_SIZE(g_hash_table_lookup(table, word));
        if (found && lexicon[found - 1].means.kind == HF_TERM_KIND)
            return found;
    }
    return 0;
}

const HfMeaning *hf_lexicon_find(const char *begin, const char *end)
{
    static gsize table;
    if (g_once_init_enter(&table))
        g_once_init_leave(&table, (gsize)make_table());
    g_autofree char *word = g_strndup(begin, (gsize)(end - begin));
    gsize found = GPOINTER_TO_SIZE(g_hash_table_lookup((GHashTable *)table, word));
    if (!found)
        found = look_up_plural((GHashTable *)table, word);
    return found ? &lexicon[found - 1].means : NULL;
}
