/* What has become of the windows: two lists, compared. Pure. */
#pragma once

#include <jansson.h>

#include "platform/screen-watch.h"
#include "platform/windows.h"

typedef struct HfWindowsChange {
    json_t *windows; /* {opened, closed, changed}; NULL: none */
    json_t *focus;   /* the window that has got the keyboard; NULL: the same as before */
    char *proof;     /* what of it can only be the action's doing; NULL: nothing */
    gboolean weak;   /* it rests on a title alone, which may change by itself */
} HfWindowsChange;

void hf_windows_change_clear(HfWindowsChange *change);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfWindowsChange, hf_windows_change_clear)

/* `target` is the window that the action went to, as it was (NULL: none); `popups` of HfPopup;
 * `restless` the ids of windows whose titles change by themselves. What other programs do proves
 * nothing, unless a new window of theirs has taken the focus; and neither does it that the target
 * has got the focus: every click does that. */
void hf_windows_compare(const GPtrArray *before, const GPtrArray *after, const HfWindow *target,
                        const GArray *popups, GHashTable *restless, HfWindowsChange *ret_change);

json_t *hf_windows_tell(const HfWindow *window);
