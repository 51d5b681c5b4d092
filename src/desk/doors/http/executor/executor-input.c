/* SPDX-License-Identifier: Apache-2.0 */
/* Executor API: turns mouse and keyboard requests into tool calls. */
#include <string.h>

#include "desk/doors/http/executor/executor.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"

/* ---- the mouse ---- */

static const char *const kinds[] = {"move", "click", "double", "right", "drag", "wheel", NULL};
static const char *const buttons[] = {"left", "middle", "right", NULL};
static const char *const curves[] = {"arc", "line", NULL};
static const HfParam key_name = {
    .type = HF_TYPE_STRING, .min = 1, .max = HF_LIMIT_NAME_BYTES, .about = "Name of a key"};
static const HfParam pause_ms = {
    .type = HF_TYPE_NUMBER, .min = 0, .max = 5000, .about = "Milliseconds"};

static const HfParam humanize_fields[] = {
    {.name = "jitterPx",
     .type = HF_TYPE_NUMBER,
     .min = 0,
     .max = 50,
     .about = "Random offset of the path and the target point, in pixels; stays on the screen"},
    {.name = "delayMs",
     .type = HF_TYPE_ARRAY,
     .min = 2,
     .max = 2,
     .items = &pause_ms,
     .about = "Shortest and longest pause between arriving, pressing and releasing"},
    {.name = "curve", .type = HF_TYPE_STRING, .choices = curves, .about = "Shape of the path"},
    {0},
};

#define PLACE(name_, about_)                                                                       \
    {                                                                                              \
        .name = (name_), .type = HF_TYPE_NUMBER, .about = (about_)                                 \
    }
#define CLICKS(name_, about_)                                                                      \
    {                                                                                              \
        .name = (name_), .type = HF_TYPE_INTEGER, .min = -HF_LIMIT_SCROLL_CLICKS,                  \
        .max = HF_LIMIT_SCROLL_CLICKS, .about = (about_)                                           \
    }

static const HfParam mouse_params[] = {
    {.name = "kind",
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .choices = kinds,
     .about = "What to do"},
    PLACE("x", "Physical pixels from the left edge of the screen"),
    PLACE("y", "Physical pixels from the top edge of the screen"),
    PLACE("toX", "For drag: where to release"),
    PLACE("toY", "For drag: where to release"),
    {.name = "button",
     .type = HF_TYPE_STRING,
     .choices = buttons,
     .about = "For click and drag (default: left)"},
    CLICKS("deltaY", "For wheel: clicks; positive scrolls down"),
    CLICKS("deltaX", "For wheel: clicks; positive scrolls right"),
    {.name = "durationMs",
     .type = HF_TYPE_NUMBER,
     .min = 0,
     .max = HF_LIMIT_MOVE_MS,
     .about = "For move and drag: duration"},
    {.name = "modifiers",
     .type = HF_TYPE_ARRAY,
     .max = HF_LIMIT_KEYS,
     .items = &key_name,
     .about = "CTRL, ALT, SHIFT, WIN: held during the action"},
    {.name = "humanize",
     .type = HF_TYPE_OBJECT,
     .fields = humanize_fields,
     .about = "Move like a person; without it, exactly and at once"},
    {0},
};

/* Which kinds take which members. */
static const struct {
    const char *member, *needed_by, *taken_by;
} members[] = {
    {"x", "move click double right drag", "wheel"},
    {"y", "move click double right drag", "wheel"},
    {"toX", "drag", ""},
    {"toY", "drag", ""},
    {"button", "", "click drag"},
    {"deltaX", "", "wheel"},
    {"deltaY", "", "wheel"},
    {"durationMs", "", "move drag"},
    {"modifiers", "", "click double right drag wheel"},
};

static gboolean has_listed_word(const char *words, const char *word)
{
    g_auto(GStrv) list = g_strsplit(words, " ", -1);
    return g_strv_contains((const char *const *)list, word);
}

static gboolean check_kind_members(const json_t *body, const char *kind, GError **error)
{
    for (gsize i = 0; i < G_N_ELEMENTS(members); i++) {
        gboolean given = json_object_get(body, members[i].member) != NULL;
        gboolean needed = has_listed_word(members[i].needed_by, kind);
        if (needed && !given)
            return hf_fail(error, HF_ERROR_INVALID_PARAMS, "%s: is required for kind '%s'",
                           members[i].member, kind);
        if (given && !needed && !has_listed_word(members[i].taken_by, kind))
            return hf_fail(error, HF_ERROR_INVALID_PARAMS, "%s: does not go with kind '%s'",
                           members[i].member, kind);
    }
    return TRUE;
}

static void copy_body_member(json_t *params, const char *name, const json_t *body, const char *from)
{
    json_t *value = json_object_get(body, from);
    if (value)
        json_object_set(params, name, value);
}

static json_t *lowercase_key_names(const json_t *names)
{
    json_t *list = json_array();
    size_t index;
    json_t *name;
    json_array_foreach (names, index, name) {
        g_autofree char *small = g_ascii_strdown(json_string_value(name), -1);
        json_array_append_new(list, hf_json_text(g_str_equal(small, "win") ? "super" : small));
    }
    return list;
}

static json_t *read_humanize(const json_t *humanize)
{
    json_t *read = json_object();
    copy_body_member(read, "jitter_px", humanize, "jitterPx");
    copy_body_member(read, "delay_ms", humanize, "delayMs");
    copy_body_member(read, "curve", humanize, "curve");
    return read;
}

static const char *tool_of_click(const char *button)
{
    if (g_str_equal(button, "right"))
        return "right_click";
    return g_str_equal(button, "middle") ? "middle_click" : "left_click";
}

static gboolean read_wheel(const json_t *body, json_t *params, GError **error)
{
    json_int_t x = hf_json_int(body, "deltaX", 0), y = hf_json_int(body, "deltaY", 0);
    if ((x == 0) == (y == 0))
        return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                       "deltaY: give either deltaY or deltaX, other than 0");
    const char *direction = y > 0 ? "down" : y < 0 ? "up" : x > 0 ? "right" : "left";
    json_object_set_new(params, "direction", json_string(direction));
    json_object_set_new(params, "clicks", json_integer(ABS(x + y)));
    return TRUE;
}

static const char *find_mouse_tool(const json_t *body, const char *kind)
{
    static const char *const tools[][2] = {{"move", "mouse_move"},   {"double", "double_click"},
                                           {"right", "right_click"}, {"drag", "mouse_drag"},
                                           {"wheel", "scroll"},      {NULL, NULL}};
    for (gsize i = 0; tools[i][0]; i++)
        if (g_str_equal(tools[i][0], kind))
            return tools[i][1];
    return tool_of_click(hf_json_string(body, "button", "left"));
}

static gboolean read_mouse(const json_t *body, HfExecutorCall *ret_call, GError **error)
{
    const char *kind = hf_json_string(body, "kind", "");
    gboolean drag = g_str_equal(kind, "drag"), move = g_str_equal(kind, "move");
    if (!check_kind_members(body, kind, error))
        return FALSE;
    json_t *params = json_object();
    *ret_call = (HfExecutorCall){find_mouse_tool(body, kind), params};
    copy_body_member(params, drag ? "from_x" : "x", body, "x");
    copy_body_member(params, drag ? "from_y" : "y", body, "y");
    copy_body_member(params, "to_x", body, "toX");
    copy_body_member(params, "to_y", body, "toY");
    copy_body_member(params, "duration", body, "durationMs");
    if (drag)
        copy_body_member(params, "button", body, "button");
    if (move && !json_object_get(body, "durationMs") && !json_object_get(body, "humanize"))
        json_object_set_new(params, "smooth", json_false());
    if (json_object_get(body, "modifiers"))
        json_object_set_new(params, "modifiers",
                            lowercase_key_names(json_object_get(body, "modifiers")));
    if (json_object_get(body, "humanize"))
        json_object_set_new(params, "humanize", read_humanize(json_object_get(body, "humanize")));
    return !g_str_equal(kind, "wheel") || read_wheel(body, params, error);
}

static json_t *render_mouse(const json_t *result)
{
    json_t *position = json_object_get(result, "position");
    return json_pack("{s:O*}", "position", position);
}

const HfExecutorAction hf_executor_mouse = {"mouse", mouse_params, read_mouse, render_mouse};

/* ---- the keyboard ---- */

static const char *const key_kinds[] = {"press", "type", NULL};

static const HfParam key_params[] = {
    {.name = "kind",
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .choices = key_kinds,
     .about = "press: keys pressed together; type: a text, where http.text_input allows it"},
    {.name = "keys",
     .type = HF_TYPE_ARRAY,
     .min = 1,
     .max = HF_LIMIT_KEYS,
     .items = &key_name,
     .about = "For press: [\"CTRL\", \"L\"]"},
    {.name = "repeat",
     .type = HF_TYPE_INTEGER,
     .min = 1,
     .max = 100,
     .about = "For press: number of times"},
    {.name = "text",
     .type = HF_TYPE_STRING,
     .min = 1,
     .max = HF_LIMIT_TYPE_CHARS * 4,
     .secret = TRUE,
     .about = "For type"},
    {0},
};

static gboolean read_key_action(const json_t *body, HfExecutorCall *ret_call, GError **error)
{
    gboolean type = g_str_equal(hf_json_string(body, "kind", ""), "type");
    const char *needed = type ? "text" : "keys";
    static const char *const names[] = {"text", "keys", "repeat"};
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
        if (json_object_get(body, names[i]) && (i == 0) != type)
            return hf_fail(error, HF_ERROR_INVALID_PARAMS, "%s: does not go with kind '%s'",
                           names[i], type ? "type" : "press");
    if (!json_object_get(body, needed))
        return hf_fail(error, HF_ERROR_INVALID_PARAMS, "%s: is required for kind '%s'", needed,
                       type ? "type" : "press");
    *ret_call = (HfExecutorCall){type ? "type_text" : "key_press", json_object()};
    copy_body_member(ret_call->params, "text", body, "text");
    copy_body_member(ret_call->params, "repeat", body, "repeat");
    if (!type)
        json_object_set_new(ret_call->params, "keys",
                            lowercase_key_names(json_object_get(body, "keys")));
    return TRUE;
}

static json_t *render_key(const json_t *result)
{
    json_t *rendered = json_object();
    copy_body_member(rendered, "keys", result, "keys");
    copy_body_member(rendered, "characters", result, "characters");
    return rendered;
}

const HfExecutorAction hf_executor_key = {"key", key_params, read_key_action, render_key};

/* ---- waiting, in macros ---- */

static const HfParam wait_params[] = {
    {.name = "ms",
     .type = HF_TYPE_INTEGER,
     .required = TRUE,
     .min = 0,
     .max = HF_LIMIT_WAIT_SECONDS * 1000,
     .about = "Milliseconds"},
    {0},
};

static gboolean read_wait(const json_t *body, HfExecutorCall *ret_call, GError **error)
{
    double seconds = (double)hf_json_int(body, "ms", 0) / 1000;
    *ret_call = (HfExecutorCall){"wait", json_pack("{s:f}", "duration", seconds)};
    return TRUE;
}

static json_t *render_wait(const json_t *result)
{
    return json_object();
}

const HfExecutorAction hf_executor_wait = {"wait", wait_params, read_wait, render_wait};
