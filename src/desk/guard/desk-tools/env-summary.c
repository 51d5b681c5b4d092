/* SPDX-License-Identifier: Apache-2.0 */
/* Reports what this caller may use, and nothing that it could not learn by other calls: windows and
 * the screen come from inner calls, so that their rules hold here too. The report is short, because
 * a model pays for each word. */
#include "desk/guard/desk-tools/env-summary.h"

#include "desk/guard/background/operations.h"
#include "desk/guard/guard-limits.h"
#include "desk/guard/policy/caller-rights.h"
#include "desk/guard/stop/stop-control.h"
#include "shared/base/data.h"
#include "shared/base/limits.h"
#include "shared/tool/registry.h"

#define MOST_WINDOWS 30
/* Time limit of each question to the hand. */
#define ANSWER_MS 5000

/* ---- programs ---- */

static json_t *list_present(const json_t *candidates)
{
    json_t *present = json_array();
    hf_json_each (candidate, candidates) {
        const char *program = hf_json_string(candidate, "program", "");
        const char *use = hf_json_string(candidate, "for", NULL);
        g_autofree char *path = g_find_program_in_path(program);
        g_autofree char *entry = use ? g_strdup_printf("%s (%s)", program, use) : g_strdup(program);
        if (path)
            json_array_append_new(present, json_string(entry));
    }
    return present;
}

static void add_programs(json_t *summary)
{
    g_autoptr(json_t) known = json_loads(hf_data_find("environment.json"), 0, NULL);
    const char *kind;
    json_t *candidates;
    json_object_foreach (known, kind, candidates)
        json_object_set_new(summary, kind, list_present(candidates));
}

/* ---- the caller's rights ---- */

static gboolean may_use(const HfPassage *passage, const HfTool *tool, HfLevel level)
{
    if (tool->level > level)
        return FALSE;
    for (guint i = 0; passage->grant.chain && i < passage->grant.chain->len; i++) {
        const HfGrantEntry *entry = passage->grant.chain->pdata[i];
        if ((entry->level != HF_LEVEL_NONE && tool->level > entry->level) ||
            !hf_grant_has_tool(entry->grant, tool))
            return FALSE;
    }
    return TRUE;
}

static json_t *list_tools(const HfPassage *passage, HfLevel level)
{
    json_t *tools = json_object();
    for (const HfTool *const *tool = hf_registry(); *tool; tool++) {
        const char *category = hf_category_name((*tool)->category);
        if (!may_use(passage, *tool, level))
            continue;
        if (!json_object_get(tools, category))
            json_object_set_new(tools, category, json_array());
        json_array_append_new(json_object_get(tools, category), json_string((*tool)->name));
    }
    return tools;
}

static void add_rights(const HfPassage *passage, json_t *summary)
{
    const HfCaller *caller = passage->request->caller;
    HfLevel level = hf_caller_rights_level(passage->config, caller);
    json_t *rights =
        json_pack("{s:o, s:s}", "name", hf_json_text(caller->name ? caller->name : "?"), "level",
                  hf_level_name(level));
    if (passage->grant.id)
        json_object_set_new(rights, "grant", json_string(passage->grant.id));
    json_object_set_new(summary, "caller", rights);
    json_object_set_new(summary, "tools", list_tools(passage, level));
}

static void add_workspace(const HfPassage *passage, json_t *summary)
{
    const json_t *walls = passage->errand.walls;
    json_t *lists = json_object_get(walls, "directories");
    json_object_set_new(summary, "workspace",
                        json_pack("{s:O, s:b, s:I}", "directories", lists, "anywhere",
                                  hf_json_bool(walls, "open", FALSE), "max_file_size",
                                  hf_json_int(walls, "max_file_size", 0)));
}

static void add_summary_limits(json_t *summary)
{
    json_object_set_new(summary, "limits",
                        json_pack("{s:i, s:i, s:i, s:i}", "timeout_ms", HF_LIMIT_TIMEOUT_MS,
                                  "macro_steps", HF_LIMIT_MACRO_STEPS, "workflow_steps",
                                  HF_LIMIT_FLOW_STEPS, "operations",
                                  (int)HF_LIMIT_OPERATIONS_OF_ONE));
}

/* ---- the current state ---- */

static json_t *call_summary_tool(HfPassage *passage, const char *tool, GError **error)
{
    g_autoptr(json_t) params =
        json_pack("{s:s, s:o, s:i}", "desktop", passage->desktop, "run_id",
                  hf_json_text(passage->answer->run_id), "timeout_ms", ANSWER_MS);
    json_t *grant = json_object_get(passage->request->params, "grant");
    if (grant)
        json_object_set(params, "grant", grant);
    HfRequest request = {.caller = passage->request->caller,
                         .tool = tool,
                         .params = params,
                         .cancellable = passage->cancellable};
    g_autoptr(HfAnswer) answer = hf_guard_call(passage->guard, &request);
    passage->inner_reads |= answer->untrusted;
    if (!answer->error)
        return json_incref(answer->result->json);
    g_propagate_error(error, g_steal_pointer(&answer->error));
    return NULL;
}

/* One part that cannot be found out does not spoil the rest: its place gets the reason. */
static void add_unknown_reason(json_t *summary, const char *name, const GError *problem)
{
    if (problem)
        json_object_set_new(
            summary, name,
            json_pack("{s:s}", "unknown", hf_error_code_name(hf_error_code(problem))));
}

static json_t *call_tool_or_add_reason(HfPassage *passage, const char *tool, const char *name,
                                       json_t *summary)
{
    g_autoptr(GError) problem = NULL;
    json_t *reply = call_summary_tool(passage, tool, &problem);
    add_unknown_reason(summary, name, problem);
    return reply;
}

static json_t *window_row(const json_t *window)
{
    json_t *row = json_pack("{s:O, s:O}", "window_id", json_object_get(window, "window_id"),
                            "title", json_object_get(window, "title"));
    json_t *process = json_object_get(window, "process");
    if (process)
        json_object_set(row, "app", process);
    if (hf_json_bool(window, "focused", FALSE))
        json_object_set_new(row, "focused", json_true());
    if (hf_json_bool(window, "minimized", FALSE))
        json_object_set_new(row, "minimized", json_true());
    return row;
}

static void add_windows(HfPassage *passage, json_t *summary)
{
    g_autoptr(json_t) reply =
        call_tool_or_add_reason(passage, "window_list", "windows_problem", summary);
    const json_t *windows = json_object_get(reply, "windows");
    json_t *rows = json_array();
    for (size_t i = 0; i < json_array_size(windows) && i < MOST_WINDOWS; i++)
        json_array_append_new(rows, window_row(json_array_get(windows, i)));
    json_object_set_new(summary, "windows", rows);
    if (json_array_size(windows) > MOST_WINDOWS)
        json_object_set_new(summary, "more_windows",
                            json_integer((json_int_t)json_array_size(windows) - MOST_WINDOWS));
}

static void add_state(HfPassage *passage, json_t *summary)
{
    g_autoptr(json_t) reply =
        call_tool_or_add_reason(passage, "system_info", "state_problem", summary);
    g_autoptr(json_t) holds = hf_guard_describe_stop_state(passage->guard);
    json_t *state = json_object();
    if (reply)
        json_object_set_new(
            state, "locked",
            json_boolean(hf_json_bool(json_object_get(reply, "session"), "locked", FALSE)));
    json_object_set_new(state, "stopped",
                        json_boolean(json_is_object(json_object_get(holds, "stopped"))));
    json_object_set_new(state, "paused",
                        json_boolean(json_array_size(json_object_get(holds, "paused")) > 0));
    json_object_set_new(summary, "state", state);
}

static json_t *desktop_row(const json_t *desktop)
{
    static const char *const names[] = {"name", "kind", "state", "width", "height", "scale"};
    json_t *row = json_object();
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        json_t *value = json_object_get(desktop, names[i]);
        if (value)
            json_object_set(row, names[i], value);
    }
    return row;
}

static void add_desktops(const HfPassage *passage, json_t *summary)
{
    const HfGuard *guard = passage->guard;
    g_autoptr(json_t) all =
        guard->hands && guard->hands->desktops ? guard->hands->desktops(guard->data) : json_array();
    json_t *rows = json_array();
    hf_json_each (desktop, all)
        json_array_append_new(rows, desktop_row(desktop));
    json_object_set_new(summary, "desktop", hf_json_text(passage->desktop));
    json_object_set_new(summary, "desktops", rows);
}

static void add_sessions(const HfPassage *passage, json_t *summary)
{
    const HfGuard *guard = passage->guard;
    HfDeadline limit = hf_deadline_within_ms(&passage->deadline, ANSWER_MS);
    g_autoptr(GError) problem = NULL;
    json_t *sessions = guard->hands && guard->hands->sessions
                           ? guard->hands->sessions(passage->desktop, passage->request->caller,
                                                    &limit, guard->data, &problem)
                           : NULL;
    add_unknown_reason(summary, "sessions_problem", problem);
    json_object_set_new(summary, "sessions", sessions ? sessions : json_array());
}

static void add_operations(const HfPassage *passage, json_t *summary)
{
    g_autoptr(json_t) reply =
        hf_operations_describe(passage->guard->operations, passage->request->caller, 50, NULL);
    json_t *running = json_array();
    hf_json_each (operation, json_object_get(reply, "operations"))
        if (!json_object_get(operation, "ended_ms"))
            json_array_append_new(running, json_pack("{s:O, s:O, s:O}", "id",
                                                     json_object_get(operation, "id"), "tool",
                                                     json_object_get(operation, "tool"), "status",
                                                     json_object_get(operation, "status")));
    json_object_set_new(summary, "operations", running);
}

HfResult *hf_env_summary_run(HfPassage *passage, GError **error)
{
    json_t *summary = json_object();
    HfResult *result = hf_result_new(summary);
    add_desktops(passage, summary);
    add_state(passage, summary);
    add_windows(passage, summary);
    add_sessions(passage, summary);
    add_operations(passage, summary);
    add_programs(summary);
    add_workspace(passage, summary);
    add_rights(passage, summary);
    add_summary_limits(summary);
    if (hf_deadline_check(&passage->deadline, error))
        return result;
    hf_result_free(result);
    return NULL;
}
