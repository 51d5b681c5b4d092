/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses a window from a list that was read before. Asks no display. */
#pragma once

#include "hand/desktop/windows.h"

/* A NULL member matches every window. */
typedef struct HfWindowQuery {
    const char *title; /* equal, else equal ignoring case, else contained ignoring case */
    const char *title_contains;
    const char *title_regex;
    const char *process;
    const char *class_name; /* or instance */
} HfWindowQuery;

/* The windows that match, in the list's order; borrowed from it. INVALID_PARAMS for a regular
 * expression that is invalid or takes too long. */
GPtrArray *hf_windows_filter(const GPtrArray *windows, const HfWindowQuery *query, GError **error);
/* Of the windows that match: the focused one, else the topmost if all belong to one application.
 * WINDOW_NOT_FOUND or WINDOW_AMBIGUOUS. Borrowed. */
HfWindow *hf_windows_choose(const GPtrArray *windows, const HfWindowQuery *query, GError **error);
/* The topmost visible window at a point; NULL: the bare desktop. Borrowed. */
const HfWindow *hf_windows_find_at(const GPtrArray *windows, HfPoint point);
