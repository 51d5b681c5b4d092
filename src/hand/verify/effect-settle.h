/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting for the screen to settle after an action, woken by what happens on it. */
#pragma once

#include "hand/desktop/screen-watch.h"
#include "hand/verify/idle-drawing.h"
#include "shared/base/deadline.h"

typedef struct HfSettling {
    HfScreenWatch *watch;
    const HfIdleDrawing *restless; /* NULL: everything counts */
    HfPoint target;                /* what was acted on, is never restless */
    const HfDeadline *deadline;
    /* Called when windows have changed, and whenever the screen has come to rest after something
     * happened: TRUE when what was looked for is there, so that there is no need to wait long. */
    gboolean (*seen)(gpointer data);
    gpointer data;
    HfScreenChanges *news; /* gets all that happens */
    GArray *aside; /* of HfRect: gets where something restless was drawn; NULL: it is lost */
} HfSettling;

/* Returns when it was seen, when nothing more happens, or when it has been long enough. FALSE when
 * the display is lost or the call was called off. */
gboolean hf_effect_settle(const HfSettling *settling, GError **error);
