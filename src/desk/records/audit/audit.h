/* SPDX-License-Identifier: Apache-2.0 */
/* The audit trail: an intent before each action, a result after it, or a refusal in place of both,
 * and events for everything else. Typed or copied text and anything that looks like a secret must
 * never get in. */
#pragma once

#include "desk/policy/config/config.h"
#include "desk/policy/identity/caller.h"
#include "desk/records/audit/audit-log.h"
#include "desk/records/events/events.h"

typedef struct HfAudit HfAudit;

/* The rows are in the store, the key and heads in `directory`. The store must outlive it. */
HfAudit *hf_audit_open(HfStore *store, const char *directory, GError **error);
void hf_audit_close(HfAudit *audit);

/* From now on audited events are emitted there too. */
void hf_audit_set_events(HfAudit *audit, HfEvents *events);
/* Applies the configuration. Turning the audit of calls on or off is itself audited. */
void hf_audit_configure(HfAudit *audit, const HfConfig *config);

/* Replaces the signing key; `caller` asked for it. */
gboolean hf_audit_rotate_key(HfAudit *audit, const HfCaller *caller, GError **error);

/* A row for anything but a call: a stop, a grant, a changed setting, a refusal at a door. `caller`
 * may be NULL (the desk itself). The data is redacted like parameters. TRUE: it is durable. */
gboolean hf_audit_event(HfAudit *audit, const char *event, const HfCaller *caller,
                        json_t *take_data);
/* Starts a row. `caller` may be NULL. */
json_t *hf_audit_row_new(const char *kind, const HfCaller *caller);
/* A member of a row, redacted and bounded; left out when `text` is NULL. */
void hf_audit_row_set_text(json_t *body, const char *name, const char *text);
/* Appends a row of a call, which desk/guard/audit-row.h fills. */
gboolean hf_audit_append(HfAudit *audit, HfAuditEntry entry, GError **error);

guint64 hf_audit_count(HfAudit *audit);
