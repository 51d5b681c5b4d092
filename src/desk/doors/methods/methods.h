/* SPDX-License-Identifier: Apache-2.0 */
/* The methods of the bridge, which the HTTP routes use too. */
#pragma once

#include "desk/desktops/desk.h"
#include "desk/doors/bridge/bridge-client.h"

gboolean hf_method_exists(const char *name);
/* Whether it only reads or tightens. */
gboolean hf_method_is_harmless(const char *name);
/* Runs an existing method other than `call` and appends {ok, result | error}. On a worker. */
void hf_method_run(const char *name, HfDesk *desk, const HfCaller *caller, json_t *params,
                   GCancellable *cancellable, GString *answer);
/* The JSON Schema of a method's parameters; NULL: unknown method. Of all: {name: schema}. */
json_t *hf_method_schema(const char *name);
json_t *hf_methods_describe(void);
/* The method `call` {tool, params}, for a door that adds to the call or writes the answer in its
 * own way. Never NULL. */
HfAnswer *hf_method_call(HfDesk *desk, HfRequest *request, const json_t *params);

/* Appends {ok, result} or {ok, error}. Consumes the result. */
void hf_method_append_answer(GString *answer, json_t *take_result, const GError *error);

/* A method returns its result, or NULL with an error. `error` is never NULL. */
typedef json_t *HfMethod(HfDesk *desk, const HfCaller *caller, json_t *params,
                         GCancellable *cancellable, GError **error);

HfMethod hf_method_pause, hf_method_resume, hf_method_abort;
HfMethod hf_method_config_get, hf_method_config_set, hf_method_config_held, hf_method_config_accept;
HfMethod hf_method_grant_new, hf_method_grant_list, hf_method_grant_show, hf_method_grant_revoke;
HfMethod hf_method_taint_list, hf_method_taint_clear;
HfMethod hf_method_token_new, hf_method_token_list, hf_method_token_rotate, hf_method_token_revoke;
HfMethod hf_method_approvals_list, hf_method_approvals_show, hf_method_approvals_approve,
    hf_method_approvals_deny, hf_method_approvals_memory, hf_method_approvals_forget;
HfMethod hf_method_runs_list, hf_method_runs_show, hf_method_audit_list, hf_method_audit_rotate_key,
    hf_method_ledger_list, hf_method_operations_list;

/* The parameters of methods, for the contract and OpenAPI. */
extern const HfParam hf_method_no_params[];
extern const HfParam hf_method_approval_params[];
extern const HfParam hf_method_approvals_list_params[];
extern const HfParam hf_method_grant_params[];
extern const HfParam hf_method_run_params[];
extern const HfParam hf_method_taint_clear_params[];
extern const HfParam hf_method_token_params[];
extern const HfParam hf_method_config_set_params[];
extern const HfParam hf_method_config_accept_params[];
extern const HfParam hf_method_desktop_remove_params[];
extern const HfParam hf_method_stop_params[];
extern const HfParam hf_method_approve_params[];
extern const HfParam hf_method_audit_list_params[];
extern const HfParam hf_method_deny_params[];
extern const HfParam hf_method_config_get_params[];
extern const HfParam hf_method_desktop_new_params[];
extern const HfParam hf_method_grant_new_params[];
extern const HfParam hf_method_ledger_list_params[];
extern const HfParam hf_method_operations_list_params[];
extern const HfParam hf_method_pause_params[];
extern const HfParam hf_method_resume_params[];
extern const HfParam hf_method_abort_params[];
extern const HfParam hf_method_token_new_params[];
/* Whether there is evidence of that run, and another caller began it. */
gboolean hf_method_is_run_of_others(const HfCaller *caller, const char *run);
/* The folder of a run that the caller may see; RUN_NOT_FOUND. */
char *hf_method_find_run(const HfCaller *caller, const char *run, GError **error);
