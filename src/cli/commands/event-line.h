/* SPDX-License-Identifier: Apache-2.0 */
/* One event as a line that fits the terminal. */
#pragma once

#include <glib.h>
#include <jansson.h>

/* On a terminal with colours and cut to its width; elsewhere complete, with tabs between time,
 * type, caller, tool, desktop, outcome and duration. */
void hf_event_line_print(const json_t *event);
