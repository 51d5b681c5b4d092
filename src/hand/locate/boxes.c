/* SPDX-License-Identifier: Apache-2.0 */
/* The circle stands at the left end, before its words; a switch is all of the box. */
#include "hand/locate/boxes.h"

#include <stdlib.h>
#include <string.h>

#include "hand/atspi/tree/roles.h"
#include "hand/pixels/shapes/shapes.h"

/* More of them are not looked at. */
#define MOST_BOXES 80
/* Ground around it that its shape stands on. */
#define AROUND_PX 6
/* No switch is larger, nor less wide against its height, in tenth. */
#define SWITCH_PX    40
#define SWITCH_WIDER 15
/* No box to tick is as large. */
#define TOOL_PX 20

static gboolean is_told_box(const HfThing *thing)
{
    return thing->role == HF_ROLE_CHECK_BOX && !hf_thing_is_painted(thing);
}

/* Where its shape would be, on the picture. */
static HfRect place_of(const HfScene *scene, const HfThing *box)
{
    HfRect place = {box->box.x - scene->picture_area.x - AROUND_PX,
                    box->box.y - scene->picture_area.y - AROUND_PX, box->box.height + 2 * AROUND_PX,
                    box->box.height + 2 * AROUND_PX};
    return hf_rect_intersect(place, (HfRect){0, 0, scene->picture->width, scene->picture->height});
}

static gboolean shows_circle(const HfScene *scene, const HfThing *box)
{
    HfRect place = place_of(scene, box);
    if (hf_rect_is_empty(place))
        return FALSE;
    const HfImage *picture = scene->picture;
    g_autoptr(HfImage) part = hf_image_new_view(
        place.width, place.height, picture->stride,
        picture->pixels + (gsize)place.y * (gsize)picture->stride + (gsize)place.x * 4, NULL, NULL);
    g_autoptr(GArray) shapes = hf_shapes_find(part);
    for (guint i = 0; i < shapes->len; i++)
        if (g_array_index(shapes, HfShape, i).kind == HF_SHAPE_CIRCLE)
            return TRUE;
    return FALSE;
}

/* It has no words, and room for a knob that goes from one end to the other. */
static gboolean has_form_of_switch(const HfThing *thing)
{
    gboolean named = thing->text_count > 0 && thing->texts[0].of == HF_TEXT_OF_NAME;
    return !named && thing->box.height <= SWITCH_PX &&
           thing->box.width * 10 >= thing->box.height * SWITCH_WIDER;
}

/* Qt says it of buttons of a tool bar that stay pressed, which are larger than a box. */
static gboolean is_tool(const HfScene *scene, const HfThing *thing)
{
    const HfNode *node = hf_tree_get(scene->tree, thing->node);
    const char *toolkit = hf_tree_get_program(scene->tree, node->program)->toolkit;
    gboolean square = abs(thing->box.width - thing->box.height) <= TOOL_PX / 4;
    return strcmp(toolkit, "Qt") == 0 && !(node->name && *node->name) && square &&
           thing->box.height >= TOOL_PX;
}

void hf_boxes_note(HfScene *scene)
{
    int looked = 0;
    for (guint i = 0; i < scene->things->len; i++) {
        HfThing *thing = &g_array_index(scene->things, HfThing, i);
        if (!is_told_box(thing))
            continue;
        if (has_form_of_switch(thing))
            thing->role = HF_ROLE_SWITCH;
        else if (is_tool(scene, thing))
            thing->role = HF_ROLE_TOGGLE_BUTTON;
        else if (scene->picture && looked++ < MOST_BOXES && shows_circle(scene, thing))
            thing->role = HF_ROLE_RADIO_BUTTON;
    }
}
