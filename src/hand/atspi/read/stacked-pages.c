/* SPDX-License-Identifier: Apache-2.0 */
/* A box with several children that fill it is a stack. Its selector is the nearest list outside it
 * with as many tabs or rows, of which exactly one is selected. */
#include "hand/atspi/read/stacked-pages.h"

#include <string.h>

#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"

#define MOST_STACKS 64
/* How much of its stack a page fills: it may have been laid out for another size. */
#define FILLS 0.6

static gboolean fills_stack(HfRect box, HfRect page)
{
    HfRect common = hf_rect_intersect(box, page);
    return !hf_rect_is_empty(common) &&
           (double)common.width * common.height >= FILLS * box.width * box.height;
}

/* The number of pages; 0: not a stack. */
static int count_pages(const HfTree *tree, const HfNode *stack)
{
    int count = 0, filling = 0;
    for (int child = stack->first_child; child != HF_NODE_NONE;) {
        const HfNode *page = hf_tree_get(tree, child);
        filling += fills_stack(stack->bounds, page->bounds);
        count++;
        child = page->next_sibling;
    }
    return filling > 1 ? count : 0;
}

/* Which of the `count` choices is selected; -1: not a list of `count` choices, or not exactly one
 * is selected. */
static int find_chosen(const HfTree *tree, const HfNode *list, int count)
{
    int chosen = -1, seen = 0;
    for (int child = list->first_child; child != HF_NODE_NONE; seen++) {
        const HfNode *choice = hf_tree_get(tree, child);
        gboolean selects = choice->role == HF_ROLE_PAGE_TAB || choice->role == HF_ROLE_LIST_ITEM ||
                           choice->role == HF_ROLE_RADIO_BUTTON ||
                           choice->role == HF_ROLE_TOGGLE_BUTTON;
        gboolean is_chosen = hf_states_have(choice->states, HF_STATE_SELECTED) ||
                             hf_states_have(choice->states, HF_STATE_PRESSED) ||
                             hf_states_have(choice->states, HF_STATE_CHECKED);
        if (!selects || (is_chosen && chosen >= 0))
            return -1;
        if (is_chosen)
            chosen = seen;
        child = choice->next_sibling;
    }
    return seen == count ? chosen : -1;
}

/* Searches below `outer`, but not below `without`. */
static int find_page_choice(const HfTree *tree, int outer, int without, int count)
{
    const HfNode *node = hf_tree_get(tree, outer);
    int chosen = find_chosen(tree, node, count);
    for (int child = node->first_child; chosen < 0 && child != HF_NODE_NONE;
         child = hf_tree_get(tree, child)->next_sibling)
        if (child != without)
            chosen = find_page_choice(tree, child, without, count);
    return chosen;
}

static int find_shown_page(const HfTree *tree, int stack, int count)
{
    int shown = -1, without = stack;
    for (int outer = hf_tree_get(tree, stack)->parent; shown < 0 && outer != HF_NODE_NONE;
         without = outer, outer = hf_tree_get(tree, outer)->parent)
        shown = find_page_choice(tree, outer, without, count);
    return shown;
}

static void hide_subtree(HfTree *tree, int index)
{
    HfNode *node = hf_tree_edit(tree, index);
    int child = node->first_child;
    if (!node->secure)
        node->states &= ~(HF_STATE(HF_STATE_VISIBLE) | HF_STATE(HF_STATE_SHOWING));
    for (; child != HF_NODE_NONE; child = hf_tree_get(tree, child)->next_sibling)
        hide_subtree(tree, child);
}

static void hide_other_pages(HfTree *tree, int stack, int shown)
{
    int number = 0;
    for (int child = hf_tree_get(tree, stack)->first_child; child != HF_NODE_NONE; number++) {
        int next = hf_tree_get(tree, child)->next_sibling;
        if (number != shown)
            hide_subtree(tree, child);
        child = next;
    }
}

/* If the selected page does not fill the stack, the list selects something else. */
static gboolean is_page_there(const HfTree *tree, int stack, int shown)
{
    const HfNode *node = hf_tree_get(tree, stack);
    int child = node->first_child;
    while (shown-- > 0)
        child = hf_tree_get(tree, child)->next_sibling;
    return fills_stack(node->bounds, hf_tree_get(tree, child)->bounds);
}

void hf_stacked_pages_hide(HfTree *tree)
{
    int stacks = 0;
    for (int i = 0; i < hf_tree_size(tree) && stacks < MOST_STACKS; i++) {
        const HfNode *node = hf_tree_get(tree, i);
        gboolean gtk4 = strcmp(hf_tree_get_program(tree, node->program)->toolkit, "GTK") == 0;
        int count = gtk4 && hf_tree_is_visible(tree, i) ? count_pages(tree, node) : 0;
        stacks += count > 0;
        int shown = count > 0 ? find_shown_page(tree, i, count) : -1;
        if (shown >= 0 && is_page_there(tree, i, shown))
            hide_other_pages(tree, i, shown);
    }
}
