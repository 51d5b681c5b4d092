/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and writes key files. The DER around an Ed25519 key is constant, so it is compared, not
 * parsed. */
#include "desk/records/audit/audit-key.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sodium.h>
#include <string.h>
#include <unistd.h>

#include "shared/base/error.h"
#include "shared/base/json.h"

/* Signs and parses heads. */
static char *signed_text(const HfAuditHead *head)
{
    char hash[HF_AUDIT_HEX_SIZE];
    hf_audit_hash_print(&head->hash, hash);
    return g_strdup_printf("handfast-audit-head-1\n%" G_GINT64_FORMAT "\n%s\n%" G_GINT64_FORMAT
                           "\n",
                           head->seq, hash, head->time_ms);
}

HfAuditHead hf_audit_head_sign(const HfAuditKey *key, gint64 seq, const HfAuditHash *hash,
                               gint64 time_ms)
{
    HfAuditHead head = {.seq = seq, .time_ms = time_ms, .hash = *hash};
    g_strlcpy(head.key, hf_audit_key_get_name(key), sizeof head.key);
    g_autofree char *text = signed_text(&head);
    hf_audit_key_sign(key, text, head.signature);
    return head;
}

gboolean hf_audit_head_is_signed(const HfAuditHead *head)
{
    g_autofree char *text = signed_text(head);
    return hf_audit_key_check(head->key, text, head->signature);
}

json_t *hf_audit_head_to_json(const HfAuditHead *head)
{
    char hash[HF_AUDIT_HEX_SIZE], signature[2 * HF_AUDIT_SIGNATURE_BYTES + 1];
    hf_audit_hash_print(&head->hash, hash);
    sodium_bin2hex(signature, sizeof signature, head->signature, sizeof head->signature);
    return json_pack("{s:s, s:s, s:I, s:s, s:I}", "hash", hash, "key", head->key, "seq",
                     (json_int_t)head->seq, "signature", signature, "time",
                     (json_int_t)head->time_ms);
}

gboolean hf_audit_head_parse(const json_t *json, HfAuditHead *ret_head)
{
    HfAuditHead head = {.seq = hf_json_int(json, "seq", 0),
                        .time_ms = hf_json_int(json, "time", -1)};
    guint8 key[HF_AUDIT_HASH_BYTES];
    const char *name = hf_json_string(json, "key", NULL);
    if (head.seq < 1 || head.time_ms < 0 || !hf_audit_hex_parse(name, key, sizeof key) ||
        !hf_audit_hash_parse(hf_json_string(json, "hash", NULL), &head.hash) ||
        !hf_audit_hex_parse(hf_json_string(json, "signature", NULL), head.signature,
                            sizeof head.signature))
        return FALSE;
    g_strlcpy(head.key, name, sizeof head.key);
    *ret_head = head;
    return TRUE;
}

/* Hashes rows. Only bytes are hashed: nothing here may depend on the form of the JSON. */
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

#define KEY_BYTES 32

static const guint8 private_prefix[] = {0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06,
                                        0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20};
static const guint8 public_prefix[] = {0x30, 0x2a, 0x30, 0x05, 0x06, 0x03,
                                       0x2b, 0x65, 0x70, 0x03, 0x21, 0x00};

struct HfAuditKey {
    guint8 seed[KEY_BYTES]; /* zero in a public key */
    guint8 secret[crypto_sign_SECRETKEYBYTES];
    guint8 open[KEY_BYTES];
    char name[HF_AUDIT_HEX_SIZE];
};

static HfAuditKey *key_from_seed(const guint8 *seed)
{
    HfAuditKey *key = g_new0(HfAuditKey, 1);
    memcpy(key->seed, seed, KEY_BYTES);
    crypto_sign_seed_keypair(key->open, key->secret, seed);
    sodium_bin2hex(key->name, sizeof key->name, key->open, KEY_BYTES);
    return key;
}

HfAuditKey *hf_audit_key_new(void)
{
    guint8 seed[KEY_BYTES];
    g_assert(sodium_init() >= 0);
    randombytes_buf(seed, sizeof seed);
    HfAuditKey *key = key_from_seed(seed);
    sodium_memzero(seed, sizeof seed);
    return key;
}

void hf_audit_key_free(HfAuditKey *key)
{
    if (!key)
        return;
    sodium_memzero(key, sizeof *key);
    g_free(key);
}

const char *hf_audit_key_get_name(const HfAuditKey *key)
{
    return key->name;
}

static char *pem_text(const char *label, const guint8 *prefix, gsize prefix_size,
                      const guint8 *bytes)
{
    guint8 der[sizeof private_prefix + KEY_BYTES];
    memcpy(der, prefix, prefix_size);
    memcpy(der + prefix_size, bytes, KEY_BYTES);
    g_autofree char *base64 = g_base64_encode(der, prefix_size + KEY_BYTES);
    char *text =
        g_strdup_printf("-----BEGIN %s-----\n%s\n-----END %s-----\n", label, base64, label);
    sodium_memzero(der, sizeof der);
    sodium_memzero(base64, strlen(base64));
    return text;
}

static gboolean write_whole(const char *path, const char *text, int mode, GError **error)
{
    gsize length = strlen(text);
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
    gboolean done = fd >= 0 && write(fd, text, length) == (ssize_t)length && fsync(fd) == 0;
    int reason = errno;
    if (fd >= 0)
        close(fd);
    return done || hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot write the audit key '%s': %s",
                           path, g_strerror(reason));
}

/* The public key first, so that a private key never exists without its public key. */
gboolean hf_audit_key_save(const HfAuditKey *key, const char *path, GError **error)
{
    g_autofree char *public_path = g_strconcat(path, ".pub", NULL);
    g_autofree char *open = pem_text("PUBLIC KEY", public_prefix, sizeof public_prefix, key->open);
    g_autofree char *secret =
        pem_text("PRIVATE KEY", private_prefix, sizeof private_prefix, key->seed);
    if (!g_file_test(path, G_FILE_TEST_EXISTS))
        g_unlink(public_path);
    gboolean done =
        write_whole(public_path, open, 0644, error) && write_whole(path, secret, 0600, error);
    sodium_memzero(secret, strlen(secret));
    return done;
}

static gboolean read_pem(const char *path, const guint8 *prefix, gsize prefix_size, guint8 *ret_key,
                         GError **error)
{
    g_autofree char *text = NULL;
    gsize length, size = 0;
    g_autoptr(GError) problem = NULL;
    if (!g_file_get_contents(path, &text, &length, &problem))
        return hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot read the audit key: %s",
                       problem->message);
    char *begin = strstr(text, " KEY-----"), *end = begin ? strstr(begin, "-----END") : NULL;
    g_autofree guint8 *der = NULL;
    if (end) {
        *end = '\0';
        der = g_base64_decode(begin + strlen(" KEY-----"), &size);
    }
    gboolean fits = size == prefix_size + KEY_BYTES && memcmp(der, prefix, prefix_size) == 0;
    if (fits)
        memcpy(ret_key, der + prefix_size, KEY_BYTES);
    sodium_memzero(text, length);
    return fits ||
           hf_fail(error, HF_ERROR_STORAGE_FAILED, "'%s' is not an Ed25519 key of this kind", path);
}

HfAuditKey *hf_audit_key_load(const char *path, GError **error)
{
    guint8 seed[KEY_BYTES];
    g_assert(sodium_init() >= 0);
    if (!read_pem(path, private_prefix, sizeof private_prefix, seed, error))
        return NULL;
    HfAuditKey *key = key_from_seed(seed);
    sodium_memzero(seed, sizeof seed);
    return key;
}

HfAuditKey *hf_audit_key_load_public(const char *path_or_hex, GError **error)
{
    g_assert(sodium_init() >= 0);
    g_autoptr(HfAuditKey) key = g_new0(HfAuditKey, 1);
    if (!hf_audit_hex_parse(path_or_hex, key->open, KEY_BYTES) &&
        !read_pem(path_or_hex, public_prefix, sizeof public_prefix, key->open, error))
        return NULL;
    sodium_bin2hex(key->name, sizeof key->name, key->open, KEY_BYTES);
    return g_steal_pointer(&key);
}

void hf_audit_key_sign(const HfAuditKey *key, const char *text,
                       guint8 signature[HF_AUDIT_SIGNATURE_BYTES])
{
    crypto_sign_detached(signature, NULL, (const guint8 *)text, strlen(text), key->secret);
}

gboolean hf_audit_key_check(const char *name, const char *text,
                            const guint8 signature[HF_AUDIT_SIGNATURE_BYTES])
{
    guint8 open[KEY_BYTES];
    return hf_audit_hex_parse(name, open, KEY_BYTES) &&
           crypto_sign_verify_detached(signature, (const guint8 *)text, strlen(text), open) == 0;
}
