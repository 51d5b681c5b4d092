/* SPDX-License-Identifier: Apache-2.0 */
/* A header reaches over all of its column, which may be wider than itself: where the next one
 * begins, another column does. */
#include "hand/locate/columns.h"

#include <stdlib.h>

#include "hand/atspi/tree/roles.h"

/* A line of buttons so near above a painted table are its headers; fewer are none. */
#define ABOVE_PX      12
#define LEAST_HEADERS 2
/* What is in a column may stand so much further left than its header. */
#define INDENT_PX 10

static gboolean is_header(int role)
{
    return hf_node_role_is(role, "header") && role != hf_node_role_from_name("header");
}

/* ---- headers that nobody tells ---- */

static gboolean is_above(const HfThing *thing, const HfThing *table)
{
    int gap = table->box.y - (thing->box.y + thing->box.height);
    int middle = hf_rect_middle(thing->box).x;
    return thing->window == table->window && !hf_thing_is_painted(thing) &&
           thing->role == HF_ROLE_BUTTON && thing->text_count > 0 && abs(gap) <= ABOVE_PX &&
           middle >= table->box.x - 2 * INDENT_PX &&
           middle <= table->box.x + table->box.width + 2 * INDENT_PX;
}

static void make_headers(HfScene *scene, const HfThing *table)
{
    g_autoptr(GArray) above = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint i = 0; i < scene->things->len; i++)
        if (is_above(hf_scene_get(scene, (int)i), table))
            g_array_append_val(above, i);
    for (guint i = 0; above->len >= LEAST_HEADERS && i < above->len; i++)
        g_array_index(scene->things, HfThing, g_array_index(above, guint, i)).role =
            hf_node_role_from_name("table-column-header");
}

/* ---- columns ---- */

/* The left end of the next header on the right. */
static int end_of_column(const HfScene *scene, const HfThing *header)
{
    int end = G_MAXINT;
    for (guint i = 0; i < scene->things->len; i++) {
        const HfThing *next = hf_scene_get(scene, (int)i);
        if (is_header(next->role) && next->window == header->window &&
            next->box.x > header->box.x + header->box.width / 2 &&
            abs(next->box.y - header->box.y) <= header->box.height / 2)
            end = MIN(end, next->box.x);
    }
    return end == G_MAXINT ? header->box.x + header->box.width : end;
}

static gboolean is_in_column(const HfThing *thing, const HfThing *header, int end)
{
    gboolean rowed = thing->row != HF_NODE_NONE || thing->role == HF_ROLE_TABLE_CELL;
    int indent = hf_thing_is_painted(thing) ? INDENT_PX : 0;
    int at = indent ? thing->box.x : hf_rect_middle(thing->box).x;
    return thing->window == header->window && !thing->area && !is_header(thing->role) && rowed &&
           thing->box.y >= header->box.y + header->box.height / 2 && at >= header->box.x - indent &&
           at < (indent ? end - indent : header->box.x + header->box.width);
}

void hf_columns_note(HfScene *scene)
{
    for (guint i = 0; i < scene->things->len; i++) {
        const HfThing *table = hf_scene_get(scene, (int)i);
        if (table->role == HF_ROLE_TABLE && hf_thing_is_painted(table))
            make_headers(scene, table);
    }
    for (guint i = 0; i < scene->things->len; i++) {
        const HfThing *header = hf_scene_get(scene, (int)i);
        if (!is_header(header->role) || header->text_count == 0)
            continue;
        int end = end_of_column(scene, header);
        for (guint k = 0; k < scene->things->len; k++) {
            HfThing *thing = &g_array_index(scene->things, HfThing, k);
            if (is_in_column(thing, header, end))
                hf_thing_add_text(thing, header->texts[0].name->text, HF_TEXT_OF_COLUMN);
        }
    }
}
