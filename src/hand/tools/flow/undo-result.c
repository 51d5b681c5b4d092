/* SPDX-License-Identifier: Apache-2.0 */
/* The result of an undo. */
#include "hand/tools/flow/undo-result.h"

static const HfParam undone_fields[] = {
    {.name = "step_id", .type = HF_TYPE_STRING, .required = TRUE, .about = "That was taken back"},
    {.name = "tool", .type = HF_TYPE_STRING, .required = TRUE, .about = "That had made the change"},
    {.name = "what", .type = HF_TYPE_STRING, .about = "What it had changed, where that has a name"},
    {.name = "by", .type = HF_TYPE_STRING, .required = TRUE, .about = "The step that took it back"},
    {0},
};
static const HfParam left_fields[] = {
    {.name = "step_id", .type = HF_TYPE_STRING, .required = TRUE, .about = "That was passed over"},
    {.name = "tool", .type = HF_TYPE_STRING, .required = TRUE, .about = "That had made the change"},
    {.name = "why", .type = HF_TYPE_STRING, .required = TRUE, .about = "It has no way back"},
    {0},
};
static const HfParam left = {.type = HF_TYPE_OBJECT, .fields = left_fields};
static const HfParam undone = {.type = HF_TYPE_OBJECT, .fields = undone_fields};

const HfParam hf_undo_result[] = {
    {.name = "undone",
     .type = HF_TYPE_ARRAY,
     .required = TRUE,
     .items = &undone,
     .about = "The changes that were taken back, the latest first"},
    {.name = "left",
     .type = HF_TYPE_ARRAY,
     .items = &left,
     .about = "With skip: what was passed over"},
    {0},
};
