/* SPDX-License-Identifier: Apache-2.0 */
/* The result of asking for an operation. */
#include "hand/tools/flow/operation-result.h"

static const HfParam approval_fields[] = {
    {.name = "id", .type = HF_TYPE_STRING, .required = TRUE, .about = "Of the question"},
    {.name = "expires_ms",
     .type = HF_TYPE_INTEGER,
     .required = TRUE,
     .about = "When it is too late, in milliseconds since 1970"},
    {0},
};

const HfParam hf_operation_result[] = {
    {.name = "id", .type = HF_TYPE_STRING, .required = TRUE, .about = "Of the operation"},
    {.name = "status",
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .about = "running, waiting_approval, done, failed, cancelled, or lost when the desk ended in "
              "the middle of it"},
    {.name = "tool", .type = HF_TYPE_STRING, .required = TRUE, .about = "What it does"},
    {.name = "desktop", .type = HF_TYPE_STRING, .required = TRUE, .about = "Where"},
    {.name = "run_id", .type = HF_TYPE_STRING, .required = TRUE, .about = "Its run"},
    {.name = "step_id", .type = HF_TYPE_STRING, .required = TRUE, .about = "For undo_to"},
    {.name = "started_ms",
     .type = HF_TYPE_INTEGER,
     .required = TRUE,
     .about = "Milliseconds since 1970"},
    {.name = "ended_ms", .type = HF_TYPE_INTEGER, .about = "Milliseconds since 1970, at its end"},
    {.name = "duration_ms",
     .type = HF_TYPE_INTEGER,
     .required = TRUE,
     .about = "How long it took, or has taken until now"},
    {.name = "cancelling",
     .type = HF_TYPE_BOOLEAN,
     .about = "It was called off and has not ended yet"},
    {.name = "approval",
     .type = HF_TYPE_OBJECT,
     .fields = approval_fields,
     .about = "The owner's answer that it waits for"},
    {.name = "progress",
     .type = HF_TYPE_OBJECT,
     .about = "How far it is, where that is known: {done, steps, at}"},
    {.name = "answer",
     .type = HF_TYPE_OBJECT,
     .about =
         "The whole answer of the call, once it has ended: {ok, result or error, effect, ...}"},
    {0},
};
