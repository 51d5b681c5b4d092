/* SPDX-License-Identifier: Apache-2.0 */
/* Elements for callers. Names and values come from other programs: they are shortened for a model,
 * quoted on one line, and never treated as anything but text. */
#include "hand/atspi/tree/element-json.h"

#include <math.h>
#include <string.h>

#include "hand/atspi/tree/element-fingerprint.h"
#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"
#include "shared/base/json.h"
#include "shared/text/text.h"

/* The most of one text: in objects, and on a line. */
#define TEXT_BYTES 2000
#define LINE_BYTES 120

static const HfParam word = {.type = HF_TYPE_STRING};
static const HfParam rect_fields[] = {
    HF_REQUIRED("x", HF_TYPE_INTEGER, "Left edge"),
    HF_REQUIRED("y", HF_TYPE_INTEGER, "Top edge"),
    HF_REQUIRED("width", HF_TYPE_INTEGER, "Width"),
    HF_REQUIRED("height", HF_TYPE_INTEGER, "Height"),
    {0},
};
#define ELEMENT_FIELDS(outline)                                                                    \
    {.name = "ref",                                                                                \
     .type = HF_TYPE_STRING,                                                                       \
     .required = (outline),                                                                        \
     .about = "Reference for later calls: e12"},                                                   \
        HF_REQUIRED("role", HF_TYPE_STRING, "What it is: button, ..."),                            \
        HF_REQUIRED("name", HF_TYPE_STRING, "Its name; empty when it has none"),                   \
        HF_OPTIONAL("value", HF_TYPE_STRING, "Its text or number, if requested"),                  \
        HF_OPTIONAL("description", HF_TYPE_STRING, "Its program's description"),                   \
        HF_OPTIONAL("identifier", HF_TYPE_STRING, "Its program's identifier"),                     \
        HF_OPTIONAL("dom", HF_TYPE_STRING, "Its tag in a web page, if requested: tag#id[type]"),   \
        HF_REQUIRED("states", HF_TYPE_ARRAY,                                                       \
                    "Its states: focused, checked, disabled, hidden, ...", .items = &word),        \
        {.name = "bounds",                                                                         \
         .type = HF_TYPE_OBJECT,                                                                   \
         .required = (outline),                                                                    \
         .fields = rect_fields,                                                                    \
         .about = "Its bounds in physical screen pixels; absent when it has none"},                \
        HF_OPTIONAL("window", HF_TYPE_INTEGER, "The id of its window, as in window_list"),         \
        HF_REQUIRED("app", HF_TYPE_STRING, "The program that shows it"),                           \
        HF_REQUIRED("actions", HF_TYPE_ARRAY, "The actions that its program offers",               \
                    .items = &word),                                                               \
        HF_REQUIRED("source", HF_TYPE_ARRAY, "Where it was found: ax, ocr, dom, pixels",           \
                    .items = &word),                                                               \
        HF_OPTIONAL("confidence", HF_TYPE_NUMBER,                                                  \
                    "How sure its name, or its role if it has no name, was read from pixels, 0 "   \
                    "to 1; absent: its program reported it"),                                      \
        HF_OPTIONAL("secure", HF_TYPE_BOOLEAN, "True for a password field"),                       \
        HF_OPTIONAL("more", HF_TYPE_BOOLEAN, "True when some of its content was not read"),        \
        HF_REQUIRED("fingerprint", HF_TYPE_STRING,                                                 \
                    "Changes with its role, name, path, bounds or content")

const HfParam hf_element_fields[] = {ELEMENT_FIELDS(FALSE), {0}};
const HfParam hf_candidate_fields[] = {
    ELEMENT_FIELDS(FALSE),
    HF_REQUIRED("score", HF_TYPE_NUMBER, "How well it matches, up to 100"),
    HF_REQUIRED("reasons", HF_TYPE_ARRAY, "Why it matches", .items = &word),
    {0},
};

const HfParam hf_outline_fields[] = {
    ELEMENT_FIELDS(TRUE),
    HF_REQUIRED("depth", HF_TYPE_INTEGER,
                "0: a window; 1: inside the nearest element before it with depth 0; and so on"),
    {0},
};

/* States that nearly every element has, or that `disabled` and `hidden` replace. */
static const guint64 usual =
    HF_STATE(HF_STATE_SENSITIVE) | HF_STATE(HF_STATE_SHOWING) | HF_STATE(HF_STATE_VISIBLE) |
    HF_STATE(HF_STATE_FOCUSABLE) | HF_STATE(HF_STATE_SELECTABLE) | HF_STATE(HF_STATE_ICONIFIED) |
    HF_STATE(HF_STATE_EXPANDABLE) | HF_STATE(HF_STATE_CHECKABLE) | HF_STATE(26) |
    HF_STATE(HF_STATE_MULTI_LINE) | HF_STATE(2) | HF_STATE(HF_STATE_MULTISELECTABLE);

static json_t *states_to_array(const HfTree *tree, int index)
{
    const HfNode *node = hf_tree_get(tree, index);
    json_t *states = hf_states_to_json(node->states & ~usual);
    gboolean access = node->source & HF_SOURCE_ACCESS;
    if (access && !hf_states_are_enabled(node->states))
        json_array_append_new(states, json_string("disabled"));
    if (!hf_tree_is_visible(tree, index))
        json_array_append_new(states, json_string("hidden"));
    return states;
}

static json_t *actions_of(const HfNode *node)
{
    json_t *actions = json_array();
    g_auto(GStrv) names = g_strsplit(node->actions ? node->actions : "", "\n", -1);
    for (char **name = names; *name; name++)
        if (**name)
            json_array_append_new(actions, hf_json_text(*name));
    return actions;
}

static void set_short_text(json_t *object, const char *key, const char *text)
{
    if (!text || !*text)
        return;
    g_autofree char *valid = g_utf8_make_valid(text, -1);
    g_autofree char *cut = hf_text_shorten(valid, TEXT_BYTES);
    json_object_set_new(object, key, json_string(cut));
}

/* Numbers are not secret. */
static const char *get_shown_value(const HfNode *node, const HfElementStyle *style)
{
    int role = node->role;
    gboolean number = role == HF_ROLE_SLIDER || role == HF_ROLE_SPIN_BUTTON ||
                      role == HF_ROLE_SCROLL_BAR ||
                      role == hf_node_role_from_name("progress-bar") ||
                      role == hf_node_role_from_name("level-bar");
    return !node->secure && (style->values || number) ? node->value : NULL;
}

json_t *hf_element_to_json(const HfTree *tree, int index, const HfElementStyle *style)
{
    const HfNode *node = hf_tree_get(tree, index);
    guint ref = style->name ? style->name(style->data, index) : 0;
    g_autofree char *fingerprint = hf_fingerprint_to_text(hf_fingerprint(tree, index));
    g_autofree char *called = hf_node_dup_display_name(tree, index);
    json_t *object = json_object();
    if (ref)
        json_object_set_new(object, "ref", json_sprintf("e%u", ref));
    json_object_set_new(object, "role", json_string(hf_node_role_name(node->role)));
    json_object_set_new(object, "name", json_string(""));
    set_short_text(object, "name", called);
    set_short_text(object, "value", get_shown_value(node, style));
    set_short_text(object, "description", node->description);
    set_short_text(object, "identifier", node->identifier);
    set_short_text(object, "dom", node->dom);
    json_object_set_new(object, "states", states_to_array(tree, index));
    if (!hf_rect_is_empty(node->bounds))
        json_object_set_new(object, "bounds", hf_json_rect(node->bounds));
    if (node->window)
        json_object_set_new(object, "window", json_integer(node->window));
    json_object_set_new(object, "app",
                        hf_json_text(hf_tree_get_program(tree, node->program)->name));
    json_object_set_new(object, "actions", actions_of(node));
    json_object_set_new(object, "source", hf_source_to_json(node->source));
    if (node->confidence > 0)
        json_object_set_new(object, "confidence", json_real(round(node->confidence * 100) / 100));
    if (node->secure)
        json_object_set_new(object, "secure", json_true());
    if (node->more)
        json_object_set_new(object, "more", json_true());
    json_object_set_new(object, "fingerprint", json_string(fingerprint));
    return object;
}

/* On one line, with quotes and backslashes escaped. */
static void append_quoted(GString *text, const char *what)
{
    g_autofree char *valid = g_utf8_make_valid(what, -1);
    g_autofree char *cut = hf_text_shorten(valid, LINE_BYTES);
    g_string_append_c(text, '"');
    for (const char *at = cut; *at; at = g_utf8_next_char(at)) {
        gunichar letter = g_utf8_get_char(at);
        if (letter == '"' || letter == '\\')
            g_string_append_c(text, '\\');
        if (letter == '\n')
            g_string_append(text, "\\n");
        else
            g_string_append_unichar(text, g_unichar_iscntrl(letter) ? ' ' : letter);
    }
    g_string_append_c(text, '"');
}

static void append_states(GString *text, const HfTree *tree, int index)
{
    g_autoptr(json_t) states = states_to_array(tree, index);
    hf_json_each (state, states)
        if (strcmp(json_string_value(state), "editable") != 0)
            g_string_append_printf(text, " %s", json_string_value(state));
}

/* Names the source of a painted element: text that was read from pixels may be misread. */
static void append_source(GString *text, const HfNode *node)
{
    if (!hf_node_is_painted(node) || node->depth == 0)
        return;
    if (node->source & HF_SOURCE_OCR)
        g_string_append(text, " ocr");
    if (node->source & HF_SOURCE_PIXELS)
        g_string_append(text, " pixels");
}

void hf_element_append_line(GString *text, const HfTree *tree, int index,
                            const HfElementStyle *style)
{
    const HfNode *node = hf_tree_get(tree, index);
    guint ref = style->name ? style->name(style->data, index) : 0;
    g_autofree char *called = hf_node_dup_display_name(tree, index);
    const char *value = get_shown_value(node, style);
    if (ref)
        g_string_append_printf(text, "e%u ", ref);
    g_string_append(text, hf_node_role_name(node->role));
    if (called || (node->description && *node->description)) {
        g_string_append_c(text, ' ');
        append_quoted(text, called ? called : node->description);
    }
    if (value && *value) {
        g_string_append(text, " =");
        append_quoted(text, value);
    }
    if (!hf_rect_is_empty(node->bounds))
        g_string_append_printf(text, " %d,%d %dx%d", node->bounds.x, node->bounds.y,
                               node->bounds.width, node->bounds.height);
    append_states(text, tree, index);
    append_source(text, node);
    if (node->dom) {
        g_string_append(text, " dom=");
        append_quoted(text, node->dom);
    }
    if (node->more)
        g_string_append(text, " more");
    if (node->parent == HF_NODE_NONE && node->window) {
        g_string_append_printf(text, " window=%u app=", node->window);
        append_quoted(text, hf_tree_get_program(tree, node->program)->name);
    }
    g_string_append_c(text, '\n');
}

/* Boxes, lines and handles, which carry no information themselves. */
static gboolean is_layout_role(int role)
{
    switch (role) {
    case HF_ROLE_INVALID:
    case HF_ROLE_FILLER:
    case HF_ROLE_PANEL:
    case HF_ROLE_SCROLL_PANE:
    case HF_ROLE_VIEWPORT:
    case HF_ROLE_SEPARATOR:
    case HF_ROLE_SCROLL_BAR:
    case HF_ROLE_SECTION:
    case HF_ROLE_GROUPING:
    case HF_ROLE_REDUNDANT_OBJECT:
    case HF_ROLE_UNKNOWN:
    case HF_ROLE_TOOL_BAR:
    case HF_ROLE_MENU_BAR:
    case HF_ROLE_STATUS_BAR:
        return TRUE;
    default:
        return FALSE;
    }
}

gboolean hf_element_is_informative(const HfTree *tree, int index)
{
    const HfNode *node = hf_tree_get(tree, index);
    gboolean usable =
        (node->actions && *node->actions) || hf_states_have(node->states, HF_STATE_FOCUSABLE) ||
        hf_states_have(node->states, HF_STATE_EDITABLE) || hf_node_takes_label(node->role);
    g_autofree char *called = hf_node_dup_display_name(tree, index);
    if (node->parent == HF_NODE_NONE || hf_node_is_painted(node))
        return TRUE;
    if (is_layout_role(node->role))
        return called && usable;
    return called || usable || (node->description && *node->description) ||
           (node->value && *node->value);
}

/* The last listed element around a text. */
typedef struct Above {
    char *called;
    int end; /* of its subtree */
} Above;

GArray *hf_elements_listed(const HfTree *tree, int begin, int end, gboolean hidden)
{
    GArray *indices = g_array_new(FALSE, FALSE, sizeof(int));
    Above above = {NULL, 0};
    for (int i = begin; i < end; i++) {
        const HfNode *node = hf_tree_get(tree, i);
        const char *name = hf_node_label(node);
        gboolean repeats_container = i < above.end && above.called && name &&
                                     hf_node_shows_text(node->role) && strstr(above.called, name);
        if ((!hidden && !hf_tree_is_visible(tree, i)) || repeats_container ||
            !hf_element_is_informative(tree, i))
            continue;
        g_free(above.called);
        above = (Above){hf_node_dup_display_name(tree, i), hf_tree_end(tree, i)};
        g_array_append_val(indices, i);
    }
    g_free(above.called);
    return indices;
}

char *hf_elements_to_text(const HfTree *tree, int begin, int end, const HfElementStyle *style,
                          int *ret_listed, int *ret_left_out)
{
    GString *text = g_string_new("");
    g_autoptr(GArray) indices = hf_elements_listed(tree, begin, end, style->hidden);
    guint listed = 0;
    for (; listed < indices->len && (!style->limit || text->len < style->limit); listed++)
        hf_element_append_line(text, tree, g_array_index(indices, int, listed), style);
    if (ret_listed)
        *ret_listed = (int)listed;
    if (ret_left_out)
        *ret_left_out = (int)(indices->len - listed);
    return g_string_free(text, FALSE);
}
