/* SPDX-License-Identifier: Apache-2.0 */
/* GTK 4 names the picture on such a button by the parts of its colour; of others the picture tells.
 */
#include "hand/locate/swatches.h"

#include <string.h>

#include "hand/atspi/tree/roles.h"
#include "hand/locate/colours.h"

/* So much of it is of one colour. */
#define FILLED 0.45
/* Smaller is an icon, larger a panel. */
#define LEAST_PX 16
#define MOST_PX  240

static gboolean has_no_word(const HfThing *thing)
{
    for (int i = 0; i < thing->text_count; i++)
        if (thing->texts[i].of <= HF_TEXT_OF_DESCRIPTION)
            return FALSE;
    return TRUE;
}

static gboolean is_named_by_parts(const HfThing *thing)
{
    const char *name = thing->text_count > 0 ? thing->texts[0].name->text : "";
    return g_str_has_prefix(name, "Red ") && strstr(name, "Green ") && strchr(name, '%');
}

static gboolean shows_colour(const HfScene *scene, const HfThing *thing)
{
    HfRect box = {thing->box.x - scene->picture_area.x, thing->box.y - scene->picture_area.y,
                  thing->box.width, thing->box.height};
    for (HfColour colour = HF_COLOUR_RED; colour < HF_COLOUR_COUNT; colour++)
        if (hf_colour_share(scene->picture, box, colour) >= FILLED)
            return TRUE;
    return FALSE;
}

static gboolean may_show_colour(const HfThing *thing)
{
    return thing->role == HF_ROLE_BUTTON && !hf_thing_is_painted(thing) && has_no_word(thing) &&
           MIN(thing->box.width, thing->box.height) >= LEAST_PX &&
           MAX(thing->box.width, thing->box.height) <= MOST_PX;
}

void hf_swatches_note(HfScene *scene)
{
    for (guint i = 0; i < scene->things->len; i++) {
        HfThing *thing = &g_array_index(scene->things, HfThing, i);
        gboolean filled = scene->picture && may_show_colour(thing) && shows_colour(scene, thing);
        if (filled || is_named_by_parts(thing))
            hf_thing_add_text(thing, "colour", HF_TEXT_OF_LOOKS);
    }
}
