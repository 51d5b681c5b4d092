/* SPDX-License-Identifier: Apache-2.0 */
/* What the call that this thread runs must not touch: applications that the owner has blocked, and
 * everything outside of a grant. The desk decides and sends it with the call; here it is enforced,
 * right before an event leaves. */
#pragma once

#include "hand/desktop/desktop.h"
#include "hand/safety/privacy-list.h"
#include "shared/base/geometry.h"
#include "shared/base/json.h"

typedef struct HfFence HfFence;

/* From {"rules": [{id, message, apps, titles}], "allowed": [[glob | {app, workspace}]], "blur":
 * [...]}; NULL for nothing to keep. */
HfFence *hf_fence_new(const json_t *json);
HfFence *hf_fence_ref(HfFence *fence);
void hf_fence_unref(HfFence *fence);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfFence, hf_fence_unref)

/* The fence of what this thread does from now on; NULL: none. Borrowed. */
void hf_fence_set(const HfFence *fence);

/* Whether the owner has blocked this window; and whether there is anything blocked at all. What is
 * merely outside of a grant is not. */
gboolean hf_fence_blocks(const HfWindow *window);
gboolean hf_fence_blocks_any(void);
/* Of the fence of this thread: the same number means the same fence. 0: none. */
guint64 hf_fence_number(void);

/* What pictures must not show; NULL: nothing. Borrowed. */
const HfPrivacyList *hf_fence_get_privacy_list(void);

/* APP_NOT_ALLOWED, with the rule and the window in details, when a window may not be touched: for a
 * point what lies there, what is in front, and what has the focus. */
gboolean hf_fence_check_point(HfDesktop *desktop, HfPoint point, GError **error);
/* The window in front, and the one that gets the keys. */
gboolean hf_fence_check_focus(HfDesktop *desktop, GError **error);
gboolean hf_fence_check_window(HfDesktop *desktop, guint32 window, GError **error);
/* A program that is to be started, by its names. */
gboolean hf_fence_check_program(const char *const *names, GError **error);
