/* SPDX-License-Identifier: Apache-2.0 */
/* The names of states. */
#include "hand/atspi/tree/states.h"

#include <string.h>

static const char *const names[HF_STATE_COUNT] = {
    [0] = "invalid",
    [1] = "active",
    [2] = "armed",
    [3] = "busy",
    [4] = "checked",
    [5] = "collapsed",
    [6] = "defunct",
    [7] = "editable",
    [8] = "enabled",
    [9] = "expandable",
    [10] = "expanded",
    [11] = "focusable",
    [12] = "focused",
    [13] = "has-tooltip",
    [14] = "horizontal",
    [15] = "iconified",
    [16] = "modal",
    [17] = "multi-line",
    [18] = "multiselectable",
    [19] = "opaque",
    [20] = "pressed",
    [21] = "resizable",
    [22] = "selectable",
    [23] = "selected",
    [24] = "sensitive",
    [25] = "showing",
    [26] = "single-line",
    [27] = "stale",
    [28] = "transient",
    [29] = "vertical",
    [30] = "visible",
    [31] = "manages-descendants",
    [32] = "indeterminate",
    [33] = "required",
    [34] = "truncated",
    [35] = "animated",
    [36] = "invalid-entry",
    [37] = "supports-autocompletion",
    [38] = "selectable-text",
    [39] = "is-default",
    [40] = "visited",
    [41] = "checkable",
    [42] = "has-popup",
    [43] = "read-only",
};

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
