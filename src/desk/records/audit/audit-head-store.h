/* SPDX-License-Identifier: Apache-2.0 */
/* Signed heads in their two places: the database, and a file beside it that only grows. And the
 * key that signs them. */
#pragma once

#include "desk/records/audit/audit-head.h"
#include "desk/records/store/store.h"

typedef struct HfAuditHeadStore HfAuditHeadStore;

#define HF_AUDIT_HEADS_FILE "audit-heads.jsonl"
#define HF_AUDIT_KEY_FILE   "audit-key"

/* STORAGE_FAILED when the file knows a head that the database's `last` rows do not lead to. */
HfAuditHeadStore *hf_audit_head_store_open(HfStore *store, const char *directory, gint64 last,
                                           GError **error);
void hf_audit_head_store_close(HfAuditHeadStore *heads);

/* The key of the chain; made when there is neither a row nor a head yet, and only then. */
HfAuditKey *hf_audit_head_store_ensure_key(HfAuditHeadStore *heads, gint64 last, GError **error);
gint64
hf_audit_head_store_get_last(const HfAuditHeadStore *heads); /* row of the last head; 0: none */
/* A new key beside the old one, in no use yet; one that was begun before and left is replaced. */
HfAuditKey *hf_audit_head_store_begin_key(HfAuditHeadStore *heads, GError **error);
/* In its place, for good. The old public key stays beside it under its name; the old private one is
 * gone. */
gboolean hf_audit_head_store_finish_key(HfAuditHeadStore *heads, GError **error);
/* Within a transaction of the caller's: into the database; and afterwards into the file. */
gboolean hf_audit_head_store_insert(HfStoreSession *session, const HfAuditHead *head,
                                    GError **error);
gboolean hf_audit_head_store_append(HfAuditHeadStore *heads, const HfAuditHead *head,
                                    GError **error);
/* Durable in both places. */
gboolean hf_audit_head_store_add(HfAuditHeadStore *heads, HfStore *store, const HfAuditHead *head,
                                 GError **error);
