/* SPDX-License-Identifier: Apache-2.0 */
/* run_workflow: steps that depend on the results of earlier ones. The desk does it:
 * desk/guard/flow/flow.c. */
#include "hand/tools/flow/flow-schema.h"

static const char *const reactions[] = {"stop", "continue", NULL};

static const HfParam inner = {.type = HF_TYPE_OBJECT, .about = "A step like those at the top"};
static const HfParam reference = {.type = HF_TYPE_STRING, .max = HF_LIMIT_FLOW_REFERENCE_BYTES};

static const HfParam retry_fields[] = {
    HF_INTEGER("times", "How many more times to try", .required = TRUE, .min = 1,
               .max = HF_LIMIT_MACRO_RETRIES),
    HF_INTEGER("delay_ms", "How long to wait before each (default: 500)", .min = 0,
               .max = HF_LIMIT_MACRO_DELAY_MS),
    {0},
};

static const HfParam step_fields[] = {
    HF_STRING("name", "Name by which later steps refer to it: ${steps.NAME.result.MEMBER}",
              .min = 1, .max = 64),
    HF_STRING("tool", "Any tool except macros, workflows and the undo tools", .min = 1,
              .max = HF_LIMIT_NAME_BYTES),
    HF_OBJECT("params",
              "Its parameters; a text \"${...}\" is replaced by the value that it refers to"),
    HF_ARRAY("steps", "Instead of a tool: a group of steps", .min = 1, .max = HF_LIMIT_FLOW_STEPS,
             .items = &inner),
    HF_OBJECT("if", "Do it only when this holds: {equals: [A, B]}, {contains: [A, B]}, {matches: "
                    "[TEXT, REGEX]}, {exists: \"${...}\"}, {ok: NAME}, {less: [A, B]}, {greater: "
                    "[A, B]}, {and: [...]}, {or: [...]}, {not: {...}}"),
    HF_ARRAY("else", "Steps to do when `if` does not hold", .min = 1, .max = HF_LIMIT_FLOW_STEPS,
             .items = &inner),
    HF_ARRAY("for_each", "Do it once for each member of this list: ${item} and ${index}",
             .max = HF_LIMIT_FLOW_ITEMS, .also = &reference),
    HF_STRING("as", "The name to use for the members instead of item", .min = 1, .max = 64),
    HF_OBJECT("until", "A condition that must hold afterwards, on ${result.MEMBER}; with retry the "
                       "step is tried until it does"),
    HF_OBJECT("retry",
              "Try again when it fails; never done when the step may have had its effect already",
              .fields = retry_fields),
    HF_ARRAY("otherwise", "Steps to do instead when it fails", .min = 1, .max = HF_LIMIT_FLOW_STEPS,
             .items = &inner),
    HF_STRING("on_failure",
              "When all of that fails: end the workflow, or continue (default: the workflow's)",
              .choices = reactions),
    HF_INTEGER("timeout_ms", "Time limit of the step with all its attempts", .min = 1,
               .max = HF_LIMIT_TIMEOUT_MS),
    HF_INTEGER("delay_ms", "Wait before it: milliseconds, or [from, to]", .min = 0,
               .max = HF_LIMIT_MACRO_DELAY_MS, .also = &hf_flow_delay_range),
    HF_STRING("screenshot", "Take a picture of the screen around it (default: none)",
              .choices = hf_flow_screenshot_times),
    {0},
};
static const HfParam step = {.type = HF_TYPE_OBJECT, .fields = step_fields};

static const HfParam params[] = {
    HF_ARRAY("steps", "The steps, in order", .required = TRUE, .means = HF_MEANS_CALLS, .min = 1,
             .max = HF_LIMIT_FLOW_STEPS, .items = &step),
    HF_OBJECT("vars", "Your own values, for ${vars.NAME}", .secret = TRUE),
    HF_STRING("on_failure", "For steps without their own on_failure", .choices = reactions,
              .fallback = "\"stop\""),
    HF_BOOLEAN(
        "exclusive",
        "Keep the desktop for the whole workflow, so that no call of others comes in between",
        .fallback = "false"),
    {0},
};

static const HfParam done_fields[] = {
    HF_INTEGER("index", "Its number in this list, from 0", .required = TRUE),
    HF_STRING("place", "Its place in the workflow: steps[1].otherwise[0]", .required = TRUE),
    HF_STRING("name", "Its name, if it has one"),
    HF_STRING("tool", "The tool that was called; a group has none"),
    HF_INTEGER("iteration", "In a loop: which round, from 0"),
    HF_BOOLEAN("ok", "Whether it succeeded", .required = TRUE),
    HF_BOOLEAN("skipped", "Its condition did not hold"),
    HF_FIELDS_OF_STEP,
    {0},
};
static const HfParam done = {.type = HF_TYPE_OBJECT, .fields = done_fields};

static const HfParam result[] = {
    HF_ARRAY("steps", "The steps that were begun or skipped, in order", .required = TRUE,
             .items = &done),
    HF_INTEGER("failed", "How many of them failed", .required = TRUE),
    HF_INTEGER("skipped", "How many of them were skipped", .required = TRUE),
    {0},
};

const HfTool hf_tool_run_workflow = {
    .name = "run_workflow",
    .title = "Run a workflow",
    .summary = "Do steps that depend on one another in one call: conditions on earlier results, "
               "values from them, alternatives, retries, loops, time limits. Each step is an "
               "ordinary tool call. What is known is checked before the first is done. When it "
               "ends early, details.done.steps of the error says what was done",
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
    .timeout_ms = 300000,
    .params = params,
    .result = result,
    .service = HF_SERVICE_WORKFLOW,
};
