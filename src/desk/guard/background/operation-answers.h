/* SPDX-License-Identifier: Apache-2.0 */
/* What of an operation's answer lasts: in the store what may be written down, its binary parts as
 * files of the owner's alone beside it. */
#pragma once

#include "desk/guard/passage.h"
#include "desk/records/store/operation-rows.h"

/* An answer as it was told, and its binary parts; the fields of those are as in the result. */
typedef struct HfStoredAnswer {
    json_t *answer;
    GPtrArray *parts; /* of HfAttachment */
} HfStoredAnswer;

void hf_stored_answer_clear(HfStoredAnswer *told);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfStoredAnswer, hf_stored_answer_clear)
HfStoredAnswer hf_stored_answer_of(const HfAnswer *answer);
gsize hf_stored_answer_bytes(const HfStoredAnswer *told);

typedef struct HfAnswerSaveOptions {
    const char *directory;
    const HfTool *tool;   /* NULL: it is none any more */
    const json_t *params; /* of the call: an answer may repeat what is secret in them */
    gboolean pictures;    /* whether binary parts may be written at all */
} HfAnswerSaveOptions;

/* Fills the row's answer and parts and writes the files. */
void hf_operation_save_answer(HfOperationRow *row, const HfStoredAnswer *told,
                              const HfAnswerSaveOptions *keeping);
/* And back; a part whose file is gone is told as not kept. */
HfStoredAnswer hf_operation_load_answer(const HfOperationRow *row, const char *directory);
/* Removes files that no row of these knows: those of a desk that ended before it had written them
 * down. */
void hf_operation_remove_orphan_files(const GPtrArray *rows, const char *directory);
/* Removes the files of rows that are gone. */
void hf_operation_remove_files(const GPtrArray *rows, const char *directory);
