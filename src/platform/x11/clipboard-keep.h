/* How a content outlives the process that serves it: it is written down before it is served, handed
 * over at a clean end, and put back by the next hand after any other end. */
#pragma once

#include "platform/x11/selection-serve.h"

typedef struct HfClipboardKeep HfClipboardKeep;

/* `names` is borrowed. Without `state_dir` nothing is written down. */
HfClipboardKeep *hf_clipboard_keep_new(HfX11Connection *names, const char *state_dir);
void hf_clipboard_keep_free(HfClipboardKeep *keep);

/* `ret_file` is NULL when nothing needs to be written down. */
gboolean hf_clipboard_keep_write(HfClipboardKeep *keep, HfSelection selection,
                                 const HfClipboardData *data, HfClipboardFile **ret_file,
                                 GError **error);
/* Serves again what an earlier hand of the same X server left, if nobody owns the selection. */
void hf_clipboard_keep_restore(HfClipboardKeep *keep, HfSelectionServer *server);
/* Finds somebody else to serve what is ours: the desktop's clipboard manager, else a small process
 * of our own (see clipboard-hold.h). */
void hf_clipboard_keep_hand_over(HfClipboardKeep *keep, HfSelectionServer *server);
