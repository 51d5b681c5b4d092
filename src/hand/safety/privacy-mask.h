/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures without what the owner lists in privacy.blur, and without windows that are blocked. */
#pragma once

#include "hand/desktop/screen.h"

/* A picture by the back end, covered by the fence of this thread. It is taken again until it is
 * certain where the windows were at that time. NULL when that cannot be known (of windows that
 * never rest: DESKTOP_UNAVAILABLE): nobody may have the picture then. */
HfCapture *hf_privacy_mask_capture(HfDesktop *desktop, const HfCaptureRequest *request,
                                   const HfDeadline *deadline, GError **error);

/* Takes what is covered now out of places on the screen (GArray of HfRect). */
void hf_privacy_mask_hide(HfDesktop *desktop, GArray *places);
