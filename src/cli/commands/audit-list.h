/* SPDX-License-Identifier: Apache-2.0 */
/* Prints audit rows, for a person or a program. */
#pragma once

#include "desk/records/audit/audit-database.h"

gboolean hf_audit_list_table(HfAuditDatabase *database, const HfAuditFilter *filter,
                             GError **error);
/* An array of row bodies with their hashes, written row by row. */
gboolean hf_audit_list_json(HfAuditDatabase *database, const HfAuditFilter *filter, GError **error);
