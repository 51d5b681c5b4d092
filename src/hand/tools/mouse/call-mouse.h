/* SPDX-License-Identifier: Apache-2.0 */
/* What the tools of the mouse share: their common parameters and their result. */
#pragma once

#include "hand/desktop/pointer.h"
#include "hand/tools/resolve.h"
#include "shared/base/limits.h"
#include "shared/tool/call.h"

#define HF_PARAM_MODIFIERS                                                                         \
    {                                                                                              \
        .name = "modifiers", .type = HF_TYPE_ARRAY, .items = &hf_mouse_modifier, .min = 0,         \
        .max = HF_LIMIT_KEYS, .about = "Keys held down meanwhile"                                  \
    }
extern const HfParam hf_mouse_modifier;

#define HF_PARAM_HUMANIZE                                                                          \
    {                                                                                              \
        .name = "humanize", .type = HF_TYPE_OBJECT, .fields = hf_mouse_humanize_fields,            \
        .about = "Move and act like a person: on a curve, with pauses, and a little beside the "   \
                 "point. Exact and at once without it"                                             \
    }
extern const HfParam hf_mouse_humanize_fields[];

#define HF_PARAM_BUTTON                                                                            \
    {                                                                                              \
        .name = "button", .type = HF_TYPE_STRING, .choices = hf_mouse_buttons,                     \
        .fallback = "\"left\"", .about = "Which button"                                            \
    }
extern const char *const hf_mouse_buttons[];

#define HF_PARAM_DURATION(default_ms)                                                              \
    {                                                                                              \
        .name = "duration", .type = HF_TYPE_NUMBER, .min = 0, .max = HF_LIMIT_MOVE_MS,             \
        .fallback = default_ms, .about = "How long it takes, in milliseconds"                      \
    }

/* {success, position}: all of them return where it was done. */
#define HF_RESULT_POSITION                                                                         \
    {.name = "success", .type = HF_TYPE_BOOLEAN, .required = TRUE, .about = "Always true"},        \
        {.name = "position",                                                                       \
         .type = HF_TYPE_OBJECT,                                                                   \
         .required = TRUE,                                                                         \
         .fields = hf_mouse_position_fields,                                                       \
         .about = "Where the pointer is, in physical pixels of the screen"},                       \
        HF_RESULT_ELEMENT("element")
extern const HfParam hf_mouse_position_fields[];
extern const HfParam hf_mouse_result[]; /* HF_RESULT_POSITION alone */

/* Default time limit: longer than the longest movement that can be asked for. */
#define HF_MOUSE_TIMEOUT_MS (HF_LIMIT_MOVE_MS + 30000)

/* With the element that the call meant, if it meant one. */
HfResult *hf_mouse_result_new(const HfCall *call, HfPoint point);
HfButton hf_mouse_button(const HfCall *call);
/* Keysyms, each once; empty without modifiers. */
GArray *hf_mouse_dup_modifiers(const HfCall *call, GError **error);
/* From `humanize`; all zero without it. */
gboolean hf_mouse_get_movement(const HfCall *call, HfMovement *ret_movement, GError **error);

/* The whole of a tool that clicks: its parameters are hf_mouse_click_params. */
HfResult *hf_mouse_click(HfCall *call, HfButton button, int count, GError **error);
extern const HfParam hf_mouse_click_params[];
