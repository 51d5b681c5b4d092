/* SPDX-License-Identifier: Apache-2.0 */
/* Methods about questions to the owner. Everyone sees and cancels their own questions; the others,
 * and every answer, are the owner's. */
#include "desk/doors/methods/methods.h"
#include "desk/guard/guard-limits.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"
#include "shared/tool/param-check.h"

static const char *const scopes[] = {"call", "tool", "project", NULL};

#define PARAM_ID                                                                                   \
    HF_STRING("id", "Which one", .required = TRUE, .min = 1, .max = HF_LIMIT_NAME_BYTES)

const HfParam hf_method_approvals_list_params[] = {
    HF_BOOLEAN("all", "Also those that are answered", .fallback = "false"),
    {0},
};
const HfParam hf_method_approval_params[] = {PARAM_ID, {0}};
const HfParam hf_method_approve_params[] = {
    PARAM_ID,
    HF_STRING("remember",
              "Do not ask again: about this very call, this tool, or this whole project",
              .choices = scopes),
    HF_INTEGER("for_s", "How many seconds to remember the answer", .min = 1,
               .max = HF_LIMIT_MEMORY_S, .fallback = "3600"),
    {0},
};
const HfParam hf_method_deny_params[] = {
    PARAM_ID,
    HF_STRING("reason", "Message for the caller", .max = HF_LIMIT_TITLE_BYTES),
    {0},
};

static HfApprovals *approvals_of(HfDesk *desk)
{
    return hf_guard_get_approvals(hf_desk_get_guard(desk));
}

/* How the owner answered, for the audit. */
static char *dup_who(const HfCaller *caller)
{
    if (caller->token)
        return g_strdup_printf("owner (%s, token %s)", caller->door, caller->name);
    return g_strdup_printf("owner (%s, process %d)", caller->door, (int)caller->pid);
}

json_t *hf_method_approvals_list(HfDesk *desk, const HfCaller *caller, json_t *params,
                                 GCancellable *cancellable, GError **error)
{
    g_autoptr(json_t) checked = hf_check_params(hf_method_approvals_list_params, params, error);
    json_t *rows = checked
                       ? hf_approvals_list(approvals_of(desk), hf_json_bool(checked, "all", FALSE),
                                           hf_caller_sees_all(caller) ? NULL : caller, error)
                       : NULL;
    return rows ? json_pack("{s:o}", "approvals", rows) : NULL;
}

json_t *hf_method_approvals_show(HfDesk *desk, const HfCaller *caller, json_t *params,
                                 GCancellable *cancellable, GError **error)
{
    g_autoptr(json_t) checked = hf_check_params(hf_method_approval_params, params, error);
    return checked ? hf_approvals_show(approvals_of(desk), hf_json_string(checked, "id", ""),
                                       hf_caller_sees_all(caller) ? NULL : caller, error)
                   : NULL;
}

json_t *hf_method_approvals_approve(HfDesk *desk, const HfCaller *caller, json_t *params,
                                    GCancellable *cancellable, GError **error)
{
    g_autoptr(json_t) checked = hf_check_params(hf_method_approve_params, params, error);
    if (!checked || !hf_caller_check_owner_in_person(caller, error))
        return NULL;
    g_autofree char *who = dup_who(caller);
    const char *id = hf_json_string(checked, "id", "");
    HfRemember remember = {hf_json_string(checked, "remember", NULL),
                           hf_json_int(checked, "for_s", 0)};
    if (!hf_approvals_approve(approvals_of(desk), id, who, &remember, error))
        return NULL;
    return json_pack("{s:s, s:s}", "id", id, "state", "approved");
}

/* A denial loosens nothing, so the agent's own input cannot block it. */
json_t *hf_method_approvals_deny(HfDesk *desk, const HfCaller *caller, json_t *params,
                                 GCancellable *cancellable, GError **error)
{
    g_autoptr(json_t) checked = hf_check_params(hf_method_deny_params, params, error);
    if (!checked)
        return NULL;
    g_autofree char *who = dup_who(caller);
    const char *id = hf_json_string(checked, "id", "");
    const char *reason = hf_json_string(checked, "reason", "");
    gboolean owner = hf_caller_is_owner(caller, NULL);
    gboolean done = owner ? hf_approvals_deny(approvals_of(desk), id, who, reason, error)
                          : hf_approvals_cancel(approvals_of(desk), id, caller, error);
    if (!done)
        return NULL;
    return json_pack("{s:s, s:s, s:b}", "id", id, "state", owner ? "denied" : "cancelled",
                     "durable", hf_approvals_is_stored(approvals_of(desk), id));
}

json_t *hf_method_approvals_memory(HfDesk *desk, const HfCaller *caller, json_t *params,
                                   GCancellable *cancellable, GError **error)
{
    g_autoptr(json_t) checked = hf_check_params(hf_method_no_params, params, error);
    if (!checked || !hf_caller_is_owner(caller, error))
        return NULL;
    json_t *rows = hf_approvals_memory(approvals_of(desk), error);
    return rows ? json_pack("{s:o}", "memory", rows) : NULL;
}

json_t *hf_method_approvals_forget(HfDesk *desk, const HfCaller *caller, json_t *params,
                                   GCancellable *cancellable, GError **error)
{
    g_autoptr(json_t) checked = hf_check_params(hf_method_approval_params, params, error);
    if (!checked || !hf_caller_is_owner(caller, error))
        return NULL;
    g_autofree char *who = dup_who(caller);
    if (!hf_approvals_forget(approvals_of(desk), hf_json_string(checked, "id", ""), who, error))
        return NULL;
    return json_object();
}
