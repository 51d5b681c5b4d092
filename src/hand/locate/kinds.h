/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts of things as people tell them apart, and which roles of elements they mean by them. */
#pragma once

#include <glib.h>

typedef enum HfKind {
    HF_KIND_ANY,
    HF_KIND_BUTTON,
    HF_KIND_FIELD,
    HF_KIND_CHECKBOX,
    HF_KIND_RADIO,
    HF_KIND_SWITCH,
    HF_KIND_SLIDER,
    HF_KIND_SPIN,
    HF_KIND_COMBO,
    HF_KIND_LINK,
    HF_KIND_TAB,
    HF_KIND_MENU,
    HF_KIND_MENU_ITEM,
    HF_KIND_MENU_BAR,
    HF_KIND_LIST,
    HF_KIND_ITEM,
    HF_KIND_TABLE,
    HF_KIND_ROW,
    HF_KIND_COLUMN,
    HF_KIND_CELL,
    HF_KIND_HEADER,
    HF_KIND_TREE,
    HF_KIND_ICON,
    HF_KIND_LABEL,
    HF_KIND_HEADING,
    HF_KIND_WINDOW,
    HF_KIND_DIALOG,
    HF_KIND_TOOL_BAR,
    HF_KIND_STATUS_BAR,
    HF_KIND_TITLE_BAR,
    HF_KIND_SCROLL_BAR,
    HF_KIND_PROGRESS,
    HF_KIND_EDITOR,
    HF_KIND_PANEL,
    HF_KIND_SIDE_BAR,
    HF_KIND_BOX,
    HF_KIND_BAR,
    HF_KIND_SCREEN,
    HF_KIND_PAGE,
    HF_KIND_DISPLAY,
    HF_KIND_CARD,
    HF_KIND_CHIP,
    HF_KIND_TABS,
    HF_KIND_NAVIGATION,
    HF_KIND_POPUP,
    HF_KIND_COUNT,
} HfKind;

/* "button", "check box": for reasons. */
const char *hf_kind_name(HfKind kind);
/* How well an element of this role is meant, from 0 to 1. `painted`: nobody tells what it is. */
double hf_kind_fit(HfKind kind, int role, gboolean painted);
/* Whether it holds other things, so that "in" it means inside. */
gboolean hf_kind_is_area(HfKind kind);
