/* SPDX-License-Identifier: Apache-2.0 */
/* The one check of foreign parameters, made from their descriptions. It must never let a value
 * pass whose type or range a handler does not expect. */
#include "shared/tool/param-check.h"

#include <math.h>
#include <string.h>

#include "shared/base/error.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/text/text.h"

/* A longer list of names helps nobody. */
#define MOST_TOLD 24

static const char *const approval_actions[] = {"notify_only", "require_approval", "always_block",
                                               NULL};
static const char *const phases[] = {"prepare", "confirm", NULL};

static const char *const focus_policies[] = {"focus_if_needed", "require_focused",
                                             "fail_if_not_focused", NULL};
static const HfParam route_app_fields[] = {
    HF_STRING("name", "Its executable or class; case is ignored", .means = HF_MEANS_PLAIN, .min = 1,
              .max = HF_LIMIT_TITLE_BYTES),
    HF_INTEGER("pid", "Its process", .min = 2, .max = 4194304),
    {0},
};
static const HfParam route_title_fields[] = {
    HF_STRING("equals", "Exactly this title", .means = HF_MEANS_PLAIN, .max = HF_LIMIT_TITLE_BYTES),
    HF_STRING("contains", "A part of the title; case is ignored", .means = HF_MEANS_PLAIN, .min = 1,
              .max = HF_LIMIT_TITLE_BYTES),
    HF_STRING("regex", "A Perl-compatible regular expression found in the title",
              .means = HF_MEANS_PLAIN, .min = 1, .max = HF_LIMIT_SELECTOR_TEXT_BYTES),
    {0},
};
static const HfParam route_title = {.type = HF_TYPE_OBJECT, .fields = route_title_fields};
static const HfParam route_window_fields[] = {
    HF_INTEGER("id", "Its window_id, as window_list gives it", .min = 1, .max = 4294967295.0),
    HF_STRING("title", "Its title or a part of it, or {equals, contains, regex}",
              .means = HF_MEANS_PLAIN, .min = 1, .max = HF_LIMIT_TITLE_BYTES, .also = &route_title),
    {0},
};
static const HfParam route_display = {.type = HF_TYPE_INTEGER, .min = 0, .max = 63};
static const HfParam route_fields[] = {
    HF_OBJECT("app", "The program that owns the window", .fields = route_app_fields),
    HF_OBJECT("window", "Which one of several", .fields = route_window_fields),
    HF_STRING("display", "The monitor that it must be on: its name, or its number, counted from 0",
              .means = HF_MEANS_PLAIN, .min = 1, .max = HF_LIMIT_NAME_BYTES,
              .also = &route_display),
    HF_STRING("focus_policy",
              "For input: bring the window to the front first (default), or refuse unless it has "
              "the focus",
              .choices = focus_policies),
    {0},
};

const HfParam hf_common_params[] = {
    HF_STRING("desktop", "Name of the desktop (default: main)", .max = HF_LIMIT_NAME_BYTES),
    HF_INTEGER("timeout_ms", "Time limit of this call in milliseconds", .min = 1,
               .max = HF_LIMIT_TIMEOUT_MS),
    HF_STRING("run_id", "Run that this call belongs to", .max = HF_LIMIT_NAME_BYTES),
    HF_STRING("project", "Project that this call belongs to", .max = HF_LIMIT_NAME_BYTES),
    HF_STRING("idempotency_key",
              "Your key for this call: a call with a key that was used before is not done again "
              "but gets the same answer",
              .min = 1, .max = HF_LIMIT_IDEMPOTENCY_KEY_BYTES),
    HF_BOOLEAN("dry_run", "Do nothing; report what would be decided and what would be affected"),
    HF_BOOLEAN("async", "Answer at once and continue in the background: see operation_status"),
    HF_STRING("grant", "The grant that limits this call: the caller's own or a part of it",
              .means = HF_MEANS_PLAIN, .min = 1, .max = HF_LIMIT_NAME_BYTES),
    HF_STRING("reason", "The reason for this call, for the audit", .max = HF_LIMIT_TITLE_BYTES),
    HF_STRING("approval", "Be stricter with this call than the owner requires; never less strict",
              .choices = approval_actions),
    HF_STRING("phase", "prepare: check everything, do nothing, get a confirm_token; confirm: do it",
              .choices = phases),
    HF_STRING("confirm_token", "The token that prepare gave for exactly this call",
              .max = HF_LIMIT_NAME_BYTES),
    HF_OBJECT("route",
              "The window that the call is meant for; the call is refused if it would reach "
              "another one",
              .fields = route_fields),
    HF_BOOLEAN(
        "verify",
        "Watch briefly what the action changes, and report it as 'effect' (default: true; in "
        "a macro: false)"),
    {0},
};

static gboolean check_param_value(const HfParam *param, const json_t *value, const char *path,
                                  GError **error);

static gboolean fail_param(GError **error, const char *path, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

static gboolean fail_param(GError **error, const char *path, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *expected = g_strdup_vprintf(format, args);
    va_end(args);
    hf_fail(error, HF_ERROR_INVALID_PARAMS, "%s: %s", path, expected);
    hf_error_take_details(error, json_pack("{s:o, s:o}", "path", hf_json_text(path), "expected",
                                           hf_json_text(expected)));
    return FALSE;
}

static gboolean has_range(const HfParam *param)
{
    return param->min != 0 || param->max != 0;
}

static gboolean check_number(const HfParam *param, const json_t *value, const char *path,
                             GError **error)
{
    if (!json_is_number(value))
        return fail_param(error, path, "expected %s",
                          param->type == HF_TYPE_INTEGER ? "a whole number" : "a number");
    double number = json_number_value(value);
    if (param->type == HF_TYPE_INTEGER && number != floor(number))
        return fail_param(error, path, "expected a whole number, not %g", number);
    if (has_range(param) && (number < param->min || number > param->max))
        return fail_param(error, path, "expected %.15g to %.15g, not %.15g", param->min, param->max,
                          number);
    return TRUE;
}

static gboolean check_string(const HfParam *param, const json_t *value, const char *path,
                             GError **error)
{
    if (!json_is_string(value))
        return fail_param(error, path, "expected a string");
    gsize length = json_string_length(value);
    if (has_range(param) && length < param->min)
        return fail_param(error, path, "expected at least %.0f bytes of text", param->min);
    if (has_range(param) && length > param->max)
        return fail_param(error, path, "expected at most %.0f bytes of text, not %zu", param->max,
                          length);
    if (!param->choices || g_strv_contains(param->choices, json_string_value(value)))
        return TRUE;
    g_autofree char *choices = g_strjoinv(", ", (char **)param->choices);
    return fail_param(error, path, "expected one of: %s", choices);
}

static gboolean check_count(const HfParam *param, size_t count, const char *path, GError **error)
{
    if (has_range(param) && ((double)count < param->min || (double)count > param->max))
        return fail_param(error, path, "expected %.0f to %.0f members, not %zu", param->min,
                          param->max, count);
    return TRUE;
}

static gboolean check_array(const HfParam *param, const json_t *value, const char *path,
                            GError **error)
{
    if (!json_is_array(value))
        return fail_param(error, path, "expected an array");
    size_t count = json_array_size(value);
    if (!check_count(param, count, path, error))
        return FALSE;
    for (size_t i = 0; param->items && i < count; i++) {
        g_autofree char *member = g_strdup_printf("%s[%zu]", path, i);
        if (!check_param_value(param->items, json_array_get(value, i), member, error))
            return FALSE;
    }
    return TRUE;
}

/* The name in the tables that was probably meant; NULL: none is near. */
static const char *find_near_param(const HfParam *table, const HfParam *more, const char *name)
{
    const char *nearest = NULL;
    guint least = 3; /* two typing errors */
    for (int i = 0; i < 2; i++)
        for (const HfParam *param = i == 0 ? table : more; param && param->name; param++) {
            guint distance = hf_text_distance(param->name, name);
            if (distance < least && distance < strlen(param->name)) {
                least = distance;
                nearest = param->name;
            }
        }
    return nearest;
}

/* The names of a table, unless it is too long. */
static void suggest_names(const HfParam *table, GError **error)
{
    g_autoptr(GString) names = g_string_new(NULL);
    guint count = 0;
    for (const HfParam *param = table; param && param->name; param++, count++)
        g_string_append_printf(names, "%s%s", count > 0 ? ", " : "", param->name);
    if (count > 0 && count <= MOST_TOLD)
        hf_error_suggest(error, "it takes: %s", names->str);
}

static gboolean fail_unknown_member(const HfParam *table, const HfParam *common, const char *name,
                                    const char *path, GError **error)
{
    const char *kind = common ? "parameter" : "field";
    const char *near = find_near_param(table, common, name);
    if (near)
        return fail_param(error, path, "there is no such %s; did you mean '%s'?", kind, near);
    fail_param(error, path, "there is no such %s", kind);
    suggest_names(table, error);
    return FALSE;
}

static gboolean check_object_members(const HfParam *table, const HfParam *common,
                                     const json_t *object, const char *prefix, GError **error)
{
    const char *key;
    json_t *value;
    json_object_foreach ((json_t *)object, key, value) {
        const HfParam *param = hf_param_find(table, key);
        if (!param)
            param = hf_param_find(common, key);
        g_autofree char *name = hf_text_shorten(key, HF_LIMIT_NAME_BYTES);
        g_autofree char *path = *prefix ? g_strdup_printf("%s.%s", prefix, name) : g_strdup(name);
        if (!param)
            return fail_unknown_member(table, common, name, path, error);
        if (!check_param_value(param, value, path, error))
            return FALSE;
    }
    for (const HfParam *param = table; param && param->name; param++) {
        g_autofree char *path =
            *prefix ? g_strdup_printf("%s.%s", prefix, param->name) : g_strdup(param->name);
        if (param->required && !json_object_get(object, param->name))
            return fail_param(error, path, "is required: %s", param->about);
    }
    return TRUE;
}

/* The caller chooses the names in a map; only their length is checked. */
static gboolean check_map(const HfParam *param, const json_t *value, const char *path,
                          GError **error)
{
    const char *key;
    json_t *member;
    if (!check_count(param, json_object_size(value), path, error))
        return FALSE;
    json_object_foreach ((json_t *)value, key, member) {
        g_autofree char *name = hf_text_shorten(key, HF_LIMIT_NAME_BYTES);
        g_autofree char *place = g_strdup_printf("%s.%s", path, name);
        if (!*key || strlen(key) > HF_LIMIT_TITLE_BYTES)
            return fail_param(error, place, "expected a name of 1 to %u bytes",
                              HF_LIMIT_TITLE_BYTES);
        if (!check_param_value(param->items, member, place, error))
            return FALSE;
    }
    return TRUE;
}

static gboolean check_object(const HfParam *param, const json_t *value, const char *path,
                             GError **error)
{
    if (!json_is_object(value))
        return fail_param(error, path, "expected an object");
    if (param->fields)
        return check_object_members(param->fields, NULL, value, path, error);
    return !param->items || check_map(param, value, path, error);
}

static gboolean is_json_of_type(const json_t *value, HfType type)
{
    switch (type) {
    case HF_TYPE_STRING:
        return json_is_string(value);
    case HF_TYPE_INTEGER:
    case HF_TYPE_NUMBER:
        return json_is_number(value);
    case HF_TYPE_BOOLEAN:
        return json_is_boolean(value);
    case HF_TYPE_ARRAY:
        return json_is_array(value);
    case HF_TYPE_OBJECT:
        return json_is_object(value);
    case HF_TYPE_NONE:
        break;
    }
    return FALSE;
}

static gboolean check_param_value(const HfParam *param, const json_t *value, const char *path,
                                  GError **error)
{
    if (param->also && is_json_of_type(value, param->also->type))
        return check_param_value(param->also, value, path, error);
    switch (param->type) {
    case HF_TYPE_STRING:
        return check_string(param, value, path, error);
    case HF_TYPE_INTEGER:
    case HF_TYPE_NUMBER:
        return check_number(param, value, path, error);
    case HF_TYPE_BOOLEAN:
        return json_is_boolean(value) || fail_param(error, path, "expected true or false");
    case HF_TYPE_ARRAY:
        return check_array(param, value, path, error);
    case HF_TYPE_OBJECT:
        return check_object(param, value, path, error);
    case HF_TYPE_NONE:
        break;
    }
    g_return_val_if_reached(FALSE);
}

static json_t *fallback_of(const HfParam *param)
{
    return json_loads(param->fallback, JSON_DECODE_ANY, NULL);
}

json_t *hf_check_params(const HfParam *table, const json_t *params, GError **error)
{
    if (!json_is_object(params)) {
        fail_param(error, "params", "expected an object");
        return NULL;
    }
    if (!check_object_members(table, hf_common_params, params, "", error))
        return NULL;
    json_t *complete = json_object();
    for (const HfParam *param = table; param && param->name; param++) {
        json_t *value = json_object_get(params, param->name);
        if (value)
            json_object_set(complete, param->name, value);
        else if (param->fallback)
            json_object_set_new(complete, param->name, fallback_of(param));
    }
    return complete;
}

gboolean hf_check_result(const HfParam *table, const json_t *result, GError **error)
{
    return check_object_members(table, NULL, result, "", error);
}

static json_t *complete_map(const HfParam *items, const json_t *map)
{
    json_t *complete = json_object();
    const char *key;
    json_t *member;
    json_object_foreach ((json_t *)map, key, member)
        json_object_set_new(complete, key,
                            items->fields ? hf_check_complete(items->fields, member)
                                          : json_deep_copy(member));
    return complete;
}

json_t *hf_check_complete(const HfParam *table, const json_t *object)
{
    json_t *complete = json_object();
    for (const HfParam *param = table; param->name; param++) {
        const json_t *value = json_object_get(object, param->name);
        gboolean nested = param->type == HF_TYPE_OBJECT && (!value || json_is_object(value));
        if (nested && param->fields)
            json_object_set_new(complete, param->name, hf_check_complete(param->fields, value));
        else if (nested && param->items)
            json_object_set_new(complete, param->name, complete_map(param->items, value));
        else if (value)
            json_object_set_new(complete, param->name, json_deep_copy(value));
        else if (param->fallback)
            json_object_set_new(complete, param->name, fallback_of(param));
    }
    return complete;
}
