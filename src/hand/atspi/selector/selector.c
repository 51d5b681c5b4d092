/* SPDX-License-Identifier: Apache-2.0 */
/* What both forms of a selector share, the JSON form, and writing the short form. Unknown members
 * are refused: ignoring a misspelt condition would select another element. */
#include "hand/atspi/selector/selector.h"

#include <string.h>

#include "hand/atspi/atspi-limits.h"
#include "hand/atspi/selector/selector-build.h"
#include "hand/atspi/tree/label-match.h"
#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"
#include "shared/base/error.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/text/bounded-regex.h"

/* ---- text conditions ----
 *
 * The matcher's step limit stops a runaway expression, which is an error then: half an answer would
 * look like "not found". */

/* How many steps a match may take. */
#define MATCH_STEPS 20000
/* How much of a text is matched. */
#define TEXT_BYTES 8192

gboolean hf_text_condition_init(HfTextCondition *condition, HfTextOperator how, const char *text,
                                const char *where, GError **error)
{
    if (!*text)
        return hf_fail(error, HF_ERROR_INVALID_PARAMS, "%s: give a text that is not empty", where);
    if (strlen(text) > HF_LIMIT_SELECTOR_TEXT_BYTES)
        return hf_fail(error, HF_ERROR_LIMIT_EXCEEDED, "%s: at most %u bytes", where,
                       HF_LIMIT_SELECTOR_TEXT_BYTES);
    hf_text_condition_clear(condition);
    *condition = (HfTextCondition){how, g_strdup(text), hf_label_normal(text), NULL};
    if (how != HF_TEXT_REGEX)
        return TRUE;
    condition->regex = hf_bounded_regex_new(condition->text, MATCH_STEPS, error);
    if (!condition->regex)
        g_prefix_error(error, "%s: ", where);
    return condition->regex != NULL;
}

void hf_text_condition_clear(HfTextCondition *condition)
{
    g_free(condition->text);
    g_free(condition->normal);
    g_clear_pointer(&condition->regex, g_regex_unref);
    *condition = (HfTextCondition){0};
}

static HfFit fit_regex(const HfTextCondition *condition, const char *text, GError **error)
{
    g_autoptr(GError) reason = NULL;
    g_autofree char *valid = g_utf8_make_valid(text, (gssize)strnlen(text, TEXT_BYTES));
    if (g_regex_match_full(condition->regex, valid, -1, 0, 0, NULL, &reason))
        return HF_FIT_SAME;
    if (reason) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS,
                "the regular expression /%s/ takes too long on a text: %s", condition->text,
                reason->message);
        hf_error_suggest(error, "write it without nested repetitions");
    }
    return HF_FIT_NONE;
}

HfFit hf_text_condition_fit(const HfTextCondition *condition, const char *text, GError **error)
{
    if (!text || (error && *error))
        return HF_FIT_NONE;
    if (condition->how == HF_TEXT_REGEX)
        return fit_regex(condition, text, error);
    HfFit fit = hf_label_fit(text, condition->text, condition->normal);
    if (condition->how == HF_TEXT_EQUALS)
        return fit >= HF_FIT_NORMAL ? fit : HF_FIT_NONE;
    return fit;
}

const char *hf_text_field_name(HfTextField field)
{
    static const char *const names[] = {"name", "value", "identifier", "description", "text"};
    return names[field];
}

static void path_part_free(gpointer part)
{
    hf_text_condition_clear(part);
    g_free(part);
}

void hf_selector_free(HfSelector *selector)
{
    if (!selector)
        return;
    g_free(selector->role);
    for (int i = 0; i < HF_FIELD_COUNT; i++)
        hf_text_condition_clear(&selector->texts[i]);
    g_clear_pointer(&selector->path, g_ptr_array_unref);
    hf_selector_free(selector->near);
    hf_selector_free(selector->in);
    g_free(selector);
}

gboolean hf_selector_is_empty(const HfSelector *selector)
{
    for (int i = 0; i < HF_FIELD_COUNT; i++)
        if (selector->texts[i].how != HF_TEXT_NO_CONDITION)
            return FALSE;
    return selector->ref == 0 && !selector->role && !selector->path &&
           hf_rect_is_empty(selector->rect) && !selector->near && !selector->in &&
           selector->enabled == HF_TRISTATE_UNSET && selector->visible == HF_TRISTATE_UNSET &&
           selector->with_states == 0 && selector->without_states == 0;
}

gboolean hf_selector_needs_values(const HfSelector *selector)
{
    return selector->texts[HF_FIELD_VALUE].how != HF_TEXT_NO_CONDITION ||
           selector->texts[HF_FIELD_TEXT].how != HF_TEXT_NO_CONDITION ||
           (selector->near && hf_selector_needs_values(selector->near)) ||
           (selector->in && hf_selector_needs_values(selector->in));
}

gboolean hf_selector_needs_identifiers(const HfSelector *selector)
{
    return selector->texts[HF_FIELD_IDENTIFIER].how != HF_TEXT_NO_CONDITION ||
           selector->texts[HF_FIELD_DESCRIPTION].how != HF_TEXT_NO_CONDITION ||
           (selector->near && hf_selector_needs_identifiers(selector->near)) ||
           (selector->in && hf_selector_needs_identifiers(selector->in));
}

HfCellAddress hf_selector_get_cell(const HfSelector *selector)
{
    const HfTextCondition *name = &selector->texts[HF_FIELD_NAME];
    gboolean exact = name->how == HF_TEXT_LIKE || name->how == HF_TEXT_EQUALS;
    if (!exact || !selector->role || !hf_node_role_is(HF_ROLE_TABLE_CELL, selector->role))
        return (HfCellAddress){0};
    return hf_cell_address_from_text(name->text);
}

gboolean hf_selector_set_role(HfSelector *selector, const char *word, GError **error)
{
    if (!hf_node_role_known(word))
        return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                       "role: '%.64s' is not a role; use button, field, check-box, menu-item, "
                       "tab, link, label, window or another one: see docs/selectors.md",
                       word);
    g_free(selector->role);
    selector->role = g_strdelimit(g_ascii_strdown(word, -1), " _", '-');
    return TRUE;
}

gboolean hf_selector_add_path(HfSelector *selector, HfTextOperator how, const char *name,
                              GError **error)
{
    if (!selector->path)
        selector->path = g_ptr_array_new_with_free_func(path_part_free);
    if (selector->path->len >= HF_LIMIT_SELECTOR_PATH)
        return hf_fail(error, HF_ERROR_LIMIT_EXCEEDED, "path: at most %u names",
                       HF_LIMIT_SELECTOR_PATH);
    HfTextCondition *part = g_new0(HfTextCondition, 1);
    g_ptr_array_add(selector->path, part);
    return hf_text_condition_init(part, how, name, "path", error);
}

gboolean hf_selector_set_path(HfSelector *selector, const char *path, GError **error)
{
    g_auto(GStrv) names = g_strsplit(path, ">", -1);
    for (char **name = names; *name; name++)
        if (!hf_selector_add_path(selector, HF_TEXT_LIKE, g_strstrip(*name), error))
            return FALSE;
    return TRUE;
}

gboolean hf_selector_set_state(HfSelector *selector, const char *word, gboolean wanted,
                               GError **error)
{
    HfTristate asked = wanted ? HF_TRISTATE_YES : HF_TRISTATE_NO;
    int state = hf_state_from_name(word);
    if (strcmp(word, "enabled") == 0)
        selector->enabled = asked;
    else if (strcmp(word, "visible") == 0)
        selector->visible = asked;
    else if (state < 0)
        return hf_fail(error, HF_ERROR_INVALID_PARAMS, "states: '%.64s' is not a state", word);
    else if (wanted)
        selector->with_states |= HF_STATE(state);
    else
        selector->without_states |= HF_STATE(state);
    return TRUE;
}

gboolean hf_selector_check(const HfSelector *selector, GError **error)
{
    if (hf_selector_is_empty(selector))
        return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                       "the selector is empty; write for example button \"Save\"");
    if (selector->distance && !selector->near)
        return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                       "distance: add near, which says what it is measured from");
    return TRUE;
}

typedef gboolean (*Reader)(HfSelector *selector, const json_t *value, int depth, GError **error);

static HfSelector *read_selector_json(const json_t *json, int depth, GError **error);

static gboolean fail_selector_member(GError **error, const char *member, const char *what)
{
    hf_fail(error, HF_ERROR_INVALID_PARAMS, "%s: expected %s", member, what);
    hf_error_take_details(error, json_pack("{s:s, s:s}", "path", member, "expected", what));
    return FALSE;
}

static gboolean read_text_condition(HfTextCondition *condition, const json_t *value,
                                    const char *where, GError **error)
{
    static const struct {
        const char *member;
        HfTextOperator how;
    } ways[] = {
        {"equals", HF_TEXT_EQUALS}, {"contains", HF_TEXT_CONTAINS}, {"regex", HF_TEXT_REGEX}};
    if (json_is_string(value))
        return hf_text_condition_init(condition, HF_TEXT_LIKE, json_string_value(value), where,
                                      error);
    for (gsize i = 0; i < G_N_ELEMENTS(ways); i++) {
        const char *text = hf_json_string(value, ways[i].member, NULL);
        if (text && json_object_size(value) == 1)
            return hf_text_condition_init(condition, ways[i].how, text, where, error);
    }
    return fail_selector_member(
        error, where, "a text, or an object with one of equals, contains and regex (a text)");
}

static gboolean read_role(HfSelector *selector, const json_t *value, int depth, GError **error)
{
    if (!json_is_string(value))
        return fail_selector_member(error, "role", "a text");
    return hf_selector_set_role(selector, json_string_value(value), error);
}

static gboolean read_path(HfSelector *selector, const json_t *value, int depth, GError **error)
{
    if (json_is_string(value))
        return hf_selector_set_path(selector, json_string_value(value), error);
    if (json_array_size(value) == 0)
        return fail_selector_member(error, "path", "names, as \"File > Open\" or as an array");
    hf_json_each (name, value)
        if (!json_is_string(name))
            return fail_selector_member(error, "path", "an array of texts");
        else if (!hf_selector_add_path(selector, HF_TEXT_LIKE, json_string_value(name), error))
            return FALSE;
    return TRUE;
}

static gboolean read_selector_rect(HfSelector *selector, const json_t *value, int depth,
                                   GError **error)
{
    static const char *const members[] = {"x", "y", "width", "height"};
    int numbers[4];
    for (gsize i = 0; i < 4; i++) {
        double number = hf_json_number(value, members[i], G_MAXDOUBLE);
        if (!(number >= -HF_LIMIT_SCREEN_EDGE && number <= 2 * HF_LIMIT_SCREEN_EDGE))
            return fail_selector_member(error, "rect",
                                        "{x, y, width, height} in pixels of the screen");
        numbers[i] = (int)number;
    }
    selector->rect = (HfRect){numbers[0], numbers[1], numbers[2], numbers[3]};
    return !hf_rect_is_empty(selector->rect) ||
           fail_selector_member(error, "rect", "an area with a width and a height");
}

static gboolean read_near(HfSelector *selector, const json_t *value, int depth, GError **error)
{
    const json_t *inner = json_object_get(value, "selector");
    hf_selector_free(selector->near);
    selector->near = read_selector_json(inner ? inner : value, depth + 1, error);
    if (!selector->near)
        return FALSE;
    if (!inner)
        return TRUE;
    const char *key;
    json_t *member;
    json_object_foreach ((json_t *)value, key, member)
        if (strcmp(key, "selector") != 0 && strcmp(key, "direction") != 0 &&
            strcmp(key, "distance") != 0)
            return fail_selector_member(error, "near", "only selector, direction and distance");
    double distance = hf_json_number(value, "distance", 0);
    if (!(distance >= 0 && distance <= HF_LIMIT_SCREEN_EDGE))
        return fail_selector_member(error, "near.distance", "pixels");
    selector->distance = (int)distance;
    const char *direction = hf_json_string(value, "direction", "any");
    static const char *const names[] = {"any", "left", "right", "above", "below"};
    for (int i = 0; i < HF_DIRECTION_COUNT; i++)
        if (strcmp(names[i], direction) == 0) {
            selector->direction = i;
            return TRUE;
        }
    return fail_selector_member(error, "near.direction", "any, left, right, above or below");
}

static gboolean read_container(HfSelector *selector, const json_t *value, int depth, GError **error)
{
    hf_selector_free(selector->in);
    selector->in = read_selector_json(value, depth + 1, error);
    return selector->in != NULL;
}

static gboolean read_nth(HfSelector *selector, const json_t *value, int depth, GError **error)
{
    double number = json_number_value(value);
    if (!(number >= 1 && number <= HF_SELECTOR_NTH && number == (int)number))
        return fail_selector_member(error, "nth", "a number from 1 on");
    selector->nth = (int)number;
    return TRUE;
}

static gboolean read_selector_states(HfSelector *selector, const json_t *value, int depth,
                                     GError **error)
{
    const char *state;
    json_t *wanted;
    if (!json_is_object(value))
        return fail_selector_member(error, "states", "an object like {\"checked\": true}");
    json_object_foreach ((json_t *)value, state, wanted)
        if (!json_is_boolean(wanted))
            return fail_selector_member(error, "states", "true or false for each");
        else if (!hf_selector_set_state(selector, state, json_is_true(wanted), error))
            return FALSE;
    return TRUE;
}

static gboolean read_ref(HfSelector *selector, const json_t *value, int depth, GError **error)
{
    g_autoptr(HfSelector) named =
        json_is_string(value) ? hf_selector_from_text(json_string_value(value), NULL) : NULL;
    if (!named || !named->ref)
        return fail_selector_member(error, "ref", "a reference like e12");
    selector->ref = named->ref;
    selector->snapshot = named->snapshot;
    return TRUE;
}

static gboolean read_member(HfSelector *selector, const char *name, const json_t *value, int depth,
                            GError **error)
{
    static const struct {
        const char *name;
        Reader read;
    } members[] = {
        {"role", read_role},
        {"path", read_path},
        {"rect", read_selector_rect},
        {"near", read_near},
        {"in", read_container},
        {"nth", read_nth},
        {"states", read_selector_states},
        {"ref", read_ref},
    };
    for (HfTextField field = 0; field < HF_FIELD_COUNT; field++)
        if (strcmp(hf_text_field_name(field), name) == 0)
            return read_text_condition(&selector->texts[field], value, name, error);
    for (gsize i = 0; i < G_N_ELEMENTS(members); i++)
        if (strcmp(members[i].name, name) == 0)
            return members[i].read(selector, value, depth, error);
    if (strcmp(name, "enabled") == 0 || strcmp(name, "visible") == 0)
        return json_is_boolean(value)
                   ? hf_selector_set_state(selector, name, json_is_true(value), error)
                   : fail_selector_member(error, name, "true or false");
    return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                   "'%.64s' is not a member of a selector; use role, name, value, identifier, "
                   "description, text, path, rect, near, in, nth, enabled, visible, states or ref",
                   name);
}

static HfSelector *read_object(const json_t *json, int depth, GError **error)
{
    g_autoptr(HfSelector) selector = g_new0(HfSelector, 1);
    const char *name;
    json_t *value;
    json_object_foreach ((json_t *)json, name, value)
        if (!read_member(selector, name, value, depth, error))
            return NULL;
    if (selector->ref && json_object_size(json) > 1) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS,
                "ref: cannot be combined with other members; leave them out");
        return NULL;
    }
    return hf_selector_check(selector, error) ? g_steal_pointer(&selector) : NULL;
}

static HfSelector *read_selector_json(const json_t *json, int depth, GError **error)
{
    if (depth > HF_LIMIT_SELECTOR_DEPTH) {
        hf_fail(error, HF_ERROR_LIMIT_EXCEEDED, "a selector nests at most %d deep",
                HF_LIMIT_SELECTOR_DEPTH);
        return NULL;
    }
    if (json_is_string(json))
        return hf_selector_from_text(json_string_value(json), error);
    if (json_is_object(json))
        return read_object(json, depth, error);
    fail_selector_member(error, "selector", "a text like button \"Save\", or an object");
    return NULL;
}

HfSelector *hf_selector_from_json(const json_t *json, GError **error)
{
    return read_selector_json(json, 1, error);
}

/* ---- the short form ---- */

static void append_quoted_text(GString *text, const char *what)
{
    g_string_append_c(text, '"');
    for (const char *at = what; *at; at++) {
        if (*at == '"' || *at == '\\')
            g_string_append_c(text, '\\');
        g_string_append_c(text, *at);
    }
    g_string_append_c(text, '"');
}

static void write_regex(GString *text, const char *pattern)
{
    g_string_append(text, "~/");
    for (const char *at = pattern; *at; at++) {
        if (*at == '/')
            g_string_append_c(text, '\\');
        g_string_append_c(text, *at);
        if (*at == '\\' && at[1])
            g_string_append_c(text, *++at);
    }
    g_string_append_c(text, '/');
}

static void write_test(GString *text, const HfTextCondition *condition)
{
    if (condition->how == HF_TEXT_REGEX) {
        write_regex(text, condition->text);
        return;
    }
    if (condition->how == HF_TEXT_EQUALS)
        g_string_append_c(text, '=');
    if (condition->how == HF_TEXT_CONTAINS)
        g_string_append(text, "*=");
    append_quoted_text(text, condition->text);
}

/* "text" before a quote would parse as the text on the screen. */
static gboolean reads_as_field(const char *role)
{
    return g_strcmp0(role, "text") == 0;
}

static void write_texts(GString *text, const HfSelector *selector)
{
    gboolean bare = !reads_as_field(selector->role);
    for (int field = 0; field < HF_FIELD_COUNT; field++) {
        if (selector->texts[field].how == HF_TEXT_NO_CONDITION)
            continue;
        if (text->len > 0)
            g_string_append_c(text, ' ');
        g_string_append(text, bare && field == HF_FIELD_NAME ? "" : hf_text_field_name(field));
        write_test(text, &selector->texts[field]);
    }
}

static void write_path(GString *text, const GPtrArray *path)
{
    g_autoptr(GString) names = g_string_new("");
    for (guint i = 0; path && i < path->len; i++)
        g_string_append_printf(names, "%s%s", i ? " > " : "",
                               ((const HfTextCondition *)path->pdata[i])->text);
    if (!path)
        return;
    g_string_append(text, text->len ? " path " : "path ");
    append_quoted_text(text, names->str);
}

static void write_nested_selector(GString *text, const char *clause, const HfSelector *part)
{
    g_autofree char *inner = hf_selector_to_text(part);
    g_string_append_printf(text, "%s%s (%s)", text->len ? " " : "", clause, inner);
}

static void write_near(GString *text, const HfSelector *selector)
{
    static const char *const clauses[] = {"near", "left of", "right of", "above", "below"};
    if (!selector->near)
        return;
    write_nested_selector(text, clauses[selector->direction], selector->near);
    if (selector->distance)
        g_string_append_printf(text, " within %d", selector->distance);
}

static void write_state(GString *text, HfTristate wanted, const char *word)
{
    if (wanted != HF_TRISTATE_UNSET)
        g_string_append_printf(text, "%s%s%s", text->len ? " " : "",
                               wanted == HF_TRISTATE_NO ? "not " : "", word);
}

static void write_states(GString *text, const HfSelector *selector)
{
    write_state(text, selector->enabled, "enabled");
    write_state(text, selector->visible, "visible");
    for (int state = 0; state < HF_STATE_COUNT; state++) {
        if (hf_states_have(selector->with_states, state))
            write_state(text, HF_TRISTATE_YES, hf_state_name(state));
        if (hf_states_have(selector->without_states, state))
            write_state(text, HF_TRISTATE_NO, hf_state_name(state));
    }
}

char *hf_selector_to_text(const HfSelector *selector)
{
    g_autoptr(GString) text = g_string_new(reads_as_field(selector->role) ? "role " : "");
    g_string_append(text, selector->role ? selector->role : "");
    if (selector->ref && selector->snapshot)
        return g_strdup_printf("s%u/e%u", selector->snapshot, selector->ref);
    if (selector->ref)
        return g_strdup_printf("e%u", selector->ref);
    write_texts(text, selector);
    write_path(text, selector->path);
    if (!hf_rect_is_empty(selector->rect))
        g_string_append_printf(text, "%srect %d,%d,%d,%d", text->len ? " " : "", selector->rect.x,
                               selector->rect.y, selector->rect.width, selector->rect.height);
    write_near(text, selector);
    if (selector->in)
        write_nested_selector(text, "in", selector->in);
    write_states(text, selector);
    if (selector->nth)
        g_string_append_printf(text, "%snth %d", text->len ? " " : "", selector->nth);
    return g_string_free(g_steal_pointer(&text), FALSE);
}
