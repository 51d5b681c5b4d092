/* SPDX-License-Identifier: Apache-2.0 */
/* A call has at most one request that gets its outcome. When that request was answered with
 * "waiting", the call is parked: the digest of caller, tool and arguments identifies it, until the
 * same call arrives again. A modern client that can ask its user returns with a signed state
 * instead. The client that shows a question may be the agent itself, so its answer counts as a no
 * or as a request: only one that the owner trusts (`clients.NAME.may_approve`) answers for the
 * owner.
 */
#include "desk/doors/mcp/mcp-calls.h"

#include <string.h>

#include "desk/doors/mcp/mcp-connection.h"
#include "desk/doors/mcp/mcp-limits.h"
#include "desk/policy/identity/input-origin.h"
#include "shared/base/error.h"
#include "shared/base/i18n.h"
#include "shared/base/id.h"

/* The key of our question in a modern request. */
#define ELICIT_KEY "approval"

static HfGuard *guard_of_mcp(const HfMcp *mcp)
{
    return hf_desk_get_guard(mcp->server->desk);
}

/* Whether an approval given in this client counts. */
static gboolean elicit_is_trusted(const HfMcp *mcp)
{
    const HfCaller *caller = &mcp->caller;
    g_autoptr(HfConfig) config = hf_live_config_get(hf_guard_get_live_config(guard_of_mcp(mcp)));
    const json_t *client = hf_config_find(config, "clients", caller->name ? caller->name : "");
    return hf_json_bool(client, "may_approve", FALSE);
}

static char *dup_question(const json_t *approval)
{
    g_autofree char *parameters = hf_json_dump(json_object_get(approval, "params"));
    return g_strdup_printf(_("%s wants to use %s on desktop %s (risk: %s): %s"),
                           hf_json_string(approval, "client", "?"),
                           hf_json_string(approval, "tool", "?"),
                           hf_json_string(approval, "desktop", "?"),
                           hf_json_string(approval, "risk", "?"), parameters);
}

/* The parameters of elicitation/create for this question. */
static json_t *elicit_params(const HfMcp *mcp, const json_t *approval)
{
    g_autofree char *question = dup_question(approval);
    if (elicit_is_trusted(mcp))
        return json_pack("{s:o, s:{s:s, s:{s:{s:s, s:s}}, s:[s]}}", "message",
                         hf_json_text(question), "requestedSchema", "type", "object", "properties",
                         "approve", "type", "boolean", "title", _("Do it, once"), "required",
                         "approve");
    g_autofree char *message = g_strdup_printf(
        _("%s\nThis needs the owner's answer: in a terminal, handfast approve %s (or deny). "
          "Declining here takes it back."),
        question, hf_json_string(approval, "id", "?"));
    return json_pack("{s:o, s:{s:s, s:{}}}", "message", hf_json_text(message), "requestedSchema",
                     "type", "object", "properties");
}

/* The text for a client whose call waits. */
static char *elicit_waiting_text(const json_t *approval)
{
    const char *id = hf_json_string(approval, "id", "?");
    g_autoptr(GDateTime) until =
        g_date_time_new_from_unix_local(hf_json_int(approval, "expires_ms", 0) / 1000);
    g_autofree char *time = until ? g_date_time_format(until, "%H:%M:%S") : NULL;
    return g_strdup_printf(
        "WAITING_FOR_APPROVAL: nothing was done yet. %s waits for the owner of this desktop, "
        "approval %s, until %s.\n"
        "→ tell the user to run: handfast approve %s (or deny). Then call the same tool again with "
        "exactly the same arguments to get the outcome: it is not done twice. Do not look for a "
        "way around it.",
        hf_json_string(approval, "tool", "?"), id, time ? time : "?", id);
}

static void audit_client_answer(HfMcp *mcp, const char *id, const char *word, const GError *ignored)
{
    g_autoptr(json_t) what = json_pack("{s:s, s:s}", "approval", id, "answer", word);
    hf_guard_audit_admin(guard_of_mcp(mcp), "approval.client-answer", &mcp->caller, what, ignored);
}

/* A yes counts only from a trusted client, and not while an agent's input could have pressed the
 * button. */
static gboolean approve_from_client(HfMcp *mcp, const char *id)
{
    const HfCaller *caller = &mcp->caller;
    g_autoptr(GError) error = NULL;
    g_autofree char *by = g_strdup_printf("owner (in %s)", caller->name ? caller->name : "?");
    if (!elicit_is_trusted(mcp))
        hf_fail(&error, HF_ERROR_FORBIDDEN, "an approval given in '%s' does not count",
                caller->name ? caller->name : "?");
    gboolean done = !error &&
                    hf_input_origin_check(caller->inputs, g_get_monotonic_time(), &error) &&
                    hf_approvals_approve(hf_guard_get_approvals(guard_of_mcp(mcp)), id, by,
                                         &(HfRemember){0}, &error);
    audit_client_answer(mcp, id, "accept", error);
    return done;
}

static gboolean decline_from_client(HfMcp *mcp, const char *id)
{
    HfApprovals *approvals = hf_guard_get_approvals(guard_of_mcp(mcp));
    const HfCaller *caller = &mcp->caller;
    g_autoptr(GError) error = NULL;
    g_autofree char *by = g_strdup_printf("owner (in %s)", caller->name ? caller->name : "?");
    gboolean done = elicit_is_trusted(mcp) ? hf_approvals_deny(approvals, id, by, "", &error)
                                           : hf_approvals_cancel(approvals, id, caller, &error);
    audit_client_answer(mcp, id, "decline", error);
    return done;
}

/* Whether it is an answer of any kind. */
static gboolean elicit_is_answer(const json_t *answer)
{
    const char *action = hf_json_string(answer, "action", "");
    return strcmp(action, "accept") == 0 || strcmp(action, "decline") == 0 ||
           strcmp(action, "cancel") == 0;
}

/* Takes a client's answer: {action, content}. TRUE when it settles the question. On a worker. */
static gboolean elicit_take_answer(HfMcp *mcp, const json_t *approval, const json_t *answer)
{
    const char *id = hf_json_string(approval, "id", "");
    const char *action = hf_json_string(answer, "action", "");
    const json_t *approve = json_object_get(json_object_get(answer, "content"), "approve");
    if (strcmp(action, "decline") == 0 || json_is_false(approve))
        return decline_from_client(mcp, id);
    if (strcmp(action, "accept") != 0)
        return FALSE;
    return (json_is_true(approve) || !elicit_is_trusted(mcp)) && approve_from_client(mcp, id);
}

struct HfMcpCall {
    gatomicrefcount refs;
    HfMcpCalls *calls;
    HfMcp *mcp;
    char *digest; /* of caller, tool and arguments */
    GCancellable *cancellable;
    GMutex lock; /* guards what follows */
    HfMcpRequest *request;
    GSource *timer;
    json_t *approval; /* the open question to the owner */
    char *nonce;      /* of the client's signed state; valid once */
    guint64 ask;      /* number of the question to a legacy client; 0: none */
    HfMcpOutput *asked_on;
    HfMcpOutcome *outcome; /* finished, and not delivered yet */
    gint64 done_us;
};

struct HfMcpCalls {
    GMutex lock;     /* guards what follows */
    GPtrArray *kept; /* of HfMcpCall: those that wait, or whose outcome waits */
};

HfMcpCalls *hf_mcp_calls_new(void)
{
    HfMcpCalls *calls = g_new0(HfMcpCalls, 1);
    g_mutex_init(&calls->lock);
    calls->kept = g_ptr_array_new();
    return calls;
}

static HfMcpCall *call_ref(HfMcpCall *call)
{
    g_atomic_ref_count_inc(&call->refs);
    return call;
}

static void call_unref(HfMcpCall *call)
{
    if (!call || !g_atomic_ref_count_dec(&call->refs))
        return;
    hf_mcp_unref(call->mcp);
    g_object_unref(call->cancellable);
    json_decref(call->approval);
    hf_mcp_output_unref(call->asked_on);
    hf_mcp_outcome_free(call->outcome);
    g_mutex_clear(&call->lock);
    g_free(call->nonce);
    g_free(call->digest);
    g_free(call);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfMcpCall, call_unref)

void hf_mcp_calls_free(HfMcpCalls *calls)
{
    if (!calls)
        return;
    for (guint i = 0; i < calls->kept->len; i++)
        call_unref(calls->kept->pdata[i]);
    g_ptr_array_unref(calls->kept);
    g_mutex_clear(&calls->lock);
    g_free(calls);
}

/* ---- kept calls ---- */

static gint64 done_at(HfMcpCall *call)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&call->lock);
    return call->outcome ? call->done_us : G_MAXINT64;
}

/* With the table's lock held: drops outcomes that nobody came for. The guard bounds the waiting
 * ones. */
static void drop_expired_outcomes(HfMcpCalls *calls)
{
    gint64 before = g_get_monotonic_time() - (gint64)HF_LIMIT_MCP_KEEP_MS * 1000;
    for (guint i = calls->kept->len; i-- > 0;) {
        HfMcpCall *call = calls->kept->pdata[i];
        if (done_at(call) > before)
            continue;
        g_ptr_array_remove_index_fast(calls->kept, i);
        call_unref(call);
    }
}

static void keep_mcp_call(HfMcpCall *call)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&call->calls->lock);
    drop_expired_outcomes(call->calls);
    if (!g_ptr_array_find(call->calls->kept, call, NULL))
        g_ptr_array_add(call->calls->kept, call_ref(call));
}

static void forget_mcp_call(HfMcpCall *call)
{
    g_mutex_lock(&call->calls->lock);
    gboolean known = g_ptr_array_remove_fast(call->calls->kept, call);
    g_mutex_unlock(&call->calls->lock);
    if (known)
        call_unref(call);
}

/* Whether it is parked, with this digest and nonce (NULL: without one). */
static gboolean is_parked_call(HfMcpCall *call, const char *digest, const char *nonce)
{
    if (strcmp(call->digest, digest) != 0)
        return FALSE;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&call->lock);
    return !call->request && g_strcmp0(call->nonce, nonce) == 0;
}

static HfMcpCall *find_parked(HfMcpCalls *calls, const char *digest, const char *nonce)
{
    HfMcpCall *found = NULL;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&calls->lock);
    drop_expired_outcomes(calls);
    for (guint i = 0; !found && i < calls->kept->len; i++)
        if (is_parked_call(calls->kept->pdata[i], digest, nonce))
            found = call_ref(calls->kept->pdata[i]);
    return found;
}

void hf_mcp_calls_cancel(HfMcpCalls *calls, HfMcp *mcp)
{
    g_autoptr(GPtrArray) own = g_ptr_array_new_with_free_func((GDestroyNotify)call_unref);
    g_mutex_lock(&calls->lock);
    for (guint i = calls->kept->len; i-- > 0;) {
        HfMcpCall *call = calls->kept->pdata[i];
        if (call->mcp == mcp)
            g_ptr_array_add(own, g_ptr_array_remove_index_fast(calls->kept, i));
    }
    g_mutex_unlock(&calls->lock);
    for (guint i = 0; i < own->len; i++)
        g_cancellable_cancel(((HfMcpCall *)own->pdata[i])->cancellable);
}

/* ---- waiting for approval ---- */

/* Releases the request, to be answered without an outcome; NULL when it has none. */
static HfMcpRequest *detach_mcp_request(HfMcpCall *call)
{
    HfMcpRequest *request = g_steal_pointer(&call->request);
    if (call->timer) {
        g_source_destroy(call->timer);
        g_clear_pointer(&call->timer, g_source_unref);
    }
    return request;
}

static void reply_with_outcome(HfMcpRequest *request, HfMcpOutcome *outcome)
{
    hf_mcp_request_reply_with(request, g_steal_pointer(&outcome->result), "content",
                              hf_mcp_outcome_close(outcome));
}

static void answer_waiting(HfMcpRequest *request, const json_t *approval)
{
    g_autofree char *text = elicit_waiting_text(approval);
    g_autoptr(HfMcpOutcome) outcome = hf_mcp_outcome_new(TRUE);
    g_autoptr(json_t) meta =
        json_pack("{s:{s:s, s:I}}", "waiting", "approval", hf_json_string(approval, "id", ""),
                  "expires", hf_json_int(approval, "expires_ms", 0));
    hf_mcp_outcome_add_text(outcome, text);
    hf_mcp_outcome_add_meta(outcome, meta);
    reply_with_outcome(request, outcome);
}

static gboolean on_waited_long(gpointer data)
{
    HfMcpCall *call = data;
    g_mutex_lock(&call->lock);
    g_autoptr(json_t) approval = json_deep_copy(call->approval);
    g_autoptr(HfMcpRequest) request = approval ? detach_mcp_request(call) : NULL;
    g_mutex_unlock(&call->lock);
    if (request)
        answer_waiting(request, approval);
    return G_SOURCE_REMOVE;
}

/* With the lock held: a client without dialogs is answered after this time. */
static void set_timer(HfMcpCall *call)
{
    if (call->timer)
        return;
    g_autoptr(HfConfig) config =
        hf_live_config_get(hf_guard_get_live_config(guard_of_mcp(call->mcp)));
    gint64 wait_s = hf_config_int(config, "approval.mcp_wait_s");
    call->timer = g_timeout_source_new((guint)wait_s * 1000);
    g_source_set_callback(call->timer, on_waited_long, call_ref(call), (GDestroyNotify)call_unref);
    g_source_attach(call->timer, NULL);
}

/* A modern client gets the question as the answer, and calls again with its user's answer. */
static void reply_with_question(HfMcpCall *call, HfMcpRequest *request, const json_t *approval)
{
    const HfMcpStateSigner *signer = call->mcp->server->signer;
    gint64 for_ms = hf_json_int(approval, "expires_ms", 0) - g_get_real_time() / 1000;
    g_autofree char *state = hf_mcp_state_sign(signer,
                                               json_pack("{s:s, s:s, s:s}", "nonce", call->nonce,
                                                         "digest", call->digest, "for", "approval"),
                                               for_ms + HF_LIMIT_MCP_KEEP_MS);
    hf_mcp_request_reply(
        request, json_pack("{s:s, s:{s:{s:s, s:o}}, s:s}", "resultType", "input_required",
                           "inputRequests", ELICIT_KEY, "method", "elicitation/create", "params",
                           elicit_params(call->mcp, approval), "requestState", state));
}

typedef struct ClientAnswer {
    HfMcpCall *call;
    json_t *answer;
} ClientAnswer;

/* On a worker, because it stores the answer. */
static void take_answer_or_wait(HfMcpCall *call, const json_t *approval, const json_t *given)
{
    gboolean settled = approval && given && elicit_take_answer(call->mcp, approval, given);
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&call->lock);
    if (!settled && call->approval && call->request)
        set_timer(call);
}

static void take_client_answer(gpointer data)
{
    ClientAnswer *client_answer = data;
    HfMcpCall *call = client_answer->call;
    g_mutex_lock(&call->lock);
    g_autoptr(json_t) approval = json_deep_copy(call->approval);
    g_mutex_unlock(&call->lock);
    take_answer_or_wait(call, approval, client_answer->answer);
    json_decref(client_answer->answer);
    call_unref(call);
    g_free(client_answer);
}

static void on_client_answered(const json_t *result, gpointer data)
{
    HfMcpCall *call = data;
    ClientAnswer *client_answer = g_new(ClientAnswer, 1);
    g_mutex_lock(&call->lock);
    call->ask = 0;
    g_mutex_unlock(&call->lock);
    *client_answer = (ClientAnswer){call, result ? json_deep_copy(result) : json_object()};
    hf_workers_manage(call->mcp->server->workers, take_client_answer, client_answer);
}

static void ask_client(HfMcpCall *call, HfMcpRequest *request, const json_t *approval)
{
    HfMcpOutput *output = request->output;
    g_mutex_lock(&call->lock);
    hf_mcp_output_unref(call->asked_on);
    call->asked_on = hf_mcp_output_ref(output);
    g_mutex_unlock(&call->lock);
    guint64 ask =
        hf_mcp_ask(call->mcp, output, "elicitation/create", elicit_params(call->mcp, approval),
                   on_client_answered, call_ref(call));
    g_mutex_lock(&call->lock);
    call->ask = ask;
    g_mutex_unlock(&call->lock);
}

static void tell_client_of_approval(HfMcpCall *call, HfMcpRequest *request, const json_t *approval)
{
    g_autofree char *activity = g_strdup_printf("waiting for the owner's answer to %s",
                                                hf_json_string(approval, "id", "?"));
    hf_mcp_request_set_activity(request, activity);
    hf_mcp_request_log(request, HF_MCP_LOG_NOTICE, json_string(activity));
    gboolean can_ask = hf_mcp_request_can_elicit(request);
    gboolean modern = request->modern;
    g_mutex_lock(&call->lock);
    g_autoptr(HfMcpRequest) sent = NULL;
    if (modern && can_ask) {
        g_free(call->nonce);
        call->nonce = hf_id_new("n");
        sent = detach_mcp_request(call);
    } else if (!can_ask || !elicit_is_trusted(call->mcp)) {
        set_timer(call);
    }
    g_mutex_unlock(&call->lock);
    if (sent)
        reply_with_question(call, sent, approval);
    else if (can_ask && !modern)
        ask_client(call, request, approval);
}

static void begin_waiting(HfMcpCall *call, const json_t *approval)
{
    g_mutex_lock(&call->lock);
    call->approval = json_deep_copy(approval);
    g_autoptr(HfMcpRequest) request = call->request ? hf_mcp_request_ref(call->request) : NULL;
    g_mutex_unlock(&call->lock);
    keep_mcp_call(call);
    if (request)
        tell_client_of_approval(call, request, approval);
}

static void end_waiting(HfMcpCall *call)
{
    g_mutex_lock(&call->lock);
    g_clear_pointer(&call->approval, json_decref);
    if (call->timer) {
        g_source_destroy(call->timer);
        g_clear_pointer(&call->timer, g_source_unref);
    }
    guint64 ask = call->ask;
    g_autoptr(HfMcpOutput) asked_on = g_steal_pointer(&call->asked_on);
    g_autoptr(HfMcpRequest) request = call->request ? hf_mcp_request_ref(call->request) : NULL;
    g_mutex_unlock(&call->lock);
    if (ask)
        hf_mcp_withdraw(call->mcp, asked_on, ask, "it was answered elsewhere or cancelled");
    if (request)
        hf_mcp_request_set_activity(request, NULL);
}

static void on_mcp_call_waiting(const json_t *approval, gpointer data)
{
    HfMcpCall *call = data;
    hf_workers_set_waiting(call->mcp->server->workers, approval != NULL);
    hf_mcp_set_waiting(call->mcp, approval != NULL);
    if (approval)
        begin_waiting(call, approval);
    else
        end_waiting(call);
}

/* ---- running ---- */

HfMcp *hf_mcp_call_get_mcp(const HfMcpCall *call)
{
    return call->mcp;
}

const char *hf_mcp_call_desktop(const HfMcpCall *call, const json_t *arguments)
{
    const char *usual = call->mcp->desktop;
    return hf_json_string(arguments, "desktop", usual ? usual : "main");
}

HfAnswer *hf_mcp_call_guard(HfMcpCall *call, const char *tool, json_t *params)
{
    HfRequest request = {.caller = &call->mcp->caller,
                         .tool = tool,
                         .params = params,
                         .cancellable = call->cancellable,
                         .waiting = on_mcp_call_waiting,
                         .waiting_data = call};
    return hf_guard_call(guard_of_mcp(call->mcp), &request);
}

static void finish_mcp_call(HfMcpCall *call, HfMcpOutcome *take_outcome)
{
    g_autoptr(HfMcpOutcome) outcome = take_outcome;
    g_mutex_lock(&call->lock);
    g_autoptr(HfMcpRequest) request = detach_mcp_request(call);
    if (!request) {
        call->done_us = g_get_monotonic_time();
        call->outcome = g_steal_pointer(&outcome);
    }
    g_mutex_unlock(&call->lock);
    if (!request)
        return;
    forget_mcp_call(call);
    reply_with_outcome(request, outcome);
}

/* Attaches another request to a running call. `given` is the answer of its user; NULL: not
 * asked. */
static void join_parked_call(HfMcpCall *call, HfMcpRequest *request, const json_t *given)
{
    gboolean mute = given && !elicit_is_answer(given);
    g_mutex_lock(&call->lock);
    g_free(call->nonce);
    call->nonce = mute ? hf_id_new("n") : NULL;
    g_autoptr(json_t) approval = json_deep_copy(call->approval);
    g_autoptr(HfMcpOutcome) outcome = g_steal_pointer(&call->outcome);
    gboolean ask_again = mute && approval && !outcome;
    if (!outcome && !ask_again)
        call->request = hf_mcp_request_ref(request);
    g_mutex_unlock(&call->lock);
    if (outcome) {
        forget_mcp_call(call);
        reply_with_outcome(request, outcome);
    } else if (ask_again) {
        reply_with_question(call, request, approval);
    } else {
        hf_mcp_request_follow(request, call->cancellable);
        take_answer_or_wait(call, approval, given);
    }
}

static char *dup_digest(const HfMcp *mcp, const char *tool, json_t *arguments)
{
    const char *desktop = mcp->desktop;
    g_autoptr(json_t) what =
        json_pack("{s:s, s:s, s:O, s:s}", "who", mcp->principal, "tool", tool, "arguments",
                  arguments, "desktop", desktop ? desktop : "main");
    char *text = json_dumps(what, JSON_COMPACT | JSON_SORT_KEYS);
    char *digest = g_compute_checksum_for_string(G_CHECKSUM_SHA256, text, -1);
    free(text);
    return digest;
}

/* The call of the client's signed state. NULL after the request was refused. */
static HfMcpCall *find_by_state(HfMcpRequest *request, const char *digest)
{
    HfMcpServer *server = request->mcp->server;
    const char *text = hf_json_string(request->params, "requestState", NULL);
    g_autoptr(json_t) claims = hf_mcp_state_verify(server->signer, text);
    HfMcpCall *call = NULL;
    if (strcmp(hf_json_string(claims, "digest", ""), digest) == 0)
        call = find_parked(server->calls, digest, hf_json_string(claims, "nonce", ""));
    if (!call)
        hf_mcp_request_refuse(request, HF_MCP_INVALID_PARAMS, 200, NULL,
                              "requestState is invalid, belongs to another call, has expired or "
                              "was used before: call again without it");
    return call;
}

static HfMcpCall *new_mcp_call(HfMcpRequest *request, const char *digest)
{
    HfMcpCall *call = g_new0(HfMcpCall, 1);
    g_atomic_ref_count_init(&call->refs);
    call->mcp = hf_mcp_ref(request->mcp);
    call->calls = call->mcp->server->calls;
    call->digest = g_strdup(digest);
    call->cancellable = g_object_ref(request->cancellable);
    call->request = hf_mcp_request_ref(request);
    g_mutex_init(&call->lock);
    return call;
}

void hf_mcp_calls_run(HfMcpRequest *request, const char *tool, json_t *arguments,
                      HfMcpCallFunc work)
{
    HfMcp *mcp = request->mcp;
    const json_t *params = request->params;
    g_autofree char *digest = dup_digest(mcp, tool, arguments);
    gboolean returns = request->modern && json_object_get(params, "requestState");
    HfMcpCalls *calls = mcp->server->calls;
    g_autoptr(HfMcpCall) parked =
        returns ? find_by_state(request, digest) : find_parked(calls, digest, NULL);
    hf_mcp_request_repeat_progress(request);
    if (parked) {
        const json_t *given =
            json_object_get(json_object_get(params, "inputResponses"), ELICIT_KEY);
        join_parked_call(parked, request, !returns ? NULL : given ? given : json_null());
    } else if (!returns) {
        g_autoptr(HfMcpCall) call = new_mcp_call(request, digest);
        finish_mcp_call(call, work(call, arguments));
    }
}
