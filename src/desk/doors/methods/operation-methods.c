/* SPDX-License-Identifier: Apache-2.0 */
/* The bridge's method about calls in the background. Asking for one, and ending it, are tools. */
#include "desk/doors/methods/methods.h"
#include "desk/guard/background/operations.h"
#include "desk/guard/guard-limits.h"
#include "shared/tool/param-check.h"

const HfParam hf_method_operations_list_params[] = {
    {.name = "limit",
     .type = HF_TYPE_INTEGER,
     .min = 1,
     .max = HF_LIMIT_OPERATIONS_STORED,
     .fallback = "50",
     .about = "The latest so many"},
    {0},
};

void hf_method_operations_list(HfDesk *desk, const HfCaller *caller, json_t *params,
                               GCancellable *cancellable, GString *answer)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(json_t) checked = hf_check_params(hf_method_operations_list_params, params, &error);
    HfOperations *operations = hf_guard_get_operations(hf_desk_get_guard(desk));
    json_t *result = NULL;
    if (checked)
        result = hf_operations_describe(operations, caller, (int)hf_json_int(checked, "limit", 50),
                                        &error);
    hf_method_append_answer(answer, result, error);
}
