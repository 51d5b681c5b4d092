/* SPDX-License-Identifier: Apache-2.0 */
/* The journal says what to complete or undo after a hand was killed while it changed files: one
 * file for each set of changes, in the desk's data directory. The next hand, on any desktop,
 * recovers before anything else. */
#pragma once

#include "hand/files/change/file-changes.h"
#include "shared/base/deadline.h"

typedef struct HfChangeJournal HfChangeJournal;

/* Only one set of changes at a time, across all hands. Returns the lock's descriptor, or -1. */
int hf_change_journal_lock(const HfDeadline *deadline, GError **error);

/* Records which temporary names will appear where (HfChangeStep). STORAGE_FAILED. */
HfChangeJournal *hf_change_journal_begin(const HfFileChanges *changes, const GPtrArray *steps,
                                         GError **error);
/* Records that from now on all steps have to be completed. */
gboolean hf_change_journal_commit(HfChangeJournal *journal, const GPtrArray *steps, GError **error);
/* Removes the journal: nothing is left to do. */
void hf_change_journal_end(HfChangeJournal *journal);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfChangeJournal, hf_change_journal_end)

/* Removes an empty directory, if its path contains no links. */
void hf_change_journal_remove_directory(const HfFileWalls *walls, const char *path);

/* Completes or undoes the changes of dead hands. Returns how many sets there were. One that lies
 * outside the walls waits until they allow it again. */
guint hf_file_changes_recover(const HfFileWalls *walls);
