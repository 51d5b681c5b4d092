/* SPDX-License-Identifier: Apache-2.0 */
/* Reading what there is to know of windows, many at once. */
#pragma once

#include "hand/desktop/windows.h"
#include "hand/x11/windows/ewmh.h"

/* Questions about windows, on their way: many take as long as one. */
typedef struct HfX11WindowQueries HfX11WindowQueries;

HfX11WindowQueries *hf_x11_windows_send_queries(HfX11Connection *connection, const guint32 *ids,
                                                gsize count);
/* Throws away the answers that were not heard. */
void hf_x11_window_queries_free(HfX11WindowQueries *questions);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfX11WindowQueries, hf_x11_window_queries_free)

/* The answers, once: the windows (HfWindow) in the order in which they were asked for, without
 * those that are gone or that no person would call a window. */
GPtrArray *hf_x11_windows_read_replies(HfX11WindowQueries *questions, const HfX11Ewmh *ewmh,
                                       GError **error);
