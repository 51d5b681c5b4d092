/* SPDX-License-Identifier: Apache-2.0 */
/* The methods of the bridge: `call` for every tool, and what manages the desk itself. */
#include "desk/doors/methods/methods.h"

#include <unistd.h>

#include "desk/doors/methods/method-results.h"
#include "desk/guard/policy/desktop-permission.h"
#include "desk/guard/stop/stop-control.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"
#include "shared/tool/contract-version.h"
#include "shared/tool/param-check.h"
#include "shared/tool/registry.h"
#include "shared/tool/schema.h"

#define DESKTOP_START_MS 20000

void hf_method_append_answer(GString *answer, json_t *take_result, const GError *error)
{
    g_autoptr(json_t) json =
        error ? json_pack("{s:b, s:o}", "ok", 0, "error", hf_error_to_json(error))
              : json_pack("{s:b, s:o}", "ok", 1, "result", take_result);
    g_autofree char *text = hf_json_dump(json);
    g_string_append(answer, text);
}

HfAnswer *hf_method_call(HfDesk *desk, HfRequest *request, const json_t *params)
{
    g_autoptr(json_t) none = json_object();
    json_t *given = json_object_get(params, "params");
    request->tool = hf_json_string(params, "tool", "");
    request->params = given ? given : none;
    return hf_guard_call(hf_desk_get_guard(desk), request);
}

static void method_call(HfDesk *desk, const HfCaller *caller, json_t *params,
                        GCancellable *cancellable, GString *answer)
{
    HfRequest request = {.caller = caller, .cancellable = cancellable};
    g_autoptr(HfAnswer) full = hf_method_call(desk, &request, params);
    hf_answer_append(full, answer);
}

static void method_tools(HfDesk *desk, const HfCaller *caller, json_t *params,
                         GCancellable *cancellable, GString *answer)
{
    json_t *list = json_array();
    for (const HfTool *const *tool = hf_registry(); *tool; tool++)
        json_array_append_new(list, hf_schema_of_tool(*tool));
    hf_method_append_answer(answer, json_pack("{s:o}", "tools", list), NULL);
}

static void method_status(HfDesk *desk, const HfCaller *caller, json_t *params,
                          GCancellable *cancellable, GString *answer)
{
    HfGuard *guard = hf_desk_get_guard(desk);
    HfLiveConfig *agreement = hf_guard_get_live_config(guard);
    g_autoptr(HfConfig) config = hf_live_config_get(agreement);
    hf_method_append_answer(
        answer,
        json_pack("{s:s, s:s, s:i, s:o, s:o, s:o, s:o, s:{s:b}}", "version", HF_VERSION, "contract",
                  HF_CONTRACT, "pid", (int)getpid(), "desktops", hf_desk_list_desktops(desk),
                  "doors", hf_desk_dup_doors(desk), "holds", hf_guard_describe_stop_state(guard),
                  "config", hf_live_config_describe(agreement), "audit", "enabled",
                  hf_config_bool(config, "audit.enabled")),
        NULL);
}

static void method_desktop_list(HfDesk *desk, const HfCaller *caller, json_t *params,
                                GCancellable *cancellable, GString *answer)
{
    hf_method_append_answer(answer, json_pack("{s:o}", "desktops", hf_desk_list_desktops(desk)),
                            NULL);
}

const HfParam hf_method_desktop_new_params[] = {
    {.name = "name",
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .min = 1,
     .max = HF_LIMIT_NAME_BYTES,
     .about = "Its name"},
    {.name = "display",
     .type = HF_TYPE_STRING,
     .max = HF_LIMIT_NAME_BYTES,
     .about = "Attach to this display instead of making one"},
    {.name = "width",
     .type = HF_TYPE_INTEGER,
     .min = 64,
     .max = HF_LIMIT_SCREEN_EDGE,
     .fallback = "1920",
     .about = "Width in pixels"},
    {.name = "height",
     .type = HF_TYPE_INTEGER,
     .min = 64,
     .max = HF_LIMIT_SCREEN_EDGE,
     .fallback = "1080",
     .about = "Height in pixels"},
    {.name = "scale",
     .type = HF_TYPE_NUMBER,
     .min = 0.5,
     .max = 4,
     .fallback = "1",
     .about = "How much larger programs draw"},
    {.name = "depth",
     .type = HF_TYPE_INTEGER,
     .min = 16,
     .max = 30,
     .fallback = "24",
     .about = "Colour depth: 16, 24 or 30"},
    {.name = "private_home",
     .type = HF_TYPE_BOOLEAN,
     .fallback = "false",
     .about = "A HOME of its own that ends with it"},
    {0},
};

static json_t *add_desktop(HfDesk *desk, const HfCaller *caller, const json_t *params,
                           GCancellable *cancellable, GError **error)
{
    g_autoptr(json_t) checked = hf_check_params(hf_method_desktop_new_params, params, error);
    if (!checked || !hf_guard_check_desktop_permission(
                        hf_desk_get_guard(desk), caller, hf_json_string(checked, "name", ""),
                        json_object_get(checked, "display") != NULL, error))
        return NULL;
    HfSeatOptions options = {
        .name = hf_json_string(checked, "name", NULL),
        .display = hf_json_string(checked, "display", NULL),
        .size = {(int)hf_json_int(checked, "width", 0), (int)hf_json_int(checked, "height", 0)},
        .scale = hf_json_number(checked, "scale", 1),
        .depth = (int)hf_json_int(checked, "depth", 24),
        .private_home = hf_json_bool(checked, "private_home", FALSE),
    };
    if (options.depth != 16 && options.depth != 24 && options.depth != 30) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "depth: expected 16, 24 or 30, not %d",
                options.depth);
        return NULL;
    }
    HfDeadline deadline = hf_deadline_in_ms(DESKTOP_START_MS, cancellable);
    return hf_desk_add_desktop(desk, &options, &deadline, error);
}

static void method_desktop_new(HfDesk *desk, const HfCaller *caller, json_t *params,
                               GCancellable *cancellable, GString *answer)
{
    g_autoptr(GError) error = NULL;
    json_t *result = add_desktop(desk, caller, params, cancellable, &error);
    hf_guard_audit_admin(hf_desk_get_guard(desk), "desktop-new", caller, params, error);
    hf_method_append_answer(answer, result, error);
}

const HfParam hf_method_desktop_remove_params[] = {
    {.name = "name",
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .min = 1,
     .max = HF_LIMIT_NAME_BYTES,
     .about = "Its name"},
    {0},
};

static void method_desktop_remove(HfDesk *desk, const HfCaller *caller, json_t *params,
                                  GCancellable *cancellable, GString *answer)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(json_t) checked = hf_check_params(hf_method_desktop_remove_params, params, &error);
    const char *name = hf_json_string(checked, "name", "");
    if (checked &&
        hf_guard_check_desktop_permission(hf_desk_get_guard(desk), caller, name, FALSE, &error))
        hf_desk_remove_desktop(desk, name, &error);
    hf_guard_audit_admin(hf_desk_get_guard(desk), "desktop-remove", caller, params, error);
    hf_method_append_answer(answer, error ? NULL : json_object(), error);
}

const HfParam hf_method_no_params[] = {{0}};

static const char *const binary_forms[] = {"base64", "fd", NULL};
static const HfParam call_params[] = {
    {.name = "tool", .type = HF_TYPE_STRING, .required = TRUE, .about = "Its name"},
    {.name = "params", .type = HF_TYPE_OBJECT, .about = "What the tool takes"},
    {.name = "binary",
     .type = HF_TYPE_STRING,
     .choices = binary_forms,
     .about = "How pictures travel: base64 (default), or fd, a descriptor beside the answer"},
    {0},
};

/* `any`: a member more that may be anything, which no table can say. */
static const struct {
    const char *name;
    HfMethod method;
    const HfParam *params;
    const char *any;
} methods[] = {
    {"call", method_call, call_params, NULL},
    {"tools", method_tools, hf_method_no_params, NULL},
    {"status", method_status, hf_method_no_params, NULL},
    {"desktop.list", method_desktop_list, hf_method_no_params, NULL},
    {"desktop.new", method_desktop_new, hf_method_desktop_new_params, NULL},
    {"desktop.remove", method_desktop_remove, hf_method_desktop_remove_params, NULL},
    {"pause", hf_method_pause, hf_method_pause_params, NULL},
    {"resume", hf_method_resume, hf_method_resume_params, NULL},
    {"abort", hf_method_abort, hf_method_abort_params, NULL},
    {"audit.rotate_key", hf_method_audit_rotate_key, hf_method_no_params, NULL},
    {"config.get", hf_method_config_get, hf_method_config_get_params, NULL},
    {"config.set", hf_method_config_set, hf_method_config_set_params, "value"},
    {"grant.new", hf_method_grant_new, hf_method_grant_new_params, NULL},
    {"ledger.list", hf_method_ledger_list, hf_method_ledger_list_params, NULL},
    {"operations.list", hf_method_operations_list, hf_method_operations_list_params, NULL},
    {"grant.list", hf_method_grant_list, hf_method_no_params, NULL},
    {"grant.show", hf_method_grant_show, hf_method_grant_params, NULL},
    {"grant.revoke", hf_method_grant_revoke, hf_method_grant_params, NULL},
    {"token.new", hf_method_token_new, hf_method_token_new_params, NULL},
    {"token.list", hf_method_token_list, hf_method_no_params, NULL},
    {"token.rotate", hf_method_token_rotate, hf_method_token_params, NULL},
    {"token.revoke", hf_method_token_revoke, hf_method_token_params, NULL},
    {"runs.list", hf_method_runs_list, hf_method_no_params, NULL},
    {"runs.show", hf_method_runs_show, hf_method_run_params, NULL},
    {"audit.list", hf_method_audit_list, hf_method_audit_list_params, NULL},
    {"approvals.list", hf_method_approvals_list, hf_method_approvals_list_params, NULL},
    {"approvals.show", hf_method_approvals_show, hf_method_approval_params, NULL},
    {"approvals.approve", hf_method_approvals_approve, hf_method_approve_params, NULL},
    {"approvals.deny", hf_method_approvals_deny, hf_method_deny_params, NULL},
    {"approvals.memory", hf_method_approvals_memory, hf_method_no_params, NULL},
    {"approvals.forget", hf_method_approvals_forget, hf_method_approval_params, NULL},
};

HfMethod hf_method_find(const char *name)
{
    for (gsize i = 0; i < G_N_ELEMENTS(methods); i++)
        if (g_str_equal(methods[i].name, name))
            return methods[i].method;
    return NULL;
}

void hf_method_run(const char *name, HfDesk *desk, const HfCaller *caller, json_t *params,
                   GCancellable *cancellable, GString *answer)
{
    gsize begin = answer->len;
    hf_method_find(name)(desk, caller, params, cancellable, answer);
    if (hf_desk_get_options(desk)->check_contract)
        hf_method_result_assert(name, answer->str + begin, answer->len - begin);
}

static json_t *describe_method_params(const HfParam *params, const char *any)
{
    json_t *schema = hf_schema_of_table(params);
    if (any) {
        json_object_set_new(json_object_get(schema, "properties"), any, json_object());
        json_array_append_new(json_object_get(schema, "required"), json_string(any));
    }
    return schema;
}

json_t *hf_method_schema(const char *name)
{
    for (gsize i = 0; i < G_N_ELEMENTS(methods); i++)
        if (g_str_equal(methods[i].name, name))
            return describe_method_params(methods[i].params, methods[i].any);
    return NULL;
}

json_t *hf_methods_describe(void)
{
    json_t *described = json_object();
    for (gsize i = 0; i < G_N_ELEMENTS(methods); i++)
        json_object_set_new(described, methods[i].name,
                            describe_method_params(methods[i].params, methods[i].any));
    return described;
}
