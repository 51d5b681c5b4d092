/* SPDX-License-Identifier: Apache-2.0 */
/* Resolves the elements, points and areas that a call means into pixels of the screen. An area is
 * clipped to its picture. A point outside of the screen is refused and never moved inside: the
 * nearest pixel inside is not what the caller meant. */
#include "hand/tools/resolve.h"

#include <math.h>
#include <string.h>

#include "hand/atspi/act/modal-dialog.h"
#include "hand/desktop/image-spaces.h"
#include "hand/desktop/pointer.h"
#include "hand/desktop/screen.h"
#include "hand/safety/call-context.h"
#include "hand/tools/windows/window-report.h"
#include "shared/base/error.h"

/* Around an element in its picture. */
#define MARGIN_PX 8
/* Far outside of any screen, and far below INT_MAX. */
#define EDGE 100000

/* ---- elements ---- */

/* Accepts every member: hf_selector_from_json checks them. */
const HfParam hf_selector_form = {.type = HF_TYPE_OBJECT};

const HfParam hf_text_item = {.type = HF_TYPE_STRING};
const HfParam hf_located_fields[] = {
    HF_REQUIRED("ref", HF_TYPE_STRING, "Reference for later calls: e12"),
    HF_REQUIRED("role", HF_TYPE_STRING, "What it is"),
    HF_REQUIRED("name", HF_TYPE_STRING, "Its name"),
    HF_OPTIONAL("bounds", HF_TYPE_OBJECT, "Where it is", .fields = hf_rect_fields),
    HF_OPTIONAL("window", HF_TYPE_INTEGER, "The window that it is in"),
    HF_REQUIRED("app", HF_TYPE_STRING, "The program that shows it"),
    HF_REQUIRED("score", HF_TYPE_NUMBER, "How well it matches, up to 100"),
    HF_REQUIRED("reasons", HF_TYPE_ARRAY, "Why it was chosen", .items = &hf_text_item),
    HF_REQUIRED("followed", HF_TYPE_BOOLEAN, "It has moved since the snapshot and was found again"),
    {0},
};

/* Only the members that the result declares. */
static json_t *located_to_json(HfDesktop *desktop, const HfResolvedElement *located)
{
    g_autoptr(json_t) all = hf_resolved_element_to_json(desktop, located, FALSE);
    json_t *report = json_object();
    for (const HfParam *field = hf_located_fields; field->name; field++) {
        json_t *value = json_object_get(all, field->name);
        if (value)
            json_object_set(report, field->name, value);
    }
    return report;
}

/* A reference may name an element outside of the routed window. */
static gboolean check_routed_window(const HfCall *call, HfResolvedElement *located, GError **error)
{
    guint32 window = hf_tree_get(located->tree, located->index)->window;
    guint32 routed = hf_call_window(call);
    if (!routed || !window || window == routed)
        return TRUE;
    hf_resolved_element_clear(located);
    *located = (HfResolvedElement){0};
    hf_fail(error, HF_ERROR_DESKTOP_ELEMENT_NOT_FOUND,
            "the element is in window %u, but the call is routed to window %u", window, routed);
    hf_error_suggest(error, "leave out route, or choose an element of the routed window");
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
        !check_routed_window(call, ret_located, error))
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

/* ---- points ---- */

const char *const hf_space_choices[] = {"physical", "image", NULL};

static gboolean fail_missing_coordinate(const char *missing, const char *given, GError **error)
{
    hf_fail(error, HF_ERROR_INVALID_PARAMS, "%s: is required with %s", missing, given);
    hf_error_take_details(error, json_pack("{s:s, s:s}", "path", missing, "expected", "a number"));
    return FALSE;
}

/* A caller who names a picture means its pixels unless `space` says otherwise. */
gboolean hf_call_in_image_space(const HfCall *call)
{
    const char *space = hf_call_string(call, "space");
    return space ? strcmp(space, "image") == 0 : hf_call_has(call, "image_id");
}

static gboolean get_image_id(const HfCall *call, const char **ret_image_id, GError **error)
{
    gboolean in_image = hf_call_in_image_space(call);
    const char *image_id = in_image ? hf_call_string(call, "image_id") : NULL;
    if (in_image && !image_id)
        return hf_fail(error, HF_ERROR_INVALID_PARAMS, "image_id: is required with space 'image'");
    *ret_image_id = image_id;
    return TRUE;
}

static gboolean check_point_on_screen(HfDesktop *desktop, double x, double y, HfPoint *ret_point,
                                      GError **error)
{
    HfSize screen;
    if (!hf_screen_get_size(desktop, &screen, error))
        return FALSE;
    if (!(x >= 0 && y >= 0 && x < screen.width && y < screen.height)) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS,
                "the point %g,%g is outside of the screen, which is %d x %d pixels", x, y,
                screen.width, screen.height);
        hf_error_take_details(error, json_pack("{s:{s:i, s:i}}", "screen", "width", screen.width,
                                               "height", screen.height));
        return FALSE;
    }
    /* 99.7 is in pixel 99. */
    *ret_point = (HfPoint){(int)floor(x), (int)floor(y)};
    return TRUE;
}

static gboolean get_point_by_numbers(const HfCall *call, const char *x_name, const char *y_name,
                                     HfPoint *ret_point, GError **error)
{
    if (!hf_call_has(call, x_name) || !hf_call_has(call, y_name)) {
        gboolean has_x = hf_call_has(call, x_name);
        return fail_missing_coordinate(has_x ? y_name : x_name, has_x ? x_name : y_name, error);
    }
    double x = hf_call_number(call, x_name), y = hf_call_number(call, y_name);
    const char *image_id;
    if (!get_image_id(call, &image_id, error))
        return FALSE;
    if (!image_id)
        return check_point_on_screen(hf_call_desktop(call), x, y, ret_point, error);
    HfImageSpace space;
    if (!hf_image_spaces_map_point(hf_call_desktop(call), image_id, x, y, ret_point, error))
        return FALSE;
    /* A point in the picture of a window means that window. */
    if (hf_image_spaces_find(hf_call_desktop(call), image_id, &space, NULL) && space.window)
        hf_call_context_set_pointer_window(hf_call_context(call), space.window);
    return TRUE;
}

const HfPointNames hf_point_names = {"x", "y", "target", "element"};
const HfPointNames hf_from_names = {"from_x", "from_y", "from", "from_element"};
const HfPointNames hf_to_names = {"to_x", "to_y", "to", "to_element"};

/* The middle of the visible part. */
static gboolean get_middle_of_element(HfCall *call, const HfPointNames *names, HfPoint *ret_point,
                                      GError **error)
{
    g_auto(HfResolvedElement) located = {0};
    HfRect area;
    if (!hf_call_locate(call, names->target, names->element, &located, error) ||
        !hf_resolved_element_get_area(&located, &area, error))
        return FALSE;
    guint32 window = hf_tree_get(located.tree, located.index)->window;
    hf_call_context_set_pointer_window(hf_call_context(call), window);
    /* A modal dialog does not prevent pointing. */
    if (hf_call_tool(call)->verifies == HF_VERIFY_EFFECT &&
        !hf_modal_check(hf_call_desktop(call), window, error))
        return FALSE;
    return check_point_on_screen(hf_call_desktop(call), area.x + area.width / 2,
                                 area.y + area.height / 2, ret_point, error);
}

gboolean hf_call_get_point_named(HfCall *call, const HfPointNames *names, HfPoint *ret_point,
                                 GError **error)
{
    gboolean numbers = hf_call_has(call, names->x) || hf_call_has(call, names->y);
    if (numbers && hf_call_has(call, names->target))
        return hf_fail(error, HF_ERROR_INVALID_PARAMS, "%s: replaces %s and %s; give either",
                       names->target, names->x, names->y);
    if (!numbers && !hf_call_has(call, names->target)) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "no point given: give %s and %s, or %s", names->x,
                names->y, names->target);
        hf_error_take_details(
            error, json_pack("{s:s, s:s}", "path", names->x, "expected", "a point or an element"));
        return FALSE;
    }
    return numbers ? get_point_by_numbers(call, names->x, names->y, ret_point, error)
                   : get_middle_of_element(call, names, ret_point, error);
}

gboolean hf_call_get_point(HfCall *call, HfPoint *ret_point, GError **error)
{
    if (hf_call_has(call, "x") || hf_call_has(call, "y") || hf_call_has(call, "target"))
        return hf_call_get_point_named(call, &hf_point_names, ret_point, error);
    HfPointerState state;
    if (!hf_pointer_get(hf_call_context(call), &state, error))
        return FALSE;
    *ret_point = state.point;
    return TRUE;
}

/* ---- areas and monitors ---- */

const HfParam hf_coordinate = {.type = HF_TYPE_NUMBER, .min = -EDGE, .max = EDGE};

static const HfParam area_fields[] = {
    HF_REQUIRED("x", HF_TYPE_NUMBER, "Left edge", .min = -EDGE, .max = EDGE),
    HF_REQUIRED("y", HF_TYPE_NUMBER, "Top edge", .min = -EDGE, .max = EDGE),
    HF_REQUIRED("width", HF_TYPE_NUMBER, "Width", .min = 0, .max = EDGE),
    HF_REQUIRED("height", HF_TYPE_NUMBER, "Height", .min = 0, .max = EDGE),
    {0},
};
const HfParam hf_area_form = {.type = HF_TYPE_OBJECT, .fields = area_fields};

static void read_corners(const json_t *value, double corners[4])
{
    for (size_t i = 0; i < 4; i++)
        corners[i] = json_number_value(json_array_get(value, i));
    if (json_is_object(value)) {
        corners[0] = hf_json_number(value, "x", 0);
        corners[1] = hf_json_number(value, "y", 0);
        corners[2] = corners[0] + hf_json_number(value, "width", 0);
        corners[3] = corners[1] + hf_json_number(value, "height", 0);
    }
}

static gboolean fail_empty_area(const char *name, const double corners[4], GError **error)
{
    gboolean swapped = corners[2] < corners[0] || corners[3] < corners[1];
    hf_fail(error, HF_ERROR_INVALID_PARAMS,
            "%s: the area from %g, %g to %g, %g %s; give [left, top, right, bottom]", name,
            corners[0], corners[1], corners[2], corners[3],
            swapped ? "has its corners swapped" : "is empty");
    hf_error_take_details(error, json_pack("{s:s, s:s}", "path", name, "expected",
                                           "an area with a width and a height"));
    return FALSE;
}

gboolean hf_call_read_area(const HfCall *call, const char *name, const json_t *value,
                           HfRect *ret_area, guint32 *ret_window, GError **error)
{
    double corners[4];
    HfImageSpace space;
    const char *image_id;
    read_corners(value, corners);
    if (!(corners[2] > corners[0] && corners[3] > corners[1]))
        return fail_empty_area(name, corners, error);
    if (!get_image_id(call, &image_id, error))
        return FALSE;
    if (image_id) {
        if (!hf_image_spaces_find(hf_call_desktop(call), image_id, &space, error) ||
            !hf_image_spaces_map_area(hf_call_desktop(call), image_id, corners, ret_area, error))
            return FALSE;
        *ret_window = space.window;
        return TRUE;
    }
    int left = (int)floor(corners[0]), top = (int)floor(corners[1]);
    *ret_area = (HfRect){left, top, (int)ceil(corners[2]) - left, (int)ceil(corners[3]) - top};
    *ret_window = 0;
    return TRUE;
}

gboolean hf_call_get_area(const HfCall *call, const char *name, HfRect *ret_area,
                          guint32 *ret_window, GError **error)
{
    return hf_call_read_area(call, name, hf_call_json(call, name), ret_area, ret_window, error);
}

const HfParam hf_display_number = {.type = HF_TYPE_INTEGER, .min = 0, .max = 63};

/* By name or number; the number may be given as text. */
static const HfMonitor *find_monitor(const HfScreen *screen, const json_t *wanted)
{
    const HfMonitor *monitors = (const HfMonitor *)(gpointer)screen->monitors->data;
    const char *name = json_is_string(wanted) ? json_string_value(wanted) : "";
    guint64 number = json_is_string(wanted) ? G_MAXUINT64 : (guint64)json_number_value(wanted);
    for (guint i = 0; *name && i < screen->monitors->len; i++)
        if (strcmp(monitors[i].name, name) == 0)
            return &monitors[i];
    if (*name)
        g_ascii_string_to_unsigned(name, 10, 0, G_MAXUINT, &number, NULL);
    return number < screen->monitors->len ? &monitors[number] : NULL;
}

gboolean hf_call_get_display(const HfCall *call, HfRect *ret_area, GError **error)
{
    g_autoptr(HfScreen) screen = hf_screen_get(hf_call_desktop(call), error);
    if (!screen)
        return FALSE;
    const HfMonitor *monitor = find_monitor(screen, hf_call_json(call, "display"));
    if (monitor) {
        *ret_area = monitor->area;
        return TRUE;
    }
    json_t *names = json_array();
    for (guint i = 0; i < screen->monitors->len; i++)
        json_array_append_new(names,
                              hf_json_text(g_array_index(screen->monitors, HfMonitor, i).name));
    hf_fail(error, HF_ERROR_INVALID_PARAMS,
            "display: no such monitor; the screen has %u, see details.displays",
            screen->monitors->len);
    hf_error_take_details(error, json_pack("{s:s, s:o}", "path", "display", "displays", names));
    return FALSE;
}
