/* SPDX-License-Identifier: Apache-2.0 */
/* What must be finished or taken back when a hand was killed while it changed files: one file for
 * each set of changes, in what the desk keeps. The hand that comes next, on whatever desktop, does
 * it before anything else. */
#pragma once

#include "hand/files/change/file-changes.h"
#include "shared/base/deadline.h"

typedef struct HfChangeJournal HfChangeJournal;

/* One set of changes at a time, of all hands. The lock's descriptor; -1 with the reason. */
int hf_change_journal_lock(const HfDeadline *deadline, GError **error);

/* Writes down which names of ours will appear where (of HfChangeStep). STORAGE_FAILED. */
HfChangeJournal *hf_change_journal_begin(const HfFileChanges *changes, const GPtrArray *steps,
                                         GError **error);
/* And that from now on all of it is to be done. */
gboolean hf_change_journal_commit(HfChangeJournal *journal, const GPtrArray *steps, GError **error);
/* Nothing is left to be done: the journal goes. */
void hf_change_journal_end(HfChangeJournal *journal);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfChangeJournal, hf_change_journal_end)

/* A directory without links in its path, if nothing is in it. */
void hf_change_journal_remove_directory(const char *path);

/* Finishes or takes back what was left by hands that are no more. How many sets that were. */
guint hf_file_changes_recover(void);
