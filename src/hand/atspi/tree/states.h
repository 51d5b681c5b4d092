/* SPDX-License-Identifier: Apache-2.0 */
/* The states of elements: bits, numbered as on the accessibility bus, and their names. */
#pragma once

#include <glib.h>
#include <jansson.h>

#define HF_STATE(number) (G_GUINT64_CONSTANT(1) << (number))

enum {
    HF_STATE_ACTIVE = 1,
    HF_STATE_BUSY = 3,
    HF_STATE_CHECKED = 4,
    HF_STATE_COLLAPSED = 5,
    HF_STATE_DEFUNCT = 6,
    HF_STATE_EDITABLE = 7,
    HF_STATE_ENABLED = 8,
    HF_STATE_EXPANDABLE = 9,
    HF_STATE_EXPANDED = 10,
    HF_STATE_FOCUSABLE = 11,
    HF_STATE_FOCUSED = 12,
    HF_STATE_ICONIFIED = 15,
    HF_STATE_MODAL = 16,
    HF_STATE_MULTI_LINE = 17,
    HF_STATE_MULTISELECTABLE = 18,
    HF_STATE_PRESSED = 20,
    HF_STATE_SELECTABLE = 22,
    HF_STATE_SELECTED = 23,
    HF_STATE_SENSITIVE = 24,
    HF_STATE_SHOWING = 25,
    HF_STATE_VISIBLE = 30,
    HF_STATE_MANAGES_DESCENDANTS = 31,
    HF_STATE_INDETERMINATE = 32,
    HF_STATE_INVALID_ENTRY = 36,
    HF_STATE_CHECKABLE = 41,
    HF_STATE_READ_ONLY = 43,
    HF_STATE_COUNT,
};

static inline gboolean hf_states_have(guint64 states, int number)
{
    return (states & HF_STATE(number)) != 0;
}

/* LibreOffice documents are enabled, but not sensitive; in GTK 4 it is the other way round. */
static inline gboolean hf_states_are_enabled(guint64 states)
{
    return hf_states_have(states, HF_STATE_SENSITIVE) || hf_states_have(states, HF_STATE_ENABLED);
}

/* NULL for a number without a name. */
const char *hf_state_name(int number);
/* -1 when no state has this name. */
int hf_state_from_name(const char *name);
/* The names of those that inform a person or a model: not "opaque" or "resizable". */
json_t *hf_states_to_json(guint64 states);
