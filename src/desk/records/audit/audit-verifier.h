/* SPDX-License-Identifier: Apache-2.0 */
/* Verifies a chain in constant memory. It gets each row in order, and each head after the row that
 * it signs. The first fault ends it with AUDIT_BROKEN and names the row. It trusts only the public
 * keys that it was given: other keys count because one of these has signed a head of the same
 * chain. */
#pragma once

#include "desk/records/audit/audit-key.h"

typedef struct HfAuditVerifier HfAuditVerifier;

HfAuditVerifier *hf_audit_verifier_new(const HfAuditKey *trusted);
/* Trusts another key: an older or a later one of the same owner. */
void hf_audit_verifier_trust(HfAuditVerifier *verifier, const HfAuditKey *key);
void hf_audit_verifier_free(HfAuditVerifier *verifier);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfAuditVerifier, hf_audit_verifier_free)

/* For a part of a chain: the hash before row `first`, and the key that signs there. The heads that
 * follow must confirm both. */
void hf_audit_verifier_begin_at(HfAuditVerifier *verifier, gint64 first, const HfAuditHash *before,
                                const char *key);
/* A head that somebody kept elsewhere: the chain must contain it. */
void hf_audit_verifier_expect(HfAuditVerifier *verifier, const HfAuditHead *head);

/* `body_json`: the parsed body, or NULL when it is not a JSON object. */
gboolean hf_audit_verifier_row(HfAuditVerifier *verifier, gint64 seq, const char *hash,
                               const char *body, gsize length, const json_t *body_json,
                               GError **error);
gboolean hf_audit_verifier_head(HfAuditVerifier *verifier, const HfAuditHead *head, GError **error);
gboolean hf_audit_verifier_end(HfAuditVerifier *verifier, GError **error);

gint64 hf_audit_verifier_get_row(const HfAuditVerifier *verifier); /* the last good row */
/* {first, last, rows, heads, last_signed, keys, key}: for a report. */
json_t *hf_audit_verifier_report(const HfAuditVerifier *verifier);

/* Sets AUDIT_BROKEN about a row; returns FALSE. */
gboolean hf_audit_fail_broken(GError **error, gint64 row, const char *format, ...)
    G_GNUC_PRINTF(3, 4);
