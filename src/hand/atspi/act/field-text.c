/* SPDX-License-Identifier: Apache-2.0 */
/* EditableText as toolkits implement it. */
#include "hand/atspi/act/field-text.h"

#include <string.h>

#include "hand/atspi/atspi-limits.h"
#include "hand/atspi/bus/atspi-names.h"
#include "hand/atspi/read/tree-snapshot.h"
#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"
#include "hand/desktop/windows.h"
#include "hand/safety/call-context.h"

#define EDITABLE_TEXT "org.a11y.atspi.EditableText"
#define READ_BACK_MS  500

gboolean hf_field_text_is_settable(const HfElement *element)
{
    return (element->abilities & HF_ABILITY_EDITABLE_TEXT) &&
           (element->abilities & HF_ABILITY_TEXT) && element->role != HF_ROLE_PASSWORD_TEXT &&
           hf_states_have(element->states, HF_STATE_EDITABLE) &&
           !hf_states_have(element->states, HF_STATE_READ_ONLY) &&
           hf_states_have(element->states, HF_STATE_SENSITIVE);
}

gboolean hf_field_text_replace(const HfElement *element, const char *text, GError **error)
{
    gboolean yes;
    return hf_element_invoke(element, EDITABLE_TEXT, "SetTextContents", g_variant_new("(s)", text),
                             &yes, error);
}

/* ---- at the caret ---- */

static gboolean get_caret(const HfElement *element, int *ret_caret, GError **error)
{
    g_autoptr(GVariant) caret = hf_element_get(element, HF_ATSPI_TEXT, "CaretOffset", "i", error);
    if (caret)
        *ret_caret = g_variant_get_int32(caret);
    return caret != NULL;
}

/* Typing replaces the selection; so does this. */
static gboolean delete_selection(const HfElement *element, int *ret_caret, GError **error)
{
    int count = 0, start = 0, end = 0;
    gboolean yes;
    g_autoptr(GVariant) selections =
        hf_element_query(element, HF_ATSPI_TEXT, "GetNSelections", NULL, "(i)", NULL);
    if (selections)
        g_variant_get(selections, "(i)", &count);
    if (count <= 0)
        return TRUE;
    g_autoptr(GVariant) selection = hf_element_query(element, HF_ATSPI_TEXT, "GetSelection",
                                                     g_variant_new("(i)", 0), "(ii)", error);
    if (!selection)
        return FALSE;
    g_variant_get(selection, "(ii)", &start, &end);
    if (start >= end)
        return TRUE;
    *ret_caret = start;
    return hf_element_invoke(element, EDITABLE_TEXT, "DeleteText",
                             g_variant_new("(ii)", start, end), &yes, error);
}

static int count_utf16_units(const char *text)
{
    int units = 0;
    for (const char *rest = text; *rest; rest = g_utf8_next_char(rest))
        units += g_utf8_get_char(rest) > 0xffff ? 2 : 1;
    return units;
}

/* NULL when the text is shorter. */
static const char *find_offset(const HfElement *element, const char *text, int offset)
{
    while (offset > 0 && *text) {
        gboolean two = !element->quirks->insert_counts_bytes && g_utf8_get_char(text) > 0xffff;
        offset -= two ? 2 : 1;
        text = g_utf8_next_char(text);
    }
    return offset == 0 ? text : NULL;
}

typedef struct Expected {
    char *before, *after; /* all of the text */
    gboolean exact, changed;
} Expected;

static void expected_clear(Expected *expected)
{
    g_free(expected->before);
    g_free(expected->after);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Expected, expected_clear)

static gboolean is_text_inserted(HfElement *element, gpointer data, gboolean *ret_holds,
                                 GError **error)
{
    Expected *expected = data;
    g_autofree char *text = hf_element_dup_text(element, error);
    if (!text)
        return FALSE;
    expected->exact = strcmp(text, expected->after) == 0;
    expected->changed = strcmp(text, expected->before) != 0;
    *ret_holds = expected->exact;
    return TRUE;
}

static gboolean insert_at(HfElement *element, const char *text, int caret,
                          HfFieldInsertion *ret_inserted, GError **error)
{
    g_auto(Expected) expected = {.before = hf_element_dup_text(element, error)};
    gboolean yes, holds, bytes = element->quirks->insert_counts_bytes;
    int length = bytes ? (int)strlen(text) : count_utf16_units(text);
    /* The caret counts characters, but UTF-16 units in Qt. */
    int moved = bytes ? (int)g_utf8_strlen(text, -1) : length;
    if (!expected.before)
        return FALSE;
    const char *at = find_offset(element, expected.before, caret);
    if (!at || strlen(expected.before) > HF_LIMIT_INSERT_INTO_BYTES)
        return TRUE;
    expected.after =
        g_strdup_printf("%.*s%s%s", (int)(at - expected.before), expected.before, text, at);
    if (!hf_element_invoke(element, EDITABLE_TEXT, "InsertText",
                           g_variant_new("(isi)", caret, text, length), &yes, error) ||
        !hf_element_wait(element, is_text_inserted, &expected, READ_BACK_MS, &holds, error))
        return FALSE;
    *ret_inserted = (HfFieldInsertion){expected.changed, expected.exact};
    if (expected.exact) /* some toolkits leave the caret where it was */
        hf_element_invoke(element, HF_ATSPI_TEXT, "SetCaretOffset",
                          g_variant_new("(i)", caret + moved), &yes, NULL);
    return TRUE;
}

gboolean hf_field_text_insert(HfElement *element, const char *text, HfFieldInsertion *ret_inserted,
                              GError **error)
{
    int caret;
    *ret_inserted = (HfFieldInsertion){FALSE, FALSE};
    g_assert(hf_field_text_is_settable(element));
    return get_caret(element, &caret, error) && delete_selection(element, &caret, error) &&
           insert_at(element, text, caret, ret_inserted, error);
}

/* ---- finding the field ---- */

HfElement *hf_field_text_find_focused(const HfCallContext *context, const HfDeadline *deadline,
                                      GError **error)
{
    g_autoptr(GPtrArray) windows = hf_windows_list(hf_call_context_desktop(context), error);
    const HfWindow *focused = windows ? hf_windows_find_focused(windows) : NULL;
    if (!focused)
        return NULL;
    HfTreeScope scope = {.window = focused->id, .max_ms = HF_TYPE_LOOK_MS, .skip_actions = TRUE};
    g_autoptr(HfTree) tree = hf_tree_read(context, &scope, deadline, error);
    int index = tree ? hf_tree_find_focused(tree) : HF_NODE_NONE;
    if (index == HF_NODE_NONE || hf_tree_get(tree, index)->secure)
        return NULL;
    g_autoptr(HfElement) element = hf_element_new(context, tree, index, deadline, error);
    if (!element || !hf_element_refresh_states(element, error))
        return NULL;
    return g_steal_pointer(&element);
}

/* Qt does not mark single-line fields, but every toolkit marks multi-line ones. */
gboolean hf_field_text_is_one_line(const HfElement *element)
{
    if (element->role == HF_ROLE_TABLE || element->role == HF_ROLE_TABLE_CELL)
        return TRUE;
    return hf_states_have(element->states, HF_STATE_EDITABLE) &&
           !hf_states_have(element->states, HF_STATE_MULTI_LINE);
}
