/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting until the screen, or a part of it, is at rest: see hand/pixels/compare/settle-detector.h
 * for what that is. */
#pragma once

#include "hand/desktop/screen-watch.h"
#include "shared/tool/call.h"

/* Looks at pixels only after something was drawn where it counts: a screen at rest costs nothing.
 */
typedef struct HfSettleWait {
    gint64 looks;  /* how many pictures were looked at */
    json_t *noise; /* places that stir, and do not count */
} HfSettleWait;

void hf_settle_wait_clear(HfSettleWait *settled);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfSettleWait, hf_settle_wait_clear)

extern const HfParam hf_noise_fields[];

/* `until` and `rest_ms` of the call hold: INVALID_PARAMS when they cannot. */
gboolean hf_settle_wait_check(const HfCall *call, GError **error);
/* DESKTOP_TIMEOUT when it was not at rest by `until`, with the places that go on changing in
 * details.restless. */
gboolean hf_settle_wait_wait(HfCall *call, HfScreenWatch *watch, const HfDeadline *until,
                             HfSettleWait *ret_settled, GError **error);
