/* SPDX-License-Identifier: Apache-2.0 */
/* What lies on a clipboard: one content in several formats. Does not change once it is served, and
 * is counted, since a transfer may outlive the ownership of the selection. */
#pragma once

#include "shared/base/types.h"

typedef struct HfClipboardFormat {
    char *target; /* as programs ask for it: "UTF8_STRING", "image/png" */
    char *type;   /* of the property that carries it: "UTF8_STRING", "ATOM" */
    int unit;     /* 8, 16 or 32 bits */
    GBytes *bytes;
} HfClipboardFormat;

/* The mark by which clipboard managers know that something must not be recorded. */
#define HF_CLIPBOARD_SECRET_TARGET "x-kde-passwordManagerHint"

HfClipboardData *hf_clipboard_data_new(void);
/* All the formats in which a text can be pasted. `secret` adds the mark for clipboard managers. */
HfClipboardData *hf_clipboard_data_new_text(const char *text, gboolean secret);
HfClipboardData *hf_clipboard_data_ref(HfClipboardData *data);
void hf_clipboard_data_unref(HfClipboardData *data);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfClipboardData, hf_clipboard_data_unref)

/* Bytes equal to those of an earlier format are kept once. */
void hf_clipboard_data_add(HfClipboardData *data, const char *target, const char *type, int unit,
                           GBytes *take_bytes);
guint hf_clipboard_data_get_count(const HfClipboardData *data);
const HfClipboardFormat *hf_clipboard_data_get(const HfClipboardData *data, guint index);
const HfClipboardFormat *hf_clipboard_data_find(const HfClipboardData *data, const char *target);
