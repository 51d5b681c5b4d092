/* SPDX-License-Identifier: Apache-2.0 */
/* From `target` to one element, as it is now. */
#include "hand/tools/structure/call-element.h"

#include "hand/locate/element-resolver.h"

const HfParam hf_element_selector = {.type = HF_TYPE_OBJECT, .about = "A selector, in parts"};

static gboolean target_names_window(const HfCall *call)
{
    return hf_call_window(call) || hf_call_names_window(call) || hf_call_has(call, "app") ||
           hf_call_has(call, "pid");
}

HfElement *hf_call_find_element(const HfCall *call, const json_t *json, gboolean hidden,
                                GError **error)
{
    g_autoptr(HfSelector) selector = hf_selector_from_json(json, error);
    HfTreeScope scope = {0};
    g_auto(HfResolvedElement) located = {0};
    if (!selector || (target_names_window(call) && !hf_call_get_scope(call, &scope, error)))
        return NULL;
    scope.include_hidden = hidden;
    if (!hf_element_resolve(hf_call_context(call), selector, &scope, hf_call_deadline(call),
                            &located, error))
        return NULL;
    return hf_element_new(hf_call_context(call), located.tree, located.index,
                          hf_call_deadline(call), error);
}

HfElement *hf_call_get_element(const HfCall *call, gboolean hidden, GError **error)
{
    return hf_call_find_element(call, hf_call_json(call, "target"), hidden, error);
}
