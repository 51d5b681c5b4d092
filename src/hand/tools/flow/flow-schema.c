/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters and results that the flow tools share. */
#include "hand/tools/flow/flow-schema.h"

const char *const hf_flow_screenshot_times[] = {"none", "before", "after", "both", NULL};

static const HfParam delay_bound = {
    .type = HF_TYPE_INTEGER, .min = 0, .max = HF_LIMIT_MACRO_DELAY_MS, .about = "Milliseconds"};
const HfParam hf_flow_delay_range = {
    .type = HF_TYPE_ARRAY, .min = 2, .max = 2, .items = &delay_bound, .about = "From and to"};

const HfParam hf_flow_picture_fields[] = {
    HF_OBJECT("before", "The result of screenshot, or {error}"),
    HF_OBJECT("after", "The result of screenshot, or {error}"),
    {0},
};

static const HfParam approval_fields[] = {
    HF_STRING("id", "Id of the request for approval", .required = TRUE),
    HF_INTEGER("expires_ms", "When it expires, in milliseconds since 1970", .required = TRUE),
    {0},
};

const HfParam hf_operation_result[] = {
    HF_STRING("id", "Id of the operation", .required = TRUE),
    HF_STRING("status",
              "running, waiting_approval, done, failed, cancelled, or lost when the desk ended "
              "before it did",
              .required = TRUE),
    HF_STRING("tool", "The tool that it calls", .required = TRUE),
    HF_STRING("desktop", "The desktop that it runs on", .required = TRUE),
    HF_STRING("run_id", "The run that it belongs to", .required = TRUE),
    HF_STRING("step_id", "Its step, for undo_to", .required = TRUE),
    HF_INTEGER("started_ms", "When it began, in milliseconds since 1970", .required = TRUE),
    HF_INTEGER("ended_ms", "When it ended, in milliseconds since 1970"),
    HF_INTEGER("duration_ms", "How long it took, or has taken so far", .required = TRUE),
    HF_BOOLEAN("cancelling", "It was cancelled and has not ended yet"),
    HF_OBJECT("approval", "The owner's approval that it waits for", .fields = approval_fields),
    HF_OBJECT("progress", "How far it is, when known: {done, steps, at}"),
    HF_OBJECT(
        "answer",
        "The whole answer of the call, once it has ended: {ok, result or error, effect, ...}"),
    {0},
};

static const HfParam undone_fields[] = {
    HF_STRING("step_id", "The step that was undone", .required = TRUE),
    HF_STRING("tool", "The tool that made the change", .required = TRUE),
    HF_STRING("what", "What it had changed, when that has a name"),
    HF_STRING("by", "The step that undid it", .required = TRUE),
    {0},
};
static const HfParam left_fields[] = {
    HF_STRING("step_id", "The step that was skipped", .required = TRUE),
    HF_STRING("tool", "The tool that made the change", .required = TRUE),
    HF_STRING("why", "Why it cannot be undone", .required = TRUE),
    {0},
};
static const HfParam left = {.type = HF_TYPE_OBJECT, .fields = left_fields};
static const HfParam undone = {.type = HF_TYPE_OBJECT, .fields = undone_fields};

const HfParam hf_undo_result[] = {
    HF_ARRAY("undone", "The changes that were undone, latest first", .required = TRUE,
             .items = &undone),
    HF_ARRAY("left", "With skip: what was skipped", .items = &left),
    {0},
};
