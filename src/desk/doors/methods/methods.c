/* SPDX-License-Identifier: Apache-2.0 */
/* The methods of the bridge: `call` for every tool, and the management of the desk. */
#include "desk/doors/methods/methods.h"

#include <unistd.h>

#include "desk/doors/methods/method-results.h"
#include "desk/guard/guard.h"
#include "desk/guard/passage.h"
#include "desk/guard/policy/caller-rights.h"
#include "desk/guard/stop/stop-control.h"
#include "desk/guard/stop/stop-gate.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"
#include "shared/tool/contract-version.h"
#include "shared/tool/param-check.h"
#include "shared/tool/registry.h"
#include "shared/tool/schema.h"

/* Creating a desktop starts programs, and removing one ends all that run there. So a client needs a
 * level that may act, and nothing happens during a stop. A grant lists tools, so a caller that is
 * bound to one may not. */
static gboolean check_desktop_rights(const HfConfig *config, const HfCaller *caller, HfLevel needed,
                                     GError **error)
{
    HfLevel has = hf_caller_rights_level(config, caller);
    const char *grant = hf_caller_rights_grant(config, caller);
    if (caller->kind == HF_CALLER_HEAD || grant)
        hf_fail(error, HF_ERROR_FORBIDDEN, "the grant '%s' does not allow to manage desktops",
                grant ? grant : "none");
    else if (has < needed)
        hf_fail(error, HF_ERROR_FORBIDDEN, "managing desktops needs level %s, and %s has %s",
                hf_level_name(needed), caller->name ? caller->name : "the caller",
                hf_level_name(has));
    else
        return TRUE;
    hf_error_suggest(error, "the owner can do it: handfast desktop");
    return FALSE;
}

/* FORBIDDEN, STOPPED or PAUSED with the reason. `display`: it is the person's own display, which
 * only the owner and callers with full control may attach. */
static gboolean guard_check_desktop_permission(HfGuard *guard, const HfCaller *caller,
                                               const char *desktop, gboolean display,
                                               GError **error)
{
    g_autoptr(HfConfig) config = hf_live_config_get(guard->live_config);
    if (caller->kind == HF_CALLER_OWNER)
        return !display || hf_caller_check_owner_in_person(caller, error);
    HfLevel needed = display ? HF_LEVEL_FULL : HF_LEVEL_STANDARD;
    if (!hf_caller_rights_check_program(config, caller, error) ||
        !check_desktop_rights(config, caller, needed, error))
        return FALSE;
    HfStopScope call = {.desktop = desktop};
    HfStopGatePass *pass = hf_stop_gate_enter(guard->gate, call, NULL, error);
    hf_stop_gate_leave(pass, NULL);
    return pass != NULL;
}

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

static json_t *list_tools(HfDesk *desk, const HfCaller *caller, json_t *params,
                          GCancellable *cancellable, GError **error)
{
    json_t *list = json_array();
    for (const HfTool *const *tool = hf_registry(); *tool; tool++)
        json_array_append_new(list, hf_schema_of_tool(*tool));
    return json_pack("{s:o}", "tools", list);
}

/* Process ids, the environment of desktops and what their proxies refused are for those who start
 * programs there themselves: the owner, and programs of this user, which could read the first two
 * from /proc. Whoever comes with a token, for a model or under a grant gets no hold on our
 * processes. */
static gboolean may_see_processes(HfGuard *guard, const HfCaller *caller)
{
    g_autoptr(HfConfig) config = hf_live_config_get(guard->live_config);
    return hf_caller_sees_all(caller) ||
           (caller->kind == HF_CALLER_CLIENT && !caller->token && !caller->agent &&
            !hf_caller_rights_grant(config, caller));
}

static void hide_desktop_processes(json_t *desktop)
{
    json_object_del(json_object_get(desktop, "walls"), "refused");
    json_object_set_new(desktop, "hand_pid", json_integer(0));
    json_object_del(desktop, "environment");
}

static json_t *list_visible_desktops(HfDesk *desk, gboolean processes)
{
    json_t *list = hf_desk_list_desktops(desk);
    hf_json_each (desktop, list)
        if (!processes)
            hide_desktop_processes(desktop);
    return list;
}

static json_t *describe_desk_status(HfDesk *desk, const HfCaller *caller, json_t *params,
                                    GCancellable *cancellable, GError **error)
{
    HfGuard *guard = hf_desk_get_guard(desk);
    HfLiveConfig *live_config = hf_guard_get_live_config(guard);
    g_autoptr(HfConfig) config = hf_live_config_get(live_config);
    gboolean processes = may_see_processes(guard, caller);
    json_t *status = json_pack(
        "{s:s, s:s, s:i, s:o, s:o, s:o, s:o, s:{s:b}}", "version", HF_VERSION, "contract",
        HF_CONTRACT, "pid", processes ? (int)getpid() : 0, "desktops",
        list_visible_desktops(desk, processes), "doors", hf_desk_dup_doors(desk), "holds",
        hf_guard_describe_stop_state(guard), "config", hf_live_config_describe(live_config),
        "audit", "enabled", hf_config_bool(config, "audit.enabled"));
    json_t *tainted = hf_caller_sees_all(caller)
                          ? hf_taint_list(guard->taint, hf_taint_keep_ms(config), NULL)
                          : NULL;
    if (tainted)
        json_object_set_new(status, "tainted", tainted);
    return status;
}

static json_t *list_desktops(HfDesk *desk, const HfCaller *caller, json_t *params,
                             GCancellable *cancellable, GError **error)
{
    gboolean processes = may_see_processes(hf_desk_get_guard(desk), caller);
    return json_pack("{s:o}", "desktops", list_visible_desktops(desk, processes));
}

const HfParam hf_method_desktop_new_params[] = {
    HF_STRING("name", "Its name", .required = TRUE, .min = 1, .max = HF_LIMIT_NAME_BYTES),
    HF_STRING("display", "Attach to this display instead of creating one",
              .max = HF_LIMIT_NAME_BYTES),
    HF_INTEGER("width", "Width in pixels", .min = 64, .max = HF_LIMIT_SCREEN_EDGE,
               .fallback = "1920"),
    HF_INTEGER("height", "Height in pixels", .min = 64, .max = HF_LIMIT_SCREEN_EDGE,
               .fallback = "1080"),
    HF_NUMBER("scale", "Scale factor of programs", .min = 0.5, .max = 4, .fallback = "1"),
    HF_INTEGER("depth", "Colour depth: 16, 24 or 30", .min = 16, .max = 30, .fallback = "24"),
    HF_BOOLEAN("private_home", "Use a private HOME that is removed with the desktop",
               .fallback = "false"),
    {0},
};

static json_t *add_desktop(HfDesk *desk, const HfCaller *caller, json_t *params,
                           GCancellable *cancellable, GError **error)
{
    g_autoptr(json_t) checked = hf_check_params(hf_method_desktop_new_params, params, error);
    if (!checked || !guard_check_desktop_permission(
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
    json_t *added = hf_desk_add_desktop(desk, &options, &deadline, error);
    if (added && !may_see_processes(hf_desk_get_guard(desk), caller))
        hide_desktop_processes(added);
    return added;
}

const HfParam hf_method_desktop_remove_params[] = {
    HF_STRING("name", "Its name", .required = TRUE, .min = 1, .max = HF_LIMIT_NAME_BYTES),
    {0},
};

static json_t *remove_desktop(HfDesk *desk, const HfCaller *caller, json_t *params,
                              GCancellable *cancellable, GError **error)
{
    g_autoptr(json_t) checked = hf_check_params(hf_method_desktop_remove_params, params, error);
    const char *name = hf_json_string(checked, "name", "");
    gboolean done =
        checked &&
        guard_check_desktop_permission(hf_desk_get_guard(desk), caller, name, FALSE, error) &&
        hf_desk_remove_desktop(desk, name, error);
    return done ? json_object() : NULL;
}

const HfParam hf_method_no_params[] = {{0}};

static const char *const binary_forms[] = {"base64", "fd", NULL};
static const HfParam call_params[] = {
    HF_STRING("tool", "Its name", .required = TRUE),
    HF_OBJECT("params", "The tool's parameters"),
    HF_STRING("binary",
              "How pictures are sent: base64 (default), or fd, a descriptor beside the answer",
              .choices = binary_forms),
    {0},
};

/* `any`: one more parameter of any type, which a table cannot describe. `audit`: the event under
 * which the audit records each run, whether it succeeds or not. `harmless`: it only reads or
 * tightens, so it must work when the disk is full. The doors run `call` themselves. */
typedef struct Method {
    const char *name;
    HfMethod *run;
    const HfParam *params;
    const char *any, *audit;
    gboolean harmless;
} Method;

static const Method methods[] = {
    {"call", NULL, call_params},
    {"tools", list_tools, hf_method_no_params, .harmless = TRUE},
    {"status", describe_desk_status, hf_method_no_params, .harmless = TRUE},
    {"desktop.list", list_desktops, hf_method_no_params, .harmless = TRUE},
    {"desktop.new", add_desktop, hf_method_desktop_new_params, .audit = "desktop-new"},
    {"desktop.remove", remove_desktop, hf_method_desktop_remove_params, .audit = "desktop-remove"},
    {"pause", hf_method_pause, hf_method_pause_params, .harmless = TRUE},
    {"resume", hf_method_resume, hf_method_resume_params},
    {"abort", hf_method_abort, hf_method_abort_params, .harmless = TRUE},
    {"audit.rotate_key", hf_method_audit_rotate_key, hf_method_no_params},
    {"config.get", hf_method_config_get, hf_method_config_get_params, .harmless = TRUE},
    {"config.set", hf_method_config_set, hf_method_config_set_params, .audit = "config-set",
     .any = "value"},
    {"config.held", hf_method_config_held, hf_method_no_params},
    {"config.accept", hf_method_config_accept, hf_method_config_accept_params,
     .audit = "config-accept"},
    {"grant.new", hf_method_grant_new, hf_method_grant_new_params, .audit = "grant-new"},
    {"ledger.list", hf_method_ledger_list, hf_method_ledger_list_params, .harmless = TRUE},
    {"operations.list", hf_method_operations_list, hf_method_operations_list_params,
     .harmless = TRUE},
    {"grant.list", hf_method_grant_list, hf_method_no_params, .harmless = TRUE},
    {"grant.show", hf_method_grant_show, hf_method_grant_params, .harmless = TRUE},
    {"grant.revoke", hf_method_grant_revoke, hf_method_grant_params, .audit = "grant-revoke"},
    {"taint.list", hf_method_taint_list, hf_method_no_params, .harmless = TRUE},
    {"taint.clear", hf_method_taint_clear, hf_method_taint_clear_params, .audit = "taint-clear"},
    {"token.new", hf_method_token_new, hf_method_token_new_params, .audit = "token-new"},
    {"token.list", hf_method_token_list, hf_method_no_params, .harmless = TRUE},
    {"token.rotate", hf_method_token_rotate, hf_method_token_params, .audit = "token-rotate"},
    {"token.revoke", hf_method_token_revoke, hf_method_token_params, .audit = "token-revoke"},
    {"runs.list", hf_method_runs_list, hf_method_no_params, .harmless = TRUE},
    {"runs.show", hf_method_runs_show, hf_method_run_params, .harmless = TRUE},
    {"audit.list", hf_method_audit_list, hf_method_audit_list_params, .harmless = TRUE},
    {"approvals.list", hf_method_approvals_list, hf_method_approvals_list_params, .harmless = TRUE},
    {"approvals.show", hf_method_approvals_show, hf_method_approval_params, .harmless = TRUE},
    {"approvals.approve", hf_method_approvals_approve, hf_method_approve_params},
    {"approvals.deny", hf_method_approvals_deny, hf_method_deny_params, .harmless = TRUE},
    {"approvals.memory", hf_method_approvals_memory, hf_method_no_params, .harmless = TRUE},
    {"approvals.forget", hf_method_approvals_forget, hf_method_approval_params},
};

static const Method *find_bridge_method(const char *name)
{
    for (gsize i = 0; i < G_N_ELEMENTS(methods); i++)
        if (g_str_equal(methods[i].name, name))
            return &methods[i];
    return NULL;
}

gboolean hf_method_exists(const char *name)
{
    return find_bridge_method(name) != NULL;
}

gboolean hf_method_is_harmless(const char *name)
{
    const Method *method = find_bridge_method(name);
    return method && method->harmless;
}

void hf_method_run(const char *name, HfDesk *desk, const HfCaller *caller, json_t *params,
                   GCancellable *cancellable, GString *answer)
{
    const Method *method = find_bridge_method(name);
    gsize begin = answer->len;
    g_autoptr(GError) error = NULL;
    json_t *result = method->run(desk, caller, params, cancellable, &error);
    if (method->audit)
        hf_guard_audit_admin(hf_desk_get_guard(desk), method->audit, caller, params, error);
    hf_method_append_answer(answer, result, error);
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
    const Method *method = find_bridge_method(name);
    return method ? describe_method_params(method->params, method->any) : NULL;
}

json_t *hf_methods_describe(void)
{
    json_t *described = json_object();
    for (gsize i = 0; i < G_N_ELEMENTS(methods); i++)
        json_object_set_new(described, methods[i].name,
                            describe_method_params(methods[i].params, methods[i].any));
    return described;
}
