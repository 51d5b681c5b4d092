/* SPDX-License-Identifier: Apache-2.0 */
/* Old contents of changed files, for undo. Each content is stored once, under its SHA-256, readable
 * by the user alone, and before the change is made. The oldest are removed when there are too many.
 */
#pragma once

#include <glib.h>

/* Sets the directory, in the desk's data, and creates it if needed. Call before any thread starts.
 * NULL: nothing is stored, and nothing can be undone. */
gboolean hf_undo_store_open(const char *directory, GError **error);
/* The same with a directory that the desk has opened: a hand in a container does not see it, and
 * neither do the programs there. */
gboolean hf_undo_store_open_at(int take_fd, const char *directory, GError **error);
char *hf_undo_store_dup_directory(void);
/* Opens a private directory in the store, and creates it when missing; -1 with the error. */
int hf_undo_store_open_folder(const char *name, GError **error);

/* STORAGE_FAILED, LIMIT_EXCEEDED. */
gboolean hf_undo_store_put(GBytes *bytes, const char *sha256, GError **error);
/* PRECONDITION_FAILED if it is no longer stored, or damaged. */
GBytes *hf_undo_store_get(const char *sha256, GError **error);

/* A token that allows restoring this content at this path only, with these permissions: knowing a
 * hash must not give access to files outside the walls. `mode_then`: the permissions after the
 * change. */
char *hf_undo_store_dup_token(const char *sha256, guint mode, guint mode_then, const char *path);
/* INVALID_PARAMS if the token is not ours or not for this path. */
gboolean hf_undo_store_read_token(const char *token, const char *path, char **ret_sha256,
                                  guint *ret_mode, guint *ret_mode_then, GError **error);

/* Removes the oldest contents until at most `most` bytes are left. Returns what is left. */
gsize hf_undo_store_prune(gsize most);
