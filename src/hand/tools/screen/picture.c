/* SPDX-License-Identifier: Apache-2.0 */
/* Turns a capture into a result. The next capture needs the memory of this one, so nothing here may
 * take longer than encoding. */
#include "hand/tools/screen/picture.h"

#include "hand/pixels/image/blend.h"
#include "hand/pixels/image/jpeg.h"
#include "hand/pixels/image/png.h"
#include "hand/pixels/image/scale.h"
#include "hand/tools/resolve.h"
#include "shared/base/error.h"

const char *const hf_picture_formats[] = {"jpeg", "png", NULL};

const HfParam hf_picture_window_fields[] = {
    HF_REQUIRED("id", HF_TYPE_INTEGER, "Its window_id"),
    HF_REQUIRED("title", HF_TYPE_STRING, "Its title"),
    HF_REQUIRED(
        "frame", HF_TYPE_OBJECT,
        "The whole window with title bar and borders, including what is outside of the screen",
        .fields = hf_rect_fields),
    {0},
};

/* One row for each of hf_vision_models. */
const HfParam hf_picture_token_fields[] = {
    HF_REQUIRED("anthropic", HF_TYPE_INTEGER, "Claude 4.7 and later"),
    HF_REQUIRED("anthropic_standard", HF_TYPE_INTEGER, "Earlier Claude models"),
    HF_REQUIRED("openai", HF_TYPE_INTEGER, "gpt-5.4 and later, detail original"),
    HF_REQUIRED("openai_tiles", HF_TYPE_INTEGER, "gpt-4o and gpt-4.1, detail high"),
    HF_REQUIRED("ui_tars", HF_TYPE_INTEGER, "UI-TARS and others on Qwen2-VL"),
    {0},
};
G_STATIC_ASSERT(G_N_ELEMENTS(hf_picture_token_fields) == HF_VISION_MODEL_COUNT + 1);

gboolean hf_picture_get_region(HfCall *call, HfCaptureRequest *request, HfWindow **ret_window,
                               GError **error)
{
    *ret_window = NULL;
    if (hf_call_has(call, "target") && hf_call_has(call, "region"))
        return hf_fail(error, HF_ERROR_INVALID_PARAMS, "target: replaces region; give either");
    if (hf_call_has(call, "target"))
        return hf_call_get_element_area(call, &request->area, error);
    if (!hf_call_get_area(call, "region", &request->area, &request->window, error))
        return FALSE;
    if (request->window)
        *ret_window = hf_windows_get(hf_call_desktop(call), request->window, error);
    return !request->window || *ret_window;
}

void hf_picture_init(HfPicture *picture, const HfCall *call, HfCapture *capture,
                     const HfWindow *window)
{
    *picture = (HfPicture){.capture = capture,
                           .window = window,
                           .seen = capture->area,
                           .cursor = hf_call_bool(call, "cursor")};
    if (capture->image && capture->cursor)
        hf_image_blend(capture->image, capture->cursor, capture->cursor_at);
}

static void free_cropped_image(gpointer whole)
{
    hf_image_free(whole);
}

void hf_picture_crop(HfPicture *picture, HfRect part)
{
    HfCapture *capture = picture->capture;
    HfImage *whole = capture->image;
    int right = part.x - capture->area.x, down = part.y - capture->area.y;
    capture->area = part;
    if (whole)
        capture->image = hf_image_new_view(part.width, part.height, whole->stride,
                                           (guint8 *)(hf_image_row(whole, down) + right),
                                           free_cropped_image, whole);
}

static HfVisionModel get_vision_model(const HfCall *call)
{
    const char *name = hf_call_string(call, "provider");
    return name ? hf_vision_model_find(name) : HF_VISION_ANTHROPIC;
}

gboolean hf_picture_check_size(const HfCall *call, GError **error)
{
    HfVisionModel model = get_vision_model(call);
    int least = hf_vision_tokens(model, (HfSize){1, 1});
    if (hf_call_has(call, "provider") && !hf_call_has(call, "max_tokens"))
        return hf_fail(error, HF_ERROR_INVALID_PARAMS, "provider: only goes with max_tokens");
    if (hf_call_has(call, "max_tokens") && hf_call_int(call, "max_tokens") < least)
        return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                       "max_tokens: with '%s' the smallest picture costs %d",
                       hf_vision_models[model], least);
    return TRUE;
}

HfSize hf_picture_fit(const HfCall *call, HfSize wanted)
{
    HfSize fitting = wanted;
    if (hf_call_has(call, "max_tokens"))
        hf_vision_fit(get_vision_model(call), wanted, (int)hf_call_int(call, "max_tokens"),
                      &fitting);
    return fitting;
}

HfSize hf_picture_size(const HfCall *call, HfRect area)
{
    return hf_picture_fit(call, hf_size_fit((HfSize){area.width, area.height},
                                            (int)hf_call_int(call, "max_dimension")));
}

gboolean hf_picture_is_same_view(const HfCall *call, const HfCaptureRequest *request,
                                 const HfImageSpace *space)
{
    HfDesktop *desktop = hf_call_desktop(call);
    HfRect screen = {0, 0, space->screen.width, space->screen.height}, wanted = screen;
    if (space->window != request->window || space->cursor != request->cursor ||
        (space->described && hf_call_bool(call, "image")) ||
        (space->grey && !hf_call_bool(call, "grey")))
        return FALSE;
    if (space->window && (!hf_screen_get_window_area(desktop, space->window, &wanted, NULL) ||
                          !hf_rect_equal(wanted, space->window_area)))
        return FALSE;
    if (!hf_rect_is_empty(request->area))
        wanted = space->window ? hf_rect_intersect(wanted, request->area) : request->area;
    HfSize size = hf_picture_size(call, space->area);
    return hf_rect_equal(hf_rect_intersect(wanted, screen), space->seen) &&
           size.width == space->size.width && size.height == space->size.height;
}

gboolean hf_picture_find_current(const HfCall *call, const char *image_id,
                                 const HfCaptureRequest *request, HfImageSpace *ret_space,
                                 GError **error)
{
    const HfCallContext *context = hf_call_context(call);
    guint64 serial = 0;
    if (!hf_image_spaces_find(hf_call_desktop(call), image_id, ret_space, NULL) ||
        !ret_space->change_serial)
        return FALSE;
    /* The serial comes first: drawing during the other checks is then found the next time. */
    return hf_screen_get_change_serial(context, ret_space->cursor, &serial, error) &&
           serial == ret_space->change_serial && hf_picture_is_same_view(call, request, ret_space);
}

static GBytes *encode_picture(const HfCall *call, const HfImage *image, HfSize size, GError **error)
{
    gboolean grey = hf_call_bool(call, "grey");
    int quality = (int)hf_call_int(call, "quality");
    if (g_str_equal(hf_call_string(call, "format"), "png"))
        return grey ? hf_png_encode_grey(image, size, error) : hf_png_encode(image, size, error);
    return grey ? hf_jpeg_encode_grey(image, size, quality, error)
                : hf_jpeg_encode(image, size, quality, error);
}

static json_t *estimate_tokens(HfSize size)
{
    json_t *tokens = json_object();
    for (HfVisionModel model = 0; model < HF_VISION_MODEL_COUNT; model++)
        json_object_set_new(tokens, hf_vision_models[model],
                            json_integer(hf_vision_tokens(model, size)));
    return tokens;
}

static gboolean attach_picture(const HfCall *call, const HfPicture *picture, HfSize size,
                               HfResult *result, GError **error)
{
    if (!picture->capture->image || picture->withheld)
        return TRUE;
    GBytes *bytes = encode_picture(call, picture->capture->image, size, error);
    if (!bytes)
        return FALSE;
    const char *format = hf_call_string(call, "format");
    g_autofree char *media_type = g_strconcat("image/", format, NULL);
    hf_result_add_attachment(result, "image", media_type, bytes);
    json_object_set_new(result->json, "format", json_string(format));
    json_object_set_new(result->json, "vision_tokens", estimate_tokens(size));
    return TRUE;
}

json_t *hf_picture_window_to_json(const HfWindow *window)
{
    return json_pack("{s:I, s:o, s:o}", "id", (json_int_t)window->id, "title",
                     hf_json_text(window->title), "frame", hf_json_rect(window->frame));
}

json_t *hf_picture_describe(const char *image_id, const HfImageSpace *space, const HfWindow *window)
{
    json_t *json = json_pack("{s:s, s:i, s:i, s:f, s:I, s:o, s:f}", "image_id", image_id, "width",
                             space->size.width, "height", space->size.height, "scale",
                             (double)space->size.width / space->area.width, "timestamp",
                             (json_int_t)space->time_ms, "region", hf_json_rect(space->area),
                             "display_scale", space->display_scale);
    if (window)
        json_object_set_new(json, "window", hf_picture_window_to_json(window));
    return json;
}

HfResult *hf_picture_result(HfCall *call, HfPicture *picture, HfSize size, GBytes *hash,
                            GError **error)
{
    g_autoptr(HfResult) result = hf_result_new(json_object());
    const HfCapture *capture = picture->capture;
    if (!attach_picture(call, picture, size, result, error))
        return NULL;
    HfImageSpace space = {
        .area = capture->area,
        .seen = picture->seen,
        .size = size,
        .screen = capture->screen,
        .window = picture->window ? picture->window->id : 0,
        .window_area = capture->window_area,
        .cursor = picture->cursor,
        .described = !capture->image || picture->withheld,
        .grey = hf_call_bool(call, "grey"),
        .change_serial = capture->change_serial,
        .display_scale = capture->scale,
        .time_ms = capture->time_ms,
    };
    g_autofree char *image_id = hf_image_spaces_add(hf_call_desktop(call), &space);
    if (hash)
        hf_image_spaces_set_hash(hf_call_desktop(call), image_id, hash);
    g_autoptr(json_t) description = hf_picture_describe(image_id, &space, picture->window);
    json_object_update(result->json, description);
    hf_call_add_found(call, result->json);
    json_object_set_new(result->json, "clipped", json_boolean(capture->clipped));
    if (picture->window)
        json_object_set_new(result->json, "occluded", json_boolean(capture->occluded));
    return g_steal_pointer(&result);
}
