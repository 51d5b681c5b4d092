/* From a capture to a result. The capture's memory is needed by the next one, so nothing here may
 * take longer than encoding does. */
#include "tools/screen/picture.h"

#include "base/error.h"
#include "tools/resolve.h"
#include "vision/blend.h"
#include "vision/jpeg.h"
#include "vision/png.h"
#include "vision/scale.h"

const char *const hf_picture_formats[] = {"jpeg", "png", NULL};

const HfParam hf_picture_region_fields[] = {
    {.name = "x", .type = HF_TYPE_INTEGER, .required = TRUE, .about = "Left edge"},
    {.name = "y", .type = HF_TYPE_INTEGER, .required = TRUE, .about = "Top edge"},
    {.name = "width", .type = HF_TYPE_INTEGER, .required = TRUE, .about = "Width"},
    {.name = "height", .type = HF_TYPE_INTEGER, .required = TRUE, .about = "Height"},
    {0},
};

const HfParam hf_picture_window_fields[] = {
    {.name = "id", .type = HF_TYPE_INTEGER, .required = TRUE, .about = "Its window_id"},
    {.name = "title", .type = HF_TYPE_STRING, .required = TRUE, .about = "Its title"},
    {.name = "frame",
     .type = HF_TYPE_OBJECT,
     .required = TRUE,
     .fields = hf_picture_region_fields,
     .about = "All of it with title bar and borders, also what lies outside of the screen"},
    {0},
};

gboolean hf_picture_get_region(HfCall *call, HfCaptureRequest *request, HfWindow **ret_window,
                               GError **error)
{
    *ret_window = NULL;
    if (hf_call_has(call, "target") && hf_call_has(call, "region"))
        return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                       "target: is another way to say region; give one of them");
    if (hf_call_has(call, "target"))
        return hf_call_get_element_area(call, &request->area, error);
    if (!hf_call_get_area(call, "region", &request->area, &request->window, error))
        return FALSE;
    if (request->window)
        *ret_window = hf_windows_get(hf_call_desktop(call), request->window, error);
    return !request->window || *ret_window;
}

/* Would the picture show the same part of the screen, at the same size? */
static gboolean is_same_view(HfDesktop *desktop, const HfCaptureRequest *request, int max_edge,
                             const HfImageSpace *space)
{
    HfRect screen = {0, 0, space->screen.width, space->screen.height}, wanted = screen;
    if (space->window != request->window || space->cursor != request->cursor ||
        (space->described && !request->only_describe))
        return FALSE;
    if (space->window && (!hf_screen_get_window_area(desktop, space->window, &wanted, NULL) ||
                          !hf_rect_equal(wanted, space->window_area)))
        return FALSE;
    if (!hf_rect_is_empty(request->area))
        wanted = space->window ? hf_rect_intersect(wanted, request->area) : request->area;
    HfRect area = hf_rect_intersect(wanted, screen);
    HfSize size = hf_size_fit((HfSize){area.width, area.height}, max_edge);
    return hf_rect_equal(area, space->area) && size.width == space->size.width &&
           size.height == space->size.height;
}

gboolean hf_picture_find_current(HfDesktop *desktop, const char *image_id,
                                 const HfCaptureRequest *request, int max_edge,
                                 HfImageSpace *ret_space, GError **error)
{
    guint64 serial = 0;
    if (!hf_images_find(desktop, image_id, ret_space, NULL) || !ret_space->change_serial)
        return FALSE;
    /* The count first: what is drawn while the rest is looked at is found the next time. */
    return hf_screen_get_change_serial(desktop, ret_space->cursor, &serial, error) &&
           serial == ret_space->change_serial &&
           is_same_view(desktop, request, max_edge, ret_space);
}

static GBytes *encode(const HfCall *call, const HfImage *image, HfSize size, GError **error)
{
    if (g_str_equal(hf_call_string(call, "format"), "png"))
        return hf_png_encode(image, size, error);
    return hf_jpeg_encode(image, size, (int)hf_call_int(call, "quality"), error);
}

static gboolean attach(const HfCall *call, HfCapture *capture, HfSize size, HfResult *result,
                       GError **error)
{
    if (!capture->image)
        return TRUE;
    if (capture->cursor)
        hf_image_blend(capture->image, capture->cursor, capture->cursor_at);
    GBytes *bytes = encode(call, capture->image, size, error);
    if (!bytes)
        return FALSE;
    const char *format = hf_call_string(call, "format");
    g_autofree char *media_type = g_strconcat("image/", format, NULL);
    hf_result_add_attachment(result, "image", media_type, bytes);
    json_object_set_new(result->json, "format", json_string(format));
    return TRUE;
}

json_t *hf_picture_describe(const char *image_id, const HfImageSpace *space, const HfWindow *window)
{
    json_t *json = json_pack("{s:s, s:i, s:i, s:f, s:I, s:o, s:f}", "image_id", image_id, "width",
                             space->size.width, "height", space->size.height, "scale",
                             (double)space->size.width / space->area.width, "timestamp",
                             (json_int_t)space->time_ms, "region", hf_json_rect(space->area),
                             "display_scale", space->display_scale);
    if (window)
        json_object_set_new(json, "window",
                            json_pack("{s:I, s:o, s:o}", "id", (json_int_t)window->id, "title",
                                      hf_json_text(window->title), "frame",
                                      hf_json_rect(window->frame)));
    return json;
}

HfResult *hf_picture_result(HfCall *call, HfCapture *capture, HfSize size, const HfWindow *window,
                            GError **error)
{
    g_autoptr(HfResult) result = hf_result_new(json_object());
    if (!attach(call, capture, size, result, error))
        return NULL;
    HfImageSpace space = {
        .area = capture->area,
        .size = size,
        .screen = capture->screen,
        .window = window ? window->id : 0,
        .window_area = capture->window_area,
        .cursor = hf_call_bool(call, "cursor"),
        .described = !capture->image,
        .change_serial = capture->change_serial,
        .display_scale = capture->scale,
        .time_ms = capture->time_ms,
    };
    g_autofree char *image_id = hf_images_add(hf_call_desktop(call), &space);
    g_autoptr(json_t) description = hf_picture_describe(image_id, &space, window);
    json_object_update(result->json, description);
    hf_call_add_found(call, result->json);
    json_object_set_new(result->json, "clipped", json_boolean(capture->clipped));
    if (window)
        json_object_set_new(result->json, "occluded", json_boolean(capture->occluded));
    return g_steal_pointer(&result);
}
