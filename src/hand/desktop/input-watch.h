/* SPDX-License-Identifier: Apache-2.0 */
/* An eye on the mouse and keyboard of the person in front of a desktop: tells when they press the
 * stop chord and when they use them at all. What programs make up (ours too) is not theirs. It
 * starts, grabs and changes nothing in the session. */
#pragma once

#include "hand/desktop/desktop.h"

typedef struct HfInputWatch HfInputWatch;

/* A mouse moves when somebody walks past the table; a key or a button is meant. */
typedef enum HfUserInputKind { HF_USER_INPUT_MOTION, HF_USER_INPUT_PRESS } HfUserInputKind;

typedef struct HfInputWatcher {
    const GArray *chord; /* keysyms; copied */
    int jitter_px;       /* a pointer that stays within this many pixels for a second is not used */
    /* Both on the watch's own thread. `touched` comes at once when somebody begins, and not more
     * than a few times a second while a mouse goes on moving. */
    void (*stop)(gpointer data);
    void (*touched)(gint64 at_us, HfUserInputKind touch, gpointer data);
    gpointer data;
} HfInputWatcher;

struct HfWatchOps {
    HfInputWatch *(*start)(HfDesktop *desktop, const HfInputWatcher *watcher, GError **error);
    void (*stop)(HfInputWatch *watch);
};

/* UNSUPPORTED where real input cannot be told from made-up input: then only commands stop. */
HfInputWatch *hf_input_watch_start(HfDesktop *desktop, const HfInputWatcher *watcher,
                                   GError **error);
/* Waits until its thread has ended; no callback comes after that. */
void hf_input_watch_stop(HfDesktop *desktop, HfInputWatch *watch);
