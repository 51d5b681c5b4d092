/* Step 8: its turn. A queue for each desktop; its head has the desktop. Whoever gives up takes
 * itself out of the queue, so a dead caller can block nobody. */
#include "guard/turns.h"

#include "base/error.h"
#include "base/waiter.h"
#include "guard/passage.h"

struct HfTurn {
    char *desktop;
};

struct HfTurns {
    GMutex lock;
    GCond changed;
    GHashTable *queues; /* desktop → GQueue of HfTurn; absent when nobody waits */
};

HfTurns *hf_turns_new(void)
{
    HfTurns *turns = g_new0(HfTurns, 1);
    g_mutex_init(&turns->lock);
    g_cond_init(&turns->changed);
    turns->queues =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_queue_free);
    return turns;
}

void hf_turns_free(HfTurns *turns)
{
    g_hash_table_unref(turns->queues);
    g_mutex_clear(&turns->lock);
    g_cond_clear(&turns->changed);
    g_free(turns);
}

static GQueue *ensure_queue(HfTurns *turns, const char *desktop)
{
    GQueue *queue = g_hash_table_lookup(turns->queues, desktop);
    if (!queue) {
        queue = g_queue_new();
        g_hash_table_insert(turns->queues, g_strdup(desktop), queue);
    }
    return queue;
}

void hf_turns_leave(HfTurns *turns, HfTurn *turn)
{
    g_mutex_lock(&turns->lock);
    GQueue *queue = g_hash_table_lookup(turns->queues, turn->desktop);
    g_queue_remove(queue, turn);
    if (g_queue_is_empty(queue))
        g_hash_table_remove(turns->queues, turn->desktop);
    g_cond_broadcast(&turns->changed);
    g_mutex_unlock(&turns->lock);
    g_free(turn->desktop);
    g_free(turn);
}

HfTurn *hf_turns_take(HfTurns *turns, const char *desktop, const HfDeadline *deadline,
                      GError **error)
{
    HfTurn *turn = g_new(HfTurn, 1);
    turn->desktop = g_strdup(desktop);
    HfWaiter waiter;
    hf_waiter_begin(&waiter, &turns->lock, &turns->changed, deadline->cancellable);
    g_mutex_lock(&turns->lock);
    GQueue *queue = ensure_queue(turns, desktop);
    g_queue_push_tail(queue, turn);
    gboolean ours;
    while (!(ours = g_queue_peek_head(queue) == turn) && hf_deadline_check(deadline, NULL))
        g_cond_wait_until(&turns->changed, &turns->lock, deadline->at_us);
    g_mutex_unlock(&turns->lock);
    hf_waiter_end(&waiter);
    if (ours)
        return turn;
    hf_turns_leave(turns, turn);
    if (hf_deadline_check(deadline, error))
        hf_fail(error, HF_ERROR_DESKTOP_TIMEOUT, "another call kept the desktop '%s' for too long",
                desktop);
    return NULL;
}

gboolean hf_step_take_turn(HfPassage *passage, GError **error)
{
    if (passage->tool->needs == HF_NEEDS_NEITHER)
        return TRUE;
    passage->turn =
        hf_turns_take(passage->guard->turns, passage->desktop, &passage->deadline, error);
    return passage->turn != NULL;
}

void hf_step_leave_turn(HfPassage *passage)
{
    if (passage->turn)
        hf_turns_leave(passage->guard->turns, g_steal_pointer(&passage->turn));
}
