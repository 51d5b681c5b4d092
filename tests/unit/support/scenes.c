/* SPDX-License-Identifier: Apache-2.0 */
#include "support/scenes.h"

#include "hand/atspi/tree/states.h"

#define WINDOW 7
#define SHOWN                                                                                      \
    (HF_STATE(HF_STATE_VISIBLE) | HF_STATE(HF_STATE_SHOWING) | HF_STATE(HF_STATE_ENABLED) |        \
     HF_STATE(HF_STATE_SENSITIVE))

HfTree *hf_test_tree_of(const HfTestTold *told, const char *toolkit)
{
    HfTree *tree = hf_tree_new();
    hf_tree_add_program(tree, &(HfTreeProgram){.toolkit = toolkit});
    for (; told->bounds.width; told++) {
        gboolean seen = (told->source & (HF_SOURCE_ACCESS | HF_SOURCE_DOM)) == 0;
        HfNode node = {.role = told->role,
                       .name = told->name,
                       .states = SHOWN | told->states,
                       .source = told->source,
                       .confidence = seen ? 1 : 0,
                       .window = WINDOW,
                       .bounds = told->bounds};
        hf_tree_add(tree, told->parent, &node);
    }
    hf_tree_finish(tree);
    return tree;
}

int hf_test_locate(const HfTree *tree, const char *said, gboolean *ret_confident)
{
    g_autoptr(HfScene) scene = hf_scene_new(tree, &(HfSceneScope){.front = WINDOW});
    g_autoptr(HfDescription) description = hf_description_new(said, NULL);
    g_autoptr(HfDescriptionMatch) match = hf_description_match(scene, description);
    const HfCandidateElement *best =
        match->found->len > 0 ? &g_array_index(match->found, HfCandidateElement, 0) : NULL;
    int node = best ? hf_scene_get(scene, best->element)->node : HF_NODE_NONE;
    g_autofree char *understood = hf_description_to_text(description);
    g_test_message("%s (%s): %d, score %.2f, doubts %x%s", said, understood, node,
                   best ? best->match.score : 0, best ? best->match.doubts : 0,
                   match->confident ? ", confident" : "");
    if (ret_confident)
        *ret_confident = match->confident;
    return node;
}
