/* SPDX-License-Identifier: Apache-2.0 */
/* Quoting for bash. */
#pragma once

#include <glib.h>

/* Appends the text as one $'...' word on one line, with nothing that the shell would interpret. */
void hf_shell_quote_append(GString *line, const char *text);
