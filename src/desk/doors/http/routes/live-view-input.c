/* SPDX-License-Identifier: Apache-2.0 */
/* Maps input messages to tools. The tools check their parameters. */
#include "desk/doors/http/routes/live-view-input.h"

#include <string.h>

#include "shared/base/error.h"
#include "shared/base/json.h"

static const struct {
    const char *type, *action, *tool;
} inputs[] = {
    {"mouse", "move", "mouse_move"},
    {"mouse", "down", "mouse_down"},
    {"mouse", "up", "mouse_up"},
    {"mouse", "click", "left_click"},
    {"mouse", "right_click", "right_click"},
    {"mouse", "middle_click", "middle_click"},
    {"mouse", "double_click", "double_click"},
    {"mouse", "triple_click", "triple_click"},
    {"mouse", "drag", "mouse_drag"},
    {"mouse", "scroll", "scroll"},
    {"key", "press", "key_press"},
    {"key", "down", "key_down"},
    {"key", "up", "key_up"},
    {"text", "type", "type_text"},
};

static const char *action_of(const json_t *message)
{
    const char *type = hf_json_string(message, "type", "");
    return hf_json_string(message, "action", strcmp(type, "text") == 0 ? "type" : "");
}

gboolean hf_live_view_input_is_motion(const json_t *message)
{
    return strcmp(hf_json_string(message, "type", ""), "mouse") == 0 &&
           strcmp(action_of(message), "move") == 0;
}

static gboolean fail_unknown_input(const json_t *message, GError **error)
{
    g_autoptr(GString) known = g_string_new(NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(inputs); i++)
        g_string_append_printf(known, "%s%s %s", i ? ", " : "", inputs[i].type, inputs[i].action);
    hf_fail(error, HF_ERROR_INVALID_PARAMS, "unknown input '%s' with action '%s'",
            hf_json_string(message, "type", ""), action_of(message));
    hf_error_suggest(error, "use one of: %s", known->str);
    return FALSE;
}

/* The rest of the message, with the view's desktop. */
static json_t *tool_params_of_input(const json_t *message, const char *desktop)
{
    json_t *params = json_copy((json_t *)message);
    static const char *const own[] = {"type", "action", "id"};
    for (gsize i = 0; i < G_N_ELEMENTS(own); i++)
        json_object_del(params, own[i]);
    json_object_set_new(params, "desktop", hf_json_text(desktop));
    if (hf_live_view_input_is_motion(message) && !json_object_get(params, "smooth"))
        json_object_set_new(params, "smooth", json_false());
    return params;
}

const char *hf_live_view_input_read(const json_t *message, const char *desktop, json_t **ret_params,
                                    GError **error)
{
    const char *type = hf_json_string(message, "type", ""), *action = action_of(message);
    for (gsize i = 0; i < G_N_ELEMENTS(inputs); i++)
        if (strcmp(inputs[i].type, type) == 0 && strcmp(inputs[i].action, action) == 0) {
            *ret_params = tool_params_of_input(message, desktop);
            return inputs[i].tool;
        }
    fail_unknown_input(message, error);
    return NULL;
}
