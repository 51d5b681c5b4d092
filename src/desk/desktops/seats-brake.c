/* SPDX-License-Identifier: Apache-2.0 */
/* Each desktop is braked on a thread of its own: a hand that hangs must not keep the others from
 * stopping. */
#include "desk/desktops/seats-brake.h"

typedef struct BrakeJob {
    HfSeat *seat;
    const char *kind;
} BrakeJob;

static gpointer brake_seat(gpointer data)
{
    BrakeJob *job = data;
    json_t *unstopped = hf_seat_brake(job->seat, job->kind);
    hf_seat_unref(job->seat);
    g_free(job);
    return unstopped;
}

static GPtrArray *start_brakes(const GPtrArray *seats, HfGuard *guard, gboolean anew)
{
    GPtrArray *threads = g_ptr_array_new();
    for (guint i = 0; i < seats->len; i++) {
        const char *kind = hf_guard_get_brake(guard, hf_seat_get_name(seats->pdata[i]));
        if (!anew && !hf_seat_needs_brake(seats->pdata[i], kind))
            continue;
        BrakeJob *job = g_new(BrakeJob, 1);
        *job = (BrakeJob){hf_seat_ref(seats->pdata[i]), kind};
        g_ptr_array_add(threads, g_thread_new("brake", brake_seat, job));
    }
    return threads;
}

/* One at a time, so that the hands end up with the brake that the last caller saw. */
json_t *hf_seats_brake(const GPtrArray *seats, HfGuard *guard, gboolean anew)
{
    static GMutex one_at_a_time;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&one_at_a_time);
    g_autoptr(GPtrArray) threads = start_brakes(seats, guard, anew);
    json_t *unstopped = json_array();
    for (guint i = 0; i < threads->len; i++) /* NULL is not appended */
        json_array_append_new(unstopped, g_thread_join(threads->pdata[i]));
    return unstopped;
}
