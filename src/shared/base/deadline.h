/* SPDX-License-Identifier: Apache-2.0 */
/* A time limit and a way to cancel. Every wait in the program uses one, so that nothing can hang
 * and a stop takes effect at once. */
#pragma once

#include <gio/gio.h>

#include "shared/base/types.h"

struct HfDeadline {
    gint64 at_us;              /* monotonic time */
    GCancellable *cancellable; /* may be NULL */
};

HfDeadline hf_deadline_in_ms(gint64 milliseconds, GCancellable *cancellable);
/* The earlier of this deadline and `milliseconds` from now; same cancellable. */
HfDeadline hf_deadline_within_ms(const HfDeadline *deadline, gint64 milliseconds);

gint64 hf_deadline_left_ms(const HfDeadline *deadline); /* never negative */
gboolean hf_deadline_passed(const HfDeadline *deadline);

/* FALSE with DESKTOP_ABORTED or DESKTOP_TIMEOUT when the work must end. */
gboolean hf_deadline_check(const HfDeadline *deadline, GError **error);

/* Waits until `fd` is readable. TRUE: readable. FALSE: aborted or timed out, error set. */
gboolean hf_deadline_wait_readable(const HfDeadline *deadline, int fd, GError **error);
/* The same for either of two; a negative one is ignored. */
gboolean hf_deadline_wait_either(const HfDeadline *deadline, int fd, int other_fd, GError **error);

/* Waits for `microseconds`, for pauses that a caller asked for (smooth movement, holding a key).
 * FALSE when the work must end before that. */
gboolean hf_deadline_pause(const HfDeadline *deadline, gint64 microseconds, GError **error);
