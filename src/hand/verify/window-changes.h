/* SPDX-License-Identifier: Apache-2.0 */
/* Compares the windows before an action with those after it. Pure. */
#pragma once

#include <jansson.h>

#include "hand/desktop/screen-watch.h"
#include "hand/desktop/windows.h"
#include "hand/verify/evidence-strength.h"

typedef struct HfWindowsChange {
    json_t *windows;          /* {opened, closed, changed}; NULL: none */
    json_t *focus;            /* the newly focused window; NULL: the same as before */
    HfEvidenceStrength proof; /* what only the action can have done */
} HfWindowsChange;

void hf_windows_change_clear(HfWindowsChange *change);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfWindowsChange, hf_windows_change_clear)

/* What is known about the action. */
typedef struct HfWindowsContext {
    const HfWindow *target;    /* the window that was acted on, as it was before; NULL: none */
    const GArray *popups;      /* of HfPopup */
    GHashTable *self_changing; /* ids of windows whose title or place changes by itself */
    gboolean watched;          /* the windows were still for long before the action */
} HfWindowsContext;

/* What other programs do proves nothing, unless a new window of theirs took the focus. That the
 * target got the focus proves nothing either: every click does that. */
void hf_windows_compare(const GPtrArray *before, const GPtrArray *after,
                        const HfWindowsContext *context, HfWindowsChange *ret_change);
