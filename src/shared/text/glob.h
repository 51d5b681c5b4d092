/* SPDX-License-Identifier: Apache-2.0 */
/* Patterns with * and ?, without regard to case: names of programs, windows and hosts. */
#pragma once

#include <glib.h>

/* Both are UTF-8 or plain bytes; NULL text fits nothing. Takes time in proportion to both lengths
 * multiplied, whatever the pattern. */
gboolean hf_glob_matches(const char *pattern, const char *text);
