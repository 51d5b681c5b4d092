/* SPDX-License-Identifier: Apache-2.0 */
/* One event as a person reads it: a line that fits the terminal it is shown on. */
#pragma once

#include <glib.h>
#include <jansson.h>

/* Prints it: with colours and cut to the width on a terminal, else whole, with tabs between time,
 * type, caller, tool, desktop, outcome and duration. */
void hf_event_line_print(const json_t *event);
