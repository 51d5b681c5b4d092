/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the schema, then applies the policy, then fills in defaults. A field that the
 * administrator has set must be absent or equal in the owner's file: a value that is silently
 * ignored would mislead its reader. */
#include "desk/policy/config/config.h"

#include <stdlib.h>

#include "desk/policy/config/approval-templates.h"
#include "desk/policy/config/config-fields.h"
#include "desk/policy/config/config-file.h"
#include "desk/policy/config/config-path.h"
#include "desk/policy/config/config-privacy.h"
#include "desk/policy/config/config-tool-names.h"
#include "shared/base/error.h"
#include "shared/tool/param-check.h"

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
    size_t index;
    json_t *member, *copy;
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
    json_array_foreach (value, index, member)
        json_array_append_new(copy, without_comments(member));
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
    HfConfig *config = g_new0(HfConfig, 1);
    g_atomic_ref_count_init(&config->references);
    config->document = hf_check_complete(hf_config_fields, own);
    config->locked = g_steal_pointer(&locked);
    config->hash = hash_config(config->document);
    return config;
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

json_t *hf_config_dup_approval(const HfConfig *config, const char *project)
{
    const json_t *item = project ? hf_config_find(config, "projects.items", project) : NULL;
    const char *fallback = hf_config_string(config, "projects.default_approval_template");
    const json_t *template = hf_approval_template_find(hf_json_string(item, "template", fallback));
    const json_t *own = json_object_get(item, "approval");
    json_t *approval =
        json_pack("{s:O, s:o, s:{}, s:{}, s:O, s:[]}", "mode", json_object_get(template, "mode"),
                  "risk_policies", json_copy(json_object_get(template, "risk_policies")),
                  "category_overrides", "tool_overrides", "tainted",
                  json_object_get(template, "tainted"), "confirm");
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
