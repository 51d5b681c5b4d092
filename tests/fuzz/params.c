/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters from any caller, for any tool: the first byte chooses the tool, the rest is JSON. What
 * passes the check must be readable by a handler without surprise. */
#include <stdint.h>

#include "shared/base/json.h"
#include "shared/tool/call.h"
#include "shared/tool/param-check.h"
#include "shared/tool/registry.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_all(const HfTool *tool, HfCall *call)
{
    for (const HfParam *param = tool->params; param && param->name; param++) {
        hf_call_has(call, param->name);
        hf_call_int(call, param->name);
        hf_call_bool(call, param->name);
        if (param->type == HF_TYPE_ARRAY && param->items && param->items->type == HF_TYPE_STRING) {
            g_auto(GStrv) strings = hf_call_dup_strings(call, param->name);
            g_assert_nonnull(strings);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const HfTool *const *tools = hf_registry();
    guint count = 0;
    while (tools[count])
        count++;
    if (size < 2 || count == 0)
        return 0;
    const HfTool *tool = tools[data[0] % count];
    g_autoptr(json_t) json = json_loadb((const char *)data + 1, size - 1, JSON_DECODE_ANY, NULL);
    json_t *checked = json ? hf_check_params(tool->params, json, NULL) : NULL;
    if (checked) {
        g_autoptr(HfCall) call =
            hf_call_new(tool, checked, NULL, NULL, hf_deadline_in_ms(1000, NULL));
        read_all(tool, call);
    }
    return 0;
}
