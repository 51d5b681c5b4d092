/* SPDX-License-Identifier: Apache-2.0 */
/* Lets content outlive the process that serves it: it is saved to a file before it is served,
 * handed over to another process at a clean end, and restored by the next hand after a crash. */
#pragma once

#include "hand/x11/selection/selection-serve.h"

typedef struct HfClipboardPersistence HfClipboardPersistence;

/* `shared` is borrowed. Without `state_dir`, nothing is saved. */
HfClipboardPersistence *hf_clipboard_persistence_new(HfX11Connection *shared,
                                                     const char *state_dir);
void hf_clipboard_persistence_free(HfClipboardPersistence *persistence);

/* `ret_file` is NULL when there is nothing to save. */
gboolean hf_clipboard_persistence_write(HfClipboardPersistence *persistence, HfSelection selection,
                                        const HfClipboardData *data, HfClipboardFile **ret_file,
                                        GError **error);
/* Serves what an earlier hand of the same X server left, if nobody owns the selection. */
void hf_clipboard_persistence_restore(HfClipboardPersistence *persistence,
                                      HfSelectionServer *server);
/* Gives our content to the desktop's clipboard manager, otherwise to a holder. */
void hf_clipboard_persistence_hand_over(HfClipboardPersistence *persistence,
                                        HfSelectionServer *server);

/* A holder is a small process that serves one saved content until another program takes the
 * selection or the X server ends: this program, started as `handfast hold-clipboard`. It gets no
 * other descriptor than `fd` (the file at `path`, with its lock) and nothing of the desk's
 * environment, so it outlives the desk. It claims the selection as of `time`. FALSE: it did not
 * start. */
gboolean hf_clipboard_holder_start(const char *display, HfSelection selection, const char *path,
                                   int fd, guint32 time);
/* The main function of a holder; argv[0] is hold-clipboard. Returns the exit status. */
int hf_clipboard_holder_main(int argc, char **argv);
