/* SPDX-License-Identifier: Apache-2.0 */
/* How a content outlives the process that serves it: it is written down before it is served, handed
 * over at a clean end, and put back by the next hand after any other end. */
#pragma once

#include "hand/x11/selection/selection-serve.h"

typedef struct HfClipboardPersistence HfClipboardPersistence;

/* `names` is borrowed. Without `state_dir` nothing is written down. */
HfClipboardPersistence *hf_clipboard_persistence_new(HfX11Connection *names, const char *state_dir);
void hf_clipboard_persistence_free(HfClipboardPersistence *keep);

/* `ret_file` is NULL when nothing needs to be written down. */
gboolean hf_clipboard_persistence_write(HfClipboardPersistence *keep, HfSelection selection,
                                        const HfClipboardData *data, HfClipboardFile **ret_file,
                                        GError **error);
/* Serves again what an earlier hand of the same X server left, if nobody owns the selection. */
void hf_clipboard_persistence_restore(HfClipboardPersistence *keep, HfSelectionServer *server);
/* Finds somebody else to serve what is ours: the desktop's clipboard manager, else a small process
 * of our own (see clipboard-holder.h). */
void hf_clipboard_persistence_hand_over(HfClipboardPersistence *keep, HfSelectionServer *server);
