/* SPDX-License-Identifier: Apache-2.0 */
/* Clipboard content in several formats. It does not change once it is served. It is
 * reference-counted, since a transfer may outlive the ownership of the selection. */
#pragma once

#include "shared/base/types.h"

typedef struct HfClipboardFormat {
    char *target; /* the name of the format: "UTF8_STRING", "image/png" */
    char *type;   /* of the property that carries it: "UTF8_STRING", "ATOM" */
    int unit;     /* 8, 16 or 32 bits */
    GBytes *bytes;
} HfClipboardFormat;

/* A format that tells clipboard managers not to record the content. */
#define HF_CLIPBOARD_SECRET_TARGET "x-kde-passwordManagerHint"

HfClipboardData *hf_clipboard_data_new(void);
/* A text in all formats in which it can be pasted. `secret` adds HF_CLIPBOARD_SECRET_TARGET. */
HfClipboardData *hf_clipboard_data_new_text(const char *text, gboolean secret);
HfClipboardData *hf_clipboard_data_ref(HfClipboardData *data);
void hf_clipboard_data_unref(HfClipboardData *data);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfClipboardData, hf_clipboard_data_unref)

/* Bytes that equal those of an earlier format are stored once. */
void hf_clipboard_data_add(HfClipboardData *data, const char *target, const char *type, int unit,
                           GBytes *take_bytes);
guint hf_clipboard_data_get_count(const HfClipboardData *data);
const HfClipboardFormat *hf_clipboard_data_get(const HfClipboardData *data, guint index);
const HfClipboardFormat *hf_clipboard_data_find(const HfClipboardData *data, const char *target);

/* Content on disk, so that it survives the end of our process. The process that serves the content
 * holds the file's lock. A file without a lock is an orphan, which the next hand restores. */
typedef struct HfClipboardFile HfClipboardFile;

/* Returns when the file is complete, locked and on disk. `server` is the mark of the server
 * generation that the content belongs to (server-generation.h). STORAGE_FAILED. */
HfClipboardFile *hf_clipboard_file_write(const char *directory, const char *server,
                                         const char *selection, const HfClipboardData *data,
                                         GError **error);
/* The orphans of that selection, newest first, now locked by us. Removes incomplete files. */
GPtrArray *hf_clipboard_file_find_orphans(const char *directory, const char *selection);
/* A file from another process, which hands its lock over with the descriptor. */
HfClipboardFile *hf_clipboard_file_new_inherited(const char *path, int take_fd);
/* NULL when the file is damaged. */
HfClipboardData *hf_clipboard_file_load(HfClipboardFile *file);

const char *hf_clipboard_file_get_path(const HfClipboardFile *file);
int hf_clipboard_file_get_fd(const HfClipboardFile *file);
/* As given to hf_clipboard_file_write; NULL for an orphan that is not loaded. */
const char *hf_clipboard_file_get_server(const HfClipboardFile *file);

/* Deletes the file and frees the object. */
void hf_clipboard_file_remove(HfClipboardFile *file);
/* Releases the lock; the file stays for the next process. */
void hf_clipboard_file_free(HfClipboardFile *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfClipboardFile, hf_clipboard_file_free)
