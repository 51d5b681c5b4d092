/* SPDX-License-Identifier: Apache-2.0 */
/* What the mouse tools share: parameters, result, and the click. */
#pragma once

#include "hand/desktop/pointer.h"
#include "hand/tools/resolve.h"
#include "shared/base/limits.h"
#include "shared/tool/call.h"

#define HF_PARAM_MODIFIERS                                                                         \
    HF_OPTIONAL("modifiers", HF_TYPE_ARRAY, "Keys to hold down meanwhile",                         \
                .items = &hf_mouse_modifier, .min = 0, .max = HF_LIMIT_KEYS)
extern const HfParam hf_mouse_modifier;

#define HF_PARAM_HUMANIZE                                                                          \
    HF_OPTIONAL("humanize", HF_TYPE_OBJECT,                                                        \
                "Move like a person: on a curve, with pauses, and slightly off the point. "        \
                "Without it the movement is exact and immediate",                                  \
                .fields = hf_mouse_humanize_fields)
extern const HfParam hf_mouse_humanize_fields[];

#define HF_PARAM_BUTTON                                                                            \
    HF_OPTIONAL("button", HF_TYPE_STRING, "Which button", .choices = hf_mouse_buttons,             \
                .fallback = "\"left\"")
extern const char *const hf_mouse_buttons[];

#define HF_PARAM_DURATION(default_ms)                                                              \
    HF_OPTIONAL("duration", HF_TYPE_NUMBER, "How long it takes, in milliseconds", .min = 0,        \
                .max = HF_LIMIT_MOVE_MS, .fallback = default_ms)

/* Members of every result: success, and where it was done. */
#define HF_RESULT_POSITION                                                                         \
    HF_RESULT_SUCCESS,                                                                             \
        HF_REQUIRED("position", HF_TYPE_OBJECT,                                                    \
                    "Where the pointer is, in physical pixels of the screen",                      \
                    .fields = hf_point_fields),                                                    \
        HF_RESULT_ELEMENT("element")
extern const HfParam hf_point_fields[]; /* of {x, y} */
extern const HfParam hf_mouse_result[]; /* HF_RESULT_POSITION alone */

/* Longer than the longest movement that a caller can request. */
#define HF_MOUSE_TIMEOUT_MS (HF_LIMIT_MOVE_MS + 30000)

/* Includes the element that `target` named, if any. */
HfResult *hf_mouse_result_new(const HfCall *call, HfPoint point);
HfButton hf_mouse_button(const HfCall *call);
/* The keysyms of `modifiers`, each once. */
GArray *hf_mouse_dup_modifiers(const HfCall *call, GError **error);
/* Reads `humanize`; all zero without it. */
gboolean hf_mouse_get_movement(const HfCall *call, HfMovement *ret_movement, GError **error);

/* The handler of a tool that clicks, for the parameters hf_mouse_click_params. */
HfResult *hf_mouse_click(HfCall *call, HfButton button, int count, GError **error);
extern const HfParam hf_mouse_click_params[];
