/* SPDX-License-Identifier: Apache-2.0 */
/* The question to the user, and what an answer is worth. */
#include "desk/doors/mcp/mcp-elicitation.h"

#include <string.h>

#include "desk/guard/guard.h"
#include "desk/policy/identity/input-origin.h"
#include "shared/base/error.h"
#include "shared/base/i18n.h"

static HfGuard *guard_of_mcp(const HfMcp *mcp)
{
    return hf_desk_get_guard(hf_mcp_get_desk(mcp));
}

gboolean hf_mcp_elicit_is_trusted(const HfMcp *mcp)
{
    const HfCaller *caller = hf_mcp_get_caller(mcp);
    g_autoptr(HfConfig) config = hf_live_config_get(hf_guard_get_live_config(guard_of_mcp(mcp)));
    const json_t *client = hf_config_find(config, "clients", caller->name ? caller->name : "");
    return hf_json_bool(client, "may_approve", FALSE);
}

gint64 hf_mcp_elicit_wait_s(const HfMcp *mcp)
{
    g_autoptr(HfConfig) config = hf_live_config_get(hf_guard_get_live_config(guard_of_mcp(mcp)));
    return hf_config_int(config, "approval.mcp_wait_s");
}

static char *dup_question(const json_t *approval)
{
    const json_t *params = json_object_get(approval, "params");
    g_autofree char *parameters = hf_json_dump(params);
    return g_strdup_printf(_("%s wants to use %s on desktop %s (risk: %s): %s"),
                           hf_json_string(approval, "client", "?"),
                           hf_json_string(approval, "tool", "?"),
                           hf_json_string(approval, "desktop", "?"),
                           hf_json_string(approval, "risk", "?"), parameters);
}

json_t *hf_mcp_elicit_params(const HfMcp *mcp, const json_t *approval)
{
    g_autofree char *question = dup_question(approval);
    if (hf_mcp_elicit_is_trusted(mcp))
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

char *hf_mcp_elicit_waiting_text(const json_t *approval)
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
    hf_guard_audit_admin(guard_of_mcp(mcp), "approval.client-answer", hf_mcp_get_caller(mcp), what,
                         ignored);
}

/* A yes counts only from a trusted client, and not while an agent's input could have pressed the
 * button. */
static gboolean approve_from_client(HfMcp *mcp, const char *id)
{
    const HfCaller *caller = hf_mcp_get_caller(mcp);
    g_autoptr(GError) error = NULL;
    g_autofree char *by = g_strdup_printf("owner (in %s)", caller->name ? caller->name : "?");
    if (!hf_mcp_elicit_is_trusted(mcp))
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
    const HfCaller *caller = hf_mcp_get_caller(mcp);
    g_autoptr(GError) error = NULL;
    g_autofree char *by = g_strdup_printf("owner (in %s)", caller->name ? caller->name : "?");
    gboolean done = hf_mcp_elicit_is_trusted(mcp)
                        ? hf_approvals_deny(approvals, id, by, "", &error)
                        : hf_approvals_cancel(approvals, id, caller, &error);
    audit_client_answer(mcp, id, "decline", error);
    return done;
}

gboolean hf_mcp_elicit_is_answer(const json_t *answer)
{
    const char *action = hf_json_string(answer, "action", "");
    return strcmp(action, "accept") == 0 || strcmp(action, "decline") == 0 ||
           strcmp(action, "cancel") == 0;
}

gboolean hf_mcp_elicit_take_answer(HfMcp *mcp, const json_t *approval, const json_t *answer)
{
    const char *id = hf_json_string(approval, "id", "");
    const char *action = hf_json_string(answer, "action", "");
    const json_t *approve = json_object_get(json_object_get(answer, "content"), "approve");
    gboolean refused = strcmp(action, "decline") == 0 || json_is_false(approve);
    if (refused)
        return decline_from_client(mcp, id);
    if (strcmp(action, "accept") != 0)
        return FALSE;
    return (json_is_true(approve) || !hf_mcp_elicit_is_trusted(mcp)) &&
           approve_from_client(mcp, id);
}
