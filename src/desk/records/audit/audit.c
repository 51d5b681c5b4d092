/* SPDX-License-Identifier: Apache-2.0 */
/* Starts rows and writes events. desk/guard/audit-row.c fills the rows of calls; the steps
 * audit-intent and audit-result write them. */
#include "desk/records/audit/audit.h"

#include "desk/records/audit/redact.h"
#include "desk/records/records-limits.h"
#include "shared/base/json.h"

struct HfAudit {
    HfAuditLog *log;
    gboolean off;     /* as last configured; calls read their own configuration */
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

void hf_audit_row_set_text(json_t *body, const char *name, const char *text)
{
    if (!text)
        return;
    g_autofree char *clean = hf_redact_text(text, HF_LIMIT_AUDIT_TEXT_BYTES);
    json_object_set_new(body, name, hf_json_text(clean));
}

static void set_row_caller(json_t *body, const HfCaller *caller)
{
    if (!caller)
        return;
    if (caller->kind)
        json_object_set_new(body, "caller_kind", json_string(hf_caller_kind_name(caller->kind)));
    json_object_set_new(body, "door", json_string(caller->door));
    json_object_set_new(body, "pid", json_integer(caller->pid));
    json_object_set_new(body, "uid", json_integer(caller->uid));
    hf_audit_row_set_text(body, "program", caller->program);
    hf_audit_row_set_text(body, "caller", caller->name ? caller->name : "unknown");
}

json_t *hf_audit_row_new(const char *kind, const HfCaller *caller)
{
    json_t *body =
        json_pack("{s:s, s:I}", "kind", kind, "time", (json_int_t)(g_get_real_time() / 1000));
    set_row_caller(body, caller);
    return body;
}

static void set_audited_text(json_t *data, const char *name, const char *text)
{
    if (text)
        json_object_set_new_nocheck(data, name, hf_json_text(text));
}

/* Which audited events listeners get, and under which type. */
typedef struct Audited {
    const char *event; /* its name in the audit */
    const char *type;
    gboolean everybody; /* else only the caller who did it */
    const char *action; /* what was done, where the type does not say it */
} Audited;

static const Audited audited[] = {
    {"stop", "stop", TRUE, NULL},
    {"pause", "pause", TRUE, NULL},
    {"resume", "resume", TRUE, NULL},
    {"abort", "abort", TRUE, NULL},
    {"config", "config.changed", TRUE, NULL},
    {"config-held", "config.held", TRUE, NULL},
    {"grant-new", "grant.changed", FALSE, "new"},
    {"grant-revoke", "grant.changed", FALSE, "revoke"},
    {"token-new", "token.changed", FALSE, "new"},
    {"token-rotate", "token.changed", FALSE, "rotate"},
    {"token-revoke", "token.changed", FALSE, "revoke"},
    {"stream-opened", "stream.opened", FALSE, NULL},
    {"stream-closed", "stream.closed", FALSE, NULL},
};

static const Audited *find_audited(const char *event)
{
    for (gsize i = 0; i < G_N_ELEMENTS(audited); i++)
        if (strcmp(audited[i].event, event) == 0)
            return &audited[i];
    return NULL;
}

static void copy_fields(json_t *copied, const json_t *data)
{
    static const char *const names[] = {"by",     "reason",      "desktop",     "ok",    "frames",
                                        "stream", "policy_hash", "duration_ms", "fields"};
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        json_t *value = json_object_get(data, names[i]);
        if (value && !(json_is_string(value) && !*json_string_value(value)))
            json_object_set(copied, names[i], value);
    }
    set_audited_text(copied, "run_id", hf_json_string(data, "held_run", NULL));
    const json_t *what = json_object_get(data, "what");
    set_audited_text(copied, "id", hf_json_string(what, "id", NULL));
    set_audited_text(copied, "name", hf_json_string(what, "name", NULL));
    set_audited_text(copied, "problem",
                     hf_json_string(json_object_get(data, "error"), "message", NULL));
}

static void emit_audited_event(HfEvents *events, const char *event, const HfCaller *caller,
                               const json_t *data)
{
    const Audited *found = find_audited(event);
    /* A refusal has changed nothing. But listeners should know about a broken configuration. */
    gboolean refused =
        json_object_get(data, "error") && found && !g_str_equal(found->type, "config.changed");
    if (!found || refused)
        return;
    json_t *copied = json_object();
    set_audited_text(copied, "action", found->action);
    if (caller)
        set_audited_text(copied, "caller", caller->name);
    copy_fields(copied, data);
    hf_events_emit(events, found->type, found->everybody ? NULL : caller, copied);
}

gboolean hf_audit_event(HfAudit *audit, const char *event, const HfCaller *caller,
                        json_t *take_data)
{
    g_autoptr(json_t) data = take_data ? take_data : json_object();
    json_t *body = hf_audit_row_new("event", caller), *clean = hf_redact_value(data);
    json_object_set_new(body, "event", json_string(event));
    json_object_set_new(body, "data", clean);
    if (audit->events)
        emit_audited_event(audit->events, event, caller, clean);
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

gboolean hf_audit_append(HfAudit *audit, HfAuditEntry entry, GError **error)
{
    return hf_audit_log_append(audit->log, entry, error);
}

guint64 hf_audit_count(HfAudit *audit)
{
    return (guint64)hf_audit_log_count(audit->log);
}
