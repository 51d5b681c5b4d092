/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments that stand for a longer text. Every user of the machine can read a command line
 * (`ps`), and its length is limited. */
#pragma once

#include <glib.h>

/* "-" is all of standard input, "@FILE" the content of a file, "@=TEXT" exactly TEXT, and
 * everything else is itself. Keeps the last newline. INVALID_PARAMS when the text is not valid
 * UTF-8, contains NUL or cannot be read; LIMIT_EXCEEDED when it is longer than a request. */
char *hf_cli_dup_input(const char *word, GError **error);
