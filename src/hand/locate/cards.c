/* SPDX-License-Identifier: Apache-2.0 */
/* Children of one parent that are about as large as each other. */
#include "hand/locate/cards.h"

#include <stdlib.h>

#include "hand/atspi/tree/roles.h"

#define LEAST_CARDS 3
/* Smaller is a button, larger a section of the page. */
#define LEAST_PX 60
#define MOST_PX  640
/* How far sizes may differ, in hundredth. */
#define ALIKE_PERCENT 12
/* Something to use, and what it is for. */
#define LEAST_THINGS 2

static gboolean may_be_card(const HfThing *thing)
{
    return thing->area && thing->node != HF_NODE_NONE && thing->as_row == HF_NODE_NONE &&
           thing->row == HF_NODE_NONE && !hf_thing_is_painted(thing) &&
           (thing->role == HF_ROLE_SECTION || thing->role == HF_ROLE_GROUPING ||
            thing->role == HF_ROLE_PANEL) &&
           MIN(thing->box.width, thing->box.height) >= LEAST_PX &&
           MAX(thing->box.width, thing->box.height) <= MOST_PX;
}

static gboolean are_alike(const HfScene *scene, const HfThing *a, const HfThing *b)
{
    const HfTree *tree = scene->tree;
    HfRect common = hf_rect_intersect(a->box, b->box);
    return hf_tree_get(tree, a->node)->parent == hf_tree_get(tree, b->node)->parent &&
           abs(a->box.width - b->box.width) * 100 <= a->box.width * ALIKE_PERCENT &&
           abs(a->box.height - b->box.height) * 100 <= a->box.height * ALIKE_PERCENT &&
           hf_rect_is_empty(common);
}

static gboolean is_inside(const HfScene *scene, const HfThing *thing, int node)
{
    return thing->node > node && thing->node < hf_tree_end(scene->tree, node);
}

static guint count_inside(const HfScene *scene, int node)
{
    guint count = 0;
    for (guint i = 0; i < scene->things->len; i++) {
        const HfThing *thing = hf_scene_get(scene, (int)i);
        count += !thing->area && is_inside(scene, thing, node);
    }
    return count;
}

/* It is called by its heading, else by what is written first in it. */
static const char *find_title(const HfScene *scene, int node)
{
    const char *first = NULL;
    for (guint i = 0; i < scene->things->len; i++) {
        const HfThing *thing = hf_scene_get(scene, (int)i);
        if (!is_inside(scene, thing, node) || thing->text_count == 0 ||
            thing->texts[0].of != HF_TEXT_OF_NAME || hf_thing_is_painted(thing))
            continue;
        if (thing->role == HF_ROLE_HEADING)
            return thing->texts[0].name->text;
        first = first ? first : thing->texts[0].name->text;
    }
    return first;
}

static void make_card(HfScene *scene, int index)
{
    HfThing *card = &g_array_index(scene->things, HfThing, index);
    int node = card->node;
    card->as_row = node;
    card->role = hf_node_role_from_name("article");
    hf_thing_add_text(card, find_title(scene, node), HF_TEXT_OF_NAME);
    for (guint i = 0; i < scene->things->len; i++) {
        HfThing *thing = &g_array_index(scene->things, HfThing, i);
        if (is_inside(scene, thing, node) && thing->row == HF_NODE_NONE)
            thing->row = node;
    }
}

void hf_cards_note(HfScene *scene)
{
    for (guint i = 0; i < scene->things->len; i++) {
        const HfThing *first = hf_scene_get(scene, (int)i);
        g_autoptr(GArray) alike = g_array_new(FALSE, FALSE, sizeof(int));
        if (!may_be_card(first) || count_inside(scene, first->node) < LEAST_THINGS)
            continue;
        for (int k = (int)i; k < (int)scene->things->len; k++) {
            const HfThing *thing = hf_scene_get(scene, k);
            if (k == (int)i || (may_be_card(thing) && are_alike(scene, first, thing) &&
                                count_inside(scene, thing->node) >= LEAST_THINGS))
                g_array_append_val(alike, k);
        }
        for (guint k = 0; alike->len >= LEAST_CARDS && k < alike->len; k++)
            make_card(scene, g_array_index(alike, int, k));
    }
}
