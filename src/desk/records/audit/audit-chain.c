/* SPDX-License-Identifier: Apache-2.0 */
/* Hashes rows. Only bytes are hashed: nothing here may depend on the form of the JSON. */
#include "desk/records/audit/audit-chain.h"

#include <sodium.h>
#include <string.h>

#include "shared/base/json.h"

const char *const hf_audit_columns[] = {
    "time", "kind",  "caller",  "agent", "project",  "run",  "step",
    "tool", "event", "desktop", "risk",  "decision", "code", NULL,
};

const char *hf_audit_column_text(const json_t *body, const char *column)
{
    return hf_json_string(body, column, NULL);
}

static int append_body_chunk(const char *chunk, size_t size, void *text)
{
    g_string_append_len(text, chunk, (gssize)size);
    return 0;
}

char *hf_audit_body_text(const json_t *body)
{
    GString *text = g_string_sized_new(1024);
    json_dump_callback(body, append_body_chunk, text, JSON_COMPACT | JSON_SORT_KEYS);
    return g_string_free(text, FALSE);
}

HfAuditHash hf_audit_hash_next(const HfAuditHash *before, const char *body, gsize length)
{
    HfAuditHash hash;
    crypto_hash_sha256_state state;
    crypto_hash_sha256_init(&state);
    crypto_hash_sha256_update(&state, before->bytes, sizeof before->bytes);
    crypto_hash_sha256_update(&state, (const guint8 *)body, length);
    crypto_hash_sha256_final(&state, hash.bytes);
    return hash;
}

HfAuditHash hf_audit_hash_of(const char *text, gsize length)
{
    HfAuditHash hash;
    crypto_hash_sha256(hash.bytes, (const guint8 *)text, length);
    return hash;
}

gboolean hf_audit_hash_equal(const HfAuditHash *a, const HfAuditHash *b)
{
    return memcmp(a->bytes, b->bytes, sizeof a->bytes) == 0;
}

void hf_audit_hash_print(const HfAuditHash *hash, char hex[HF_AUDIT_HEX_SIZE])
{
    sodium_bin2hex(hex, HF_AUDIT_HEX_SIZE, hash->bytes, sizeof hash->bytes);
}

gboolean hf_audit_hex_parse(const char *hex, guint8 *ret_bytes, gsize count)
{
    if (!hex || strlen(hex) != 2 * count || strspn(hex, "0123456789abcdef") != 2 * count)
        return FALSE;
    for (gsize i = 0; i < count; i++)
        ret_bytes[i] =
            (guint8)(g_ascii_xdigit_value(hex[2 * i]) << 4 | g_ascii_xdigit_value(hex[2 * i + 1]));
    return TRUE;
}

gboolean hf_audit_hash_parse(const char *hex, HfAuditHash *ret_hash)
{
    return hf_audit_hex_parse(hex, ret_hash->bytes, sizeof ret_hash->bytes);
}
