/* SPDX-License-Identifier: Apache-2.0 */
/* Group commit: a caller that finds no commit running commits all waiting rows. So a lone caller
 * pays for no thread switch, and many callers share one sync. A thread of its own signs heads, a
 * second after the first unsigned row or after a number of rows, and syncs `soon` rows that no
 * other row has synced. The end of the chain moves only when a commit succeeds. */
#include "desk/records/audit/audit-log.h"

#include <string.h>

#include "desk/records/audit/audit-head-store.h"
#include "desk/records/records-limits.h"
#include "shared/base/error.h"
#include "shared/base/json.h"

struct HfAuditLog {
    HfStore *store;
    HfAuditKey *key;
    HfAuditHeadStore *heads;
    GThread *signer;
    GMutex lock;    /* guards what follows */
    GCond changed;  /* a commit ended */
    GCond wake;     /* the signer has something to do */
    GQueue waiting; /* of Waiting */
    gboolean committing, signing, closing;
    gint64 seq; /* the last row */
    HfAuditHash hash;
    gint64 signed_seq, unsigned_since_us;
    gint64 sign_every;
    gint64 unsynced_since_us; /* 0: all rows are on the disk */
    gint64 looks_again_us;    /* when the signer wakes by itself */
    GQueue late;              /* rows that could not be written in time and must still be */
    gint64 lost;              /* how many rows could not be written and were dropped */
};

typedef struct Waiting {
    HfAuditEntry entry;
    gboolean done;
    GError *error;
} Waiting;

typedef struct Batch {
    HfAuditLog *log;
    GQueue entries, late;
    gint64 lost;
    gboolean synced; /* the database is synced to the disk */
    gint64 seq;
    HfAuditHash hash;
} Batch;

static gboolean insert_row(HfStoreSession *session, Batch *batch, json_t *body, GError **error)
{
    json_object_set_new(body, "seq", json_integer(batch->seq + 1));
    json_object_set_new(body, "v", json_integer(1));
    g_autofree char *text = hf_audit_body_text(body);
    HfAuditHash hash = hf_audit_hash_next(&batch->hash, text, strlen(text));
    char hex[HF_AUDIT_HEX_SIZE];
    hf_audit_hash_print(&hash, hex);
#define COLUMN(i) hf_audit_column_text(body, hf_audit_columns[i])
    if (!hf_store_run(session, error,
                      "INSERT INTO audit VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                      "iitttttttttttttt", batch->seq + 1, (gint64)hf_json_int(body, "time", 0),
                      COLUMN(1), COLUMN(2), COLUMN(3), COLUMN(4), COLUMN(5), COLUMN(6), COLUMN(7),
                      COLUMN(8), COLUMN(9), COLUMN(10), COLUMN(11), COLUMN(12), text, hex))
        return FALSE;
#undef COLUMN
    batch->seq++;
    batch->hash = hash;
    return TRUE;
}

static json_t *event_body(const char *event, json_t *take_data)
{
    return json_pack("{s:s, s:s, s:I, s:o}", "kind", "event", "event", event, "time",
                     (json_int_t)(g_get_real_time() / 1000), "data", take_data);
}

static gboolean insert_gap(HfStoreSession *session, Batch *batch, GError **error)
{
    g_autoptr(json_t) gap =
        event_body("audit-gap", json_pack("{s:I}", "rows_not_written", (json_int_t)batch->lost));
    return insert_row(session, batch, gap, error);
}

typedef struct Attempt {
    Batch *batch;
    Waiting *waiting;
} Attempt;

static gboolean write_audit_entry(HfStoreSession *session, gpointer data, GError **error)
{
    const Attempt *this = data;
    const HfAuditEntry *entry = &this->waiting->entry;
    return insert_row(session, this->batch, entry->take_body, error) &&
           (!entry->also || entry->also(session, entry->data, error));
}

/* When the extra work of one caller fails, only its own row is rolled back. FALSE when the whole
 * transaction is lost. */
static gboolean write_entry(HfStoreSession *session, Batch *batch, Waiting *waiting, GError **error)
{
    Attempt data = {batch, waiting};
    gint64 seq = batch->seq;
    HfAuditHash hash = batch->hash;
    gboolean lost;
    if (batch->entries.length == 1 || !waiting->entry.also)
        return write_audit_entry(session, &data, error);
    if (hf_store_attempt(session, write_audit_entry, &data, &lost, &waiting->error))
        return TRUE;
    batch->seq = seq;
    batch->hash = hash;
    if (!lost)
        return TRUE;
    g_propagate_error(error, g_steal_pointer(&waiting->error));
    return FALSE;
}

static gboolean write_batch(HfStoreSession *session, gpointer data, GError **error)
{
    Batch *batch = data;
    for (GList *late = batch->late.head; late; late = late->next)
        if (!insert_row(session, batch, late->data, error))
            return FALSE;
    if (batch->lost > 0 && !insert_gap(session, batch, error))
        return FALSE;
    for (GList *link = batch->entries.head; link; link = link->next)
        if (!write_entry(session, batch, link->data, error))
            return FALSE;
    return TRUE;
}

static void take_queue(GQueue *from, GQueue *to)
{
    *to = *from;
    g_queue_init(from);
}

static gint64 sign_at(const HfAuditLog *log)
{
    if (log->seq == log->signed_seq)
        return G_MAXINT64;
    gboolean many = log->seq - log->signed_seq >= log->sign_every;
    return many ? 0 : log->unsigned_since_us + HF_LIMIT_AUDIT_UNSIGNED_MS * 1000;
}

static gint64 sync_at(const HfAuditLog *log)
{
    return log->unsynced_since_us == 0 ? G_MAXINT64
                                       : log->unsynced_since_us + HF_LIMIT_AUDIT_UNSYNCED_MS * 1000;
}

/* With the lock held. Wakes the signer only if it would wake too late by itself: a wake-up costs
 * more than a row. */
static void settle_written_batch(Batch *batch)
{
    HfAuditLog *log = batch->log;
    gint64 now = g_get_monotonic_time();
    if (log->seq == log->signed_seq)
        log->unsigned_since_us = now;
    if (batch->synced)
        log->unsynced_since_us = 0;
    else if (log->unsynced_since_us == 0)
        log->unsynced_since_us = now;
    log->seq = batch->seq;
    log->hash = batch->hash;
    if (MIN(sign_at(log), sync_at(log)) < log->looks_again_us)
        g_cond_signal(&log->wake);
    log->lost -= batch->lost;
    g_queue_clear_full(&batch->late, (GDestroyNotify)json_decref);
}

/* With the lock held: keeps or counts a row that was not written. */
static void keep_what_happened(HfAuditLog *log, const Waiting *waiting)
{
    if (waiting->entry.keep && log->late.length < HF_LIMIT_AUDIT_LATE_ROWS) {
        json_t *kept = json_incref(waiting->entry.take_body);
        json_object_set_new(kept, "late", json_true());
        g_queue_push_tail(&log->late, kept);
    } else {
        log->lost++;
    }
}

/* With the lock held: nothing of the batch was written. */
static void requeue_late_rows(Batch *batch)
{
    json_t *body;
    while ((body = g_queue_pop_tail(&batch->late)))
        g_queue_push_head(&batch->log->late, body);
}

/* One row that must be on the disk syncs the others too. */
static gboolean all_soon(const Batch *batch)
{
    for (GList *link = batch->entries.head; link; link = link->next)
        if (!((const Waiting *)link->data)->entry.soon)
            return FALSE;
    return batch->late.length == 0 && batch->lost == 0;
}

/* Rows stay in the chain even if the sync fails; but callers that need durability get the error,
 * and do not act. */
static gboolean commit_audit_batch(Batch *batch, GError **ret_unsynced, GError **error)
{
    HfStore *store = batch->log->store;
    gboolean soon = all_soon(batch);
    if (!hf_store_write_soon(store, write_batch, batch, error))
        return FALSE;
    batch->synced = !soon && hf_store_sync(store, ret_unsynced);
    return TRUE;
}

/* With the lock held. */
static void report_row_outcome(HfAuditLog *log, Waiting *waiting, const GError *unwritten,
                               const GError *unsynced)
{
    if (unwritten && !waiting->error)
        waiting->error = g_error_copy(unwritten);
    if (waiting->error)
        keep_what_happened(log, waiting);
    else if (unsynced && !waiting->entry.soon)
        waiting->error = g_error_copy(unsynced);
    waiting->done = TRUE;
}

/* With the lock held; released while the disk works. */
static void commit_waiting(HfAuditLog *log)
{
    Batch batch = {.log = log, .lost = log->lost, .seq = log->seq, .hash = log->hash};
    g_autoptr(GError) error = NULL, unsynced = NULL;
    take_queue(&log->waiting, &batch.entries);
    take_queue(&log->late, &batch.late);
    log->committing = TRUE;
    g_mutex_unlock(&log->lock);
    gboolean done = commit_audit_batch(&batch, &unsynced, &error);
    g_mutex_lock(&log->lock);
    if (done)
        settle_written_batch(&batch);
    else
        requeue_late_rows(&batch);
    for (GList *link = batch.entries.head; link; link = link->next)
        report_row_outcome(log, link->data, error, unsynced);
    g_queue_clear(&batch.entries);
    log->committing = FALSE;
    g_cond_broadcast(&log->changed);
}

gboolean hf_audit_log_append(HfAuditLog *log, HfAuditEntry entry, GError **error)
{
    Waiting waiting = {.entry = entry};
    g_mutex_lock(&log->lock);
    g_queue_push_tail(&log->waiting, &waiting);
    while (!waiting.done && log->committing)
        g_cond_wait(&log->changed, &log->lock);
    if (!waiting.done)
        commit_waiting(log);
    g_mutex_unlock(&log->lock);
    json_decref(entry.take_body);
    if (!waiting.error)
        return TRUE;
    g_propagate_prefixed_error(error, waiting.error, "cannot write the audit: ");
    return FALSE;
}

void hf_audit_log_sign_every(HfAuditLog *log, gint64 rows)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&log->lock);
    log->sign_every = rows;
    g_cond_signal(&log->wake);
}

/* With the lock held; released while the disk works. Rows that come meanwhile wait for the next
 * sync. */
static void sync_rows(HfAuditLog *log)
{
    log->unsynced_since_us = 0;
    g_mutex_unlock(&log->lock);
    gboolean done = hf_store_sync(log->store, NULL);
    g_mutex_lock(&log->lock);
    if (!done)
        log->unsynced_since_us = g_get_monotonic_time();
}

/* With the lock held; released while the disk works. */
static void sign_head(HfAuditLog *log)
{
    HfAuditHead head = hf_audit_head_sign(log->key, log->seq, &log->hash, g_get_real_time() / 1000);
    gint64 unsynced_since_us = log->unsynced_since_us;
    log->signing = TRUE;
    log->unsynced_since_us = 0; /* writing a head syncs the rows before it */
    g_mutex_unlock(&log->lock);
    gboolean done = hf_audit_head_store_add(log->heads, log->store, &head, NULL);
    g_mutex_lock(&log->lock);
    log->signing = FALSE;
    g_cond_broadcast(&log->changed);
    if (done)
        log->signed_seq = head.seq;
    else if (unsynced_since_us)
        log->unsynced_since_us = unsynced_since_us;
    log->unsigned_since_us = g_get_monotonic_time();
}

/* ---- changing the key ---- */

typedef struct Rotation {
    Batch batch;
    HfAuditKey *next;
    json_t *body;
    HfAuditHead heads[2]; /* by the old key, by the new key */
} Rotation;

/* The row and both heads in one transaction, so that no other row comes in between. */
static gboolean write_rotation(HfStoreSession *session, gpointer data, GError **error)
{
    Rotation *rotation = data;
    Batch *batch = &rotation->batch;
    gint64 now_ms = g_get_real_time() / 1000;
    if (!insert_row(session, batch, rotation->body, error))
        return FALSE;
    rotation->heads[0] = hf_audit_head_sign(batch->log->key, batch->seq, &batch->hash, now_ms);
    rotation->heads[1] = hf_audit_head_sign(rotation->next, batch->seq, &batch->hash, now_ms);
    return hf_audit_head_store_insert(session, &rotation->heads[0], error) &&
           hf_audit_head_store_insert(session, &rotation->heads[1], error);
}

/* Without the lock, but alone. Once the row is in the chain, the change counts: what fails after
 * that is finished at the next start. */
static gboolean change_key(HfAuditLog *log, Rotation *rotation, json_t *data, gboolean *ret_written,
                           GError **error)
{
    const char *before = hf_audit_key_get_name(log->key);
    rotation->next = hf_audit_head_store_begin_key(log->heads, error);
    if (!rotation->next)
        return FALSE;
    json_object_set_new(data, "key", json_string(hf_audit_key_get_name(rotation->next)));
    json_object_set_new(data, "before", json_string(before));
    rotation->body = event_body(HF_AUDIT_EVENT_KEY, json_incref(data));
    *ret_written = hf_store_write(log->store, write_rotation, rotation, error);
    json_decref(rotation->body);
    return *ret_written && hf_audit_head_store_append(log->heads, &rotation->heads[0], error) &&
           hf_audit_head_store_append(log->heads, &rotation->heads[1], error) &&
           hf_audit_head_store_finish_key(log->heads, error);
}

/* The flags keep other threads from committing and signing meanwhile. */
gboolean hf_audit_log_rotate_key(HfAuditLog *log, json_t *take_data, GError **error)
{
    g_autoptr(json_t) data = take_data;
    gboolean written = FALSE;
    g_mutex_lock(&log->lock);
    while (log->committing || log->signing)
        g_cond_wait(&log->changed, &log->lock);
    log->committing = log->signing = TRUE;
    Rotation rotation = {.batch = {.log = log, .seq = log->seq, .hash = log->hash}};
    g_mutex_unlock(&log->lock);
    gboolean whole = change_key(log, &rotation, data, &written, error);
    g_mutex_lock(&log->lock);
    hf_audit_key_free(written ? log->key : rotation.next);
    if (written) {
        log->key = rotation.next;
        log->seq = log->signed_seq = rotation.batch.seq;
        log->hash = rotation.batch.hash;
    }
    log->committing = log->signing = FALSE;
    g_cond_broadcast(&log->changed);
    g_mutex_unlock(&log->lock);
    return whole;
}

/* With the lock held. */
static void wait_for_signing_work(HfAuditLog *log)
{
    log->looks_again_us = MIN(sign_at(log), sync_at(log));
    if (log->looks_again_us == G_MAXINT64)
        g_cond_wait(&log->wake, &log->lock);
    else
        g_cond_wait_until(&log->wake, &log->lock, log->looks_again_us);
    log->looks_again_us = 0;
}

static gpointer run_signer(gpointer data)
{
    HfAuditLog *log = data;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&log->lock);
    while (!log->closing) {
        gint64 now = g_get_monotonic_time();
        if (log->signing)
            g_cond_wait(&log->changed, &log->lock);
        else if (now >= sign_at(log))
            sign_head(log);
        else if (now >= sync_at(log))
            sync_rows(log);
        else
            wait_for_signing_work(log);
    }
    if (log->seq != log->signed_seq)
        sign_head(log);
    if (log->unsynced_since_us)
        sync_rows(log);
    return NULL;
}

static gboolean read_end(HfStoreSession *session, gpointer data, GError **error)
{
    HfAuditLog *log = data;
    sqlite3_stmt *row =
        hf_store_query(session, error, "SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1", "");
    if (!row)
        return FALSE;
    if (hf_store_next(session, row, NULL)) {
        log->seq = sqlite3_column_int64(row, 0);
        if (!hf_audit_hash_parse(hf_store_text(row, 1), &log->hash))
            return hf_fail(error, HF_ERROR_STORAGE_FAILED, "the last row of the audit has no hash");
    }
    return TRUE;
}

/* Finds the end of the chain, checks it against the signed heads, and loads the key. */
static gboolean open_chain(HfAuditLog *log, const char *directory, GError **error)
{
    if (!hf_store_read(log->store, read_end, log, error))
        return FALSE;
    log->heads = hf_audit_head_store_open(log->store, directory, log->seq, error);
    if (!log->heads)
        return FALSE;
    log->key = hf_audit_head_store_ensure_key(log->heads, log->seq, error);
    return log->key != NULL;
}

/* The first row names the key and is signed at once, so that no chain is without a head. */
static gboolean begin_chain(HfAuditLog *log, GError **error)
{
    json_t *data = json_pack("{s:s}", "key", hf_audit_key_get_name(log->key));
    HfAuditEntry entry = {.take_body = event_body(HF_AUDIT_EVENT_BEGIN, data)};
    if (!hf_audit_log_append(log, entry, error))
        return FALSE;
    HfAuditHead head = hf_audit_head_sign(log->key, log->seq, &log->hash, g_get_real_time() / 1000);
    log->signed_seq = log->seq;
    return hf_audit_head_store_add(log->heads, log->store, &head, error);
}

HfAuditLog *hf_audit_log_open(HfStore *store, const char *directory, GError **error)
{
    HfAuditLog *log = g_new0(HfAuditLog, 1);
    log->store = store;
    log->sign_every = HF_LIMIT_AUDIT_UNSIGNED_ROWS;
    g_mutex_init(&log->lock);
    g_cond_init(&log->changed);
    g_cond_init(&log->wake);
    if (!open_chain(log, directory, error) || (log->seq == 0 && !begin_chain(log, error))) {
        hf_audit_log_close(log);
        return NULL;
    }
    log->signed_seq = MAX(log->signed_seq, hf_audit_head_store_get_last(log->heads));
    log->unsigned_since_us = g_get_monotonic_time();
    log->signer = g_thread_new("audit-heads", run_signer, log);
    return log;
}

void hf_audit_log_close(HfAuditLog *log)
{
    if (!log)
        return;
    g_mutex_lock(&log->lock);
    log->closing = TRUE;
    if (log->signer && log->late.length > 0)
        commit_waiting(log);
    g_cond_signal(&log->wake);
    g_mutex_unlock(&log->lock);
    if (log->signer)
        g_thread_join(log->signer);
    g_queue_clear_full(&log->late, (GDestroyNotify)json_decref);
    hf_audit_head_store_close(log->heads);
    hf_audit_key_free(log->key);
    g_cond_clear(&log->changed);
    g_cond_clear(&log->wake);
    g_mutex_clear(&log->lock);
    g_free(log);
}

gint64 hf_audit_log_count(HfAuditLog *log)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&log->lock);
    return log->seq;
}
