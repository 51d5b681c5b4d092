/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of the audit: appended to the database, chained and durable, never changed. Concurrent
 * callers share one commit. Heads of the chain are signed, and also kept in a file, so that a
 * truncated database is detected. */
#pragma once

#include "desk/records/audit/audit-key.h"
#include "desk/records/store/store.h"

typedef struct HfAuditLog HfAuditLog;

typedef struct HfAuditEntry {
    json_t *take_body; /* without "seq" */
    gboolean keep; /* it has already happened: if it cannot be written now, it is kept and written
                      before any later row */
    gboolean soon; /* need not wait for the disk: hf_audit_log_append */
    HfStoreWork also; /* in the same transaction; may be NULL */
    gpointer data;
} HfAuditEntry;

/* Opens the chain, with its key and heads in `directory`. The first start creates a key.
 * STORAGE_FAILED when the key is missing or the chain was truncated; nothing is changed then. */
HfAuditLog *hf_audit_log_open(HfStore *store, const char *directory, GError **error);
/* Signs the last head. */
void hf_audit_log_close(HfAuditLog *log);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfAuditLog, hf_audit_log_close)

/* A head is signed at the latest after this many rows. */
void hf_audit_log_sign_every(HfAuditLog *log, gint64 rows);

/* Changes the key. A row with `take_data` names the new key and is signed with both, so that the
 * old key vouches for the new one and earlier rows stay proven. */
gboolean hf_audit_log_rotate_key(HfAuditLog *log, json_t *take_data, GError **error);

/* Any thread. TRUE: the row is in the chain, visible to readers and durable. With `soon` it
 * survives this process at once, and a power failure after the next row without `soon` or
 * HF_LIMIT_AUDIT_UNSYNCED_MS. */
gboolean hf_audit_log_append(HfAuditLog *log, HfAuditEntry entry, GError **error);

gint64 hf_audit_log_count(HfAuditLog *log);
