/* SPDX-License-Identifier: Apache-2.0 */
/* Files with text of others in them: what a browser downloaded, and what a tainted caller wrote.
 * To run one needs the owner's answer, whoever asks. A file is known by its path, and by its inode
 * where the desk can see it, so that links and new names do not hide it. */
#pragma once

#include <jansson.h>

#include "desk/policy/identity/caller.h"
#include "desk/records/store/store.h"

typedef struct HfTaintedFiles HfTaintedFiles;

HfTaintedFiles *hf_tainted_files_new(HfStore *store, GError **error);
void hf_tainted_files_free(HfTaintedFiles *files);

void hf_tainted_files_add(HfTaintedFiles *files, const char *path, const HfCaller *caller,
                          const char *tool);

/* Each says which of these files the text names in a way that may run it, as
 * {file, tool, name, since, clear}; NULL: none. Programs of a short list that only show a file may
 * have it. Where the text does not decide which file it is, names are compared. Files that came
 * more than `keep_ms` ago do not count. */
json_t *hf_tainted_files_in_command(HfTaintedFiles *files, const char *text, gint64 keep_ms);
json_t *hf_tainted_files_in_arguments(HfTaintedFiles *files, const char *const *arguments,
                                      gint64 keep_ms);
json_t *hf_tainted_files_at_path(HfTaintedFiles *files, const char *path, gint64 keep_ms);

/* What still counts, in the same form and with {key}. */
json_t *hf_tainted_files_list(HfTaintedFiles *files, gint64 keep_ms);
/* Those of one caller (by its key), or all (NULL). */
gboolean hf_tainted_files_clear(HfTaintedFiles *files, const char *key, GError **error);
