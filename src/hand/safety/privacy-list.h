/* SPDX-License-Identifier: Apache-2.0 */
/* The owner's list of what every picture must hide (privacy.blur): windows, parts of windows, parts
 * of the screen. This module only finds the places; privacy-mask.h covers them. */
#pragma once

#include "shared/base/geometry.h"
#include "shared/base/json.h"
#include "shared/base/types.h"

typedef struct HfPrivacyList HfPrivacyList;

/* From [{"window": {"title", "app"}, "rect": {x, y, width, height}, "corner"}], as in privacy.blur
 * of config.json; NULL when that is empty. */
HfPrivacyList *hf_privacy_list_new(const json_t *json);
void hf_privacy_list_free(HfPrivacyList *list);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfPrivacyList, hf_privacy_list_free)

/* 0 for NULL. */
guint64 hf_privacy_list_get_hash(const HfPrivacyList *list);
/* Whether it names windows, so that they must be listed. */
gboolean hf_privacy_list_has_windows(const HfPrivacyList *list);
/* Adds the parts of the screen that are always covered. */
void hf_privacy_list_add_places(const HfPrivacyList *list, GArray *rects);
/* Adds the covered parts of a window in pixels of the screen, as if nothing lay on top. TRUE: the
 * whole window is covered. */
gboolean hf_privacy_list_add_window(const HfPrivacyList *list, const HfWindow *window,
                                    GArray *rects);
