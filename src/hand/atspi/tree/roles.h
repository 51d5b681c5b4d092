/* SPDX-License-Identifier: Apache-2.0 */
/* The roles of elements. The numbers are those of the accessibility bus; the names are ours: one
 * for each, in lower case with dashes, and words that stand for several ("field"). */
#pragma once

#include <glib.h>

/* Those that the code uses; the rest have names only. */
enum {
    HF_ROLE_INVALID = 0,
    HF_ROLE_CHECK_BOX = 7,
    HF_ROLE_CHECK_MENU_ITEM = 8,
    HF_ROLE_COMBO_BOX = 11,
    HF_ROLE_DIALOG = 16,
    HF_ROLE_FILLER = 20,
    HF_ROLE_FRAME = 23,
    HF_ROLE_ICON = 26,
    HF_ROLE_IMAGE = 27,
    HF_ROLE_LABEL = 29,
    HF_ROLE_LIST = 31,
    HF_ROLE_LIST_ITEM = 32,
    HF_ROLE_MENU = 33,
    HF_ROLE_MENU_BAR = 34,
    HF_ROLE_MENU_ITEM = 35,
    HF_ROLE_PAGE_TAB = 37,
    HF_ROLE_PAGE_TAB_LIST = 38,
    HF_ROLE_PANEL = 39,
    HF_ROLE_PASSWORD_TEXT = 40,
    HF_ROLE_POPUP_MENU = 41,
    HF_ROLE_BUTTON = 43,
    HF_ROLE_RADIO_BUTTON = 44,
    HF_ROLE_RADIO_MENU_ITEM = 45,
    HF_ROLE_ROOT_PANE = 46,
    HF_ROLE_SCROLL_BAR = 48,
    HF_ROLE_SCROLL_PANE = 49,
    HF_ROLE_SEPARATOR = 50,
    HF_ROLE_SLIDER = 51,
    HF_ROLE_SPIN_BUTTON = 52,
    HF_ROLE_STATUS_BAR = 54,
    HF_ROLE_TABLE = 55,
    HF_ROLE_TABLE_CELL = 56,
    HF_ROLE_TEAROFF_MENU_ITEM = 59,
    HF_ROLE_TERMINAL = 60,
    HF_ROLE_TEXT = 61,
    HF_ROLE_TOGGLE_BUTTON = 62,
    HF_ROLE_TOOL_BAR = 63,
    HF_ROLE_TOOL_TIP = 64,
    HF_ROLE_TREE = 65,
    HF_ROLE_TREE_TABLE = 66,
    HF_ROLE_UNKNOWN = 67,
    HF_ROLE_VIEWPORT = 68,
    HF_ROLE_WINDOW = 69,
    HF_ROLE_PARAGRAPH = 73,
    HF_ROLE_APPLICATION = 75,
    HF_ROLE_ENTRY = 79,
    HF_ROLE_DOCUMENT_FRAME = 82,
    HF_ROLE_HEADING = 83,
    HF_ROLE_SECTION = 85,
    HF_ROLE_REDUNDANT_OBJECT = 86,
    HF_ROLE_LINK = 88,
    HF_ROLE_TABLE_ROW = 90,
    HF_ROLE_TREE_ITEM = 91,
    HF_ROLE_DOCUMENT_WEB = 95,
    HF_ROLE_LIST_BOX = 98,
    HF_ROLE_GROUPING = 99,
    HF_ROLE_STATIC = 116,
    HF_ROLE_PUSH_BUTTON_MENU = 129,
    HF_ROLE_SWITCH = 130,
    HF_ROLE_COUNT,
};

/* "button", "check-box"; "unknown" for a number without a name. */
const char *hf_node_role_name(int role);
/* -1 when no role has this name. */
int hf_node_role_from_name(const char *name);
/* Whether a caller's word ("field", "checkbox", "push button", "window", "按钮") stands for this
 * role; FALSE for an unknown word. */
gboolean hf_node_role_is(int role, const char *word);
/* Whether the word stands for any role. */
gboolean hf_node_role_known(const char *word);

/* Labels, paragraphs, headings. */
gboolean hf_node_is_label(int role);
/* Labels, and cells: nothing but text. */
gboolean hf_node_shows_text(int role);
/* Whether people call such an element by the label beside it, or by the text inside it. */
gboolean hf_node_takes_label(int role);
gboolean hf_node_known_by_content(int role);
