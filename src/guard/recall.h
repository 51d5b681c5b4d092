/* Exactly once: a call that carries an `idempotency_key` is done at most one time, whatever happens
 * to the desk, the hand or the caller, and asked again gets the answer that it had. */
#pragma once

#include "store/store.h"

typedef struct HfRecall HfRecall;
/* One call that is being done, or was. */
typedef struct HfRecallEntry HfRecallEntry;

HfRecall *hf_recall_new(HfStore *store);
void hf_recall_free(HfRecall *recall);

/* For the audit's steps: what has to last together with the intent, and with the result. NULL when
 * there is nothing. `entry` may be NULL. */
HfStoreWork hf_recall_work_before(HfRecallEntry *entry);
struct HfPassage;
/* What was asked, as a hash: the same key for anything else is a mistake. */
char *hf_recall_dup_hash(const struct HfPassage *passage);
HfStoreWork hf_recall_work_after(HfRecallEntry *entry, const struct HfPassage *passage);
