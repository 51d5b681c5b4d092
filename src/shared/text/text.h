/* SPDX-License-Identifier: Apache-2.0 */
/* Compares names as people do: ignores case and how accents are composed. */
#pragma once

#include <glib.h>

/* A form of valid UTF-8 text in which equal names have equal bytes. */
char *hf_text_fold(const char *text);
gboolean hf_text_equal(const char *a, const char *b);
/* Both take a folded needle, so that it is folded once for many texts. A NULL text never matches.
 */
gboolean hf_text_equals_folded(const char *text, const char *folded);
gboolean hf_text_contains_folded(const char *text, const char *folded);

/* At most `limit` bytes of valid UTF-8, cut between characters and then followed by "...": for
 * messages that quote text of others. */
char *hf_text_shorten(const char *text, gsize limit);

/* The number of bytes to insert, delete or replace to turn one into the other. */
guint hf_text_distance(const char *a, const char *b);
