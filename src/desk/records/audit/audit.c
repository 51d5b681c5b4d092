/* SPDX-License-Identifier: Apache-2.0 */
/* The chain of rows, and rows of what is no call. Rows of calls are made in audit-row.c, and
 * written by the steps audit-intent and audit-result. */
#include "desk/records/audit/audit.h"

#include "desk/guard/audit-row.h"
#include "desk/records/audit/redact.h"
#include "desk/records/events/call-events.h"
#include "shared/base/error.h"

struct HfAudit {
    HfAuditLog *log;
    gboolean off;     /* as it was told last; a call asks the agreement that holds for it */
    HfEvents *events; /* may be NULL */
};

HfAudit *hf_audit_open(HfStore *store, const char *directory, GError **error)
{
    HfAuditLog *log = hf_audit_log_open(store, directory, error);
    if (!log)
        return NULL;
    HfAudit *audit = g_new0(HfAudit, 1);
    audit->log = log;
    return audit;
}

void hf_audit_close(HfAudit *audit)
{
    if (!audit)
        return;
    hf_audit_log_close(audit->log);
    g_free(audit);
}

void hf_audit_set_events(HfAudit *audit, HfEvents *events)
{
    audit->events = events;
}

gboolean hf_audit_rotate_key(HfAudit *audit, const HfCaller *caller, GError **error)
{
    json_t *data = json_pack("{s:s, s:s, s:i}", "by", hf_caller_kind_name(caller->kind), "door",
                             caller->door, "pid", (int)caller->pid);
    return hf_audit_log_rotate_key(audit->log, data, error);
}

gboolean hf_audit_event(HfAudit *audit, const char *event, const HfCaller *caller,
                        json_t *take_data)
{
    g_autoptr(json_t) data = take_data ? take_data : json_object();
    json_t *body = hf_audit_row_new("event", caller), *clean = hf_redact_value(data);
    json_object_set_new(body, "event", json_string(event));
    json_object_set_new(body, "data", clean);
    if (audit->events)
        hf_call_event_audited(audit->events, event, caller, clean);
    return hf_audit_log_append(audit->log, (HfAuditEntry){.take_body = body, .keep = TRUE}, NULL);
}

void hf_audit_configure(HfAudit *audit, const HfConfig *config)
{
    gboolean off = !hf_config_bool(config, "audit.enabled");
    hf_audit_log_sign_every(audit->log, hf_config_int(config, "audit.sign_every_rows"));
    if (off != audit->off)
        hf_audit_event(audit, off ? "audit-off" : "audit-on", NULL, NULL);
    audit->off = off;
}

void hf_guard_audit_refusal(HfGuard *guard, const char *door, const GError *reason)
{
    hf_audit_event(guard->audit, "refused", NULL,
                   json_pack("{s:s, s:o}", "door", door, "error", hf_error_to_json(reason)));
}

gboolean hf_audit_append(HfAudit *audit, HfAuditEntry entry, GError **error)
{
    return hf_audit_log_append(audit->log, entry, error);
}

guint64 hf_audit_count(HfAudit *audit)
{
    return (guint64)hf_audit_log_count(audit->log);
}
