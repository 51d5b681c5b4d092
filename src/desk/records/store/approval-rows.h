/* SPDX-License-Identifier: Apache-2.0 */
/* What the owner was asked and answered, and what of it is remembered. Rows are JSON objects with
 * the names of the columns. */
#pragma once

#include "desk/records/store/store.h"

/* A question. Its state: pending, then approved, denied, expired or cancelled; one that was
 * approved is consumed when its call goes on. {id, state, made_ms, expires_ms, hash, caller,
 * what{}, picture, answered_ms, answered_by, reason} */
gboolean hf_approval_row_add(HfStore *store, const json_t *row, GError **error);
/* From one state to another, which only one of several can bring about: FALSE with CONFLICT for the
 * others, naming the state that it is in. `by` and `reason` may be NULL: then they stay. */
gboolean hf_approval_row_move(HfStore *store, const char *id, const char *from, const char *to,
                              const char *by, const char *reason, GError **error);
/* Owned; NULL with PRECONDITION_FAILED when there is none of that name. */
json_t *hf_approval_row_find(HfStore *store, const char *id, GError **error);
/* The latest first, at most `limit`; only those in `state` when that is given. */
json_t *hf_approval_rows_list(HfStore *store, const char *state, int limit, GError **error);

/* Forgets questions that were closed and are older than that, and the oldest beyond `most`; and
 * answers that hold no more. The audit keeps that they were there. */
gboolean hf_approval_rows_prune(HfStore *store, gint64 before_ms, gint64 most, GError **error);
gboolean hf_memory_rows_prune(HfStore *store, gint64 now_ms, GError **error);

/* An answer that holds for more than one call: for the one with this hash, for a tool, for all of a
 * project, or for calls of a tool that fit a pattern (`hash` is the pattern then).
 * {id, made_ms, expires_ms (0: until forgotten), scope, tool, project, caller, hash, risk, tainted,
 *  made_by} */
gboolean hf_memory_row_add(HfStore *store, const json_t *row, GError **error);
/* The id of one that covers the call; NULL without error when none does. The row that is looked for
 * has the call's own values. */
char *hf_memory_row_match(HfStore *store, const json_t *call, gint64 now_ms, GError **error);
json_t *hf_memory_rows_list(HfStore *store, gint64 now_ms, GError **error);
gboolean hf_memory_row_remove(HfStore *store, const char *id, GError **error);
