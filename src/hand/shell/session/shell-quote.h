/* SPDX-License-Identifier: Apache-2.0 */
/* Text as a word of bash. */
#pragma once

#include <glib.h>

/* Appends $'...': one line without a letter that the shell would take for anything but itself,
 * whatever the text holds. */
void hf_shell_quote_append(GString *line, const char *text);
