/* The result of an undo. */
#include "tools/flow/undo.h"

static const HfParam undone_fields[] = {
    {.name = "step_id", .type = HF_TYPE_STRING, .required = TRUE, .about = "That was taken back"},
    {.name = "tool", .type = HF_TYPE_STRING, .required = TRUE, .about = "That had made the change"},
    {.name = "by", .type = HF_TYPE_STRING, .required = TRUE, .about = "The step that took it back"},
    {0},
};
static const HfParam undone = {.type = HF_TYPE_OBJECT, .fields = undone_fields};

const HfParam hf_undo_result[] = {
    {.name = "undone",
     .type = HF_TYPE_ARRAY,
     .required = TRUE,
     .items = &undone,
     .about = "The changes that were taken back, the latest first"},
    {0},
};
