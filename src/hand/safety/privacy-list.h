/* SPDX-License-Identifier: Apache-2.0 */
/* What the owner lists to be covered in every picture (privacy.blur): windows, parts of windows,
 * parts of the screen. Here it is only decided what that is; privacy-mask.h covers it. */
#pragma once

#include "shared/base/geometry.h"
#include "shared/base/json.h"
#include "shared/base/types.h"

typedef struct HfPrivacyList HfPrivacyList;

/* From [{"window": {"title", "app"}, "rect": {x, y, width, height}, "corner"}], as in privacy.blur
 * of config.json; NULL when there is nothing in it. */
HfPrivacyList *hf_privacy_list_new(const json_t *list);
void hf_privacy_list_free(HfPrivacyList *veil);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfPrivacyList, hf_privacy_list_free)

/* Other lists have other numbers; 0 is that of NULL. */
guint64 hf_privacy_list_get_hash(const HfPrivacyList *veil);
/* Whether it must be known which windows there are. */
gboolean hf_privacy_list_has_windows(const HfPrivacyList *veil);
/* Adds the parts of the screen that are covered whatever is there. */
void hf_privacy_list_add_places(const HfPrivacyList *veil, GArray *rects);
/* Adds what of a window is covered, as if nothing lay on top of it, in pixels of the screen. TRUE:
 * that is all of it. */
gboolean hf_privacy_list_add_window(const HfPrivacyList *veil, const HfWindow *window,
                                    GArray *rects);
