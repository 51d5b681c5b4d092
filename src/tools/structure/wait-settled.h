/* Waiting until the screen, or a part of it, is at rest: see vision/rest.h for what that is. */
#pragma once

#include "platform/screen-watch.h"
#include "tool/call.h"

/* Looks at pixels only after something was drawn where it counts: a screen at rest costs nothing.
 */
typedef struct HfSettled {
    gint64 looks;  /* how many pictures were looked at */
    json_t *noise; /* places that stir, and do not count */
} HfSettled;

void hf_settled_clear(HfSettled *settled);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfSettled, hf_settled_clear)

extern const HfParam hf_noise_fields[];

/* `until` and `rest_ms` of the call hold: INVALID_PARAMS when they cannot. */
gboolean hf_settled_check(const HfCall *call, GError **error);
/* DESKTOP_TIMEOUT when it was not at rest by `until`, with the places that go on changing in
 * details.restless. */
gboolean hf_settled_wait(HfCall *call, HfScreenWatch *watch, const HfDeadline *until,
                         HfSettled *ret_settled, GError **error);
