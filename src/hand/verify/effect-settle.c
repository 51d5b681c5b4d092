/* SPDX-License-Identifier: Apache-2.0 */
/* Two spans: the screen rests when nothing was drawn for a moment, and then it is looked at; it is
 * quiet when nothing was for longer, and then nothing more is expected. */
#include "hand/verify/effect-settle.h"

#include "hand/verify/verify-limits.h"
#include "shared/image/rects.h"

#define MS         1000
#define MOST_RECTS 64

/* Reads what has happened; TRUE when it is something that counts. */
static gboolean read_settling_events(const HfSettling *settling, gboolean *ret_happened,
                                     GError **error)
{
    g_auto(HfScreenChanges) fresh = {0};
    hf_screen_changes_init(&fresh);
    if (!hf_screen_watch_read(settling->watch, &fresh, error))
        return FALSE;
    if (settling->restless)
        hf_idle_drawing_remove(settling->restless, fresh.drawn, settling->target,
                               g_get_monotonic_time(), settling->aside);
    *ret_happened = fresh.drawn->len > 0 || fresh.windows;
    settling->news->windows |= fresh.windows;
    for (guint i = 0; i < fresh.drawn->len; i++)
        hf_rects_add(settling->news->drawn, g_array_index(fresh.drawn, HfRect, i), MOST_RECTS);
    g_array_append_vals(settling->news->popups, fresh.popups->data, fresh.popups->len);
    return TRUE;
}

/* FALSE when the call must end. Passing of the time is no error. */
static gboolean wait_for_screen_event(const HfSettling *settling, gint64 until_us, GError **error)
{
    HfDeadline limit = {MIN(until_us, settling->deadline->at_us), settling->deadline->cancellable};
    return hf_deadline_wait_readable(&limit, settling->watch->fd, NULL) ||
           hf_deadline_check(settling->deadline, error);
}

/* Where it stands. */
typedef struct Wait {
    gint64 began_us, last_us; /* when something happened last */
    gint64 seen_us;           /* when what was looked for was there; 0: not yet */
    gboolean unseen;          /* something happened that was not looked at yet */
} Wait;

/* What was looked for may be followed by more, which belongs to it, but is not waited for as long.
 */
static gint64 end_of(const Wait *wait)
{
    return wait->seen_us ? MIN(wait->last_us + HF_EFFECT_REST_MS * MS,
                               wait->seen_us + HF_EFFECT_QUIET_MS * MS)
                         : MIN(wait->last_us + HF_EFFECT_QUIET_MS * MS,
                               wait->began_us + HF_EFFECT_MOST_MS * MS);
}

/* Windows are looked at as soon as there is news of them: there may be no rest for long. */
static void check_settled_screen(const HfSettling *settling, Wait *wait, gint64 now)
{
    gboolean rests = now >= wait->last_us + HF_EFFECT_REST_MS * MS;
    if (!wait->unseen || wait->seen_us || !(rests || settling->news->windows))
        return;
    wait->unseen = !rests;
    settling->news->windows = FALSE;
    if (settling->seen(settling->data))
        wait->seen_us = now;
}

gboolean hf_effect_settle(const HfSettling *settling, GError **error)
{
    gint64 now = g_get_monotonic_time();
    Wait wait = {.began_us = now, .last_us = now};
    for (;;) {
        gboolean happened;
        if (!read_settling_events(settling, &happened, error))
            return FALSE;
        now = g_get_monotonic_time();
        if (happened) {
            wait.last_us = now;
            wait.unseen = TRUE;
        }
        check_settled_screen(settling, &wait, now);
        gint64 end = end_of(&wait);
        if (now >= end) {
            if (wait.unseen)
                settling->seen(settling->data);
            return TRUE;
        }
        gint64 rest = wait.last_us + HF_EFFECT_REST_MS * MS;
        if (!wait_for_screen_event(settling, wait.unseen && rest > now ? MIN(end, rest) : end,
                                   error))
            return FALSE;
    }
}
