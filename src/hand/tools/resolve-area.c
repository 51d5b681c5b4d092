/* SPDX-License-Identifier: Apache-2.0 */
/* From "region" or "display" to physical pixels. Either form of the parameter means the same; the
 * area is cut to the picture it was read from, but never moved. */
#include <math.h>
#include <string.h>

#include "hand/desktop/image-spaces.h"
#include "hand/desktop/screen.h"
#include "hand/tools/resolve.h"
#include "shared/base/error.h"

/* Far outside of any screen, and far inside of what an int holds. */
#define EDGE 100000

const HfParam hf_coordinate = {.type = HF_TYPE_NUMBER, .min = -EDGE, .max = EDGE};

static const HfParam area_fields[] = {
    {.name = "x",
     .type = HF_TYPE_NUMBER,
     .required = TRUE,
     .min = -EDGE,
     .max = EDGE,
     .about = "Left edge"},
    {.name = "y",
     .type = HF_TYPE_NUMBER,
     .required = TRUE,
     .min = -EDGE,
     .max = EDGE,
     .about = "Top edge"},
    {.name = "width",
     .type = HF_TYPE_NUMBER,
     .required = TRUE,
     .min = 0,
     .max = EDGE,
     .about = "Width"},
    {.name = "height",
     .type = HF_TYPE_NUMBER,
     .required = TRUE,
     .min = 0,
     .max = EDGE,
     .about = "Height"},
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

gboolean hf_call_get_area(const HfCall *call, const char *name, HfRect *ret_area,
                          guint32 *ret_window, GError **error)
{
    return hf_call_read_area(call, name, hf_call_json(call, name), ret_area, ret_window, error);
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
    if (!hf_call_get_image_id(call, &image_id, error))
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

const HfParam hf_display_number = {.type = HF_TYPE_INTEGER, .min = 0, .max = 63};

/* A monitor by its name or its number; a number may also come as text. */
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
    hf_fail(error, HF_ERROR_INVALID_PARAMS, "display: there is no such monitor; there are %u",
            screen->monitors->len);
    hf_error_take_details(error, json_pack("{s:s, s:o}", "path", "display", "displays", names));
    return FALSE;
}
