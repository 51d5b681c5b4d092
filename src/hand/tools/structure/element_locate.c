/* SPDX-License-Identifier: Apache-2.0 */
/* element_locate: the element that a few words describe, in English or Chinese. What programs
 * report and what the screen shows is one list, and the words are compared with it. It changes
 * nothing; the answer says whether it is sure, and why. */
#include <math.h>
#include <string.h>

#include "hand/atspi/atspi-limits.h"
#include "hand/atspi/bus/atspi-session.h"
#include "hand/atspi/tree/element-fingerprint.h"
#include "hand/atspi/tree/roles.h"
#include "hand/locate/description-search.h"
#include "hand/locate/locate-limits.h"
#include "hand/pixels/pixels-limits.h"
#include "hand/tools/screen/caller-image.h"
#include "hand/tools/screen/picture.h"
#include "hand/tools/structure/call-scope.h"
#include "hand/tools/structure/locate-template.h"
#include "shared/base/error.h"
#include "shared/base/json.h"

static const char *const languages[] = {"en", "zh", NULL};

static gboolean names_scope(const HfCall *call)
{
    return hf_call_names_window(call) || hf_call_has(call, "app") || hf_call_has(call, "pid") ||
           hf_call_bool(call, "everything") || hf_call_window(call);
}

static gboolean get_search_region(const HfCall *call, HfRect *ret_region, GError **error)
{
    guint32 window;
    *ret_region = (HfRect){0, 0, 0, 0};
    return !hf_call_has(call, "region") ||
           hf_call_get_area(call, "region", ret_region, &window, error);
}

/* ---- where it is searched for ---- */

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
    HfDescriptionScope scope = {.front_first = !names_scope(call)};
    if ((names_scope(call) && !hf_call_get_scope(call, &scope.access, error)) ||
        !get_search_region(call, &scope.region, error))
        return FALSE;
    return hf_description_search(hf_call_context(call), description, &scope, hf_call_deadline(call),
                                 ret_search, error);
}

/* ---- the answer ---- */

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

static json_t *point_to_json(HfPoint point)
{
    return json_pack("{s:i, s:i}", "x", point.x, "y", point.y);
}

/* A part of a line has no reference, and neither has what is in no tree. */
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
    gboolean chinese = strcmp(hf_call_string(call, "language"), "zh") == 0;
    g_autofree char *reasons = hf_candidate_reasons(search->scene, description, candidate, chinese);
    g_autofree char *name = dup_element_name(search, element);
    g_autofree char *about = g_strdup_printf("%s%s%s%s", hf_node_role_name(element->role),
                                             *name ? " '" : "", name, *name ? "'" : "");
    json_t *json = json_pack(
        "{s:s, s:o, s:o, s:o, s:o, s:f, s:o, s:o}", "role", hf_node_role_name(element->role),
        "name", hf_json_text(name), "description", hf_json_text(about), "bounds",
        hf_json_rect(element->box), "center", point_to_json(hf_rect_middle(element->box)),
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
        return "nothing on the screen fits the description";
    if (search->unsure)
        return "one element fits clearly better than all others that were looked at, but not all "
               "were (see truncated): look before acting on it, or name the window or a region";
    if (search->match->confident)
        return "one element fits everything that was said, and no other comes near it";
    if (doubts & HF_DOUBT_WORDS)
        return "a part of the description was not understood: choose an element by its ref, or say "
               "it in other words";
    return doubts ? "no element certainly fits everything that was said: choose one by its ref, or "
                    "say more"
                  : "several elements fit about as well, or none fits well: choose one by its ref, "
                    "or say more";
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

static gboolean check_parameters(const HfCall *call, GError **error)
{
    if (!hf_call_has(call, "description") && !hf_call_has(call, "template")) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "description: missing, and so is template");
        hf_error_suggest(error, "say which element is meant, or give a picture of it");
        return FALSE;
    }
    return !hf_call_has(call, "image") || !names_scope(call) ||
           hf_fail(error, HF_ERROR_INVALID_PARAMS,
                   "image: a given picture has no windows; leave out window, app, pid and "
                   "everything");
}

/* By its picture, and by words when there is none, or nothing looks like it. */
static HfResult *run(HfCall *call, GError **error)
{
    g_autoptr(GError) problem = NULL;
    if (!check_parameters(call, error))
        return NULL;
    if (!hf_call_has(call, "template"))
        return locate_described(call, error);
    HfResult *result = hf_locate_template(call, &problem);
    if (result || !problem)
        return result ? result : locate_described(call, error);
    g_propagate_error(error, g_steal_pointer(&problem));
    return NULL;
}

static const HfParam params[] = {
    {.name = "description",
     .type = HF_TYPE_STRING,
     .means = HF_MEANS_PLAIN,
     .min = 1,
     .max = HF_LIMIT_DESCRIPTION_BYTES,
     .about = "The element in words, English or Chinese: the Save button, second Delete link in "
              "the row of Anna, 用户名右边的输入框, X in the top right corner of the dialog"},
    {.name = "template",
     .type = HF_TYPE_STRING,
     .means = HF_MEANS_PLAIN,
     .min = 1,
     .max = HF_LIMIT_IMAGE_TEXT_BYTES,
     .about = "A picture of the element (PNG or JPEG, base64) to look for, at 0.8 to 1.25 of its "
              "size; transparent parts do not count. With description: that is used when nothing "
              "looks like it"},
    {.name = "threshold",
     .type = HF_TYPE_NUMBER,
     .min = 0.5,
     .max = 1,
     .fallback = "0.8",
     .about = "How alike a place must be to the template"},
    {.name = "image",
     .type = HF_TYPE_STRING,
     .means = HF_MEANS_PLAIN,
     .min = 1,
     .max = HF_LIMIT_IMAGE_TEXT_BYTES,
     .about = "A PNG or JPEG picture (base64) to look at instead of the screen"},
    HF_PARAM_AREA("region", FALSE,
                  "Only this part: [left, top, right, bottom], or {x, y, width, height}"),
    HF_PARAM_SPACE,
    HF_PARAM_SCOPE,
    {.name = "max_results",
     .type = HF_TYPE_INTEGER,
     .min = 1,
     .max = HF_LIMIT_CANDIDATES,
     .fallback = "5",
     .about = "Elements at most"},
    {.name = "language",
     .type = HF_TYPE_STRING,
     .choices = languages,
     .fallback = "\"en\"",
     .about = "Of the reasons: English or Chinese"},
    {0},
};

static const HfParam word = {.type = HF_TYPE_STRING};
static const HfParam point_fields[] = {
    {.name = "x", .type = HF_TYPE_INTEGER, .required = TRUE, .about = "From the left edge"},
    {.name = "y", .type = HF_TYPE_INTEGER, .required = TRUE, .about = "From the top edge"},
    {0},
};
static const HfParam element_fields[] = {
    {.name = "ref",
     .type = HF_TYPE_STRING,
     .about = "What to call it as the target of other tools; absent: use its center"},
    {.name = "role", .type = HF_TYPE_STRING, .required = TRUE, .about = "What it is"},
    {.name = "name",
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .others = TRUE,
     .about = "What it is called; empty: nothing"},
    {.name = "description",
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .others = TRUE,
     .about = "Both in short"},
    {.name = "bounds",
     .type = HF_TYPE_OBJECT,
     .required = TRUE,
     .fields = hf_picture_region_fields,
     .about = "Where it is, in pixels of the screen (or of the picture that was given)"},
    {.name = "center",
     .type = HF_TYPE_OBJECT,
     .required = TRUE,
     .fields = point_fields,
     .about = "Its middle: where to click"},
    {.name = "confidence",
     .type = HF_TYPE_NUMBER,
     .required = TRUE,
     .about = "How likely it is meant, 0 to 1"},
    {.name = "reasons",
     .type = HF_TYPE_ARRAY,
     .items = &word,
     .required = TRUE,
     .others = TRUE,
     .about = "What speaks for it"},
    {.name = "source",
     .type = HF_TYPE_ARRAY,
     .items = &word,
     .required = TRUE,
     .about = "Where it is known from: ax, ocr, dom, pixels"},
    {.name = "window", .type = HF_TYPE_INTEGER, .about = "The window that it is in"},
    {0},
};
static const HfParam element_item = {.type = HF_TYPE_OBJECT, .fields = element_fields};

static const HfParam result[] = {
    {.name = "found",
     .type = HF_TYPE_BOOLEAN,
     .required = TRUE,
     .about = "Whether anything fits at all"},
    {.name = "confident",
     .type = HF_TYPE_BOOLEAN,
     .required = TRUE,
     .about = "The first element is clear and well ahead of the next, and nothing that might be "
              "meant was left out (truncated): it can be acted on"},
    {.name = "elements",
     .type = HF_TYPE_ARRAY,
     .items = &element_item,
     .required = TRUE,
     .about = "Best first"},
    {.name = "reason",
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .about = "Why the answer is sure or not, in words"},
    {.name = "understood",
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .about = "How the description was understood"},
    {.name = "asked_model",
     .type = HF_TYPE_BOOLEAN,
     .required = TRUE,
     .about = "Whether a vision model was asked"},
    {.name = "asked_model_reason",
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .about = "Why, or why not"},
    {.name = "truncated",
     .type = HF_TYPE_ARRAY,
     .items = &word,
     .required = TRUE,
     .about = "Why something may be missing: depth, nodes, time, program"},
    {.name = "snapshot_id",
     .type = HF_TYPE_STRING,
     .about = "The snapshot that the references belong to; 30 seconds and 50 uses"},
    {.name = "took_ms", .type = HF_TYPE_INTEGER, .required = TRUE, .about = "How long it took"},
    {0},
};

const HfTool hf_tool_element_locate = {
    .name = "element_locate",
    .title = "Locate an element by description",
    .summary = "Locate an element by what a person would call it, in English or Chinese, with "
               "synonyms, kinds, ordinals, relations and places. Returns ranked elements with "
               "bounds, a reference to act on, a confidence and reasons, from what programs tell "
               "and from what the screen shows; confident is false when it is not clear which one "
               "is meant. When you know its exact name, find is quicker",
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
