/* SPDX-License-Identifier: Apache-2.0 */
/* From "target" to one element of the screen, and what is said of it in the result. */
#include "hand/desktop/screen.h"
#include "hand/tools/resolve.h"
#include "shared/base/error.h"

/* Around an element that a picture shows. */
#define MARGIN_PX 8

/* Any member: the reader of selectors knows them, and words what is wrong with them. */
const HfParam hf_selector_form = {.type = HF_TYPE_OBJECT};

static const HfParam word = {.type = HF_TYPE_STRING};
static const HfParam bounds_fields[] = {
    {.name = "x", .type = HF_TYPE_INTEGER, .required = TRUE, .about = "Left edge"},
    {.name = "y", .type = HF_TYPE_INTEGER, .required = TRUE, .about = "Top edge"},
    {.name = "width", .type = HF_TYPE_INTEGER, .required = TRUE, .about = "Width"},
    {.name = "height", .type = HF_TYPE_INTEGER, .required = TRUE, .about = "Height"},
    {0},
};
const HfParam hf_located_fields[] = {
    {.name = "ref", .type = HF_TYPE_STRING, .required = TRUE, .about = "To name it by: e12"},
    {.name = "role", .type = HF_TYPE_STRING, .required = TRUE, .about = "What it is"},
    {.name = "name", .type = HF_TYPE_STRING, .required = TRUE, .about = "What it is called"},
    {.name = "bounds", .type = HF_TYPE_OBJECT, .fields = bounds_fields, .about = "Where it is"},
    {.name = "window", .type = HF_TYPE_INTEGER, .about = "The window that it is in"},
    {.name = "app", .type = HF_TYPE_STRING, .required = TRUE, .about = "The program that shows it"},
    {.name = "score",
     .type = HF_TYPE_NUMBER,
     .required = TRUE,
     .about = "How well it fits what was asked for, up to 100"},
    {.name = "reasons",
     .type = HF_TYPE_ARRAY,
     .items = &word,
     .required = TRUE,
     .about = "Why it was taken"},
    {.name = "followed",
     .type = HF_TYPE_BOOLEAN,
     .required = TRUE,
     .about = "It had moved since the snapshot, and was followed"},
    {0},
};

/* Of all that is known of it, what a result must say. */
static json_t *located_to_json(HfDesktop *desktop, const HfResolvedElement *located)
{
    g_autoptr(json_t) all = hf_resolved_element_to_json(desktop, located, FALSE);
    json_t *told = json_object();
    for (const HfParam *field = hf_located_fields; field->name; field++) {
        json_t *value = json_object_get(all, field->name);
        if (value)
            json_object_set(told, field->name, value);
    }
    return told;
}

/* A reference may lead elsewhere than the route. */
static gboolean is_routed(const HfCall *call, HfResolvedElement *located, GError **error)
{
    guint32 window = hf_tree_get(located->tree, located->index)->window;
    guint32 routed = hf_call_window(call);
    if (!routed || !window || window == routed)
        return TRUE;
    hf_resolved_element_clear(located);
    *located = (HfResolvedElement){0};
    hf_fail(error, HF_ERROR_DESKTOP_ELEMENT_NOT_FOUND,
            "the element is in the window %u, and the call is routed to %u", window, routed);
    hf_error_suggest(error, "leave out route, or take an element of that window");
    return FALSE;
}

gboolean hf_call_locate(HfCall *call, const char *name, const char *member,
                        HfResolvedElement *ret_located, GError **error)
{
    g_autoptr(HfSelector) selector = hf_selector_from_json(hf_call_json(call, name), error);
    if (!selector) {
        g_prefix_error(error, "%s: ", name);
        return FALSE;
    }
    HfTreeScope scope = {.window = hf_call_window(call)};
    if (!hf_element_resolve(hf_call_context(call), selector, &scope, hf_call_deadline(call),
                            ret_located, error) ||
        !is_routed(call, ret_located, error))
        return FALSE;
    hf_call_take_found(call, member, located_to_json(hf_call_desktop(call), ret_located));
    return TRUE;
}

gboolean hf_call_get_element_area(HfCall *call, HfRect *ret_area, GError **error)
{
    g_auto(HfResolvedElement) located = {0};
    HfRect area;
    HfSize screen;
    if (!hf_call_locate(call, "target", "element", &located, error) ||
        !hf_resolved_element_get_area(&located, &area, error) ||
        !hf_screen_get_size(hf_call_desktop(call), &screen, error))
        return FALSE;
    HfRect wide = {area.x - MARGIN_PX, area.y - MARGIN_PX, area.width + 2 * MARGIN_PX,
                   area.height + 2 * MARGIN_PX};
    *ret_area = hf_rect_intersect(wide, (HfRect){0, 0, screen.width, screen.height});
    return TRUE;
}
