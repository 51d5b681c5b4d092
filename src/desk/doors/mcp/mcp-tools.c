/* SPDX-License-Identifier: Apache-2.0 */
/* tools/list and tools/call: the tools of the connection's profile, and one call through the
 * guard. The tool `computer` is the action set that some models were trained on: one action is one
 * call of one of our tools. Only a screenshot may take two calls, to get a size that the model sees
 * without scaling. Coordinates carry the id of the picture that the model saw: the hand maps them,
 * and refuses when the screen's shape has changed. */
#include "desk/doors/mcp/mcp-calls.h"

#include <math.h>
#include <string.h>

#include "desk/doors/mcp/mcp-methods.h"
#include "desk/policy/config/tool-profiles.h"
#include "shared/base/error.h"
#include "shared/image/vision-tokens.h"
#include "shared/tool/computer-tool.h"
#include "shared/tool/param-check.h"

/* The right size for 16:9 screens at the first try. */
#define EDGE_GUESS 1456

typedef struct Action {
    HfMcpCall *call;
    const json_t *given; /* checked */
    const char *name, *desktop;
} Action;

/* ---- pictures ---- */

static int wanted_edge(const json_t *picture)
{
    const json_t *region = json_object_get(picture, "region");
    int width, height;
    hf_computer_tool_fit_screen((int)hf_json_int(region, "width", 1),
                                (int)hf_json_int(region, "height", 1), &width, &height);
    return MAX(width, height);
}

static int edge_of(const json_t *picture)
{
    return (int)MAX(hf_json_int(picture, "width", 0), hf_json_int(picture, "height", 0));
}

static HfAnswer *call_screenshot(const Action *action, int edge, gboolean image)
{
    g_autoptr(json_t) params = json_pack("{s:s, s:i, s:b, s:b}", "desktop", action->desktop,
                                         "max_dimension", edge, "image", image, "cursor", image);
    return hf_mcp_call_guard(action->call, "screenshot", params);
}

static json_t *known_picture(const Action *action)
{
    HfMcp *mcp = hf_mcp_call_get_mcp(action->call);
    return hf_mcp_server_dup_picture(mcp->server, mcp->principal, action->desktop);
}

/* Takes a picture of the screen in the right size, and remembers it. */
static HfAnswer *take_sized_picture(const Action *action, gboolean image)
{
    HfMcp *mcp = hf_mcp_call_get_mcp(action->call);
    g_autoptr(json_t) before = known_picture(action);
    HfAnswer *answer = call_screenshot(action, before ? wanted_edge(before) : EDGE_GUESS, image);
    if (!answer->error && wanted_edge(answer->result->json) != edge_of(answer->result->json)) {
        int edge = wanted_edge(answer->result->json);
        hf_answer_free(answer);
        answer = call_screenshot(action, edge, image);
    }
    if (!answer->error)
        hf_mcp_server_note_picture(mcp->server, mcp->principal, action->desktop,
                                   answer->result->json);
    return answer;
}

/* The picture that coordinates refer to. A model that has seen none yet means one in the size that
 * it would get. NULL with an error. */
static json_t *find_reference_picture(const Action *action, GError **error)
{
    json_t *picture = known_picture(action);
    if (picture)
        return picture;
    g_autoptr(HfAnswer) answer = take_sized_picture(action, FALSE);
    if (answer->error) {
        g_propagate_error(error, g_steal_pointer(&answer->error));
        return NULL;
    }
    return json_incref(answer->result->json);
}

/* ---- parameters ---- */

static gboolean needs_action_member(const Action *action, const char *name, GError **error)
{
    return json_object_get(action->given, name) ||
           hf_fail(error, HF_ERROR_INVALID_PARAMS, "%s: is required for action '%s'", name,
                   action->name);
}

static gboolean add_image(const Action *action, json_t *params, GError **error)
{
    g_autoptr(json_t) picture = find_reference_picture(action, error);
    if (!picture)
        return FALSE;
    json_object_set(params, "image_id", json_object_get(picture, "image_id"));
    return TRUE;
}

/* The model's [x, y] as two parameters of the tool. */
static gboolean add_model_point(const Action *action, const char *name, const char *x,
                                const char *y, json_t *params, GError **error)
{
    const json_t *point = json_object_get(action->given, name);
    if (!point)
        return TRUE;
    json_object_set(params, x, json_array_get(point, 0));
    json_object_set(params, y, json_array_get(point, 1));
    return add_image(action, params, error);
}

/* "ctrl+shift", held during the click. */
static void add_click_modifiers(const Action *action, json_t *params)
{
    g_auto(GStrv) names = g_strsplit(hf_json_string(action->given, "text", ""), "+", -1);
    json_t *list = json_array();
    for (char **name = names; *name; name++) {
        g_autofree char *plain = g_ascii_strdown(g_strstrip(*name), -1);
        if (*plain)
            json_array_append_new(list, json_string(plain));
    }
    if (json_array_size(list) > 0)
        json_object_set(params, "modifiers", list);
    json_decref(list);
}

static gboolean fill_click(const Action *action, json_t *params, GError **error)
{
    add_click_modifiers(action, params);
    return add_model_point(action, "coordinate", "x", "y", params, error);
}

static gboolean fill_button(const Action *action, json_t *params, GError **error)
{
    return add_model_point(action, "coordinate", "x", "y", params, error);
}

static gboolean fill_move(const Action *action, json_t *params, GError **error)
{
    return needs_action_member(action, "coordinate", error) && fill_button(action, params, error);
}

static gboolean fill_drag(const Action *action, json_t *params, GError **error)
{
    add_click_modifiers(action, params);
    return needs_action_member(action, "start_coordinate", error) &&
           needs_action_member(action, "coordinate", error) &&
           add_model_point(action, "start_coordinate", "from_x", "from_y", params, error) &&
           add_model_point(action, "coordinate", "to_x", "to_y", params, error);
}

static gboolean fill_scroll(const Action *action, json_t *params, GError **error)
{
    if (!needs_action_member(action, "scroll_direction", error) ||
        !needs_action_member(action, "scroll_amount", error))
        return FALSE;
    json_object_set(params, "direction", json_object_get(action->given, "scroll_direction"));
    json_object_set(params, "clicks", json_object_get(action->given, "scroll_amount"));
    return fill_click(action, params, error);
}

static gboolean fill_type(const Action *action, json_t *params, GError **error)
{
    if (!needs_action_member(action, "text", error))
        return FALSE;
    json_object_set(params, "text", json_object_get(action->given, "text"));
    return TRUE;
}

static gboolean fill_duration(const Action *action, json_t *params, GError **error)
{
    if (!needs_action_member(action, "duration", error))
        return FALSE;
    json_object_set(params, "duration", json_object_get(action->given, "duration"));
    return TRUE;
}

static gboolean fill_keys(const Action *action, json_t *params, GError **error)
{
    json_t *repeat = json_object_get(action->given, "repeat");
    if (!needs_action_member(action, "text", error))
        return FALSE;
    json_object_set(params, "keys", json_object_get(action->given, "text"));
    if (repeat)
        json_object_set(params, "repeat", repeat);
    return TRUE;
}

static gboolean fill_hold(const Action *action, json_t *params, GError **error)
{
    if (!fill_keys(action, params, error))
        return FALSE;
    json_object_del(params, "repeat");
    return fill_duration(action, params, error);
}

static gboolean fill_zoom(const Action *action, json_t *params, GError **error)
{
    if (!needs_action_member(action, "region", error) || !add_image(action, params, error))
        return FALSE;
    g_autoptr(json_t) picture = find_reference_picture(action, error);
    if (!picture)
        return FALSE;
    json_object_set(params, "region", json_object_get(action->given, "region"));
    json_object_set_new(params, "cursor", json_true()); /* as in the picture that it is a part of */
    json_object_set_new(params, "max_dimension", json_integer(edge_of(picture)));
    /* Regions of another shape must not be scaled down for the model either. */
    json_object_set_new(params, "max_tokens", json_integer(HF_COMPUTER_TOKENS));
    json_object_set_new(params, "provider",
                        json_string(hf_vision_models[HF_VISION_ANTHROPIC_STANDARD]));
    return TRUE;
}

static gboolean fill_nothing(const Action *action, json_t *params, GError **error)
{
    return TRUE;
}

/* ---- outcomes ---- */

static void say_done(const Action *action, HfMcpOutcome *outcome, const HfResult *result)
{
    hf_mcp_outcome_add_text(outcome, "OK");
}

static void say_pictures(const Action *action, HfMcpOutcome *outcome, const HfResult *result)
{
    for (guint i = 0; i < result->attachments->len; i++) {
        const HfAttachment *part = result->attachments->pdata[i];
        hf_mcp_outcome_add_bytes(outcome, part->field, part->media_type, part->bytes);
    }
}

/* The pointer's position, in pixels of the picture that the model saw. */
static void say_pointer(const Action *action, HfMcpOutcome *outcome, const HfResult *result)
{
    g_autoptr(json_t) picture = find_reference_picture(action, NULL);
    const json_t *region = json_object_get(picture, "region");
    double scale =
        (double)hf_json_int(picture, "width", 1) / (double)MAX(hf_json_int(region, "width", 1), 1);
    double x = hf_json_number(result->json, "x", 0) - hf_json_number(region, "x", 0);
    double y = hf_json_number(result->json, "y", 0) - hf_json_number(region, "y", 0);
    g_autofree char *text = g_strdup_printf("X=%ld,Y=%ld", lround(x * scale), lround(y * scale));
    hf_mcp_outcome_add_text(outcome, text);
}

static const struct {
    const char *name, *tool;
    gboolean (*fill)(const Action *action, json_t *params, GError **error);
    void (*say)(const Action *action, HfMcpOutcome *outcome, const HfResult *result);
} actions[] = {
    {"zoom", "zoom", fill_zoom, say_pictures},
    {"left_click", "left_click", fill_click, say_done},
    {"right_click", "right_click", fill_click, say_done},
    {"middle_click", "middle_click", fill_click, say_done},
    {"double_click", "double_click", fill_click, say_done},
    {"triple_click", "triple_click", fill_click, say_done},
    {"left_click_drag", "mouse_drag", fill_drag, say_done},
    {"left_mouse_down", "mouse_down", fill_button, say_done},
    {"left_mouse_up", "mouse_up", fill_button, say_done},
    {"mouse_move", "mouse_move", fill_move, say_done},
    {"scroll", "scroll", fill_scroll, say_done},
    {"type", "type_text", fill_type, say_done},
    {"key", "key_press", fill_keys, say_done},
    {"hold_key", "hold_key", fill_hold, say_done},
    {"wait", "wait", fill_duration, say_done},
    {"cursor_position", "cursor_position", fill_nothing, say_pointer},
};

/* Short, because models that know this tool look at the screen next anyway. */
static void say_effect(HfMcpOutcome *outcome, const json_t *effect)
{
    if (!effect || hf_json_int(effect, "waited_ms", 0) == 0)
        return;
    g_autofree char *text = g_strdup_printf("%s: %s", hf_json_string(effect, "verdict", ""),
                                            hf_json_string(effect, "why", ""));
    hf_mcp_outcome_add_text(outcome, text);
}

static HfMcpOutcome *render_action_outcome(const Action *action, const HfAnswer *answer,
                                           void (*say)(const Action *, HfMcpOutcome *,
                                                       const HfResult *))
{
    if (answer->error)
        return hf_mcp_outcome_of_answer(answer);
    HfMcpOutcome *outcome = hf_mcp_outcome_new(FALSE);
    g_autoptr(json_t) envelope = hf_answer_to_json(answer);
    say(action, outcome, answer->result);
    say_effect(outcome, answer->effect);
    json_object_del(envelope, "result");
    json_object_del(envelope, "ok");
    hf_mcp_outcome_add_meta(outcome, envelope);
    return outcome;
}

static HfMcpOutcome *perform_computer_action(const Action *action)
{
    g_autoptr(GError) error = NULL;
    for (gsize i = 0; i < G_N_ELEMENTS(actions); i++) {
        if (strcmp(actions[i].name, action->name) != 0)
            continue;
        g_autoptr(json_t) params = json_pack("{s:s}", "desktop", action->desktop);
        if (!actions[i].fill(action, params, &error))
            return hf_mcp_outcome_of_error(error);
        g_autoptr(HfAnswer) answer = hf_mcp_call_guard(action->call, actions[i].tool, params);
        return render_action_outcome(action, answer, actions[i].say);
    }
    g_autoptr(HfAnswer) picture = take_sized_picture(action, TRUE);
    return render_action_outcome(action, picture, say_pictures);
}

static HfMcpOutcome *mcp_computer_run(HfMcpCall *call, json_t *arguments)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(json_t) checked = hf_check_params(hf_computer_tool.params, arguments, &error);
    if (!checked)
        return hf_mcp_outcome_of_error(error);
    Action action = {.call = call,
                     .given = checked,
                     .name = hf_json_string(checked, "action", ""),
                     .desktop = hf_mcp_call_desktop(call, arguments)};
    return perform_computer_action(&action);
}

/* The list changes only with the program's version. */
#define KEEP_MS 300000

void hf_mcp_tools_list(HfMcpRequest *request)
{
    if (!hf_mcp_request_check_cursor(request))
        return;
    json_t *list = hf_profile_list_tools(request->mcp->profile);
    hf_mcp_request_add_extras(request, "tools", list);
    hf_mcp_reply_cacheable(request, json_pack("{s:o}", "tools", list), KEEP_MS);
}

static HfMcpOutcome *do_tool(HfMcpCall *call, json_t *arguments)
{
    const char *tool = hf_json_string(arguments, "tool", "");
    json_t *params = json_object_get(arguments, "params");
    if (!json_object_get(params, "desktop"))
        json_object_set_new(params, "desktop", json_string(hf_mcp_call_desktop(call, params)));
    g_autoptr(HfAnswer) answer = hf_mcp_call_guard(call, tool, params);
    return hf_mcp_outcome_of_answer(answer);
}

/* The tool of that name in the profile; NULL after the request was refused. */
static const HfTool *find_profile_tool(HfMcpRequest *request, const char *name)
{
    const char *profile = request->mcp->profile;
    const HfTool *tool = name ? hf_profile_find_tool(profile, name) : NULL;
    if (tool)
        return tool;
    if (!name) {
        hf_mcp_request_fail(request, HF_MCP_INVALID_PARAMS, NULL,
                            "params.name must be the name of a tool");
        return NULL;
    }
    g_autofree char *message =
        g_strdup_printf("there is no tool '%.128s' in profile %s; see tools/list", name, profile);
    g_autofree char *valid = g_utf8_make_valid(message, -1);
    hf_mcp_request_fail(request, HF_MCP_INVALID_PARAMS, NULL, "%s", valid);
    return NULL;
}

void hf_mcp_tools_call(HfMcpRequest *request)
{
    const json_t *params = request->params;
    const char *name = hf_json_string(params, "name", NULL);
    json_t *given = json_object_get(params, "arguments");
    if (given && !json_is_object(given)) {
        hf_mcp_request_fail(request, HF_MCP_INVALID_PARAMS, NULL,
                            "params.arguments must be an object");
        return;
    }
    g_autoptr(json_t) arguments = given ? json_deep_copy(given) : json_object();
    const HfMcpExtras *extras = request->mcp->server->extras;
    if (name && extras && extras->call(request, name, arguments))
        return;
    const HfTool *tool = find_profile_tool(request, name);
    if (!tool)
        return;
    if (tool == &hf_computer_tool) {
        hf_mcp_calls_run(request, name, arguments, mcp_computer_run);
        return;
    }
    g_autoptr(json_t) both = json_pack("{s:s, s:O}", "tool", tool->name, "params", arguments);
    hf_mcp_calls_run(request, tool->name, both, do_tool);
}
