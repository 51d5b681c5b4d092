/* SPDX-License-Identifier: Apache-2.0 */
/* All recent answers are kept in memory. The disk holds only what could do harm if done twice: that
 * an action was begun, and how it ended, each in the transaction of its audit row. The answer of a
 * call that only looks (clipboard text, a picture) never goes to the disk: after a crash it is done
 * again. */
#include "desk/guard/idempotency-keys.h"

#include "desk/guard/flow/flow.h"
#include "desk/guard/guard-limits.h"
#include "desk/guard/passage.h"
#include "desk/records/audit/redact.h"
#include "desk/records/store/idempotency-rows.h"
#include "shared/base/waiter.h"

#define HOUR_MS ((gint64)3600 * 1000)
/* Old keys are looked for after this many new ones. */
#define TRIM_EVERY 256

struct HfIdempotencyEntry {
    char *name; /* caller and key: the key of the table */
    char *caller, *key, *call;
    gboolean lasts;   /* an action: also on the disk */
    HfAnswer *answer; /* NULL: under way */
    gint64 at_ms;
    char *stored; /* the answer as it is stored */
};

struct HfIdempotency {
    HfStore *store;
    GMutex lock; /* guards what follows */
    GCond changed;
    GHashTable *entries; /* name → entry */
    GQueue finished;     /* entries that have an answer, oldest first */
    guint begun;
};

static void free_idempotency_entry(gpointer data)
{
    HfIdempotencyEntry *entry = data;
    g_free(entry->name);
    g_free(entry->caller);
    g_free(entry->key);
    g_free(entry->call);
    g_free(entry->stored);
    hf_answer_free(entry->answer);
    g_free(entry);
}

HfIdempotency *hf_idempotency_new(HfStore *store)
{
    HfIdempotency *keys = g_new0(HfIdempotency, 1);
    keys->store = store;
    g_mutex_init(&keys->lock);
    g_cond_init(&keys->changed);
    keys->entries = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, free_idempotency_entry);
    return keys;
}

void hf_idempotency_free(HfIdempotency *keys)
{
    if (!keys)
        return;
    g_queue_clear(&keys->finished);
    g_hash_table_unref(keys->entries);
    g_mutex_clear(&keys->lock);
    g_cond_clear(&keys->changed);
    g_free(keys);
}

static gint64 idempotency_now_ms(void)
{
    return g_get_real_time() / 1000;
}

static gint64 kept_since_ms(const HfPassage *passage)
{
    return idempotency_now_ms() - hf_config_int(passage->config, "audit.recall_hours") * HOUR_MS;
}

char *hf_idempotency_dup_hash(const HfPassage *passage)
{
    g_autoptr(json_t) call = json_pack("{s:s, s:s, s:O}", "tool", passage->tool->name, "desktop",
                                       passage->desktop, "params", passage->params);
    g_autofree char *text = hf_audit_body_text(call);
    HfAuditHash hash = hf_audit_hash_of(text, strlen(text));
    char hex[HF_AUDIT_HEX_SIZE];
    hf_audit_hash_print(&hash, hex);
    return g_strdup(hex);
}

static HfIdempotencyEntry *new_idempotency_entry(const HfPassage *passage, const char *key)
{
    const HfCaller *caller = passage->request->caller;
    HfIdempotencyEntry *entry = g_new0(HfIdempotencyEntry, 1);
    entry->caller = g_strdup_printf("%s %s", hf_caller_kind_name(caller->kind),
                                    caller->name ? caller->name : "");
    entry->key = g_strdup(key);
    entry->name = g_strdup_printf("%s\n%s", entry->caller, key);
    entry->call = hf_idempotency_dup_hash(passage);
    entry->lasts = (passage->tool->flags & HF_TOOL_READ_ONLY) == 0;
    return entry;
}

static HfIdempotencyKey idempotency_key_of(const HfIdempotencyEntry *entry)
{
    return (HfIdempotencyKey){entry->caller, entry->key, entry->call};
}

static gboolean fail_conflict(const char *key, GError **error)
{
    hf_fail(error, HF_ERROR_CONFLICT, "idempotency_key '%s' was already used for a different call",
            key);
    hf_error_suggest(error,
                     "use a new key for each new call, and the same key only to repeat a call");
    return FALSE;
}

static gboolean replay_kept_answer(HfPassage *passage, const HfAnswer *answer)
{
    hf_answer_repeat(passage->answer, answer);
    return FALSE;
}

/* Answers from the store. An action without a stored answer may or may not have been done. */
static gboolean replay_stored(HfPassage *passage, const HfIdempotencyEntry *entry,
                              const HfIdempotencyRow *found, GError **error)
{
    if (!g_str_equal(found->call, entry->call))
        return fail_conflict(entry->key, error);
    g_autoptr(HfAnswer) answer = hf_answer_new_from_json(found->answer);
    if (answer)
        return replay_kept_answer(passage, answer);
    return hf_fail(error, HF_ERROR_OUTCOME_UNKNOWN,
                   "the desk ended while it ran %s with idempotency_key '%s', so nobody knows "
                   "whether it was done; it is not run again",
                   passage->tool->name, entry->key);
}

/* With the lock held: TRUE when this passage has claimed the key. */
static gboolean claim_idempotency_key(HfIdempotency *keys, HfPassage *passage,
                                      HfIdempotencyEntry *take_entry, GError **error)
{
    g_auto(HfIdempotencyRow) found = {0};
    HfIdempotencyKey key = idempotency_key_of(take_entry);
    gboolean known =
        hf_idempotency_row_find(keys->store, &key, kept_since_ms(passage), &found, error);
    if (known && !found.found) {
        passage->idempotency.entry = take_entry;
        g_hash_table_insert(keys->entries, take_entry->name, take_entry);
        return TRUE;
    }
    if (known)
        replay_stored(passage, take_entry, &found, error);
    free_idempotency_entry(take_entry);
    return FALSE;
}

/* With the lock held: forgets an answer that is too old. */
static HfIdempotencyEntry *find_recent_entry(HfIdempotency *keys, const HfPassage *passage,
                                             const char *name)
{
    HfIdempotencyEntry *entry = g_hash_table_lookup(keys->entries, name);
    if (!entry || !entry->answer || entry->at_ms >= kept_since_ms(passage))
        return entry;
    g_queue_remove(&keys->finished, entry);
    g_hash_table_remove(keys->entries, name);
    return NULL;
}

/* With the lock held: waits while the same call is under way elsewhere. */
static gboolean await_other(HfIdempotency *keys, HfPassage *passage, HfIdempotencyEntry *take_entry,
                            const HfDeadline *deadline, GError **error)
{
    HfIdempotencyEntry *other;
    while ((other = find_recent_entry(keys, passage, take_entry->name)) && !other->answer &&
           g_str_equal(other->call, take_entry->call) && hf_deadline_check(deadline, NULL))
        g_cond_wait_until(&keys->changed, &keys->lock, deadline->at_us);
    if (!other)
        return claim_idempotency_key(keys, passage, take_entry, error);
    if (!g_str_equal(other->call, take_entry->call))
        fail_conflict(take_entry->key, error);
    else if (other->answer)
        replay_kept_answer(passage, other->answer);
    else
        hf_deadline_check(deadline, error);
    free_idempotency_entry(take_entry);
    return FALSE;
}

gboolean hf_idempotency_begin(HfPassage *passage, const char *key, GError **error)
{
    HfIdempotency *keys = passage->guard->idempotency;
    gint64 limit = hf_json_int(passage->request->params, "timeout_ms", passage->tool->timeout_ms);
    HfDeadline deadline = hf_deadline_in_ms(limit, passage->cancellable);
    HfWaiter waiter;
    hf_waiter_begin(&waiter, &keys->lock, &keys->changed, deadline.cancellable);
    g_mutex_lock(&keys->lock);
    gboolean ours =
        await_other(keys, passage, new_idempotency_entry(passage, key), &deadline, error);
    gboolean trim = ours && keys->begun++ % TRIM_EVERY == 0;
    g_mutex_unlock(&keys->lock);
    hf_waiter_end(&waiter);
    if (trim)
        hf_idempotency_rows_prune(keys->store, kept_since_ms(passage),
                                  HF_LIMIT_IDEMPOTENCY_KEYS_STORED, NULL);
    return ours;
}

static gboolean write_begun(HfStoreSession *session, gpointer data, GError **error)
{
    HfIdempotencyKey key = idempotency_key_of(data);
    return hf_idempotency_row_begin(session, &key, idempotency_now_ms(), error);
}

static gboolean write_finished(HfStoreSession *session, gpointer data, GError **error)
{
    HfIdempotencyEntry *entry = data;
    HfIdempotencyKey key = idempotency_key_of(entry);
    return entry->stored ? hf_idempotency_row_finish(session, &key, entry->stored, error)
                         : hf_idempotency_row_forget(session, &key, error);
}

/* Nothing reached the desktop: the call may be tried again with the same key. */
static gboolean nothing_was_done(const HfPassage *passage)
{
    const GError *error = passage->answer->error;
    if (passage->performed && passage->tool->service) /* a part may have been done */
        return FALSE;
    return !passage->performed || (error && (hf_error_code(error) == HF_ERROR_DESKTOP_UNAVAILABLE ||
                                             hf_error_code(error) == HF_ERROR_DESKTOP_NOT_FOUND));
}

HfStoreWork hf_idempotency_work_before(HfIdempotencyEntry *entry)
{
    return entry && entry->lasts ? write_begun : NULL;
}

HfStoreWork hf_idempotency_work_after(HfIdempotencyEntry *entry, const HfPassage *passage)
{
    if (!entry || !entry->lasts || !passage->intended)
        return NULL;
    if (!nothing_was_done(passage)) {
        g_autoptr(json_t) json = hf_answer_to_recorded(passage->answer, HF_LIMIT_IDEMPOTENCY_BYTES);
        if (passage->flow)
            hf_flow_drop_look_results(json);
        g_autoptr(json_t) clean =
            hf_redact_strings(json, passage->tool->params, passage->request->params);
        entry->stored = hf_json_dump(clean);
    }
    return write_finished;
}

/* With the lock held: keeps the answer, and drops the oldest when there are too many. */
static void keep_recent_answer(HfIdempotency *keys, HfIdempotencyEntry *entry,
                               const HfAnswer *answer)
{
    entry->answer = hf_answer_dup(answer, HF_LIMIT_IDEMPOTENCY_BYTES);
    entry->at_ms = idempotency_now_ms();
    g_clear_pointer(&entry->stored, g_free);
    g_queue_push_tail(&keys->finished, entry);
    if (keys->finished.length > HF_LIMIT_IDEMPOTENCY_KEYS_KNOWN) {
        HfIdempotencyEntry *oldest = g_queue_pop_head(&keys->finished);
        g_hash_table_remove(keys->entries, oldest->name);
    }
}

void hf_idempotency_end(HfPassage *passage)
{
    HfIdempotency *keys = passage->guard->idempotency;
    HfIdempotencyEntry *entry = g_steal_pointer(&passage->idempotency.entry);
    if (!entry)
        return;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&keys->lock);
    if (passage->intended && !nothing_was_done(passage))
        keep_recent_answer(keys, entry, passage->answer);
    else
        g_hash_table_remove(keys->entries, entry->name);
    g_cond_broadcast(&keys->changed);
}
