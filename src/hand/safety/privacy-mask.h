/* SPDX-License-Identifier: Apache-2.0 */
/* Covers in pictures of the screen what the fence of a call hides: windows that the owner blocks,
 * and what privacy.blur lists. */
#pragma once

#include "hand/desktop/screen.h"

HfPrivacyMask *hf_privacy_mask_new(void);
void hf_privacy_mask_free(HfPrivacyMask *mask);

/* Takes a picture with the back end and covers it. Takes it again until the places of the windows
 * at that moment are certain. Fails if they never are (DESKTOP_UNAVAILABLE when windows keep
 * moving): an uncertain picture must not leave the hand. */
HfCapture *hf_privacy_mask_capture(const HfCallContext *context, const HfCaptureRequest *request,
                                   const HfDeadline *deadline, GError **error);
/* Removes from `places` (GArray of HfRect on the screen) what is covered now. */
void hf_privacy_mask_hide(const HfCallContext *context, GArray *places);
/* How often privacy.blur changed between calls. Each change makes another picture of the same
 * screen. */
guint64 hf_privacy_mask_count_list_changes(const HfCallContext *context);

/* The windows as they were at a picture with this serial. They are cached until one changes. */
GPtrArray *hf_privacy_mask_list_windows(HfDesktop *desktop, guint64 serial, GError **error);
/* Removes from `places` what the windows above this index certainly draw over. Shadows and rounded
 * corners do not count. */
void hf_privacy_mask_cut_above(const GPtrArray *windows, guint index, GArray *places);
/* Covers places on the screen for good: the new pixels do not depend on the old ones. The blocks
 * are coarse, so a person sees that something was removed. */
void hf_privacy_mask_paint(HfCapture *capture, const GArray *places);
