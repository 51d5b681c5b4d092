/* SPDX-License-Identifier: Apache-2.0 */
/* Questions to the owner with their answers, and answers that hold for more than one call. Rows are
 * JSON objects with the names of the columns. */
#pragma once

#include "desk/records/store/store.h"

/* A question. Its state is pending, then approved, denied, expired or cancelled; an approved one
 * becomes consumed when its call goes on. {id, state, made_ms, expires_ms, hash, caller, what{},
 * picture, answered_ms, answered_by, reason} */
gboolean hf_approval_row_add(HfStore *store, const json_t *row, GError **error);
/* Changes the state; when several race, one wins and the others get CONFLICT with the current
 * state. `by` and `reason` NULL: unchanged. */
gboolean hf_approval_row_move(HfStore *store, const char *id, const char *from, const char *to,
                              const char *by, const char *reason, GError **error);
/* Owned; NULL with PRECONDITION_FAILED when there is none. */
json_t *hf_approval_row_find(HfStore *store, const char *id, GError **error);
/* The latest first, at most `limit`; `state` NULL: in any state. */
json_t *hf_approval_rows_list(HfStore *store, const char *state, int limit, GError **error);

/* Deletes closed questions from before that time and the oldest beyond `most`; deletes expired
 * answers. The audit still has them. */
gboolean hf_approval_rows_prune(HfStore *store, gint64 before_ms, gint64 most, GError **error);
gboolean hf_memory_rows_prune(HfStore *store, gint64 now_ms, GError **error);

/* A remembered answer, for the call with this hash, a tool, a project, or calls of a tool that
 * match a pattern (then `hash` is the pattern). {id, made_ms, expires_ms (0: until forgotten),
 * scope, tool, project, caller, hash, risk, tainted, made_by} */
gboolean hf_memory_row_add(HfStore *store, const json_t *row, GError **error);
/* The id of one that covers the call; NULL without an error when none does. */
char *hf_memory_row_match(HfStore *store, const json_t *call, gint64 now_ms, GError **error);
json_t *hf_memory_rows_list(HfStore *store, gint64 now_ms, GError **error);
gboolean hf_memory_row_remove(HfStore *store, const char *id, GError **error);
