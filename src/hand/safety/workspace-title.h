/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a window's title tells that it belongs to a directory. */
#pragma once

#include <glib.h>

/* A title does when it holds the directory's path (also with ~ for `home`), a path below it, or its
 * last name as a word of its own: "main.c - handfast - Editor" belongs to /home/me/src/handfast.
 * Titles are the program's word, no proof. */
gboolean hf_workspace_in_title(const char *directory, const char *home, const char *title);
