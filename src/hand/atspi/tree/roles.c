/* SPDX-License-Identifier: Apache-2.0 */
/* The names of roles, and the words that people and models use for them. */
#include "hand/atspi/tree/roles.h"

#include <string.h>

/* In the order of the accessibility bus, ten to a block. */
static const char *const names[HF_ROLE_COUNT] = {
    /* 0 */
    "invalid", "accelerator-label", "alert", "animation", "arrow", "calendar", "canvas",
    "check-box", "check-menu-item", "color-chooser",
    /* 10 */
    "column-header", "combo-box", "date-editor", "desktop-icon", "desktop-frame", "dial", "dialog",
    "directory-pane", "drawing-area", "file-chooser",
    /* 20 */
    "filler", "focus-traversable", "font-chooser", "frame", "glass-pane", "html-container", "icon",
    "image", "internal-frame", "label",
    /* 30 */
    "layered-pane", "list", "list-item", "menu", "menu-bar", "menu-item", "option-pane", "page-tab",
    "page-tab-list", "panel",
    /* 40 */
    "password-text", "popup-menu", "progress-bar", "button", "radio-button", "radio-menu-item",
    "root-pane", "row-header", "scroll-bar", "scroll-pane",
    /* 50 */
    "separator", "slider", "spin-button", "split-pane", "status-bar", "table", "table-cell",
    "table-column-header", "table-row-header", "tearoff-menu-item",
    /* 60 */
    "terminal", "text", "toggle-button", "tool-bar", "tool-tip", "tree", "tree-table", "unknown",
    "viewport", "window",
    /* 70 */
    "extended", "header", "footer", "paragraph", "ruler", "application", "autocomplete", "editbar",
    "embedded", "entry",
    /* 80 */
    "chart", "caption", "document-frame", "heading", "page", "section", "redundant-object", "form",
    "link", "input-method-window",
    /* 90 */
    "table-row", "tree-item", "document-spreadsheet", "document-presentation", "document-text",
    "document-web", "document-email", "comment", "list-box", "grouping",
    /* 100 */
    "image-map", "notification", "info-bar", "level-bar", "title-bar", "block-quote", "audio",
    "video", "definition", "article",
    /* 110 */
    "landmark", "log", "marquee", "math", "rating", "timer", "static", "math-fraction", "math-root",
    "subscript",
    /* 120 */
    "superscript", "description-list", "description-term", "description-value", "footnote",
    "content-deletion", "content-insertion", "mark", "suggestion", "menu-button",
    /* 130 */
    "switch"};

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
