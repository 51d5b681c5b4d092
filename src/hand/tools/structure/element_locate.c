/* SPDX-License-Identifier: Apache-2.0 */
/* element_locate: finds the element that a few words describe, in English or Chinese, or that looks
 * like a given picture. Words are compared with what programs report and what the screen shows, as
 * one list. It changes nothing; the answer says whether it is sure, and why. */
#include <math.h>
#include <string.h>

#include "hand/atspi/atspi-limits.h"
#include "hand/atspi/bus/atspi-session.h"
#include "hand/atspi/tree/element-fingerprint.h"
#include "hand/atspi/tree/roles.h"
#include "hand/desktop/screen.h"
#include "hand/locate/description-search.h"
#include "hand/locate/locate-limits.h"
#include "hand/pixels/compare/template-match.h"
#include "hand/pixels/image/decode.h"
#include "hand/pixels/pixels-limits.h"
#include "hand/tools/mouse/call-mouse.h"
#include "hand/tools/screen/caller-image.h"
#include "hand/tools/structure/call-element.h"
#include "hand/tools/windows/window-report.h"
#include "shared/base/error.h"
#include "shared/base/json.h"

/* The best place is sure if it is this similar to the template, and the next one is less similar by
 * this much. */
#define SURE_SIMILARITY 0.88
#define SURE_LEAD       0.06

static const char *const languages[] = {"en", "zh", NULL};

static gboolean wants_chinese(const HfCall *call)
{
    return g_str_equal(hf_call_string(call, "language"), "zh");
}

/* Empty without `region`. */
static gboolean get_search_region(const HfCall *call, HfRect *ret_region, GError **error)
{
    guint32 window;
    *ret_region = (HfRect){0, 0, 0, 0};
    return !hf_call_has(call, "region") ||
           hf_call_get_area(call, "region", ret_region, &window, error);
}

/* ---- by words ---- */

static gboolean search_given_image(const HfCall *call, const HfDescription *description,
                                   HfDescriptionSearch *ret_search, GError **error)
{
    HfRect region;
    g_autoptr(HfImage) image = hf_call_decode_image(call, "image", error);
    return image && get_search_region(call, &region, error) &&
           hf_description_search_image(image, description, region, hf_call_deadline(call),
                                       ret_search, error);
}

static gboolean search_screen(HfCall *call, const HfDescription *description,
                              HfDescriptionSearch *ret_search, GError **error)
{
    HfDescriptionScope scope = {.front_first = !hf_call_names_scope(call)};
    if ((hf_call_names_scope(call) && !hf_call_get_scope(call, &scope.access, error)) ||
        !get_search_region(call, &scope.region, error))
        return FALSE;
    return hf_description_search(hf_call_context(call), description, &scope, hf_call_deadline(call),
                                 ret_search, error);
}

static json_t *split_reasons(const char *lines)
{
    json_t *array = json_array();
    g_auto(GStrv) each = g_strsplit(lines, "\n", -1);
    for (char **line = each; *line; line++)
        if (**line)
            json_array_append_new(array, hf_json_text(*line));
    return array;
}

static char *dup_element_name(const HfDescriptionSearch *search, const HfSceneElement *element)
{
    if (element->node != HF_NODE_NONE && !hf_scene_element_is_painted(element)) {
        char *called = hf_node_dup_display_name(search->tree, element->node);
        if (called)
            return called;
    }
    return g_strdup(element->text_count > 0 && element->texts[0].source == HF_TEXT_SOURCE_NAME
                        ? element->texts[0].name->text
                        : "");
}

/* Neither a part of a line nor an element outside of the tree has a reference. */
static gboolean has_reference(const HfDescriptionSearch *search,
                              const HfCandidateElement *candidate)
{
    const HfSceneElement *element = hf_scene_get(search->scene, candidate->element);
    return element->node != HF_NODE_NONE &&
           (!hf_scene_element_is_painted(element) ||
            hf_rect_equal(element->box, hf_tree_get(search->tree, element->node)->bounds));
}

static json_t *candidate_to_json(HfCall *call, const HfDescription *description,
                                 const HfDescriptionSearch *search, guint snapshot,
                                 const HfCandidateElement *candidate)
{
    const HfSceneElement *element = hf_scene_get(search->scene, candidate->element);
    g_autofree char *reasons =
        hf_candidate_reasons(search->scene, description, candidate, wants_chinese(call));
    g_autofree char *name = dup_element_name(search, element);
    g_autofree char *about = g_strdup_printf("%s%s%s%s", hf_node_role_name(element->role),
                                             *name ? " '" : "", name, *name ? "'" : "");
    json_t *json = json_pack(
        "{s:s, s:o, s:o, s:o, s:o, s:f, s:o, s:o}", "role", hf_node_role_name(element->role),
        "name", hf_json_text(name), "description", hf_json_text(about), "bounds",
        hf_json_rect(element->box), "center", hf_json_point(hf_rect_middle(element->box)),
        "confidence", round(candidate->match.score * 100) / 100, "reasons", split_reasons(reasons),
        "source", hf_source_to_json(element->source));
    if (snapshot && has_reference(search, candidate))
        json_object_set_new(
            json, "ref",
            json_sprintf("e%u", hf_references_name(hf_atspi_references(hf_call_desktop(call)),
                                                   snapshot, element->node)));
    if (snapshot && element->window)
        json_object_set_new(json, "window", json_integer(element->window));
    return json;
}

static const char *explain_confidence(const HfDescriptionSearch *search)
{
    const GArray *found = search->match->found;
    guint doubts = found->len > 0 ? g_array_index(found, HfCandidateElement, 0).match.doubts : 0;
    if (found->len == 0)
        return "no element matches the description";
    if (search->unsure)
        return "one element matches clearly better than the others, but some were not compared "
               "(see truncated): check before acting on it, or name the window or a region";
    if (search->match->confident)
        return "one element matches the whole description, and no other comes close";
    if (doubts & HF_DOUBT_WORDS)
        return "a part of the description was not understood: choose an element by its ref, or "
               "rephrase it";
    return doubts ? "no element certainly matches the whole description: choose one by its ref, or "
                    "describe it in more detail"
                  : "several elements match about equally, or none matches well: choose one by its "
                    "ref, or describe it in more detail";
}

static HfResult *search_to_result(HfCall *call, const HfDescription *description,
                                  const HfDescriptionSearch *search, gint64 started)
{
    const GArray *found = search->match->found;
    json_t *elements = json_array();
    guint snapshot =
        hf_call_has(call, "image")
            ? 0
            : hf_references_add_snapshot(hf_atspi_references(hf_call_desktop(call)), search->tree);
    g_autofree char *understood = hf_description_to_text(description);
    for (guint i = 0; i < MIN((guint)hf_call_int(call, "max_results"), found->len); i++)
        json_array_append_new(elements,
                              candidate_to_json(call, description, search, snapshot,
                                                &g_array_index(found, HfCandidateElement, i)));
    json_t *json = json_pack(
        "{s:b, s:b, s:o, s:s, s:o, s:b, s:s, s:o, s:I}", "found", found->len > 0, "confident",
        search->match->confident, "elements", elements, "reason", explain_confidence(search),
        "understood", hf_json_text(understood), "asked_model", FALSE, "asked_model_reason",
        search->match->confident ? "the elements on the screen give a clear answer"
                                 : "no vision model is configured",
        "truncated", hf_truncation_to_json(search->truncated), "took_ms",
        (json_int_t)((g_get_monotonic_time() - started) / 1000));
    if (snapshot)
        json_object_set_new(json, "snapshot_id", json_sprintf("s%u", snapshot));
    return hf_result_new(json);
}

static HfResult *locate_described(HfCall *call, GError **error)
{
    gint64 started = g_get_monotonic_time();
    g_autoptr(HfDescription) description =
        hf_description_new(hf_call_string(call, "description"), error);
    g_auto(HfDescriptionSearch) search = {0};
    if (!description)
        return NULL;
    gboolean searched = hf_call_has(call, "image")
                            ? search_given_image(call, description, &search, error)
                            : search_screen(call, description, &search, error);
    return searched ? search_to_result(call, description, &search, started) : NULL;
}

/* ---- by a picture ---- */

/* The picture to search: the caller's, or a capture of `area`. */
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

static gboolean capture_template_view(const HfCall *call, View *view, GError **error)
{
    HfCaptureRequest request = {0};
    HfTreeScope scope = {0};
    guint32 window = 0;
    if (hf_call_names_scope(call) && !hf_call_get_scope(call, &scope, error))
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

static gboolean take_template_view(const HfCall *call, View *view, GError **error)
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
        hf_error_suggest(error,
                         "give a PNG or JPEG picture as base64, cut from a screenshot or zoom");
    }
    return image;
}

/* The whole of a given picture is searched, so the region is applied to the hits. */
static gboolean lies_in_region(const HfCall *call, HfRect box)
{
    HfRect region;
    return !get_search_region(call, &region, NULL) || hf_rect_is_empty(region) ||
           hf_rect_contains(region, hf_rect_middle(box));
}

static json_t *template_reasons_to_json(const HfCall *call, const HfTemplateHit *hit)
{
    gboolean chinese = wants_chinese(call);
    json_t *reasons = json_array();
    json_array_append_new(reasons,
                          json_sprintf(chinese ? "与模板相似度 %.2f，大小为其 %.2f 倍"
                                               : "it looks like the template: similarity %.2f, at "
                                                 "%.2f of its size",
                                       hit->score, hit->scale));
    if (hit->inverted)
        json_array_append_new(reasons,
                              json_string(chinese ? "明暗相反" : "light and dark are swapped"));
    return reasons;
}

static json_t *template_hit_to_json(const HfCall *call, const HfTemplateHit *hit)
{
    return json_pack("{s:s, s:s, s:s, s:o, s:o, s:f, s:o, s:[s]}", "role", "image", "name", "",
                     "description", "a place that looks like the template", "bounds",
                     hf_json_rect(hit->box), "center", hf_json_point(hf_rect_middle(hit->box)),
                     "confidence", round(hit->score * 100) / 100, "reasons",
                     template_reasons_to_json(call, hit), "source", "pixels");
}

static gboolean is_clear_template_hit(const GArray *hits)
{
    double best = hits->len > 0 ? g_array_index(hits, HfTemplateHit, 0).score : 0;
    double next = hits->len > 1 ? g_array_index(hits, HfTemplateHit, 1).score : 0;
    return best >= SURE_SIMILARITY && next <= best - SURE_LEAD;
}

/* Moves the hits to their place on the screen, and drops those outside of the region. */
static void move_template_hits(const HfCall *call, const View *view, GArray *hits)
{
    for (guint i = hits->len; i-- > 0;) {
        HfTemplateHit *hit = &g_array_index(hits, HfTemplateHit, i);
        hit->box.x += view->area.x;
        hit->box.y += view->area.y;
        if (!lies_in_region(call, hit->box))
            g_array_remove_index(hits, i);
    }
}

/* A search that ran out of time may have missed a better place. */
static HfResult *template_hits_to_result(const HfCall *call, const View *view, GArray *hits,
                                         gboolean late, gint64 started)
{
    json_t *elements = json_array();
    move_template_hits(call, view, hits);
    gboolean clear = is_clear_template_hit(hits) && !late;
    for (guint i = 0; i < MIN(hits->len, (guint)hf_call_int(call, "max_results")); i++) {
        const HfTemplateHit *hit = &g_array_index(hits, HfTemplateHit, i);
        json_array_append_new(elements, template_hit_to_json(call, hit));
    }
    gboolean found = hits->len > 0;
    const char *reason = late && !found ? "time ran out before everything was searched"
                         : !found       ? "nothing looks like the template"
                         : clear
                             ? "one place looks clearly more like the template than all others"
                             : "several places look like the template, or none looks much like it";
    return hf_result_new(
        json_pack("{s:b, s:b, s:o, s:s, s:s, s:b, s:s, s:o, s:I}", "found", found, "confident",
                  found && clear, "elements", elements, "reason", reason, "understood", "template",
                  "asked_model", FALSE, "asked_model_reason", "a template search needs no model",
                  "truncated", late ? json_pack("[s]", "time") : json_array(), "took_ms",
                  (json_int_t)((g_get_monotonic_time() - started) / 1000)));
}

/* NULL without an error when nothing looks like the template and there is a description too. */
static HfResult *locate_template(HfCall *call, GError **error)
{
    gint64 started = g_get_monotonic_time();
    gint64 left = MIN(HF_LIMIT_TEMPLATE_MS, hf_deadline_left_ms(hf_call_deadline(call)) / 2);
    HfTemplateSearch search = {hf_call_number(call, "threshold"), HF_LIMIT_TEMPLATE_HITS,
                               started + left * 1000};
    gboolean late = FALSE;
    g_auto(View) view = {0};
    g_autoptr(HfImage) small = decode_template(call, error);
    if (!small || !take_template_view(call, &view, error))
        return NULL;
    const HfImage *image = view.given ? view.given : view.capture->image;
    g_autoptr(GArray) hits = hf_image_find_template(image, small, &search, &late, error);
    if (!hits || (hits->len == 0 && hf_call_has(call, "description")))
        return NULL;
    return template_hits_to_result(call, &view, hits, late, started);
}

/* ---- the call ---- */

static gboolean check_locate_params(const HfCall *call, GError **error)
{
    if (!hf_call_has(call, "description") && !hf_call_has(call, "template")) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "description: is required, or template");
        hf_error_suggest(error, "describe the element, or give a picture of it");
        return FALSE;
    }
    return !hf_call_has(call, "image") || !hf_call_names_scope(call) ||
           hf_fail(error, HF_ERROR_INVALID_PARAMS,
                   "image: has no windows; leave out the window, app, pid and everything");
}

/* By its picture; by words if there is no picture or nothing looks like it. */
static HfResult *run(HfCall *call, GError **error)
{
    g_autoptr(GError) problem = NULL;
    if (!check_locate_params(call, error))
        return NULL;
    if (!hf_call_has(call, "template"))
        return locate_described(call, error);
    HfResult *result = locate_template(call, &problem);
    if (result || !problem)
        return result ? result : locate_described(call, error);
    g_propagate_error(error, g_steal_pointer(&problem));
    return NULL;
}

static const HfParam params[] = {
    HF_OPTIONAL("description", HF_TYPE_STRING,
                "The element in words, English or Chinese: the Save button, second Delete link in "
                "the row of Anna, 用户名右边的输入框, X in the top right corner of the dialog",
                .means = HF_MEANS_PLAIN, .min = 1, .max = HF_LIMIT_DESCRIPTION_BYTES),
    HF_OPTIONAL(
        "template", HF_TYPE_STRING,
        "A picture of the element (PNG or JPEG, base64) to look for, at 0.8 to 1.25 of its size; "
        "transparent parts do not count. A description is used if nothing looks like the picture",
        .means = HF_MEANS_PLAIN, .min = 1, .max = HF_LIMIT_IMAGE_TEXT_BYTES),
    HF_OPTIONAL("threshold", HF_TYPE_NUMBER, "How similar to the template a place must be",
                .min = 0.5, .max = 1, .fallback = "0.8"),
    HF_OPTIONAL("image", HF_TYPE_STRING,
                "A PNG or JPEG picture (base64) to search instead of the screen",
                .means = HF_MEANS_PLAIN, .min = 1, .max = HF_LIMIT_IMAGE_TEXT_BYTES),
    HF_PARAM_AREA("region", "Only this part: [left, top, right, bottom], or {x, y, width, height}"),
    HF_PARAM_SPACE,
    HF_PARAM_SCOPE,
    HF_OPTIONAL("max_results", HF_TYPE_INTEGER, "Maximum number of elements", .min = 1,
                .max = HF_LIMIT_CANDIDATES, .fallback = "5"),
    HF_OPTIONAL("language", HF_TYPE_STRING, "Language of the reasons: English or Chinese",
                .choices = languages, .fallback = "\"en\""),
    {0},
};

static const HfParam element_fields[] = {
    HF_OPTIONAL("ref", HF_TYPE_STRING,
                "Reference for the target of other tools; absent: use its center"),
    HF_REQUIRED("role", HF_TYPE_STRING, "What it is"),
    HF_REQUIRED("name", HF_TYPE_STRING, "Its name; empty if it has none", .others = TRUE),
    HF_REQUIRED("description", HF_TYPE_STRING, "Role and name in short", .others = TRUE),
    HF_REQUIRED("bounds", HF_TYPE_OBJECT,
                "Its bounds, in pixels of the screen (or of the given picture)",
                .fields = hf_rect_fields),
    HF_REQUIRED("center", HF_TYPE_OBJECT, "Its middle: where to click", .fields = hf_point_fields),
    HF_REQUIRED("confidence", HF_TYPE_NUMBER, "How likely it is the one that is meant, 0 to 1"),
    HF_REQUIRED("reasons", HF_TYPE_ARRAY, "Why it matches", .items = &hf_text_item, .others = TRUE),
    HF_REQUIRED("source", HF_TYPE_ARRAY, "Where it was found: ax, ocr, dom, pixels",
                .items = &hf_text_item),
    HF_OPTIONAL("window", HF_TYPE_INTEGER, "The window that it is in"),
    {0},
};
static const HfParam element_item = {.type = HF_TYPE_OBJECT, .fields = element_fields};

static const HfParam result[] = {
    HF_REQUIRED("found", HF_TYPE_BOOLEAN, "Whether anything matches"),
    HF_REQUIRED("confident", HF_TYPE_BOOLEAN,
                "The first element matches clearly better than the next, and no candidate was left "
                "out (truncated): it is safe to act on"),
    HF_REQUIRED("elements", HF_TYPE_ARRAY, "Best first", .items = &element_item),
    HF_REQUIRED("reason", HF_TYPE_STRING, "Why the answer is confident or not"),
    HF_REQUIRED("understood", HF_TYPE_STRING, "How the description was understood"),
    HF_REQUIRED("asked_model", HF_TYPE_BOOLEAN, "Whether a vision model was asked"),
    HF_REQUIRED("asked_model_reason", HF_TYPE_STRING, "Why, or why not"),
    HF_RESULT_TRUNCATED,
    HF_OPTIONAL("snapshot_id", HF_TYPE_STRING,
                "The snapshot that the references belong to; 30 seconds and 50 uses"),
    HF_REQUIRED("took_ms", HF_TYPE_INTEGER, "How long it took"),
    {0},
};

const HfTool hf_tool_element_locate = {
    .name = "element_locate",
    .title = "Locate an element by description",
    .summary =
        "Locate an element by a description in English or Chinese, with synonyms, kinds, ordinals, "
        "relations and positions. Returns ranked elements with bounds, a reference to act on, a "
        "confidence and reasons, from what programs report and what the screen shows; confident is "
        "false if it is unclear which one is meant. If you know its exact name, find is faster",
    .category = HF_CATEGORY_STRUCTURE,
    .risk = HF_RISK_LOW,
    .level = HF_LEVEL_READ_ONLY,
    .needs = HF_NEEDS_NEITHER,
    .channel = HF_CHANNEL_STRUCTURE,
    .reads = HF_READS_SCREEN | HF_READS_PROGRAMS,
    .effects = HF_EFFECT_NONE,
    .target = HF_TARGET_NOTHING,
    .flags = HF_TOOL_READ_ONLY | HF_TOOL_IDEMPOTENT,
    .pace = HF_PACE_FREE,
    .verifies = HF_VERIFY_NOTHING,
    .timeout_ms = 40000,
    .params = params,
    .result = result,
    .run = run,
};
