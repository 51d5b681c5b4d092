/* SPDX-License-Identifier: Apache-2.0 */
/* undo_last: undoes the latest change. The desk does it: desk/guard/desk-tools/undo.c. */
#include "hand/tools/flow/flow-schema.h"

static const char *const scopes[] = {"run", "desktop", NULL};

static const HfParam params[] = {
    HF_STRING("scope",
              "Whose changes: those of this run (run_id, else this connection), or anybody's on "
              "the desktop",
              .choices = scopes, .fallback = "\"run\""),
    HF_INTEGER("count", "How many changes, latest first; stops at the first that cannot be undone",
               .min = 1, .max = 100, .fallback = "1"),
    HF_PARAM_SKIP,
    {0},
};

const HfTool hf_tool_undo_last = {
    .name = "undo_last",
    .title = "Undo the last change",
    .summary = "Undo the latest change: files, clipboard, windows, fields, programs. Refuses what "
               "cannot be undone or was changed since",
    .category = HF_CATEGORY_FLOW,
    .risk = HF_RISK_LOW,
    .level = HF_LEVEL_STANDARD,
    .needs = HF_NEEDS_NEITHER,
    .channel = HF_CHANNEL_SEMANTIC,
    .reads = HF_READS_NOTHING,
    .effects = HF_EFFECT_NONE,
    .target = HF_TARGET_NOTHING,
    .pace = HF_PACE_FREE,
    .verifies = HF_VERIFY_NOTHING,
    .timeout_ms = 60000,
    .params = params,
    .result = hf_undo_result,
    .service = HF_SERVICE_UNDO_LAST,
};
