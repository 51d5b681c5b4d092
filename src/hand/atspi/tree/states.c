/* SPDX-License-Identifier: Apache-2.0 */
/* The names of states. */
#include "hand/atspi/tree/states.h"

#include <string.h>

/* In the order of the accessibility bus, ten to a block. */
static const char *const names[HF_STATE_COUNT] = {
    /* 0 */
    "invalid", "active", "armed", "busy", "checked", "collapsed", "defunct", "editable", "enabled",
    "expandable",
    /* 10 */
    "expanded", "focusable", "focused", "has-tooltip", "horizontal", "iconified", "modal",
    "multi-line", "multiselectable", "opaque",
    /* 20 */
    "pressed", "resizable", "selectable", "selected", "sensitive", "showing", "single-line",
    "stale", "transient", "vertical",
    /* 30 */
    "visible", "manages-descendants", "indeterminate", "required", "truncated", "animated",
    "invalid-entry", "supports-autocompletion", "selectable-text", "is-default",
    /* 40 */
    "visited", "checkable", "has-popup", "read-only"};

/* What every element has, or what concerns only the toolkit. */
static const guint64 uninformative =
    HF_STATE(0) | HF_STATE(13) | HF_STATE(14) | HF_STATE(19) | HF_STATE(21) | HF_STATE(27) |
    HF_STATE(28) | HF_STATE(29) | HF_STATE(34) | HF_STATE(35) | HF_STATE(37) | HF_STATE(38) |
    HF_STATE(HF_STATE_ENABLED) | HF_STATE(HF_STATE_MANAGES_DESCENDANTS);

const char *hf_state_name(int number)
{
    return number >= 0 && number < HF_STATE_COUNT ? names[number] : NULL;
}

int hf_state_from_name(const char *name)
{
    for (int number = 0; number < HF_STATE_COUNT; number++)
        if (names[number] && strcmp(names[number], name) == 0)
            return number;
    return -1;
}

json_t *hf_states_to_json(guint64 states)
{
    json_t *array = json_array();
    for (int number = 0; number < HF_STATE_COUNT; number++)
        if (hf_states_have(states & ~uninformative, number) && names[number])
            json_array_append_new(array, json_string(names[number]));
    return array;
}
