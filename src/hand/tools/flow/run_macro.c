/* SPDX-License-Identifier: Apache-2.0 */
/* run_macro: several calls in one go, with nobody else's in between. The desk does it:
 * desk/guard/flow/flow.c. */
#include "shared/base/limits.h"
#include "shared/tool/effect.h"

static const char *const reactions[] = {"stop", "continue", "retry", NULL};
static const char *const moments[] = {"none", "before", "after", "both", NULL};

static const HfParam bound = {
    .type = HF_TYPE_INTEGER, .min = 0, .max = HF_LIMIT_MACRO_DELAY_MS, .about = "Milliseconds"};
static const HfParam span = {
    .type = HF_TYPE_ARRAY, .min = 2, .max = 2, .items = &bound, .about = "From and to"};

static const HfParam step_fields[] = {
    {.name = "tool",
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .min = 1,
     .max = HF_LIMIT_NAME_BYTES,
     .about = "Any tool but run_macro and those that undo"},
    {.name = "params",
     .type = HF_TYPE_OBJECT,
     .about = "Its parameters; of the common ones only timeout_ms, reason and approval"},
    {.name = "delay_ms",
     .type = HF_TYPE_INTEGER,
     .min = 0,
     .max = HF_LIMIT_MACRO_DELAY_MS,
     .also = &span,
     .about = "Wait before the step: milliseconds, or [from, to] for a random time between them"},
    {.name = "screenshot",
     .type = HF_TYPE_STRING,
     .choices = moments,
     .about = "Take a picture of the screen around the step (default: none)"},
    {.name = "on_failure",
     .type = HF_TYPE_STRING,
     .choices = reactions,
     .about = "When the step fails: end the macro, go on with the next step, or try again and end "
              "the macro if that fails too (default: the macro's)"},
    {.name = "retries",
     .type = HF_TYPE_INTEGER,
     .min = 1,
     .max = HF_LIMIT_MACRO_RETRIES,
     .about = "For retry: how many more times (default: 2)"},
    {.name = "retry_delay_ms",
     .type = HF_TYPE_INTEGER,
     .min = 0,
     .max = HF_LIMIT_MACRO_DELAY_MS,
     .about = "For retry: wait so long before each (default: 500)"},
    {0},
};
static const HfParam step = {.type = HF_TYPE_OBJECT, .fields = step_fields};

static const HfParam params[] = {
    {.name = "steps",
     .type = HF_TYPE_ARRAY,
     .required = TRUE,
     .means = HF_MEANS_CALLS,
     .min = 1,
     .max = HF_LIMIT_MACRO_STEPS,
     .items = &step,
     .about = "What to do, in this order: [{tool, params, delay_ms, screenshot, on_failure}]"},
    {.name = "on_failure",
     .type = HF_TYPE_STRING,
     .choices = reactions,
     .fallback = "\"stop\"",
     .about = "For steps that do not say it themselves"},
    {0},
};

static const HfParam picture_fields[] = {
    {.name = "before", .type = HF_TYPE_OBJECT, .about = "As screenshot answers, or {error}"},
    {.name = "after", .type = HF_TYPE_OBJECT, .about = "As screenshot answers, or {error}"},
    {0},
};
static const HfParam done_fields[] = {
    {.name = "index", .type = HF_TYPE_INTEGER, .required = TRUE, .about = "Of the step, from 0"},
    {.name = "tool", .type = HF_TYPE_STRING, .required = TRUE, .about = "That was called"},
    {.name = "ok", .type = HF_TYPE_BOOLEAN, .required = TRUE, .about = "Whether it was done"},
    {.name = "step_id", .type = HF_TYPE_STRING, .about = "Of its last call, for undo_to"},
    {.name = "attempts", .type = HF_TYPE_INTEGER, .required = TRUE, .about = "Calls that it took"},
    {.name = "duration_ms", .type = HF_TYPE_NUMBER, .required = TRUE, .about = "All of them"},
    {.name = "result", .type = HF_TYPE_OBJECT, .about = "What the tool answered"},
    {.name = "error", .type = HF_TYPE_OBJECT, .about = "Why it was not done"},
    {.name = "effect",
     .type = HF_TYPE_OBJECT,
     .fields = hf_effect_fields,
     .about = "What it brought about, for a step with verify: true"},
    {.name = "screenshots",
     .type = HF_TYPE_OBJECT,
     .fields = picture_fields,
     .about = "The pictures that were asked for"},
    {0},
};
static const HfParam done = {.type = HF_TYPE_OBJECT, .fields = done_fields};

static const HfParam result[] = {
    {.name = "steps",
     .type = HF_TYPE_ARRAY,
     .required = TRUE,
     .items = &done,
     .about = "The steps that were begun, in their order"},
    {.name = "failed",
     .type = HF_TYPE_INTEGER,
     .required = TRUE,
     .about = "How many of them were not done"},
    {0},
};

const HfTool hf_tool_run_macro = {
    .name = "run_macro",
    .title = "Run a macro",
    .summary = "Do several steps in one call, with nobody else's in between: saves round trips "
               "where the next steps are known. Each step is a call of a tool as usual. All are "
               "checked before the first is done. A step that fails ends it; the error's details "
               "tell in done.steps what was done",
    .category = HF_CATEGORY_FLOW,
    .risk = HF_RISK_LOW,
    .level = HF_LEVEL_READ_ONLY,
    .needs = HF_NEEDS_INPUT,
    .channel = HF_CHANNEL_SEMANTIC,
    .reads = HF_READS_SCREEN | HF_READS_PAGE | HF_READS_FILE | HF_READS_SHELL | HF_READS_CLIPBOARD |
             HF_READS_PROGRAMS,
    .effects = HF_EFFECT_NONE,
    .target = HF_TARGET_NOTHING,
    .pace = HF_PACE_FREE,
    .verifies = HF_VERIFY_NOTHING,
    .timeout_ms = 120000,
    .params = params,
    .result = result,
    .service = HF_SERVICE_MACRO,
};
