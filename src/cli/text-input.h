/* SPDX-License-Identifier: Apache-2.0 */
/* Words that stand for a longer text: what is on a command line can be read by every user of the
 * machine (`ps`), and is limited in length. */
#pragma once

#include <glib.h>

/* What the word means: "-" is all of standard input, "@FILE" all of a file, "@=TEXT" is TEXT as it
 * stands, and everything else is itself. The text as it is, to its last newline. INVALID_PARAMS
 * when it is not valid UTF-8, has NUL in it or cannot be read; LIMIT_EXCEEDED when it is longer
 * than a request. */
char *hf_cli_dup_input(const char *word, GError **error);
