/* SPDX-License-Identifier: Apache-2.0 */
/* It stands at the right end of the tab, and is known by its looks alone. */
#include "hand/locate/closers.h"

#include <string.h>

#include "hand/atspi/tree/roles.h"
#include "hand/pixels/shapes/symbol-classifier.h"

/* A tab without room for a word and a cross has none. */
#define LEAST_TAB_PX 48
#define CROSS_PX     28
/* What stands there is nearly always a cross, or a letter of the tab's name. */
#define LIKELY 0.2

static gboolean shows_cross(const HfScene *scene, HfRect place)
{
    HfSymbolGuess guess;
    HfRect box = {place.x - scene->picture_area.x, place.y - scene->picture_area.y, place.width,
                  place.height};
    HfRect all = {0, 0, scene->picture->width, scene->picture->height};
    if (hf_rect_is_empty(hf_rect_intersect(all, box)))
        return FALSE;
    return hf_symbols_guess(scene->picture, box, FALSE, &guess, 1) > 0 &&
           guess.likelihood >= LIKELY && strcmp(guess.name, "cross") == 0;
}

static gboolean has_own(const HfScene *scene, HfRect place)
{
    for (guint i = 0; i < scene->things->len; i++) {
        const HfThing *thing = hf_scene_get(scene, (int)i);
        if (thing->role == HF_ROLE_BUTTON && hf_rect_contains(place, hf_rect_middle(thing->box)))
            return TRUE;
    }
    return FALSE;
}

void hf_closers_note(HfScene *scene)
{
    guint count = scene->picture ? scene->things->len : 0;
    for (guint i = 0; i < count; i++) {
        const HfThing *tab = hf_scene_get(scene, (int)i);
        int side = MIN(tab->box.height, CROSS_PX);
        HfRect place = {tab->box.x + tab->box.width - side - (tab->box.height - side) / 2,
                        tab->box.y + (tab->box.height - side) / 2, side, side};
        if (tab->role != HF_ROLE_PAGE_TAB || hf_thing_is_painted(tab) ||
            tab->box.width < LEAST_TAB_PX || has_own(scene, place) || !shows_cross(scene, place))
            continue;
        HfThing thing = hf_thing_part(tab, place);
        hf_thing_add_text(&thing, "cross", HF_TEXT_OF_LOOKS);
        g_array_append_val(scene->things, thing);
    }
}
