/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the configuration and the store; decides nothing about a single call. */
#include "desk/guard/policy/caller-rights.h"

#include <string.h>

#include "shared/base/error.h"
#include "shared/base/json.h"

static HfLevel parse_caller_level(const char *name)
{
    for (int level = 1; level < HF_LEVEL_COUNT; level++)
        if (strcmp(hf_level_name((HfLevel)level), name) == 0)
            return (HfLevel)level;
    return HF_LEVEL_READ_ONLY;
}

gboolean hf_caller_rights_check_program(const HfConfig *config, const HfCaller *caller,
                                        GError **error)
{
    const char *program = caller->program ? caller->program : "";
    if (caller->kind != HF_CALLER_CLIENT || caller->pid <= 0)
        return TRUE;
    hf_json_each (pattern, hf_config_get(config, "security.bridge.allowed_programs"))
        if (g_pattern_match_simple(json_string_value(pattern), program))
            return TRUE;
    hf_fail(error, HF_ERROR_FORBIDDEN, "the program '%s' may not use this desk", program);
    hf_error_suggest(error, "the owner can add it to security.bridge.allowed_programs");
    return FALSE;
}

HfLevel hf_caller_rights_level(const HfConfig *config, const HfCaller *caller)
{
    HfLevel ceiling = parse_caller_level(hf_config_string(config, "security.permission_level"));
    if (caller->kind == HF_CALLER_OWNER)
        return ceiling;
    if (caller->level != HF_LEVEL_NONE)
        return MIN(ceiling, caller->level);
    const json_t *client = hf_config_find(config, "clients", caller->name ? caller->name : "");
    const char *usual = hf_config_string(config, "security.client_level");
    return MIN(ceiling, parse_caller_level(hf_json_string(client, "level", usual)));
}

const char *hf_caller_rights_grant(const HfConfig *config, const HfCaller *caller)
{
    if (caller->grant || caller->kind == HF_CALLER_OWNER)
        return caller->grant;
    const json_t *client = hf_config_find(config, "clients", caller->name ? caller->name : "");
    return hf_json_string(client, "grant", NULL);
}

gboolean hf_caller_rights_has_project(const HfConfig *config, const HfCaller *caller,
                                      const char *project)
{
    if (caller->kind == HF_CALLER_OWNER)
        return TRUE;
    const json_t *client = hf_config_find(config, "clients", caller->name ? caller->name : "");
    hf_json_each (name, json_object_get(client, "projects"))
        if (strcmp(json_string_value(name), project) == 0)
            return TRUE;
    return FALSE;
}

static gboolean check_entry(const HfGrantEntry *entry, GError **error)
{
    gint64 expiry = hf_grant_get_expiry_us(entry->grant);
    if (entry->revoked)
        hf_fail(error, HF_ERROR_FORBIDDEN, "the grant '%s' was revoked", entry->id);
    else if (expiry && expiry <= g_get_real_time())
        hf_fail(error, HF_ERROR_FORBIDDEN, "the grant '%s' has expired", entry->id);
    else
        return TRUE;
    hf_error_suggest(error, "ask the owner for another grant");
    return FALSE;
}

static gboolean has_entry(const GPtrArray *chain, const char *id)
{
    for (guint i = 0; i < chain->len; i++)
        if (strcmp(((const HfGrantEntry *)chain->pdata[i])->id, id) == 0)
            return TRUE;
    return FALSE;
}

GPtrArray *hf_caller_rights_chain(HfStore *store, const char *own, const char *asked,
                                  GError **error)
{
    const char *id = asked ? asked : own;
    g_autoptr(GPtrArray) chain = id ? hf_grant_rows_chain(store, id, error) : NULL;
    if (!chain)
        return NULL;
    if (own && !has_entry(chain, own)) {
        hf_fail(error, HF_ERROR_FORBIDDEN,
                "the grant '%s' is not derived from '%s', which this caller is bound to", asked,
                own);
        return NULL;
    }
    for (guint i = 0; i < chain->len; i++)
        if (!check_entry(chain->pdata[i], error))
            return NULL;
    return g_steal_pointer(&chain);
}
