/* What of an operation's answer lasts: in the store what may be written down, its binary parts as
 * files of the owner's alone beside it. */
#pragma once

#include "guard/passage.h"
#include "store/operations.h"

/* An answer as it was told, and its binary parts; the fields of those are as in the result. */
typedef struct HfTold {
    json_t *answer;
    GPtrArray *parts; /* of HfAttachment */
} HfTold;

void hf_told_clear(HfTold *told);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfTold, hf_told_clear)
HfTold hf_told_of(const HfAnswer *answer);
gsize hf_told_bytes(const HfTold *told);

typedef struct HfKeeping {
    const char *directory;
    const HfTool *tool;   /* NULL: it is none any more */
    const json_t *params; /* of the call: an answer may repeat what is secret in them */
    gboolean pictures;    /* whether binary parts may be written at all */
} HfKeeping;

/* Fills the row's answer and parts and writes the files. */
void hf_operation_keep(HfOperationRow *row, const HfTold *told, const HfKeeping *keeping);
/* And back; a part whose file is gone is told as not kept. */
HfTold hf_operation_load(const HfOperationRow *row, const char *directory);
/* Removes files that no row of these knows: those of a desk that ended before it had written them
 * down. */
void hf_operation_sweep(const GPtrArray *rows, const char *directory);
/* Removes the files of rows that are gone. */
void hf_operation_forget(const GPtrArray *rows, const char *directory);
