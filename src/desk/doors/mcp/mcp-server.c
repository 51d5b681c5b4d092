/* SPDX-License-Identifier: Apache-2.0 */
/* One of these for each desk. */
#include "desk/doors/mcp/mcp-server.h"

#include <sodium.h>
#include <string.h>

#include "desk/doors/mcp/mcp-calls.h"
#include "desk/doors/mcp/mcp-limits.h"
#include "shared/base/json.h"

/* A state is TEXT.MAC, both in base64 without padding: the claims as JSON, and HMAC-SHA-512/256 of
 * them. */
struct HfMcpStateSigner {
    guint8 key[crypto_auth_KEYBYTES];
};

#define VARIANT sodium_base64_VARIANT_URLSAFE_NO_PADDING
/* Ours are a few hundred bytes. */
#define STATE_BYTES_MOST 4096

HfMcpStateSigner *hf_mcp_state_signer_new(void)
{
    HfMcpStateSigner *signer = g_new0(HfMcpStateSigner, 1);
    g_assert(sodium_init() >= 0);
    crypto_auth_keygen(signer->key);
    return signer;
}

void hf_mcp_state_signer_free(HfMcpStateSigner *signer)
{
    if (!signer)
        return;
    sodium_memzero(signer->key, sizeof signer->key);
    g_free(signer);
}

static char *encode_state(const guint8 *bytes, gsize length)
{
    gsize room = sodium_base64_encoded_len(length, VARIANT);
    return sodium_bin2base64(g_malloc(room), room, bytes, length, VARIANT);
}

static gboolean decode_state(const char *text, gsize length, GByteArray *bytes)
{
    size_t got = 0;
    g_byte_array_set_size(bytes, (guint)length + 1);
    if (sodium_base642bin(bytes->data, bytes->len, text, length, NULL, &got, NULL, VARIANT) != 0)
        return FALSE;
    g_byte_array_set_size(bytes, (guint)got);
    return TRUE;
}

char *hf_mcp_state_sign(const HfMcpStateSigner *signer, json_t *take_claims, gint64 for_ms)
{
    g_autoptr(json_t) claims = take_claims;
    json_object_set_new(claims, "expires", json_integer(g_get_real_time() / 1000 + for_ms));
    g_autofree char *plain = hf_json_dump(claims);
    guint8 mac[crypto_auth_BYTES];
    crypto_auth(mac, (const guint8 *)plain, strlen(plain), signer->key);
    g_autofree char *body = encode_state((const guint8 *)plain, strlen(plain));
    g_autofree char *signature = encode_state(mac, sizeof mac);
    return g_strconcat(body, ".", signature, NULL);
}

json_t *hf_mcp_state_verify(const HfMcpStateSigner *signer, const char *text)
{
    const char *dot = text ? strchr(text, '.') : NULL;
    if (!dot || strlen(text) > STATE_BYTES_MOST)
        return NULL;
    g_autoptr(GByteArray) plain = g_byte_array_new();
    g_autoptr(GByteArray) mac = g_byte_array_new();
    if (!decode_state(text, (gsize)(dot - text), plain) ||
        !decode_state(dot + 1, strlen(dot + 1), mac) || mac->len != crypto_auth_BYTES ||
        crypto_auth_verify(mac->data, plain->data, plain->len, signer->key) != 0)
        return NULL;
    g_autoptr(json_t) claims = json_loadb((const char *)plain->data, plain->len, 0, NULL);
    if (hf_json_int(claims, "expires", 0) < g_get_real_time() / 1000)
        return NULL;
    return g_steal_pointer(&claims);
}

HfMcpServer *hf_mcp_server_new(HfDesk *desk, HfWorkers *workers, const HfMcpExtras *extras)
{
    HfMcpServer *server = g_new0(HfMcpServer, 1);
    server->desk = desk;
    server->workers = workers;
    server->extras = extras;
    server->signer = hf_mcp_state_signer_new();
    server->calls = hf_mcp_calls_new();
    g_mutex_init(&server->lock);
    server->pictures =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)json_decref);
    return server;
}

void hf_mcp_server_free(HfMcpServer *server)
{
    if (!server)
        return;
    hf_mcp_calls_free(server->calls);
    hf_mcp_state_signer_free(server->signer);
    g_hash_table_unref(server->pictures);
    g_mutex_clear(&server->lock);
    g_free(server);
}

json_t *hf_mcp_server_dup_picture(HfMcpServer *server, const char *principal, const char *desktop)
{
    g_autofree char *key = g_strdup_printf("%s %s", principal, desktop);
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&server->lock);
    return json_deep_copy(g_hash_table_lookup(server->pictures, key));
}

void hf_mcp_server_note_picture(HfMcpServer *server, const char *principal, const char *desktop,
                                json_t *picture)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&server->lock);
    /* Hands keep a few dozen pictures; a caller that looked so long ago must look again anyway. */
    if (g_hash_table_size(server->pictures) >= HF_LIMIT_MCP_PICTURES)
        g_hash_table_remove_all(server->pictures);
    g_hash_table_replace(server->pictures, g_strdup_printf("%s %s", principal, desktop),
                         json_deep_copy(picture));
}
