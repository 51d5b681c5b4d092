/* SPDX-License-Identifier: Apache-2.0 */
/* Saves and loads the answer of an operation: JSON in the store, binary parts as private files
 * beside it. */
#pragma once

#include "desk/guard/passage.h"
#include "desk/records/store/operation-rows.h"

/* An answer as JSON, and its binary parts by the same fields as in the result. */
typedef struct HfStoredAnswer {
    json_t *answer;
    GPtrArray *parts; /* of HfAttachment */
} HfStoredAnswer;

void hf_stored_answer_clear(HfStoredAnswer *stored);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfStoredAnswer, hf_stored_answer_clear)
HfStoredAnswer hf_stored_answer_of(const HfAnswer *answer);
gsize hf_stored_answer_bytes(const HfStoredAnswer *stored);

typedef struct HfAnswerSaveOptions {
    const char *directory;
    const HfTool *tool;   /* NULL: the tool no longer exists */
    const json_t *params; /* of the call: an answer may repeat their secrets */
    gboolean pictures;    /* whether binary parts may be written */
} HfAnswerSaveOptions;

/* Fills the row's answer and parts and writes the files. */
void hf_operation_save_answer(HfOperationRow *row, const HfStoredAnswer *stored,
                              const HfAnswerSaveOptions *options);
/* Loads it; a part whose file is gone is reported as not kept. */
HfStoredAnswer hf_operation_load_answer(const HfOperationRow *row, const char *directory);
/* Removes files that no row names: a desk that ended early left them. */
void hf_operation_remove_orphan_files(const GPtrArray *rows, const char *directory);
/* Removes the files of deleted rows. */
void hf_operation_remove_files(const GPtrArray *rows, const char *directory);
