/* SPDX-License-Identifier: Apache-2.0 */
/* run_macro: several calls in one, with no call of others in between. The desk does it:
 * desk/guard/flow/flow.c. */
#include "hand/tools/flow/flow-schema.h"

static const char *const reactions[] = {"stop", "continue", "retry", NULL};

static const HfParam step_fields[] = {
    HF_STRING("tool", "Any tool except run_macro and the undo tools", .required = TRUE, .min = 1,
              .max = HF_LIMIT_NAME_BYTES),
    HF_OBJECT("params", "Its parameters; of the common ones only timeout_ms, reason and approval"),
    HF_INTEGER("delay_ms",
               "Wait before the step: milliseconds, or [from, to] for a random time between them",
               .min = 0, .max = HF_LIMIT_MACRO_DELAY_MS, .also = &hf_flow_delay_range),
    HF_STRING("screenshot", "Take a picture of the screen around the step (default: none)",
              .choices = hf_flow_screenshot_times),
    HF_STRING("on_failure",
              "When the step fails: end the macro, go on with the next step, or try again and end "
              "the macro if that fails too (default: the macro's)",
              .choices = reactions),
    HF_INTEGER("retries", "For retry: how many more times to try (default: 2)", .min = 1,
               .max = HF_LIMIT_MACRO_RETRIES),
    HF_INTEGER("retry_delay_ms", "For retry: how long to wait before each (default: 500)", .min = 0,
               .max = HF_LIMIT_MACRO_DELAY_MS),
    {0},
};
static const HfParam step = {.type = HF_TYPE_OBJECT, .fields = step_fields};

static const HfParam params[] = {
    HF_ARRAY("steps", "The steps, in order: [{tool, params, delay_ms, screenshot, on_failure}]",
             .required = TRUE, .means = HF_MEANS_CALLS, .min = 1, .max = HF_LIMIT_MACRO_STEPS,
             .items = &step),
    HF_STRING("on_failure", "For steps without their own on_failure", .choices = reactions,
              .fallback = "\"stop\""),
    {0},
};

static const HfParam done_fields[] = {
    HF_INTEGER("index", "Number of the step, from 0", .required = TRUE),
    HF_STRING("tool", "The tool that was called", .required = TRUE),
    HF_BOOLEAN("ok", "Whether it succeeded", .required = TRUE),
    HF_FIELDS_OF_STEP,
    {0},
};
static const HfParam done = {.type = HF_TYPE_OBJECT, .fields = done_fields};

static const HfParam result[] = {
    HF_ARRAY("steps", "The steps that were begun, in order", .required = TRUE, .items = &done),
    HF_INTEGER("failed", "How many of them failed", .required = TRUE),
    {0},
};

const HfTool hf_tool_run_macro = {
    .name = "run_macro",
    .title = "Run a macro",
    .summary = "Do several steps in one call, with no call of others in between: saves round trips "
               "when the next steps are known. Each step is an ordinary tool call. All are checked "
               "before the first is done. A step that fails ends the macro; details.done.steps of "
               "the error says what was done",
    .category = HF_CATEGORY_FLOW,
    .risk = HF_RISK_LOW,
    .level = HF_LEVEL_READ_ONLY,
    .needs = HF_NEEDS_INPUT,
    .channel = HF_CHANNEL_SEMANTIC,
    .reads = HF_READS_ANYTHING,
    .effects = HF_EFFECT_NONE,
    .target = HF_TARGET_NOTHING,
    .pace = HF_PACE_FREE,
    .verifies = HF_VERIFY_NOTHING,
    .timeout_ms = 120000,
    .params = params,
    .result = result,
    .service = HF_SERVICE_MACRO,
};
