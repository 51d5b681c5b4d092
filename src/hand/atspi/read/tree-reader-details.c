/* SPDX-License-Identifier: Apache-2.0 */
/* Reads actions, values and identifiers. Never the value of a password field, and actions only
 * where they can be useful: Chromium reports actions for every line of text. */
#include <string.h>

#include "hand/atspi/atspi-limits.h"
#include "hand/atspi/bus/atspi-names.h"
#include "hand/atspi/read/tree-reader.h"
#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"

static gboolean can_be_used(const HfRawNode *record)
{
    switch (record->role) {
    case HF_ROLE_FILLER:
    case HF_ROLE_FRAME:
    case HF_ROLE_IMAGE:
    case HF_ROLE_LABEL:
    case HF_ROLE_PANEL:
    case HF_ROLE_PARAGRAPH:
    case HF_ROLE_SCROLL_PANE:
    case HF_ROLE_SECTION:
    case HF_ROLE_SEPARATOR:
    case HF_ROLE_STATIC:
    case HF_ROLE_UNKNOWN:
    case HF_ROLE_VIEWPORT:
    case HF_ROLE_GROUPING:
        return hf_states_have(record->states, HF_STATE_FOCUSABLE);
    default:
        return TRUE;
    }
}

/* GetName returns the untranslated name, which GetActions does not. Replies come in the order of
 * the calls. */
static void on_action(gpointer owner, int index, GVariant *body)
{
    HfTreeReader *reader = owner;
    HfRawNode *record = hf_tree_reader_count_answer(owner, index);
    const char *name = "";
    if (body)
        g_variant_get(body, "(&s)", &name);
    if (!*name)
        return;
    g_autofree char *names =
        record->actions ? g_strconcat(record->actions, "\n", name, NULL) : g_strdup(name);
    record->actions = hf_raw_nodes_intern(reader->records, names, HF_LIMIT_ELEMENT_NAME_BYTES);
}

/* Such an object keeps its action for life, and its toolkit never reuses a path. */
static gboolean has_one_action(const HfTreeReader *reader, const HfRawNode *record)
{
    return reader->program->traits->one_action && record->role != HF_ROLE_TABLE_CELL &&
           strcmp(record->bus, reader->program->bus) == 0;
}

static void on_only_action(gpointer owner, int index, GVariant *body)
{
    const HfTreeReader *reader = owner;
    GHashTable *known = reader->program->actions;
    on_action(owner, index, body);
    const HfRawNode *record = hf_raw_nodes_get(reader->records, index);
    if (g_hash_table_size(known) >= HF_LIMIT_TREE_NODES)
        g_hash_table_remove_all(known);
    if (body)
        g_hash_table_insert(known, g_strdup(record->path),
                            g_strdup(record->actions ? record->actions : ""));
}

static void ask_only_action(HfTreeReader *reader, int index)
{
    HfRawNode *record = hf_raw_nodes_get(reader->records, index);
    const char *known = g_hash_table_lookup(reader->program->actions, record->path);
    if (!known)
        hf_tree_reader_ask(reader, index, HF_ATSPI_ACTION, "GetName", g_variant_new("(i)", 0),
                           "(s)", on_only_action);
    else if (*known)
        record->actions = hf_raw_nodes_intern(reader->records, known, HF_LIMIT_ELEMENT_NAME_BYTES);
}

static void ask_action_name(HfTreeReader *reader, int index, int number)
{
    hf_tree_reader_ask(reader, index, HF_ATSPI_ACTION, "GetName", g_variant_new("(i)", number),
                       "(s)", on_action);
}

static void on_action_count(gpointer owner, int index, GVariant *value)
{
    HfTreeReader *reader = owner;
    HfRawNode *record = hf_tree_reader_count_answer(owner, index);
    record->known |= HF_KNOWN_ACTIONS;
    if (!value || !g_variant_is_of_type(value, G_VARIANT_TYPE_INT32))
        return;
    for (int i = 1; i < MIN(g_variant_get_int32(value), HF_LIMIT_ELEMENT_ACTIONS); i++)
        ask_action_name(reader, index, i);
}

/* Most elements have one action, so it is asked for along with the count. */
void hf_tree_reader_ask_actions(HfTreeReader *reader, int index)
{
    const HfRawNode *record = hf_raw_nodes_get(reader->records, index);
    if (reader->scope->skip_actions || (record->known & HF_KNOWN_HIDDEN) ||
        !(record->abilities & HF_ABILITY_ACTION) || !can_be_used(record))
        return;
    if (has_one_action(reader, record)) {
        ask_only_action(reader, index);
        return;
    }
    ask_action_name(reader, index, 0);
    hf_tree_reader_get_property(reader, index, HF_ATSPI_ACTION, "NActions", on_action_count);
}

static void on_text(gpointer owner, int index, GVariant *body)
{
    HfTreeReader *reader = owner;
    HfRawNode *record = hf_tree_reader_count_answer(owner, index);
    const char *text;
    if (!body)
        return;
    g_variant_get(body, "(&s)", &text);
    record->value = hf_raw_nodes_intern(reader->records, text, HF_LIMIT_ELEMENT_TEXT_BYTES);
}

/* Never asks for more than there is: toolkits differ in how they handle that. */
static void on_length(gpointer owner, int index, GVariant *value)
{
    HfTreeReader *reader = owner;
    HfRawNode *record = hf_tree_reader_count_answer(owner, index);
    if (!value || !g_variant_is_of_type(value, G_VARIANT_TYPE_INT32))
        return;
    int length = MIN(g_variant_get_int32(value), (int)HF_LIMIT_ELEMENT_TEXT_BYTES);
    record->value = "";
    if (length > 0)
        hf_tree_reader_ask(reader, index, HF_ATSPI_TEXT, "GetText",
                           g_variant_new("(ii)", 0, length), "(s)", on_text);
}

static void on_number(gpointer owner, int index, GVariant *value)
{
    HfTreeReader *reader = owner;
    HfRawNode *record = hf_tree_reader_count_answer(owner, index);
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    if (!value || !g_variant_is_of_type(value, G_VARIANT_TYPE_DOUBLE))
        return;
    g_ascii_formatd(text, sizeof text, "%.10g", g_variant_get_double(value));
    record->value = hf_raw_nodes_intern(reader->records, text, sizeof text);
}

static gboolean holds_text(const HfRawNode *record)
{
    if (!(record->abilities & HF_ABILITY_TEXT) || record->role == HF_ROLE_PASSWORD_TEXT)
        return FALSE;
    return (record->abilities & HF_ABILITY_EDITABLE_TEXT) ||
           hf_states_have(record->states, HF_STATE_EDITABLE) || record->role == HF_ROLE_TEXT ||
           record->role == HF_ROLE_ENTRY || record->role == HF_ROLE_TERMINAL ||
           record->role == HF_ROLE_STATUS_BAR;
}

/* An element with both text and number (a spin button) reports its text. */
static void ask_value(HfTreeReader *reader, int index)
{
    const HfRawNode *record = hf_raw_nodes_get(reader->records, index);
    if (holds_text(record))
        hf_tree_reader_get_property(reader, index, HF_ATSPI_TEXT, "CharacterCount", on_length);
    else if ((record->abilities & HF_ABILITY_VALUE) && record->role != HF_ROLE_PASSWORD_TEXT)
        hf_tree_reader_get_property(reader, index, HF_ATSPI_VALUE, "CurrentValue", on_number);
}

static void take_identifier(HfTreeReader *reader, HfRawNode *record, const char *identifier)
{
    if (*identifier)
        record->identifier =
            hf_raw_nodes_intern(reader->records, identifier, HF_LIMIT_ELEMENT_NAME_BYTES);
}

static void on_identifier(gpointer owner, int index, GVariant *value)
{
    HfRawNode *record = hf_tree_reader_count_answer(owner, index);
    if (value && g_variant_is_of_type(value, G_VARIANT_TYPE_STRING))
        take_identifier(owner, record, g_variant_get_string(value, NULL));
}

static const char *get_attribute(GVariant *attributes, const char *key)
{
    const char *value = "";
    g_variant_lookup(attributes, key, "&s", &value);
    return value;
}

/* Written like a CSS selector, with the type of an input: input#mail[email]. Browsers report tags
 * only inside a page, and not for bare text. */
static void take_tag(HfTreeReader *reader, HfRawNode *record, GVariant *attributes)
{
    const char *tag = get_attribute(attributes, "tag"), *id = get_attribute(attributes, "id");
    const char *type = get_attribute(attributes, "text-input-type");
    if (!*tag)
        return;
    g_autofree char *dom =
        g_strconcat(tag, *id ? "#" : "", id, *type ? "[" : "", type, *type ? "]" : "", NULL);
    record->dom = hf_raw_nodes_intern(reader->records, dom, HF_LIMIT_ELEMENT_NAME_BYTES);
}

static void on_attributes(gpointer owner, int index, GVariant *body)
{
    HfRawNode *record = hf_tree_reader_count_answer(owner, index);
    if (!body)
        return;
    g_autoptr(GVariant) attributes = g_variant_get_child_value(body, 0);
    take_identifier(owner, record, get_attribute(attributes, "id"));
    take_tag(owner, record, attributes);
}

static void on_description(gpointer owner, int index, GVariant *value)
{
    HfTreeReader *reader = owner;
    HfRawNode *record = hf_tree_reader_count_answer(owner, index);
    if (value && g_variant_is_of_type(value, G_VARIANT_TYPE_STRING) &&
        *g_variant_get_string(value, NULL))
        record->description = hf_raw_nodes_intern(
            reader->records, g_variant_get_string(value, NULL), HF_LIMIT_ELEMENT_NAME_BYTES);
}

/* They do not change, so a cached record is asked once. */
static void ask_identifier(HfTreeReader *reader, int index)
{
    if (!hf_raw_nodes_get(reader->records, index)->description)
        hf_tree_reader_get_property(reader, index, HF_ATSPI_ACCESSIBLE, "Description",
                                    on_description);
    if (hf_raw_nodes_get(reader->records, index)->identifier)
        return;
    if (reader->program->traits->page_identifiers)
        hf_tree_reader_ask(reader, index, HF_ATSPI_ACCESSIBLE, "GetAttributes", NULL, "(a{ss})",
                           on_attributes);
    else
        hf_tree_reader_get_property(reader, index, HF_ATSPI_ACCESSIBLE, "AccessibleId",
                                    on_identifier);
}

void hf_tree_reader_read_values(HfTreeReader *reader)
{
    for (int i = 0; i < hf_raw_nodes_size(reader->records); i++) {
        HfRawNode *record = hf_raw_nodes_get(reader->records, i);
        record->value = NULL;
        if ((record->known & HF_KNOWN_HIDDEN) || !(record->known & HF_KNOWN_ROLE))
            continue;
        if (reader->scope->include_text)
            ask_value(reader, i);
        if (reader->scope->include_identifiers)
            ask_identifier(reader, i);
    }
}
