/* Which window a call means, told apart in one place, so that "not found" and "which of them?"
 * are worded once. */
#pragma once

#include "base/limits.h"
#include "platform/windows.h"
#include "tool/call.h"

/* For the parameter table of a tool that works on one window. */
#define HF_PARAM_WINDOW                                                                            \
    {.name = "window_id",                                                                          \
     .type = HF_TYPE_INTEGER,                                                                      \
     .about = "The window's id, as window_list gives it",                                          \
     .min = 1,                                                                                     \
     .max = 4294967295.0},                                                                         \
    {                                                                                              \
        .name = "window_title", .type = HF_TYPE_STRING,                                            \
        .about = "The window's title; a part of it will do, in any case", .min = 1,                \
        .max = HF_LIMIT_TITLE_BYTES                                                                \
    }
/* For tools that also take a description of the window; all members given must fit. */
#define HF_PARAM_WINDOW_MATCH                                                                      \
    {                                                                                              \
        .name = "match", .type = HF_TYPE_OBJECT, .fields = hf_window_match_fields,                 \
        .about = "Describes the window, instead of window_id or window_title; all members "        \
                 "that are given must fit"                                                         \
    }
extern const HfParam hf_window_match_fields[];

/* Whether the call says which window it means. */
gboolean hf_call_names_window(const HfCall *call);
/* By window_id, window_title or match. Of several that fit: the focused one, else the topmost if
 * all belong to one application, else WINDOW_AMBIGUOUS with the candidates in details. */
gboolean hf_call_get_window(const HfCall *call, HfWindow **ret_window, GError **error);
