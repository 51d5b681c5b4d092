/* SPDX-License-Identifier: Apache-2.0 */
/* One call of a tool, as its handler sees it: checked parameters with defaults, the call context,
 * and the time limit. */
#pragma once

#include "shared/base/deadline.h"
#include "shared/base/json.h"
#include "shared/base/types.h"
#include "shared/tool/result.h"
#include "shared/tool/tool.h"

/* Borrows everything but the parameters; the caller keeps it alive while the call runs. The desktop
 * is the context's. */
HfCall *hf_call_new(const HfTool *tool, json_t *take_params, HfCallContext *context,
                    HfDesktop *desktop, HfDeadline deadline);
void hf_call_free(HfCall *call);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfCall, hf_call_free)

/* For whatever acts, takes pictures or reads windows; and for the rest the desktop. */
HfCallContext *hf_call_context(const HfCall *call);
HfDesktop *hf_call_desktop(const HfCall *call);
const HfTool *hf_call_tool(const HfCall *call);
const HfDeadline *hf_call_deadline(const HfCall *call);

/* Parameters by name. A parameter that is neither given nor has a default reads as NULL, 0 or
 * FALSE; hf_call_has tells. The types were checked against the descriptor. */
gboolean hf_call_has(const HfCall *call, const char *name);
const char *hf_call_string(const HfCall *call, const char *name);
gint64 hf_call_int(const HfCall *call, const char *name);
double hf_call_number(const HfCall *call, const char *name);
gboolean hf_call_bool(const HfCall *call, const char *name);
json_t *hf_call_json(const HfCall *call, const char *name); /* borrowed; may be NULL */
/* An array of strings as a NULL-ended vector; empty when not given. */
char **hf_call_dup_strings(const HfCall *call, const char *name);
/* How the handler's change can be undone: {"tool", "params", "expect"}, where `expect` says what
 * must still hold then (hand/main/preconditions.h), or {"none": why not}. Only worth finding out
 * when somebody keeps it. */
gboolean hf_call_wants_undo(const HfCall *call);
void hf_call_want_undo(HfCall *call);
void hf_call_take_undo(HfCall *call, json_t *take_undo);
json_t *hf_call_steal_undo(HfCall *call); /* NULL: the handler said nothing */

/* The limits of the call (desk/guard/steps/risk.c); NULL: the tool has none. Borrowed. */
void hf_call_set_walls(HfCall *call, const json_t *walls);
const json_t *hf_call_walls(const HfCall *call);

/* The SHA-256 of the content that the guard has judged (HfTool.inspect); NULL: none. Borrowed. */
void hf_call_set_inspected_sha256(HfCall *call, const char *sha256);
const char *hf_call_inspected_sha256(const HfCall *call);

/* The window that the caller has directed the call to; 0: none. */
void hf_call_set_window(HfCall *call, guint32 window);
guint32 hf_call_window(const HfCall *call);

/* Whether the owner has agreed to writing into a password field. */
void hf_call_set_approved(HfCall *call, gboolean approved);
gboolean hf_call_is_approved(const HfCall *call);

/* The elements that parameters of the call referred to, by the member of the result that reports
 * them: the result must say what was acted on. Each is consumed. */
void hf_call_take_found(HfCall *call, const char *member, json_t *take_element);
void hf_call_add_found(const HfCall *call, json_t *result);
