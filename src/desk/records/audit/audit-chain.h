/* SPDX-License-Identifier: Apache-2.0 */
/* The chain of audit rows. A row is one line of JSON, its body; the bytes of that line are what
 * counts. Each row's hash covers the hash before it:
 *     hash(n) = SHA-256( hash(n-1) as 32 bytes ‖ body(n) ),  hash(0) = 32 zero bytes.
 * With the heads and an export, anybody can verify the chain without trusting us. */
#pragma once

#include <glib.h>
#include <jansson.h>

#define HF_AUDIT_HASH_BYTES 32
/* Hashes, keys and signatures are written as lower-case hexadecimal. */
#define HF_AUDIT_HEX_SIZE (2 * HF_AUDIT_HASH_BYTES + 1)

typedef struct HfAuditHash {
    guint8 bytes[HF_AUDIT_HASH_BYTES];
} HfAuditHash;

/* The body's text: compact, members in order of their names. Free with g_free. */
char *hf_audit_body_text(const json_t *body);
HfAuditHash hf_audit_hash_next(const HfAuditHash *before, const char *body, gsize length);
HfAuditHash hf_audit_hash_of(const char *text, gsize length);

gboolean hf_audit_hash_equal(const HfAuditHash *a, const HfAuditHash *b);
void hf_audit_hash_print(const HfAuditHash *hash, char hex[HF_AUDIT_HEX_SIZE]);
/* FALSE unless it has exactly that many hexadecimal digits. */
gboolean hf_audit_hash_parse(const char *hex, HfAuditHash *ret_hash);
gboolean hf_audit_hex_parse(const char *hex, guint8 *ret_bytes, gsize count);

/* The columns of the table that repeat a member of the body, for searching; ended by NULL. The
 * first one, "time", is a number, the others are text or absent. */
extern const char *const hf_audit_columns[];
/* The text of a body's member, or NULL. */
const char *hf_audit_column_text(const json_t *body, const char *column);

/* Events that say which key signs from here on. Their data has "key". */
#define HF_AUDIT_EVENT_BEGIN "audit-begin"
#define HF_AUDIT_EVENT_KEY   "audit-key"
