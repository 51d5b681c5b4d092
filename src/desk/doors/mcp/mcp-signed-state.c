/* SPDX-License-Identifier: Apache-2.0 */
/* TEXT.MAC, both in base64 without padding: the claims as JSON, and HMAC-SHA-512/256 of them. */
#include "desk/doors/mcp/mcp-signed-state.h"

#include <sodium.h>
#include <string.h>

#include "shared/base/json.h"

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
