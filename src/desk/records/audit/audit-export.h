/* SPDX-License-Identifier: Apache-2.0 */
/* An export: a file of JSON lines that can be verified anywhere with the public key alone.
 *   {"type":"handfast-audit","version":1,"first":N,"before":HASH,"key":KEY,"head":{…}}
 *   {"type":"row","seq":N,"hash":HASH,"body":"…"}       the body as one string, as it was hashed
 *   {"type":"head","head":{…}}                          after the row that it signs
 * The first line carries the last head too, so that a truncated export is detected. */
#pragma once

#include <stdio.h>

#include "desk/records/audit/audit-database.h"

/* All rows since that time (0: from the beginning). */
gboolean hf_audit_export_write(HfAuditDatabase *database, gint64 since_ms, FILE *file,
                               GError **error);
gboolean hf_audit_export_verify(FILE *file, HfAuditVerifier *verifier, GError **error);
