/* SPDX-License-Identifier: Apache-2.0 */
/* May this caller use this tool at all? That depends on its program, its level under the owner's
 * ceiling and the tools of its grant. Later steps check the parameters. */
#include "desk/guard/policy/caller-rights.h"
#include "desk/guard/steps/steps.h"
#include "desk/policy/config/config.h"

static void suggest_level(const HfPassage *passage, HfLevel level, GError **error)
{
    const HfCaller *caller = passage->request->caller;
    const char *ceiling = hf_config_string(passage->config, "security.permission_level");
    const char *needed = hf_level_name(level);
    if (g_strcmp0(ceiling, needed) < 0) {
        hf_error_suggest(
            error, "the owner can raise the ceiling: set security.permission_level to %s", needed);
        return;
    }
    g_autofree char *client = hf_config_path_join("clients", caller->name ? caller->name : "?");
    hf_error_suggest(error, "the owner can raise its level: set %s.level to %s", client, needed);
}

static gboolean check_caller_level(const HfPassage *passage, HfLevel wanted, HfLevel level,
                                   GError **error)
{
    const HfCaller *caller = passage->request->caller;
    const char *needed = hf_level_name(wanted), *has = hf_level_name(level);
    if (wanted <= level)
        return TRUE;
    hf_fail(error, HF_ERROR_FORBIDDEN, "%s needs level %s, and %s has %s", passage->tool->name,
            needed, caller->name ? caller->name : "the caller", has);
    suggest_level(passage, wanted, error);
    hf_error_take_details(
        error, json_pack("{s:s, s:s, s:s}", "needs", needed, "has", has, "ceiling",
                         hf_config_string(passage->config, "security.permission_level")));
    return FALSE;
}

static gboolean check_grant_tools(const HfPassage *passage, GError **error)
{
    for (guint i = 0; passage->grant.chain && i < passage->grant.chain->len; i++) {
        const HfGrantEntry *entry = passage->grant.chain->pdata[i];
        if (hf_grant_has_tool(entry->grant, passage->tool))
            continue;
        hf_fail(error, HF_ERROR_FORBIDDEN, "%s is not among the tools of the grant '%s'",
                passage->tool->name, entry->id);
        hf_error_suggest(error, "see what it allows: handfast grant show %s", entry->id);
        hf_error_take_details(error, json_pack("{s:s}", "grant", entry->id));
        return FALSE;
    }
    return TRUE;
}

gboolean hf_permission_check_level(const HfPassage *passage, HfLevel needed, GError **error)
{
    HfLevel own = hf_caller_rights_level(passage->config, passage->request->caller);
    if (!check_caller_level(passage, needed, own, error))
        return FALSE;
    for (guint i = 0; passage->grant.chain && i < passage->grant.chain->len; i++) {
        const HfGrantEntry *entry = passage->grant.chain->pdata[i];
        if (entry->level != HF_LEVEL_NONE &&
            !check_caller_level(passage, needed, entry->level, error))
            return FALSE;
    }
    return TRUE;
}

gboolean hf_step_permission(HfPassage *passage, GError **error)
{
    const HfCaller *caller = passage->request->caller;
    const char *own = hf_caller_rights_grant(passage->config, caller);
    const char *asked = hf_json_string(passage->request->params, "grant", NULL);
    HfLevel level = hf_tool_level(passage->tool, passage->contained);
    if (!hf_caller_rights_check_program(passage->config, caller, error) ||
        !hf_permission_check_level(passage, level, error))
        return FALSE;
    if (caller->kind == HF_CALLER_HEAD && !own)
        return hf_fail(error, HF_ERROR_FORBIDDEN,
                       "an agent without a grant may not call tools; the owner can give it one: "
                       "handfast grant new");
    if (!own && !asked)
        return TRUE;
    passage->grant.chain = hf_caller_rights_chain(passage->guard->store, own, asked, error);
    if (!passage->grant.chain)
        return FALSE;
    const HfGrantEntry *entry = passage->grant.chain->pdata[0];
    passage->grant.first = entry->grant;
    passage->grant.id = entry->id;
    return hf_permission_check_level(passage, level, error) && check_grant_tools(passage, error);
}
