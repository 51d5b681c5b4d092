/* SPDX-License-Identifier: Apache-2.0 */
/* Window managers tell nothing of what they draw around windows, and browsers are spoken of less
 * than what they show. */
#include "hand/locate/scene-windows.h"

#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"

/* A window that draws its own title bar: how high that is at most. */
#define OWN_BAR_PX 48
/* Less of a frame above a window is no title bar. */
#define LEAST_BAR_PX 10

static void add_frame_thing(HfScene *scene, const HfWindow *window, int role, HfRect box,
                            const char *name)
{
    HfThing thing = {.node = HF_NODE_NONE,
                     .role = role,
                     .states = HF_STATE(HF_STATE_ENABLED),
                     .box = box,
                     .window = window->id,
                     .source = HF_SOURCE_PIXELS,
                     .read = 1,
                     .row = HF_NODE_NONE,
                     .as_row = HF_NODE_NONE,
                     .area = role != HF_ROLE_BUTTON};
    hf_thing_add_text(&thing, name, HF_TEXT_OF_NAME);
    g_array_append_val(scene->things, thing);
}

/* The window manager's title bar tells nothing; its button for closing is nearly always at its
 * right end, about as wide as the bar is high. */
static void add_frame(HfScene *scene, const HfWindow *window)
{
    HfRect frame = window->frame;
    int bar = window->bounds.y - frame.y;
    gboolean own = bar < LEAST_BAR_PX;
    HfRect area = {frame.x, frame.y, frame.width, own ? MIN(OWN_BAR_PX, frame.height / 4) : bar};
    add_frame_thing(scene, window, hf_node_role_from_name("title-bar"), area, NULL);
    HfRect close = {frame.x + frame.width - bar, frame.y, bar, bar};
    if (!own && window->kind != HF_WINDOW_DOCK)
        add_frame_thing(scene, window, HF_ROLE_BUTTON, close, "Close window");
}

static gboolean has_window(const HfScene *scene, guint32 id)
{
    for (guint i = 0; i < scene->things->len; i++)
        if (hf_scene_get(scene, (int)i)->window == id)
            return TRUE;
    return FALSE;
}

void hf_scene_add_frames(HfScene *scene, const HfSceneScope *scope)
{
    for (guint i = 0; scope->windows && i < scope->windows->len; i++) {
        const HfWindow *window = scope->windows->pdata[i];
        if (window->visible && !window->minimized && has_window(scene, window->id))
            add_frame(scene, window);
        if (window->id == scope->front)
            scene->front = window->frame;
    }
}

static gboolean is_in_page(const HfTree *tree, int node)
{
    for (int at = node; at != HF_NODE_NONE; at = hf_tree_get(tree, at)->parent)
        if (hf_tree_get(tree, at)->role == HF_ROLE_DOCUMENT_WEB)
            return TRUE;
    return FALSE;
}

/* What is only painted is in no page of the tree: where it lies tells. */
static gboolean is_around(const HfScene *scene, const HfThing *thing, const HfThing *page)
{
    if (thing->node == HF_NODE_NONE && !thing->grouped)
        return thing->area; /* the title bar; the button in it is the window's, as everywhere */
    return hf_thing_is_painted(thing) || thing->grouped
               ? !hf_rect_contains(page->box, hf_rect_middle(thing->box))
               : !is_in_page(scene->tree, thing->node) && !hf_node_role_is(thing->role, "window");
}

/* People speak of the page first, and of the browser around it second: also of its bars. */
void hf_scene_note_pages(HfScene *scene)
{
    for (guint i = 0; i < scene->things->len; i++) {
        const HfThing *page = hf_scene_get(scene, (int)i);
        if (page->role != HF_ROLE_DOCUMENT_WEB)
            continue;
        for (guint k = 0; k < scene->things->len; k++) {
            HfThing *thing = &g_array_index(scene->things, HfThing, k);
            if (thing->window == page->window)
                thing->around_page = is_around(scene, thing, page);
        }
        if (page->window == scene->front_window)
            scene->page = page->box;
    }
    for (guint i = 0; i < scene->things->len; i++) {
        const HfThing *thing = hf_scene_get(scene, (int)i);
        scene->has_tool_bar |=
            thing->role == HF_ROLE_TOOL_BAR && !thing->grouped && !thing->around_page;
    }
}
