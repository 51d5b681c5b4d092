/* SPDX-License-Identifier: Apache-2.0 */
/* Waits with a time limit and for a cancellation. */
#include "shared/base/deadline.h"

#include <errno.h>
#include <poll.h>
#include <time.h>

#include "shared/base/error.h"

HfDeadline hf_deadline_in_ms(gint64 milliseconds, GCancellable *cancellable)
{
    return (HfDeadline){g_get_monotonic_time() + milliseconds * 1000, cancellable};
}

HfDeadline hf_deadline_within_ms(const HfDeadline *deadline, gint64 milliseconds)
{
    HfDeadline nearer = hf_deadline_in_ms(milliseconds, deadline->cancellable);
    nearer.at_us = MIN(nearer.at_us, deadline->at_us);
    return nearer;
}

gint64 hf_deadline_left_ms(const HfDeadline *deadline)
{
    return MAX(0, (deadline->at_us - g_get_monotonic_time() + 999) / 1000);
}

gboolean hf_deadline_passed(const HfDeadline *deadline)
{
    return g_get_monotonic_time() >= deadline->at_us;
}

gboolean hf_deadline_check(const HfDeadline *deadline, GError **error)
{
    if (deadline->cancellable && g_cancellable_is_cancelled(deadline->cancellable))
        return hf_fail(error, HF_ERROR_DESKTOP_ABORTED, "the call was cancelled");
    if (hf_deadline_passed(deadline))
        return hf_fail(error, HF_ERROR_DESKTOP_TIMEOUT, "the call took longer than its time limit");
    return TRUE;
}

/* Polls the descriptors that are not negative and the cancellable until `until_us`; 1 when one of
 * the descriptors is readable. */
static int poll_until(const HfDeadline *deadline, int fd, int other_fd, gint64 until_us)
{
    GPollFD cancel = {.fd = -1};
    gboolean watched =
        deadline->cancellable && g_cancellable_make_pollfd(deadline->cancellable, &cancel);
    struct pollfd fds[] = {{fd, POLLIN, 0}, {other_fd, POLLIN, 0}, {cancel.fd, POLLIN, 0}};
    int ready = 0;
    for (;;) {
        gint64 left = MAX(0, until_us - g_get_monotonic_time());
        struct timespec limit = {left / G_USEC_PER_SEC, left % G_USEC_PER_SEC * 1000};
        int count = ppoll(fds, G_N_ELEMENTS(fds), &limit, NULL);
        if (count < 0 && errno == EINTR)
            continue;
        ready = count > 0 && (fds[0].revents || fds[1].revents) && !fds[2].revents;
        break;
    }
    if (watched)
        g_cancellable_release_fd(deadline->cancellable);
    return ready;
}

gboolean hf_deadline_wait_readable(const HfDeadline *deadline, int fd, GError **error)
{
    return hf_deadline_wait_either(deadline, fd, -1, error);
}

gboolean hf_deadline_wait_either(const HfDeadline *deadline, int fd, int other_fd, GError **error)
{
    if (!hf_deadline_check(deadline, error))
        return FALSE;
    if (poll_until(deadline, fd, other_fd, deadline->at_us))
        return TRUE;
    if (hf_deadline_check(deadline, error))
        return hf_fail(error, HF_ERROR_DESKTOP_TIMEOUT, "the call took longer than its time limit");
    return FALSE;
}

gboolean hf_deadline_pause(const HfDeadline *deadline, gint64 microseconds, GError **error)
{
    if (!hf_deadline_check(deadline, error))
        return FALSE;
    gint64 until = g_get_monotonic_time() + microseconds;
    poll_until(deadline, -1, -1, MIN(until, deadline->at_us));
    if (g_get_monotonic_time() >= until &&
        !(deadline->cancellable && g_cancellable_is_cancelled(deadline->cancellable)))
        return TRUE;
    return hf_deadline_check(deadline, error);
}
