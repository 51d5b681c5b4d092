/* SPDX-License-Identifier: Apache-2.0 */
/* env_summary: what can be used right now. The desk does it: desk/guard/desk-tools/env-summary.c.
 */
#include "shared/tool/tool.h"

static const HfParam params[] = {{0}};

#define LIST(field, item, text)                                                                    \
    {                                                                                              \
        .name = field, .type = HF_TYPE_ARRAY, .required = TRUE, .items = &(item), .about = text    \
    }
#define THING(field, text)                                                                         \
    {                                                                                              \
        .name = field, .type = HF_TYPE_OBJECT, .required = TRUE, .about = text                     \
    }

static const HfParam thing = {.type = HF_TYPE_OBJECT};
static const HfParam name = {.type = HF_TYPE_STRING};

static const HfParam result[] = {
    {.name = "desktop", .type = HF_TYPE_STRING, .required = TRUE, .about = "That was asked about"},
    LIST("desktops", thing, "All desktops: name, kind, state, size"),
    THING("state", "locked, stopped, paused"),
    LIST("windows", thing, "Of that desktop: window_id, title, app, focused"),
    {.name = "more_windows", .type = HF_TYPE_INTEGER, .about = "How many are not listed"},
    {.name = "windows_problem", .type = HF_TYPE_OBJECT, .about = "Why windows are not known"},
    {.name = "state_problem", .type = HF_TYPE_OBJECT, .about = "Why the state is not known"},
    LIST("sessions", thing, "Your open shells: session_id, cwd, pty, busy, idle_ms"),
    {.name = "sessions_problem", .type = HF_TYPE_OBJECT, .about = "Why shells are not known"},
    LIST("operations", thing, "Your calls in the background: id, tool, status"),
    LIST("browsers", name, "Installed"),
    LIST("language_servers", name, "Installed, with their languages"),
    LIST("shells", name, "Installed"),
    THING("workspace", "directories: lists of where files may be used, all of which hold; "
                       "anywhere: none of them does; max_file_size"),
    THING("caller", "Who you are to the desk: name, level, grant"),
    THING("tools", "The tools that you may use, by category"),
    THING("limits", "timeout_ms, macro_steps, workflow_steps, operations at a time"),
    {0},
};

const HfTool hf_tool_env_summary = {
    .name = "env_summary",
    .title = "What can be used",
    .summary = "Tell in short what can be used right now: desktops, windows, open shells, browsers "
               "and language servers that are installed, directories that are allowed, the tools "
               "that you may call, limits, and whether the desktop is locked or stopped. Ask this "
               "first",
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
