/* SPDX-License-Identifier: Apache-2.0 */
/* From "x and y" to one pixel of the screen. Never moves a point to make it fit: what lies outside
 * is refused, since the nearest pixel inside is another place than the one that was meant. */
#include "hand/tools/resolve.h"

#include <math.h>
#include <string.h>

#include "hand/atspi/act/modal-dialog.h"
#include "hand/desktop/image-spaces.h"
#include "hand/desktop/pointer.h"
#include "hand/desktop/screen.h"
#include "hand/safety/call-context.h"
#include "shared/base/error.h"

const char *const hf_space_choices[] = {"physical", "image", NULL};

static gboolean fail_missing_coordinate(const char *missing, const char *given, GError **error)
{
    hf_fail(error, HF_ERROR_INVALID_PARAMS, "%s: is required together with %s", missing, given);
    hf_error_take_details(error, json_pack("{s:s, s:s}", "path", missing, "expected", "a number"));
    return FALSE;
}

/* A caller who names a picture means its pixels, unless it says otherwise. */
gboolean hf_call_in_image_space(const HfCall *call)
{
    const char *space = hf_call_string(call, "space");
    return space ? strcmp(space, "image") == 0 : hf_call_has(call, "image_id");
}

gboolean hf_call_get_image_id(const HfCall *call, const char **ret_image_id, GError **error)
{
    gboolean in_image = hf_call_in_image_space(call);
    const char *image_id = in_image ? hf_call_string(call, "image_id") : NULL;
    if (in_image && !image_id)
        return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                       "image_id: is required with space 'image', to know which picture is meant");
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
    /* The pixel that the point lies in: 99.7 is in pixel 99. */
    *ret_point = (HfPoint){(int)floor(x), (int)floor(y)};
    return TRUE;
}

static gboolean get_numbers(const HfCall *call, const char *x_name, const char *y_name,
                            HfPoint *ret_point, GError **error)
{
    if (!hf_call_has(call, x_name) || !hf_call_has(call, y_name)) {
        gboolean has_x = hf_call_has(call, x_name);
        return fail_missing_coordinate(has_x ? y_name : x_name, has_x ? x_name : y_name, error);
    }
    double x = hf_call_number(call, x_name), y = hf_call_number(call, y_name);
    const char *image_id;
    if (!hf_call_get_image_id(call, &image_id, error))
        return FALSE;
    if (!image_id)
        return check_point_on_screen(hf_call_desktop(call), x, y, ret_point, error);
    HfImageSpace space;
    if (!hf_image_spaces_map_point(hf_call_desktop(call), image_id, x, y, ret_point, error))
        return FALSE;
    /* Who points into the picture of a window means that window. */
    if (hf_image_spaces_find(hf_call_desktop(call), image_id, &space, NULL) && space.window)
        hf_call_context_aim_pointer(hf_call_context(call), space.window);
    return TRUE;
}

const HfPointNames hf_point_names = {"x", "y", "target", "element"};
const HfPointNames hf_from_names = {"from_x", "from_y", "from", "from_element"};
const HfPointNames hf_to_names = {"to_x", "to_y", "to", "to_element"};

/* The middle of what can be seen of it. */
static gboolean get_middle(HfCall *call, const HfPointNames *names, HfPoint *ret_point,
                           GError **error)
{
    g_auto(HfResolvedElement) located = {0};
    HfRect area;
    if (!hf_call_locate(call, names->target, names->element, &located, error) ||
        !hf_resolved_element_get_area(&located, &area, error))
        return FALSE;
    guint32 window = hf_tree_get(located.tree, located.index)->window;
    hf_call_context_aim_pointer(hf_call_context(call), window);
    /* Only to point at it is possible all the same. */
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
        return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                       "%s: is another way to say %s and %s; give one of them", names->target,
                       names->x, names->y);
    if (!numbers && !hf_call_has(call, names->target)) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "where? Give %s and %s, or %s", names->x, names->y,
                names->target);
        hf_error_take_details(
            error, json_pack("{s:s, s:s}", "path", names->x, "expected", "a point or an element"));
        return FALSE;
    }
    return numbers ? get_numbers(call, names->x, names->y, ret_point, error)
                   : get_middle(call, names, ret_point, error);
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
