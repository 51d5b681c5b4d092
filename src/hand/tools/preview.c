/* SPDX-License-Identifier: Apache-2.0 */
/* Works by the tool's declared target, so that tools need no code for their dry runs. */
#include "hand/tools/preview.h"

#include "hand/apps/launch.h"
#include "hand/atspi/tree/element-json.h"
#include "hand/desktop/screen.h"
#include "hand/pixels/image/jpeg.h"
#include "hand/pixels/image/mark.h"
#include "hand/pixels/image/scale.h"
#include "hand/tools/apps/call-app.h"
#include "hand/tools/browser/call-page.h"
#include "hand/tools/files/call-files.h"
#include "hand/tools/resolve-window.h"
#include "hand/tools/resolve.h"
#include "hand/tools/structure/call-element.h"
#include "hand/tools/terminal/call-shell.h"
#include "hand/tools/windows/window-report.h"

#define EDGE_PX 960
#define QUALITY 70

/* What to mark, in physical pixels of the screen. */
typedef struct Marks {
    HfPoint points[2];
    int point_count;
    HfRect area;     /* empty: none */
    GBytes *picture; /* already marked; NULL: capture one */
} Marks;

static json_t *top_window_to_json(HfDesktop *desktop, HfPoint point)
{
    g_autoptr(GPtrArray) windows = hf_windows_list(desktop, NULL);
    const HfWindow *window = windows ? hf_windows_find_at(windows, point) : NULL;
    return window ? hf_window_to_json(window) : json_null();
}

static void add_preview_point(HfCall *call, json_t *target, const char *name, HfPoint point,
                              Marks *marks)
{
    marks->points[marks->point_count++] = point;
    json_object_set_new(target, name, hf_json_point(point));
    json_object_set_new(target, "window", top_window_to_json(hf_call_desktop(call), point));
}

static gboolean preview_drag(HfCall *call, json_t *target, Marks *marks, GError **error)
{
    HfPoint from, to;
    if (!hf_call_get_point_named(call, &hf_from_names, &from, error) ||
        !hf_call_get_point_named(call, &hf_to_names, &to, error))
        return FALSE;
    add_preview_point(call, target, "from", from, marks);
    json_object_set(target, "from_window", json_object_get(target, "window"));
    add_preview_point(call, target, "to", to, marks);
    return TRUE;
}

static void add_preview_window(json_t *target, const HfWindow *window, Marks *marks)
{
    json_object_set_new(target, "window", window ? hf_window_to_json(window) : json_null());
    if (window && window->visible)
        marks->area = window->frame;
}

static gboolean preview_focused_window(HfCall *call, json_t *target, Marks *marks, GError **error)
{
    g_autoptr(GPtrArray) windows = hf_windows_list(hf_call_desktop(call), error);
    if (!windows)
        return FALSE;
    add_preview_window(target, hf_windows_find_focused(windows), marks);
    return TRUE;
}

static gboolean preview_window(HfCall *call, json_t *target, Marks *marks, GError **error)
{
    g_autoptr(HfWindow) window = NULL;
    if (!hf_call_get_window(call, &window, error))
        return FALSE;
    add_preview_window(target, window, marks);
    return TRUE;
}

static gboolean preview_app(HfCall *call, json_t *target, Marks *marks, GError **error)
{
    g_autoptr(HfRunningApps) apps = hf_running_apps_list(hf_call_desktop(call), error);
    const HfRunningApp *app = apps ? hf_call_get_app(call, apps, FALSE, error) : NULL;
    if (!app)
        return FALSE;
    json_object_set_new(target, "app", hf_json_text(app->name));
    json_object_set_new(target, "pid", json_integer(app->pid));
    add_preview_window(target, app->windows->pdata[0], marks);
    return TRUE;
}

static gboolean preview_program(HfCall *call, json_t *target, GError **error)
{
    g_auto(GStrv) arguments = hf_call_dup_strings(call, "args");
    g_autoptr(HfProgram) program =
        hf_program_resolve(hf_call_string(call, "name"), (const char *const *)arguments, error);
    if (!program)
        return FALSE;
    json_t *command = json_array();
    for (char **word = program->arguments; *word; word++)
        json_array_append_new(command, hf_json_text(*word));
    json_object_set_new(target, "command", command);
    return TRUE;
}

static gboolean preview_ui_element(HfCall *call, json_t *target, Marks *marks, GError **error)
{
    HfElementStyle style = {0};
    g_autoptr(HfElement) element = hf_call_get_element(call, TRUE, error);
    if (!element)
        return FALSE;
    g_autoptr(HfWindow) window =
        element->window ? hf_windows_get(hf_call_desktop(call), element->window, NULL) : NULL;
    json_object_set_new(target, "window", window ? hf_window_to_json(window) : json_null());
    json_object_set_new(target, "element",
                        hf_element_to_json(element->tree, element->index, &style));
    marks->area = hf_tree_get(element->tree, element->index)->bounds;
    return TRUE;
}

static gboolean preview_call_target(HfCall *call, json_t *target, Marks *marks, GError **error)
{
    HfPoint point;
    switch (hf_call_tool(call)->target) {
    case HF_TARGET_POINT:
        if (!hf_call_get_point(call, &point, error))
            return FALSE;
        add_preview_point(call, target, "point", point, marks);
        return TRUE;
    case HF_TARGET_DRAG:
        return preview_drag(call, target, marks, error);
    case HF_TARGET_FOCUS:
        return preview_focused_window(call, target, marks, error);
    case HF_TARGET_WINDOW:
        return preview_window(call, target, marks, error);
    case HF_TARGET_APP:
        return preview_app(call, target, marks, error);
    case HF_TARGET_PROGRAM:
        return preview_program(call, target, error);
    case HF_TARGET_ELEMENT:
        return preview_ui_element(call, target, marks, error);
    case HF_TARGET_SHELL:
        return hf_call_describe_session(call, target, error);
    case HF_TARGET_FILES:
        return hf_call_preview_files(call, target, error);
    case HF_TARGET_PAGE:
        return hf_page_preview(call, target, &marks->picture, error);
    case HF_TARGET_NONE:
    case HF_TARGET_NOTHING:
    case HF_TARGET_COUNT:
        break;
    }
    return TRUE;
}

static HfPoint scale_point(HfPoint point, double factor)
{
    return (HfPoint){(int)(point.x * factor), (int)(point.y * factor)};
}

/* The whole screen, small: it only has to show where the marks are. */
static GBytes *capture_preview(HfCall *call, const Marks *marks)
{
    HfCaptureRequest request = {.cursor = FALSE};
    g_autoptr(HfCapture) capture =
        hf_screen_capture(hf_call_context(call), &request, hf_call_deadline(call), NULL);
    if (!capture || !capture->image)
        return NULL;
    HfSize size = hf_size_fit((HfSize){capture->image->width, capture->image->height}, EDGE_PX);
    double factor = (double)size.width / capture->image->width;
    g_autoptr(HfImage) image = hf_image_scale(capture->image, size);
    for (int i = 0; i < marks->point_count; i++)
        hf_image_mark_point(image, scale_point(marks->points[i], factor));
    if (!hf_rect_is_empty(marks->area)) {
        HfPoint at = scale_point((HfPoint){marks->area.x, marks->area.y}, factor);
        HfPoint room = scale_point((HfPoint){marks->area.width, marks->area.height}, factor);
        HfRect screen = {0, 0, size.width, size.height};
        hf_image_mark_area(image, hf_rect_intersect((HfRect){at.x, at.y, room.x, room.y}, screen));
    }
    return hf_jpeg_encode(image, size, QUALITY, NULL);
}

HfResult *hf_preview(HfCall *call, GError **error)
{
    Marks marks = {0};
    g_autoptr(json_t) target = json_object();
    json_object_set_new(target, "kind", json_string(hf_target_name(hf_call_tool(call)->target)));
    if (!preview_call_target(call, target, &marks, error))
        return NULL;
    hf_call_add_found(call, target);
    HfResult *result = hf_result_new(json_pack("{s:O}", "target", target));
    GBytes *picture = marks.picture;
    if (marks.point_count || !hf_rect_is_empty(marks.area))
        picture = capture_preview(call, &marks);
    if (picture)
        hf_result_add_attachment(result, "image", "image/jpeg", picture);
    return result;
}
