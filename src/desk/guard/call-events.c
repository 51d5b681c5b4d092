/* SPDX-License-Identifier: Apache-2.0 */
/* One function for each type of event. Each lists its fields, so nothing else can get out. */
#include "desk/guard/call-events.h"

#include "shared/base/error.h"
#include "shared/base/i18n.h"

static void set_event_text(json_t *data, const char *name, const char *text)
{
    if (text)
        json_object_set_new_nocheck(data, name, hf_json_text(text));
}

/* The fields that every event of a call has. */
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

/* cli/commands/watch-command.c translates these for people. */
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
