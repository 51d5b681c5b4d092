/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptions from any caller: whatever is understood can be said again and looked for. */
#include <stdint.h>

#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"
#include "hand/locate/description-match.h"

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
                       .states = HF_STATE(HF_STATE_VISIBLE) | HF_STATE(HF_STATE_SHOWING),
                       .source = HF_SOURCE_ACCESS,
                       .bounds = {i * 20, i * 10, 50, 20}};
        hf_tree_add(tree, i / 4 - 1, &node);
    }
    hf_tree_finish(tree);
    return tree;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autofree char *text = g_strndup(data ? (const char *)data : "", size);
    g_autoptr(HfDescription) description = hf_description_new(text, NULL);
    if (!description)
        return 0;
    g_free(hf_description_to_text(description));
    HfSceneScope scope = {0};
    g_autoptr(HfScene) scene = hf_scene_new(ensure_tree(), &scope);
    g_autoptr(HfDescriptionMatch) match = hf_description_match(scene, description);
    for (guint i = 0; i < match->found->len; i++) {
        const HfCandidateElement *each = &g_array_index(match->found, HfCandidateElement, i);
        g_assert_true(each->match.score >= 0 && each->match.score <= 1);
        g_free(hf_candidate_reasons(scene, description, each, i % 2));
    }
    return 0;
}
