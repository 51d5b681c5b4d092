/* SPDX-License-Identifier: Apache-2.0 */
/* What has become of the windows: two lists, compared. Pure. */
#pragma once

#include <jansson.h>

#include "hand/desktop/screen-watch.h"
#include "hand/desktop/windows.h"
#include "hand/verify/evidence-strength.h"

typedef struct HfWindowsChange {
    json_t *windows;          /* {opened, closed, changed}; NULL: none */
    json_t *focus;            /* the window that has got the keyboard; NULL: the same as before */
    HfEvidenceStrength proof; /* what of it can only be the action's doing */
} HfWindowsChange;

void hf_windows_change_clear(HfWindowsChange *change);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfWindowsChange, hf_windows_change_clear)

/* What they are judged by. */
typedef struct HfWindowsTarget {
    const HfWindow *target; /* the window that the action went to, as it was; NULL: none */
    const GArray *popups;   /* of HfPopup */
    GHashTable *restless;   /* ids of windows whose titles or places change by themselves */
    gboolean watched;       /* for long before the action */
} HfWindowsTarget;

/* What other programs do proves nothing, unless a new window of theirs has taken the focus; and
 * neither does it that the target has got the focus: every click does that. */
void hf_windows_compare(const GPtrArray *before, const GPtrArray *after, const HfWindowsTarget *aim,
                        HfWindowsChange *ret_change);
