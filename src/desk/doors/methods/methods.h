/* SPDX-License-Identifier: Apache-2.0 */
/* What can be asked on the bridge. */
#pragma once

#include "desk/desktops/desk.h"
#include "desk/doors/bridge/bridge-client.h"

/* One request; NULL for a method that does not exist. The answer is an object of the one shape
 * {ok, result | error}, as text. Runs on a worker thread. */
typedef void (*HfMethod)(HfDesk *desk, const HfCaller *caller, json_t *params,
                         GCancellable *cancellable, GString *answer);

HfMethod hf_method_find(const char *name);
/* Does it, and appends the answer. It has to exist. */
void hf_method_run(const char *name, HfDesk *desk, const HfCaller *caller, json_t *params,
                   GCancellable *cancellable, GString *answer);
/* The JSON Schema of what a method takes; NULL: there is none of that name. Of all: {name: schema}.
 */
json_t *hf_method_schema(const char *name);
json_t *hf_methods_describe(void);
/* The method `call` {tool, params}, for a door that has more to say about the call, or writes the
 * answer in its own way. Never NULL. */
HfAnswer *hf_method_call(HfDesk *desk, HfRequest *request, const json_t *params);

/* Consumes the result (or takes the error's words) into the one shape. */
void hf_method_append_answer(GString *answer, json_t *take_result, const GError *error);

/* Methods with a file of their own. */
void hf_method_pause(HfDesk *desk, const HfCaller *caller, json_t *params,
                     GCancellable *cancellable, GString *answer);
void hf_method_resume(HfDesk *desk, const HfCaller *caller, json_t *params,
                      GCancellable *cancellable, GString *answer);
void hf_method_abort(HfDesk *desk, const HfCaller *caller, json_t *params,
                     GCancellable *cancellable, GString *answer);
void hf_method_audit_rotate_key(HfDesk *desk, const HfCaller *caller, json_t *params,
                                GCancellable *cancellable, GString *answer);
void hf_method_config_get(HfDesk *desk, const HfCaller *caller, json_t *params,
                          GCancellable *cancellable, GString *answer);
void hf_method_config_set(HfDesk *desk, const HfCaller *caller, json_t *params,
                          GCancellable *cancellable, GString *answer);
void hf_method_grant_new(HfDesk *desk, const HfCaller *caller, json_t *params,
                         GCancellable *cancellable, GString *answer);
void hf_method_grant_list(HfDesk *desk, const HfCaller *caller, json_t *params,
                          GCancellable *cancellable, GString *answer);
void hf_method_grant_show(HfDesk *desk, const HfCaller *caller, json_t *params,
                          GCancellable *cancellable, GString *answer);
void hf_method_grant_revoke(HfDesk *desk, const HfCaller *caller, json_t *params,
                            GCancellable *cancellable, GString *answer);
void hf_method_operations_list(HfDesk *desk, const HfCaller *caller, json_t *params,
                               GCancellable *cancellable, GString *answer);
void hf_method_ledger_list(HfDesk *desk, const HfCaller *caller, json_t *params,
                           GCancellable *cancellable, GString *answer);
void hf_method_approvals_list(HfDesk *desk, const HfCaller *caller, json_t *params,
                              GCancellable *cancellable, GString *answer);
void hf_method_approvals_show(HfDesk *desk, const HfCaller *caller, json_t *params,
                              GCancellable *cancellable, GString *answer);
void hf_method_approvals_approve(HfDesk *desk, const HfCaller *caller, json_t *params,
                                 GCancellable *cancellable, GString *answer);
void hf_method_approvals_deny(HfDesk *desk, const HfCaller *caller, json_t *params,
                              GCancellable *cancellable, GString *answer);
void hf_method_approvals_memory(HfDesk *desk, const HfCaller *caller, json_t *params,
                                GCancellable *cancellable, GString *answer);
void hf_method_approvals_forget(HfDesk *desk, const HfCaller *caller, json_t *params,
                                GCancellable *cancellable, GString *answer);
void hf_method_token_new(HfDesk *desk, const HfCaller *caller, json_t *params,
                         GCancellable *cancellable, GString *answer);
void hf_method_token_list(HfDesk *desk, const HfCaller *caller, json_t *params,
                          GCancellable *cancellable, GString *answer);
void hf_method_token_rotate(HfDesk *desk, const HfCaller *caller, json_t *params,
                            GCancellable *cancellable, GString *answer);
void hf_method_token_revoke(HfDesk *desk, const HfCaller *caller, json_t *params,
                            GCancellable *cancellable, GString *answer);
void hf_method_runs_list(HfDesk *desk, const HfCaller *caller, json_t *params,
                         GCancellable *cancellable, GString *answer);
void hf_method_runs_show(HfDesk *desk, const HfCaller *caller, json_t *params,
                         GCancellable *cancellable, GString *answer);
void hf_method_audit_list(HfDesk *desk, const HfCaller *caller, json_t *params,
                          GCancellable *cancellable, GString *answer);

/* What methods take, for doors that describe themselves. */
extern const HfParam hf_method_no_params[];
extern const HfParam hf_method_approval_params[];
extern const HfParam hf_method_approvals_list_params[];
extern const HfParam hf_method_grant_params[];
extern const HfParam hf_method_run_params[];
extern const HfParam hf_method_token_params[];
extern const HfParam hf_method_config_set_params[];
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
/* The folder of a run that the caller may see; RUN_NOT_FOUND. */
char *hf_method_find_run(const HfCaller *caller, const char *run, GError **error);
