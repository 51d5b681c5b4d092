/* SPDX-License-Identifier: Apache-2.0 */
/* A signed head: "at this time, the chain ended in this row with this hash". Whoever keeps one can
 * prove later that nothing up to that row was changed or removed. The signed text is
 *     handfast-audit-head-1 \n SEQ \n HASH \n TIME \n      (without the blanks) */
#pragma once

#include "desk/records/audit/audit-key.h"

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
