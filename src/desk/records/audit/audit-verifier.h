/* SPDX-License-Identifier: Apache-2.0 */
/* Judges a chain, row by row and in constant memory. Fed in order: each row, and each head after
 * the row that it signs. The first thing that is wrong ends it with AUDIT_BROKEN, and names the
 * row. It trusts nothing but public keys that it was given: a key of the chain counts because one
 * of them has signed a head of the same chain. */
#pragma once

#include "desk/records/audit/audit-head.h"

typedef struct HfAuditVerifier HfAuditVerifier;

HfAuditVerifier *hf_audit_verifier_new(const HfAuditKey *trusted);
/* One more: an older or a later key of the same owner. */
void hf_audit_verifier_trust(HfAuditVerifier *verifier, const HfAuditKey *key);
void hf_audit_verifier_free(HfAuditVerifier *verifier);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfAuditVerifier, hf_audit_verifier_free)

/* For a part of a chain: what comes before row `first`, and the name of the key that signs there.
 * That is believed only because of the heads that follow. */
void hf_audit_verifier_begin_at(HfAuditVerifier *verifier, gint64 first, const HfAuditHash *before,
                                const char *key);
/* A head that was kept elsewhere: the chain must lead to it. */
void hf_audit_verifier_expect(HfAuditVerifier *verifier, const HfAuditHead *head);

/* `body_json` is the parsed body, or NULL when it is no JSON object. */
gboolean hf_audit_verifier_row(HfAuditVerifier *verifier, gint64 seq, const char *hash,
                               const char *body, gsize length, const json_t *body_json,
                               GError **error);
gboolean hf_audit_verifier_head(HfAuditVerifier *verifier, const HfAuditHead *head, GError **error);
gboolean hf_audit_verifier_end(HfAuditVerifier *verifier, GError **error);

gint64 hf_audit_verifier_get_row(const HfAuditVerifier *verifier); /* the last one that was good */
/* {first, last, rows, heads, last_signed, keys, key}: for a report. */
json_t *hf_audit_verifier_report(const HfAuditVerifier *verifier);

/* Sets AUDIT_BROKEN about a row; returns FALSE. */
gboolean hf_audit_fail_broken(GError **error, gint64 row, const char *format, ...)
    G_GNUC_PRINTF(3, 4);
