/* SPDX-License-Identifier: Apache-2.0 */
/* The bridge's methods about questions to the owner. Anyone sees and takes back what it asked
 * itself; the rest, and every answer, is the owner's. */
#include "desk/doors/methods/methods.h"
#include "desk/guard/guard-limits.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"
#include "shared/tool/param-check.h"

static const char *const scopes[] = {"call", "tool", "project", NULL};

#define PARAM_ID                                                                                   \
    {                                                                                              \
        .name = "id", .type = HF_TYPE_STRING, .required = TRUE, .min = 1,                          \
        .max = HF_LIMIT_NAME_BYTES, .about = "Which one"                                           \
    }

const HfParam hf_method_approvals_list_params[] = {
    {.name = "all",
     .type = HF_TYPE_BOOLEAN,
     .fallback = "false",
     .about = "Also those that are answered"},
    {0},
};
const HfParam hf_method_approval_params[] = {PARAM_ID, {0}};
const HfParam hf_method_approve_params[] = {
    PARAM_ID,
    {.name = "remember",
     .type = HF_TYPE_STRING,
     .choices = scopes,
     .about = "Not to be asked again: about this very call, this tool, or all of this project"},
    {.name = "for_s",
     .type = HF_TYPE_INTEGER,
     .min = 1,
     .max = HF_LIMIT_MEMORY_S,
     .fallback = "3600",
     .about = "For how many seconds to remember it"},
    {0},
};
const HfParam hf_method_deny_params[] = {
    PARAM_ID,
    {.name = "reason",
     .type = HF_TYPE_STRING,
     .max = HF_LIMIT_TITLE_BYTES,
     .about = "What the caller is told"},
    {0},
};

static HfApprovals *approvals_of(HfDesk *desk)
{
    return hf_guard_get_approvals(hf_desk_get_guard(desk));
}

/* How the owner came to answer, for the audit. */
static char *dup_who(const HfCaller *caller)
{
    if (caller->token)
        return g_strdup_printf("owner (%s, token %s)", caller->door, caller->name);
    return g_strdup_printf("owner (%s, process %d)", caller->door, (int)caller->pid);
}

/* NULL for those who see everything. */
static const HfCaller *visible_only_to(const HfCaller *caller)
{
    return hf_caller_sees_all(caller) ? NULL : caller;
}

static json_t *list_visible_approvals(HfDesk *desk, const HfCaller *caller, const json_t *params,
                                      GError **error)
{
    g_autoptr(json_t) checked = hf_check_params(hf_method_approvals_list_params, params, error);
    json_t *rows = checked
                       ? hf_approvals_list(approvals_of(desk), hf_json_bool(checked, "all", FALSE),
                                           visible_only_to(caller), error)
                       : NULL;
    return rows ? json_pack("{s:o}", "approvals", rows) : NULL;
}

static json_t *show_visible_approval(HfDesk *desk, const HfCaller *caller, const json_t *params,
                                     GError **error)
{
    g_autoptr(json_t) checked = hf_check_params(hf_method_approval_params, params, error);
    return checked ? hf_approvals_show(approvals_of(desk), hf_json_string(checked, "id", ""),
                                       visible_only_to(caller), error)
                   : NULL;
}

static json_t *approve_as_owner(HfDesk *desk, const HfCaller *caller, const json_t *params,
                                GError **error)
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

/* Saying no loosens nothing: no input of ours can stand in the way of it. */
static json_t *deny_or_cancel(HfDesk *desk, const HfCaller *caller, const json_t *params,
                              GError **error)
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
    return done ? json_pack("{s:s, s:s}", "id", id, "state", owner ? "denied" : "cancelled") : NULL;
}

static json_t *list_approval_memory(HfDesk *desk, const HfCaller *caller, const json_t *params,
                                    GError **error)
{
    g_autoptr(json_t) checked = hf_check_params(hf_method_no_params, params, error);
    if (!checked || !hf_caller_is_owner(caller, error))
        return NULL;
    json_t *rows = hf_approvals_memory(approvals_of(desk), error);
    return rows ? json_pack("{s:o}", "memory", rows) : NULL;
}

static json_t *forget_approval_memory(HfDesk *desk, const HfCaller *caller, const json_t *params,
                                      GError **error)
{
    g_autoptr(json_t) checked = hf_check_params(hf_method_approval_params, params, error);
    if (!checked || !hf_caller_is_owner(caller, error))
        return NULL;
    g_autofree char *who = dup_who(caller);
    if (!hf_approvals_forget(approvals_of(desk), hf_json_string(checked, "id", ""), who, error))
        return NULL;
    return json_object();
}

typedef json_t *(*ApprovalMethod)(HfDesk *desk, const HfCaller *caller, const json_t *params,
                                  GError **error);

static void answer_approval_method(ApprovalMethod method, HfDesk *desk, const HfCaller *caller,
                                   const json_t *params, GString *answer)
{
    g_autoptr(GError) error = NULL;
    json_t *result = method(desk, caller, params, &error);
    hf_method_append_answer(answer, result, error);
}

void hf_method_approvals_list(HfDesk *desk, const HfCaller *caller, json_t *params,
                              GCancellable *cancellable, GString *answer)
{
    answer_approval_method(list_visible_approvals, desk, caller, params, answer);
}

void hf_method_approvals_show(HfDesk *desk, const HfCaller *caller, json_t *params,
                              GCancellable *cancellable, GString *answer)
{
    answer_approval_method(show_visible_approval, desk, caller, params, answer);
}

void hf_method_approvals_approve(HfDesk *desk, const HfCaller *caller, json_t *params,
                                 GCancellable *cancellable, GString *answer)
{
    answer_approval_method(approve_as_owner, desk, caller, params, answer);
}

void hf_method_approvals_deny(HfDesk *desk, const HfCaller *caller, json_t *params,
                              GCancellable *cancellable, GString *answer)
{
    answer_approval_method(deny_or_cancel, desk, caller, params, answer);
}

void hf_method_approvals_memory(HfDesk *desk, const HfCaller *caller, json_t *params,
                                GCancellable *cancellable, GString *answer)
{
    answer_approval_method(list_approval_memory, desk, caller, params, answer);
}

void hf_method_approvals_forget(HfDesk *desk, const HfCaller *caller, json_t *params,
                                GCancellable *cancellable, GString *answer)
{
    answer_approval_method(forget_approval_memory, desk, caller, params, answer);
}
