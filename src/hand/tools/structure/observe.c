/* SPDX-License-Identifier: Apache-2.0 */
/* observe: one look at a window or the desktop, in which everything belongs together: the picture,
 * the elements with short names, the focused window, the front application, the pointer. It can
 * tell only what has changed since another look. It changes nothing. */
#include <string.h>

#include "hand/apps/running-apps.h"
#include "hand/atspi/atspi-limits.h"
#include "hand/atspi/bus/atspi-session.h"
#include "hand/atspi/tree/element-references.h"
#include "hand/atspi/tree/states.h"
#include "hand/atspi/tree/tree-difference.h"
#include "hand/desktop/pointer.h"
#include "hand/locate/fused-tree.h"
#include "hand/locate/page-provider.h"
#include "hand/tools/structure/call-scope.h"
#include "hand/tools/structure/observe-marks.h"
#include "hand/tools/structure/observe-picture.h"
#include "hand/tools/windows/window-report.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"

/* A screen that draws without end is looked at this often, and then as it is. */
#define TRIES 2
#define SILENT                                                                                     \
    "the window's program tells nothing of its elements: it is starting, or paints by itself; "    \
    "look "                                                                                        \
    "again, or use what is read from its picture"
#define RETICENT                                                                                   \
    "the program tells only of its window, as it was not started to tell more: start it by "       \
    "app_launch, or with --force-renderer-accessibility; until then use what is read from its "    \
    "picture"

typedef struct Look {
    HfCall *call;
    const HfCallContext *context;
    HfDesktop *desktop;
    HfTreeScope scope;
    HfFusedPixels pixels;
    HfCaptureRequest request;
    HfTree *before; /* what `since` names; NULL: nothing */
    guint since;    /* its number */
    HfRunningApps *apps;
    HfTree *tree;    /* empty where nothing can be known */
    int told;        /* how many elements of it programs have told */
    GError *problem; /* why there is none */
    HfCapture *capture;
    gboolean settled; /* nothing was drawn between the elements and the picture */
    guint snapshot;
} Look;

static void look_clear(Look *look)
{
    g_clear_pointer(&look->before, hf_tree_unref);
    g_clear_pointer(&look->apps, hf_running_apps_free);
    g_clear_pointer(&look->tree, hf_tree_unref);
    g_clear_error(&look->problem);
    g_clear_pointer(&look->capture, hf_capture_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Look, look_clear)

/* ---- what is to be looked at ---- */

static const char *const pixels_choices[] = {
    [HF_PIXELS_AUTO] = "auto",
    [HF_PIXELS_ALWAYS] = "always",
    [HF_PIXELS_NEVER] = "never",
    NULL,
};

static HfFusedPixels pixels_of(const char *word)
{
    HfFusedPixels pixels = HF_PIXELS_AUTO;
    while (strcmp(pixels_choices[pixels], word) != 0)
        pixels++;
    return pixels;
}

/* Without any word on it: the window that has the focus, or everything where none has. */
static gboolean choose_observe_scope(Look *look, GError **error)
{
    g_autoptr(GError) none = NULL;
    gboolean named = hf_call_names_window(look->call) || hf_call_has(look->call, "app") ||
                     hf_call_has(look->call, "pid");
    if (!hf_call_get_scope(look->call, &look->scope, &none)) {
        if (named || hf_error_code(none) != HF_ERROR_WINDOW_NOT_FOUND) {
            g_propagate_error(error, g_steal_pointer(&none));
            return FALSE;
        }
        look->scope = (HfTreeScope){.max_ms = (int)hf_call_int(look->call, "max_ms")};
    }
    look->scope.max_nodes = (int)hf_call_int(look->call, "max_nodes");
    look->scope.include_text = hf_call_bool(look->call, "values");
    look->scope.include_identifiers = hf_call_bool(look->call, "identifiers");
    look->pixels = pixels_of(hf_call_string(look->call, "pixels"));
    look->request.window = look->scope.window;
    look->request.cursor = hf_call_bool(look->call, "cursor");
    /* To say what has changed it takes the pixels, also for one who does not want them. */
    look->request.only_describe =
        !hf_call_bool(look->call, "image") && !hf_call_has(look->call, "since");
    return TRUE;
}

static gboolean find_before(Look *look, GError **error)
{
    const char *since = hf_call_string(look->call, "since");
    guint64 number = 0;
    if (!since)
        return TRUE;
    if (since[0] != 's' ||
        !g_ascii_string_to_unsigned(since + 1, 10, 1, G_MAXUINT32, &number, NULL))
        return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                       "since: '%s' is no snapshot_id; observe gives them, such as s7", since);
    look->since = (guint)number;
    look->before = hf_references_dup_tree(hf_atspi_references(look->desktop), (guint)number, error);
    return look->before != NULL;
}

/* ---- one instant ---- */

static HfTree *empty_tree_new(void)
{
    HfTree *tree = hf_tree_new();
    hf_tree_finish(tree);
    return tree;
}

/* A desktop without an accessibility bus still has a picture. */
static gboolean read_observed_tree(Look *look, GError **error)
{
    g_clear_pointer(&look->tree, hf_tree_unref);
    g_clear_error(&look->problem);
    look->tree =
        hf_tree_read(look->context, &look->scope, hf_call_deadline(look->call), &look->problem);
    if (!look->tree && hf_error_code(look->problem) == HF_ERROR_UNSUPPORTED)
        look->tree = empty_tree_new();
    if (!look->tree)
        g_propagate_error(error, g_steal_pointer(&look->problem));
    look->told = look->tree ? hf_tree_size(look->tree) : 0;
    return look->tree != NULL;
}

/* What pages in browsers of ours say of themselves: where that is known, a picture has nothing to
 * add. */
static void read_pages(Look *look)
{
    HfTree *whole = hf_page_provider_merge(look->context, look->scope.window, look->scope.pid,
                                           look->tree, hf_call_deadline(look->call));
    hf_tree_unref(look->tree);
    look->tree = whole;
}

static gboolean capture_observed(Look *look, GError **error)
{
    if (look->pixels != HF_PIXELS_NEVER)
        hf_fused_tree_await_first_paint(look->desktop, look->scope.window, look->tree,
                                        hf_call_deadline(look->call));
    g_clear_pointer(&look->capture, hf_capture_free);
    look->capture =
        hf_screen_capture(look->context, &look->request, hf_call_deadline(look->call), error);
    return look->capture != NULL;
}

/* Where nothing is drawn between here and the picture, no window has changed either. */
static gboolean list_observed_windows(Look *look, GError **error)
{
    GPtrArray *windows = hf_windows_list_scaled(look->desktop, &look->scope.scale, error);
    if (!windows)
        return FALSE;
    g_clear_pointer(&look->apps, hf_running_apps_free);
    look->apps = hf_running_apps_new(windows);
    look->scope.windows = windows;
    return TRUE;
}

static gboolean observe_once(Look *look, GError **error)
{
    guint64 serial = 0;
    if (!hf_screen_get_change_serial(look->context, FALSE, &serial, error) ||
        !list_observed_windows(look, error) || !read_observed_tree(look, error))
        return FALSE;
    read_pages(look);
    if (!capture_observed(look, error))
        return FALSE;
    look->settled = serial != 0 && serial == look->capture->change_serial;
    return TRUE;
}

/* What the picture shows beyond what programs tell. */
static gboolean add_elements_from_pixels(Look *look, GError **error)
{
    HfFusedScope scope = {.access = look->scope,
                          .pixels = look->pixels,
                          .picture = look->capture,
                          .windows = look->apps->windows,
                          .read_ms = look->scope.max_ms};
    HfTree *whole = hf_fused_tree_add_pixels(look->context, &scope, look->tree,
                                             hf_call_deadline(look->call), error);
    if (!whole)
        return FALSE;
    hf_tree_unref(look->tree);
    look->tree = whole;
    return TRUE;
}

static gboolean observe_until_settled(Look *look, GError **error)
{
    for (int i = 0; i < TRIES && !look->settled; i++) {
        look->scope.again = i > 0;
        if (!observe_once(look, error))
            return FALSE;
    }
    /* As long as it took to look at what does not rest, anything may have come in front. */
    return (look->settled || list_observed_windows(look, error)) &&
           add_elements_from_pixels(look, error);
}

/* ---- what is told of it ---- */

static guint name_observed_element(gpointer data, int index)
{
    const Look *look = data;
    return hf_references_name(hf_atspi_references(look->desktop), look->snapshot, index);
}

static HfElementStyle style_of(Look *look)
{
    return (HfElementStyle){.name = name_observed_element,
                            .data = look,
                            .values = hf_call_bool(look->call, "values"),
                            .limit = (gsize)hf_call_int(look->call, "max_bytes")};
}

static json_t *observed_elements_to_json(Look *look, const HfElementStyle *style)
{
    json_t *list = json_array();
    for (int i = 0; i < hf_tree_size(look->tree); i++)
        if (hf_element_is_informative(look->tree, i) && hf_tree_is_visible(look->tree, i))
            json_array_append_new(list, hf_element_to_json(look->tree, i, style));
    return list;
}

static void add_elements(Look *look, json_t *json)
{
    HfElementStyle style = style_of(look);
    int listed = 0, left_out = 0;
    const char *form = hf_call_string(look->call, "elements");
    if (!form)
        form = look->before ? "none" : "lines";
    if (strcmp(form, "none") == 0)
        return;
    if (strcmp(form, "objects") == 0) {
        json_object_set_new(json, "element_list", observed_elements_to_json(look, &style));
        return;
    }
    g_autofree char *lines =
        hf_elements_to_text(look->tree, 0, hf_tree_size(look->tree), &style, &listed, &left_out);
    json_object_set_new(json, "elements", hf_json_text(lines));
    json_object_set_new(json, "listed", json_integer(listed));
    json_object_set_new(json, "left_out", json_integer(left_out));
}

static void add_change(Look *look, json_t *json)
{
    if (!look->before)
        return;
    HfElementStyle style = style_of(look);
    gboolean chinese = g_strcmp0(hf_call_string(look->call, "language"), "zh") == 0;
    g_autoptr(HfTreeDifference) difference = hf_tree_difference_new(look->before, look->tree);
    g_autofree char *words = hf_tree_difference_to_sentences(
        difference, chinese ? HF_LANGUAGE_CHINESE : HF_LANGUAGE_ENGLISH);
    json_object_set_new(json, "change", hf_tree_difference_to_json(difference, &style));
    json_object_set_new(json, "summary", hf_json_text(words));
}

static void add_focus(Look *look, json_t *json)
{
    HfElementStyle style = style_of(look);
    const HfWindow *focused = hf_windows_find_focused(look->apps->windows);
    if (focused)
        json_object_set_new(json, "focused_window", hf_window_to_json(focused));
    for (guint i = 0; i < look->apps->apps->len; i++) {
        const HfRunningApp *app = look->apps->apps->pdata[i];
        if (app->focused)
            json_object_set_new(
                json, "front_app",
                json_pack("{s:o, s:i}", "name", hf_json_text(app->name), "pid", app->pid));
    }
    int index = hf_tree_find_focused(look->tree);
    if (index != HF_NODE_NONE && hf_element_is_informative(look->tree, index))
        json_object_set_new(json, "focused_element", hf_element_to_json(look->tree, index, &style));
}

static void add_pointer(Look *look, json_t *json)
{
    HfPointerState pointer;
    if (hf_pointer_get(look->context, &pointer, NULL))
        json_object_set_new(json, "pointer", hf_json_point(pointer.point));
}

/* What is made with Chromium must be told as it starts that somebody reads its elements. */
static gboolean is_poorly_accessible(const Look *look)
{
    const HfNode *first = look->told == 1 ? hf_tree_get(look->tree, 0) : NULL;
    return first &&
           g_str_equal(hf_tree_get_program(look->tree, first->program)->toolkit, "Chromium");
}

static void add_problem(const Look *look, json_t *json)
{
    if (look->problem)
        json_object_set_new(json, "problem", hf_json_text(look->problem->message));
    else if (look->scope.window && look->told == 0)
        json_object_set_new(json, "problem", json_string(SILENT));
    else if (is_poorly_accessible(look))
        json_object_set_new(json, "problem", json_string(RETICENT));
}

static void describe_observation(Look *look, json_t *json)
{
    g_autofree char *snapshot_id = g_strdup_printf("s%u", look->snapshot);
    json_object_set_new(json, "snapshot_id", json_string(snapshot_id));
    json_object_set_new(json, "settled", json_boolean(look->settled));
    json_object_set_new(json, "truncated",
                        hf_truncation_to_json(hf_tree_get_truncated(look->tree)));
    add_problem(look, json);
    add_elements(look, json);
    add_change(look, json);
    add_focus(look, json);
    add_pointer(look, json);
}

static void mark_observed_elements(gpointer data, HfCapture *capture, HfSize size)
{
    Look *look = data;
    hf_observe_mark(look->tree, name_observed_element, look, capture, size);
}

static HfResult *observation_to_result(Look *look, GError **error)
{
    const HfWindow *window =
        look->request.window ? hf_windows_find(look->apps->windows, look->request.window) : NULL;
    look->snapshot = hf_references_add_snapshot(hf_atspi_references(look->desktop), look->tree);
    HfObservePicture picture = {.call = look->call,
                                .request = &look->request,
                                .capture = look->capture,
                                .window = window,
                                .since = look->since,
                                .mark = hf_call_bool(look->call, "marks") ? mark_observed_elements
                                                                          : NULL,
                                .data = look};
    HfResult *result = hf_observe_picture(&picture, error);
    g_clear_pointer(&look->capture, hf_capture_free); /* the next picture needs its memory */
    if (!result)
        return NULL;
    hf_image_spaces_note_snapshot(look->desktop, look->snapshot,
                                  hf_json_string(result->json, "image_id", ""));
    describe_observation(look, result->json);
    return result;
}

static HfResult *run(HfCall *call, GError **error)
{
    g_auto(Look)
        look = {.call = call, .context = hf_call_context(call), .desktop = hf_call_desktop(call)};
    if (!hf_picture_check_since(call, "since", error) || !hf_picture_check_size(call, error) ||
        !choose_observe_scope(&look, error) || !find_before(&look, error) ||
        !observe_until_settled(&look, error))
        return NULL;
    return observation_to_result(&look, error);
}

static const char *const forms[] = {"lines", "objects", "none", NULL};
static const char *const languages[] = {"en", "zh", NULL};

static const HfParam params[] = {
    HF_PARAM_SCOPE,
    {.name = "since",
     .type = HF_TYPE_STRING,
     .means = HF_MEANS_PLAIN,
     .min = 2,
     .max = HF_LIMIT_NAME_BYTES,
     .about = "A snapshot_id of an earlier look: tells what changed, instead of all elements, and "
              "leaves the picture out when it shows nothing new"},
    HF_PARAM_CROP,
    HF_PARAM_IGNORE,
    HF_PARAM_SPACE,
    {.name = "elements",
     .type = HF_TYPE_STRING,
     .choices = forms,
     .about = "lines: few tokens (default); objects: all that is known of each; none (default with "
              "since)"},
    {.name = "values",
     .type = HF_TYPE_BOOLEAN,
     .fallback = "false",
     .about = "Also what fields hold; never of password fields"},
    {.name = "identifiers",
     .type = HF_TYPE_BOOLEAN,
     .fallback = "false",
     .about = "Also what programs call elements themselves (identifier), and what they are in a "
              "page (dom: input#mail[email])"},
    {.name = "pixels",
     .type = HF_TYPE_STRING,
     .choices = pixels_choices,
     .fallback = "\"auto\"",
     .about = "Text and shapes that only the picture shows, as elements too. auto: where a program "
              "paints without telling what; always: wherever nothing is told; never"},
    {.name = "marks",
     .type = HF_TYPE_BOOLEAN,
     .fallback = "false",
     .about = "Draw a numbered box around each element that can be used: 12 is e12"},
    {.name = "language",
     .type = HF_TYPE_STRING,
     .choices = languages,
     .fallback = "\"en\"",
     .about = "Of summary"},
    {.name = "max_nodes",
     .type = HF_TYPE_INTEGER,
     .min = 1,
     .max = HF_LIMIT_TREE_NODES,
     .fallback = "2000",
     .about = "How many elements are read at most"},
    {.name = "max_bytes",
     .type = HF_TYPE_INTEGER,
     .min = 200,
     .max = 1000000,
     .fallback = "20000",
     .about = "How long the lines may be together"},
    {.name = "image",
     .type = HF_TYPE_BOOLEAN,
     .fallback = "true",
     .about = "false: everything but the picture itself"},
    {.name = "max_dimension",
     .type = HF_TYPE_INTEGER,
     .min = 0,
     .max = HF_LIMIT_SCREEN_EDGE,
     .fallback = HF_PICTURE_EDGE,
     .about = "The longer edge of the picture is shrunk to this; 0: full size"},
    HF_PARAM_PICTURE,
    {0},
};

static const HfParam text = {.type = HF_TYPE_STRING};
static const HfParam element = {.type = HF_TYPE_OBJECT, .fields = hf_element_fields};
static const HfParam point_fields[] = {
    {.name = "x", .type = HF_TYPE_INTEGER, .required = TRUE, .about = "From the left edge"},
    {.name = "y", .type = HF_TYPE_INTEGER, .required = TRUE, .about = "From the top edge"},
    {0},
};
static const HfParam app_fields[] = {
    {.name = "name", .type = HF_TYPE_STRING, .required = TRUE, .about = "Its name"},
    {.name = "pid", .type = HF_TYPE_INTEGER, .required = TRUE, .about = "Its process; 0: unknown"},
    {0},
};

static const HfParam result[] = {
    HF_RESULT_PICTURE,
    {.name = "snapshot_id",
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .about = "Names this look: for since, and for references of its elements"},
    {.name = "settled",
     .type = HF_TYPE_BOOLEAN,
     .required = TRUE,
     .about = "Nothing was drawn between reading the elements and taking the picture"},
    {.name = "elements",
     .type = HF_TYPE_STRING,
     .about = "A line each: reference, role, name, place and size, states"},
    {.name = "element_list", .type = HF_TYPE_ARRAY, .items = &element, .about = "With objects"},
    {.name = "listed", .type = HF_TYPE_INTEGER, .about = "How many lines there are"},
    {.name = "left_out", .type = HF_TYPE_INTEGER, .about = "How many more did not fit"},
    {.name = "truncated",
     .type = HF_TYPE_ARRAY,
     .required = TRUE,
     .items = &text,
     .about = "Why elements are missing: depth, nodes, time, program; empty: none are"},
    {.name = "problem", .type = HF_TYPE_STRING, .about = "Why there are no elements at all"},
    {.name = "change",
     .type = HF_TYPE_OBJECT,
     .fields = hf_tree_difference_fields,
     .about = "With since: elements that are new, gone or altered"},
    {.name = "summary", .type = HF_TYPE_STRING, .about = "With since: the same in words"},
    {.name = "unchanged",
     .type = HF_TYPE_BOOLEAN,
     .about = "With since: nothing that counts looks different; image_id is that of the picture "
              "before, which is still right"},
    HF_RESULT_CHANGED,
    {.name = "focused_window",
     .type = HF_TYPE_OBJECT,
     .fields = hf_window_fields,
     .about = "The window that gets the keys"},
    {.name = "focused_element",
     .type = HF_TYPE_OBJECT,
     .fields = hf_element_fields,
     .about = "The element that gets the keys"},
    {.name = "front_app",
     .type = HF_TYPE_OBJECT,
     .fields = app_fields,
     .about = "The application of the focused window"},
    {.name = "pointer",
     .type = HF_TYPE_OBJECT,
     .fields = point_fields,
     .about = "Where the mouse pointer is, in pixels of the screen"},
    {0},
};

const HfTool hf_tool_observe = {
    .name = "observe",
    .title = "Observe",
    .summary = "Look at the focused window (or another one, an application, everything): picture, "
               "elements with references such as e12 to act on, focus and pointer, all of one "
               "instant. Give its snapshot_id as since the next time to get only what changed",
    .category = HF_CATEGORY_SCREEN,
    .risk = HF_RISK_LOW,
    .level = HF_LEVEL_READ_ONLY,
    .needs = HF_NEEDS_SCREEN,
    .channel = HF_CHANNEL_STRUCTURE,
    .reads = HF_READS_SCREEN | HF_READS_PROGRAMS,
    .effects = HF_EFFECT_NONE,
    .target = HF_TARGET_NOTHING,
    .flags = HF_TOOL_READ_ONLY | HF_TOOL_IDEMPOTENT,
    .pace = HF_PACE_FREE,
    .verifies = HF_VERIFY_NOTHING,
    .timeout_ms = 15000,
    .params = params,
    .result = result,
    .run = run,
};
