/* SPDX-License-Identifier: Apache-2.0 */
/* One function for each kind of event, each a list of fields: what is not named here is not told.
 */
#include "desk/records/events/call-events.h"

#include <string.h>

#include "shared/base/error.h"
#include "shared/base/i18n.h"

static void set_event_text(json_t *data, const char *name, const char *text)
{
    if (text)
        json_object_set_new_nocheck(data, name, hf_json_text(text));
}

/* What is said of a call in each of its events. */
static json_t *new_call_event(const HfPassage *passage)
{
    const HfCaller *caller = passage->request->caller;
    json_t *data = json_object();
    set_event_text(data, "tool", passage->tool ? passage->tool->name : passage->answer->tool);
    set_event_text(data, "run_id", passage->answer->run_id);
    set_event_text(data, "step_id", passage->answer->step_id);
    set_event_text(data, "desktop", passage->desktop);
    set_event_text(data, "caller", caller->name);
    set_event_text(data, "door", caller->door);
    if (passage->judgement.risk)
        set_event_text(data, "risk", hf_risk_name(passage->judgement.risk));
    return data;
}

static void emit_call_event(const HfPassage *passage, const char *type, json_t *take_data)
{
    hf_events_emit(passage->guard->events, type, passage->request->caller, take_data);
}

void hf_call_event_started(const HfPassage *passage)
{
    emit_call_event(passage, "call.started", new_call_event(passage));
}

void hf_call_event_waiting(const HfPassage *passage, const char *what, const char *approval)
{
    json_t *data = new_call_event(passage);
    set_event_text(data, "for", what);
    set_event_text(data, "approval", approval);
    emit_call_event(passage, "call.waiting", data);
}

void hf_call_event_finished(const HfPassage *passage)
{
    const HfAnswer *answer = passage->answer;
    const char *code = answer->error ? hf_error_code_name(hf_error_code(answer->error)) : "OK";
    json_t *data = new_call_event(passage);
    json_object_set_new_nocheck(data, "ok", json_boolean(!answer->error));
    set_event_text(data, "code", code);
    json_object_set_new_nocheck(
        data, "duration_ms",
        json_real((double)(g_get_monotonic_time() - answer->started) / 1000.0));
    if (passage->dry_run)
        json_object_set_new_nocheck(data, "dry_run", json_true());
    if (answer->replayed)
        json_object_set_new_nocheck(data, "replayed", json_true());
    emit_call_event(passage, "call.finished", data);
}

void hf_call_event_notice(const HfPassage *passage)
{
    emit_call_event(passage, "notice", new_call_event(passage));
}

void hf_call_event_approval_opened(const HfPassage *passage, const json_t *approval)
{
    const char *id = hf_json_string(approval, "id", "");
    json_t *data = new_call_event(passage);
    set_event_text(data, "approval", id);
    json_object_set_new_nocheck(data, "expires_ms",
                                json_integer(hf_json_int(approval, "expires_ms", 0)));
    emit_call_event(passage, "approval.open", data);
    hf_call_event_waiting(passage, "owner", id);
}

/* A person who watches is told in their own language (cli/commands/event-line.c). */
static const char *approval_state_after(const GError *error)
{
    if (!error)
        return N_("approved");
    HfErrorCode code = hf_error_code(error);
    return code == HF_ERROR_APPROVAL_DENIED    ? N_("denied")
           : code == HF_ERROR_APPROVAL_EXPIRED ? N_("expired")
                                               : N_("cancelled");
}

void hf_call_event_approval_closed(const HfPassage *passage, const GError *error)
{
    json_t *data = new_call_event(passage);
    set_event_text(data, "approval", passage->judgement.decision.approval_id);
    set_event_text(data, "state", approval_state_after(error));
    emit_call_event(passage, "approval.closed", data);
}

void hf_call_event_takeover(HfEvents *events, const char *desktop, gboolean interrupted)
{
    hf_events_emit(
        events, "takeover", NULL,
        json_pack("{s:o, s:b}", "desktop", hf_json_text(desktop), "interrupted", interrupted));
}

/* ---- what is in the audit ---- */

/* How a row of the audit becomes an event. */
typedef struct Audited {
    const char *event; /* its name there */
    const char *type;
    gboolean everybody; /* else whose doing it was */
    const char *action; /* what was done, when the type does not say it */
} Audited;

static const Audited audited[] = {
    {"stop", "stop", TRUE, NULL},
    {"pause", "pause", TRUE, NULL},
    {"resume", "resume", TRUE, NULL},
    {"abort", "abort", TRUE, NULL},
    {"config", "config.changed", TRUE, NULL},
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

static void copy_fields(json_t *told, const json_t *data)
{
    static const char *const names[] = {"by",     "reason", "desktop",     "ok",
                                        "frames", "stream", "policy_hash", "duration_ms"};
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        json_t *value = json_object_get(data, names[i]);
        if (value && !(json_is_string(value) && !*json_string_value(value)))
            json_object_set(told, names[i], value);
    }
    set_event_text(told, "run_id", hf_json_string(data, "held_run", NULL));
    const json_t *what = json_object_get(data, "what");
    set_event_text(told, "id", hf_json_string(what, "id", NULL));
    set_event_text(told, "name", hf_json_string(what, "name", NULL));
    set_event_text(told, "problem",
                   hf_json_string(json_object_get(data, "error"), "message", NULL));
}

void hf_call_event_audited(HfEvents *events, const char *event, const HfCaller *caller,
                           const json_t *data)
{
    const Audited *found = find_audited(event);
    /* What was refused has changed nothing; a broken agreement is worth knowing. */
    gboolean refused =
        json_object_get(data, "error") && found && !g_str_equal(found->type, "config.changed");
    if (!found || refused)
        return;
    json_t *told = json_object();
    set_event_text(told, "action", found->action);
    if (caller)
        set_event_text(told, "caller", caller->name);
    copy_fields(told, data);
    hf_events_emit(events, found->type, found->everybody ? NULL : caller, told);
}
