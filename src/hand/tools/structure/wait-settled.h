/* SPDX-License-Identifier: Apache-2.0 */
/* Waits until the screen, or a part of it, has settled (hand/pixels/compare/settle-detector.h). A
 * picture is taken only after something was drawn where it counts, so a still screen costs nothing.
 */
#pragma once

#include "hand/desktop/screen-watch.h"
#include "shared/tool/call.h"

typedef struct HfSettleWait {
    gint64 looks;  /* how many pictures were compared */
    json_t *noise; /* places that change without counting */
} HfSettleWait;

void hf_settle_wait_clear(HfSettleWait *settled);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfSettleWait, hf_settle_wait_clear)

extern const HfParam hf_noise_fields[];

/* INVALID_PARAMS when the call's parameters exclude each other. */
gboolean hf_settle_wait_check_params(const HfCall *call, GError **error);
/* DESKTOP_TIMEOUT when it has not settled by `until`. details.restless then has the places that
 * still change. */
gboolean hf_settle_wait_run(HfCall *call, HfScreenWatch *watch, const HfDeadline *until,
                            HfSettleWait *ret_settled, GError **error);
