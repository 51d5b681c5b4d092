/* SPDX-License-Identifier: Apache-2.0 */
/* env_summary: what the caller can use now. The desk does it:
 * desk/guard/desk-tools/env-summary.c. */
#include "shared/tool/tool.h"

static const HfParam params[] = {{0}};

static const HfParam thing = {.type = HF_TYPE_OBJECT};
static const HfParam name = {.type = HF_TYPE_STRING};

static const HfParam result[] = {
    HF_STRING("desktop", "The desktop that this is about", .required = TRUE),
    HF_ARRAY("desktops", "All desktops: name, kind, state, size", .required = TRUE,
             .items = &thing),
    HF_OBJECT("state", "locked, stopped, paused", .required = TRUE),
    HF_ARRAY("windows", "Windows of that desktop: window_id, title, app, focused", .required = TRUE,
             .items = &thing),
    HF_INTEGER("more_windows", "How many are not listed"),
    HF_OBJECT("windows_problem", "Why the windows are unknown"),
    HF_OBJECT("state_problem", "Why the state is unknown"),
    HF_ARRAY("sessions", "Your open shells: session_id, cwd, pty, busy, idle_ms", .required = TRUE,
             .items = &thing),
    HF_OBJECT("sessions_problem", "Why the shells are unknown"),
    HF_ARRAY("operations", "Your calls in the background: id, tool, status", .required = TRUE,
             .items = &thing),
    HF_ARRAY("browsers", "Installed", .required = TRUE, .items = &name),
    HF_ARRAY("language_servers", "Installed, with their languages", .required = TRUE,
             .items = &name),
    HF_ARRAY("shells", "Installed", .required = TRUE, .items = &name),
    HF_OBJECT("workspace",
              "directories: lists of allowed directories, which all apply; anywhere: there is no "
              "such limit; max_file_size",
              .required = TRUE),
    HF_OBJECT("caller", "Who you are: name, level, grant", .required = TRUE),
    HF_OBJECT("tools", "The tools that you may use, by category", .required = TRUE),
    HF_OBJECT("limits", "timeout_ms, macro_steps, workflow_steps, operations at a time",
              .required = TRUE),
    {0},
};

const HfTool hf_tool_env_summary = {
    .name = "env_summary",
    .title = "What can be used",
    .summary = "Summarise what can be used right now: desktops, windows, open shells, installed "
               "browsers and language servers, allowed directories, the tools that you may call, "
               "limits, and whether the desktop is locked or stopped. Call this first",
    .category = HF_CATEGORY_SYSTEM,
    .risk = HF_RISK_LOW,
    .level = HF_LEVEL_READ_ONLY,
    .needs = HF_NEEDS_NEITHER,
    .channel = HF_CHANNEL_SEMANTIC,
    .reads = HF_READS_SCREEN | HF_READS_PROGRAMS,
    .effects = HF_EFFECT_NONE,
    .target = HF_TARGET_NOTHING,
    .flags = HF_TOOL_READ_ONLY | HF_TOOL_IDEMPOTENT | HF_TOOL_WALLED,
    .pace = HF_PACE_FREE,
    .verifies = HF_VERIFY_NOTHING,
    .timeout_ms = 15000,
    .params = params,
    .result = result,
    .service = HF_SERVICE_ENVIRONMENT,
};
