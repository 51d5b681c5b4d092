/* The method about the audit's key. Reading the audit needs no desk. */
#include "guard/audit.h"
#include "front/methods/methods.h"
#include "tool/check.h"

static gboolean rotate(HfDesk *desk, const HfCaller *caller, const json_t *params, GError **error)
{
    g_autoptr(json_t) checked = hf_check_params(hf_method_no_params, params, error);
    return checked && hf_owner_check(caller, error) &&
           hf_audit_rotate_key(hf_guard_get_audit(hf_desk_get_guard(desk)), caller, error);
}

void hf_method_audit_rotate_key(HfDesk *desk, const HfCaller *caller, json_t *params,
                                GCancellable *cancellable, GString *answer)
{
    g_autoptr(GError) error = NULL;
    rotate(desk, caller, params, &error);
    if (error)
        hf_guard_note(hf_desk_get_guard(desk), "audit-rotate-key", caller, params, error);
    hf_method_append_answer(answer, error ? NULL : json_object(), error);
}
