/* SPDX-License-Identifier: Apache-2.0 */
/* Choosing a window by what is known of it. Pure: works on a list that was read before. */
#pragma once

#include "hand/desktop/windows.h"

/* NULL members do not matter. */
typedef struct HfWindowQuery {
    const char *title; /* exact, else equal but for case, else contained in any case */
    const char *title_contains;
    const char *title_regex;
    const char *process;
    const char *class_name; /* or instance */
} HfWindowQuery;

/* The windows that fit, in the list's order; borrowed from it. INVALID_PARAMS for a regular
 * expression that cannot be used. */
GPtrArray *hf_windows_filter(const GPtrArray *windows, const HfWindowQuery *query, GError **error);
/* The index-th choice of a person among those that fit: the focused one, else the topmost if all
 * belong to one application. WINDOW_NOT_FOUND or WINDOW_AMBIGUOUS. Borrowed. */
HfWindow *hf_windows_choose(const GPtrArray *windows, const HfWindowQuery *query, GError **error);
