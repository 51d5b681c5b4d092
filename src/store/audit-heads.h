/* Signed heads in their two places: the database, and a file beside it that only grows. And the
 * key that signs them. */
#pragma once

#include "audit/head.h"
#include "store/store.h"

typedef struct HfAuditHeads HfAuditHeads;

#define HF_AUDIT_HEADS_FILE "audit-heads.jsonl"
#define HF_AUDIT_KEY_FILE   "audit-key"

/* STORAGE_FAILED when the file knows a head that the database's `last` rows do not lead to. */
HfAuditHeads *hf_audit_heads_open(HfStore *store, const char *directory, gint64 last,
                                  GError **error);
void hf_audit_heads_close(HfAuditHeads *heads);

/* The key of the chain; made when there is neither a row nor a head yet, and only then. */
HfAuditKey *hf_audit_heads_ensure_key(HfAuditHeads *heads, gint64 last, GError **error);
gint64 hf_audit_heads_get_last(const HfAuditHeads *heads); /* row of the last head; 0: none */
/* A new key beside the old one, in no use yet; one that was begun before and left is replaced. */
HfAuditKey *hf_audit_heads_begin_key(HfAuditHeads *heads, GError **error);
/* In its place, for good. The old public key stays beside it under its name; the old private one is
 * gone. */
gboolean hf_audit_heads_finish_key(HfAuditHeads *heads, GError **error);
/* Within a transaction of the caller's: into the database; and afterwards into the file. */
gboolean hf_audit_heads_insert(HfStoreSession *session, const HfAuditHead *head, GError **error);
gboolean hf_audit_heads_append(HfAuditHeads *heads, const HfAuditHead *head, GError **error);
/* Durable in both places. */
gboolean hf_audit_heads_add(HfAuditHeads *heads, HfStore *store, const HfAuditHead *head,
                            GError **error);
