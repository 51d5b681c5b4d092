/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters and results that the flow tools share. */
#pragma once

#include "hand/tools/tools-limits.h"
#include "shared/base/limits.h"
#include "shared/tool/effect.h"

/* These tools return what any other tool has read. */
#define HF_READS_ANYTHING                                                                          \
    (HF_READS_SCREEN | HF_READS_PAGE | HF_READS_FILE | HF_READS_SHELL | HF_READS_CLIPBOARD |       \
     HF_READS_PROGRAMS)

#define HF_PARAM_OPERATION                                                                         \
    HF_STRING("id", "operation.id from the answer to the call with async", .required = TRUE,       \
              .means = HF_MEANS_PLAIN, .min = 1, .max = HF_LIMIT_NAME_BYTES)
#define HF_PARAM_SKIP HF_BOOLEAN("skip", "Skip what cannot be undone", .fallback = "false")

/* The end of a step's report in the result of a flow. */
#define HF_FIELDS_OF_STEP                                                                          \
    HF_STRING("step_id", "Step of its last call, for undo_to"),                                    \
        HF_INTEGER("attempts", "How many calls it took", .required = TRUE),                        \
        HF_NUMBER("duration_ms", "How long all of them took", .required = TRUE),                   \
        HF_OBJECT("result", "The result of the tool"), HF_OBJECT("error", "Why it failed"),        \
        HF_OBJECT("effect", "What it changed, for a step with verify: true",                       \
                  .fields = hf_effect_fields),                                                     \
        HF_OBJECT("screenshots", "The requested pictures", .fields = hf_flow_picture_fields)
extern const HfParam hf_flow_picture_fields[];

/* Of a step: [from, to] in milliseconds, and when to take pictures. */
extern const HfParam hf_flow_delay_range;
extern const char *const hf_flow_screenshot_times[];

/* Results of operation_status and operation_cancel, and of undo_last and undo_to. */
extern const HfParam hf_operation_result[];
extern const HfParam hf_undo_result[];
