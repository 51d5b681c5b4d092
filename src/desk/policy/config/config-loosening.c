/* SPDX-License-Identifier: Apache-2.0 */
/* Walks through the table of fields. Its column `looser` decides for each value; what it does not
 * declare counts as loosening. Of a list that allows, entries can be removed at once; of a list
 * that forbids, entries can be added at once. */
#include "desk/policy/config/config-loosening.h"

#include <string.h>

#include "desk/policy/config/config-fields.h"
#include "desk/policy/config/config.h"
#include "shared/base/json.h"

typedef struct Merge {
    const json_t *free_fields;
    json_t *held;
} Merge;

/* ---- single values ---- */

static int find_choice(const HfParam *field, const json_t *value)
{
    for (int i = 0; field->choices[i]; i++)
        if (g_strcmp0(field->choices[i], json_string_value(value)) == 0)
            return i;
    return -1;
}

static double last_choice(const HfParam *field)
{
    return (double)g_strv_length((char **)field->choices) - 1;
}

/* A number that grows with the freedom. An absent choice has another value of the configuration,
 * which may be anything: it is taken for the strictest when it is replaced (`before`), and for the
 * loosest when it replaces. */
static double measure_freedom(const HfParam *field, const json_t *value, gboolean before)
{
    gboolean more = field->looser != HF_LOOSER_LESS;
    double number = json_is_boolean(value) ? json_is_true(value) : json_number_value(value);
    if (field->choices)
        number = value ? find_choice(field, value) : (before != more ? last_choice(field) : 0);
    if (field->looser == HF_LOOSER_MORE_OR_NONE && number == 0)
        return G_MAXDOUBLE;
    return more ? number : -number;
}

static double measure_action(const json_t *object, const char *name)
{
    const char *action = hf_json_string(object, name, "");
    for (int i = 0; hf_approval_actions[i]; i++)
        if (g_str_equal(hf_approval_actions[i], action))
            return -i;
    return 0;
}

static double measure_mode(const json_t *template)
{
    const char *mode = hf_json_string(template, "mode", "auto");
    return g_str_equal(mode, "auto") ? 2 : g_str_equal(mode, "supervised") ? 1 : 0;
}

/* An absent name means the default template, which is a field of its own: unknown here. */
static gboolean is_looser_template(const json_t *old, const json_t *new)
{
    const json_t *before = old ? hf_approval_template_find(json_string_value(old)) : NULL;
    const json_t *after = new ? hf_approval_template_find(json_string_value(new)) : NULL;
    if (!before || !after)
        return TRUE;
    const json_t *then = json_object_get(before, "risk_policies");
    const json_t *now = json_object_get(after, "risk_policies");
    const char *risk;
    json_t *action;
    json_object_foreach ((json_t *)now, risk, action)
        if (measure_action(now, risk) > measure_action(then, risk))
            return TRUE;
    gboolean was_tainted = g_str_equal(hf_json_string(before, "tainted", ""), "on");
    gboolean is_tainted = g_str_equal(hf_json_string(after, "tainted", ""), "on");
    return measure_mode(after) > measure_mode(before) || (was_tainted && !is_tainted);
}

static gboolean is_looser_value(const HfParam *field, const json_t *old, const json_t *new)
{
    switch (field->looser) {
    case HF_LOOSER_NEVER:
        return FALSE;
    case HF_LOOSER_WITHOUT:
        return old != NULL;
    case HF_LOOSER_TEMPLATE:
        return is_looser_template(old, new);
    case HF_LOOSER_MORE:
    case HF_LOOSER_LESS:
    case HF_LOOSER_MORE_OR_NONE:
        return measure_freedom(field, new, FALSE) > measure_freedom(field, old, TRUE);
    default:
        return TRUE;
    }
}

/* ---- lists ---- */

static gboolean list_has(const json_t *list, const json_t *entry)
{
    hf_json_each (other, list)
        if (json_equal(other, entry) || g_strcmp0(json_string_value(other), "*") == 0)
            return TRUE;
    return FALSE;
}

static json_t *list_part(const json_t *list, const json_t *other, gboolean in_other)
{
    json_t *part = json_array();
    hf_json_each (entry, list)
        if (list_has(other, entry) == in_other)
            json_array_append(part, (json_t *)entry);
    return part;
}

/* A list that allows: only entries that were allowed before. One that becomes empty, or was, says
 * something else: then nothing is taken over. */
static json_t *merge_allowed(const HfParam *field, const json_t *old, const json_t *new)
{
    gboolean none_is_all = field->looser == HF_LOOSER_MORE_OR_NONE;
    if (none_is_all && json_array_size(old) == 0)
        return json_incref((json_t *)new);
    if (json_array_size(new) == 0)
        return none_is_all ? json_incref((json_t *)old) : json_array();
    g_autoptr(json_t) both = list_part(new, old, TRUE);
    return json_array_size(both) > 0 ? g_steal_pointer(&both) : json_incref((json_t *)old);
}

/* A list that forbids: what was forbidden stays so. */
static json_t *merge_forbidden(const json_t *old, const json_t *new)
{
    json_t *all = new ? json_copy((json_t *)new) : json_array();
    hf_json_each (entry, old)
        if (!list_has(new, entry))
            json_array_append(all, (json_t *)entry);
    return all;
}

static json_t *merge_list(const HfParam *field, const json_t *old, const json_t *new)
{
    if (field->looser == HF_LOOSER_MORE || field->looser == HF_LOOSER_MORE_OR_NONE)
        return merge_allowed(field, old, new);
    if (field->looser == HF_LOOSER_LESS)
        return merge_forbidden(old, new);
    return json_incref((json_t *)(field->looser == HF_LOOSER_NEVER ? new : old));
}

/* ---- the whole ---- */

static gboolean is_free_field(const Merge *merge, const char *path)
{
    hf_json_each (field, merge->free_fields) {
        const char *name = json_string_value(field);
        gsize length = strlen(name);
        if (strncmp(path, name, length) == 0 && (path[length] == 0 || path[length] == '.'))
            return TRUE;
    }
    return FALSE;
}

static gboolean is_same_list(const json_t *one, const json_t *other)
{
    return json_equal((json_t *)one, (json_t *)other) ||
           (json_array_size(one) == 0 && json_array_size(other) == 0);
}

static json_t *merge_leaf(Merge *merge, const HfParam *field, const char *path, const json_t *old,
                          const json_t *new)
{
    gboolean list = field->type == HF_TYPE_ARRAY;
    json_t *merged = list ? merge_list(field, old, new)
                          : json_incref((json_t *)(is_looser_value(field, old, new) ? old : new));
    if (list ? is_same_list(merged, new) : merged == new)
        return merged;
    json_t *entry = json_pack("{s:o}", "field", hf_json_text(path));
    if (old)
        json_object_set(entry, "accepted", (json_t *)old);
    if (new)
        json_object_set(entry, "wanted", (json_t *)new);
    json_array_append_new(merge->held, entry);
    return merged;
}

static json_t *merge_value(Merge *merge, const HfParam *field, const char *path, const json_t *old,
                           const json_t *new);

static void merge_member(Merge *merge, json_t *merged, const HfParam *field, const char *prefix,
                         const char *name, const json_t *old, const json_t *new)
{
    g_autofree char *path = hf_config_path_join(prefix, name);
    json_t *value =
        merge_value(merge, field, path, json_object_get(old, name), json_object_get(new, name));
    if (value)
        json_object_set_new(merged, name, value);
}

static json_t *merge_object(Merge *merge, const HfParam *table, const char *path, const json_t *old,
                            const json_t *new)
{
    json_t *merged = json_object();
    for (const HfParam *field = table; field->name; field++)
        merge_member(merge, merged, field, path, field->name, old, new);
    return merged;
}

static json_t *merge_map(Merge *merge, const HfParam *item, const char *path, const json_t *old,
                         const json_t *new)
{
    json_t *merged = json_object();
    const char *name;
    json_t *value;
    json_object_foreach ((json_t *)new, name, value)
        merge_member(merge, merged, item, path, name, old, new);
    json_object_foreach ((json_t *)old, name, value)
        if (!json_object_get(new, name))
            merge_member(merge, merged, item, path, name, old, new);
    return merged;
}

/* NULL when the value is absent. An object that is gone, and of which nothing is held, is absent
 * too. */
static json_t *merge_value(Merge *merge, const HfParam *field, const char *path, const json_t *old,
                           const json_t *new)
{
    if ((old && new &&json_equal((json_t *)old, (json_t *)new)) || (!old && !new) ||
        is_free_field(merge, path))
        return json_incref((json_t *)new);
    if (field->type != HF_TYPE_OBJECT)
        return merge_leaf(merge, field, path, old, new);
    g_autoptr(json_t) merged = field->fields ? merge_object(merge, field->fields, path, old, new)
                                             : merge_map(merge, field->items, path, old, new);
    return new || json_object_size(merged) > 0 ? g_steal_pointer(&merged) : NULL;
}

json_t *hf_config_hold_loosening(const json_t *accepted, const json_t *wanted,
                                 const json_t *free_fields, json_t *held)
{
    Merge merge = {free_fields, held};
    return merge_object(&merge, hf_config_fields, "", accepted, wanted);
}

static json_t *dup_table_without_defaults(const HfParam *table, const json_t *object)
{
    json_t *copy = json_object();
    for (const HfParam *field = table; field->name; field++) {
        const json_t *value = json_object_get(object, field->name);
        g_autoptr(json_t) fallback =
            field->fallback ? json_loads(field->fallback, JSON_DECODE_ANY, NULL) : NULL;
        g_autoptr(json_t) inner = value && field->type == HF_TYPE_OBJECT && field->fields
                                      ? dup_table_without_defaults(field->fields, value)
                                      : NULL;
        if (inner && json_object_size(inner) == 0)
            continue;
        if (value && !(fallback && json_equal(fallback, (json_t *)value)))
            json_object_set(copy, field->name, inner ? inner : (json_t *)value);
    }
    return copy;
}

json_t *hf_config_dup_without_defaults(const json_t *document)
{
    return dup_table_without_defaults(hf_config_fields, document);
}
