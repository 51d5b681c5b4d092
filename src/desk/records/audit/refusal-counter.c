/* SPDX-License-Identifier: Apache-2.0 */
/* One window for all, which begins with the first refusal. A thread writes the counts when it ends.
 * Three limits bound what one caller can have written in a window: equal refusals, refusals of any
 * kind, and kinds that are told apart. */
#include "desk/records/audit/refusal-counter.h"

#include "desk/records/records-limits.h"
#include "shared/base/json.h"

/* Stands for all tools of a caller that has tried too many of them. */
#define ANY_TOOL "*"

typedef struct RefusalKind {
    HfCaller *caller; /* NULL: refused at a door */
    char *what;
    HfErrorCode code;
    guint written, counted;
    gint64 first_ms, last_ms; /* of the counted ones */
} RefusalKind;

typedef struct RefusedCaller {
    guint written, kinds;
} RefusedCaller;

struct HfRefusalCounter {
    HfAudit *audit;
    gint64 window_ms;
    GThread *writer;
    GMutex lock; /* guards what follows; not held while writing */
    GCond changed;
    GHashTable *kinds;   /* "caller\ntool\ncode" → RefusalKind */
    GHashTable *callers; /* key of a caller → RefusedCaller */
    gint64 ends_us;      /* of the window, monotonic; 0: none has begun */
    gboolean closing;
};

static void refusal_kind_free(gpointer data)
{
    RefusalKind *kind = data;
    hf_caller_free(kind->caller);
    g_free(kind->what);
    g_free(kind);
}

/* With the lock held: begins anew. Returns what was there. */
static GHashTable *steal_refusal_kinds(HfRefusalCounter *counter)
{
    GHashTable *kinds = counter->kinds;
    if (counter->callers)
        g_hash_table_unref(counter->callers);
    counter->kinds = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, refusal_kind_free);
    counter->callers = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    counter->ends_us = 0;
    return kinds;
}

static void write_refusal_counts(HfRefusalCounter *counter, GHashTable *take_kinds)
{
    GHashTableIter iter;
    gpointer value;
    g_hash_table_iter_init(&iter, take_kinds);
    while (g_hash_table_iter_next(&iter, NULL, &value)) {
        const RefusalKind *kind = value;
        if (kind->counted > 0)
            hf_audit_event(counter->audit, "refusals", kind->caller,
                           json_pack("{s:o, s:s, s:I, s:I, s:I}", "tool", hf_json_text(kind->what),
                                     "code", hf_error_code_name(kind->code), "count",
                                     (json_int_t)kind->counted, "first", (json_int_t)kind->first_ms,
                                     "last", (json_int_t)kind->last_ms));
    }
    g_hash_table_unref(take_kinds);
}

static gpointer run_refusal_writer(gpointer data)
{
    HfRefusalCounter *counter = data;
    g_mutex_lock(&counter->lock);
    while (!counter->closing) {
        if (!counter->ends_us) {
            g_cond_wait(&counter->changed, &counter->lock);
        } else if (g_get_monotonic_time() < counter->ends_us) {
            g_cond_wait_until(&counter->changed, &counter->lock, counter->ends_us);
        } else {
            GHashTable *kinds = steal_refusal_kinds(counter);
            g_mutex_unlock(&counter->lock);
            write_refusal_counts(counter, kinds);
            g_mutex_lock(&counter->lock);
        }
    }
    g_mutex_unlock(&counter->lock);
    return NULL;
}

HfRefusalCounter *hf_refusal_counter_new(HfAudit *audit, gint64 window_ms)
{
    HfRefusalCounter *counter = g_new0(HfRefusalCounter, 1);
    counter->audit = audit;
    counter->window_ms = window_ms;
    g_mutex_init(&counter->lock);
    g_cond_init(&counter->changed);
    steal_refusal_kinds(counter);
    counter->writer = g_thread_new("refusals", run_refusal_writer, counter);
    return counter;
}

void hf_refusal_counter_free(HfRefusalCounter *counter)
{
    if (!counter)
        return;
    g_mutex_lock(&counter->lock);
    counter->closing = TRUE;
    g_cond_signal(&counter->changed);
    g_mutex_unlock(&counter->lock);
    g_thread_join(counter->writer);
    write_refusal_counts(counter, g_steal_pointer(&counter->kinds));
    g_hash_table_unref(counter->callers);
    g_cond_clear(&counter->changed);
    g_mutex_clear(&counter->lock);
    g_free(counter);
}

/* With the lock held; NULL when there are too many callers to tell apart. */
static RefusedCaller *ensure_refused_caller(HfRefusalCounter *counter, const char *key)
{
    RefusedCaller *refused = g_hash_table_lookup(counter->callers, key);
    if (refused || g_hash_table_size(counter->callers) >= HF_LIMIT_REFUSED_CALLERS)
        return refused;
    refused = g_new0(RefusedCaller, 1);
    g_hash_table_insert(counter->callers, g_strdup(key), refused);
    return refused;
}

/* With the lock held. */
static RefusalKind *ensure_refusal_kind(HfRefusalCounter *counter, RefusedCaller *refused,
                                        const char *key, const HfCaller *caller, const char *what,
                                        HfErrorCode code)
{
    g_autofree char *full = g_strdup_printf("%s\n%s\n%d", key, what, (int)code);
    RefusalKind *kind = g_hash_table_lookup(counter->kinds, full);
    if (kind)
        return kind;
    if (refused->kinds >= HF_LIMIT_REFUSAL_KINDS && !g_str_equal(what, ANY_TOOL))
        return ensure_refusal_kind(counter, refused, key, caller, ANY_TOOL, code);
    refused->kinds++;
    kind = g_new0(RefusalKind, 1);
    kind->caller = caller ? hf_caller_dup(caller) : NULL;
    kind->what = g_strdup(what);
    kind->code = code;
    g_hash_table_insert(counter->kinds, g_steal_pointer(&full), kind);
    return kind;
}

/* With the lock held. */
static void count_refusal(RefusalKind *kind)
{
    kind->last_ms = g_get_real_time() / 1000;
    if (kind->counted++ == 0)
        kind->first_ms = kind->last_ms;
}

gboolean hf_refusal_counter_note(HfRefusalCounter *counter, const HfCaller *caller,
                                 const char *what, HfErrorCode code)
{
    g_autofree char *key = caller ? hf_caller_dup_key(caller) : g_strdup("");
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&counter->lock);
    if (!counter->ends_us) {
        counter->ends_us = g_get_monotonic_time() + counter->window_ms * 1000;
        g_cond_signal(&counter->changed);
    }
    RefusedCaller *refused = ensure_refused_caller(counter, key);
    if (!refused)
        return TRUE;
    RefusalKind *kind = ensure_refusal_kind(counter, refused, key, caller, what ? what : "?", code);
    if (kind->written < HF_LIMIT_EQUAL_REFUSALS && refused->written < HF_LIMIT_CALLER_REFUSALS) {
        kind->written++;
        refused->written++;
        return TRUE;
    }
    count_refusal(kind);
    return FALSE;
}
