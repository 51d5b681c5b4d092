/* SPDX-License-Identifier: Apache-2.0 */
/* Watches the mouse and keyboard of the person in front of a desktop: reports the stop chord, and
 * any use. Input that programs synthesise (we, too) does not count. It starts, grabs and changes
 * nothing in the session. */
#pragma once

#include "hand/desktop/desktop.h"

typedef struct HfInputWatch HfInputWatch;

/* A mouse also moves when somebody bumps the table. A key or a button is deliberate. */
typedef enum HfUserInputKind { HF_USER_INPUT_MOTION, HF_USER_INPUT_PRESS } HfUserInputKind;

typedef struct HfInputWatcher {
    const GArray *chord; /* keysyms; copied */
    int jitter_px;       /* a pointer that stays within this many pixels for a second is not used */
    /* Both run on the watch's own thread. `touched` comes at once when somebody begins, and at most
     * a few times a second while a mouse goes on moving. */
    void (*stop)(gpointer data);
    void (*touched)(gint64 at_us, HfUserInputKind touch, gpointer data);
    gpointer data;
} HfInputWatcher;

struct HfInputWatchOps {
    HfInputWatch *(*start)(HfDesktop *desktop, const HfInputWatcher *watcher, GError **error);
    void (*stop)(HfInputWatch *watch);
};

/* UNSUPPORTED where real input cannot be told from synthesised input: then only commands stop. */
HfInputWatch *hf_input_watch_start(HfDesktop *desktop, const HfInputWatcher *watcher,
                                   GError **error);
/* Waits until its thread has ended. No callback comes after that. */
void hf_input_watch_stop(HfDesktop *desktop, HfInputWatch *watch);
