/* SPDX-License-Identifier: Apache-2.0 */
/* Writes and reads exports. An export may come from anybody: every line is bounded, and nothing is
 * trusted before it is checked. */
#include "desk/records/audit/audit-export.h"

#include <errno.h>

#include "shared/base/error.h"

static gboolean write_export_line(FILE *file, json_t *take_line, GError **error)
{
    g_autoptr(json_t) line = take_line;
    if (json_dumpf(line, file, JSON_COMPACT) == 0 && fputc('\n', file) != EOF)
        return TRUE;
    return hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot write the export: %s",
                   g_strerror(errno));
}

static gboolean write_row(const HfAuditRow *row, gpointer data, GError **error)
{
    json_t *line = json_pack("{s:s, s:I, s:s, s:s%}", "type", "row", "seq", (json_int_t)row->seq,
                             "hash", row->hash, "body", row->body, (size_t)row->length);
    if (line)
        return write_export_line(data, line, error);
    return hf_audit_fail_broken(error, row->seq, "its body is not text");
}

static gboolean write_head(const HfAuditHead *head, gpointer data, GError **error)
{
    return write_export_line(
        data, json_pack("{s:s, s:o}", "type", "head", "head", hf_audit_head_to_json(head)), error);
}

/* The first head from a row on names the key that signs there. */
static gboolean note_first_key(const HfAuditHead *head, gpointer data, GError **error)
{
    g_strlcpy(data, head->key, HF_AUDIT_HEX_SIZE);
    return FALSE;
}

static gboolean skip_row(const HfAuditRow *row, gpointer data, GError **error)
{
    return TRUE;
}

gboolean hf_audit_export_write(HfAuditDatabase *database, gint64 since_ms, FILE *file,
                               GError **error)
{
    HfAuditHash before;
    HfAuditHead last;
    char hex[HF_AUDIT_HEX_SIZE], key[HF_AUDIT_HEX_SIZE] = "";
    gint64 first = since_ms ? hf_audit_database_first_since(database, since_ms) : 1;
    if (!hf_audit_database_hash_before(database, first, &before) ||
        !hf_audit_database_last_head(database, &last))
        return hf_fail(error, HF_ERROR_PRECONDITION_FAILED, "the audit has nothing to export yet");
    if (!hf_audit_database_visit_from(database, first, skip_row, note_first_key, key, NULL) &&
        !*key)
        return hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot read the audit");
    hf_audit_hash_print(&before, hex);
    json_t *begin = json_pack("{s:s, s:i, s:I, s:s, s:s, s:o}", "type", "handfast-audit", "version",
                              1, "first", (json_int_t)first, "before", hex, "key",
                              *key ? key : last.key, "head", hf_audit_head_to_json(&last));
    return write_export_line(file, begin, error) &&
           hf_audit_database_visit_from(database, first, write_row, write_head, file, error);
}

static gboolean read_begin(HfAuditVerifier *verifier, const json_t *line, HfAuditHead *ret_last,
                           GError **error)
{
    HfAuditHash before;
    gint64 first = hf_json_int(line, "first", 0);
    if (!g_str_equal(hf_json_string(line, "type", ""), "handfast-audit") ||
        hf_json_int(line, "version", 0) != 1)
        return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                       "this is not an audit export, or it comes from a newer Handfast");
    if (first < 1 || !hf_audit_hash_parse(hf_json_string(line, "before", NULL), &before) ||
        !hf_audit_head_parse(json_object_get(line, "head"), ret_last))
        return hf_fail(error, HF_ERROR_AUDIT_BROKEN, "the first line of the export is incomplete");
    if (first > 1)
        hf_audit_verifier_begin_at(verifier, first, &before, hf_json_string(line, "key", ""));
    else if (!hf_audit_hash_equal(&before, &(HfAuditHash){0}))
        return hf_audit_fail_broken(error, 1, "the chain does not begin with zero");
    return TRUE;
}

static gboolean verify_exported_row(HfAuditVerifier *verifier, const json_t *line, GError **error)
{
    const json_t *text = json_object_get(line, "body");
    const char *body = json_is_string(text) ? json_string_value(text) : "";
    gsize length = json_is_string(text) ? json_string_length(text) : 0;
    g_autoptr(json_t) parsed = json_loadb(body, length, JSON_REJECT_DUPLICATES, NULL);
    return hf_audit_verifier_row(verifier, hf_json_int(line, "seq", 0),
                                 hf_json_string(line, "hash", NULL), body, length,
                                 json_is_object(parsed) ? parsed : NULL, error);
}

static gboolean verify_export_line(HfAuditVerifier *verifier, const json_t *line, gint64 number,
                                   GError **error)
{
    HfAuditHead head;
    const char *type = hf_json_string(line, "type", "");
    if (g_str_equal(type, "row"))
        return verify_exported_row(verifier, line, error);
    if (g_str_equal(type, "head") && hf_audit_head_parse(json_object_get(line, "head"), &head))
        return hf_audit_verifier_head(verifier, &head, error);
    return hf_audit_fail_broken(error, hf_audit_verifier_get_row(verifier) + 1,
                                "line %" G_GINT64_FORMAT " is neither a row nor a head", number);
}

gboolean hf_audit_export_verify(FILE *file, HfAuditVerifier *verifier, GError **error)
{
    g_autoptr(GString) text = g_string_new(NULL);
    g_autoptr(GError) problem = NULL;
    HfAuditHead last = {0};
    for (gint64 number = 1; hf_audit_read_line(file, text, &problem); number++) {
        g_autoptr(json_t) line = json_loadb(text->str, text->len, JSON_REJECT_DUPLICATES, NULL);
        if (number == 1 ? !read_begin(verifier, line, &last, error)
                        : !verify_export_line(verifier, line, number, error))
            return FALSE;
    }
    if (problem) {
        g_propagate_error(error, g_steal_pointer(&problem));
        return FALSE;
    }
    if (last.seq == 0)
        return hf_fail(error, HF_ERROR_INVALID_PARAMS, "the export is empty");
    if (last.seq > hf_audit_verifier_get_row(verifier))
        return hf_audit_verifier_head(verifier, &last, error);
    return hf_audit_verifier_end(verifier, error);
}
