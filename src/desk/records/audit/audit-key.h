/* SPDX-License-Identifier: Apache-2.0 */
/* The hash chain of the audit, and the Ed25519 key that signs it, in standard files (PEM: PKCS #8
 * and SubjectPublicKeyInfo), so that other programs can check a signature. */
#pragma once

#include <glib.h>
#include <jansson.h>

/* The chain of audit rows. A row is one line of JSON, its body; the bytes of that line are what
 * counts. Each row's hash covers the hash before it:
 *     hash(n) = SHA-256( hash(n-1) as 32 bytes ‖ body(n) ),  hash(0) = 32 zero bytes.
 * With the heads and an export, anybody can verify the chain without trusting us. */
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

typedef struct HfAuditKey HfAuditKey;

#define HF_AUDIT_SIGNATURE_BYTES 64

HfAuditKey *hf_audit_key_new(void);
void hf_audit_key_free(HfAuditKey *key);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfAuditKey, hf_audit_key_free)

/* Writes `path` (0600) and `path`.pub (0644), durably; an existing `path` is never replaced. */
gboolean hf_audit_key_save(const HfAuditKey *key, const char *path, GError **error);
HfAuditKey *hf_audit_key_load(const char *path, GError **error);
/* A public key, which can only verify: a PEM file, or its 64 hexadecimal digits. */
HfAuditKey *hf_audit_key_load_public(const char *path_or_hex, GError **error);

/* The public key in hexadecimal, which is its name. */
const char *hf_audit_key_get_name(const HfAuditKey *key);
void hf_audit_key_sign(const HfAuditKey *key, const char *text,
                       guint8 signature[HF_AUDIT_SIGNATURE_BYTES]);
/* FALSE when the name is malformed, or that key did not make the signature. */
gboolean hf_audit_key_check(const char *name, const char *text,
                            const guint8 signature[HF_AUDIT_SIGNATURE_BYTES]);

/* A signed head: "at this time, the chain ended in this row with this hash". Whoever keeps one can
 * prove later that nothing up to that row was changed or removed. The signed text is
 *     handfast-audit-head-1 \n SEQ \n HASH \n TIME \n      (without the blanks) */
typedef struct HfAuditHead {
    gint64 seq, time_ms;
    HfAuditHash hash;
    char key[HF_AUDIT_HEX_SIZE];
    guint8 signature[HF_AUDIT_SIGNATURE_BYTES];
} HfAuditHead;

HfAuditHead hf_audit_head_sign(const HfAuditKey *key, gint64 seq, const HfAuditHash *hash,
                               gint64 time_ms);
gboolean hf_audit_head_is_signed(const HfAuditHead *head);

/* {"hash":…,"key":…,"seq":…,"signature":…,"time":…} */
json_t *hf_audit_head_to_json(const HfAuditHead *head);
/* FALSE when something is missing or malformed. */
gboolean hf_audit_head_parse(const json_t *json, HfAuditHead *ret_head);
