/* SPDX-License-Identifier: Apache-2.0 */
/* The executor API (/health, /env, /window, /capture, /input, /macro): other names for our tools.
 * Every request becomes one call of a tool through the guard, and its answer is told in that API's
 * words; nothing is done or decided here. */
#pragma once

#include "desk/doors/http/server/http-request.h"
#include "shared/tool/answer.h"
#include "shared/tool/param.h"

/* A call of a tool that a request stands for. Clear with hf_executor_call_clear. */
typedef struct HfExecutorCall {
    const char *tool;
    json_t *params;
} HfExecutorCall;

void hf_executor_call_clear(HfExecutorCall *call);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfExecutorCall, hf_executor_call_clear)

/* An action of that API: its table, how it becomes a call, how the tool's result is told. Pure. */
typedef struct HfExecutorAction {
    const char *name; /* in a macro: "mouse" */
    const HfParam *params;
    gboolean (*read)(const json_t *body, HfExecutorCall *ret_call, GError **error);
    json_t *(*tell)(const json_t *result);
} HfExecutorAction;

extern const HfExecutorAction hf_executor_list, hf_executor_focus, hf_executor_capture,
    hf_executor_mouse, hf_executor_key, hf_executor_wait;
/* All that a macro can hold; ended by NULL. */
extern const HfExecutorAction *const hf_executor_actions[];

/* What any request can say: runId, desktop, timeoutMs, idempotencyKey, reason. */
extern const HfParam hf_executor_common[];
/* A macro, and what an action in one can say besides what it says alone. */
extern const HfParam hf_executor_macro[], hf_executor_options[];

/* What the body of a request can hold (executor-schema.c). */
json_t *hf_executor_schema(const HfExecutorAction *action);
json_t *hf_executor_schema_of_macro(void);
/* Of what a path answers with, besides runId, stepId and ts; NULL: none of ours. */
json_t *hf_executor_answer_schema(const char *path);
/* For test runs: ends the program when an answer is not as described. */
void hf_executor_answer_assert(const char *path, const json_t *answer);

/* Checks a body against the action's table and makes the call of it. What is null counts as not
 * given. INVALID_PARAMS names the member; TEXT_INPUT_DISABLED where text is to be typed and
 * `text_input` is not. */
gboolean hf_executor_read(const HfExecutorAction *action, const json_t *body, gboolean text_input,
                          HfExecutorCall *ret_call, GError **error);
/* The same for a macro: {actions: [...], onFailure} becomes a call of run_macro. */
gboolean hf_executor_read_macro(const json_t *body, gboolean text_input, HfExecutorCall *ret_call,
                                GError **error);
/* An answer of run_macro in that API's words, with its pictures; `actions` are those of the body.
 */
HfResult *hf_executor_render_macro(const HfAnswer *answer, const json_t *actions);

/* A tool's picture as that API tells it, and where the picture itself goes. */
json_t *hf_executor_render_picture(const json_t *result);
#define HF_EXECUTOR_IMAGE "imageB64"
/* {x, y, width, height} as {x, y, w, h}. */
json_t *hf_executor_rect(const json_t *rect);
/* A table's check, with null for "not given": a copy without them, or NULL. */
json_t *hf_executor_check(const HfParam *table, const json_t *body, GError **error);
