/* SPDX-License-Identifier: Apache-2.0 */
/* observe: the picture, the elements with references, the focused window, the front application and
 * the pointer, all of one instant. It can report only what changed since another snapshot, and
 * leaves the picture out when no pixel that counts differs. It changes nothing. */
#include <string.h>

#include "hand/apps/running-apps.h"
#include "hand/atspi/atspi-limits.h"
#include "hand/atspi/bus/atspi-session.h"
#include "hand/atspi/tree/element-json.h"
#include "hand/atspi/tree/element-references.h"
#include "hand/atspi/tree/states.h"
#include "hand/atspi/tree/tree-difference.h"
#include "hand/desktop/pointer.h"
#include "hand/desktop/screen.h"
#include "hand/locate/fused-tree.h"
#include "hand/locate/page-provider.h"
#include "hand/pixels/image/number-marks.h"
#include "hand/tools/mouse/call-mouse.h"
#include "hand/tools/screen/picture-change.h"
#include "hand/tools/structure/call-element.h"
#include "hand/tools/windows/window-report.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"

/* A screen that never stops drawing is observed this often, and then reported as it is. */
#define TRIES 2
/* More numbered boxes than a model or a person can tell apart. */
#define MARKS_MAX 200

static const char no_elements[] =
    "the window's program reports no elements: it is still starting, or paints by itself; observe "
    "again, or use the elements that were read from the picture";
static const char only_window[] =
    "the program reports only its window, since it was started without accessibility: start it by "
    "app_launch, or with --force-renderer-accessibility; until then use the elements that were "
    "read "
    "from the picture";

typedef struct Observation {
    HfCall *call;
    const HfCallContext *context;
    HfDesktop *desktop;
    HfTreeScope scope;
    HfFusedPixels pixels;
    HfCaptureRequest request;
    HfTree *before; /* the tree of the snapshot `since`; NULL: none */
    guint since;    /* the number of that snapshot */
    HfRunningApps *apps;
    HfTree *tree;    /* empty without an accessibility bus */
    int reported;    /* how many of its elements programs have reported */
    GError *problem; /* why it is empty */
    HfCapture *capture;
    gboolean settled; /* nothing was drawn between the elements and the picture */
    guint snapshot;
} Observation;

static void observation_clear(Observation *observed)
{
    g_clear_pointer(&observed->before, hf_tree_unref);
    g_clear_pointer(&observed->apps, hf_running_apps_free);
    g_clear_pointer(&observed->tree, hf_tree_unref);
    g_clear_error(&observed->problem);
    g_clear_pointer(&observed->capture, hf_capture_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Observation, observation_clear)

/* ---- what to observe ---- */

static const char *const pixels_choices[] = {
    [HF_PIXELS_AUTO] = "auto",
    [HF_PIXELS_ALWAYS] = "always",
    [HF_PIXELS_NEVER] = "never",
    NULL,
};

static HfFusedPixels pixels_choice(const char *word)
{
    HfFusedPixels pixels = HF_PIXELS_AUTO;
    while (strcmp(pixels_choices[pixels], word) != 0)
        pixels++;
    return pixels;
}

/* Without a scope: the focused window, or everything if none has the focus. */
static gboolean choose_observe_scope(Observation *observed, GError **error)
{
    g_autoptr(GError) none = NULL;
    if (!hf_call_get_scope(observed->call, &observed->scope, &none)) {
        if (hf_call_names_scope(observed->call) ||
            hf_error_code(none) != HF_ERROR_WINDOW_NOT_FOUND) {
            g_propagate_error(error, g_steal_pointer(&none));
            return FALSE;
        }
        observed->scope = (HfTreeScope){.max_ms = (int)hf_call_int(observed->call, "max_ms")};
    }
    observed->scope.max_nodes = (int)hf_call_int(observed->call, "max_nodes");
    observed->scope.include_text = hf_call_bool(observed->call, "values");
    observed->scope.include_identifiers = hf_call_bool(observed->call, "identifiers");
    observed->pixels = pixels_choice(hf_call_string(observed->call, "pixels"));
    observed->request.window = observed->scope.window;
    observed->request.cursor = hf_call_bool(observed->call, "cursor");
    /* Finding what changed takes the pixels, even if the caller does not want them. */
    observed->request.only_describe =
        !hf_call_bool(observed->call, "image") && !hf_call_has(observed->call, "since");
    return TRUE;
}

static gboolean find_snapshot_before(Observation *observed, GError **error)
{
    const char *since = hf_call_string(observed->call, "since");
    guint64 number = 0;
    if (!since)
        return TRUE;
    if (since[0] != 's' ||
        !g_ascii_string_to_unsigned(since + 1, 10, 1, G_MAXUINT32, &number, NULL))
        return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                       "since: '%s' is not a snapshot_id; observe returns them, such as s7", since);
    observed->since = (guint)number;
    observed->before =
        hf_references_dup_tree(hf_atspi_references(observed->desktop), (guint)number, error);
    return observed->before != NULL;
}

/* ---- one instant ---- */

/* A desktop without an accessibility bus still has a picture, so that is not a failure. */
static gboolean read_observed_tree(Observation *observed, GError **error)
{
    g_clear_pointer(&observed->tree, hf_tree_unref);
    g_clear_error(&observed->problem);
    observed->tree = hf_tree_read(observed->context, &observed->scope,
                                  hf_call_deadline(observed->call), &observed->problem);
    if (!observed->tree && hf_error_code(observed->problem) == HF_ERROR_UNSUPPORTED) {
        observed->tree = hf_tree_new();
        hf_tree_finish(observed->tree);
    }
    if (!observed->tree)
        g_propagate_error(error, g_steal_pointer(&observed->problem));
    observed->reported = observed->tree ? hf_tree_size(observed->tree) : 0;
    return observed->tree != NULL;
}

/* Adds the elements of pages in our browsers, so that they need not be read from pixels. */
static void add_page_elements(Observation *observed)
{
    HfTree *whole =
        hf_page_provider_merge(observed->context, observed->scope.window, observed->scope.pid,
                               observed->tree, hf_call_deadline(observed->call));
    hf_tree_unref(observed->tree);
    observed->tree = whole;
}

static gboolean capture_observed(Observation *observed, GError **error)
{
    if (observed->pixels != HF_PIXELS_NEVER)
        hf_fused_tree_await_first_paint(observed->desktop, observed->scope.window, observed->tree,
                                        hf_call_deadline(observed->call));
    g_clear_pointer(&observed->capture, hf_capture_free);
    observed->capture = hf_screen_capture(observed->context, &observed->request,
                                          hf_call_deadline(observed->call), error);
    return observed->capture != NULL;
}

/* If nothing is drawn between this and the capture, the windows are the same in both. */
static gboolean list_observed_windows(Observation *observed, GError **error)
{
    GPtrArray *windows = hf_windows_list_scaled(observed->desktop, &observed->scope.scale, error);
    if (!windows)
        return FALSE;
    g_clear_pointer(&observed->apps, hf_running_apps_free);
    observed->apps = hf_running_apps_new(windows);
    observed->scope.windows = windows;
    return TRUE;
}

static gboolean observe_once(Observation *observed, GError **error)
{
    guint64 serial = 0;
    if (!hf_screen_get_change_serial(observed->context, FALSE, &serial, error) ||
        !list_observed_windows(observed, error) || !read_observed_tree(observed, error))
        return FALSE;
    add_page_elements(observed);
    if (!capture_observed(observed, error))
        return FALSE;
    observed->settled = serial != 0 && serial == observed->capture->change_serial;
    return TRUE;
}

/* Adds what the picture shows and programs do not report. */
static gboolean add_elements_from_pixels(Observation *observed, GError **error)
{
    HfFusedScope scope = {.access = observed->scope,
                          .pixels = observed->pixels,
                          .picture = observed->capture,
                          .windows = observed->apps->windows,
                          .read_ms = observed->scope.max_ms};
    HfTree *whole = hf_fused_tree_add_pixels(observed->context, &scope, observed->tree,
                                             hf_call_deadline(observed->call), error);
    if (!whole)
        return FALSE;
    hf_tree_unref(observed->tree);
    observed->tree = whole;
    return TRUE;
}

static gboolean observe_until_settled(Observation *observed, GError **error)
{
    for (int i = 0; i < TRIES && !observed->settled; i++) {
        observed->scope.again = i > 0;
        if (!observe_once(observed, error))
            return FALSE;
    }
    /* Observing a screen that keeps changing takes time: another window may be in front by now. */
    return (observed->settled || list_observed_windows(observed, error)) &&
           add_elements_from_pixels(observed, error);
}

/* ---- the elements ---- */

static guint name_observed_element(gpointer data, int index)
{
    const Observation *observed = data;
    return hf_references_name(hf_atspi_references(observed->desktop), observed->snapshot, index);
}

static HfElementStyle observed_style(Observation *observed)
{
    return (HfElementStyle){.name = name_observed_element,
                            .data = observed,
                            .values = hf_call_bool(observed->call, "values"),
                            .limit = (gsize)hf_call_int(observed->call, "max_bytes")};
}

static json_t *observed_elements_to_json(Observation *observed, const HfElementStyle *style)
{
    json_t *list = json_array();
    for (int i = 0; i < hf_tree_size(observed->tree); i++)
        if (hf_element_is_informative(observed->tree, i) && hf_tree_is_visible(observed->tree, i))
            json_array_append_new(list, hf_element_to_json(observed->tree, i, style));
    return list;
}

static void add_elements(Observation *observed, json_t *json)
{
    HfElementStyle style = observed_style(observed);
    int listed = 0, left_out = 0;
    const char *form = hf_call_string(observed->call, "elements");
    if (!form)
        form = observed->before ? "none" : "lines";
    if (strcmp(form, "none") == 0)
        return;
    if (strcmp(form, "objects") == 0) {
        json_object_set_new(json, "element_list", observed_elements_to_json(observed, &style));
        return;
    }
    g_autofree char *lines = hf_elements_to_text(observed->tree, 0, hf_tree_size(observed->tree),
                                                 &style, &listed, &left_out);
    json_object_set_new(json, "elements", hf_json_text(lines));
    json_object_set_new(json, "listed", json_integer(listed));
    json_object_set_new(json, "left_out", json_integer(left_out));
}

static void add_change(Observation *observed, json_t *json)
{
    if (!observed->before)
        return;
    HfElementStyle style = observed_style(observed);
    gboolean chinese = g_strcmp0(hf_call_string(observed->call, "language"), "zh") == 0;
    g_autoptr(HfTreeDifference) difference =
        hf_tree_difference_new(observed->before, observed->tree);
    g_autofree char *words = hf_tree_difference_to_sentences(
        difference, chinese ? HF_LANGUAGE_CHINESE : HF_LANGUAGE_ENGLISH);
    json_object_set_new(json, "change", hf_tree_difference_to_json(difference, &style));
    json_object_set_new(json, "summary", hf_json_text(words));
}

static void add_focus(Observation *observed, json_t *json)
{
    HfElementStyle style = observed_style(observed);
    const HfWindow *focused = hf_windows_find_focused(observed->apps->windows);
    if (focused)
        json_object_set_new(json, "focused_window", hf_window_to_json(focused));
    for (guint i = 0; i < observed->apps->apps->len; i++) {
        const HfRunningApp *app = observed->apps->apps->pdata[i];
        if (app->focused)
            json_object_set_new(
                json, "front_app",
                json_pack("{s:o, s:i}", "name", hf_json_text(app->name), "pid", app->pid));
    }
    int index = hf_tree_find_focused(observed->tree);
    if (index != HF_NODE_NONE && hf_element_is_informative(observed->tree, index))
        json_object_set_new(json, "focused_element",
                            hf_element_to_json(observed->tree, index, &style));
}

static void add_pointer(Observation *observed, json_t *json)
{
    HfPointerState pointer;
    if (hf_pointer_get(observed->context, &pointer, NULL))
        json_object_set_new(json, "pointer", hf_json_point(pointer.point));
}

/* A Chromium program reports its elements only if it was started with accessibility. */
static gboolean is_poorly_accessible(const Observation *observed)
{
    const HfNode *first = observed->reported == 1 ? hf_tree_get(observed->tree, 0) : NULL;
    return first &&
           g_str_equal(hf_tree_get_program(observed->tree, first->program)->toolkit, "Chromium");
}

static void add_problem(const Observation *observed, json_t *json)
{
    if (observed->problem)
        json_object_set_new(json, "problem", hf_json_text(observed->problem->message));
    else if (observed->scope.window && observed->reported == 0)
        json_object_set_new(json, "problem", json_string(no_elements));
    else if (is_poorly_accessible(observed))
        json_object_set_new(json, "problem", json_string(only_window));
}

static void describe_observation(Observation *observed, json_t *json)
{
    g_autofree char *snapshot_id = g_strdup_printf("s%u", observed->snapshot);
    json_object_set_new(json, "snapshot_id", json_string(snapshot_id));
    json_object_set_new(json, "settled", json_boolean(observed->settled));
    json_object_set_new(json, "truncated",
                        hf_truncation_to_json(hf_tree_get_truncated(observed->tree)));
    add_problem(observed, json);
    add_elements(observed, json);
    add_change(observed, json);
    add_focus(observed, json);
    add_pointer(observed, json);
}

/* ---- the picture ---- */

static gboolean is_markable(const HfTree *tree, int index)
{
    const HfNode *node = hf_tree_get(tree, index);
    return node->depth > 0 && (hf_node_is_painted(node) ||
                               (node->abilities & (HF_ABILITY_ACTION | HF_ABILITY_EDITABLE_TEXT)) ||
                               hf_states_have(node->states, HF_STATE_FOCUSABLE) ||
                               hf_states_have(node->states, HF_STATE_SELECTABLE));
}

/* Draws a numbered box around each listed element that can be used. `shown` is the size in which
 * the picture will be shown. */
static void mark_observed_elements(Observation *observed, HfSize shown)
{
    const HfTree *tree = observed->tree;
    HfCapture *capture = observed->capture;
    g_autoptr(GArray) marks = g_array_new(FALSE, FALSE, sizeof(HfNumberMark));
    if (!capture->image || shown.width <= 0)
        return;
    g_autoptr(GArray) listed = hf_elements_listed(tree, 0, hf_tree_size(tree), FALSE);
    for (guint i = 0; i < listed->len && marks->len < MARKS_MAX; i++) {
        int index = g_array_index(listed, int, i);
        HfRect box = hf_rect_intersect(hf_tree_get(tree, index)->bounds, capture->area);
        if (!is_markable(tree, index) || hf_rect_is_empty(box))
            continue;
        HfNumberMark mark = {
            {box.x - capture->area.x, box.y - capture->area.y, box.width, box.height},
            (int)name_observed_element(observed, index)};
        g_array_append_val(marks, mark);
    }
    hf_image_mark_numbers(capture->image, (const HfNumberMark *)(gpointer)marks->data, marks->len,
                          (double)capture->area.width / shown.width);
}

static HfResult *new_picture_to_result(Observation *observed, HfPicture *picture,
                                       const HfPictureChange *change, GError **error)
{
    HfCall *call = observed->call;
    if (g_str_equal(hf_call_string(call, "crop"), "changed"))
        hf_picture_crop_to_change(picture, change);
    HfSize size = hf_picture_size(call, observed->capture->area);
    if (hf_call_bool(call, "marks"))
        mark_observed_elements(observed, size);
    HfResult *result = hf_picture_result(call, picture, size, change->hash, error);
    if (!result || !observed->since)
        return result;
    json_object_set_new(result->json, "unchanged", json_false());
    hf_picture_report_change(change, result->json);
    return result;
}

/* A picture costs the most of the whole result, so it is left out when it shows nothing new. One
 * with numbers is always sent, since those may have changed. */
static HfResult *observed_picture_to_result(Observation *observed, GError **error)
{
    HfCall *call = observed->call;
    HfPicture picture;
    HfImageSpace space;
    g_autoptr(GArray) ignore = NULL;
    g_auto(HfPictureChange) change = {0};
    g_autofree char *before =
        observed->since ? hf_image_spaces_dup_of_snapshot(observed->desktop, observed->since)
                        : NULL;
    const HfWindow *window = observed->request.window ? hf_windows_find(observed->apps->windows,
                                                                        observed->request.window)
                                                      : NULL;
    if (!hf_picture_get_ignored(call, &ignore, error))
        return NULL;
    hf_picture_init(&picture, call, observed->capture, window);
    picture.withheld = !hf_call_bool(call, "image");
    hf_picture_compare(observed->desktop, before, &picture, ignore, &change);
    if (!hf_call_bool(call, "marks") &&
        hf_picture_is_unchanged(call, before, &observed->request, &picture, &change, &space))
        return hf_result_new(hf_picture_unchanged_to_json(call, before, &space, window));
    return new_picture_to_result(observed, &picture, &change, error);
}

/* ---- the call ---- */

static HfResult *observation_to_result(Observation *observed, GError **error)
{
    observed->snapshot =
        hf_references_add_snapshot(hf_atspi_references(observed->desktop), observed->tree);
    HfResult *result = observed_picture_to_result(observed, error);
    g_clear_pointer(&observed->capture, hf_capture_free); /* the next picture needs its memory */
    if (!result)
        return NULL;
    hf_image_spaces_note_snapshot(observed->desktop, observed->snapshot,
                                  hf_json_string(result->json, "image_id", ""));
    describe_observation(observed, result->json);
    return result;
}

static HfResult *run(HfCall *call, GError **error)
{
    g_auto(Observation) observed = {
        .call = call, .context = hf_call_context(call), .desktop = hf_call_desktop(call)};
    if (!hf_picture_check_since(call, "since", error) || !hf_picture_check_size(call, error) ||
        !choose_observe_scope(&observed, error) || !find_snapshot_before(&observed, error) ||
        !observe_until_settled(&observed, error))
        return NULL;
    return observation_to_result(&observed, error);
}

static const char *const forms[] = {"lines", "objects", "none", NULL};
static const char *const languages[] = {"en", "zh", NULL};

static const HfParam params[] = {
    HF_PARAM_SCOPE,
    HF_OPTIONAL("since", HF_TYPE_STRING,
                "An earlier snapshot_id: report what changed instead of all elements, and leave "
                "out the picture if it shows nothing new",
                .means = HF_MEANS_PLAIN, .min = 2, .max = HF_LIMIT_NAME_BYTES),
    HF_PARAM_CROP,
    HF_PARAM_IGNORE,
    HF_PARAM_SPACE,
    HF_OPTIONAL("elements", HF_TYPE_STRING,
                "lines: few tokens (default); objects: everything known about each; none (default "
                "with since)",
                .choices = forms),
    HF_OPTIONAL("values", HF_TYPE_BOOLEAN,
                "Include the values of fields, but never of password fields", .fallback = "false"),
    HF_OPTIONAL("identifiers", HF_TYPE_BOOLEAN,
                "Include the programs' own identifiers of elements (identifier), and their tags in "
                "a page (dom: input#mail[email])",
                .fallback = "false"),
    HF_OPTIONAL("pixels", HF_TYPE_STRING,
                "Include text and shapes that only the picture shows. auto: where a program paints "
                "without reporting elements; always: wherever no element is reported; never",
                .choices = pixels_choices, .fallback = "\"auto\""),
    HF_OPTIONAL("marks", HF_TYPE_BOOLEAN,
                "Draw a numbered box around each element that can be used: 12 is e12",
                .fallback = "false"),
    HF_OPTIONAL("language", HF_TYPE_STRING, "Language of summary", .choices = languages,
                .fallback = "\"en\""),
    HF_OPTIONAL("max_nodes", HF_TYPE_INTEGER, "How many elements are read at most", .min = 1,
                .max = HF_LIMIT_TREE_NODES, .fallback = "2000"),
    HF_OPTIONAL("max_bytes", HF_TYPE_INTEGER, "How long all lines may be together", .min = 200,
                .max = 1000000, .fallback = "20000"),
    HF_PARAM_IMAGE,
    HF_PARAM_PICTURE,
    {0},
};

static const HfParam element = {.type = HF_TYPE_OBJECT, .fields = hf_element_fields};
static const HfParam app_fields[] = {
    HF_REQUIRED("name", HF_TYPE_STRING, "Its name"),
    HF_REQUIRED("pid", HF_TYPE_INTEGER, "Its process; 0: unknown"),
    {0},
};

static const HfParam result[] = {
    HF_RESULT_PICTURE,
    HF_REQUIRED("snapshot_id", HF_TYPE_STRING,
                "Identifies this snapshot, for since and for references to its elements"),
    HF_REQUIRED("settled", HF_TYPE_BOOLEAN,
                "Nothing was drawn between reading the elements and taking the picture"),
    HF_OPTIONAL("elements", HF_TYPE_STRING,
                "One line per element: reference, role, name, position and size, states"),
    HF_OPTIONAL("element_list", HF_TYPE_ARRAY, "With objects", .items = &element),
    HF_OPTIONAL("listed", HF_TYPE_INTEGER, "How many lines there are"),
    HF_OPTIONAL("left_out", HF_TYPE_INTEGER, "How many more did not fit"),
    HF_RESULT_TRUNCATED,
    HF_OPTIONAL("problem", HF_TYPE_STRING, "Why there are no elements"),
    HF_OPTIONAL("change", HF_TYPE_OBJECT, "With since: elements that are new, gone or altered",
                .fields = hf_tree_difference_fields),
    HF_OPTIONAL("summary", HF_TYPE_STRING, "With since: the same in words"),
    HF_OPTIONAL("unchanged", HF_TYPE_BOOLEAN,
                "With since: nothing that counts has changed; image_id is that of the earlier "
                "picture, which is still valid"),
    HF_RESULT_CHANGED,
    HF_OPTIONAL("focused_window", HF_TYPE_OBJECT, "The window that has the keyboard focus",
                .fields = hf_window_fields),
    HF_OPTIONAL("focused_element", HF_TYPE_OBJECT, "The element that has the keyboard focus",
                .fields = hf_element_fields),
    HF_OPTIONAL("front_app", HF_TYPE_OBJECT, "The application of the focused window",
                .fields = app_fields),
    HF_OPTIONAL("pointer", HF_TYPE_OBJECT, "Where the mouse pointer is, in pixels of the screen",
                .fields = hf_point_fields),
    {0},
};

const HfTool hf_tool_observe = {
    .name = "observe",
    .title = "Observe",
    .summary = "Observe the focused window (or another one, an application, everything): picture, "
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
