/* SPDX-License-Identifier: Apache-2.0 */
/* The audit trail as the guard writes it: an intent before an action, a result after it, a refusal
 * in place of both, and events for what is no call. What a person typed or copied, and what looks
 * like a secret, never gets in. */
#pragma once

#include "desk/guard/policy/caller.h"
#include "desk/policy/config/config.h"
#include "desk/records/audit/audit-log.h"
#include "desk/records/events/events.h"

typedef struct HfAudit HfAudit;

/* The chain in the store; its key and heads are in `directory`. The store must outlive it. */
HfAudit *hf_audit_open(HfStore *store, const char *directory, GError **error);
void hf_audit_close(HfAudit *audit);

/* Tells them what is written down from now on. */
void hf_audit_set_events(HfAudit *audit, HfEvents *events);
/* When calls begin or cease to be written down, that is a row of its own. */
void hf_audit_configure(HfAudit *audit, const HfConfig *config);

/* Goes on with a new key, on the word of this caller. */
gboolean hf_audit_rotate_key(HfAudit *audit, const HfCaller *caller, GError **error);

/* A row for what is no call: a stop, a grant, a change of the agreement, a refusal at a door.
 * `caller` may be NULL (the desk itself). The data is redacted like parameters. TRUE: it lasts. */
gboolean hf_audit_event(HfAudit *audit, const char *event, const HfCaller *caller,
                        json_t *take_data);
/* A row of a call: see audit-row.h. */
gboolean hf_audit_append(HfAudit *audit, HfAuditEntry entry, GError **error);
/* How many rows there are. */
guint64 hf_audit_count(HfAudit *audit);
