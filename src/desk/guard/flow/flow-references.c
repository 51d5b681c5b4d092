/* SPDX-License-Identifier: Apache-2.0 */
/* A reference is "${" and names with dots between them, "[N]" for a place in a list, and "}". "$${"
 * stands for "${" itself. The text of a reference, the depth of a value and the length of the
 * result are all bounded. */
#include "desk/guard/flow/flow-references.h"

#include <string.h>

#include "desk/guard/guard-limits.h"
#include "shared/base/error.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"

#define MOST_PARTS 32

/* A parsed reference; the parts point into `text`. */
typedef struct Path {
    char text[HF_LIMIT_FLOW_REFERENCE_BYTES + 1];
    const char *parts[MOST_PARTS];
    guint count;
} Path;

static gboolean is_reference_char(char c)
{
    return g_ascii_isalnum(c) || c == '_' || c == '-';
}

gboolean hf_flow_is_name(const char *name)
{
    static const char *const taken[] = {"steps", "vars", "result", "index", NULL};
    gsize length = strlen(name);
    if (length == 0 || length > 64 || g_strv_contains(taken, name))
        return FALSE;
    for (gsize i = 0; i < length; i++)
        if (!is_reference_char(name[i]))
            return FALSE;
    return !g_ascii_isdigit(name[0]) && name[0] != '-';
}

/* Reads one part and returns its end; NULL when there is none. */
static char *read_reference_name(Path *path, char *at)
{
    char *end = at;
    while (is_reference_char(*end))
        end++;
    if (end == at || path->count == MOST_PARTS)
        return NULL;
    path->parts[path->count++] = at;
    return end;
}

static char *read_reference_index(Path *path, char *at)
{
    char *end = at;
    while (g_ascii_isdigit(*end))
        end++;
    if (end == at || end - at > 9 || *end != ']' || path->count == MOST_PARTS)
        return NULL;
    path->parts[path->count++] = at;
    *end = '\0';
    return end + 1;
}

static gboolean split_reference(Path *path, const char *inside, gsize length)
{
    path->count = 0;
    if (length == 0 || length > HF_LIMIT_FLOW_REFERENCE_BYTES)
        return FALSE;
    memcpy(path->text, inside, length);
    path->text[length] = '\0';
    char *at = read_reference_name(path, path->text);
    while (at && *at) {
        char sign = *at;
        *at++ = '\0';
        at = sign == '.'   ? read_reference_name(path, at)
             : sign == '[' ? read_reference_index(path, at)
                           : NULL;
    }
    return at != NULL;
}

static gboolean fail_reference_form(const char *at, GError **error)
{
    g_autofree char *shown = g_strndup(at, 60);
    g_autofree char *valid = g_utf8_make_valid(shown, -1);
    hf_fail(error, HF_ERROR_INVALID_PARAMS, "'%s' is not a reference", valid);
    hf_error_suggest(
        error,
        "write ${steps.NAME.result.MEMBER}, ${vars.NAME} or ${item}; for a literal ${ write $${");
    return FALSE;
}

/* Finds the next reference. FALSE: there is none, or (with an error) it is malformed. */
static gboolean find_next_reference(const char *at, const char **ret_begin, const char **ret_end,
                                    Path *path, GError **error)
{
    const char *begin = at;
    while ((begin = strstr(begin, "${")) && begin > at && begin[-1] == '$')
        begin += 2;
    if (!begin)
        return FALSE;
    const char *end = strchr(begin, '}');
    if (!end || !split_reference(path, begin + 2, (gsize)(end - begin - 2)))
        return fail_reference_form(begin, error);
    *ret_begin = begin;
    *ret_end = end + 1;
    return TRUE;
}

gboolean hf_flow_is_reference(const char *text)
{
    Path path;
    const char *begin, *end;
    return find_next_reference(text, &begin, &end, &path, NULL) && begin == text && *end == '\0';
}

/* ---- checking a whole value ---- */

static gboolean check_text_references(const char *text, HfFlowReferenceFunc visit, gpointer data,
                                      GError **error)
{
    Path path;
    const char *begin, *end = text;
    g_autoptr(GError) problem = NULL;
    while (find_next_reference(end, &begin, &end, &path, &problem))
        if (visit && !visit(path.parts[0], path.count > 1 ? path.parts[1] : NULL, data, error))
            return FALSE;
    if (!problem)
        return TRUE;
    g_propagate_error(error, g_steal_pointer(&problem));
    return FALSE;
}

static gboolean fail_depth(GError **error)
{
    return hf_fail(error, HF_ERROR_LIMIT_EXCEEDED, "values nest at most %d deep",
                   HF_LIMIT_FLOW_VALUE_DEPTH);
}

static gboolean check_value_references(const json_t *value, int depth, HfFlowReferenceFunc visit,
                                       gpointer data, GError **error)
{
    const char *key;
    json_t *member;
    if (depth > HF_LIMIT_FLOW_VALUE_DEPTH)
        return fail_depth(error);
    if (json_is_string(value))
        return check_text_references(json_string_value(value), visit, data, error);
    hf_json_each (item, value)
        if (!check_value_references(item, depth + 1, visit, data, error))
            return FALSE;
    json_object_foreach ((json_t *)value, key, member)
        if (!check_value_references(member, depth + 1, visit, data, error))
            return FALSE;
    return TRUE;
}

gboolean hf_flow_check_references(const json_t *value, HfFlowReferenceFunc visit, gpointer data,
                                  GError **error)
{
    return check_value_references(value, 0, visit, data, error);
}

static gboolean note_found(const char *root, const char *second, gpointer data, GError **error)
{
    *(gboolean *)data = TRUE;
    return TRUE;
}

gboolean hf_flow_has_reference(const json_t *value)
{
    gboolean found = FALSE;
    hf_flow_check_references(value, note_found, &found, NULL);
    return found;
}

/* ---- replacing ---- */

static const json_t *item_of(const HfFlowScope *scope, const char *root, gboolean *ret_own)
{
    for (const HfFlowItem *item = scope->items; item; item = item->outer) {
        if (strcmp(root, "index") == 0) {
            *ret_own = TRUE;
            return item->index;
        }
        if (strcmp(root, item->as) == 0) {
            *ret_own = item->own;
            return item->value;
        }
    }
    return NULL;
}

static const json_t *reference_root(const HfFlowScope *scope, const char *root, gboolean *ret_own)
{
    *ret_own = strcmp(root, "vars") == 0;
    if (*ret_own)
        return scope->vars;
    if (strcmp(root, "steps") == 0)
        return scope->steps;
    if (strcmp(root, "result") == 0)
        return scope->result;
    return item_of(scope, root, ret_own);
}

static const json_t *resolve_flow_reference(const Path *path, const HfFlowScope *scope,
                                            gboolean *ret_own)
{
    const json_t *value = reference_root(scope, path->parts[0], ret_own);
    for (guint i = 1; value && i < path->count; i++)
        value =
            json_is_array(value)
                ? (g_ascii_isdigit(path->parts[i][0])
                       ? json_array_get(value, (size_t)g_ascii_strtoull(path->parts[i], NULL, 10))
                       : NULL)
                : json_object_get(value, path->parts[i]);
    return value;
}

const json_t *hf_flow_find_value(const char *text, const HfFlowScope *scope)
{
    Path path;
    const char *begin, *end;
    gboolean own;
    return find_next_reference(text, &begin, &end, &path, NULL) && begin == text && *end == '\0'
               ? resolve_flow_reference(&path, scope, &own)
               : NULL;
}

static const json_t *resolve_checked(const Path *path, const char *text, const HfFlowScope *scope,
                                     gboolean own_text_only, GError **error)
{
    gboolean own;
    const json_t *value = resolve_flow_reference(path, scope, &own);
    g_autofree char *shown = g_strndup(text, 100);
    g_autofree char *valid = g_utf8_make_valid(shown, -1);
    if (!value) {
        hf_fail(error, HF_ERROR_PRECONDITION_FAILED, "'%s' refers to nothing", valid);
        hf_error_suggest(error, "check first that it exists: \"if\": {\"exists\": ...}");
        return NULL;
    }
    if (!own_text_only || own || json_is_number(value) || json_is_boolean(value))
        return value;
    hf_fail(error, HF_ERROR_FORBIDDEN,
            "'%s' is text that others wrote, so it must not become part of a command", valid);
    hf_error_suggest(
        error, "use only numbers from results in commands; pass text as an argument or in a file");
    return NULL;
}

static void append_value_text(GString *text, const json_t *value)
{
    if (json_is_string(value)) {
        g_string_append(text, json_string_value(value));
        return;
    }
    char *dump = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
    g_string_append(text, dump ? dump : "");
    free(dump);
}

/* Text between references; "$${" becomes "${". */
static void append_plain(GString *text, const char *from, const char *to)
{
    for (const char *p = from; p < to; p++) {
        if (p + 2 < to && p[0] == '$' && p[1] == '$' && p[2] == '{')
            p++;
        g_string_append_c(text, *p);
    }
}

static json_t *substitute_mixed_text(const char *given, const HfFlowScope *scope,
                                     gboolean own_text_only, GError **error)
{
    g_autoptr(GString) text = g_string_new(NULL);
    Path path;
    const char *begin, *at = given, *end;
    while (find_next_reference(at, &begin, &end, &path, NULL)) {
        const json_t *value = resolve_checked(&path, begin, scope, own_text_only, error);
        if (!value)
            return NULL;
        append_plain(text, at, begin);
        append_value_text(text, value);
        if (text->len > HF_LIMIT_FLOW_VALUE_BYTES) {
            hf_fail(error, HF_ERROR_LIMIT_EXCEEDED,
                    "a value with its references replaced has at most %zu bytes",
                    (size_t)HF_LIMIT_FLOW_VALUE_BYTES);
            return NULL;
        }
        at = end;
    }
    append_plain(text, at, at + strlen(at));
    return hf_json_text_n(text->str, text->len);
}

static json_t *substitute_text(const char *given, const HfFlowScope *scope, gboolean own_text_only,
                               GError **error)
{
    Path path;
    const char *begin, *end;
    if (!find_next_reference(given, &begin, &end, &path, NULL) || begin != given || *end)
        return substitute_mixed_text(given, scope, own_text_only, error);
    const json_t *value = resolve_checked(&path, begin, scope, own_text_only, error);
    return value ? json_deep_copy(value) : NULL;
}

static json_t *substitute_value(const json_t *value, int depth, const HfFlowScope *scope,
                                gboolean own_text_only, GError **error);

static json_t *substitute_list(const json_t *value, int depth, const HfFlowScope *scope,
                               gboolean own_text_only, GError **error)
{
    g_autoptr(json_t) list = json_array();
    hf_json_each (member, value) {
        json_t *filled = substitute_value(member, depth + 1, scope, own_text_only, error);
        if (!filled)
            return NULL;
        json_array_append_new(list, filled);
    }
    return g_steal_pointer(&list);
}

static json_t *substitute_object(const json_t *value, int depth, const HfFlowScope *scope,
                                 gboolean own_text_only, GError **error)
{
    g_autoptr(json_t) object = json_object();
    const char *key;
    json_t *member;
    json_object_foreach ((json_t *)value, key, member) {
        json_t *filled = substitute_value(member, depth + 1, scope, own_text_only, error);
        if (!filled)
            return NULL;
        json_object_set_new(object, key, filled);
    }
    return g_steal_pointer(&object);
}

static json_t *substitute_value(const json_t *value, int depth, const HfFlowScope *scope,
                                gboolean own_text_only, GError **error)
{
    if (depth > HF_LIMIT_FLOW_VALUE_DEPTH) {
        fail_depth(error);
        return NULL;
    }
    if (json_is_string(value))
        return substitute_text(json_string_value(value), scope, own_text_only, error);
    if (json_is_array(value))
        return substitute_list(value, depth, scope, own_text_only, error);
    return json_is_object(value) ? substitute_object(value, depth, scope, own_text_only, error)
                                 : json_incref((json_t *)value);
}

json_t *hf_flow_substitute(const json_t *value, const HfFlowScope *scope, gboolean own_text_only,
                           GError **error)
{
    return substitute_value(value, 0, scope, own_text_only, error);
}
