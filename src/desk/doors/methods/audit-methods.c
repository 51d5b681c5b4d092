/* SPDX-License-Identifier: Apache-2.0 */
/* The method about the audit's key. Reading the audit needs no desk. */
#include "desk/doors/methods/methods.h"
#include "desk/records/audit/audit.h"
#include "shared/tool/param-check.h"

static gboolean rotate_audit_key(HfDesk *desk, const HfCaller *caller, const json_t *params,
                                 GError **error)
{
    g_autoptr(json_t) checked = hf_check_params(hf_method_no_params, params, error);
    return checked && hf_caller_check_owner_in_person(caller, error) &&
           hf_audit_rotate_key(hf_guard_get_audit(hf_desk_get_guard(desk)), caller, error);
}

void hf_method_audit_rotate_key(HfDesk *desk, const HfCaller *caller, json_t *params,
                                GCancellable *cancellable, GString *answer)
{
    g_autoptr(GError) error = NULL;
    rotate_audit_key(desk, caller, params, &error);
    if (error)
        hf_guard_audit_admin(hf_desk_get_guard(desk), "audit-rotate-key", caller, params, error);
    hf_method_append_answer(answer, error ? NULL : json_object(), error);
}
