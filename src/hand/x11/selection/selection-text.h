/* SPDX-License-Identifier: Apache-2.0 */
/* The text of a selection, whatever form its owner has it in. */
#pragma once

#include "hand/desktop/clipboard.h"
#include "hand/x11/selection/selection-read.h"

/* The bytes of a property of that type as valid UTF-8 without NUL. */
char *hf_selection_text_decode(const char *type, const guint8 *bytes, gsize length);
/* The formats on offer and the best text among them; the reader must have been started. */
HfClipboardText *hf_selection_text_read(HfSelectionReader *reader, const HfDeadline *deadline,
                                        GError **error);
