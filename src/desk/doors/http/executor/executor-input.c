/* SPDX-License-Identifier: Apache-2.0 */
/* Executor API: turns mouse and keyboard requests into tool calls. */

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
    HF_NUMBER("jitterPx",
              "Random offset of the path and the target point, in pixels; stays on the screen",
              .min = 0, .max = 50),
    HF_ARRAY("delayMs", "Shortest and longest pause between arriving, pressing and releasing",
             .min = 2, .max = 2, .items = &pause_ms),
    HF_STRING("curve", "Shape of the path", .choices = curves),
    {0},
};

#define CLICKS(name_, about_)                                                                      \
    HF_INTEGER(name_, about_, .min = -HF_LIMIT_SCROLL_CLICKS, .max = HF_LIMIT_SCROLL_CLICKS)

static const HfParam mouse_params[] = {
    HF_STRING("kind", "What to do", .required = TRUE, .choices = kinds),
    HF_NUMBER("x", "Physical pixels from the left edge of the screen"),
    HF_NUMBER("y", "Physical pixels from the top edge of the screen"),
    HF_NUMBER("toX", "For drag: where to release"),
    HF_NUMBER("toY", "For drag: where to release"),
    HF_STRING("button", "For click and drag (default: left)", .choices = buttons),
    CLICKS("deltaY", "For wheel: clicks; positive scrolls down"),
    CLICKS("deltaX", "For wheel: clicks; positive scrolls right"),
    HF_NUMBER("durationMs", "For move and drag: duration", .min = 0, .max = HF_LIMIT_MOVE_MS),
    HF_ARRAY("modifiers", "CTRL, ALT, SHIFT, WIN: held during the action", .max = HF_LIMIT_KEYS,
             .items = &key_name),
    HF_OBJECT("humanize", "Move like a person; without it, exactly and at once",
              .fields = humanize_fields),
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

static json_t *lowercase_key_names(const json_t *names)
{
    json_t *list = json_array();
    hf_json_each (name, names) {
        g_autofree char *small = g_ascii_strdown(json_string_value(name), -1);
        json_array_append_new(list, hf_json_text(g_str_equal(small, "win") ? "super" : small));
    }
    return list;
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

static HfExecutorNames place_names[] = {{"x", "x"}, {"y", "y"}, {"durationMs", "duration"}, {NULL}};
static HfExecutorNames drag_names[] = {
    {"x", "from_x"}, {"y", "from_y"},      {"toX", "to_x"},
    {"toY", "to_y"}, {"button", "button"}, {"durationMs", "duration"},
    {NULL}};
static HfExecutorNames humanize_names[] = {
    {"jitterPx", "jitter_px"}, {"delayMs", "delay_ms"}, {"curve", "curve"}, {NULL}};

static gboolean read_mouse(const json_t *body, HfExecutorCall *ret_call, GError **error)
{
    const char *kind = hf_json_string(body, "kind", "");
    gboolean drag = g_str_equal(kind, "drag"), move = g_str_equal(kind, "move");
    if (!check_kind_members(body, kind, error))
        return FALSE;
    json_t *params = json_object();
    *ret_call = (HfExecutorCall){find_mouse_tool(body, kind), params};
    hf_executor_copy(params, body, drag ? drag_names : place_names);
    if (move && !json_object_get(body, "durationMs") && !json_object_get(body, "humanize"))
        json_object_set_new(params, "smooth", json_false());
    if (json_object_get(body, "modifiers"))
        json_object_set_new(params, "modifiers",
                            lowercase_key_names(json_object_get(body, "modifiers")));
    if (json_object_get(body, "humanize")) {
        json_object_set_new(params, "humanize", json_object());
        hf_executor_copy(json_object_get(params, "humanize"), json_object_get(body, "humanize"),
                         humanize_names);
    }
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
    HF_STRING("kind", "press: keys pressed together; type: a text, where http.text_input allows it",
              .required = TRUE, .choices = key_kinds),
    HF_ARRAY("keys", "For press: [\"CTRL\", \"L\"]", .min = 1, .max = HF_LIMIT_KEYS,
             .items = &key_name),
    HF_INTEGER("repeat", "For press: number of times", .min = 1, .max = 100),
    HF_STRING("text", "For type", .min = 1, .max = HF_LIMIT_TYPE_CHARS * 4, .secret = TRUE),
    {0},
};

static HfExecutorNames given_names[] = {{"text", "text"}, {"repeat", "repeat"}, {NULL}};
static HfExecutorNames done_names[] = {{"keys", "keys"}, {"characters", "characters"}, {NULL}};

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
    hf_executor_copy(ret_call->params, body, given_names);
    if (!type)
        json_object_set_new(ret_call->params, "keys",
                            lowercase_key_names(json_object_get(body, "keys")));
    return TRUE;
}

static json_t *render_key(const json_t *result)
{
    json_t *rendered = json_object();
    hf_executor_copy(rendered, result, done_names);
    return rendered;
}

const HfExecutorAction hf_executor_key = {"key", key_params, read_key_action, render_key};

/* ---- waiting, in macros ---- */

static const HfParam wait_params[] = {
    HF_INTEGER("ms", "Milliseconds", .required = TRUE, .min = 0,
               .max = HF_LIMIT_WAIT_SECONDS * 1000),
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
