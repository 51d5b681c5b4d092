/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the schema, then applies the policy, then fills in defaults. A field that the
 * administrator has set must be absent or equal in the owner's file: a value that is silently
 * ignored would mislead its reader. */
#include "desk/policy/config/config.h"

#include <stdlib.h>
#include <string.h>

#include "desk/policy/config/config-fields.h"
#include "desk/policy/config/config-file.h"
#include "desk/policy/config/config-tool-names.h"
#include "shared/base/data.h"
#include "shared/base/error.h"
#include "shared/base/json.h"
#include "shared/tool/param-check.h"

/* An entry without effect is refused, because somebody relies on it. */
static const json_t *blur_list_of(const json_t *document)
{
    return json_object_get(json_object_get(document, "privacy"), "blur");
}

/* NULL: the entry is fine. */
static const char *find_blur_entry_fault(const json_t *entry)
{
    const json_t *window = json_object_get(entry, "window"), *rect = json_object_get(entry, "rect");
    if (!window && !rect)
        return "expected a window, a rect, or both";
    if (window && json_object_size(window) == 0)
        return "window: expected a title, an app, or both";
    if (json_object_get(entry, "corner") && (!window || !rect))
        return "corner: only goes with a rect within a window";
    return NULL;
}

gboolean hf_config_privacy_check(const json_t *document, const char *file, GError **error)
{
    size_t index;
    json_t *entry;
    json_array_foreach (blur_list_of(document), index, entry) {
        const char *fault = find_blur_entry_fault(entry);
        if (!fault)
            continue;
        g_autofree char *path = g_strdup_printf("privacy.blur[%zu]", index);
        hf_fail(error, HF_ERROR_CONFIG_INVALID, "%s%s%s: %s", file ? file : "", file ? ": " : "",
                path, fault);
        hf_error_take_details(error, json_pack("{s:s, s:s}", "path", path, "expected", fault));
        return FALSE;
    }
    return TRUE;
}

json_t *hf_config_privacy_steal_list(json_t *policy)
{
    json_t *privacy = json_object_get(policy, "privacy");
    json_t *list = json_incref(json_object_get(privacy, "blur"));
    json_object_del(privacy, "blur");
    if (json_object_size(privacy) == 0)
        json_object_del(policy, "privacy");
    return list;
}

static gboolean blur_list_has(const json_t *list, const json_t *entry)
{
    hf_json_each (other, list)
        if (json_equal(other, entry))
            return TRUE;
    return FALSE;
}

void hf_config_privacy_add_list(json_t *document, const json_t *list)
{
    if (json_array_size(list) == 0)
        return;
    json_t *all = json_copy((json_t *)list), *entry;
    size_t index;
    json_array_foreach (blur_list_of(document), index, entry)
        if (!blur_list_has(list, entry))
            json_array_append(all, entry);
    json_t *privacy = json_object_get(document, "privacy");
    if (!privacy) {
        privacy = json_object();
        json_object_set_new(document, "privacy", privacy);
    }
    json_object_set_new(privacy, "blur", all);
}

json_t *hf_config_privacy_list_for(const json_t *blur, const char *desktop)
{
    json_t *holds = NULL, *entry;
    size_t index;
    json_array_foreach (blur, index, entry) {
        const char *only = hf_json_string(entry, "desktop", desktop);
        if (!g_str_equal(only, desktop))
            continue;
        if (!holds)
            holds = json_array();
        json_array_append_new(holds, json_deep_copy(entry));
    }
    return holds;
}

/* Names that contain dots (programs, clients) are written in double quotes. */
static gboolean take_name(const char **at, GPtrArray *names)
{
    const char *start = *at;
    gboolean quoted = *start == '"';
    start += quoted;
    const char *end = quoted ? strchr(start, '"') : start + strcspn(start, ".\"");
    if (!end || end == start)
        return FALSE;
    g_ptr_array_add(names, g_strndup(start, (gsize)(end - start)));
    *at = end + quoted;
    return **at == '\0' || **at == '.';
}

char **hf_config_path_split(const char *path, GError **error)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    const char *at = path;
    gboolean good = take_name(&at, names);
    while (good && *at == '.') {
        at++;
        good = take_name(&at, names);
    }
    if (!good) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "'%s' is not a path of a field", path);
        hf_error_suggest(error,
                         "write it like security.permission_level, or clients.\"a.b\".level");
        return NULL;
    }
    g_ptr_array_add(names, NULL);
    return (char **)g_ptr_array_steal(names, NULL);
}

char *hf_config_path_join(const char *prefix, const char *name)
{
    const char *quote = strchr(name, '.') ? "\"" : "";
    return g_strconcat(prefix, *prefix ? "." : "", quote, name, quote, NULL);
}

json_t *hf_config_path_get(const json_t *document, const char *const *names)
{
    const json_t *at = document;
    for (; at && *names; names++)
        at = json_object_get(at, *names);
    return (json_t *)at;
}

gboolean hf_config_path_set(json_t *document, const char *const *names, json_t *take_value)
{
    for (; names[1] && json_is_object(document); names++) {
        json_t *next = json_object_get(document, names[0]);
        if (!next && !take_value)
            return TRUE;
        if (!next) {
            next = json_object();
            json_object_set_new(document, names[0], next);
        }
        document = next;
    }
    if (!json_is_object(document)) {
        json_decref(take_value);
        return FALSE;
    }
    if (take_value)
        json_object_set_new(document, names[0], take_value);
    else
        json_object_del(document, names[0]);
    return TRUE;
}

const HfParam *hf_config_path_describe(const char *const *names)
{
    const HfParam *table = hf_config_fields, *param = NULL;
    for (; *names; names++) {
        gboolean is_map = param && param->type == HF_TYPE_OBJECT && !param->fields;
        param = is_map ? param->items : hf_param_find(table, *names);
        if (!param)
            return NULL;
        table = param->fields;
    }
    return param;
}

const json_t *hf_approval_templates(void)
{
    static gsize ready;
    static json_t *templates;
    if (g_once_init_enter(&ready)) {
        templates = json_loads(hf_data_find("templates.json"), 0, NULL);
        g_assert_nonnull(templates);
        g_once_init_leave(&ready, 1);
    }
    return templates;
}

const json_t *hf_approval_template_find(const char *name)
{
    const char *key;
    json_t *template;
    json_object_foreach ((json_t *)hf_approval_templates(), key, template)
        hf_json_each (other, json_object_get(template, "names"))
            if (strcmp(json_string_value(other), name) == 0)
                return template;
    return NULL;
}

struct HfConfig {
    gatomicrefcount references;
    json_t *document;
    json_t *locked;
    char *hash;
};

#define COMMENT "//"

static json_t *without_comments(const json_t *value)
{
    const char *key;
    json_t *member;
    json_t *copy;
    if (json_is_object(value)) {
        copy = json_object();
        json_object_foreach ((json_t *)value, key, member)
            if (!g_str_equal(key, COMMENT))
                json_object_set_new(copy, key, without_comments(member));
        return copy;
    }
    if (!json_is_array(value))
        return json_copy((json_t *)value);
    copy = json_array();
    hf_json_each (item, value)
        json_array_append_new(copy, without_comments(item));
    return copy;
}

static gboolean check_config_document(const json_t *document, const char *file, GError **error)
{
    g_autoptr(GError) problem = NULL;
    if (hf_check_result(hf_config_fields, document, &problem))
        return TRUE;
    g_autoptr(json_t) wire = hf_error_to_json(problem);
    g_autofree char *prefix = file ? g_strdup_printf("%s: ", file) : g_strdup("");
    hf_fail(error, HF_ERROR_CONFIG_INVALID, "%s%s", prefix, problem->message);
    hf_error_take_details(error, json_incref(json_object_get(wire, "details")));
    return FALSE;
}

/* Directories must be absolute or begin with ~: a daemon has no useful working directory. */
static gboolean check_directories(const json_t *document, GError **error)
{
    size_t index;
    json_t *entry;
    const json_t *list =
        json_object_get(json_object_get(document, "security"), "allowed_directories");
    json_array_foreach (list, index, entry) {
        const char *path = json_string_value(entry);
        if (g_path_is_absolute(path) || g_str_equal(path, "~") || g_str_has_prefix(path, "~/"))
            continue;
        hf_fail(error, HF_ERROR_CONFIG_INVALID,
                "security.allowed_directories[%zu]: expected a path that begins with / or ~/, not "
                "'%s'",
                index, path);
        hf_error_take_details(error, json_pack("{s:s, s:s}", "path", "security.allowed_directories",
                                               "expected", "a path that begins with / or ~/"));
        return FALSE;
    }
    return TRUE;
}

static gboolean fail_locked(const char *path, const json_t *decided, const char *policy_path,
                            GError **error)
{
    g_autofree char *value = hf_json_dump(decided);
    hf_fail(error, HF_ERROR_CONFIG_INVALID, "%s: %s sets this field to %s", path, policy_path,
            value);
    hf_error_suggest(error, "remove the field; only the administrator can change it");
    hf_error_take_details(error,
                          json_pack("{s:o, s:O, s:o}", "path", hf_json_text(path), "expected",
                                    decided, "policy", hf_json_text(policy_path)));
    return FALSE;
}

/* Copies each value of the policy into the document. An empty object is a value too: it keeps the
 * owner from adding members. */
static gboolean impose_policy(json_t *document, const json_t *policy, const char *prefix,
                              const char *policy_path, json_t *locked, GError **error)
{
    const char *key;
    json_t *decided;
    json_object_foreach ((json_t *)policy, key, decided) {
        g_autofree char *path = hf_config_path_join(prefix, key);
        json_t *own = json_object_get(document, key);
        if (json_object_size(decided) > 0) {
            if (!own) {
                own = json_object();
                json_object_set_new(document, key, own);
            }
            if (!impose_policy(own, decided, path, policy_path, locked, error))
                return FALSE;
            continue;
        }
        if (own && !json_equal(own, decided))
            return fail_locked(path, decided, policy_path, error);
        json_object_set(document, key, decided);
        json_array_append_new(locked, hf_json_text(path));
    }
    return TRUE;
}

static char *hash_config(const json_t *document)
{
    char *text = json_dumps(document, JSON_SORT_KEYS | JSON_COMPACT);
    char *hash = g_compute_checksum_for_string(G_CHECKSUM_SHA256, text, -1);
    free(text);
    return hash;
}

static HfConfig *config_new_complete(json_t *take_document, json_t *take_locked)
{
    HfConfig *config = g_new0(HfConfig, 1);
    g_atomic_ref_count_init(&config->references);
    config->document = take_document;
    config->locked = take_locked;
    config->hash = hash_config(config->document);
    return config;
}

HfConfig *hf_config_new(const json_t *document, const json_t *policy, const char *policy_path,
                        GError **error)
{
    g_autoptr(json_t) own = without_comments(document);
    g_autoptr(json_t) decided = policy ? without_comments(policy) : json_object();
    g_autoptr(json_t) locked = json_array();
    if (!check_config_document(own, NULL, error) ||
        !check_config_document(decided, policy_path, error) ||
        !hf_config_privacy_check(own, NULL, error) ||
        !hf_config_privacy_check(decided, policy_path, error))
        return NULL;
    g_autoptr(json_t) blurred = hf_config_privacy_steal_list(decided);
    if (!impose_policy(own, decided, "", policy_path, locked, error))
        return NULL;
    hf_config_privacy_add_list(own, blurred);
    if (!check_config_document(own, NULL, error) || !check_directories(own, error) ||
        !hf_config_check_tool_names(own, error))
        return NULL;
    return config_new_complete(hf_check_complete(hf_config_fields, own), g_steal_pointer(&locked));
}

HfConfig *hf_config_new_changed(const HfConfig *config, json_t *take_document)
{
    return config_new_complete(take_document, json_incref(config->locked));
}

HfConfig *hf_config_new_default(void)
{
    g_autoptr(json_t) nothing = json_object();
    HfConfig *config = hf_config_new(nothing, NULL, NULL, NULL);
    g_assert_nonnull(config);
    return config;
}

HfConfig *hf_config_load(const char *path, const char *policy_path, GError **error)
{
    g_autoptr(json_t) document = hf_config_file_read(path, error);
    g_autoptr(json_t) policy = document ? hf_config_file_read(policy_path, error) : NULL;
    g_autoptr(json_t) nothing = json_object();
    if (!policy)
        return NULL;
    return hf_config_new(json_is_null(document) ? nothing : document,
                         json_is_null(policy) ? NULL : policy, policy_path, error);
}

HfConfig *hf_config_ref(HfConfig *config)
{
    g_atomic_ref_count_inc(&config->references);
    return config;
}

void hf_config_unref(HfConfig *config)
{
    if (!config || !g_atomic_ref_count_dec(&config->references))
        return;
    json_decref(config->document);
    json_decref(config->locked);
    g_free(config->hash);
    g_free(config);
}

const json_t *hf_config_get(const HfConfig *config, const char *path)
{
    g_auto(GStrv) names = hf_config_path_split(path, NULL);
    return names ? hf_config_path_get(config->document, (const char *const *)names) : NULL;
}

/* A path that the schema lacks is a bug. */
static const json_t *get_described_value(const HfConfig *config, const char *path)
{
    g_auto(GStrv) names = hf_config_path_split(path, NULL);
    g_return_val_if_fail(names && hf_config_path_describe((const char *const *)names), NULL);
    return hf_config_path_get(config->document, (const char *const *)names);
}

const char *hf_config_string(const HfConfig *config, const char *path)
{
    const char *text = json_string_value(get_described_value(config, path));
    return text ? text : "";
}

gint64 hf_config_int(const HfConfig *config, const char *path)
{
    return (gint64)json_number_value(get_described_value(config, path));
}

double hf_config_number(const HfConfig *config, const char *path)
{
    return json_number_value(get_described_value(config, path));
}

gboolean hf_config_bool(const HfConfig *config, const char *path)
{
    return json_is_true(get_described_value(config, path));
}

const json_t *hf_config_find(const HfConfig *config, const char *map, const char *name)
{
    return json_object_get(get_described_value(config, map), name);
}

static json_t *approval_of_template(const char *name)
{
    const json_t *template = hf_approval_template_find(name);
    return json_pack("{s:O, s:o, s:{}, s:{}, s:O, s:[]}", "mode", json_object_get(template, "mode"),
                     "risk_policies", json_copy(json_object_get(template, "risk_policies")),
                     "category_overrides", "tool_overrides", "tainted",
                     json_object_get(template, "tainted"), "confirm");
}

json_t *hf_config_dup_strict_approval(void)
{
    return approval_of_template("strict");
}

json_t *hf_config_dup_approval(const HfConfig *config, const char *project)
{
    const json_t *item = project ? hf_config_find(config, "projects.items", project) : NULL;
    const char *fallback = hf_config_string(config, "projects.default_approval_template");
    const json_t *own = json_object_get(item, "approval");
    json_t *approval = approval_of_template(hf_json_string(item, "template", fallback));
    const char *key;
    json_t *value;
    json_object_foreach ((json_t *)own, key, value)
        if (json_is_object(value))
            json_object_update(json_object_get(approval, key), value);
        else
            json_object_set(approval, key, value);
    return approval;
}

const json_t *hf_config_document(const HfConfig *config)
{
    return config->document;
}

const char *hf_config_get_hash(const HfConfig *config)
{
    return config->hash;
}

const json_t *hf_config_get_locked(const HfConfig *config)
{
    return config->locked;
}
