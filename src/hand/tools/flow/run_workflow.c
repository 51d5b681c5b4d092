/* SPDX-License-Identifier: Apache-2.0 */
/* run_workflow: steps that depend on what came of earlier ones. The desk does it:
 * desk/guard/flow/flow.c. */
#include "shared/base/limits.h"
#include "shared/tool/effect.h"

static const char *const reactions[] = {"stop", "continue", NULL};
static const char *const moments[] = {"none", "before", "after", "both", NULL};

static const HfParam bound = {
    .type = HF_TYPE_INTEGER, .min = 0, .max = HF_LIMIT_MACRO_DELAY_MS, .about = "Milliseconds"};
static const HfParam span = {
    .type = HF_TYPE_ARRAY, .min = 2, .max = 2, .items = &bound, .about = "From and to"};
static const HfParam inner = {.type = HF_TYPE_OBJECT, .about = "A step as those at the top"};
static const HfParam reference = {.type = HF_TYPE_STRING, .max = HF_LIMIT_FLOW_REFERENCE_BYTES};

static const HfParam retry_fields[] = {
    {.name = "times",
     .type = HF_TYPE_INTEGER,
     .required = TRUE,
     .min = 1,
     .max = HF_LIMIT_MACRO_RETRIES,
     .about = "How many more times"},
    {.name = "delay_ms",
     .type = HF_TYPE_INTEGER,
     .min = 0,
     .max = HF_LIMIT_MACRO_DELAY_MS,
     .about = "Wait so long before each (default: 500)"},
    {0},
};

static const HfParam step_fields[] = {
    {.name = "name",
     .type = HF_TYPE_STRING,
     .min = 1,
     .max = 64,
     .about = "By which later steps refer to it: ${steps.NAME.result.MEMBER}"},
    {.name = "tool",
     .type = HF_TYPE_STRING,
     .min = 1,
     .max = HF_LIMIT_NAME_BYTES,
     .about = "Any tool but macros, workflows and those that undo"},
    {.name = "params",
     .type = HF_TYPE_OBJECT,
     .about = "Its parameters; a text \"${...}\" becomes the value that it refers to"},
    {.name = "steps",
     .type = HF_TYPE_ARRAY,
     .min = 1,
     .max = HF_LIMIT_FLOW_STEPS,
     .items = &inner,
     .about = "In place of a tool: a group of steps"},
    {.name = "if",
     .type = HF_TYPE_OBJECT,
     .about = "Do it only when this holds: {equals: [A, B]}, {contains: [A, B]}, {matches: [TEXT, "
              "REGEX]}, {exists: \"${...}\"}, {ok: NAME}, {less: [A, B]}, {greater: [A, B]}, {and: "
              "[...]}, {or: [...]}, {not: {...}}"},
    {.name = "else",
     .type = HF_TYPE_ARRAY,
     .min = 1,
     .max = HF_LIMIT_FLOW_STEPS,
     .items = &inner,
     .about = "Steps that are done when `if` does not hold"},
    {.name = "for_each",
     .type = HF_TYPE_ARRAY,
     .max = HF_LIMIT_FLOW_ITEMS,
     .also = &reference,
     .about = "Do it once for each member of this list: ${item} and ${index}"},
    {.name = "as",
     .type = HF_TYPE_STRING,
     .min = 1,
     .max = 64,
     .about = "Another name than item for the members"},
    {.name = "until",
     .type = HF_TYPE_OBJECT,
     .about = "A condition that must hold after it, about ${result.MEMBER}; with retry it is tried "
              "until it does"},
    {.name = "retry",
     .type = HF_TYPE_OBJECT,
     .fields = retry_fields,
     .about = "Try again when it fails; never what may have happened already"},
    {.name = "otherwise",
     .type = HF_TYPE_ARRAY,
     .min = 1,
     .max = HF_LIMIT_FLOW_STEPS,
     .items = &inner,
     .about = "Steps that are done in its place when it fails"},
    {.name = "on_failure",
     .type = HF_TYPE_STRING,
     .choices = reactions,
     .about = "When all of that fails: end the workflow, or go on (default: the workflow's)"},
    {.name = "timeout_ms",
     .type = HF_TYPE_INTEGER,
     .min = 1,
     .max = HF_LIMIT_TIMEOUT_MS,
     .about = "For the step with all of its attempts"},
    {.name = "delay_ms",
     .type = HF_TYPE_INTEGER,
     .min = 0,
     .max = HF_LIMIT_MACRO_DELAY_MS,
     .also = &span,
     .about = "Wait before it: milliseconds, or [from, to]"},
    {.name = "screenshot",
     .type = HF_TYPE_STRING,
     .choices = moments,
     .about = "Take a picture of the screen around it (default: none)"},
    {0},
};
static const HfParam step = {.type = HF_TYPE_OBJECT, .fields = step_fields};

static const HfParam params[] = {
    {.name = "steps",
     .type = HF_TYPE_ARRAY,
     .required = TRUE,
     .means = HF_MEANS_CALLS,
     .min = 1,
     .max = HF_LIMIT_FLOW_STEPS,
     .items = &step,
     .about = "What to do, in this order"},
    {.name = "vars",
     .type = HF_TYPE_OBJECT,
     .secret = TRUE,
     .about = "Values of your own, for ${vars.NAME}"},
    {.name = "on_failure",
     .type = HF_TYPE_STRING,
     .choices = reactions,
     .fallback = "\"stop\"",
     .about = "For steps that do not say it themselves"},
    {.name = "exclusive",
     .type = HF_TYPE_BOOLEAN,
     .fallback = "false",
     .about = "Keep the desktop for all of it, so that no call of others comes in between"},
    {0},
};

static const HfParam picture_fields[] = {
    {.name = "before", .type = HF_TYPE_OBJECT, .about = "As screenshot answers, or {error}"},
    {.name = "after", .type = HF_TYPE_OBJECT, .about = "As screenshot answers, or {error}"},
    {0},
};
static const HfParam done_fields[] = {
    {.name = "index", .type = HF_TYPE_INTEGER, .required = TRUE, .about = "In this list, from 0"},
    {.name = "place",
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .about = "Where it is written: steps[1].otherwise[0]"},
    {.name = "name", .type = HF_TYPE_STRING, .about = "Its name, if it has one"},
    {.name = "tool", .type = HF_TYPE_STRING, .about = "That was called; a group has none"},
    {.name = "iteration", .type = HF_TYPE_INTEGER, .about = "In a loop: which round, from 0"},
    {.name = "ok", .type = HF_TYPE_BOOLEAN, .required = TRUE, .about = "Whether it was done"},
    {.name = "skipped", .type = HF_TYPE_BOOLEAN, .about = "Its condition did not hold"},
    {.name = "step_id", .type = HF_TYPE_STRING, .about = "Of its last call, for undo_to"},
    {.name = "attempts", .type = HF_TYPE_INTEGER, .required = TRUE, .about = "Calls that it took"},
    {.name = "duration_ms", .type = HF_TYPE_NUMBER, .required = TRUE, .about = "All of them"},
    {.name = "result", .type = HF_TYPE_OBJECT, .about = "What the tool answered"},
    {.name = "error", .type = HF_TYPE_OBJECT, .about = "Why it was not done"},
    {.name = "effect",
     .type = HF_TYPE_OBJECT,
     .fields = hf_effect_fields,
     .about = "What it brought about"},
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
     .about = "The steps that were begun or passed over, in their order"},
    {.name = "failed",
     .type = HF_TYPE_INTEGER,
     .required = TRUE,
     .about = "How many of them were not done"},
    {.name = "skipped",
     .type = HF_TYPE_INTEGER,
     .required = TRUE,
     .about = "How many of them were passed over"},
    {0},
};

const HfTool hf_tool_run_workflow = {
    .name = "run_workflow",
    .title = "Run a workflow",
    .summary = "Do steps that depend on one another in one call: conditions on earlier results, "
               "values taken from them, alternatives, retries, loops, time limits. Each step is a "
               "call of a tool as usual. What is known is checked before the first is done. The "
               "error of one that ends early tells in details.done.steps what was done",
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
    .timeout_ms = 300000,
    .params = params,
    .result = result,
    .service = HF_SERVICE_WORKFLOW,
};
