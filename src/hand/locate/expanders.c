/* SPDX-License-Identifier: Apache-2.0 */
/* It stands left of the entry, which begins behind it: in Qt right there, in GTK 3 a little further
 * on, as its cells are told too far on the right. */
#include "hand/locate/expanders.h"

#include <string.h>

#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"

#define EXPANDER_PX 18
#define BEFORE_PX   20
#define BEFORE_GTK  40

static gboolean can_expand(const HfThing *thing)
{
    return hf_states_have(thing->states, HF_STATE_EXPANDABLE) && !hf_thing_is_painted(thing) &&
           (thing->role == HF_ROLE_TABLE_CELL || thing->role == HF_ROLE_TREE_ITEM ||
            thing->role == HF_ROLE_TABLE_ROW);
}

static HfRect place_of(const HfScene *scene, const HfThing *entry)
{
    const HfNode *node = hf_tree_get(scene->tree, entry->node);
    const char *toolkit = hf_tree_get_program(scene->tree, node->program)->toolkit;
    int before = strcmp(toolkit, "gtk") == 0 ? BEFORE_GTK : BEFORE_PX;
    return (HfRect){entry->box.x - before, entry->box.y, EXPANDER_PX, entry->box.height};
}

/* Of one row only the first cell has it. */
static gboolean is_first(const HfScene *scene, const HfThing *entry)
{
    for (guint i = 0; i < scene->things->len; i++) {
        const HfThing *other = hf_scene_get(scene, (int)i);
        if (can_expand(other) && other->box.y == entry->box.y && other->box.x < entry->box.x)
            return FALSE;
    }
    return TRUE;
}

void hf_expanders_note(HfScene *scene)
{
    guint count = scene->things->len;
    for (guint i = 0; i < count; i++) {
        const HfThing *entry = hf_scene_get(scene, (int)i);
        if (!can_expand(entry) || !is_first(scene, entry))
            continue;
        gboolean open = hf_states_have(entry->states, HF_STATE_EXPANDED);
        HfThing thing = hf_thing_part(entry, place_of(scene, entry));
        hf_thing_add_text(&thing, open ? "down triangle" : "right triangle", HF_TEXT_OF_LOOKS);
        hf_thing_add_text(&thing, "arrow", HF_TEXT_OF_LOOKS);
        hf_thing_add_text(&thing, open ? "collapse" : "expand", HF_TEXT_OF_LOOKS);
        g_array_append_val(scene->things, thing);
    }
}
