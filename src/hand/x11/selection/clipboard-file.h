/* SPDX-License-Identifier: Apache-2.0 */
/* A clipboard's content written down, so that the end of our process cannot lose it. Whoever serves
 * the content holds the file's lock; a file without a holder is for the next hand to put back. */
#pragma once

#include "shared/base/types.h"

typedef struct HfClipboardFile HfClipboardFile;

/* On the disk, whole and locked when this returns. `server` is the mark of the X server's life that
 * the content belongs to (server-generation.h), `selection` the selection. STORAGE_FAILED. */
HfClipboardFile *hf_clipboard_file_write(const char *directory, const char *server,
                                         const char *selection, const HfClipboardData *data,
                                         GError **error);
/* Files of that selection that nobody serves, newest first, now locked by us. Removes what a write
 * that was cut short has left. */
GPtrArray *hf_clipboard_file_find_orphans(const char *directory, const char *selection);
/* A file whose lock came with the descriptor, from the process that handed it over. */
HfClipboardFile *hf_clipboard_file_new_inherited(const char *path, int take_fd);
/* NULL when it is not whole. */
HfClipboardData *hf_clipboard_file_load(HfClipboardFile *file);

const char *hf_clipboard_file_get_path(const HfClipboardFile *file);
int hf_clipboard_file_get_fd(const HfClipboardFile *file);
/* As it was given to write; NULL for a file that was found and not loaded. */
const char *hf_clipboard_file_get_server(const HfClipboardFile *file);

/* The content is not needed any more. */
void hf_clipboard_file_remove(HfClipboardFile *file);
/* Lets go of the lock; the file stays for whoever comes next. */
void hf_clipboard_file_free(HfClipboardFile *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfClipboardFile, hf_clipboard_file_free)
