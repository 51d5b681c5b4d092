/* SPDX-License-Identifier: Apache-2.0 */
/* What was in files before they were changed, so that a change can be taken back: by its SHA-256,
 * once however often it is kept, readable by the user alone, and not for ever: the oldest goes when
 * there is too much. Written before the change. */
#pragma once

#include <glib.h>

/* Where: a directory of the desk's data, made when missing. Before any thread. NULL: nowhere, and
 * nothing can be taken back. */
gboolean hf_undo_store_open(const char *directory, GError **error);
char *hf_undo_store_dup_directory(void);

/* STORAGE_FAILED, LIMIT_EXCEEDED. */
gboolean hf_undo_store_put(GBytes *bytes, const char *sha256, GError **error);
/* PRECONDITION_FAILED when it is not kept any more, or is not what it was. */
GBytes *hf_undo_store_get(const char *sha256, GError **error);

/* The word by which that content may be put back at that path, with those permissions, and nowhere
 * else: who knows a hash must not get by it what lies outside its walls. `mode_then`: those that it
 * had after the change. */
char *hf_undo_store_dup_token(const char *sha256, guint mode, guint mode_then, const char *path);
/* INVALID_PARAMS when it is none of ours for this path. */
gboolean hf_undo_store_read_token(const char *word, const char *path, char **ret_sha256,
                                  guint *ret_mode, guint *ret_mode_then, GError **error);

/* Takes the oldest away until no more than `most` bytes are left. What is left. */
gsize hf_undo_store_prune(gsize most);
