/* SPDX-License-Identifier: Apache-2.0 */
/* What a call must not touch: applications that the owner blocks, and everything outside its grant.
 * The desk decides and sends the fence with the call. The hand enforces it right before an event
 * leaves. The call's context (hand/safety/call-context.h) carries it. */
#pragma once

#include "hand/safety/privacy-list.h"
#include "shared/base/geometry.h"
#include "shared/base/json.h"
#include "shared/base/types.h"

/* From {"rules": [{id, message, apps, titles}], "allowed": [[glob | {app, workspace}]], "blur":
 * [...]}; NULL without JSON. */
HfFence *hf_fence_new(const json_t *json);
/* A fence without restrictions, for a call that the desk restricts in nothing. */
HfFence *hf_fence_new_open(void);
HfFence *hf_fence_ref(HfFence *fence);
void hf_fence_unref(HfFence *fence);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfFence, hf_fence_unref)

/* All functions below use the context's fence. `_blocks`: the owner blocks this window;
 * `_blocks_any`: the owner blocks some window. Windows outside a grant do not count as blocked. */
gboolean hf_fence_blocks(const HfCallContext *context, const HfWindow *window);
gboolean hf_fence_blocks_any(const HfCallContext *context);
/* The same number means the same fence. 0: an open fence, or none. */
guint64 hf_fence_number(const HfCallContext *context);
gboolean hf_fence_is_open(const HfCallContext *context);

/* What pictures must hide; NULL: nothing. Borrowed. */
const HfPrivacyList *hf_fence_get_privacy_list(const HfCallContext *context);

/* Fail with APP_NOT_ALLOWED, with the rule and the window in the details; without a fence with
 * INTERNAL. A point is refused for the window there, the window in front, and the focused one. */
gboolean hf_fence_check_point(const HfCallContext *context, HfPoint point, GError **error);
/* The window in front, and the focused one. */
gboolean hf_fence_check_focus(const HfCallContext *context, GError **error);
gboolean hf_fence_check_window(const HfCallContext *context, guint32 window, GError **error);
/* A program that is about to start, by its names. */
gboolean hf_fence_check_program(const HfCallContext *context, const char *const *names,
                                GError **error);
