/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies of the executor API: the first byte says of which request. What is taken must be a call
 * that the tool's own check takes apart without surprise, and never text where text is off. */
#include <stdint.h>

#include "desk/doors/http/executor/executor.h"
#include "shared/base/error.h"
#include "shared/tool/param-check.h"
#include "shared/tool/registry.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void try_call(const HfExecutorCall *call, gboolean text_input)
{
    const HfTool *tool = hf_registry_find(call->tool);
    g_assert_nonnull(tool);
    g_assert_true(text_input || !g_str_equal(call->tool, "type_text"));
    g_autoptr(GError) error = NULL;
    g_autoptr(json_t) checked = hf_check_params(tool->params, call->params, &error);
    g_assert_true((checked != NULL) == (error == NULL));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    guint count = 0;
    while (hf_executor_actions[count])
        count++;
    if (size < 2)
        return 0;
    g_autoptr(json_t) body =
        json_loadb((const char *)data + 1, size - 1, JSON_REJECT_DUPLICATES, NULL);
    if (!json_is_object(body))
        return 0;
    guint which = data[0] % (count + 1);
    gboolean text_input = (data[0] & 0x80) != 0;
    g_auto(HfExecutorCall) call = {0};
    g_autoptr(GError) error = NULL;
    gboolean read = which == count ? hf_executor_read_macro(body, text_input, &call, &error)
                                   : hf_executor_read(hf_executor_actions[which], body, text_input,
                                                      &call, &error);
    g_assert_true(read == (error == NULL));
    if (read)
        try_call(&call, text_input);
    return 0;
}
