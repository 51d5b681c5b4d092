/* SPDX-License-Identifier: Apache-2.0 */
/* A queue for each desktop; its head has the turn. A call that gives up removes itself, so a dead
 * caller blocks nobody. */
#include "desk/guard/stop/desktop-turns.h"

#include "shared/base/error.h"
#include "shared/base/waiter.h"

struct HfDesktopTurn {
    char *desktop, *target;
    GCond changed;    /* one for each, so that only the next call wakes */
    gboolean dropped; /* removed from the queue to make room */
};

struct HfDesktopTurns {
    GMutex lock;
    GHashTable *queues; /* desktop → GQueue of HfDesktopTurn; absent when nobody waits */
};

HfDesktopTurns *hf_desktop_turns_new(void)
{
    HfDesktopTurns *turns = g_new0(HfDesktopTurns, 1);
    g_mutex_init(&turns->lock);
    turns->queues =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_queue_free);
    return turns;
}

void hf_desktop_turns_free(HfDesktopTurns *turns)
{
    g_hash_table_unref(turns->queues);
    g_mutex_clear(&turns->lock);
    g_free(turns);
}

static GQueue *ensure_queue(HfDesktopTurns *turns, const char *desktop)
{
    GQueue *queue = g_hash_table_lookup(turns->queues, desktop);
    if (!queue) {
        queue = g_queue_new();
        g_hash_table_insert(turns->queues, g_strdup(desktop), queue);
    }
    return queue;
}

guint hf_desktop_turns_count(HfDesktopTurns *turns, const char *desktop)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&turns->lock);
    GQueue *queue = g_hash_table_lookup(turns->queues, desktop);
    return queue ? g_queue_get_length(queue) : 0;
}

static void turn_free(HfDesktopTurn *turn)
{
    g_cond_clear(&turn->changed);
    g_free(turn->desktop);
    g_free(turn->target);
    g_free(turn);
}

void hf_desktop_turns_leave(HfDesktopTurns *turns, HfDesktopTurn *turn)
{
    g_mutex_lock(&turns->lock);
    GQueue *queue = turn->dropped ? NULL : g_hash_table_lookup(turns->queues, turn->desktop);
    if (queue)
        g_queue_remove(queue, turn);
    if (queue && g_queue_is_empty(queue))
        g_hash_table_remove(turns->queues, turn->desktop);
    else if (queue)
        g_cond_signal(&((HfDesktopTurn *)g_queue_peek_head(queue))->changed);
    g_mutex_unlock(&turns->lock);
    turn_free(turn);
}

/* The one that has waited longest, for one target or any, and how many wait. The head has its turn
 * already. */
static GList *find_longest_waiting(GQueue *queue, const char *target, guint *ret_count)
{
    GList *oldest = NULL;
    *ret_count = 0;
    for (GList *link = queue->head ? queue->head->next : NULL; link; link = link->next) {
        const HfDesktopTurn *turn = link->data;
        if (target && g_strcmp0(turn->target, target) != 0)
            continue;
        oldest = oldest ? oldest : link;
        ++*ret_count;
    }
    return oldest;
}

/* With the lock held. */
static void drop_overflow(GQueue *queue, const char *target, guint limit)
{
    guint count;
    GList *oldest = find_longest_waiting(queue, target, &count);
    if (count <= limit)
        return;
    HfDesktopTurn *turn = oldest->data;
    turn->dropped = TRUE;
    g_queue_delete_link(queue, oldest);
    g_cond_signal(&turn->changed);
}

static gboolean fail_dropped(const char *desktop, const char *target,
                             const HfDesktopTurnLimits *limits, GError **error)
{
    hf_fail(error, HF_ERROR_QUEUE_OVERFLOW,
            "too many calls wait for the desktop '%s', so this one, the oldest, was dropped",
            desktop);
    hf_error_take_details(error,
                          json_pack("{s:o, s:o, s:i, s:i}", "desktop", hf_json_text(desktop),
                                    "target", target ? hf_json_text(target) : json_null(), "total",
                                    (int)limits->total, "per_target", (int)limits->per_target));
    return FALSE;
}

HfDesktopTurn *hf_desktop_turns_take(HfDesktopTurns *turns, const char *desktop, const char *target,
                                     const HfDesktopTurnLimits *limits, const HfDeadline *deadline,
                                     GError **error)
{
    HfDesktopTurn *turn = g_new0(HfDesktopTurn, 1);
    turn->desktop = g_strdup(desktop);
    turn->target = g_strdup(target);
    g_cond_init(&turn->changed);
    HfWaiter waiter;
    hf_waiter_begin(&waiter, &turns->lock, &turn->changed, deadline->cancellable);
    g_mutex_lock(&turns->lock);
    GQueue *queue = ensure_queue(turns, desktop);
    g_queue_push_tail(queue, turn);
    if (target)
        drop_overflow(queue, target, limits->per_target);
    drop_overflow(queue, NULL, limits->total);
    gboolean ours = FALSE;
    while (!turn->dropped && !(ours = g_queue_peek_head(queue) == turn) &&
           hf_deadline_check(deadline, NULL))
        g_cond_wait_until(&turn->changed, &turns->lock, deadline->at_us);
    gboolean dropped = turn->dropped;
    g_mutex_unlock(&turns->lock);
    hf_waiter_end(&waiter);
    if (ours)
        return turn;
    hf_desktop_turns_leave(turns, turn);
    if (dropped)
        fail_dropped(desktop, target, limits, error);
    else if (hf_deadline_check(deadline, error))
        hf_fail(error, HF_ERROR_DESKTOP_TIMEOUT, "another call used the desktop '%s' for too long",
                desktop);
    return NULL;
}
