/* SPDX-License-Identifier: Apache-2.0 */
/* On its left in the same line, else above it; in a list of settings far on the left. */
#include "hand/locate/labels.h"

#include "hand/atspi/selector/match-text.h"
#include "hand/atspi/selector/proximity.h"
#include "hand/atspi/tree/roles.h"

/* As far as anybody looks along a line for what a label speaks of. */
#define FAR_LABEL_PX 900
/* More is a field of several lines. */
#define TALL_PX 48

static gboolean takes_label(const HfThing *thing)
{
    gboolean boxed = thing->role == HF_ROLE_CHECK_BOX || thing->role == HF_ROLE_SWITCH ||
                     thing->role == HF_ROLE_TOGGLE_BUTTON;
    gboolean named = thing->text_count > 0 && thing->texts[0].of == HF_TEXT_OF_NAME;
    if (hf_thing_is_painted(thing))
        return !named && thing->role != HF_ROLE_LABEL;
    gboolean mute = thing->text_count == 0 || thing->texts[0].of == HF_TEXT_OF_LABEL;
    if (thing->role == HF_ROLE_SECTION && !thing->area && mute)
        return TRUE; /* a switch that tells nothing */
    return (hf_node_takes_label(thing->role) || thing->role == HF_ROLE_TOGGLE_BUTTON) &&
           !(boxed && named);
}

static gboolean is_label(const HfThing *thing)
{
    return thing->text_count > 0 &&
           (thing->role == HF_ROLE_LABEL || thing->role == HF_ROLE_STATIC ||
            thing->role == HF_ROLE_PARAGRAPH || thing->role == HF_ROLE_HEADING ||
            thing->role == HF_ROLE_SECTION);
}

/* Another text stands between the two, one below the other. */
static gboolean is_cut_off(const HfScene *scene, const HfThing *label, const HfThing *field)
{
    HfRect between = {label->box.x, label->box.y + label->box.height, label->box.width,
                      field->box.y - label->box.y - label->box.height};
    for (guint i = 0; between.height > 0 && i < scene->things->len; i++) {
        const HfThing *other = hf_scene_get(scene, (int)i);
        if (is_label(other) && other->window == label->window && !other->area &&
            !hf_rect_is_empty(hf_rect_intersect(other->box, between)) &&
            !hf_rect_contains(other->box, hf_rect_middle(label->box)))
            return TRUE;
    }
    return FALSE;
}

/* Settings have their names on the left and what is set far on the right. */
static double label_distance(const HfScene *scene, const HfThing *label, const HfThing *field)
{
    double near = hf_proximity_label(label->box, field->box);
    gboolean beside = label->box.x + label->box.width <= field->box.x;
    if (beside && label->box.y > field->box.y + TALL_PX)
        return -1; /* of a tall field the label is beside its first line */
    double right = hf_proximity_from(label->box, field->box, HF_DIRECTION_RIGHT);
    if (near >= 0 && is_cut_off(scene, label, field))
        return -1;
    if (near >= 0 || right < 0 || right > FAR_LABEL_PX)
        return near;
    HfRect between = {label->box.x + label->box.width, label->box.y + label->box.height / 2,
                      field->box.x - label->box.x - label->box.width, 1};
    for (guint i = 0; i < scene->things->len; i++) {
        const HfThing *other = hf_scene_get(scene, (int)i);
        if (other != field && other != label && !other->area && !hf_thing_is_painted(other) &&
            !hf_rect_contains(other->box, hf_rect_middle(label->box)) &&
            !hf_rect_is_empty(hf_rect_intersect(other->box, between)))
            return -1;
    }
    return right;
}

/* Every label speaks of the nearest field on its right, else below it. */
void hf_labels_note(HfScene *scene)
{
    guint count = scene->things->len;
    for (guint i = 0; i < count; i++) {
        const HfThing *label = hf_scene_get(scene, (int)i);
        HfThing *best = NULL;
        double least = G_MAXDOUBLE;
        if (!is_label(label))
            continue;
        for (guint k = 0; k < count; k++) {
            HfThing *field = &g_array_index(scene->things, HfThing, k);
            if (field->window != label->window || field->row != label->row || !takes_label(field))
                continue;
            double distance = label_distance(scene, label, field);
            if (distance >= 0 && distance < least) {
                least = distance;
                best = field;
            }
        }
        if (best)
            hf_thing_add_text(best, label->texts[0].name->text, HF_TEXT_OF_LABEL);
    }
}
