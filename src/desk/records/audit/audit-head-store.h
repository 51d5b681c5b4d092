/* SPDX-License-Identifier: Apache-2.0 */
/* Signed heads, stored twice: in the database, and in an append-only file beside it. Also the key
 * that signs them. */
#pragma once

#include "desk/records/audit/audit-key.h"
#include "desk/records/store/store.h"

typedef struct HfAuditHeadStore HfAuditHeadStore;

#define HF_AUDIT_HEADS_FILE "audit-heads.jsonl"
#define HF_AUDIT_KEY_FILE   "audit-key"

/* STORAGE_FAILED when the file has a head that does not match the database of `last` rows. */
HfAuditHeadStore *hf_audit_head_store_open(HfStore *store, const char *directory, gint64 last,
                                           GError **error);
void hf_audit_head_store_close(HfAuditHeadStore *heads);

/* The key of the chain; created only when there is neither a row nor a head yet. */
HfAuditKey *hf_audit_head_store_ensure_key(HfAuditHeadStore *heads, gint64 last, GError **error);
gint64 hf_audit_head_store_get_last(const HfAuditHeadStore *heads); /* 0: none */
/* Creates a new key beside the old one, not in use yet; replaces an abandoned one. */
HfAuditKey *hf_audit_head_store_begin_key(HfAuditHeadStore *heads, GError **error);
/* Puts the new key into use. The old public key is kept under its name; the old private key is
 * deleted. */
gboolean hf_audit_head_store_finish_key(HfAuditHeadStore *heads, GError **error);
/* Into the database, within the caller's transaction; then into the file. */
gboolean hf_audit_head_store_insert(HfStoreSession *session, const HfAuditHead *head,
                                    GError **error);
gboolean hf_audit_head_store_append(HfAuditHeadStore *heads, const HfAuditHead *head,
                                    GError **error);
/* Durable in both places. */
gboolean hf_audit_head_store_add(HfAuditHeadStore *heads, HfStore *store, const HfAuditHead *head,
                                 GError **error);
