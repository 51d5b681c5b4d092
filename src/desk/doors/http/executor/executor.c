/* SPDX-License-Identifier: Apache-2.0 */
/* Executor API: turns single actions into tool calls. */
#include "desk/doors/http/executor/executor.h"

#include "shared/base/error.h"
#include "shared/base/limits.h"
#include "shared/tool/param-check.h"

#define NAME(name_, about_) HF_STRING(name_, about_, .min = 1, .max = HF_LIMIT_NAME_BYTES)

const HfParam hf_executor_common[] = {
    NAME("runId", "Run that the request belongs to"),
    NAME("desktop", "Name of the desktop (default: main)"),
    HF_INTEGER("timeoutMs", "Time limit in milliseconds", .min = 1, .max = HF_LIMIT_TIMEOUT_MS),
    HF_STRING(
        "idempotencyKey",
        "A repeated request with the same key returns the first answer and does nothing again",
        .min = 1, .max = HF_LIMIT_IDEMPOTENCY_KEY_BYTES),
    HF_STRING("reason", "The reason for this call, for the audit", .max = HF_LIMIT_TITLE_BYTES),
    {0},
};
static const char *const common_names[] = {"run_id", "desktop", "timeout_ms", "idempotency_key",
                                           "reason"};

void hf_executor_call_clear(HfExecutorCall *call)
{
    json_decref(call->params);
    call->params = NULL;
}

json_t *hf_executor_rect(const json_t *rect)
{
    return json_pack("{s:I, s:I, s:I, s:I}", "x", hf_json_int(rect, "x", 0), "y",
                     hf_json_int(rect, "y", 0), "w", hf_json_int(rect, "width", 0), "h",
                     hf_json_int(rect, "height", 0));
}

void hf_executor_copy(json_t *to, const json_t *from, HfExecutorNames *names)
{
    for (; (*names)[0]; names++)
        if (json_object_get(from, (*names)[0]))
            json_object_set(to, (*names)[1], json_object_get(from, (*names)[0]));
}

/* A copy without members that are null. */
static json_t *without_nulls(const json_t *value)
{
    const char *key;
    json_t *member;
    json_t *kept = json_object();
    json_object_foreach ((json_t *)value, key, member)
        if (!json_is_null(member))
            json_object_set_new(
                kept, key, json_is_object(member) ? without_nulls(member) : json_incref(member));
    return kept;
}

/* A body may hold the action's members and the common ones. */
static void split_off_common_members(json_t *body, json_t *params)
{
    for (gsize i = 0; hf_executor_common[i].name; i++) {
        json_t *value = json_object_get(body, hf_executor_common[i].name);
        if (value && params)
            json_object_set(params, common_names[i], value);
        json_object_del(body, hf_executor_common[i].name);
    }
}

static gboolean check_common_members(const json_t *body, GError **error)
{
    g_autoptr(json_t) said = json_object();
    for (const HfParam *param = hf_executor_common; param->name; param++)
        if (json_object_get(body, param->name))
            json_object_set(said, param->name, json_object_get(body, param->name));
    return hf_check_result(hf_executor_common, said, error);
}

json_t *hf_executor_check(const HfParam *table, const json_t *body, GError **error)
{
    g_autoptr(json_t) given = without_nulls(body);
    g_autoptr(json_t) own = json_copy(given);
    split_off_common_members(own, NULL);
    if (!check_common_members(given, error) || !hf_check_result(table, own, error))
        return NULL;
    return g_steal_pointer(&given);
}

gboolean hf_executor_read(const HfExecutorAction *action, const json_t *body, gboolean text_input,
                          HfExecutorCall *ret_call, GError **error)
{
    g_autoptr(json_t) given = hf_executor_check(action->params, body, error);
    if (!given)
        return FALSE;
    if (action == &hf_executor_key && !text_input &&
        g_str_equal(hf_json_string(given, "kind", ""), "type"))
        return hf_fail(error, HF_ERROR_TEXT_INPUT_DISABLED, "text input is disabled");
    g_auto(HfExecutorCall) call = {0};
    if (!action->read(given, &call, error))
        return FALSE;
    split_off_common_members(given, call.params);
    *ret_call = call;
    call.params = NULL;
    return TRUE;
}

/* ---- windows ---- */

#define TEXT(name_, about_) HF_STRING(name_, about_, .min = 1, .max = HF_LIMIT_TITLE_BYTES)
#define MATCH                                                                                      \
    TEXT("titleContains", "Part of the title, case-insensitive"),                                  \
        TEXT("titleRegex", "Regular expression to find in the title"),                             \
        TEXT("processName", "Name of the window's executable, case-insensitive"),                  \
    {                                                                                              \
        .name = "hwnd", .type = HF_TYPE_INTEGER, .min = 1, .max = 4294967295.0,                    \
        .about = "The window's id from /window/list"                                               \
    }

static const HfParam match_fields[] = {MATCH, {0}};

/* Selects a window by id or by its properties. */
static gboolean read_match(const json_t *match, const char *path, json_t *params, GError **error)
{
    static HfExecutorNames names[] = {{"titleContains", "title_contains"},
                                      {"titleRegex", "title_regex"},
                                      {"processName", "process"},
                                      {NULL}};
    json_t *hwnd = json_object_get(match, "hwnd");
    if (json_object_size(match) == 0)
        return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                       "%s: give titleContains, titleRegex, processName or hwnd", path);
    if (hwnd && json_object_size(match) > 1)
        return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                       "%s: hwnd cannot be combined with other members", path);
    if (hwnd)
        return json_object_set(params, "window_id", hwnd) == 0;
    json_t *wanted = json_object();
    hf_executor_copy(wanted, match, names);
    return json_object_set_new(params, "match", wanted) == 0;
}

static json_t *render_window(const json_t *window)
{
    json_t *rendered = json_pack(
        "{s:I, s:s, s:s, s:I, s:b, s:b, s:b, s:o}", "hwnd", hf_json_int(window, "window_id", 0),
        "title", hf_json_string(window, "title", ""), "processName",
        hf_json_string(window, "process", ""), "pid", hf_json_int(window, "pid", 0), "visible",
        hf_json_bool(window, "visible", FALSE), "minimized",
        hf_json_bool(window, "minimized", FALSE), "focused", hf_json_bool(window, "focused", FALSE),
        "rect", hf_executor_rect(json_object_get(window, "frame")));
    return rendered;
}

static const HfParam list_params[] = {
    HF_BOOLEAN("visibleOnly", "Leave out windows that are minimised or on another workspace"),
    TEXT("processName", "Only windows of this executable"),
    TEXT("titleContains", "Only windows whose title contains this"),
    {0},
};

static gboolean read_window_list_action(const json_t *body, HfExecutorCall *ret_call,
                                        GError **error)
{
    static HfExecutorNames names[] = {{"visibleOnly", "visible_only"},
                                      {"processName", "process"},
                                      {"titleContains", "title"},
                                      {NULL}};
    *ret_call = (HfExecutorCall){"window_list", json_object()};
    hf_executor_copy(ret_call->params, body, names);
    return TRUE;
}

static json_t *render_list(const json_t *result)
{
    json_t *windows = json_array();
    hf_json_each (window, json_object_get(result, "windows"))
        json_array_append_new(windows, render_window(window));
    return json_pack("{s:o}", "windows", windows);
}

const HfExecutorAction hf_executor_list = {"list", list_params, read_window_list_action,
                                           render_list};

static const HfParam focus_params[] = {
    HF_OBJECT("match", "The window; every given member must match", .required = TRUE,
              .fields = match_fields),
    {0},
};

static gboolean read_focus(const json_t *body, HfExecutorCall *ret_call, GError **error)
{
    *ret_call = (HfExecutorCall){"window_focus", json_object()};
    return read_match(json_object_get(body, "match"), "match", ret_call->params, error);
}

static json_t *render_focus_result(const json_t *result)
{
    const json_t *window = json_object_get(result, "window");
    return json_pack("{s:o, s:o}", "window", render_window(window), "windowRectPx",
                     hf_executor_rect(json_object_get(window, "frame")));
}

const HfExecutorAction hf_executor_focus = {"focus", focus_params, read_focus, render_focus_result};

/* ---- pictures ---- */

static const char *const modes[] = {"screen", "window", "region", NULL};
static const char *const formats[] = {"png", "jpeg", NULL};

#define EDGE(name_, about_) HF_INTEGER(name_, about_, .required = TRUE)
static const HfParam region_fields[] = {
    EDGE("x", "Left edge, physical pixels"),
    EDGE("y", "Top edge, physical pixels"),
    EDGE("w", "Width"),
    EDGE("h", "Height"),
    {0},
};

static const HfParam capture_params[] = {
    HF_STRING("mode", "screen (default), window or region", .choices = modes),
    HF_INTEGER("screenId", "For mode screen: number of the screen from /env (default: all screens)",
               .min = 0, .max = 63),
    HF_OBJECT("window", "For mode window", .fields = match_fields),
    HF_OBJECT("region", "For mode region", .fields = region_fields),
    HF_STRING("format", "png (default) or jpeg", .choices = formats),
    HF_INTEGER("quality", "Of jpeg", .min = 0, .max = 100),
    {0},
};

static gboolean check_capture_mode(const json_t *body, const char *mode, GError **error)
{
    static const char *const belongs[][2] = {
        {"window", "window"}, {"region", "region"}, {"screenId", "screen"}};
    for (gsize i = 0; i < G_N_ELEMENTS(belongs); i++) {
        gboolean given = json_object_get(body, belongs[i][0]) != NULL;
        gboolean fits = g_str_equal(mode, belongs[i][1]);
        if (given && !fits)
            return hf_fail(error, HF_ERROR_INVALID_PARAMS, "%s: works with mode '%s', not '%s'",
                           belongs[i][0], belongs[i][1], mode);
        if (!given && fits && i < 2)
            return hf_fail(error, HF_ERROR_INVALID_PARAMS, "%s: is required for mode '%s'",
                           belongs[i][0], mode);
    }
    return TRUE;
}

static gboolean read_capture(const json_t *body, HfExecutorCall *ret_call, GError **error)
{
    static HfExecutorNames names[] = {{"quality", "quality"}, {"screenId", "display"}, {NULL}};
    const char *mode = hf_json_string(body, "mode", "screen");
    if (!check_capture_mode(body, mode, error))
        return FALSE;
    json_t *params = json_pack("{s:i, s:s}", "max_dimension", 0, "format",
                               hf_json_string(body, "format", "png"));
    *ret_call = (HfExecutorCall){"screenshot", params};
    const json_t *region = json_object_get(body, "region");
    if (region)
        json_object_set_new(params, "region",
                            json_pack("{s:O, s:O, s:O, s:O}", "x", json_object_get(region, "x"),
                                      "y", json_object_get(region, "y"), "width",
                                      json_object_get(region, "w"), "height",
                                      json_object_get(region, "h")));
    hf_executor_copy(params, body, names);
    return !g_str_equal(mode, "window") ||
           read_match(json_object_get(body, "window"), "window", params, error);
}

json_t *hf_executor_render_picture(const json_t *result)
{
    double scale = hf_json_number(result, "display_scale", 1);
    const json_t *window = json_object_get(result, "window");
    json_t *rendered = json_pack(
        "{s:o, s:f, s:f, s:f, s:f, s:I, s:I, s:s, s:b}", "regionRectPx",
        hf_executor_rect(json_object_get(result, "region")), "scale", scale, "dpi", 96 * scale,
        "dpiX", 96 * scale, "dpiY", 96 * scale, "width", hf_json_int(result, "width", 0), "height",
        hf_json_int(result, "height", 0), "format", hf_json_string(result, "format", "png"),
        "clipped", hf_json_bool(result, "clipped", FALSE));
    json_object_set_new(rendered, "windowRectPx",
                        window ? hf_executor_rect(json_object_get(window, "frame")) : json_null());
    if (window)
        json_object_set_new(rendered, "hwnd", json_integer(hf_json_int(window, "id", 0)));
    return rendered;
}

const HfExecutorAction hf_executor_capture = {"capture", capture_params, read_capture,
                                              hf_executor_render_picture};
