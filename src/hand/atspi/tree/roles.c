/* SPDX-License-Identifier: Apache-2.0 */
/* The names of roles, and the words that people and models use for them. */
#include "hand/atspi/tree/roles.h"

#include <string.h>

static const char *const names[HF_ROLE_COUNT] = {
    [0] = "invalid",
    [1] = "accelerator-label",
    [2] = "alert",
    [3] = "animation",
    [4] = "arrow",
    [5] = "calendar",
    [6] = "canvas",
    [7] = "check-box",
    [8] = "check-menu-item",
    [9] = "color-chooser",
    [10] = "column-header",
    [11] = "combo-box",
    [12] = "date-editor",
    [13] = "desktop-icon",
    [14] = "desktop-frame",
    [15] = "dial",
    [16] = "dialog",
    [17] = "directory-pane",
    [18] = "drawing-area",
    [19] = "file-chooser",
    [20] = "filler",
    [21] = "focus-traversable",
    [22] = "font-chooser",
    [23] = "frame",
    [24] = "glass-pane",
    [25] = "html-container",
    [26] = "icon",
    [27] = "image",
    [28] = "internal-frame",
    [29] = "label",
    [30] = "layered-pane",
    [31] = "list",
    [32] = "list-item",
    [33] = "menu",
    [34] = "menu-bar",
    [35] = "menu-item",
    [36] = "option-pane",
    [37] = "page-tab",
    [38] = "page-tab-list",
    [39] = "panel",
    [40] = "password-text",
    [41] = "popup-menu",
    [42] = "progress-bar",
    [43] = "button",
    [44] = "radio-button",
    [45] = "radio-menu-item",
    [46] = "root-pane",
    [47] = "row-header",
    [48] = "scroll-bar",
    [49] = "scroll-pane",
    [50] = "separator",
    [51] = "slider",
    [52] = "spin-button",
    [53] = "split-pane",
    [54] = "status-bar",
    [55] = "table",
    [56] = "table-cell",
    [57] = "table-column-header",
    [58] = "table-row-header",
    [59] = "tearoff-menu-item",
    [60] = "terminal",
    [61] = "text",
    [62] = "toggle-button",
    [63] = "tool-bar",
    [64] = "tool-tip",
    [65] = "tree",
    [66] = "tree-table",
    [67] = "unknown",
    [68] = "viewport",
    [69] = "window",
    [70] = "extended",
    [71] = "header",
    [72] = "footer",
    [73] = "paragraph",
    [74] = "ruler",
    [75] = "application",
    [76] = "autocomplete",
    [77] = "editbar",
    [78] = "embedded",
    [79] = "entry",
    [80] = "chart",
    [81] = "caption",
    [82] = "document-frame",
    [83] = "heading",
    [84] = "page",
    [85] = "section",
    [86] = "redundant-object",
    [87] = "form",
    [88] = "link",
    [89] = "input-method-window",
    [90] = "table-row",
    [91] = "tree-item",
    [92] = "document-spreadsheet",
    [93] = "document-presentation",
    [94] = "document-text",
    [95] = "document-web",
    [96] = "document-email",
    [97] = "comment",
    [98] = "list-box",
    [99] = "grouping",
    [100] = "image-map",
    [101] = "notification",
    [102] = "info-bar",
    [103] = "level-bar",
    [104] = "title-bar",
    [105] = "block-quote",
    [106] = "audio",
    [107] = "video",
    [108] = "definition",
    [109] = "article",
    [110] = "landmark",
    [111] = "log",
    [112] = "marquee",
    [113] = "math",
    [114] = "rating",
    [115] = "timer",
    [116] = "static",
    [117] = "math-fraction",
    [118] = "math-root",
    [119] = "subscript",
    [120] = "superscript",
    [121] = "description-list",
    [122] = "description-term",
    [123] = "description-value",
    [124] = "footnote",
    [125] = "content-deletion",
    [126] = "content-insertion",
    [127] = "mark",
    [128] = "suggestion",
    [129] = "menu-button",
    [130] = "switch",
};

/* A word and the role names that it stands for, with spaces around them. A word is lower-cased
 * first, and its spaces and underscores become dashes. */
static const struct {
    const char *word, *names;
} words[] = {
    {"field", " entry text password-text spin-button editbar autocomplete date-editor terminal "
              "document-text "},
    {"text-field", " entry text password-text "},
    {"input", " entry text password-text spin-button editbar autocomplete "},
    {"textbox", " entry text password-text editbar "},
    {"text-box", " entry text password-text editbar "},
    {"edit", " entry text password-text editbar "},
    {"password", " password-text "},
    {"push-button", " button "},
    {"button", " button toggle-button menu-button "},
    {"checkbox", " check-box check-menu-item switch "},
    {"check-box", " check-box switch "},
    {"checkable", " check-box check-menu-item radio-button radio-menu-item switch toggle-button "},
    {"radio", " radio-button radio-menu-item "},
    {"switch", " switch toggle-button "},
    {"toggle", " toggle-button switch check-box "},
    {"combo", " combo-box "},
    {"combobox", " combo-box "},
    {"dropdown", " combo-box menu-button "},
    {"select", " combo-box list-box list "},
    {"tab", " page-tab "},
    {"tabs", " page-tab-list "},
    {"item", " list-item menu-item tree-item table-cell check-menu-item radio-menu-item "},
    {"menu-item", " menu-item check-menu-item radio-menu-item tearoff-menu-item menu "},
    {"menuitem", " menu-item check-menu-item radio-menu-item menu "},
    {"menubar", " menu-bar "},
    {"list", " list list-box "},
    {"list-item", " list-item "},
    {"listitem", " list-item "},
    {"cell", " table-cell "},
    {"row", " table-row tree-item list-item "},
    {"table", " table tree-table "},
    {"tree", " tree tree-table "},
    {"header", " column-header table-column-header row-header table-row-header header "},
    {"text", " text label static paragraph entry heading "},
    {"static-text", " label static "},
    {"dialog", " dialog alert file-chooser color-chooser font-chooser "},
    {"window", " frame window dialog alert file-chooser color-chooser font-chooser "},
    {"img", " image icon "},
    {"picture", " image icon "},
    {"icon", " icon image desktop-icon "},
    {"hyperlink", " link "},
    {"document", " document-frame document-web document-text document-spreadsheet "
                 "document-presentation document-email "},
    {"page", " document-web document-frame page "},
    {"spinner", " spin-button "},
    {"scrollbar", " scroll-bar "},
    {"progress", " progress-bar level-bar "},
    {"toolbar", " tool-bar "},
    {"statusbar", " status-bar "},
    {"tooltip", " tool-tip "},
    {"group", " grouping panel "},
    {"按钮", " button toggle-button menu-button "},
    {"输入框", " entry text password-text spin-button "},
    {"文本框", " entry text password-text "},
    {"密码框", " password-text "},
    {"复选框", " check-box switch "},
    {"单选框", " radio-button "},
    {"单选按钮", " radio-button "},
    {"开关", " switch toggle-button "},
    {"下拉框", " combo-box "},
    {"列表", " list list-box "},
    {"列表项", " list-item "},
    {"菜单", " menu popup-menu "},
    {"菜单栏", " menu-bar "},
    {"菜单项", " menu-item check-menu-item radio-menu-item menu "},
    {"标签页", " page-tab "},
    {"选项卡", " page-tab "},
    {"标签", " label "},
    {"文字", " label static text paragraph "},
    {"链接", " link "},
    {"图片", " image icon "},
    {"图标", " icon image "},
    {"窗口", " frame window dialog "},
    {"对话框", " dialog alert file-chooser "},
    {"表格", " table tree-table "},
    {"单元格", " table-cell "},
    {"滑块", " slider "},
    {"进度条", " progress-bar level-bar "},
    {"滚动条", " scroll-bar "},
    {"工具栏", " tool-bar "},
    {"状态栏", " status-bar "},
    {"树", " tree tree-table "},
};

const char *hf_node_role_name(int role)
{
    const char *name = role >= 0 && role < HF_ROLE_COUNT ? names[role] : NULL;
    return name ? name : "unknown";
}

int hf_node_role_from_name(const char *name)
{
    for (int role = 0; role < HF_ROLE_COUNT; role++)
        if (names[role] && strcmp(names[role], name) == 0)
            return role;
    return -1;
}

static char *dup_normal(const char *word)
{
    return g_strdelimit(g_ascii_strdown(word, -1), " _", '-');
}

/* The role names that a word stands for; NULL for a plain role name, or an unknown word. */
static const char *find_meaning(const char *word)
{
    for (gsize i = 0; i < G_N_ELEMENTS(words); i++)
        if (strcmp(words[i].word, word) == 0)
            return words[i].names;
    return NULL;
}

gboolean hf_node_role_is(int role, const char *word)
{
    g_autofree char *normal = dup_normal(word);
    const char *meaning = find_meaning(normal);
    if (!meaning)
        return strcmp(hf_node_role_name(role), normal) == 0;
    g_autofree char *wanted = g_strconcat(" ", hf_node_role_name(role), " ", NULL);
    return strstr(meaning, wanted) != NULL;
}

gboolean hf_node_role_known(const char *word)
{
    g_autofree char *normal = dup_normal(word);
    return find_meaning(normal) || hf_node_role_from_name(normal) >= 0;
}

gboolean hf_node_is_label(int role)
{
    return role == HF_ROLE_LABEL || role == HF_ROLE_STATIC || role == HF_ROLE_PARAGRAPH ||
           role == HF_ROLE_HEADING;
}

gboolean hf_node_shows_text(int role)
{
    return hf_node_is_label(role) || role == HF_ROLE_TABLE_CELL;
}

gboolean hf_node_takes_label(int role)
{
    switch (role) {
    case HF_ROLE_ENTRY:
    case HF_ROLE_TEXT:
    case HF_ROLE_PASSWORD_TEXT:
    case HF_ROLE_SPIN_BUTTON:
    case HF_ROLE_COMBO_BOX:
    case HF_ROLE_SLIDER:
    case HF_ROLE_SWITCH:
    case HF_ROLE_CHECK_BOX:
        return TRUE;
    default:
        return FALSE;
    }
}

gboolean hf_node_known_by_content(int role)
{
    switch (role) {
    case HF_ROLE_LIST_ITEM:
    case HF_ROLE_TABLE_ROW:
    case HF_ROLE_TREE_ITEM:
    case HF_ROLE_TABLE_CELL:
    case HF_ROLE_BUTTON:
    case HF_ROLE_TOGGLE_BUTTON:
    case HF_ROLE_PUSH_BUTTON_MENU:
    case HF_ROLE_MENU_ITEM:
    case HF_ROLE_PAGE_TAB:
    case HF_ROLE_LINK:
    case HF_ROLE_COMBO_BOX:
        return TRUE;
    default:
        return FALSE;
    }
}
