/* SPDX-License-Identifier: Apache-2.0 */
/* The chain itself names the key in force: in its first row, and in rows that change it, which the
 * previous key must sign. */
#include "desk/records/audit/audit-verifier.h"

#include "shared/base/error.h"
#include "shared/base/json.h"

struct HfAuditVerifier {
    GPtrArray *trusted;               /* names of keys */
    char key[HF_AUDIT_HEX_SIZE];      /* in force */
    char former[HF_AUDIT_HEX_SIZE];   /* the one before it, up to row `key_row` */
    gint64 key_row, keys;             /* where it came into force; how many keys so far */
    char next_key[HF_AUDIT_HEX_SIZE]; /* in force once the head of `next_key_row` is verified */
    gint64 next_key_row;
    gint64 first, seq;
    HfAuditHash hash;
    gint64 heads, trusted_heads, last_head;
    HfAuditHead expected; /* seq 0: none */
};

HfAuditVerifier *hf_audit_verifier_new(const HfAuditKey *trusted)
{
    HfAuditVerifier *verifier = g_new0(HfAuditVerifier, 1);
    verifier->trusted = g_ptr_array_new_with_free_func(g_free);
    hf_audit_verifier_trust(verifier, trusted);
    verifier->first = 1;
    verifier->keys = 1;
    return verifier;
}

void hf_audit_verifier_trust(HfAuditVerifier *verifier, const HfAuditKey *key)
{
    g_ptr_array_add(verifier->trusted, g_strdup(hf_audit_key_get_name(key)));
}

void hf_audit_verifier_free(HfAuditVerifier *verifier)
{
    if (!verifier)
        return;
    g_ptr_array_unref(verifier->trusted);
    g_free(verifier);
}

void hf_audit_verifier_begin_at(HfAuditVerifier *verifier, gint64 first, const HfAuditHash *before,
                                const char *key)
{
    verifier->first = first;
    verifier->seq = first - 1;
    verifier->last_head = first - 1;
    verifier->hash = *before;
    g_strlcpy(verifier->key, key, sizeof verifier->key);
}

void hf_audit_verifier_expect(HfAuditVerifier *verifier, const HfAuditHead *head)
{
    verifier->expected = *head;
}

gboolean hf_audit_fail_broken(GError **error, gint64 row, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *text = g_strdup_vprintf(format, args);
    va_end(args);
    hf_fail(error, HF_ERROR_AUDIT_BROKEN, "row %" G_GINT64_FORMAT ": %s", row, text);
    hf_error_take_details(error, json_pack("{s:I}", "row", (json_int_t)row));
    return FALSE;
}

static gboolean check_row_number(const HfAuditVerifier *verifier, gint64 seq, const json_t *body,
                                 GError **error)
{
    gint64 expected = verifier->seq + 1;
    if (seq != expected)
        return hf_audit_fail_broken(
            error, expected,
            "row %" G_GINT64_FORMAT " is in its place: a row was removed, added or moved", seq);
    if (!body)
        return hf_audit_fail_broken(error, seq, "its body is not a JSON object");
    gint64 said = hf_json_int(body, "seq", 0);
    if (said != seq)
        return hf_audit_fail_broken(error, seq, "its body says that it is row %" G_GINT64_FORMAT,
                                    said);
    return TRUE;
}

static gboolean note_key(HfAuditVerifier *verifier, const json_t *body, GError **error)
{
    const char *event = hf_json_string(body, "event", "");
    const char *key = hf_json_string(json_object_get(body, "data"), "key", "");
    gboolean is_event = g_str_equal(hf_json_string(body, "kind", ""), "event");
    if (verifier->seq == 1) {
        if (!is_event || !g_str_equal(event, HF_AUDIT_EVENT_BEGIN))
            return hf_audit_fail_broken(error, 1, "it is not the first row of a chain");
        g_strlcpy(verifier->key, key, sizeof verifier->key);
    } else if (is_event && g_str_equal(event, HF_AUDIT_EVENT_KEY)) {
        g_strlcpy(verifier->next_key, key, sizeof verifier->next_key);
        verifier->next_key_row = verifier->seq;
    }
    return TRUE;
}

gboolean hf_audit_verifier_row(HfAuditVerifier *verifier, gint64 seq, const char *hash,
                               const char *body, gsize length, const json_t *body_json,
                               GError **error)
{
    HfAuditHash said;
    if (verifier->next_key_row)
        return hf_audit_fail_broken(error, verifier->next_key_row,
                                    "the change of key is not signed with the previous key");
    if (!check_row_number(verifier, seq, body_json, error))
        return FALSE;
    HfAuditHash found = hf_audit_hash_next(&verifier->hash, body, length);
    if (!hf_audit_hash_parse(hash, &said) || !hf_audit_hash_equal(&said, &found))
        return hf_audit_fail_broken(error, seq,
                                    "it was changed: its hash does not fit its body and "
                                    "the row before it");
    verifier->seq = seq;
    verifier->hash = found;
    if (!note_key(verifier, body_json, error))
        return FALSE;
    return verifier->expected.seq != seq ||
           hf_audit_verifier_head(verifier, &verifier->expected, error);
}

static gboolean check_head_place(const HfAuditVerifier *verifier, const HfAuditHead *head,
                                 GError **error)
{
    if (head->seq > verifier->seq)
        return hf_audit_fail_broken(
            error, verifier->seq + 1,
            "it is missing: the chain was cut off after row %" G_GINT64_FORMAT
            ", but a head signs row %" G_GINT64_FORMAT,
            verifier->seq, head->seq);
    if (head->seq < verifier->seq)
        return hf_audit_fail_broken(error, head->seq,
                                    "its head is out of place, after row %" G_GINT64_FORMAT,
                                    verifier->seq);
    if (!hf_audit_hash_equal(&head->hash, &verifier->hash))
        return hf_audit_fail_broken(error, MIN(verifier->last_head + 1, head->seq),
                                    "from here to row %" G_GINT64_FORMAT
                                    " the chain is not the one that was signed: it was rebuilt",
                                    head->seq);
    return TRUE;
}

/* Both the old and the new key sign the row that changes the key. */
static gboolean is_in_force(const HfAuditVerifier *verifier, const HfAuditHead *head)
{
    return g_str_equal(head->key, verifier->key) ||
           (head->seq == verifier->key_row && g_str_equal(head->key, verifier->former));
}

gboolean hf_audit_verifier_head(HfAuditVerifier *verifier, const HfAuditHead *head, GError **error)
{
    if (!check_head_place(verifier, head, error))
        return FALSE;
    if (!is_in_force(verifier, head))
        return hf_audit_fail_broken(error, head->seq,
                                    "its head is signed with key %.16s…, not %.16s…", head->key,
                                    verifier->key);
    if (!hf_audit_head_is_signed(head))
        return hf_audit_fail_broken(error, head->seq, "the signature of its head is forged");
    verifier->heads++;
    verifier->trusted_heads +=
        g_ptr_array_find_with_equal_func(verifier->trusted, head->key, g_str_equal, NULL);
    verifier->last_head = head->seq;
    if (verifier->next_key_row == head->seq) {
        g_strlcpy(verifier->former, verifier->key, sizeof verifier->former);
        g_strlcpy(verifier->key, verifier->next_key, sizeof verifier->key);
        verifier->key_row = head->seq;
        verifier->next_key_row = 0;
        verifier->keys++;
    }
    return TRUE;
}

gboolean hf_audit_verifier_end(HfAuditVerifier *verifier, GError **error)
{
    if (verifier->expected.seq > verifier->seq)
        return check_head_place(verifier, &verifier->expected, error);
    if (verifier->expected.seq && verifier->expected.seq < verifier->first)
        return hf_fail(error, HF_ERROR_PRECONDITION_FAILED,
                       "the given head signs row %" G_GINT64_FORMAT ", which is not in this part",
                       verifier->expected.seq);
    if (verifier->seq < verifier->first)
        return hf_audit_fail_broken(error, verifier->first, "there are no rows");
    if (verifier->heads == 0)
        return hf_audit_fail_broken(error, verifier->first, "no row from here on is signed");
    if (verifier->trusted_heads == 0)
        return hf_audit_fail_broken(
            error, verifier->first,
            "the chain is signed with key %.16s…, never with %.16s…: it was "
            "rebuilt without your key, or this is the key of another chain",
            verifier->key, (char *)verifier->trusted->pdata[0]);
    return TRUE;
}

gint64 hf_audit_verifier_get_row(const HfAuditVerifier *verifier)
{
    return verifier->seq;
}

json_t *hf_audit_verifier_report(const HfAuditVerifier *verifier)
{
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:s}", "first", (json_int_t)verifier->first,
                     "last", (json_int_t)verifier->seq, "rows",
                     (json_int_t)(verifier->seq - verifier->first + 1), "heads",
                     (json_int_t)verifier->heads, "last_signed", (json_int_t)verifier->last_head,
                     "keys", (json_int_t)verifier->keys, "key", verifier->key);
}
