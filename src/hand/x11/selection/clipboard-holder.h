/* SPDX-License-Identifier: Apache-2.0 */
/* The holder: a small process that serves one saved content after its hand has ended, until another
 * program takes the selection or the X server goes away. The same program as the hand, started as
 * `handfast hold-clipboard`. */
#pragma once

#include "hand/desktop/clipboard.h"

typedef struct HfClipboardHolding {
    const char *display;
    HfSelection selection;
    const char *path; /* of the saved content */
    int fd;           /* of the same, with its lock */
    guint32 time;     /* as of when it takes the selection */
} HfClipboardHolding;

/* Starts a holder that has no other descriptor and nothing of the desk's environment, so that it
 * outlives the desk. FALSE: it did not start. */
gboolean hf_clipboard_holder_start(const HfClipboardHolding *holding);

/* The holder's main; argv[0] is the word hold-clipboard. Returns the exit status. */
int hf_clipboard_holder_main(int argc, char **argv);
