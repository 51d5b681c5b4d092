/* SPDX-License-Identifier: Apache-2.0 */
/* find: lists the elements that match a selector, best first, each with its score and the reasons.
 * Changes nothing and leaves the choice to the caller. */
#include "hand/atspi/atspi-limits.h"
#include "hand/atspi/bus/atspi-session.h"
#include "hand/atspi/tree/element-json.h"
#include "hand/tools/structure/call-element.h"
#include "shared/base/error.h"
#include "shared/base/json.h"

/* Without a scope the focused window comes first, as for every target. */
static gboolean find_elements(HfCall *call, const HfSelector *selector, HfFoundElements *ret_found,
                              GError **error)
{
    HfTreeScope scope = {0};
    gboolean named = hf_call_names_scope(call);
    if (named && !hf_call_get_scope(call, &scope, error))
        return FALSE;
    scope.include_hidden = hf_call_bool(call, "include_hidden");
    scope.include_text = hf_call_bool(call, "values");
    return hf_element_find_all(hf_call_context(call), selector, &scope, !named,
                               hf_call_deadline(call), ret_found, error);
}

static HfResult *find_to_result(HfCall *call, const HfSelector *selector,
                                const HfFoundElements *found)
{
    HfDesktop *desktop = hf_call_desktop(call);
    g_autofree char *text = hf_selector_to_text(selector);
    guint limit = (guint)hf_call_int(call, "limit");
    json_t *elements = json_array();
    for (guint i = 0; i < MIN(limit, found->matches->candidates->len); i++)
        json_array_append_new(
            elements,
            hf_found_element_to_json(desktop, found,
                                     &g_array_index(found->matches->candidates, HfCandidate, i),
                                     hf_call_bool(call, "values")));
    int index = HF_NODE_NONE;
    HfChoice choice = hf_matches_choose(found->matches, selector, &index);
    json_t *json =
        json_pack("{s:o, s:s, s:o, s:i, s:b, s:o}", "snapshot_id",
                  json_sprintf("s%u", found->snapshot), "selector", text, "elements", elements,
                  "total", found->matches->total, "ambiguous", choice == HF_CHOICE_SEVERAL,
                  "truncated", hf_truncation_to_json(hf_tree_get_truncated(found->tree)));
    if (choice == HF_CHOICE_ONE)
        json_object_set_new(json, "best",
                            json_sprintf("e%u", hf_references_name(hf_atspi_references(desktop),
                                                                   found->snapshot, index)));
    return hf_result_new(json);
}

static HfResult *run(HfCall *call, GError **error)
{
    g_autoptr(HfSelector) selector = hf_selector_from_json(hf_call_json(call, "selector"), error);
    if (!selector)
        return NULL;
    g_auto(HfFoundElements) found = {0};
    return find_elements(call, selector, &found, error) ? find_to_result(call, selector, &found)
                                                        : NULL;
}

static const HfParam params[] = {
    HF_REQUIRED("selector", HF_TYPE_STRING,
                "What to find: button \"Save\", field near \"User name\", text~/Total: \\d+/, or "
                "an object {role, name, near, ...}; see docs/selectors.md",
                HF_SELECTOR),
    HF_PARAM_SCOPE,
    HF_OPTIONAL("include_hidden", HF_TYPE_BOOLEAN,
                "Include what is not visible: closed menus, other pages", .fallback = "false"),
    HF_OPTIONAL("values", HF_TYPE_BOOLEAN, "Include the values of fields", .fallback = "false"),
    HF_OPTIONAL("limit", HF_TYPE_INTEGER, "Maximum number of elements", .min = 1,
                .max = HF_LIMIT_CANDIDATES, .fallback = "10"),
    {0},
};

static const HfParam candidate = {.type = HF_TYPE_OBJECT, .fields = hf_candidate_fields};
static const HfParam result[] = {
    HF_REQUIRED("snapshot_id", HF_TYPE_STRING,
                "The snapshot that the references belong to; 30 seconds and 50 uses"),
    HF_REQUIRED("selector", HF_TYPE_STRING, "How the selector was understood"),
    HF_REQUIRED("elements", HF_TYPE_ARRAY, "Best first", .items = &candidate),
    HF_REQUIRED("total", HF_TYPE_INTEGER, "How many match in all"),
    HF_OPTIONAL("best", HF_TYPE_STRING,
                "The reference of the element that a target with this selector means; absent if "
                "none or several match"),
    HF_REQUIRED("ambiguous", HF_TYPE_BOOLEAN,
                "The best match equally well: choose by ref, or use a more precise selector"),
    HF_RESULT_TRUNCATED,
    {0},
};

const HfTool hf_tool_find = {
    .name = "find",
    .title = "Find an element",
    .summary = "Find buttons, fields, menu items, text and other elements by name, role and "
               "neighbours. Returns candidates with references (e12) to click, read or act on, "
               "best first, with scores and reasons",
    .category = HF_CATEGORY_STRUCTURE,
    .risk = HF_RISK_LOW,
    .level = HF_LEVEL_READ_ONLY,
    .needs = HF_NEEDS_NEITHER,
    .channel = HF_CHANNEL_STRUCTURE,
    .reads = HF_READS_SCREEN | HF_READS_PROGRAMS,
    .effects = HF_EFFECT_NONE,
    .target = HF_TARGET_NOTHING,
    .flags = HF_TOOL_READ_ONLY | HF_TOOL_IDEMPOTENT,
    .pace = HF_PACE_FREE,
    .verifies = HF_VERIFY_NOTHING,
    .timeout_ms = 40000,
    .params = params,
    .result = result,
    .run = run,
};
