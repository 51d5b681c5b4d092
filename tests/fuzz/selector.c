/* SPDX-License-Identifier: Apache-2.0 */
/* Selectors from any caller, in both forms: what is understood can be written down, is understood
 * again as the same, and can be looked for in a tree. */
#include <stdint.h>

#include "hand/atspi/selector/selector-match.h"
#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"
#include "shared/base/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const HfTree *ensure_tree(void)
{
    static HfTree *tree;
    if (tree)
        return tree;
    tree = hf_tree_new();
    hf_tree_add_program(tree, &(HfTreeProgram){.toolkit = "gtk"});
    for (int i = 0; i < 40; i++) {
        HfNode node = {.role = i % HF_ROLE_COUNT,
                       .name = i % 3 ? "Save 保存" : "User name:",
                       .value = i % 5 ? NULL : "Total: 42",
                       .states = HF_STATE(HF_STATE_VISIBLE) | HF_STATE(HF_STATE_SHOWING),
                       .source = HF_SOURCE_ACCESS,
                       .bounds = {i * 20, i * 10, 50, 20}};
        hf_tree_add(tree, i / 4 - 1, &node);
    }
    hf_tree_finish(tree);
    return tree;
}

static void check(HfSelector *take_selector)
{
    g_autoptr(HfSelector) selector = take_selector;
    if (!selector)
        return;
    g_autofree char *written = hf_selector_to_text(selector);
    g_autoptr(HfSelector) again = hf_selector_from_text(written, NULL);
    if (again) { /* an object may hold longer texts than fit into the short form */
        g_autofree char *same = hf_selector_to_text(again);
        g_assert_cmpstr(same, ==, written);
    }
    g_autoptr(HfMatches) matches = hf_selector_match(ensure_tree(), selector, NULL, NULL);
    int index;
    if (matches && hf_matches_choose(matches, selector, &index) == HF_CHOICE_ONE)
        g_assert_true(index >= 0 && index < hf_tree_size(ensure_tree()));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autofree char *text = g_strndup(data ? (const char *)data : "", size);
    check(hf_selector_from_text(text, NULL));
    g_autoptr(json_t) json = json_loads(text, JSON_DECODE_ANY, NULL);
    if (json)
        check(hf_selector_from_json(json, NULL));
    return 0;
}
