/* SPDX-License-Identifier: Apache-2.0 */
/* The routes of the executor API. A request becomes a tool call (executor.h). Every answer carries
 * runId, stepId and ts. An error is {code, message, suggestion} with the HTTP status of its code:
 * 409 LOCKED, 412 UAC_REQUIRED, 423 PAUSED and STOPPED. */
#include <string.h>

#include "desk/doors/http/executor/executor.h"
#include "desk/doors/http/routes/routes.h"
#include "desk/doors/http/server/http-internal.h"
#include "desk/guard/guard.h"
#include "desk/guard/stop/stop-control.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"

static HfGuard *guard_of_request(const HfHttpRequest *request)
{
    return hf_desk_get_guard(request->http->desk);
}

static HfAnswer *do_call(HfHttpRequest *request, const HfExecutorCall *call)
{
    HfRequest asked = {
        .caller = &request->caller,
        .tool = call->tool,
        .params = call->params,
        .cancellable = request->cancellable,
        .waiting = hf_http_request_set_waiting,
        .waiting_data = request,
        .skip_verification = TRUE,
    };
    return hf_guard_call(guard_of_request(request), &asked);
}

/* ---- answers ---- */

static guint status_of_error(const GError *error)
{
    return error ? (guint)hf_error_code_status(hf_error_code(error)) : SOUP_STATUS_OK;
}

/* Answers a request that failed before it became a call. */
static void refuse_executor_request(HfHttpRequest *request, const GError *error)
{
    const HfCaller *caller = &request->caller;
    const char *said = hf_json_string(request->json, "runId", "");
    gboolean fits = *said && strlen(said) <= HF_LIMIT_NAME_BYTES;
    hf_http_respond_json(request, status_of_error(error),
                         hf_http_error_json(request->route, fits ? said : caller->run_id, error));
}

/* In tests, an answer must match the contract. */
static void assert_executor_answer(const HfHttpRequest *request, const json_t *rendered)
{
    if (hf_desk_get_options(request->http->desk)->check_contract)
        hf_executor_answer_assert(request->route->path, rendered);
}

static void send_executor_answer(HfHttpRequest *request, const HfAnswer *answer,
                                 const HfResult *rendered)
{
    hf_http_add_executor_ids(rendered->json, answer->run_id, answer->step_id, answer->time_ms);
    if (answer->error)
        json_object_set_new(rendered->json, "error", hf_error_to_json(answer->error));
    assert_executor_answer(request, rendered->json);
    GString *text = g_string_new(NULL);
    hf_result_append_with(rendered, text, hf_attachment_append_base64, NULL);
    hf_http_respond_text(request, status_of_error(answer->error), "application/json", text);
}

static gboolean allows_text(const HfHttpRequest *request)
{
    g_autoptr(HfConfig) config =
        hf_live_config_get(hf_guard_get_live_config(guard_of_request(request)));
    return hf_config_bool(config, "http.text_input");
}

/* The answer to an action; NULL after an error was sent. */
static HfAnswer *perform_executor_action(HfHttpRequest *request)
{
    g_autoptr(GError) error = NULL;
    g_auto(HfExecutorCall) call = {0};
    if (hf_executor_read(request->route->action, request->json, allows_text(request), &call,
                         &error))
        return do_call(request, &call);
    refuse_executor_request(request, error);
    return NULL;
}

static void handle_executor_action(HfHttpRequest *request)
{
    g_autoptr(HfAnswer) answer = perform_executor_action(request);
    if (!answer)
        return;
    g_autoptr(HfResult) rendered = hf_result_new(
        answer->error ? json_object() : request->route->action->render(answer->result->json));
    send_executor_answer(request, answer, rendered);
}

static void handle_macro(HfHttpRequest *request)
{
    const json_t *body = request->json;
    g_autoptr(GError) error = NULL;
    g_auto(HfExecutorCall) call = {0};
    if (!hf_executor_read_macro(body, allows_text(request), &call, &error)) {
        refuse_executor_request(request, error);
        return;
    }
    g_autoptr(HfAnswer) answer = do_call(request, &call);
    g_autoptr(HfResult) rendered =
        hf_executor_render_macro(answer, json_object_get(body, "actions"));
    send_executor_answer(request, answer, rendered);
}

/* ---- environment ---- */

/* The facts about the request's desktop. */
static HfAnswer *ask_facts(HfHttpRequest *request, const char *run_id)
{
    const json_t *body = request->json;
    const char *desktop =
        hf_json_string(body, "desktop", hf_http_request_get_query(request, "desktop"));
    g_autoptr(json_t) params = json_object();
    if (desktop)
        json_object_set_new(params, "desktop", hf_json_text(desktop));
    if (run_id)
        json_object_set_new(params, "run_id", hf_json_text(run_id));
    HfExecutorCall call = {"system_info", params};
    return do_call(request, &call);
}

static json_t *render_screen(const json_t *display)
{
    double scale = hf_json_number(display, "scale", 1);
    return json_pack("{s:I, s:s, s:o, s:I, s:I, s:f, s:f, s:f, s:b}", "screenId",
                     hf_json_int(display, "id", 0), "name", hf_json_string(display, "name", ""),
                     "rectPx", hf_executor_rect(display), "width", hf_json_int(display, "width", 0),
                     "height", hf_json_int(display, "height", 0), "scale", scale, "dpiX",
                     96 * scale, "dpiY", 96 * scale, "primary",
                     hf_json_bool(display, "primary", FALSE));
}

static json_t *render_environment(const json_t *facts)
{
    const json_t *displays = json_object_get(facts, "displays");
    json_t *screens = json_array();
    hf_json_each (display, displays)
        json_array_append_new(screens, render_screen(display));
    return json_pack("{s:o, s:s, s:{s:s, s:s, s:s}, s:s, s:s}", "screens", screens, "layout",
                     json_array_size(displays) > 1 ? "multi" : "single", "coordinateSystem", "unit",
                     "physical pixels", "origin", "top left of the whole screen", "note",
                     "pixels of a picture and of input are the same", "os",
                     hf_json_string(facts, "os", ""), "hostname",
                     hf_json_string(facts, "hostname", ""));
}

static void handle_env(HfHttpRequest *request)
{
    g_autoptr(HfAnswer) answer = ask_facts(request, NULL);
    g_autoptr(HfResult) rendered =
        hf_result_new(answer->error ? json_object() : render_environment(answer->result->json));
    send_executor_answer(request, answer, rendered);
}

/* Whether everything or this desktop is paused. */
static gboolean is_paused(const json_t *holds, const char *desktop)
{
    hf_json_each (hold, json_object_get(holds, "paused"))
        if (!json_object_get(hold, "run") &&
            g_str_equal(hf_json_string(hold, "desktop", desktop), desktop))
            return TRUE;
    return FALSE;
}

static const char *state_of(gboolean stopped, gboolean paused, const json_t *locked,
                            const GError *error)
{
    if (stopped)
        return "stopped";
    if (paused)
        return "paused";
    if (json_is_true(locked))
        return "locked";
    return error ? "error" : "online";
}

/* Works also while paused or stopped: callers ask here whether it is. */
static void handle_health(HfHttpRequest *request)
{
    g_autoptr(HfAnswer) answer = ask_facts(request, NULL);
    g_autoptr(json_t) holds = hf_guard_describe_stop_state(guard_of_request(request));
    g_autoptr(HfConfig) config =
        hf_live_config_get(hf_guard_get_live_config(guard_of_request(request)));
    const char *desktop = hf_http_request_get_query(request, "desktop");
    const json_t *session = answer->error ? NULL : json_object_get(answer->result->json, "session");
    json_t *locked = json_object_get(session, "locked");
    gboolean stopped = json_is_object(json_object_get(holds, "stopped"));
    gboolean paused = is_paused(holds, desktop ? desktop : "main");
    json_t *json = json_pack("{s:s, s:s, s:O, s:b, s:b, s:b, s:{s:b, s:O}}", "version", HF_VERSION,
                             "state", state_of(stopped, paused, locked, answer->error), "locked",
                             locked ? locked : json_null(), "paused", paused, "stopped", stopped,
                             "textInput", hf_config_bool(config, "http.text_input"), "allowlist",
                             "enforced", 1, "ips", hf_config_get(config, "http.allow"));
    hf_http_add_executor_ids(json, answer->run_id, answer->step_id, answer->time_ms);
    if (answer->error && !stopped && !paused)
        json_object_set_new(json, "error", hf_error_to_json(answer->error));
    assert_executor_answer(request, json);
    hf_http_respond_json(request, SOUP_STATUS_OK, json);
}

/* ---- pictures ---- */

/* The screen that contains the middle of the picture. */
static json_int_t screen_of(const json_t *facts, const json_t *region)
{
    json_int_t x = hf_json_int(region, "x", 0) + hf_json_int(region, "width", 0) / 2;
    json_int_t y = hf_json_int(region, "y", 0) + hf_json_int(region, "height", 0) / 2;
    hf_json_each (display, json_object_get(facts, "displays")) {
        json_int_t left = hf_json_int(display, "x", 0), top = hf_json_int(display, "y", 0);
        if (x >= left && x < left + hf_json_int(display, "width", 0) && y >= top &&
            y < top + hf_json_int(display, "height", 0))
            return hf_json_int(display, "id", 0);
    }
    return 0;
}

static void add_screen_id(HfHttpRequest *request, const HfAnswer *answer, json_t *rendered)
{
    json_t *asked = json_object_get(request->json, "screenId");
    if (json_is_integer(asked)) {
        json_object_set(rendered, "screenId", asked);
        return;
    }
    g_autoptr(HfAnswer) facts = ask_facts(request, answer->run_id);
    const json_t *region = json_object_get(answer->result->json, "region");
    json_object_set_new(rendered, "screenId",
                        json_integer(facts->error ? 0 : screen_of(facts->result->json, region)));
}

static gboolean wants_bytes(const HfHttpRequest *request)
{
    const char *accept = hf_http_request_get_header(request, "Accept");
    return accept && (g_str_has_prefix(accept, "image/") ||
                      g_str_has_prefix(accept, "application/octet-stream"));
}

/* Sends {"regionRectPx": {...}} as "X-Region-Rect-Px: 0,0,640,480". */
static void add_header(HfHttpRequest *request, const char *name, const json_t *value)
{
    g_autofree char *text =
        json_is_object(value)
            ? g_strdup_printf("%d,%d,%d,%d", (int)hf_json_int(value, "x", 0),
                              (int)hf_json_int(value, "y", 0), (int)hf_json_int(value, "w", 0),
                              (int)hf_json_int(value, "h", 0))
        : json_is_real(value)   ? g_strdup_printf("%.6g", json_real_value(value))
        : json_is_string(value) ? g_strdup(json_string_value(value))
                                : hf_json_dump(value);
    hf_http_request_add_header(request, name, text);
}

static void answer_bytes(HfHttpRequest *request, const HfAttachment *picture,
                         const json_t *rendered)
{
    static const char *const names[][2] = {
        {"runId", "X-Run-Id"}, {"stepId", "X-Step-Id"},
        {"ts", "X-Ts"},        {"regionRectPx", "X-Region-Rect-Px"},
        {"scale", "X-Scale"},  {"windowRectPx", "X-Window-Rect-Px"},
        {"dpi", "X-Dpi"},      {"screenId", "X-Screen-Id"},
        {"hwnd", "X-Hwnd"},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        const json_t *value = json_object_get(rendered, names[i][0]);
        if (value && !json_is_null(value))
            add_header(request, names[i][1], value);
    }
    hf_http_respond_bytes(request, SOUP_STATUS_OK, picture->media_type,
                          g_bytes_ref(picture->bytes));
}

static void handle_capture(HfHttpRequest *request)
{
    g_autoptr(HfAnswer) answer = perform_executor_action(request);
    if (!answer)
        return;
    if (answer->error) {
        g_autoptr(HfResult) none = hf_result_new(json_object());
        send_executor_answer(request, answer, none);
        return;
    }
    g_autoptr(HfResult) rendered = hf_result_new(hf_executor_render_picture(answer->result->json));
    add_screen_id(request, answer, rendered->json);
    const HfAttachment *picture = answer->result->attachments->pdata[0];
    if (wants_bytes(request)) {
        hf_http_add_executor_ids(rendered->json, answer->run_id, answer->step_id, answer->time_ms);
        answer_bytes(request, picture, rendered->json);
        return;
    }
    hf_result_add_attachment(rendered, HF_EXECUTOR_IMAGE, picture->media_type,
                             g_bytes_ref(picture->bytes));
    send_executor_answer(request, answer, rendered);
}

/* ---- tables ---- */

static const HfParam desktop_params[] = {
    HF_STRING("desktop", "Name of the desktop (default: main)", .min = 1,
              .max = HF_LIMIT_NAME_BYTES),
    {0},
};

#define LOOK(path_, handler_, about_)                                                              \
    {                                                                                              \
        .method = "GET", .path = (path_), .handler = (handler_), .where = HF_HTTP_CALL,            \
        .flags = HF_HTTP_EXECUTOR, .params = desktop_params, .about = (about_)                     \
    }
#define ACT(path_, handler_, action_, about_)                                                      \
    {                                                                                              \
        .method = "POST", .path = (path_), .handler = (handler_), .where = HF_HTTP_CALL,           \
        .flags = HF_HTTP_EXECUTOR, .body = hf_executor_schema, .action = (action_),                \
        .about = (about_)                                                                          \
    }

const HfHttpRoute hf_http_executor_routes[] = {
    LOOK("/health", handle_health, "Executor: version, state, locked, paused, allowlist"),
    LOOK("/env", handle_env, "Executor: screens, scale, DPI, coordinates"),
    ACT("/window/list", handle_executor_action, &hf_executor_list, "Executor: list windows"),
    ACT("/window/focus", handle_executor_action, &hf_executor_focus, "Executor: focus a window"),
    ACT("/capture", handle_capture, &hf_executor_capture,
        "Executor: a picture of the screen, a window or a region"),
    ACT("/input/mouse", handle_executor_action, &hf_executor_mouse,
        "Executor: move, click, double, right, drag, wheel"),
    ACT("/input/key", handle_executor_action, &hf_executor_key,
        "Executor: press keys; type text where allowed"),
    ACT("/macro/run", handle_macro, NULL, "Executor: several actions in one request"),
    {0},
};
