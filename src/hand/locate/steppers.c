/* SPDX-License-Identifier: Apache-2.0 */
/* GTK has minus and plus at the right end, or at the bottom and the top when it stands upright; Qt
 * two arrows, one above the other. Others show theirs only sometimes. */
#include "hand/locate/steppers.h"

#include <string.h>

#include "hand/atspi/tree/roles.h"

/* GTK's are about as wide as the field is high; Qt's are narrow. */
#define MORE_PX  2
#define ARROW_PX 18

typedef struct Steppers {
    HfRect more, less;
    gboolean arrows;
} Steppers;

static gboolean find_steppers(const char *toolkit, HfRect box, Steppers *ret_steppers)
{
    int side = MIN(box.height + MORE_PX, box.width / 3);
    HfRect more = {box.x + box.width - side, box.y, side, box.height};
    HfRect less = {box.x + box.width - 2 * side, box.y, side, box.height};
    gboolean qt = strcmp(toolkit, "Qt") == 0;
    if (!qt && g_ascii_strcasecmp(toolkit, "gtk") != 0)
        return FALSE;
    if (qt) {
        more = (HfRect){box.x + box.width - ARROW_PX, box.y, ARROW_PX, box.height / 2};
        less = (HfRect){more.x, box.y + box.height / 2, ARROW_PX, box.height / 2};
    } else if (box.height > box.width) {
        more = (HfRect){box.x, box.y, box.width, box.height / 3};
        less = (HfRect){box.x, box.y + box.height - box.height / 3, box.width, box.height / 3};
    }
    *ret_steppers = (Steppers){more, less, qt};
    return TRUE;
}

static void add(HfScene *scene, int field, HfRect box, const char *shows, const char *does)
{
    HfThing thing = hf_thing_part(hf_scene_get(scene, field), box);
    hf_thing_add_text(&thing, shows, HF_TEXT_OF_LOOKS);
    hf_thing_add_text(&thing, does, HF_TEXT_OF_LOOKS);
    g_array_append_val(scene->things, thing);
}

void hf_steppers_note(HfScene *scene)
{
    guint count = scene->things->len;
    for (guint i = 0; i < count; i++) {
        const HfThing *field = hf_scene_get(scene, (int)i);
        Steppers steppers;
        if (field->role != HF_ROLE_SPIN_BUTTON || hf_thing_is_painted(field))
            continue;
        const HfNode *node = hf_tree_get(scene->tree, field->node);
        const char *toolkit = hf_tree_get_program(scene->tree, node->program)->toolkit;
        if (!find_steppers(toolkit, field->box, &steppers))
            continue;
        add(scene, (int)i, steppers.less, steppers.arrows ? "down arrow" : "minus", "decrease");
        add(scene, (int)i, steppers.more, steppers.arrows ? "up arrow" : "plus", "increase");
    }
}
