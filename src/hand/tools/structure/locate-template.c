/* SPDX-License-Identifier: Apache-2.0 */
/* Looking for a picture on the screen, in a window, in a region or in a picture that was given. */
#include "hand/tools/structure/locate-template.h"

#include <math.h>
#include <string.h>

#include "hand/desktop/screen.h"
#include "hand/pixels/compare/template-match.h"
#include "hand/pixels/image/decode.h"
#include "hand/pixels/pixels-limits.h"
#include "hand/tools/resolve.h"
#include "hand/tools/screen/caller-image.h"
#include "hand/tools/structure/call-scope.h"
#include "shared/base/error.h"
#include "shared/base/json.h"

/* From here on the best place may be sure of itself, if the next is so much less alike. */
#define SURE  0.88
#define AHEAD 0.06

/* What is looked at: all of it lies at `area` of the screen. */
typedef struct View {
    HfImage *given;
    HfCapture *capture;
    HfRect area;
} View;

static void template_view_clear(View *view)
{
    g_clear_pointer(&view->given, hf_image_free);
    g_clear_pointer(&view->capture, hf_capture_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(View, template_view_clear)

static gboolean template_names_window(const HfCall *call)
{
    return hf_call_names_window(call) || hf_call_has(call, "app") || hf_call_has(call, "pid") ||
           hf_call_window(call);
}

static gboolean capture_template_view(const HfCall *call, View *view, GError **error)
{
    HfCaptureRequest request = {0};
    HfTreeScope scope = {0};
    guint32 window = 0;
    if (template_names_window(call) && !hf_call_get_scope(call, &scope, error))
        return FALSE;
    if (hf_call_has(call, "region") &&
        !hf_call_get_area(call, "region", &request.area, &window, error))
        return FALSE;
    request.window = scope.window ? scope.window : window;
    view->capture =
        hf_screen_capture(hf_call_context(call), &request, hf_call_deadline(call), error);
    if (!view->capture)
        return FALSE;
    view->area = view->capture->area;
    return TRUE;
}

static gboolean take_view(const HfCall *call, View *view, GError **error)
{
    if (!hf_call_has(call, "image"))
        return capture_template_view(call, view, error);
    view->given = hf_call_decode_image(call, "image", error);
    return view->given != NULL;
}

static HfImage *decode_template(const HfCall *call, GError **error)
{
    g_autoptr(GError) problem = NULL;
    g_autoptr(GBytes) bytes = hf_call_decode_base64(call, "template", error);
    if (!bytes)
        return NULL;
    gsize size;
    const guint8 *data = g_bytes_get_data(bytes, &size);
    HfImage *image = hf_image_decode_alpha(data, size, &problem);
    if (!image) {
        hf_fail(error, (HfErrorCode)hf_error_code(problem), "template: %s", problem->message);
        hf_error_suggest(error, "give a PNG or JPEG picture as base64, cut out of a screenshot or "
                                "zoom");
    }
    return image;
}

/* Of a picture that was given all is looked at. */
static gboolean lies_in_region(const HfCall *call, HfRect box)
{
    HfRect region;
    guint32 window;
    return !hf_call_has(call, "region") ||
           !hf_call_get_area(call, "region", &region, &window, NULL) ||
           hf_rect_contains(region, (HfPoint){box.x + box.width / 2, box.y + box.height / 2});
}

static json_t *reasons_of(const HfCall *call, const HfTemplateHit *hit)
{
    gboolean chinese = strcmp(hf_call_string(call, "language"), "zh") == 0;
    json_t *reasons = json_array();
    json_array_append_new(reasons,
                          json_sprintf(chinese ? "与模板相似度 %.2f，大小为其 %.2f 倍"
                                               : "it looks like the template: %.2f alike, at %.2f "
                                                 "of its size",
                                       hit->score, hit->scale));
    if (hit->inverted)
        json_array_append_new(reasons, json_string(chinese ? "明暗相反"
                                                           : "light and dark are the "
                                                             "other way round"));
    return reasons;
}

static json_t *template_hit_to_json(const HfCall *call, const HfTemplateHit *hit, HfRect box)
{
    return json_pack("{s:s, s:s, s:s, s:o, s:{s:i, s:i}, s:f, s:o, s:[s]}", "role", "image", "name",
                     "", "description", "a place that looks like the template", "bounds",
                     hf_json_rect(box), "center", "x", box.x + box.width / 2, "y",
                     box.y + box.height / 2, "confidence", round(hit->score * 100) / 100, "reasons",
                     reasons_of(call, hit), "source", "pixels");
}

static gboolean is_clear_template_hit(const GArray *hits)
{
    double best = hits->len > 0 ? g_array_index(hits, HfTemplateHit, 0).score : 0;
    double next = hits->len > 1 ? g_array_index(hits, HfTemplateHit, 1).score : 0;
    return best >= SURE && next <= best - AHEAD;
}

/* In pixels of the screen, and only what was asked for. */
static void place_hits(const HfCall *call, const View *view, GArray *hits)
{
    for (guint i = hits->len; i-- > 0;) {
        HfTemplateHit *hit = &g_array_index(hits, HfTemplateHit, i);
        hit->box.x += view->area.x;
        hit->box.y += view->area.y;
        if (!lies_in_region(call, hit->box))
            g_array_remove_index(hits, i);
    }
}

/* What was looked for in a part of the time may be somewhere else just as well. */
static HfResult *template_hits_to_result(const HfCall *call, const View *view, GArray *hits,
                                         gboolean late, gint64 started)
{
    json_t *elements = json_array();
    place_hits(call, view, hits);
    gboolean clear = is_clear_template_hit(hits) && !late;
    for (guint i = 0; i < MIN(hits->len, (guint)hf_call_int(call, "max_results")); i++) {
        const HfTemplateHit *hit = &g_array_index(hits, HfTemplateHit, i);
        json_array_append_new(elements, template_hit_to_json(call, hit, hit->box));
    }
    gboolean found = hits->len > 0;
    const char *reason = late && !found ? "the time was over before all was looked at"
                         : !found       ? "nothing looks like the template"
                         : clear        ? "one place looks clearly more like it than all others"
                                        : "several places look like it, or none very much";
    return hf_result_new(json_pack("{s:b, s:b, s:o, s:s, s:s, s:b, s:s, s:o, s:I}", "found", found,
                                   "confident", found && clear, "elements", elements, "reason",
                                   reason, "understood", "template", "asked_model", FALSE,
                                   "asked_model_reason", "a template needs none", "truncated",
                                   late ? json_pack("[s]", "time") : json_array(), "took_ms",
                                   (json_int_t)((g_get_monotonic_time() - started) / 1000)));
}

HfResult *hf_locate_template(HfCall *call, GError **error)
{
    gint64 started = g_get_monotonic_time();
    gint64 left = MIN(HF_LIMIT_TEMPLATE_MS, hf_deadline_left_ms(hf_call_deadline(call)) / 2);
    HfTemplateSearch search = {hf_call_number(call, "threshold"), HF_LIMIT_TEMPLATE_HITS,
                               started + left * 1000};
    gboolean late = FALSE;
    g_auto(View) view = {0};
    g_autoptr(HfImage) small = decode_template(call, error);
    if (!small || !take_view(call, &view, error))
        return NULL;
    const HfImage *image = view.given ? view.given : view.capture->image;
    g_autoptr(GArray) hits = hf_image_find_template(image, small, &search, &late, error);
    if (!hits || (hits->len == 0 && hf_call_has(call, "description")))
        return NULL;
    return template_hits_to_result(call, &view, hits, late, started);
}
