/* SPDX-License-Identifier: Apache-2.0 */
/* The audit's rows in the database: appended, chained and durable, never changed. Many callers at
 * once share one commit; the chain's heads are signed beside them, and also kept in a file of
 * their own, so that a database that was cut short is noticed. */
#pragma once

#include "desk/records/audit/audit-head.h"
#include "desk/records/store/store.h"

typedef struct HfAuditLog HfAuditLog;

typedef struct HfAuditEntry {
    json_t *take_body; /* without "seq" */
    gboolean keep;     /* says what has happened already: not lost when it cannot be written now,
                        * but written before anything else as soon as it can */
    gboolean soon;     /* need not wait for the disk: see hf_audit_log_append */
    HfStoreWork also;  /* in the same transaction; may be NULL */
    gpointer data;
} HfAuditEntry;

/* The database's chain, with its key and heads in `directory`. A first start makes a key; a chain
 * whose key is missing or whose end was cut off is STORAGE_FAILED and left alone. */
HfAuditLog *hf_audit_log_open(HfStore *store, const char *directory, GError **error);
/* Signs the last head. */
void hf_audit_log_close(HfAuditLog *log);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfAuditLog, hf_audit_log_close)

/* How many rows one signature may leave behind it. */
void hf_audit_log_sign_every(HfAuditLog *log, gint64 rows);

/* Goes on with a new key, from a row on that names it (`take_data` is what else that row says) and
 * is signed with both keys. What was before stays proven: the old key vouches for the new one. */
gboolean hf_audit_log_rotate_key(HfAuditLog *log, json_t *take_data, GError **error);

/* Any thread. TRUE: the row is in its place in the chain, readers see it, and it lasts, through a
 * loss of power too. With `soon` it outlives this process at once, and a loss of power from the
 * next row that is waited for on, or HF_LIMIT_AUDIT_UNSYNCED_MS later. */
gboolean hf_audit_log_append(HfAuditLog *log, HfAuditEntry entry, GError **error);
/* The number of the last row. */
gint64 hf_audit_log_count(HfAuditLog *log);
