/* SPDX-License-Identifier: Apache-2.0 */
/* The bridge's method about the ledger: what was changed, and what of it can be taken back. What an
 * undo would put back is not shown. Taking back is a tool. */
#include "desk/doors/methods/methods.h"
#include "desk/records/ledger/ledger.h"
#include "shared/base/limits.h"
#include "shared/tool/param-check.h"

const HfParam hf_method_ledger_list_params[] = {
    {.name = "run",
     .type = HF_TYPE_STRING,
     .min = 1,
     .max = HF_LIMIT_NAME_BYTES,
     .about = "Only changes of this run"},
    {.name = "limit",
     .type = HF_TYPE_INTEGER,
     .min = 1,
     .max = HF_LIMIT_LEDGER,
     .fallback = "50",
     .about = "The latest so many"},
    {0},
};

void hf_method_ledger_list(HfDesk *desk, const HfCaller *caller, json_t *params,
                           GCancellable *cancellable, GString *answer)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(json_t) checked = hf_check_params(hf_method_ledger_list_params, params, &error);
    json_t *result = NULL;
    if (checked)
        result = hf_ledger_describe(hf_guard_get_store(hf_desk_get_guard(desk)),
                                    hf_json_string(checked, "run", NULL),
                                    hf_json_string(params, "desktop", NULL),
                                    (int)hf_json_int(checked, "limit", 50), &error);
    hf_method_append_answer(answer, result, error);
}
