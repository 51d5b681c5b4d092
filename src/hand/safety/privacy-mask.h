/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures without what the owner lists in privacy.blur, and without windows that are blocked. */
#pragma once

#include "hand/desktop/screen.h"

/* A picture by the back end, covered by the fence of the call. It is taken again until it is
 * certain where the windows were at that time. NULL when that cannot be known (of windows that
 * never rest: DESKTOP_UNAVAILABLE): nobody may have the picture then. */
HfCapture *hf_privacy_mask_capture(const HfCallContext *context, const HfCaptureRequest *request,
                                   const HfDeadline *deadline, GError **error);

/* Takes what is covered now out of places on the screen (GArray of HfRect). */
void hf_privacy_mask_hide(const HfCallContext *context, GArray *places);
