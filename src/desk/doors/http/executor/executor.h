/* SPDX-License-Identifier: Apache-2.0 */
/* The executor API (/health, /env, /window, /capture, /input, /macro): a second dialect for our
 * tools. Every request becomes one tool call through the guard, and the answer is translated back.
 * Nothing is done or decided here. */
#pragma once

#include "desk/doors/http/server/http-request.h"
#include "shared/tool/answer.h"
#include "shared/tool/param.h"

/* The tool call that a request stands for. Clear with hf_executor_call_clear. */
typedef struct HfExecutorCall {
    const char *tool;
    json_t *params;
} HfExecutorCall;

void hf_executor_call_clear(HfExecutorCall *call);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfExecutorCall, hf_executor_call_clear)

/* One action: its parameters, how it becomes a call, how the tool's result is translated. Pure. */
typedef struct HfExecutorAction {
    const char *name; /* in a macro: "mouse" */
    const HfParam *params;
    gboolean (*read)(const json_t *body, HfExecutorCall *ret_call, GError **error);
    json_t *(*render)(const json_t *result);
} HfExecutorAction;

extern const HfExecutorAction hf_executor_list, hf_executor_focus, hf_executor_capture,
    hf_executor_mouse, hf_executor_key, hf_executor_wait;
/* All actions that a macro may contain; ended by NULL. */
extern const HfExecutorAction *const hf_executor_actions[];

/* Members of every request: runId, desktop, timeoutMs, idempotencyKey, reason. */
extern const HfParam hf_executor_common[];
/* A macro, and the extra members of an action inside one. */
extern const HfParam hf_executor_macro[], hf_executor_options[];

/* The schema of a request's body (executor-schema.c). */
json_t *hf_executor_schema(const HfHttpRoute *route);
/* The members of a path's answer besides runId, stepId and ts; NULL for other APIs. */
json_t *hf_executor_answer_schema(const char *path);
/* For tests: aborts when an answer does not match its description. */
void hf_executor_answer_assert(const char *path, const json_t *answer);

/* Checks a body against the action's table and fills the call. null counts as missing.
 * INVALID_PARAMS names the member; TEXT_INPUT_DISABLED when the action types text without
 * `text_input`. */
gboolean hf_executor_read(const HfExecutorAction *action, const json_t *body, gboolean text_input,
                          HfExecutorCall *ret_call, GError **error);
/* The same for a macro: {actions: [...], onFailure} becomes a call of run_macro. */
gboolean hf_executor_read_macro(const json_t *body, gboolean text_input, HfExecutorCall *ret_call,
                                GError **error);
/* Translates an answer of run_macro, with its pictures; `actions` are those of the body. */
HfResult *hf_executor_render_macro(const HfAnswer *answer, const json_t *actions);

/* Translates a picture's description, and names the member for the picture itself. */
json_t *hf_executor_render_picture(const json_t *result);
#define HF_EXECUTOR_IMAGE "imageB64"
/* Copies the members that there are, under our names: {theirs, ours}, ended by {NULL}. */
typedef const char *const HfExecutorNames[2];
void hf_executor_copy(json_t *to, const json_t *from, HfExecutorNames *names);
/* {x, y, width, height} as {x, y, w, h}. */
json_t *hf_executor_rect(const json_t *rect);
/* Checks parameters against a table with null as "missing": returns a copy without nulls, or
 * NULL. */
json_t *hf_executor_check(const HfParam *table, const json_t *body, GError **error);
