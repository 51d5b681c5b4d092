/* SPDX-License-Identifier: Apache-2.0 */
/* Signs and parses heads. */
#include "desk/records/audit/audit-head.h"

#include <sodium.h>

#include "shared/base/json.h"

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
